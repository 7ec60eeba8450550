"""Averages as shares of all items, against decimals written out and plain loops."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from itertools import product
from typing import Any

import pytest

from inspect_debate.published.printed import items_behind, srdcr_tables
from inspect_debate.reports.srdcr.audit import (
    YEARS,
    Place,
    cells,
    checked_cells,
    fewer_items,
    means,
    of_items,
    pooled,
    told_pool,
)
from tests.reports.corrected import GPT35, SONNET, corrected, share

PUBLISHED = srdcr_tables()
HALF = Place("table_1", SONNET, "srdcr", "perturbed")
OVERALL = HALF._replace(column="overall")
OFFSETS = Place("table_2", SONNET, "srdcr", "overall")


def written(right: int, items: int, digits: int) -> set[Decimal]:
    """A share in percent, as it may be printed."""
    exact = Decimal(100 * right) / items
    unit = Decimal(1).scaleb(-digits)
    return {exact.quantize(unit, way) for way in (ROUND_HALF_UP, ROUND_DOWN)}


def edited(at: Place, value: float) -> Any:
    return corrected("srdcr", share(at.table, at.model, at.arm, **{at.column: value}))


def given(printed: float, items: int) -> list[int]:
    """The numbers of items that are printed so, one after the other."""
    digits = max(1, len(str(printed).partition(".")[2]))
    wanted = Decimal(str(printed))
    return [k for k in range(items + 1) if wanted in written(k, items, digits)]


@pytest.mark.parametrize("printed", [0.0, 1.0, 43.63, 47.37, 57.0, 91.04, 99.9, 100.0])
def test_shares_are_those_that_are_written_so(printed: float) -> None:
    digits = max(1, len(str(printed).partition(".")[2]))
    for n in range(1, 301):
        found = items_behind(printed, n, digits)
        all_of_them = given(printed, n)
        assert (found is None) == (not all_of_them), n
        assert found is None or found in all_of_them, n


def test_what_is_called_impossible_no_numbers_of_items_give() -> None:
    averages = means(PUBLISHED)
    places = zip(checked_cells(PUBLISHED), cells(PUBLISHED).items(), strict=True)
    shares = {
        at: cell.value
        for checked, (at, cell) in places
        if checked.how == "impossible" and at not in averages
    }
    assert len(shares) == 3
    for at, printed in shares.items():
        assert printed is not None
        n = of_items(at)
        assert n is not None
        assert not any(given(printed, size) for size in range(1, n + 1)), at
        assert fewer_items(printed, n) is None


def test_sonnets_averages_are_the_share_of_292_items() -> None:
    offsets = [PUBLISHED.cell("table_2", SONNET, "srdcr", year).value for year in YEARS]
    shares = [
        [(k, n) for n in range(54, 61) for k in given(cell or 0.0, n)]
        for cell in offsets
    ]
    sums = {
        (sum(k for k, _ in one), sum(n for _, n in one)) for one in product(*shares)
    }
    for printed, at in (("47.94", HALF), ("47.95", OFFSETS)):
        fitting = [one for one in sums if Decimal(printed) in written(*one, 2)]
        assert fitting == [(140, 292)]
        pool = pooled(PUBLISHED, at)
        assert pool is not None
        assert (pool.right, pool.items, pool.supposed) == (140, 292, ())
    # The halves beside it: right passages of 270 to 300.
    assert pooled(PUBLISHED, OVERALL) is None
    assert "no share" in told_pool(None)
    for n in range(270, 301):
        for k in given(91.04, n):
            assert Decimal("69.76") not in written(140 + k, 292 + n, 2)


@pytest.mark.parametrize("at", [HALF, OFFSETS])
@pytest.mark.parametrize("printed", [47.93, 47.96, 48.31])
def test_another_average_is_no_share_of_them(at: Place, printed: float) -> None:
    assert pooled(edited(at, printed), at) is None


def test_a_cell_that_is_no_share_is_supposed() -> None:
    at = Place("table_1", GPT35, "self_ask", "perturbed")
    pool = pooled(PUBLISHED, at)
    assert pool is not None
    assert (pool.right, pool.items, pool.supposed) == (44, 300, ("0/60",))
    assert "with 0/60 for the cell that no number of items gives" in told_pool(pool)
    # 45 of 300 are 15.0, 44 of 300 14.67: nothing lies between.
    assert pooled(edited(at, 14.84), at) is None


def test_averages_that_are_means_need_no_pool() -> None:
    apart = {at for at, (_, right) in means(PUBLISHED).items() if not right}
    self_ask = Place("table_1", GPT35, "self_ask", "perturbed")
    self_asks = {self_ask, Place("table_2", GPT35, "self_ask", "overall")}
    assert apart == self_asks | {HALF, OVERALL, OFFSETS}
