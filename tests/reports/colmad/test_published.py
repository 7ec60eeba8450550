"""ColMAD's tables as printed: complete, and what their cells say of each other."""

import pytest

from inspect_debate.published.printed import Pair, colmad_tables
from inspect_debate.reports.colmad.audit import (
    CLAIMS,
    GOLD,
    Gold,
    Place,
    always_error,
    bounds,
    cell,
    counts_of,
    fits_people,
    gold_used,
    is_mean,
    is_swapped,
    means,
    rounded_before,
    rounds_people,
    rows_of,
    solutions,
)
from inspect_debate.reports.colmad.frames import SUBSETS

TABLES = colmad_tables()
ROWS = rows_of(TABLES)
PEOPLE = rows_of(TABLES, people=True)


def test_the_tables_have_all_their_rows() -> None:
    assert [len(TABLES.rows(author)) for author in ("gpt4", "llama2")] == [31, 16]
    protocols = [at.protocol for at in (*ROWS, *PEOPLE)]
    numbers = {protocol: protocols.count(protocol) for protocol in sorted({*protocols})}
    assert numbers == {
        "colmad": 12,
        "copmad": 12,
        "ensemble": 12,
        "human": 2,
        "single": 9,
    }
    assert TABLES.rows("someone") == ()


def test_every_flag_is_explained_and_used() -> None:
    used = {flag for row in (ROWS | PEOPLE).values() for flag in row.flags}
    assert used == TABLES.flags.keys()


def test_every_cell_fits_one_table_of_counts_but_where_flagged() -> None:
    for at, row in ROWS.items():
        for subset in SUBSETS:
            unfit = counts_of(at, row, subset) is None
            assert unfit == ("of_the_other_table" in row.flags), at


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
    at = Place("gpt4", "copmad", "GPT4o-mini", "Llama3.1-70B")
    alone = [
        Place("gpt4", "single", model, None) for model in ("GPT4o-mini", "Llama3.1-70B")
    ]
    one, other = (counts_of(place, ROWS[place], "math") for place in alone)
    assert one is not None
    assert other is not None
    first = next(iter(bounds(ROWS, at)))
    errors = GOLD["gpt4", "math"].errors
    assert (first.low, first.high) == (one[0] + other[0] - errors, errors)
    assert first.broken
    assert not any(
        bound.broken for bound in bounds(ROWS, at._replace(protocol="colmad"))
    )


def test_averages() -> None:
    human = next(iter(PEOPLE.values()))
    assert is_swapped(human)
    assert not is_mean(human)
    right = human.model_copy(update={"mean": means(human)})
    assert is_mean(right)
    assert not is_swapped(right)
    assert means(human).f1 == pytest.approx((90.0 + 95.45 + 90.48) / 3)
    assert cell(human, "fact") == Pair(95.45, 95.45)


def test_always_error() -> None:
    assert always_error("gpt4") == pytest.approx((76.83, 89.24), abs=0.005)
    assert always_error("llama2") == pytest.approx((89.27, 95.41), abs=0.005)


def test_averages_of_people_are_swapped_and_not_their_cells() -> None:
    (row,) = [row for at, row in PEOPLE.items() if at.author == "gpt4"]
    assert is_swapped(row)
    for subset in SUBSETS:
        printed = cell(row, subset)
        assert fits_people(printed)
        if printed.f1 != printed.f2:
            assert not fits_people(Pair(printed.f2, printed.f1))


def test_mathematics_of_people_follow_from_rounded_parts() -> None:
    (row,) = [row for at, row in PEOPLE.items() if at.author == "llama2"]
    assert not fits_people(row.math)
    # 29 of 30 errors without a false alarm: recall 96.67, F1 98.31, F2 97.32.
    assert rounded_before(29, 30, 0) == row.math == Pair(98.3, 97.34)
    assert rounds_people(row.math)
    assert not rounds_people(Pair(98.3, 97.44))


def test_labels_of_the_other_table_fit_one_row_alone() -> None:
    """That one row fits them in all three tasks is no chance."""
    fitting = {
        at
        for at, row in ROWS.items()
        for subset in SUBSETS
        if at.author == "llama2"
        and solutions(cell(row, subset), gold_used("gpt4", subset))
    }
    assert [str(at) for at in fitting] == [
        "Table 2, ensemble, Llama3.1-70B + Mistral-7B-v0.3"
    ]


def test_what_the_text_says_where_a_convention_bears_it_out() -> None:
    """The F1 of both claims is the table's, cut off; the F2 is not."""
    said = {name: check(TABLES).lines for name, (_, check) in CLAIMS.items()}
    assert "13.76 and 24.86" in said["copmad_decrease"][0]
    assert "13.16 and 24.15 (Table 1, ensemble" in said["copmad_decrease"][0]
    assert said["larger_gain"][-1] == "The most of F1 is 4.64, which is 4 if cut off."
    assert said["small_margin"][-1] == (
        "Averages over tasks: +2.81 of F1 and +6.04 of F2 at least."
    )
    assert "(88.94 with the labels used)" in said["always_error_is_better"][0]
