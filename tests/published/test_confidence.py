"""What contradicts itself in a printed table, and what missing bets may explain."""

import pytest

from inspect_debate.published.engine import Audit, Known
from inspect_debate.published.tables import Paper, paper_of
from tests.published.corrected import cells

PAPER = paper_of("confidence")
CLOSING = "table_15 / overall / closing"
RISE = "table_16 / qwen/qwen-max / open_to_rebuttal"


def known(paper: Paper, pattern: str) -> Known:
    (cell,) = paper.matching(pattern)
    found = Audit(paper).known(cell)
    assert found is not None
    return found


@pytest.mark.parametrize(("table", "apart"), [("table_15", 3), ("table_16", 6)])
def test_uneven_numbers_of_bets_explain_every_cell(table: str, apart: int) -> None:
    found = [
        known(PAPER, f"{table} / {cell.row} / {cell.column}")
        for cell in PAPER.matching(f"{table} / * / *")
        if Audit(PAPER).rule(cell)
    ]
    assert sum(bool(one.line) for one in found) == apart
    assert {one.how for one in found} == {"open"}


@pytest.mark.parametrize(
    ("pattern", "printed", "explained"),
    [
        # No row has so high a mean.
        (CLOSING, "99.00 ± 1.00", False),
        # Nine rows of 12 bets and six of 65.83 are 114 bets that add up to 8,797.
        (CLOSING, "77.17 ± 1.00", True),
        # 95 of 12 debates, of 13 with one of the bets; 47 of six.
        (RISE, "Δ = 7.92, p = 0.0226*", True),
        (RISE, "Δ = 7.83, p = 0.0226*", True),
        # 70 of nine debates; nothing of up to 13 is 7.99.
        (RISE, "Δ = 7.78, p = 0.0226*", True),
        (RISE, "Δ = 7.99, p = 0.0226*", False),
    ],
)
def test_a_cell_is_explained_by_whole_bets(
    pattern: str, printed: str, explained: bool
) -> None:
    found = known(cells(pattern, printed)(PAPER), pattern)
    assert found.line
    assert (found.how == "open") == explained
