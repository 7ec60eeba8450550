"""ARC tasks: samples, wrong solutions, order, schema, sources, and those that ship."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

from inspect_debate.v1.datasets import arc_agi
from inspect_debate.v1.datasets.arc_agi import (
    Pair,
    Task,
    arc,
    load,
    read_task,
    wrong_solutions,
)
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.grading.grids import grids_text, parse_grids_text
from tests.v1.datasets.made_arc import made, release, sha256, written
from tests.v1.datasets.made_up import ids, metadata, solutions
from tests.v1.support.released import DATA

TEXT = """\
Example 1
Input:
1 0 2
0 0 1
Output:
0 0 1
1 0 2

Example 2
Input:
1 0 3
0 0 1
Output:
0 0 1
1 0 3

Test input 1:
1 0 4
0 0 1

Test input 2:
1 0 5
0 0 1"""
SOLUTION = "0 0 1\n1 0 4\n\n0 0 1\n1 0 5"
CONTENT = release()


@pytest.mark.parametrize(
    ("version", "label"), [(1, 1), ("1", 1), (2, 2), ("2", 2), ("my_2.0", "my_2.0")]
)
def test_a_sample(version: int | str, label: int | str, tmp_path: Path) -> None:
    written({"training/007bbfb7.json": made(1, 2)}, tmp_path)
    (sample,) = arc(version, source=str(tmp_path / "training")).dataset
    assert sample.input == TEXT
    assert sample.target == solutions(sample).right == SOLUTION
    assert sample.choices is None
    assert sample.metadata == {
        "dataset": "arc",
        "dataset_version": label,
        "split": "training",
        "question_id": sample.id,
        "answer_kind": "grids",
        "parts": 2,
        "fingerprint": fingerprint(TEXT, "2"),
        "rank": 0,
    }
    assert sample.id == f"arc{label}-007bbfb7"


def test_every_prefix_is_balanced(tmp_path: Path) -> None:
    tasks = map(metadata, arc(source=str(written(release(40, 20), tmp_path))).dataset)
    kinds = [(one["split"], one["parts"]) for one in tasks]
    whole = Counter(kinds)
    for end in range(1, 61):
        so_far = Counter(kinds[:end])
        assert all(abs(so_far[k] - n * end / 60) <= 1.5 for k, n in whole.items())


def test_the_seed_alone_decides_the_order(tmp_path: Path) -> None:
    one = str(written(CONTENT, tmp_path / "one"))
    other = str(written(dict(reversed(CONTENT.items())), tmp_path / "other"))
    first, same, second = (
        ids(arc(source=source, seed=seed).dataset)
        for source, seed in ((one, 0), (other, 0), (one, 1))
    )
    assert first == same != second
    assert sorted(map(str, first)) == sorted(map(str, second))


def test_a_split_alone_keeps_its_tasks_order_and_ranks(tmp_path: Path) -> None:
    folder = str(written(release(40, 20), tmp_path))

    def ranks(split: str) -> dict[object, int]:
        samples = arc(split=split, source=folder).dataset
        return {sample.id: metadata(sample)["rank"] for sample in samples}

    both = ranks("both")
    for split, first in (("training", 0), ("evaluation", 1_000_000)):
        alone = ranks(split)
        assert [*alone.values()] == [*range(first, first + len(alone))]
        assert [pair for pair in both.items() if pair[0] in alone] == [*alone.items()]


def test_three_wrong_solutions(tmp_path: Path) -> None:
    for sample in arc(source=str(written(CONTENT, tmp_path))).dataset:
        found = solutions(sample)
        assert len({found.right, *found.wrong}) == 4
        grids = map(parse_grids_text, found.wrong)
        assert {len(each) for each in grids} == {metadata(sample)["parts"]}


def task(name: str, *pairs: Pair) -> Task:
    return Task(name, "own", pairs, pairs)


HARD = {
    "one cell": Pair(((5,),), ((5,),)),
    "nothing to turn": Pair(((1, 1), (1, 1)), ((1, 1), (1, 1))),
    "the input is right": Pair(((0, 1), (2, 0)), ((0, 1), (2, 0))),
    "the largest": Pair(((0,) * 30,) * 30, ((9,) * 30,) * 30),
    "a row": Pair(((1, 2, 1),), ((1, 2, 1),)),
}


@pytest.mark.parametrize("pair", HARD.values(), ids=HARD)
def test_wrong_solutions_where_few_are_at_hand(pair: Pair) -> None:
    for number in range(20):
        asked = task(f"name {number}", pair)
        wrong = wrong_solutions(asked)
        assert len({asked.solution, *wrong}) == 4
        assert wrong == wrong_solutions(asked)


def test_wrong_solutions_are_of_every_kind() -> None:
    pair = Pair(((1, 2), (0, 3)), ((1, 2, 0), (0, 0, 3)))
    right = "1 2 0\n0 0 3"
    known = dict.fromkeys(("0 2 1\n3 0 0", "0 0 3\n1 2 0", "1 0\n2 0\n0 3"), "turned")
    known["1 2\n0 3"] = "input"

    def kind(text: str) -> str:
        # A colour of one cell that becomes a new one is counted as the cell.
        same = [a == b for a, b in zip(text, right, strict=text not in known)]
        return known.get(text, "a cell" if same.count(False) == 1 else "recoloured")

    wrong = [wrong_solutions(task(str(number), pair)) for number in range(60)]
    kinds = Counter(kind(text) for three in wrong for text in three)
    assert kinds.keys() == {"turned", "input", "a cell", "recoloured"}
    assert min(kinds.values()) >= 20
    assert {text for three in wrong for text in three} >= known.keys()


def test_a_task_is_read() -> None:
    read = read_task(made(1, 2) | {"name": "left alone"}, "x", "own", "x.json")
    assert read.solution == SOLUTION
    assert read.train[0].output == ((0, 0, 1), (1, 0, 2))
    largest = [[9] * 30] * 30
    pairs: list[Any] = [{"input": [[0]], "output": largest}]
    read = read_task({"train": pairs, "test": pairs}, "x", "own", "x.json")
    assert read.solution == grids_text([tuple(map(tuple, largest))])


@pytest.mark.parametrize("cell", [-1, 10, 1.0, True, "1", None])
def test_what_is_no_cell_of_a_grid(cell: Any) -> None:
    value = made(1, 2)
    value["test"][1]["output"] = [[cell]]
    with pytest.raises(InputError, match=r"x\.json: test\[1\].*no whole number from 0"):
        read_task(value, "x", "own", "x.json")


def splits(source: str, split: str = "both") -> set[str]:
    return {metadata(s)["split"] for s in arc(split=split, source=source).dataset}


def test_the_same_tasks_from_every_kind_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.v1.debate.paths.STARTED_IN", tmp_path)
    written(CONTENT, tmp_path / "clone/data")
    written({"README.md": "", "apps/x.json": "{}"}, tmp_path / "clone")
    expected = arc(source="clone")
    assert len(expected.dataset) == 18
    assert expected.provenance == {
        "source": "path",
        "file": "clone",
        "version": "own",
        "split": "both",
        "sha256": sha256(CONTENT),
        "tasks": 18,
        "grids": 24,
    }
    for typed in ("clone/data", "./clone/data/", str(tmp_path / "clone")):
        assert ids(arc(source=typed).dataset) == ids(expected.dataset)
    for split, count in zip(arc_agi.SPLITS, (12, 6), strict=True):
        alone = ids(arc(source=f"clone/data/{split}").dataset)
        assert alone == ids(arc(split=split, source="clone").dataset)
        assert (len(alone), splits(f"clone/data/{split}")) == (count, {split})


def test_tasks_of_ones_own(tmp_path: Path) -> None:
    folder = written({"a.json": made(1), "b.json": made(2), "c.txt": ""}, tmp_path)
    loaded = arc("mine", source=str(folder))
    assert {*ids(loaded.dataset)} == {"arcmine-a", "arcmine-b"}
    assert splits(str(folder)) == {"own"}
    assert splits(str(folder), "training") == {"training"}
    one = arc(2, source=str(folder / "b.json"))
    assert ids(one.dataset) == ["arc2-b"]
    assert (one.provenance["file"], one.provenance["tasks"]) == ("b.json", 1)


def test_the_checksum_is_of_content_and_place() -> None:
    one = made(1)
    different: list[dict[str, Any]] = [
        *({"training/a.json": one}, {"training/b.json": one}),
        *({"evaluation/a.json": one}, {"training/a.json": made(2)}),
        {"training/a.json": one, "training/b.json": one},
    ]
    assert len(set(map(sha256, different))) == 5
    turned = json.loads(json.dumps(dict(reversed(one.items())), indent=3))
    assert sha256({"training/a.json": turned}) == sha256({"training/a.json": one})


TASKS = [
    read_task(e.value, e.name, e.split, e.place)
    for e in load("sample", 1, "both").entries
]


def test_what_ships() -> None:
    loaded = arc(source="sample")
    assert {*ids(loaded.dataset)} == {f"arcs-{task.name}" for task in TASKS}
    assert len(loaded.dataset) == len(TASKS) >= 12
    for sample in loaded.dataset:
        assert metadata(sample)["dataset_version"] == "sample"
        assert metadata(sample)["split"] == "sample"
    tests = sorted(len(task.test) for task in TASKS)
    assert tests[-4:] == [1, 2, 2, 3]
    assert (
        loaded.provenance.items()
        >= {
            **{"source": "sample", "file": "arc_sample.yaml", "version": "sample"},
            **{"split": "sample", "grids": sum(tests)},
        }.items()
    )


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_that_ships(task: Task) -> None:
    assert 2 <= len(task.train) <= 4
    pairs = [*task.train, *task.test]
    assert all(pair.input != pair.output for pair in pairs)
    assert all(max(len(grid), len(grid[0])) <= 12 for pair in pairs for grid in pair)
    assert len({pair.input for pair in pairs}) == len(pairs)


# The rules of the tasks that ship, worked anew.

Array = np.ndarray[Any, Any]


def falling(grid: Array) -> Array:
    def fallen(column: Array) -> Array:
        parts = np.split(column, np.flatnonzero(column == 5) + 1)
        return np.hstack([part[np.argsort(part != 0, kind="stable")] for part in parts])

    return np.apply_along_axis(fallen, 0, grid)


def corner_frame(grid: Array) -> Array:
    cleared = grid.copy()
    cleared[0, 0] = 0
    return np.pad(cleared, 1, constant_values=grid[0, 0])


def rarest_corners(grid: Array) -> Array:
    cells, counts = np.unique(grid[grid > 0], return_counts=True)
    down, across = np.nonzero(grid == cells[counts.argmin()])
    return grid[down.min() : down.max() + 1, across.min() : across.max() + 1]


def rays(grid: Array) -> Array:
    made = grid.copy()
    for r, c in np.argwhere(grid == 3):
        while r > 0 and c + 1 < grid.shape[1] and grid[r - 1, c + 1] == 0:
            r, c = r - 1, c + 1
            made[r, c] = 2
    return made


def shapes(grid: Array) -> Iterator[tuple[int, Array]]:
    """Cells of one colour that touch by their sides, in the order of the first."""
    found = []
    for colour in np.unique(grid):
        labels, count = ndimage.label(grid == colour)
        found += [(int(colour), labels == number + 1) for number in range(count)]
    yield from sorted(found, key=lambda each: each[1].argmax())


def by_size(grid: Array) -> Array:
    made = grid.copy()
    for colour, shape in shapes(grid):
        made[shape] = {1: 8, 2: 3, 3: 6}[shape.sum()] if colour else 0
    return made


def rooms(grid: Array) -> Array:
    """A dot is a shape of one cell; it spreads over the empty shape beside it."""
    found, made = list(shapes(grid)), grid.copy()
    for colour, dot in found:
        if colour and dot.sum() == 1:
            beside = ndimage.binary_dilation(dot)
            for other, shape in found:
                if other == 0 and (shape & beside).any():
                    made[shape] = colour
    return made


def join(grid: Array) -> Array:
    def joined(line: Array) -> Array:
        cells = line.copy()
        for colour in {*line.tolist()} - {0}:
            first, *_, last = [*np.flatnonzero(line == colour)] * 2
            cells[first:last] = colour
        return cells

    down, across = (np.apply_along_axis(joined, axis, grid) for axis in (0, 1))
    return np.where(down > 0, down, across)


def halves(grid: Array) -> tuple[Array, Array]:
    half = grid.shape[1] // 2
    return grid[:, :half] == 0, grid[:, half + 1 :] == 0


RULES: dict[str, Callable[[Array], Any]] = {
    "rooms": rooms,
    "falling": falling,
    "by-size": by_size,
    "rarest-corners": rarest_corners,
    "kaleidoscope": lambda g: np.block([[g, g[:, ::-1]], [g[::-1], g[::-1, ::-1]]]),
    "join": join,
    "most-frequent": lambda g: np.where(g == np.bincount(g[g > 0]).argmax(), g, 0),
    "tallest-first": lambda g: g[:, np.argsort((g == 0).sum(0), kind="stable")],
    "how-many": lambda g: [[colour for colour, _ in shapes(g) if colour]],
    "rays": rays,
    "either-half": lambda g: 7 * np.logical_xor(*halves(g)),
    "stagger": lambda g: [np.roll(row, by) for by, row in enumerate(g)],
    "corner-frame": corner_frame,
    "key": lambda g: np.where(g[2:] == g[0, 0], g[0, 1], g[2:]),
}


def test_every_output_is_what_the_rule_makes() -> None:
    assert RULES.keys() == {task.name for task in TASKS}
    for task in TASKS:
        for number, pair in enumerate([*task.train, *task.test]):
            made = np.asarray(RULES[task.name](np.array(pair.input)))
            assert made.tolist() == [*map(list, pair.output)], (task.name, number)


@pytest.mark.released
@pytest.mark.parametrize("version", [1, 2])
def test_no_pair_is_a_published_one(version: int) -> None:
    published = {
        pair
        for e in load(str(DATA / f"arc_agi_{version}"), version, "both").entries
        for task in [read_task(e.value, e.name, e.split, e.place)]
        for pair in (*task.train, *task.test)
    }
    assert len(published) > 2000
    assert published.isdisjoint(p for task in TASKS for p in (*task.train, *task.test))
