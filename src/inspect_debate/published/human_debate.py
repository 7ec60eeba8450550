"""The numbers of the study of people who debate beside its released debates.

`cli/released_people.py` computes what the debates give, by the functions of reports.
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from inspect_debate.published.engine import Audit, Check, Finding, How, Known
from inspect_debate.published.realmistake import ReleasedFile
from inspect_debate.published.tables import (
    Inconsistency,
    PrintedCell,
    without_spaces,
)

DEBATES = ReleasedFile(
    "nyu_debates/debates.jsonl.xz",
    413,
    "54c2b79174e4da9198ea6390d69956044783f28b154573ec279f3d7f8c2dd5c8",
)
"""The debates, a line each."""

Spot = tuple[str, str, str]
"""A table, row and column."""


class People(NamedTuple):
    """What the released debates give.

    Attributes:
        ours: By printed cell; what is no plain number in the paper's form.
        tests: What other tests than the printed ones give, a line each, by the id of
            the inconsistency.
    """

    ours: Mapping[Spot, float | str]
    tests: Mapping[str, Sequence[str]]


def compared(audit: Audit, cell: PrintedCell) -> Known | None:
    """A cell beside the debates' value; None where they have none, or are not there."""
    ours = _ours(audit, cell)
    if ours is None:
        return None
    how: How = "data" if without_spaces(ours) == cell.plain else "differs"
    return Known(how, ours, cell.note)


def _ours(audit: Audit, cell: PrintedCell) -> str | None:
    """Our value, with as many decimals as are printed."""
    found = audit.data.people
    value = None if found is None else _value(found, cell)
    return printed_as(value, cell) if isinstance(value, float) else value


def _value(found: People, cell: PrintedCell) -> float | str | None:
    return found.ours.get((cell.table, cell.row, cell.column))


def printed_as(value: float, cell: PrintedCell) -> str:
    """A number as the paper would print it there: a half is rounded away from zero."""
    digits = len(cell.plain.partition(".")[2])
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return str(rounded if rounded else abs(rounded))


def debates_differ(audit: Audit, entry: Inconsistency) -> Finding | None:
    """Cells that are not what the debates give."""
    found = audit.data.people
    if found is None:
        return None
    cells, lines = [], []
    for cell in audit.paper.found(entry.where):
        value = _value(found, cell)
        if without_spaces(_ours(audit, cell) or "") != cell.plain:
            exact = f"{value:.4g}" if isinstance(value, float) else value
            lines.append(f"{cell.place}: printed {cell.printed}; here {exact}.")
            cells.append(cell)
    return Finding(lines, cells)


def other_tests(audit: Audit, entry: Inconsistency) -> Finding | None:
    """P-values by other tests than the printed ones are of."""
    found = audit.data.people
    if found is None:
        return None
    return Finding(found.tests[entry.id], audit.paper.found(entry.where))


CHECKS: Mapping[str, Check] = {
    "debates differ": debates_differ,
    "other tests": other_tests,
}
