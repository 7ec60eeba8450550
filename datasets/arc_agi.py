"""ARC-AGI: apply a rule, shown by pairs of coloured grids, to new grids.

Versions 1 (Chollet 2019, "On the Measure of Intelligence") and 2 (Chollet et al. 2025,
"ARC-AGI-2"), both under Apache-2.0. The study of generative debate does not say which
tasks it used; its numbers fit the 800 of version 1, which are the default. A task with
several test inputs is one question, and an answer gives all outputs.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from inspect_ai.dataset import MemoryDataset, Sample
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from inspect_debate.datasets.download import (
    Release,
    fetch_release,
    json_sha256,
    read_file,
    user_path,
)
from inspect_debate.debate.errors import InputError, check_known
from inspect_debate.debate.seeds import seeded
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


SIZES = {
    (1, "training"): (400, 416),
    (1, "evaluation"): (400, 419),
    (2, "training"): (1000, 1076),
    (2, "evaluation"): (120, 167),
}
"""The numbers of tasks and of outputs that they ask for, by version and split."""


class Gradable(MemoryDataset):
    """Samples, and `provenance` for the log.

    That is the source with its commit or file, `version` and `split`, `sha256` of all
    tasks there and whether it is that of the published version (`verified`), and
    numbers.
    """

    def __init__(self, samples: list[Sample], provenance: dict[str, Any]) -> None:
        super().__init__(samples)
        self.provenance = provenance


def arc_agi(
    version: int | None = None,
    split: Literal["both", "training", "evaluation"] = "both",
    source: str = "published",
    seed: int = 0,
) -> Gradable:
    """Load ARC-AGI in an order that is balanced wherever `--limit` cuts it.

    Args:
        version: 1 or 2. By default 1, or whichever version the tasks of a path are; a
            version given with a path is checked by the numbers of tasks.
        split: `training`, `evaluation`, or `both`.
        source: `published` (downloaded once), `sample` (14 tasks written for this
            package), or the path of a folder in the published layout, of one with task
            files, or of one task file.
        seed: Decides the order.

    Returns:
        A sample per task, whose input is its examples and test inputs as text, and
        whose target is the JSON list of its outputs.

    Raises:
        InputError: If an argument is not allowed, or the source is not available or
            does not have the published form.
    """
    check_known("split", split, ("both", *SPLITS))
    if version is not None and (source == "sample" or version not in RELEASES):
        raise InputError(
            f"version={version!r} is not possible with source={source!r}; allowed: "
            f"{', '.join(map(str, RELEASES))} of published tasks or those at a path."
        )
    found, provenance = _read(source, version)
    sha256 = _checksum(found)
    known = [n for n, release in RELEASES.items() if release.sha256 == sha256]
    label: int | str = "sample" if source == "sample" else "own"
    if claimed := version or next(iter(known), None):
        label = claimed
    # The sample belongs to neither split.
    names = (split,) if split != "both" else (*SPLITS, "own", "sample")
    tasks = {
        path: _task(value, path)
        for path, value in found.items()
        if path.partition("/")[0] in names
    }
    if not tasks:
        raise InputError(f"source={source!r} has no tasks with split={split!r}.")
    if claimed:
        _check_sizes(tasks, claimed, source)
    samples = [_sample(path, task, label) for path, task in tasks.items()]
    provenance |= {
        "version": label,
        "split": split,
        "sha256": sha256,
        "verified": label in known,
        "tasks": len(tasks),
        "grids": _grids(tasks.values()),
    }
    third = thirds({sample.id: len(str(sample.input)) for sample in samples})

    def stratum(sample: Sample) -> Hashable:
        about: dict[str, Any] = sample.metadata or {}
        return about["split"], about["grids"] > 1, third[sample.id]

    return Gradable(balanced(samples, stratum, seed), provenance)


# --- Sources --------------------------------------------------------------------------


def _read(source: str, version: int | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values of task files by `split/name.json`, and their origin."""
    if source == "published":
        release = RELEASES[version or 1]
        origin = {"repository": release.repository, "commit": release.commit}
        found = fetch_release(release, FILES, _checksum)
        return found, {"source": source, **origin}
    if source == "sample":
        entries = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
        tasks = {f"sample/{name}.json": _from_text(it) for name, it in entries.items()}
        return tasks, {"source": source, "file": SAMPLE.name}
    kinds = "a folder with training/ and evaluation/, one with task files, or a file"
    path = user_path(source, ("published", "sample"), f"{kinds} (.json)")
    if path.is_dir():
        root = path / "data" if (path / "data").is_dir() else path
        files = [f for name in SPLITS for f in sorted((root / name).glob("*.json"))]
        files = files or sorted(path.glob("*.json"))
    else:
        files = [path] if path.suffix == ".json" else []
    if not files:
        raise InputError(f"source={source!r} has no task files; give {kinds} (.json).")
    return dict(map(_from_file, files)), {"source": "path", "file": path.name}


def _from_file(path: Path) -> tuple[str, Any]:
    folder = path.resolve().parent.name
    name = f"{folder if folder in SPLITS else 'own'}/{path.name}"
    try:
        return name, json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not JSON; check the file.") from None


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


def _task(record: object, place: str) -> _Task:
    try:
        return _Task.model_validate(record)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        key = ".".join(map(str, fault["loc"])) or "the record"
        raise InputError(
            f"{place} does not have ARC-AGI's schema: {key}: {fault['msg']}."
        ) from None


def _check_sizes(tasks: Mapping[str, _Task], version: int, source: str) -> None:
    for name in dict.fromkeys(path.partition("/")[0] for path in tasks):
        of = [task for path, task in tasks.items() if path.startswith(f"{name}/")]
        found, expected = (len(of), _grids(of)), SIZES.get((version, name), (0, 0))
        if found != expected:
            raise InputError(
                f"source={source!r} is not version {version} of ARC-AGI: {name} has "
                "{} tasks with {} test inputs, and should have {} with {}; leave "
                "version out for tasks of your own.".format(*found, *expected)
            )


def _grids(tasks: Iterable[_Task]) -> int:
    return sum(len(task.test) for task in tasks)


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


# --- Order ----------------------------------------------------------------------------


def thirds(lengths: Mapping[Any, int]) -> dict[Any, int]:
    """Whether each of some texts is in the shortest third (0) to the longest (2)."""
    ordered = sorted(lengths, key=lambda name: (lengths[name], name))
    return {name: 3 * place // len(ordered) for place, name in enumerate(ordered)}


def balanced(
    samples: Iterable[Sample], stratum: Callable[[Sample], Hashable], seed: int
) -> list[Sample]:
    """Order samples so that every prefix has about its share of each stratum."""
    strata = defaultdict[Hashable, list[Sample]](list)
    by_id = sorted(samples, key=lambda sample: str(sample.id))
    for sample in sorted(
        by_id, key=lambda sample: seeded(seed, "order", str(sample.id)).random()
    ):
        strata[stratum(sample)].append(sample)
    placed = [
        ((number + 0.5) / len(group), sample)
        for group in strata.values()
        for number, sample in enumerate(group)
    ]
    return [sample for _, sample in sorted(placed, key=lambda each: each[0])]
