"""Grids that are read from replies."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.grading.grids import Grid, grid_of, grids, grids_right, render

REPLIES = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text("utf-8"))
ONE: Grid = ((1, 2), (3, 4))
TWO: Grid = ((5,),)
ECHO = "The input was\n```\n9 9\n```\n"


def read(reply: str, count: int = 1) -> str | None:
    found = grids(reply, count)
    return None if found is None else "\n\n".join(map(render, found))


@pytest.mark.parametrize(("reply", "expected"), REPLIES["grid"])
def test_a_grid_is_read(reply: str, expected: str) -> None:
    assert read(reply) == expected


@pytest.mark.parametrize("reply", [reply for (reply,) in REPLIES["two_grids"]])
def test_the_last_two_grids(reply: str) -> None:
    assert grids(reply, 2) == [ONE, TWO]


TOO_LARGE = [f"```\n{'1 ' * 31}\n```", "```\n" + "1\n" * 31 + "```", str([[1]] * 31)]
MALFORMED = [*TOO_LARGE, *(reply for (reply,) in REPLIES["malformed"])]


@pytest.mark.parametrize("reply", MALFORMED)
def test_no_earlier_grid_takes_the_place_of_a_malformed_one(reply: str) -> None:
    assert read(f"Input:\n9 9\n\nOutput:\n{reply}") is None
    assert read(ECHO + reply) is None
    assert grids(f"{reply}\n\n```\n1 2\n3 4\n```", 1) == [ONE]


FEW = ["", "I cannot tell.", "Test output 1:\n", "```\n```", "<think>1 2"]
FEW += ['["train", "test"] [] {} {"a": 1}']
FEW_OF_TWO = ["```\n1 2\n3 4\n```", '{"outputs": [[[1, 2], [3, 4]]]}']
FEW_OF_TWO += ["```\n1 2\n\n3 4\n\n5 6\n```", "```\n1 2\n\n3 4\n\n\n5 6\n\n7 8\n```"]


@pytest.mark.parametrize(
    ("reply", "count"), [(r, 1) for r in FEW] + [(r, 2) for r in FEW_OF_TWO]
)
def test_too_few(reply: str, count: int) -> None:
    assert grids(reply, count) is None


def listed(answer: list[Grid]) -> str:
    return str([[list(row) for row in grid] for grid in answer])


def table(grid: Grid) -> str:
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in grid)


Dress = Callable[[list[Grid]], str]
DRESSES: list[Dress] = [
    lambda answer: "\n".join(f"Output:\n```\n{render(g)}\n```" for g in answer),
    lambda answer: "```text\n" + "\n\n".join(map(render, answer)) + "\n```",
    lambda answer: f"```json\n{listed(answer)}\n```",
    lambda answer: f'{{"outputs": {listed(answer)}}}',
    lambda answer: "\n".join(f"- {listed([grid])[1:-1]}" for grid in answer),
    lambda answer: "\n".join(f"Grid:\n{table(grid)}" for grid in answer),
]
ROWS = st.integers(2, 6).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.integers(0, 9)] * width), min_size=2, max_size=6
    )
)


@settings(max_examples=30, deadline=None)
@given(answer=st.lists(ROWS.map(tuple), min_size=1, max_size=3))
def test_every_dress_is_read_back(answer: list[Grid]) -> None:
    for dress in DRESSES:
        text = f"The input:\n9 9 9\n\n{dress(answer)}"
        assert grids(text, len(answer)) == answer, text


@given(st.text(alphabet="[]{}\"'`~0123456789 ,:|\\\n-.x>+", max_size=200))
def test_any_text_gives_a_grid_or_none(text: str) -> None:
    for grid in grids(text, 1) or []:
        assert grid_of(grid) == grid


PIECES = ["[", "{", "[{", "[[1],", '["1 1",', '"', "```\n", "> ", "1 2\n", "| \n", "- "]
PIECES += ["[[1]].", '{"output":', '{"output": [[1]],', "[[=", "for [[", "1\n\n", "[[a"]


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text_and_not_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        start = time.process_time()
        for each in (f"{text}x", f"{'[' * 8}{text}{']' * 8}"):
            grids(each, 1)
        return time.process_time() - start

    # What grows with the square takes 16 times as long; machines may be busy.
    assert any(seconds(16_000) < 10 * seconds(4_000) + 0.1 for _ in range(3))


@pytest.mark.parametrize("rows", [[], [[]], [[1], [1, 2]], [[1] * 31]])
def test_rows_that_make_no_grid(rows: Any) -> None:
    assert grid_of(rows) is None


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([ONE, TWO], 2),
        ([ONE, ONE], 1),
        ([TWO, ONE], 0),
        ([ONE], 1),
        ([((1, 2, 3, 4),), TWO], 1),
        ([((1, 3), (2, 4)), TWO], 1),
    ],
)
def test_how_many_are_right(answer: list[Grid], right: int) -> None:
    assert grids_right(answer, [ONE, TWO]) == right
