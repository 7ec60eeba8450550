"""Rows of tables, and texts of notices."""

from collections.abc import Iterable
from typing import Any

from inspect_debate.reports.elements import Notice, Table
from inspect_debate.reports.tables import laid_out


def row(table: Table | None, **at: Any) -> dict[str, Any]:
    """The only row with these values, by the names of the columns."""
    assert table is not None
    assert laid_out(table).bodies[0].rows
    frame = table.frame
    for name, value in at.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1, frame
    return {str(name): value for name, value in frame.iloc[0].items()}


def text(notices: Iterable[Notice]) -> str:
    """The text of the only notice."""
    (found,) = notices
    return found.text
