"""Tasks of ARC-AGI: the schema of their files, and a task as text."""

from typing import NamedTuple

from inspect_debate.core.errors import InputError
from inspect_debate.core.grids import LARGEST, Grid, grid_of, grid_text, grids_text


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
    """The task that a file holds.

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
