"""The rules of printed numbers: counts, whole bets, shares, and their arithmetic."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from itertools import product
from typing import Any

import pytest

from inspect_debate.published.audit import checked_cells
from inspect_debate.published.colmad import (
    GOLD,
    GOLD_USED,
    SUBSETS,
    Gold,
    Pair,
    bounds,
    counts_of,
    fits_people,
    rounded_before,
    rounds_people,
    rows_of,
    solutions,
)
from inspect_debate.published.engine import Audit, Known, pooled
from inspect_debate.published.expressions import evaluate, filled_in
from inspect_debate.published.shares import fewer_items, items_behind, pool_text
from inspect_debate.published.tables import Paper, paper_of, row_of
from tests.published.corrected import GPT35, SONNET, cells

PAPER = paper_of("colmad")
ROWS = rows_of(PAPER)
PEOPLE = rows_of(PAPER, protocol="human")
OTHER = ("table_2", row_of("ensemble", "Llama3.1-70B", "Mistral-7B-v0.3"))


def test_the_tables_have_all_their_rows() -> None:
    assert [len(table.rows) for table in PAPER.tables.values()] == [31, 16]
    protocols = [row.protocol for row in (*ROWS.values(), *PEOPLE.values())]
    numbers = {protocol: protocols.count(protocol) for protocol in sorted({*protocols})}
    assert numbers == {
        "colmad": 12,
        "copmad": 12,
        "ensemble": 12,
        "human": 2,
        "single": 9,
    }


def test_every_cell_fits_one_table_of_counts_but_where_flagged() -> None:
    unfit = {
        at
        for at, row in ROWS.items()
        for subset in SUBSETS
        if counts_of(row, subset) is None
    }
    assert unfit == {OTHER}


@pytest.mark.parametrize("gold", [Gold(87, 53), Gold(3, 0), Gold(130, 30)])
def test_counts_behind_scores_are_found(gold: Gold) -> None:
    tp, fp = gold.errors - 2, gold.others // 3
    exact = Pair(
        200 * tp / (tp + fp + gold.errors), 500 * tp / (tp + fp + 4 * gold.errors)
    )
    printed = Pair(round(exact.f1, 2), round(exact.f2, 2))
    assert (tp, fp) in solutions(printed, gold)
    assert solutions(Pair(printed.f1, printed.f2 + 0.02), gold) == []


def test_shared_answers_leave_bounds() -> None:
    """What both find is at least what they find together beyond all errors."""
    models = ("GPT4o-mini", "Llama3.1-70B")
    alone = [ROWS["table_1", row_of("single", model)] for model in models]
    one, other = (counts_of(row, "math") for row in alone)
    assert one is not None
    assert other is not None
    first = next(iter(bounds(ROWS, ROWS["table_1", row_of("copmad", *models)])))
    errors = GOLD["table_1", "math"].errors
    assert (first.low, first.high) == (one[0] + other[0] - errors, errors)
    assert first.broken
    kept = bounds(ROWS, ROWS["table_1", row_of("colmad", *models)])
    assert not any(bound.broken for bound in kept)


def test_averages_of_people_are_swapped_and_not_their_cells() -> None:
    for subset in SUBSETS:
        printed = PEOPLE["table_1", "human"].pairs[subset]
        assert fits_people(printed)
        if printed.f1 != printed.f2:
            assert not fits_people(Pair(printed.f2, printed.f1))


def test_mathematics_of_people_follow_from_rounded_parts() -> None:
    printed = PEOPLE["table_2", "human"].pairs["math"]
    assert not fits_people(printed)
    # 29 of 30 errors without a false alarm: recall 96.67, F1 98.31, F2 97.32.
    assert rounded_before(29, 30, 0) == printed == Pair(98.3, 97.34)
    assert rounds_people(printed)
    assert not rounds_people(Pair(98.3, 97.44))


def test_labels_of_the_other_table_fit_one_row_alone() -> None:
    """That one row fits them in all three tasks is no chance."""
    fitting = {
        at
        for at, row in rows_of(PAPER, "table_2").items()
        for subset in SUBSETS
        if solutions(row.pairs[subset], GOLD_USED["table_1", subset])
    }
    assert fitting == {OTHER}


CONFIDENCE = paper_of("confidence")
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
        known(CONFIDENCE, f"{table} / {cell.row} / {cell.column}")
        for cell in CONFIDENCE.matching(f"{table} / * / *")
        if Audit(CONFIDENCE).rule(cell)
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
    found = known(cells(pattern, printed)(CONFIDENCE), pattern)
    assert found.line
    assert (found.how == "open") == explained


SRDCR = paper_of("srdcr")
AUDIT = Audit(SRDCR)
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
    for cell, checked in zip(SRDCR.cells(), checked_cells(AUDIT), strict=True):
        rule = AUDIT.rule(cell)
        if checked.how == "impossible" and rule is not None and rule.rule == "share":
            shares[cell.value] = int(rule.arguments["n"])
    assert len(shares) == 3
    for printed, n in shares.items():
        assert not any(given(printed, size) for size in range(1, n + 1)), printed
        assert fewer_items(printed, n, 1) is None


def test_sonnets_averages_are_the_share_of_292_items() -> None:
    offsets = SRDCR.matching(f"table_2 / {SONNET} srdcr / *, !overall")
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
        (cell,) = SRDCR.matching(at)
        assert pooled(AUDIT, cell) == (140, 292, ())
    # The halves beside it: right passages of 270 to 300.
    (cell,) = SRDCR.matching(OVERALL)
    assert pooled(AUDIT, cell) is None
    assert "no share" in pool_text(None, 69.76, 2)
    for n in range(270, 301):
        for k in given(91.04, n):
            assert Decimal("69.76") not in written(140 + k, 292 + n, 2)


@pytest.mark.parametrize("at", [HALF, OFFSETS])
@pytest.mark.parametrize("printed", ["47.93", "47.96", "48.31"])
def test_another_average_is_no_share_of_them(at: str, printed: str) -> None:
    other = cells(at, printed)(SRDCR)
    (cell,) = other.matching(at)
    assert pooled(Audit(other), cell) is None


def test_a_cell_that_is_no_share_is_supposed() -> None:
    (cell,) = SRDCR.matching(SELF_ASK)
    pool = pooled(AUDIT, cell)
    assert pool is not None
    assert (pool.right, pool.items, pool.supposed) == (44, 300, ("0/60",))
    text = pool_text(pool, cell.value, cell.decimals)
    assert "with 0/60 for the cell that no number of items gives" in text
    # 45 of 300 are 15.0, 44 of 300 14.67: nothing lies between.
    other = cells(SELF_ASK, "14.84")(SRDCR)
    (cell,) = other.matching(SELF_ASK)
    assert pooled(Audit(other), cell) is None


def test_averages_that_are_means_need_no_pool() -> None:
    apart = {
        cell.place
        for cell in SRDCR.matching("* / * / perturbed, overall")
        if (known := AUDIT.known(cell)) and known.how != "cells"
    }
    assert apart == {
        "Table 1, GPT-3.5, Self-Ask, perturbed",
        "Table 2, GPT-3.5, Self-Ask, overall",
        "Table 1, Claude Sonnet 3.7, SR-DCR, perturbed",
        "Table 1, Claude Sonnet 3.7, SR-DCR, overall",
        "Table 2, Claude Sonnet 3.7, SR-DCR, overall",
    }


NAMES: dict[str, Any] = {"a": 3.0, "b": [1.0, 4.0], "scale": {40.0: "mild"}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + 2 * -1 ** 2", 1),
        ("a / 2 - 0.5", 1),
        ("abs(1 - a) < 2 or a == 3", True),
        ("not a > 1 and a != 2", False),
        ("a >= 3", True),
        ("a <= 2", False),
        ("round(mean(b), 1)", 2.5),
        ("(min(b), max(b), sum(b))", (1, 4, 5)),
        ("(1, 4) in [(1, 4)]", True),
        ("scale[a + 37]", "mild"),
        ("sqrt(16)", 4),
        ("round(z(0.05), 3)", 1.96),
    ],
)
def test_values(text: str, value: object) -> None:
    assert evaluate(text, NAMES) == value


@pytest.mark.parametrize(
    "text",
    [
        *("c", "open('x')", "a.real", "__import__('os')", "(lambda: 1)()", "1 < a < 5"),
        *("[x for x in b]", "max(b, key=a)", "f'{a}'", "b[0:1]", "a if a else b"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"."):
        evaluate(text, NAMES)


def test_texts_are_filled_in() -> None:
    text = "{a:.2f} less {a / 2:g} is {a - a / 2:+.1f}, {scale[40]}."
    assert filled_in(text, NAMES) == "3.00 less 1.5 is +1.5, mild."
