"""The tasks that ship: well-formed, small, shown by their examples, and our own."""

from collections.abc import Callable, Iterator

import pytest

from inspect_debate.datasets.arc_agi import Pair, Task, arc, load, read_task
from inspect_debate.debate.errors import InputError
from inspect_debate.grading.grids import Grid
from tests.support.released import DATA

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


def test_the_sample_has_no_version() -> None:
    with pytest.raises(InputError, match="version=2 is not for source=sample"):
        arc(2, source="sample")
