"""ARC-AGI: grids whose rule is shown by examples, to be applied to new inputs.

Versions 1 (Chollet 2019, "On the Measure of Intelligence") and 2 (Chollet et al. 2025,
"ARC-AGI-2"), both under Apache-2.0. A task with several test inputs is one question,
answered right if every output is.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from inspect_ai.dataset import MemoryDataset, Sample

from inspect_debate.v1.datasets.archive import Release, read_members
from inspect_debate.v1.datasets.sources import (
    Loaded,
    SolutionTruth,
    Sources,
    check_unique,
    content_sha256,
    interleaved,
    register_solution,
    shipped_yaml,
    thirds,
)
from inspect_debate.v1.debate.errors import InputError, check_choice, check_whole_number
from inspect_debate.v1.debate.question import RANK
from inspect_debate.v1.debate.seeds import fingerprint, seeded
from inspect_debate.v1.grading.grids import (
    LARGEST,
    Grid,
    grid_of,
    grid_text,
    grids_text,
    parse_grids_text,
)

# Tasks of ARC-AGI: the schema of their files, and a task as text.


class Pair(NamedTuple):
    """An input, and what the task's rule makes of it."""

    input: Grid
    output: Grid


class Task(NamedTuple):
    """A task: pairs that show its rule, and those whose outputs are asked for."""

    name: str
    split: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...]

    @property
    def solution(self) -> str:
        """The outputs of all test inputs, in canonical text."""
        return grids_text(pair.output for pair in self.test)


def task_text(task: Task) -> str:
    """A task as text: its examples and its test inputs, without an instruction."""
    examples = [
        f"Example {number}\nInput:\n{grid_text(pair.input)}\n"
        f"Output:\n{grid_text(pair.output)}"
        for number, pair in enumerate(task.train, start=1)
    ]
    tests = [
        f"Test input {number}:\n{grid_text(pair.input)}"
        for number, pair in enumerate(task.test, start=1)
    ]
    return "\n\n".join(examples + tests)


def read_task(value: object, name: str, split: str, where: str) -> Task:
    """The task in a file.

    Args:
        value: The file's JSON value. Keys beside `train` and `test`, such as the `name`
            of some published files, are left alone.
        name: The task's name.
        split: The part of the data that it belongs to.
        where: What to call the file in an error.

    Raises:
        InputError: If it is not of the schema, naming the file and what is wrong.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where} holds no task: it is no JSON object.")
    train, test = (_pairs(value, key, where) for key in ("train", "test"))
    return Task(name, split, train, test)


def _pairs(task: dict[object, object], key: str, where: str) -> tuple[Pair, ...]:
    pairs = task.get(key)
    if not isinstance(pairs, list) or not pairs:
        raise InputError(f"{where} holds no task: it has no list of pairs {key!r}.")
    return tuple(
        _pair(pair, f"{where}: {key}[{number}]") for number, pair in enumerate(pairs)
    )


def _pair(pair: object, where: str) -> Pair:
    if not isinstance(pair, dict) or "input" not in pair:
        raise InputError(f"{where} has no input.")
    if "output" not in pair:
        raise InputError(
            f"{where} has no output. Answers are graded against the outputs, so tasks "
            "whose solutions are private cannot be used."
        )
    return Pair(
        _grid(pair["input"], f"{where}.input"), _grid(pair["output"], f"{where}.output")
    )


def _grid(value: object, where: str) -> Grid:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise InputError(f"{where} is no grid: it is no list of rows.")
    grid = grid_of(value)
    if grid is None:
        raise InputError(f"{where} is no grid: it {_problem(value)}.")
    return grid


def _problem(rows: list[list[object]]) -> str:
    widths = sorted({len(row) for row in rows})
    if not 1 <= len(rows) <= LARGEST:
        return f"has {len(rows)} rows, and 1 to {LARGEST} are allowed"
    if len(widths) > 1:
        return f"has rows of {widths[0]} and of {widths[-1]} cells"
    if not 1 <= widths[0] <= LARGEST:
        return f"has rows of {widths[0]} cells, and 1 to {LARGEST} are allowed"
    return "has a cell that is no whole number from 0 to 9"


class Size(NamedTuple):
    """The number of tasks in a part, and of grids that they ask for."""

    tasks: int
    grids: int


# Of the published data, at the commits in `RELEASES`.
PUBLISHED_SIZES = {
    (1, "training"): Size(400, 416),
    (1, "evaluation"): Size(400, 419),
    (2, "training"): Size(1000, 1076),
    (2, "evaluation"): Size(120, 167),
}

FIRST_RANKS = {"evaluation": 1_000_000}
"""Where a split's ranks begin, if not at 0: what is drawn by the rank of a task in one
split does not depend on the other, and no block of such draws has tasks of both."""


def arc(
    version: int | str | None = None,
    split: str = "both",
    source: str = "published",
    seed: int = 0,
) -> Loaded:
    """Load ARC-AGI, or a part of it, in an order of which every prefix is balanced.

    Args:
        version: 1 or 2; 1 of the published tasks if None. With a path it only labels
            the tasks, by default 1 or 2 where they are all of those, or else `own`; the
            sample has its own.
        split: `training`, `evaluation` or `both`.
        source: `published` (the repository at a commit, downloaded once), `sample`
            (tasks written for this package), or the path of a folder with `training`
            and `evaluation`, of one with task files, or of one task file.
        seed: Decides the order, and nothing else does.

    Returns:
        One sample for each task, with its outputs in canonical text as target. Ids
        begin with the version, as versions share many names. Prefixes are balanced by
        split, number of test inputs and length. The provenance has the source, with the
        commit of published tasks; version and split; the content's sha256; and the
        numbers of tasks and of grids asked for.

    Raises:
        InputError: If an argument is not allowed, the source cannot be had, or what it
            holds is not ARC-AGI (schema, solutions, unique names, published counts).
    """
    check_choice("split", split, (*SPLITS, "both"))
    check_whole_number("seed", seed, 0)
    label = _label(version, source)
    found = load(source, label, split)
    tasks = [read_task(e.value, e.name, e.split, e.place) for e in found.entries]
    check_unique((task.name for task in tasks), source, "tasks of name")
    if source == "published":
        _check_sizes(tasks, int(label), split)
    provenance = found.provenance | {
        "version": label,
        "split": "sample" if source == "sample" else split,
        "sha256": tasks_sha256(found.entries),
        "tasks": len(tasks),
        "grids": sum(len(task.test) for task in tasks),
    }
    ranks = _ranks(tasks)
    samples = [_sample(task, label, ranks[task.name]) for task in _ordered(tasks, seed)]
    return Loaded(MemoryDataset(samples, name="arc"), provenance)


def _label(given: int | str | None, source: str) -> int | str:
    """What the tasks are called: their version, or a word."""
    if source == "sample":
        if given is not None:
            raise InputError(
                f"version={given!r} is not for source=sample, which has none."
            )
        return "sample"
    if given is None:
        return 1 if source == "published" else version_of(source) or "own"
    label = str(given)
    if isinstance(given, bool) or not re.fullmatch(r"[A-Za-z0-9._]+", label):
        raise InputError(
            f"version={given!r} is not allowed; give 1, 2, or for tasks of your own a "
            "word of letters, digits, dots and underscores."
        )
    return int(label) if re.fullmatch(r"[0-9]{1,9}", label) else label


def _check_sizes(tasks: Sequence[Task], version: int, split: str) -> None:
    for name in SPLITS if split == "both" else (split,):
        part = [task for task in tasks if task.split == name]
        found = Size(len(part), sum(len(task.test) for task in part))
        wanted = PUBLISHED_SIZES[version, name]
        if found != wanted:
            raise InputError(
                f"{name} of version {version} has {found.tasks} tasks with "
                f"{found.grids} test inputs, and should have {wanted.tasks} with "
                f"{wanted.grids}."
            )


def _ordered(tasks: Sequence[Task], seed: int) -> list[Task]:
    """Tasks in an order that is fair to splits, numbers of test inputs and lengths.

    A split's tasks are in the same order whether or not another split is loaded.
    """
    places: dict[str, float] = {}
    for part in _by_split(tasks).values():
        ordered = _split_ordered(part, seed)
        for at, task in enumerate(ordered):
            places[task.name] = (at + 0.5) / len(ordered)
    return sorted(tasks, key=lambda task: (places[task.name], task.split))


def _split_ordered(tasks: Sequence[Task], seed: int) -> list[Task]:
    length = thirds({task.name: len(task_text(task)) for task in tasks})
    return interleaved(
        tasks,
        identity=lambda task: task.name,
        stratum=lambda task: (len(task.test), length[task.name]),
        seed=seed,
    )


def _ranks(tasks: Sequence[Task]) -> dict[str, int]:
    """Each task's place in its split by the usual seed: in all runs the same."""
    return {
        task.name: FIRST_RANKS.get(split, 0) + at
        for split, part in _by_split(tasks).items()
        for at, task in enumerate(_split_ordered(part, 0))
    }


def _by_split(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    splits = dict.fromkeys(task.split for task in tasks)
    return {name: [t for t in tasks if t.split == name] for name in splits}


def _sample(task: Task, version: int | str, rank: int) -> Sample:
    text, parts = task_text(task), len(task.test)
    mark = fingerprint(text, str(parts))
    register_solution(mark, SolutionTruth(task.solution, wrong_solutions(task)))
    id = f"arc{'s' if version == 'sample' else version}-{task.name}"
    return Sample(
        input=text,
        target=task.solution,
        id=id,
        metadata={
            "dataset": "arc",
            "dataset_version": version,
            "split": task.split,
            "question_id": id,
            "answer_kind": "grids",
            "parts": parts,
            "fingerprint": mark,
            RANK: rank,
        },
    )


# Where ARC tasks are read from: the published archives, a path, or the sample.

SPLITS = ("training", "evaluation")
SOURCES = Sources(
    words=("published", "sample"),
    path="PATH to a folder with training/ and evaluation/ (such as data/ of a clone of "
    "the repository), to one with task files, or to one task file (.json)",
    endings=(".json",),
    folders=True,
)
SAMPLE_FILE = "arc_sample.yaml"
_MEMBER = re.compile(r"[^/]+/data/(?:training|evaluation)/[^/]+\.json")


class Entry(NamedTuple):
    """A task as it was found, and where, for errors."""

    split: str
    name: str
    place: str
    value: object


class Source(NamedTuple):
    """Tasks as they were found, and where they come from, for the log: no folders."""

    entries: list[Entry]
    provenance: dict[str, Any]


def tasks_sha256(entries: Iterable[Entry]) -> str:
    """The `content_sha256` of tasks, each as `["split/name.json", value]`."""
    return content_sha256([f"{e.split}/{e.name}.json", e.value] for e in entries)


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


def load(source: str, version: int | str, split: str) -> Source:
    """The tasks of a source.

    Args:
        source: `published`, `sample`, or a path.
        version: Of published tasks, 1 or 2.
        split: `training`, `evaluation` or `both`. Tasks of a folder without these two
            folders, or of one file, belong to the split that is named, or that their
            folder is named after; to `own` if neither is.

    Raises:
        InputError: If the source is unavailable, or does not have that split.
    """
    match source:
        case "published":
            return _published(version, split)
        case "sample":
            return _shipped_tasks(split)
    path = SOURCES.existing(source)
    entries = list(_folder(path, split) if path.is_dir() else [_file(path, split)])
    if not entries:
        raise InputError(f"{path} holds no task files (.json).")
    return Source(entries, {"source": "path", "file": path.name})


def version_of(source: str) -> int | None:
    """The version of the tasks at a path, by their checksum; None for others."""
    try:
        digest = tasks_sha256(load(source, "", "both").entries)
    except InputError:  # a part of the tasks, or what loading it will tell
        return None
    same = [version for version, known in RELEASES.items() if known.sha256 == digest]
    return same[0] if same else None


def _published(version: int | str, split: str) -> Source:
    check_choice("version", str(version), tuple(map(str, RELEASES)))
    release = RELEASES[int(version)]
    others = SOURCES.others("published")
    entries = release.content("arc_agi", _of_archive, tasks_sha256, others)
    chosen = [e for e in entries if split in (e.split, "both")]
    return Source(chosen, release.provenance)


def _of_archive(path: Path) -> list[Entry]:
    entries = []
    for member, content in read_members(path, _MEMBER).items():
        *_, split, file = member.split("/")
        name = file.removesuffix(".json")
        entries.append(Entry(split, name, member, _json(content, member)))
    return entries


def _shipped_tasks(split: str) -> Source:
    if split != "both":
        raise InputError(f"split={split!r} is not for source=sample, which has none.")
    tasks = shipped_yaml(SAMPLE_FILE)
    entries = [
        Entry("sample", name, f"{SAMPLE_FILE}: {name}", _from_text(task))
        for name, task in tasks.items()
    ]
    return Source(entries, {"source": "sample", "file": SAMPLE_FILE})


def _from_text(task: dict[str, Any]) -> dict[str, Any]:
    """A task whose grids are texts as one whose grids are lists of lists."""
    return {
        part: [
            {
                key: [list(row) for row in parse_grids_text(text.rstrip())[0]]
                for key, text in pair.items()
            }
            for pair in task[part]
        ]
        for part in ("train", "test")
    }


def _folder(path: Path, split: str) -> Iterator[Entry]:
    root = path / "data" if (path / "data").is_dir() else path
    if not any((root / name).is_dir() for name in SPLITS):
        for file in sorted(path.glob("*.json")):
            yield _file(file, split)
        return
    for name in SPLITS:
        if split in (name, "both"):
            if not (root / name).is_dir():
                raise InputError(f"split={split!r}, but {root} has no folder {name}.")
            for file in sorted((root / name).glob("*.json")):
                yield _file(file, split)


def _file(path: Path, split: str) -> Entry:
    folder = path.resolve().parent.name
    if folder not in SPLITS:
        folder = "own" if split == "both" else split
    if split not in (folder, "both"):
        raise InputError(f"split={split!r}, but {path} lies in the folder {folder}.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return Entry(folder, path.stem, str(path), _json(content, str(path)))


def _json(content: bytes, where: str) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(f"{where} is not JSON.") from None


# Wrong solutions of ARC tasks, such as a solver might give.


def wrong_solutions(task: Task) -> tuple[str, ...]:
    """Three wrong solutions of a task, different from each other, in canonical text.

    Each time another of these, drawn by the task's name alone: a cell changed, the
    outputs turned, two colours changed into each other, or the test inputs. Where one
    of them gives nothing new, a cell is changed.
    """
    kinds = list(_KINDS)
    seeded(0, "wrong", task.name).shuffle(kinds)
    found = [task.solution]
    for number, change in enumerate(chain(kinds, repeat(_cell_changed))):
        wrong = grids_text(change(task, seeded(0, "wrong", task.name, number)))
        if wrong not in found:
            found.append(wrong)
        if len(found) == 4:
            break
    return tuple(found[1:])


def _outputs(task: Task) -> list[Grid]:
    return [pair.output for pair in task.test]


def _cell_changed(task: Task, draw: Random) -> list[Grid]:
    grids = _outputs(task)
    which = draw.randrange(len(grids))
    rows = [list(row) for row in grids[which]]
    row = draw.choice(rows)
    column = draw.randrange(len(row))
    row[column] = draw.choice([colour for colour in range(10) if colour != row[column]])
    grids[which] = tuple(map(tuple, rows))
    return grids


def _turned(task: Task, draw: Random) -> list[Grid]:
    turn: Callable[[Grid], Grid] = draw.choice(
        (
            lambda grid: tuple(zip(*grid, strict=True)),  # rows become columns
            lambda grid: grid[::-1],
            lambda grid: tuple(row[::-1] for row in grid),
        )
    )
    return [turn(grid) for grid in _outputs(task)]


def _recoloured(task: Task, draw: Random) -> list[Grid]:
    grids = _outputs(task)
    present = sorted({cell for grid in grids for row in grid for cell in row})
    one = draw.choice(present)
    other = draw.choice([colour for colour in range(10) if colour != one])
    swap = {one: other, other: one}
    return [
        tuple(tuple(swap.get(cell, cell) for cell in row) for row in grid)
        for grid in grids
    ]


def _inputs(task: Task, draw: Random) -> list[Grid]:
    return [pair.input for pair in task.test]


_KINDS: tuple[Callable[[Task, Random], list[Grid]], ...] = (
    _cell_changed,
    _turned,
    _recoloured,
    _inputs,
)
