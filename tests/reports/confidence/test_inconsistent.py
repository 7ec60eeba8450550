"""What contradicts itself in a printed table, and what missing bets may explain."""

import pytest

from inspect_debate.reports.confidence.audit import Spot, contradicted, inconsistent
from tests.reports.corrected import cell, corrected

CLOSING = Spot("table_15", "overall", "closing")
RISE = Spot("table_16", "qwen/qwen-max", "open_to_rebuttal")


@pytest.mark.parametrize(("spot", "apart"), [(CLOSING, 3), (RISE, 6)])
def test_uneven_numbers_of_bets_explain_every_cell(spot: Spot, apart: int) -> None:
    published = corrected("confidence", lambda content: None)
    found = inconsistent(spot.table, published).places
    assert len(found) == apart
    assert spot in found
    assert not contradicted(spot.table, published)


@pytest.mark.parametrize(
    ("spot", "printed", "explained"),
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
    spot: Spot, printed: str, explained: bool
) -> None:
    edit = cell(spot.table, spot.row, f"{spot.column}={printed}")
    other = corrected("confidence", edit)
    assert spot in inconsistent(spot.table, other).places
    assert (spot not in contradicted(spot.table, other)) == explained
