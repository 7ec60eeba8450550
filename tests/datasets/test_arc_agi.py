"""ARC tasks: samples, wrong solutions, order, schema, sources, and those that ship."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.datasets import arc_agi
from inspect_debate.datasets.arc_agi import (
    Pair,
    Task,
    arc,
    load,
    read_task,
    wrong_solutions,
)
from inspect_debate.datasets.sources import Loaded
from inspect_debate.datasets.sources import SolutionTruth as Solution
from inspect_debate.datasets.sources import solution_truth as solution
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import fingerprint
from inspect_debate.grading.grids import Grid, grids_text, parse_grids_text
from tests.datasets.made_arc import made, release, sha256, written
from tests.support.released import DATA

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


def only(folder: Path, version: int | str = 1) -> Sample:
    (sample,) = arc(version, source=str(folder)).dataset
    return sample


def known(sample: Sample) -> Solution:
    assert sample.metadata is not None
    found = solution(sample.metadata["fingerprint"])
    assert found is not None
    return found


def test_a_sample(tmp_path: Path) -> None:
    sample = only(
        written({"training/007bbfb7.json": made(1, 2)}, tmp_path) / "training"
    )
    assert sample.id == "arc1-007bbfb7"
    assert sample.input == TEXT
    assert sample.target == SOLUTION
    assert sample.choices is None
    assert sample.metadata == {
        "dataset": "arc",
        "dataset_version": 1,
        "split": "training",
        "question_id": "arc1-007bbfb7",
        "answer_kind": "grids",
        "parts": 2,
        "fingerprint": fingerprint(TEXT, "2"),
        "rank": 0,
    }
    assert known(sample).right == SOLUTION


@pytest.mark.parametrize(
    ("version", "label"), [(1, 1), ("1", 1), (2, 2), ("2", 2), ("my_2.0", "my_2.0")]
)
def test_the_version_labels(
    version: int | str, label: int | str, tmp_path: Path
) -> None:
    sample = only(written({"a.json": made(1)}, tmp_path), version)
    assert sample.id == f"arc{label}-a"
    assert (sample.metadata or {})["dataset_version"] == label


# --- order ---------------------------------------------------------------------------


def test_every_prefix_is_balanced(tmp_path: Path) -> None:
    folder = str(written(release(40, 20), tmp_path))
    samples = list(arc(source=folder).dataset)
    kinds = [
        ((s.metadata or {})["split"], (s.metadata or {})["parts"]) for s in samples
    ]
    whole = Counter(kinds)
    for end in range(1, 61):
        so_far = Counter(kinds[:end])
        for kind, count in whole.items():
            assert abs(so_far[kind] - count * end / 60) <= 1.5


def test_the_seed_alone_decides_the_order(tmp_path: Path) -> None:
    content = release()
    one = str(written(content, tmp_path / "one"))
    other = str(written(dict(reversed(content.items())), tmp_path / "other"))

    def order(source: str, seed: int) -> list[object]:
        return [sample.id for sample in arc(source=source, seed=seed).dataset]

    assert order(one, 0) == order(other, 0) != order(one, 1)
    assert sorted(map(str, order(one, 0))) == sorted(map(str, order(one, 1)))


def test_a_split_alone_keeps_its_tasks_order_and_ranks(tmp_path: Path) -> None:
    folder = str(written(release(40, 20), tmp_path))

    def ranks(split: str) -> dict[object, int]:
        samples = arc(split=split, source=folder).dataset
        return {sample.id: (sample.metadata or {})["rank"] for sample in samples}

    both = ranks("both")
    for split, first in (("training", 0), ("evaluation", 1_000_000)):
        alone = ranks(split)
        assert [*alone.values()] == [*range(first, first + len(alone))]
        assert [pair for pair in both.items() if pair[0] in alone] == [*alone.items()]


# --- wrong solutions -----------------------------------------------------------------


def test_three_wrong_solutions(tmp_path: Path) -> None:
    for sample in arc(source=str(written(release(), tmp_path))).dataset:
        found = known(sample)
        assert len({found.right, *found.wrong}) == 4
        for text in found.wrong:
            grids = parse_grids_text(text)
            assert len(grids) == (sample.metadata or {})["parts"]


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
    turned = ("0 2 1\n3 0 0", "0 0 3\n1 2 0", "1 0\n2 0\n0 3")

    def kind(text: str) -> str:
        if text in turned:
            return "turned"
        if text == "1 2\n0 3":
            return "input"
        changed = sum(a != b for a, b in zip(text, right, strict=True))
        return "one cell" if changed == 1 else "recoloured"

    wrong = [wrong_solutions(task(str(number), pair)) for number in range(60)]
    kinds = Counter(kind(text) for three in wrong for text in three)
    # A colour of one cell that becomes a new one is counted as the cell.
    assert kinds.keys() == {"turned", "input", "one cell", "recoloured"}
    assert min(kinds.values()) >= 20
    assert {text for three in wrong for text in three} >= {*turned}


# --- the schema ----------------------------------------------------------------------


def read(value: object) -> Task:
    return read_task(value, "x", "own", "x.json")


def test_a_task_is_read() -> None:
    value = made(1, 2) | {"name": "left alone"}
    assert read(value).solution == SOLUTION
    assert read(value).train[0].output == ((0, 0, 1), (1, 0, 2))
    largest = [[9] * 30] * 30
    pairs: list[Any] = [{"input": [[0]], "output": largest}]
    assert read({"train": pairs, "test": pairs}).solution == grids_text(
        [tuple(map(tuple, largest))]
    )


@pytest.mark.parametrize("cell", [-1, 10, 1.0, True, "1", None])
def test_what_is_no_cell_of_a_grid(cell: Any) -> None:
    value = made(1, 2)
    value["test"][1]["output"] = [[cell]]
    with pytest.raises(InputError, match=r"x\.json: test\[1\].*no whole number from 0"):
        read(value)


CONTENT = release()


def sample_ids(loaded: Loaded) -> list[str]:
    return [str(sample.id) for sample in loaded.dataset]


def test_the_same_tasks_from_every_kind_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
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
        assert sample_ids(arc(source=typed)) == sample_ids(expected)
    parts = [arc(split=split, source="clone") for split in arc_agi.SPLITS]
    assert [len(part.dataset) for part in parts] == [12, 6]
    for split in arc_agi.SPLITS:
        alone = arc(source=f"clone/data/{split}")
        assert sample_ids(alone) == sample_ids(arc(split=split, source="clone"))
        assert splits(alone) == {split}


def splits(loaded: Loaded) -> set[str]:
    return {(sample.metadata or {})["split"] for sample in loaded.dataset}


def test_tasks_of_ones_own(tmp_path: Path) -> None:
    folder = written({"a.json": made(1), "b.json": made(2), "c.txt": ""}, tmp_path)
    loaded = arc("mine", source=str(folder))
    assert sorted(sample_ids(loaded)) == ["arcmine-a", "arcmine-b"]
    assert splits(loaded) == {"own"}
    assert splits(arc(source=str(folder), split="training")) == {"training"}
    one = arc(2, source=str(folder / "b.json"))
    assert sample_ids(one) == ["arc2-b"]
    assert one.provenance["file"] == "b.json"
    assert one.provenance["tasks"] == 1


def test_the_checksum_is_of_content_and_place() -> None:
    one = made(1)
    sums = {
        sha256({"training/a.json": one}),
        sha256({"training/b.json": one}),
        sha256({"evaluation/a.json": one}),
        sha256({"training/a.json": made(2)}),
        sha256({"training/a.json": one, "training/b.json": one}),
    }
    assert len(sums) == 5
    turned = json.loads(json.dumps(dict(reversed(one.items())), indent=3))
    assert sha256({"training/a.json": turned}) == sha256({"training/a.json": one})


TASKS = [
    read_task(e.value, e.name, e.split, e.place)
    for e in load("sample", 1, "both").entries
]


def test_what_ships() -> None:
    loaded = arc(source="sample")
    assert len(loaded.dataset) == len(TASKS) >= 12
    assert {str(sample.id) for sample in loaded.dataset} == {
        f"arcs-{task.name}" for task in TASKS
    }
    for sample in loaded.dataset:
        metadata = sample.metadata or {}
        assert metadata["dataset_version"] == metadata["split"] == "sample"
    told = {
        key: loaded.provenance[key] for key in ("source", "file", "version", "split")
    }
    assert told == {
        **{"source": "sample", "file": "arc_sample.yaml"},
        **{"version": "sample", "split": "sample"},
    }
    tests = sorted(len(task.test) for task in TASKS)
    assert tests[-4:] == [1, 2, 2, 3]
    assert loaded.provenance["grids"] == sum(tests)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task(task: Task) -> None:
    assert 2 <= len(task.train) <= 4
    pairs = [*task.train, *task.test]
    for pair in pairs:
        assert pair.input != pair.output
        for grid in pair:
            assert len(grid) <= 12
            assert len(grid[0]) <= 12
    assert len({pair.input for pair in pairs}) == len(pairs)


# --- the rules, worked anew ----------------------------------------------------------


def turned(grid: Grid) -> Grid:
    return tuple(zip(*grid, strict=True))


def kaleidoscope(grid: Grid) -> Grid:
    top = tuple(row + row[::-1] for row in grid)
    return top + top[::-1]


def stagger(grid: Grid) -> Grid:
    width = len(grid[0])
    return tuple(
        tuple(row[(column - by) % width] for column in range(width))
        for by, row in enumerate(grid)
    )


def either_half(grid: Grid) -> Grid:
    half = len(grid[0]) // 2
    return tuple(
        tuple(
            7 if (row[at] == 0) != (row[half + 1 + at] == 0) else 0
            for at in range(half)
        )
        for row in grid
    )


def tallest_first(grid: Grid) -> Grid:
    return turned(tuple(sorted(turned(grid), key=lambda column: column.count(0))))


def corner_frame(grid: Grid) -> Grid:
    colour = grid[0][0]
    edge = (colour,) * (len(grid[0]) + 2)
    cleared = ((0, *grid[0][1:]), *grid[1:])
    return (edge, *((colour, *row, colour) for row in cleared), edge)


def key(grid: Grid) -> Grid:
    old, new = grid[0][:2]
    return tuple(tuple(new if c == old else c for c in row) for row in grid[2:])


def most_frequent(grid: Grid) -> Grid:
    cells = [cell for row in grid for cell in row if cell]
    most = max(cells, key=cells.count)
    return tuple(tuple(cell if cell == most else 0 for cell in row) for row in grid)


def rarest_corners(grid: Grid) -> Grid:
    cells = [cell for row in grid for cell in row if cell]
    rarest = min(cells, key=cells.count)
    down = [n for n, row in enumerate(grid) if rarest in row]
    across = [n for n, column in enumerate(turned(grid)) if rarest in column]
    return tuple(
        row[across[0] : across[-1] + 1] for row in grid[down[0] : down[-1] + 1]
    )


def falling(grid: Grid) -> Grid:
    return turned(tuple(map(fallen, turned(grid))))


def fallen(column: tuple[int, ...]) -> tuple[int, ...]:
    parts: list[list[int]] = [[]]
    for cell in column:
        parts[-1].append(cell)
        if cell == 5:
            parts.append([])
    return tuple(
        cell for part in parts for cell in sorted(part, key=lambda cell: cell != 0)
    )


def rays(grid: Grid) -> Grid:
    cells = {(r, c): cell for r, row in enumerate(grid) for c, cell in enumerate(row)}
    for (r, c), cell in list(cells.items()):
        while cell == 3 and cells.get((r := r - 1, c := c + 1)) == 0:
            cells[r, c] = 2
    return tuple(
        tuple(cells[r, c] for c in range(len(grid[0]))) for r in range(len(grid))
    )


def shapes(grid: Grid) -> Iterator[set[tuple[int, int]]]:
    """Cells of one colour that touch by their sides, 0 among them."""
    left = {(r, c) for r, row in enumerate(grid) for c in range(len(row))}
    while left:
        start = min(left)
        shape, ahead = set[tuple[int, int]](), {start}
        while ahead:
            shape |= ahead
            ahead = {
                (r + down, c + across)
                for r, c in ahead
                for down, across in ((0, 1), (1, 0), (0, -1), (-1, 0))
            } & left - shape
            ahead = {(r, c) for r, c in ahead if grid[r][c] == grid[start[0]][start[1]]}
        left -= shape
        yield shape


def coloured(grid: Grid, colours: dict[tuple[int, int], int]) -> Grid:
    return tuple(
        tuple(colours.get((r, c), cell) for c, cell in enumerate(row))
        for r, row in enumerate(grid)
    )


def by_size(grid: Grid) -> Grid:
    new = {1: 8, 2: 3, 3: 6}
    found = [shape for shape in shapes(grid) if grid[min(shape)[0]][min(shape)[1]]]
    return coloured(grid, {cell: new[len(shape)] for shape in found for cell in shape})


def how_many(grid: Grid) -> Grid:
    found = [grid[r][c] for shape in shapes(grid) for r, c in [min(shape)]]
    return (tuple(colour for colour in found if colour),)


def rooms(grid: Grid) -> Grid:
    """A dot is a shape of one cell; it spreads over the empty shape beside it."""
    found = list(shapes(grid))
    new: dict[tuple[int, int], int] = {}
    for (r, c), *more in map(list, found):
        if not more and grid[r][c]:
            beside = {(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)}
            for shape in found:
                if shape & beside and grid[min(shape)[0]][min(shape)[1]] == 0:
                    new |= dict.fromkeys(shape, grid[r][c])
    return coloured(grid, new)


def join(grid: Grid) -> Grid:
    down = turned(tuple(map(joined, turned(grid))))
    across = map(joined, grid)
    return tuple(
        tuple(upright or level for upright, level in zip(*rows, strict=True))
        for rows in zip(down, across, strict=True)
    )


def joined(line: tuple[int, ...]) -> tuple[int, ...]:
    cells = [*line]
    for colour in {*line} - {0}:
        places = [at for at, cell in enumerate(line) if cell == colour]
        if len(places) > 1:
            cells[places[0] : places[-1]] = [colour] * (places[-1] - places[0])
    return tuple(cells)


RULES: dict[str, Callable[[Grid], Grid]] = {
    "rooms": rooms,
    "falling": falling,
    "by-size": by_size,
    "rarest-corners": rarest_corners,
    "kaleidoscope": kaleidoscope,
    "join": join,
    "most-frequent": most_frequent,
    "tallest-first": tallest_first,
    "how-many": how_many,
    "rays": rays,
    "either-half": either_half,
    "stagger": stagger,
    "corner-frame": corner_frame,
    "key": key,
}


def test_every_output_is_what_the_rule_makes() -> None:
    assert RULES.keys() == {task.name for task in TASKS}
    for task in TASKS:
        for number, pair in enumerate([*task.train, *task.test]):
            assert RULES[task.name](pair.input) == pair.output, (task.name, number)


@pytest.mark.released
@pytest.mark.parametrize("version", [1, 2])
def test_no_pair_is_a_published_one(version: int) -> None:
    entries = load(str(DATA / f"arc_agi_{version}"), version, "both").entries
    published = {
        pair
        for entry in entries
        for task in [read_task(entry.value, entry.name, entry.split, entry.place)]
        for pair in (*task.train, *task.test)
    }
    assert len(published) > 2000
    ours: set[Pair] = {pair for task in TASKS for pair in (*task.train, *task.test)}
    assert not ours & published
