"""ARC-AGI: apply a rule, shown by pairs of coloured grids, to new grids.

Versions 1 (Chollet 2019, "On the Measure of Intelligence") and 2 (Chollet et al. 2025,
"ARC-AGI-2"), both under Apache-2.0. The study of generative debate does not say which
tasks it used; its numbers fit the 800 of version 1, which are the default. A task with
several test inputs is one question, and an answer gives all outputs.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from inspect_ai.dataset import Sample
from pydantic import AfterValidator, BaseModel, Field

from inspect_debate.datasets.common import Sourced, balanced, checked
from inspect_debate.datasets.download import (
    Release,
    fetch_release,
    json_sha256,
    json_value,
    read_file,
    user_path,
)
from inspect_debate.debate.errors import InputError, validated
from inspect_debate.grading.grids import render

RELEASES = {
    1: Release(
        "fchollet/ARC-AGI",
        "399030444e0ab0cc8b4e199870fb20b863846f34",
        "d00c0374fe965a067a8bb6f010e6f4a4ceb9738b0fb978771bb1f681a4066ec0",
    ),
    2: Release(
        "arcprize/ARC-AGI-2",
        "f3283f727488ad98fe575ea6a5ac981e4a188e49",
        "c8f2bb5887497f475ef0d6e1d97103288eadf2ffb4a6abd3ddc217a8df1016f5",
    ),
}
FILES = r"data/((?:training|evaluation)/[^/]+\.json)"
SPLITS = ("training", "evaluation")
SAMPLE = Path(__file__).parent / "data" / "arc_sample.yaml"


@validated
def arc_agi(
    version: Literal[1, 2] | None = None,
    split: Literal["both", "training", "evaluation"] = "both",
    source: str = "published",
    seed: int = 0,
) -> Sourced:
    """Load ARC-AGI in an order that is balanced wherever `--limit` cuts it.

    Args:
        version: Of the published tasks, by default 1. That of tasks at a path is found
            by their checksum.
        split: `training`, `evaluation`, or `both`.
        source: `published` (downloaded once), `sample` (14 tasks written for this
            package), or the path of a folder in the published layout, of one with task
            files, or of one task file.
        seed: Decides the order.

    Returns:
        A sample per task, whose input is its examples and test inputs as text, and
        whose target is the JSON list of its outputs. The provenance has the source with
        its commit or file, and whether the tasks are those of a published version
        (`verified`).
    """
    if version is not None and source != "published":
        raise InputError(
            f"version={version} belongs to source=published, and the source is "
            f"{source!r}; leave one of the two out."
        )
    found, provenance = _read(source, version or 1)
    sha256 = _checksum(found)
    known = [n for n, release in RELEASES.items() if release.sha256 == sha256]
    label: int | str = "sample" if source == "sample" else "own"
    label = known[0] if known else label
    samples = [
        _sample(path, checked(_Task, value, path, "ARC-AGI's schema"), label)
        for path, value in found.items()
        if split in ("both", path.partition("/")[0])
    ]
    if not samples:
        raise InputError(f"source={source!r} has no tasks with split={split!r}.")
    provenance |= {
        "version": label,
        "split": split,
        "sha256": sha256,
        "verified": bool(known),
        "tasks": len(samples),
    }

    def stratum(sample: Sample) -> tuple[Any, ...]:
        about: dict[str, Any] = sample.metadata or {}
        return about["split"], about["grids"] > 1

    return Sourced(balanced(samples, stratum, seed), provenance, "arc")


# --- Sources --------------------------------------------------------------------------


def _read(source: str, version: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values of task files by `split/name.json`, and their origin."""
    if source == "published":
        release = RELEASES[version]
        origin = {"repository": release.repository, "commit": release.commit}
        found = fetch_release(release, FILES, _checksum)
        return found, {"source": source, **origin}
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        tasks = {f"sample/{name}.json": _from_text(it) for name, it in entries.items()}
        return tasks, {"source": source, "file": SAMPLE.name}
    kinds = "a folder with training/ and evaluation/, one with task files, or a file"
    path = user_path(source, ("published", "sample"), f"{kinds} (.json)")
    root = path / "data" if (path / "data").is_dir() else path
    files = [f for name in SPLITS for f in sorted((root / name).glob("*.json"))]
    files = files or sorted(path.glob("*.json"))
    if path.suffix == ".json":
        files = [path]
    if not files:
        raise InputError(f"source={source!r} has no task files; give {kinds} (.json).")
    return dict(map(_from_file, files)), {"source": "path", "file": path.name}


def _from_file(path: Path) -> tuple[str, Any]:
    folder = path.resolve().parent.name
    name = f"{folder if folder in SPLITS else 'own'}/{path.name}"
    return name, json_value(read_file(path), str(path))


def _from_text(entry: Mapping[str, Any]) -> dict[str, Any]:
    def pair(texts: Mapping[str, str]) -> dict[str, list[list[int]]]:
        lines = {name: text.splitlines() for name, text in texts.items()}
        return {k: [[*map(int, row.split())] for row in v] for k, v in lines.items()}

    return {key: [*map(pair, entry[key])] for key in ("train", "test")}


def _checksum(tasks: Mapping[str, Any]) -> str:
    return json_sha256(tasks.items())


# --- Tasks ----------------------------------------------------------------------------


def _rectangular(rows: list[list[int]]) -> list[list[int]]:
    if len({len(row) for row in rows}) > 1:
        raise ValueError("its rows differ in length")
    return rows


_Cell = Annotated[int, Field(strict=True, ge=0, le=9)]
_Row = Annotated[list[_Cell], Field(min_length=1, max_length=30)]
_Grid = Annotated[
    list[_Row], Field(min_length=1, max_length=30), AfterValidator(_rectangular)
]


class _Pair(BaseModel):
    input: _Grid
    output: _Grid


class _Task(BaseModel):
    train: list[_Pair] = Field(min_length=1)
    test: list[_Pair] = Field(min_length=1)


def _sample(path: str, task: _Task, version: int | str) -> Sample:
    split, _, name = path.removesuffix(".json").partition("/")
    examples = [
        f"Example {number}\n\nInput:\n{render(pair.input)}\n\n"
        f"Output:\n{render(pair.output)}"
        for number, pair in enumerate(task.train, start=1)
    ]
    asked = [render(pair.input) for pair in task.test]
    tests = [f"Test input {n}:\n{text}" for n, text in enumerate(asked, start=1)]
    return Sample(
        # With the version, because version 2 has 773 of the names in version 1.
        id=f"arc{'s' if version == 'sample' else version}-{name}",
        input="\n\n".join(examples + tests),
        target=json.dumps([pair.output for pair in task.test]),
        metadata={
            "dataset": "arc",
            "version": version,
            "split": split,
            "answer_kind": "grids",
            "test_inputs": asked,
            "grids": len(task.test),
        },
    )
