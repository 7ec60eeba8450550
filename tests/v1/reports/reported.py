"""What a study's report shows of data made by hand, and how tests list its cells."""

import re
from typing import Any, NamedTuple

import pandas as pd
import pytest

from inspect_debate.v1.reports.elements import Item, Table
from inspect_debate.v1.reports.views import Part, StudyReport

NONE = float("nan")


def shown(report: StudyReport[Any], data: object, name: str) -> list[Item]:
    """What a view, a plot or a function of the report shows of some data.

    Args:
        report: The report.
        data: What its sections take.
        name: That of the view or plot; of a function without its first underscore.
    """
    (show,) = {
        id(show): show
        for part in report.parts
        if isinstance(part, Part)
        for show in part.shows
        if name == getattr(show, "name", getattr(show, "__name__", "").lstrip("_"))
    }.values()
    return list(Part("", [show]).section(data).items)


def row(frame: pd.DataFrame, **at: Any) -> dict[str, Any]:
    """The only row with these values."""
    for name, value in at.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, frame
    return {str(name): value for name, value in frame.iloc[0].items()}


class Expected(NamedTuple):
    """Some cells of a table's row, in a table of the data that the test made by name.

    Attributes:
        data: The name of the data.
        table: The name of the table.
        at: Which row: values by column; a row of several by the first columns.
        cells: Values by column.
    """

    data: str
    table: str
    at: dict[str, Any]
    cells: dict[str, Any]

    def check(self, table: Table) -> None:
        """Compare the table of the name with what is expected."""
        found = row(table.frame, **self.at)
        here = {column: found[column] for column in self.cells}
        assert here == pytest.approx(self.cells, nan_ok=True)


def expected(text: str) -> list[Any]:
    """Parameters of a test, an `Expected` for each line that is no comment.

    A line is `data | table | column=value; ... | column=value; ...`; numbers may be
    fractions, and `nan` is none.
    """
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [pytest.param(_expected(line), id=line.replace(" ", "")) for line in lines]


def _expected(line: str) -> Expected:
    data, table, at, cells = (part.strip() for part in line.split(" | "))
    return Expected(data, table, _values(at), _values(cells))


def _values(text: str) -> dict[str, Any]:
    pairs = (pair.partition("=") for pair in text.split("; ") if text != "-")
    return {name: _value(value) for name, _, value in pairs}


def _value(text: str) -> object:
    if number := re.fullmatch(r"(-?[\d.]+)(?:/(\d+))?", text):
        return float(number[1]) / int(number[2] or 1)
    return {"nan": NONE, "inf": float("inf"), "-inf": float("-inf")}.get(text, text)
