"""Wrong solutions of ARC tasks, such as a solver might give."""

from collections.abc import Callable
from itertools import chain, repeat
from random import Random

from inspect_debate.core.grids import Grid, grids_text
from inspect_debate.core.seeds import seeded
from inspect_debate.datasets.arc_tasks import Task


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
    turn = draw.choice((_transposed, _upside_down, _mirrored))
    return [turn(grid) for grid in _outputs(task)]


def _transposed(grid: Grid) -> Grid:
    return tuple(zip(*grid, strict=True))


def _upside_down(grid: Grid) -> Grid:
    return grid[::-1]


def _mirrored(grid: Grid) -> Grid:
    return tuple(row[::-1] for row in grid)


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
