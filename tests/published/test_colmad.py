"""What the cells of ColMAD's tables say of each other and of the data."""

import pytest

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
from inspect_debate.published.tables import paper_of, row_of

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
