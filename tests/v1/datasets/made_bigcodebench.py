"""Made-up tasks of BigCodeBench's schemas, and files and archives of them."""

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inspect_debate.v1.datasets.sources import content_sha256

Record = dict[str, Any]

IMPORTS = ("json", "pandas", "requests")


def flat(number: int, **changes: Any) -> Record:
    """A task as BigCodeBench has it: to add a number; every third needs pandas."""
    library = IMPORTS[number % 3]
    head = f"import {library}\n\ndef task_func(given):"
    about = f"Add {number}" + ", and nothing else" * (number % 5) + "."
    tests = "".join(
        f"    def test_{n}(self):\n"
        f"        self.assertEqual(task_func({n}), {number + n})\n"
        for n in range(2)
    )
    content = {
        "complete_prompt": f'{head}\n    """{about}"""\n',
        "instruct_prompt": about,
        "canonical_solution": f"    # The sum.\n    return given + {number}",
        "code_prompt": f"{head}\n",
        "test": f"import unittest\nclass TestCases(unittest.TestCase):\n{tests}",
        "entry_point": "task_func",
        "doc_struct": "{}",
        "libs": f"['{library}']",
    }
    return {"task_id": f"BigCodeBench/{number}", **content, **changes}


def nested(number: int, status: str = "active", **changes: Any) -> Record:
    """The same as BigCodeBench+ has it; of every other one `libs` is a list."""
    content = flat(number, **changes)
    id = content.pop("task_id")
    del content["doc_struct"]
    if number % 2 and "libs" not in changes:
        content["libs"] = [IMPORTS[number % 3]]
    return {
        "task_id": id,
        "dataset": "bigcodebench",
        "version": number % 2,
        "version_id": "v0_original",
        "status": status,
        "content": content,
    }


def release(tasks: int = 12) -> list[Record]:
    return [nested(number) for number in range(tasks)]


def jsonl(records: Iterable[object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def write_jsonl(records: Iterable[object], folder: Path) -> str:
    """The path of a file of records."""
    path = folder / "tasks.jsonl"
    path.write_text(jsonl(records))
    return str(path)


def write_folder(records: Iterable[Record], folder: Path) -> str:
    """The path of a folder with a file for each record."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, record in enumerate(records):
        # Spaces do not count.
        text = json.dumps(record, indent=2)
        (folder / f"{number:04}_BigCodeBench_{number}.json").write_text(text)
    return str(folder)


def zipped(records: Sequence[Record], top: str = "BCBPlus-0123") -> bytes:
    """The archive that GitHub packs of a repository with tasks."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{top}/", "")
        archive.writestr(f"{top}/README.md", "# About")
        archive.writestr(f"{top}/build/tasks.jsonl", jsonl(records))
        archive.writestr(f"{top}/docs/problems/no.json", "no task")
        archive.writestr(f"{top}/problems/", "")
        for number, record in enumerate(records):
            name = f"{top}/problems/{number:04}_BigCodeBench_{number}.json"
            archive.writestr(name, json.dumps(record, indent=1))
    return packed.getvalue()


def sha256(records: Iterable[Any]) -> str:
    """The checksum of tasks as the loader takes it."""
    return content_sha256(records)
