"""Tables laid out once for every form they are written in."""

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import pandas as pd

from inspect_debate.v1.reports.elements import (
    COUNT,
    NUMBER,
    Cell,
    Column,
    Format,
    Link,
    Table,
    interval_text,
)

_NUMERIC = {"integer", "floating", "mixed-integer-float", "decimal"}


@dataclass(frozen=True)
class Shown:
    """A cell as it is shown.

    `letters` are those of its footnotes; a cell in a marked row is `marked`, but only
    the first one has the letter. `target` is where a link leads.
    """

    text: str
    interval: str
    letters: str
    marked: bool
    numeric: bool
    strong: bool
    target: str = ""

    @property
    def length(self) -> int:
        """Characters with the interval."""
        return len(f"{self.text} {self.interval}".rstrip())


@dataclass(frozen=True)
class Heading:
    """A cell of the header, and how many columns and rows it spans."""

    text: str
    columns: int
    rows: int
    numeric: bool
    spanning: bool


@dataclass(frozen=True)
class Body:
    """Rows under one heading, which is empty where the table has no groups."""

    heading: str
    rows: Sequence[Sequence[Shown]]


@dataclass(frozen=True)
class Layout:
    """A table as it is shown.

    Attributes:
        headings: one or two rows of the header.
        labels: of the columns in a single row, "math F1" for ("math", "F1").
        numeric: which columns hold numbers.
        groups: what the headings of the bodies name; empty without groups.
        bodies: the rows.
        footnotes: letter and text.
        rest: where the rows are that are not shown, or that there are none; empty
            where all are shown.
    """

    headings: Sequence[Sequence[Heading]]
    labels: Sequence[str]
    numeric: Sequence[bool]
    groups: str
    bodies: Sequence[Body]
    footnotes: Sequence[tuple[str, str]]
    rest: str


def laid_out(table: Table) -> Layout:
    """A table as it is shown.

    Raises:
        ValueError: `formats`, `groups`, `marks`, `emphasis` or `hidden` name a place
            that the table does not have.
    """
    frame = whole_frame(table)
    shown = [
        column
        for column in columns_of(frame)
        if column != table.groups
        and column not in table.hidden
        and not is_end(column, frame)
    ]
    _check_places(table, frame, shown)
    letters = _letters(table)
    columns = [_cells(table, frame, column, shown, letters) for column in shown]
    rows = [list(row) for row in zip(*columns, strict=True)][: table.first]
    numeric = [_is_numeric(table, frame, column) for column in shown]
    return Layout(
        list(_headings(shown, numeric)),
        [label(column) for column in shown],
        numeric,
        "" if table.groups is None else label(table.groups),
        list(_bodies(table, frame, rows)),
        [(letter, text) for text, letter in letters.items()],
        _rest(table, len(frame)),
    )


def widths(layout: Layout) -> list[int]:
    """Of how many characters the longest cell of each column is."""
    rows = [row for body in layout.bodies for row in body.rows]
    places = range(len(layout.labels))
    return [max((row[place].length for row in rows), default=0) for place in places]


def _check_places(table: Table, frame: pd.DataFrame, shown: Sequence[Column]) -> None:
    known = columns_of(frame)
    groups = [] if table.groups is None else [table.groups]
    named = (*table.formats, *groups, *(table.hidden if len(frame) else ()))
    wrong: list[object] = [column for column in named if column not in known]
    wrong += [
        tuple(cell)
        for cell in (*table.marks, *table.emphasis)
        if not 0 <= cell.row < len(frame) or cell.column not in (None, *shown)
    ]
    if wrong:
        raise ValueError(
            f"Table {table.name!r} does not show {wrong[0]!r}; it has "
            f"{len(frame)} rows and the columns {known}."
        )


def _letters(table: Table) -> dict[str, str]:
    """A letter for each text among the marks, in the order of the rows."""
    places = sorted(table.marks, key=_row)
    shown = [at for at in places if table.first is None or at.row < table.first]
    texts = dict.fromkeys(table.marks[cell] for cell in shown)
    return {text: _letter(position) for position, text in enumerate(texts)}


def _row(cell: Cell) -> int:
    return cell.row


def _letter(position: int) -> str:
    """The letters a to z, then aa, ab and so on."""
    more, last = divmod(position, 26)
    return (_letter(more - 1) if more else "") + string.ascii_lowercase[last]


def _cells(
    table: Table,
    frame: pd.DataFrame,
    column: Column,
    shown: Sequence[Column],
    letters: dict[str, str],
) -> Iterator[Shown]:
    format = _format(table, frame, column)
    values = list(values_of(frame, column))
    intervals = _intervals(frame, column, format)
    numeric = _is_numeric(table, frame, column)
    for row, (value, interval) in enumerate(zip(values, intervals, strict=True)):
        places = [Cell(row, column)]
        if column == shown[0]:
            places.insert(0, Cell(row))
        marks = [
            letters.get(table.marks[place], "")
            for place in places
            if place in table.marks
        ]
        marked = any(place in table.marks for place in (Cell(row), *places))
        strong = not {Cell(row), Cell(row, column)}.isdisjoint(table.emphasis)
        target = value.target if isinstance(value, Link) else ""
        letters_shown = ", ".join(marks)
        yield Shown(
            format(value), interval, letters_shown, marked, numeric, strong, target
        )


def _intervals(frame: pd.DataFrame, column: Column, format: Format) -> list[str]:
    if not has_interval(column, columns_of(frame)):
        return [""] * len(frame)
    ends = zip(
        values_of(frame, end_of(column, "low")),
        values_of(frame, end_of(column, "high")),
        strict=True,
    )
    return [interval_text(format, low, high) for low, high in ends]


def _format(table: Table, frame: pd.DataFrame, column: Column) -> Format:
    whole = pd.api.types.infer_dtype(values_of(frame, column), skipna=True) == "integer"
    return table.formats.get(column, COUNT if whole else NUMBER)


def _is_numeric(table: Table, frame: pd.DataFrame, column: Column) -> bool:
    kind = pd.api.types.infer_dtype(values_of(frame, column), skipna=True)
    return column in table.formats or kind in _NUMERIC


def _headings(
    shown: Sequence[Column], numeric: Sequence[bool]
) -> Iterator[list[Heading]]:
    pairs = [(c, "") if isinstance(c, str) else c for c in shown]
    height = 2 if any(name for _, name in pairs) else 1
    first: list[Heading] = []
    second: list[Heading] = []
    for (group, name), right in zip(pairs, numeric, strict=True):
        if not name:
            first.append(Heading(group, 1, height, right, spanning=False))
            continue
        second.append(Heading(name, 1, 1, right, spanning=False))
        if first and first[-1].spanning and first[-1].text == group:
            first[-1] = replace(first[-1], columns=first[-1].columns + 1)
        else:
            first.append(Heading(group, 1, 1, numeric=False, spanning=True))
    yield from [first, second][:height]


def _bodies(
    table: Table, frame: pd.DataFrame, rows: Sequence[Sequence[Shown]]
) -> Iterator[Body]:
    if table.groups is None:
        yield Body("", rows)
        return
    format = _format(table, frame, table.groups)
    headings = [format(value) for value in values_of(frame, table.groups)][: len(rows)]
    for heading, members in groupby(zip(headings, rows, strict=True), lambda at: at[0]):
        yield Body(heading, [row for _, row in members])


def _rest(table: Table, rows: int) -> str:
    if not rows:
        return "No rows: these logs hold nothing that could be counted here."
    if table.first is None or rows <= table.first:
        return ""
    return f"The first {table.first} of {rows} rows; tables/{table.name}.csv has all."


# The columns of a table's frame, by name, with those of intervals.

NOTHING = "Values"
"""The column of a table of which nothing is known, as it has no rows."""


def whole_frame(table: Table) -> pd.DataFrame:
    """A copy of a table's values, with the named levels of the index as columns.

    One without rows, which often has no columns either, gets those that its formats and
    groups name: what a table holds depends on the logs, and none may break a report.
    """
    unnamed = all(name is None for name in table.frame.index.names)
    frame = table.frame.reset_index(drop=unnamed)
    if not len(frame):
        named = [*([] if table.groups is None else [table.groups]), *table.formats]
        columns = list(dict.fromkeys([*columns_of(frame), *named])) or [NOTHING]
        return pd.DataFrame(columns=pd.Index(columns, tupleize_cols=False))
    if frame.columns.nlevels > 2:
        raise ValueError(f"The columns of {table.name!r} have more than two levels.")
    return frame


def label(column: Column) -> str:
    """A column's name in one row: "math F1" for ("math", "F1")."""
    return column if isinstance(column, str) else " ".join(filter(None, column))


def columns_of(frame: pd.DataFrame) -> list[Column]:
    """The columns of a frame, by their names."""
    return [_column(name) for name in frame.columns]


def _column(name: object) -> Column:
    return (str(name[0]), str(name[1])) if isinstance(name, tuple) else str(name)


def values_of(frame: pd.DataFrame, column: Column) -> "pd.Series[Any]":
    """The values of a column."""
    return frame.iloc[:, columns_of(frame).index(column)]


def end_of(column: Column, which: str) -> Column:
    """Name of the column that would hold the low or high end of another's interval."""
    if isinstance(column, str):
        return f"{column} {which}"
    group, name = column
    return (group, f"{name} {which}") if name else (f"{group} {which}", "")


def is_end(column: Column, frame: pd.DataFrame) -> bool:
    """Whether a column holds an end of another's interval."""
    columns = columns_of(frame)
    return any(
        column in (end_of(value, "low"), end_of(value, "high"))
        for value in columns
        if has_interval(value, columns)
    )


def has_interval(column: Column, columns: Sequence[Column]) -> bool:
    """Whether there are columns with both ends of a column's interval."""
    return end_of(column, "low") in columns and end_of(column, "high") in columns


# A table as a CSV file: all of its values, unrounded.


def csv_text(table: Table) -> str:
    """The values in full, one plain header row, marks in a last column `marks`.

    A number is written with as many digits as tell it from every other number; a
    missing one is empty.

    Raises:
        ValueError: two columns have the same name in the file.
    """
    frame = whole_frame(table)
    marks = [_row_marks(table, row) for row in range(len(frame))]
    names = [_plain(label(column)) for column in columns_of(frame)]
    frame.columns = pd.Index(names)
    if table.marks:
        names.append("marks")
        frame = pd.concat([frame, pd.Series(marks, name="marks")], axis=1)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"Columns of {table.name!r} must differ; twice: {twice}.")
    return frame.to_csv(index=False, lineterminator="\n")


def _row_marks(table: Table, row: int) -> str:
    return "; ".join(
        text if cell.column is None else f"{label(cell.column)}: {text}"
        for cell, text in table.marks.items()
        if cell.row == row
    )


def _plain(text: str) -> str:
    """A name of letters, digits and underscores, "math_f1" for "math F1"."""
    return re.sub(r"\W+", "_", text.lower()).strip("_")
