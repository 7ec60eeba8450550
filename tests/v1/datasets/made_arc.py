"""Made-up tasks of ARC-AGI's published schema, and folders and archives of them."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_debate.v1.datasets.arc_agi import Entry, tasks_sha256

Value = dict[str, Any]
Content = Mapping[str, Value]


def made(number: int, tests: int = 1) -> Value:
    """A task whose rule is to turn the grid upside down."""
    first, second = number % 10, number // 10 % 10

    def pair(cell: int) -> Value:
        row = [first, second, cell]
        return {"input": [row, [0, 0, 1]], "output": [[0, 0, 1], row]}

    return {
        "train": [pair(2), pair(3)],
        "test": [pair(4 + number) for number in range(tests)],
    }


def release(training: int = 12, evaluation: int = 6) -> dict[str, Value]:
    """Tasks by path; every third has two test inputs."""
    numbers = {"training": range(training), "evaluation": range(50, 50 + evaluation)}
    return {
        f"{split}/{number:08x}.json": made(number, 2 if number % 3 == 0 else 1)
        for split, those in numbers.items()
        for number in those
    }


def written(content: Mapping[str, object], folder: Path) -> Path:
    """A folder of tasks."""
    for name, value in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))
    return folder


def zipped(content: Content, top: str = "ARC-AGI-0123") -> bytes:
    """The archive that GitHub packs of a repository with tasks."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{top}/", "")
        archive.writestr(f"{top}/README.md", "# About")
        archive.writestr(f"{top}/apps/data/training/no.json", "no task")
        archive.writestr(f"{top}/data/training/", "")
        archive.writestr(f"{top}/data/training.txt", "00000000")
        for name, value in content.items():
            # Spaces do not count.
            archive.writestr(f"{top}/data/{name}", json.dumps(value, indent=1))
    return packed.getvalue()


def sha256(content: Content) -> str:
    """The checksum of tasks as the loader takes it."""
    paths = {name: Path(name) for name in content}
    return tasks_sha256(
        Entry(path.parent.name, path.stem, "here", content[name])
        for name, path in paths.items()
    )
