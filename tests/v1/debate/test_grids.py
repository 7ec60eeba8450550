"""Grids in canonical text, and grids that are read from completions."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.grading.grids import (
    Grid,
    grid_of,
    grid_text,
    grids_text,
    parse_grids_text,
    parts_right,
    read_grids,
)
from tests.v1.support.grid_layouts import LAYOUTS, STRINGS, Layout
from tests.v1.support.growth import check_linear

G = "1 2\n3 4"
H = "5"
ECHO = "The input was\n```\n9 9\n```\n"
FENCED = "```\n1 2\n3 4\n```"

READ = {
    # --- fences
    "a fence": ("So:\n```\n1 2\n3 4\n```\nDone, in 2 steps.", G),
    "the last of more": (ECHO + "```\n1 2\n3 4\n```", G),
    "bare rows beside fences": ("9 9\n```\n1 2\n3 4\n```\n8 8\n8 8", G),
    "a fence of other marks": ("~~~~\n1 2\n3 4\n~~~~", G),
    "shorter marks within": ("````\n```\n1 2\n3 4\n````", G),
    "a fence left open": (ECHO + "```\n1 2\n3 4", G),
    "marks after the last row": (ECHO + "```\n1 2\n3 4```\n7 7", G),
    "an indented fence": ("1. Test\n   ```text\n   1 2\n   3 4\n   ```", G),
    "a quoted fence": ("> ```\n> 1 2\n> 3 4\n> ```", G),
    "code before": ("```python\nx = [[c] * 3 for c in row]\n```\n```\n12\n34\n```", G),
    "a row beside the marks": ("```1 2\n3 4\n```", G),
    "a list beside the marks": ("```[[1, 2],\n[3, 4]]\n```", G),
    # --- rows
    "one row": ("```\n1 2 3\n```", "1 2 3"),
    "one cell": ("The answer:\n5", "5"),
    "bare rows": ("Output:\n1 2\n3 4\nThat is it.", G),
    "no spaces": ("12\n34", G),
    "uneven spaces": ("  1   2 \n 3 \t4", G),
    "commas": ("1,2\n3, 4,", G),
    "a table": ("| 1 | 2 |\n|---|---|\n| 3 | 4 |", G),
    "brackets": ("[1, 2],\n[3, 4]", G),
    "brackets, no commas": ("[1 2]\n[3 4]", G),
    "bullets": ("- 1 2\n- 3 4", G),
    "bold and code": ("**1 2**\n`3 4`", G),
    "old line ends": ("```\r1 2\r3 4\r```", G),
    "an elision elsewhere": ("```\n9 9\n...\n9 9\n\n1 2\n3 4\n```", G),
    "labels with numbers": ("```\nTest output 1:\n1 2\n3 4\n```", G),
    # --- JSON
    "a list": ("Thus [[1, 2], [3, 4]] it is.", G),
    "numpy": ("array([[1 2]\n [3 4]])", G),
    "a list of one grid": ("[[[1, 2], [3, 4]]]", G),
    "outputs": ('{"outputs": [[[1, 2], [3, 4]]]}', G),
    "the output alone": ('{"output": [[1, 2], [3, 4]], "input": [[9, 9]]}', G),
    "a task with its outputs": (
        '{"train": [{"input": [[9]], "output": [[8]]}], '
        '"test": [{"output": [[1, 2], [3, 4]], "input": [[7]]}]}',
        G,
    ),
    "no key says output": ('{"example": [[9]], "answer": [[1, 2], [3, 4]]}', G),
    "no JSON": ("{output: [[1, 2], [3, 4],], input: [[9]]}", G),
    "strings": ('["12", "34"]', G),
    "strings with spaces": ("{'output': ['1 2', '3 4']}", G),
    "strings of one": ('[["1", "2"], ["3", "4"]]', G),
    "brackets in a string": ('{"why": "[[9], {", "output": [[1, 2], [3, 4]]}', G),
    "escapes in a string": ('{"why": "\\"[[9", "output": [[1, 2], [3, 4]]}', G),
    "on several lines": ("[\n  [\n    1,\n    2\n  ],\n  [3, 4]\n]", G),
    "rows of a list are no rows": ('{"output":\n[\n[1, 2],\n[3, 4]\n]\n}', G),
    "loose brackets": ("Rows in [0, 5) and {x]: [[1, 2], [3, 4]]", G),
    "a row is no grid": ("[[1, 2], [3, 4]], not [5, 6]", G),
    "code is no grid": ("[[1, 2], [3, 4]] or [[0] * n for _ in x] or x[0][1]", G),
    "an index is no row": ("[[1, 2], [3, 4]]\nx = [a[0], a[1], f(x)[0][1], b[i]]", G),
    "its size": ('{"output": [[1, 2], [3, 4]], "output_size": [2, 2]}', G),
    "another name": ('{"Predicted output grid 1": [[1, 2], [3, 4]], "x": [[9]]}', G),
    "an inch": ('The 5" grid [[1, 2], [3, 4]]', G),
    "quoted": ('He says "[[1, 2], [3, 4]]"', G),
    # --- both
    "a fence after JSON": ("[[9, 9]]\n```\n1 2\n3 4\n```", G),
    "JSON after a fence": (ECHO + "[[1, 2], [3, 4]]", G),
    "JSON in a fence": (ECHO + "```json\n[[1, 2],\n[3, 4]]\n```", G),
    # --- lists that are no answer, beside one that is
    "coordinates": (f"{FENCED}\nchanged cells: [[0, 1], [1, 0]]", G),
    "coordinates in the output": (f"{FENCED}\nNew in the output: [[0, 1], [1, 0]]", G),
    "coordinates in a sentence": (f"{FENCED}\nSee [[0, 1], [1, 0]].", G),
    "coordinates, then words": (f"{FENCED}\n[[0, 1], [1, 0]] changed", G),
    "more than ten": (f"{FENCED}\nat [[10, 11], [12, 13]]", G),
    "coordinates after a list": ("[[1, 2], [3, 4]]\nat [[0, 1], [1, 0]]", G),
    "a literal": (f"{FENCED}\n```\ngrid = [[0,0],[0,0]]\nfor x in grid:\n```", G),
    "code": (f"{FENCED}\n```python\ngrid = [[0,0],[0,0]]\nfor x in grid:\n```", G),
    "more code": (
        f"{FENCED}\n``` py\ntask = {{'output': [[0]]}}\ngrids = [\n[[0, 0]],\n]\n```",
        G,
    ),
    "output in code": (f"{FENCED}\n```python\noutput = [[0,0],[0,0]]\n```", G),
    "only code": ("```python\ngrid = [[1, 2], [3, 4]]\n```", G),
    "only rows in code": ("```python\nx = 1\n1 2\n3 4\n```\n9 9", G),
    # --- lists that are
    "a label": (ECHO + "Output: [[1, 2], [3, 4]]", G),
    "a test's label": (ECHO + "So, my final **Test output 1**: `[[1, 2], [3, 4]]`.", G),
    "a label and a sentence": (ECHO + "The answer is [[1, 2], [3, 4]].", G),
    "a label, one of many": (ECHO + "1. Output grid: [[1, 2], [3, 4]]\n2. Done", G),
    "a bullet": (ECHO + "- [[1, 2], [3, 4]]", G),
    "LaTeX": (ECHO + "$$\\boxed{[[1, 2], [3, 4]]}$$", G),
    "an object in a sentence": (ECHO + 'So {"output": [[1, 2], [3, 4]]} it is', G),
    "an object in a list": (ECHO + 'x = [{"output": [[1, 2], [3, 4]]}]', G),
    "a list in Python's fence": (ECHO + "```python\n[[1, 2], [3, 4]]\n```", G),
    "on its lines, inside": (ECHO + "In [0, 1):\n[[1, 2],\n[3, 4]]", G),
    "a key of a huge number": ('{"output' + "9" * 5000 + '": [[1, 2], [3, 4]]}', G),
    # --- rows apart
    "double-spaced": ("```\n1 2\n\n3 4\n```", G),
    "double-spaced, bare": ("Output:\n\n1 2\n\n3 4\n\nDone", G),
    "double-spaced, quoted": ("> ```\n> 1 2\n>\n> 3 4\n> ```", G),
    "widely spaced": ("```\n\n\n1 2\n\n\n3 4\n\n```", G),
    "double-spaced, one cell each": ("```\n1\n\n2\n\n3\n```", "1\n2\n3"),
    "other widths": ("```\n9 9\n\n1 2 3\n```", "1 2 3"),
    "a grid of more rows": ("```\n9 9\n\n1 2\n3 4\n```", G),
    "a label between": ("```\nInput:\n\n9 9\n\nOutput:\n\n1 2\n```", "1 2"),
    # --- reasoning
    "thought away": ("1 2\n3 4\n<think>```\n9\n```</think>", G),
    "thought before": ("```\n9\n```</think>\n1 2\n3 4", G),
}


@pytest.mark.parametrize(("text", "read"), READ.values(), ids=READ)
def test_a_grid_is_read(text: str, read: str) -> None:
    assert read_grids(text, 1) == Parsed.ok(read)


TWO = {
    "two fences": "```\n1 2\n3 4\n```\nand\n```\n5\n```",
    "one fence": ECHO + "```\n1 2\n3 4\n\n5\n```",
    "labels": "```\nTest output 1:\n1 2\n3 4\nTest output 2:\n5\n```",
    "JSON": '[[9]] {"outputs": [[[1, 2], [3, 4]], [[5]]]}',
    "an object each": '[{"output": [[1,2],[3,4]]}, {"output": [[5]], "input": [[6]]}]',
    "a key each": '{"output_1": [[1,2],[3,4]], "output_2": [[5]], "note": [[6]]}',
    "keys in another order": '{"output_2": [[5]], "output_1": [[1, 2], [3, 4]]}',
    "keys in another order, apart": (
        '{"Test output 2":\n[[5]],\n"size": 1, "Test output 1":\n[[1, 2],\n[3, 4]]}'
    ),
    "too few of one kind": f"{FENCED}\nand the other is [[5]], I think",
    "a line each": '{"output": [[1,2],[3,4]]}\n{"output": [[5]]}',
    "fence and JSON": "```\n1 2\n3 4\n```\n[[5]]",
    "fence and bare": "```\n1 2\n3 4\n```\nand\n5\n",
    "bare": "9 9\n\n1 2\n3 4\n\n5",
    "a table": "| 1 | 2 |\n| 3 | 4 |\n\n| 5 |",
}


@pytest.mark.parametrize("text", TWO.values(), ids=TWO)
def test_the_last_two_grids(text: str) -> None:
    assert read_grids(text, 2) == Parsed.ok(f"{G}\n\n{H}")


BARE = "1 2\n3"
MALFORMED = {
    "ragged": "```\n1 2\n3\n```",
    "ragged, bare": BARE,
    "ragged list": "[[1, 2], [3]]",
    "ragged strings": '["12", "3"]',
    "ten": "```\n1 2\n3 10\n```",
    "only tens": "```\n10 11\n12 13\n```",
    "ten in a list": "[[1, 2], [3, 10]]",
    "tens in a list": "[[10, 20], [30, 40]]",
    "minus": "```\n-1 2\n3 4\n```",
    "minus in a list": "[[-1, 2], [-3, 4]]",
    "fractions": "[[1.0, 2.0], [3.0, 4.0]]",
    "truth": "[[true, false], [false, true]]",
    "nothing": "[[1, 2], [3, null]]",
    "a letter": "```\n1 2 3\n4 x 6\n```",
    "a letter in a list": "[[1, 2], [3, x]]",
    "a string in a list": '[[1, 2], [3, "4b"]]',
    "unknown": "```\n1 2\n? 4\n```",
    "elided": "```\n1 2\n...\n3 4\n```",
    "elided in a row": "```\n1 2\n3 ...\n```",
    "elided in a list": "[[1, 2], ..., [3, 4]]",
    "an empty row": "[[1, 2], []]",
    "empty": "[[], []]",
    "no grid": '{"output": null}',
    "a row alone": '{"output": [1, 2]}',
    "one of the outputs": '{"output_1": [[1]], "output_2": [[1, 2], [3]]}',
    "the output, not the input": '{"input": [[1]], "output": "as above"}',
    "cut off": "[[1, 2], [3, 4],",
    "cut off in a row": "[[1, 2], [3,",
    "cut off in the first row": "[[1,",
    "cut off in an object": '{"outputs": [[[1, 2], [3, 4',
    "another bracket": "[[1, 2], [3, 4}]",
    "no comma": "[[1, 2][3, 4]]",
    "words among rows": "[[1, 2], [3, 4], and so on]",
    "wide digits": "```\n１ ２\n３ ４\n```",
    "numbers in brackets": "```\n[12]\n[34]\n```",
    "too wide": "```\n" + " ".join("1" * 31) + "\n```",
    "too high": "```\n" + "1\n" * 31 + "```",
    "too high a list": str([[1]] * 31),
    "comments": "```\n1 2 3\n4 5 6 # last\n```",
    "double-spaced, ten": "```\n1 2\n\n3 10\n\n5 6\n```",
    "unevenly spaced": "```\n1 2\n\n3 4\n\n\n5 6\n\n7 8\n```",
    "numbered rows": "```\nRow 1: 1 2 3\nRow 2: 4 5 6\n```",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_no_earlier_grid_takes_the_place_of_a_malformed_one(text: str) -> None:
    assert read_grids(f"Input:\n9 9\n\nOutput:\n{text}", 1) == Parsed.unparsed()
    if text != BARE:
        assert read_grids(ECHO + text, 1) == Parsed.unparsed()


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_grid_before_the_last_ones_does_no_harm(text: str) -> None:
    assert read_grids(f"{text}\n\n```\n1 2\n3 4\n```", 1) == Parsed.ok(G)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("I cannot tell.", 1),
        ("Test output 1:\n", 1),
        ("```\n```", 1),
        ("<think>1 2", 1),
        ("```\n1 2\n3 4\n```", 2),
        ('{"outputs": [[[1, 2], [3, 4]]]}', 2),
        ("```\n1 2\n\n3 4\n\n5 6\n```", 2),
        ("```\n1 2\n\n3 4\n\n\n5 6\n\n7 8\n```", 2),
        ('["train", "test"] [] {} {"a": 1}', 1),
    ],
)
def test_too_few_grids(text: str, count: int) -> None:
    assert read_grids(text, count) == Parsed.unparsed()


@st.composite
def grids(draw: st.DrawFn, columns: int = 1) -> Grid:
    width = draw(st.integers(columns, 9))
    row = st.tuples(*[st.integers(0, 9)] * width)
    return tuple(draw(st.lists(row, min_size=1, max_size=9)))


LARGEST = [tuple([tuple([*range(10)] * 3)] * 30)] * 3


@settings(max_examples=20, deadline=None)
@example(answer=LARGEST)
@given(answer=st.lists(grids(), min_size=1, max_size=3))
def test_every_layout_is_read_back(answer: list[Grid]) -> None:
    expected = Parsed.ok(grids_text(answer))
    for name, layout in LAYOUTS.items():
        text = layout(answer)
        assert read_grids(text, len(answer)) == expected, name
        text = f"<think>8</think>The input:\n9 9 9\n\n{text}"
        assert read_grids(text, len(answer)) == expected, name


@settings(max_examples=20, deadline=None)
@example(answer=LARGEST)
@given(answer=st.lists(grids(columns=2), min_size=1, max_size=3))
def test_rows_as_strings_are_read_back(answer: list[Grid]) -> None:
    assert read_grids(STRINGS(answer), len(answer)) == Parsed.ok(grids_text(answer))


def changed(grid: Grid) -> Iterator[Grid]:
    """Every grid that differs in one cell, and some of other shapes or colours."""
    for at, row in enumerate(grid):
        for column, cell in enumerate(row):
            for colour in {*range(10)} - {cell}:
                other = (*row[:column], colour, *row[column + 1 :])
                yield (*grid[:at], other, *grid[at + 1 :])
    yield (*grid, grid[-1])
    yield tuple((*row, 0) for row in grid)
    yield grid[:-1]
    yield tuple(row[1:] for row in grid)
    yield tuple(tuple(9 - cell for cell in row) for row in grid)
    yield tuple(zip(*grid, strict=True))


def test_every_change_makes_another_grid() -> None:
    grid = ((1, 2, 0), (0, 3, 4))
    right = grids_text([grid])
    others = list(changed(grid))
    assert len({*others, grid}) == 6 * 9 + 6 + 1
    for layout in LAYOUTS.values():
        assert [other for other in others if says(layout, other) == right] == []
        assert says(layout, grid) == right


def says(layout: Layout, grid: Grid) -> object:
    return read_grids(layout([grid]), 1).value


@given(st.text(alphabet="[]{}\"'`~0123456789 ,:|\\\n-.x>+", max_size=200))
def test_any_text_gives_a_grid_or_none(text: str) -> None:
    read = read_grids(text, 1)
    assert read == Parsed.unparsed() or isinstance(read.value, str)


HOSTILE = {
    **{unit: unit for unit in ("[", "{", "[{", "[{]", "[[1],", "[1 ", '["1 1",')},
    **{
        unit: unit
        for unit in ('"', "{'", '{\\"', "`", "```\n", "~~~~\n", "> ", "\n", "\r")
    },
    **{unit: unit for unit in ("1", "1 ", "1 2\n", "|", "|-", "| \n", "- ", ".", "a ")},
    **{unit: unit for unit in ("[[1]]", "[[1]].", "the [[1]]", "[[1]]\n", "1\n\n")},
    **{
        unit: unit for unit in ('{"output":', '{"output": [[1]],', "<think>", "[ ", " ")
    },
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=repr)
def test_long_hostile_texts_take_linear_time(unit: str) -> None:
    def read_both(size: int) -> None:
        text = unit * (size // len(unit))
        read_grids(text + "x", 1)
        read_grids("[" * 8 + text + "]" * 8, 1)

    check_linear(read_both)


def test_a_long_key_of_many_values_takes_linear_time() -> None:
    check_linear(lambda size: read_grids('{"' + "a " * size + '"' + ":" * size, 1))


def test_deep_nesting_is_no_recursion() -> None:
    deep = "[" * 50_000 + "1" + "]" * 50_000
    assert read_grids(deep + "\n```\n1 2\n3 4\n```", 1) == Parsed.ok(G)


ONE: Grid = ((1, 2), (3, 4))
TWO_TEXT: Grid = ((5,),)


def test_the_canonical_text() -> None:
    assert grid_text(ONE) == "1 2\n3 4"
    assert grids_text([ONE, TWO_TEXT]) == "1 2\n3 4\n\n5"
    assert parse_grids_text("1 2\n3 4\n\n5") == [ONE, TWO_TEXT]
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
        ([ONE, TWO_TEXT], 2),
        ([ONE, ONE], 1),
        ([TWO_TEXT, ONE], 0),
        ([ONE], 1),
        ([ONE, TWO_TEXT, TWO_TEXT], 2),
        ([((1, 2, 3, 4),), TWO_TEXT], 1),
        ([((1, 3), (2, 4)), TWO_TEXT], 1),
        ([((1, 2), (3, 5)), ((6,),)], 0),
    ],
)
def test_parts_right(answer: list[Grid], right: int) -> None:
    assert parts_right(grids_text(answer), grids_text([ONE, TWO_TEXT])) == right


def test_parts_right_takes_canonical_texts_only() -> None:
    for pair in (("", "1"), ("1", "")):
        with pytest.raises(ValueError, match="canonical"):
            parts_right(*pair)
