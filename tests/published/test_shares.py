"""Averages as shares of all items, against decimals written out and plain loops."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from itertools import product

import pytest

from inspect_debate.published.audit import checked_cells
from inspect_debate.published.engine import Audit, pooled
from inspect_debate.published.shares import fewer_items, items_behind, pool_text
from inspect_debate.published.tables import paper_of
from tests.published.corrected import GPT35, SONNET, cells

PAPER = paper_of("srdcr")
AUDIT = Audit(PAPER)
HALF = f"table_1 / {SONNET} srdcr / perturbed"
OVERALL = f"table_1 / {SONNET} srdcr / overall"
OFFSETS = f"table_2 / {SONNET} srdcr / overall"
SELF_ASK = f"table_1 / {GPT35} self_ask / perturbed"


def written(right: int, items: int, digits: int) -> set[Decimal]:
    """A share in percent, as it may be printed."""
    exact = Decimal(100 * right) / items
    unit = Decimal(1).scaleb(-digits)
    return {exact.quantize(unit, way) for way in (ROUND_HALF_UP, ROUND_DOWN)}


def given(printed: float, items: int) -> list[int]:
    """The numbers of items that are printed so, one after the other."""
    digits = max(1, len(str(printed).partition(".")[2]))
    wanted = Decimal(str(printed))
    return [k for k in range(items + 1) if wanted in written(k, items, digits)]


@pytest.mark.parametrize(
    ("printed", "n", "digits", "items"),
    [
        (47.46, 59, 2, 28),
        (47.46, 60, 2, None),
        (8.3, 60, 1, 5),
        (8.3, 60, 2, None),
        (100.0, 7, 1, 7),
        (0.0, 7, 1, 0),
        (72.6, 800, 1, 581),
        (72.6, 400, 1, None),
        # 43.6363 and 47.9452, cut off; the latter rounded, too.
        (43.63, 55, 2, 24),
        (47.94, 292, 2, 140),
        (47.95, 292, 2, 140),
        # 12.5 is neither 12.4 nor 12.6, and 66.67 not 66.65.
        *((12.4, 8, 1, None), (12.5, 8, 1, 1), (12.6, 8, 1, None)),
        (66.65, 3, 2, None),
    ],
)
def test_shares(printed: float, n: int, digits: int, items: int | None) -> None:
    assert items_behind(printed, n, digits) == items


@pytest.mark.parametrize("printed", [0.0, 1.0, 43.63, 47.37, 57.0, 91.04, 99.9, 100.0])
def test_shares_are_those_that_are_written_so(printed: float) -> None:
    digits = max(1, len(str(printed).partition(".")[2]))
    for n in range(1, 301):
        found = items_behind(printed, n, digits)
        all_of_them = given(printed, n)
        assert (found is None) == (not all_of_them), n
        assert found is None or found in all_of_them, n


def test_what_is_called_impossible_no_numbers_of_items_give() -> None:
    shares = {}
    for cell, checked in zip(PAPER.cells(), checked_cells(AUDIT), strict=True):
        rule = AUDIT.rule(cell)
        if checked.how == "impossible" and rule is not None and rule.rule == "share":
            shares[cell.value] = int(rule.arguments["n"])
    assert len(shares) == 3
    for printed, n in shares.items():
        assert not any(given(printed, size) for size in range(1, n + 1)), printed
        assert fewer_items(printed, n, 1) is None


def test_sonnets_averages_are_the_share_of_292_items() -> None:
    offsets = PAPER.matching(f"table_2 / {SONNET} srdcr / *, !overall")
    shares = [
        [(k, n) for n in range(54, 61) for k in given(cell.value, n)]
        for cell in offsets
    ]
    sums = {
        (sum(k for k, _ in one), sum(n for _, n in one)) for one in product(*shares)
    }
    for printed, at in (("47.94", HALF), ("47.95", OFFSETS)):
        fitting = [one for one in sums if Decimal(printed) in written(*one, 2)]
        assert fitting == [(140, 292)]
        (cell,) = PAPER.matching(at)
        assert pooled(AUDIT, cell) == (140, 292, ())
    # The halves beside it: right passages of 270 to 300.
    (cell,) = PAPER.matching(OVERALL)
    assert pooled(AUDIT, cell) is None
    assert "no share" in pool_text(None, 69.76, 2)
    for n in range(270, 301):
        for k in given(91.04, n):
            assert Decimal("69.76") not in written(140 + k, 292 + n, 2)


@pytest.mark.parametrize("at", [HALF, OFFSETS])
@pytest.mark.parametrize("printed", ["47.93", "47.96", "48.31"])
def test_another_average_is_no_share_of_them(at: str, printed: str) -> None:
    other = cells(at, printed)(PAPER)
    (cell,) = other.matching(at)
    assert pooled(Audit(other), cell) is None


def test_a_cell_that_is_no_share_is_supposed() -> None:
    (cell,) = PAPER.matching(SELF_ASK)
    pool = pooled(AUDIT, cell)
    assert pool is not None
    assert (pool.right, pool.items, pool.supposed) == (44, 300, ("0/60",))
    told = pool_text(pool, cell.value, cell.decimals)
    assert "with 0/60 for the cell that no number of items gives" in told
    # 45 of 300 are 15.0, 44 of 300 14.67: nothing lies between.
    other = cells(SELF_ASK, "14.84")(PAPER)
    (cell,) = other.matching(SELF_ASK)
    assert pooled(Audit(other), cell) is None


def test_averages_that_are_means_need_no_pool() -> None:
    apart = {
        cell.place
        for cell in PAPER.matching("* / * / perturbed, overall")
        if (known := AUDIT.known(cell)) and known.how != "cells"
    }
    assert apart == {
        "Table 1, GPT-3.5, Self-Ask, perturbed",
        "Table 2, GPT-3.5, Self-Ask, overall",
        "Table 1, Claude Sonnet 3.7, SR-DCR, perturbed",
        "Table 1, Claude Sonnet 3.7, SR-DCR, overall",
        "Table 2, Claude Sonnet 3.7, SR-DCR, overall",
    }
