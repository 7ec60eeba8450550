"""Grids in canonical text, and how much of an answer is right."""

from typing import Any

import pytest

from inspect_debate.grading.grids import (
    Grid,
    grid_of,
    grid_text,
    grids_text,
    parse_grids_text,
    parts_right,
)

ONE: Grid = ((1, 2), (3, 4))
TWO: Grid = ((5,),)


def test_the_canonical_text() -> None:
    assert grid_text(ONE) == "1 2\n3 4"
    assert grids_text([ONE, TWO]) == "1 2\n3 4\n\n5"
    assert parse_grids_text("1 2\n3 4\n\n5") == [ONE, TWO]
    largest = tuple([tuple([*range(10)] * 3)] * 30)
    assert parse_grids_text(grids_text([largest, ONE])) == [largest, ONE]


NOT_CANONICAL = {
    "nothing": "",
    "a space": " ",
    "two spaces": "1  2",
    "a space at the end": "1 2 ",
    "a line end at the end": "1 2\n",
    "two blank lines": "1\n\n\n2",
    "a blank line first": "\n\n1",
    "no spaces": "12",
    "ragged": "1 2\n3",
    "ten": "1 10",
    "minus": "1 -1",
    "a wide digit": "１",
    "an upper digit": "²",
    "a leading zero": "01",
    "a tab": "1\t2",
    "Windows": "1 2\r\n3 4",
    "too wide": " ".join("1" * 31),
    "too high": "\n".join("1" * 31),
    "a label": "Output:\n1",
    "a long number": "1" * 5000,
}


@pytest.mark.parametrize("text", NOT_CANONICAL.values(), ids=NOT_CANONICAL)
def test_what_is_not_canonical_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no canonical text of grids"):
        parse_grids_text(text)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [[1], [1, 2]],
        [[10]],
        [[-1]],
        [[True]],
        [[1.0]],
        [["1"]],
        [[None]],
        [[1] * 31],
        [[1]] * 31,
    ],
)
def test_rows_that_make_no_grid(rows: Any) -> None:
    assert grid_of(rows) is None


def test_rows_that_make_a_grid() -> None:
    assert grid_of([[1, 2], [3, 4]]) == ONE
    assert grid_of([[0] * 30] * 30) == ((0,) * 30,) * 30


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ([ONE, TWO], 2),
        ([ONE, ONE], 1),
        ([TWO, ONE], 0),
        ([ONE], 1),
        ([ONE, TWO, TWO], 2),
        ([((1, 2, 3, 4),), TWO], 1),
        ([((1, 3), (2, 4)), TWO], 1),
        ([((1, 2), (3, 5)), ((6,),)], 0),
    ],
)
def test_parts_right(answer: list[Grid], right: int) -> None:
    assert parts_right(grids_text(answer), grids_text([ONE, TWO])) == right


def test_parts_right_takes_canonical_texts_only() -> None:
    for pair in (("", "1"), ("1", "")):
        with pytest.raises(ValueError, match="canonical"):
            parts_right(*pair)
