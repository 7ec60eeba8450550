"""ColMAD's tables as printed: what adds up, and a check behind every flag."""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import pytest

from inspect_debate.analysis.published import Pair, PublishedRow, colmad_tables
from inspect_debate.core.measures.detection import Counts, baselines, f1, f2

TABLES = colmad_tables()
SUBSETS = ("math", "fact", "answerability")
AUTHORS = ("gpt4", "llama2")


class Gold(NamedTuple):
    errors: int
    others: int


GOLD = {
    ("gpt4", "math"): Gold(87, 53),
    ("gpt4", "fact"): Gold(88, 52),
    ("gpt4", "answerability"): Gold(87, 53),
    ("llama2", "math"): Gold(128, 32),
    ("llama2", "fact"): Gold(129, 31),
    ("llama2", "answerability"): Gold(130, 30),
}
ROWS = [(author, row) for author in AUTHORS for row in TABLES.rows(author)]
MODELS_ROWS = [(author, row) for author, row in ROWS if row.protocol != "human"]
PAIRED = [(author, row) for author, row in MODELS_ROWS if row.debater_b]


def cell(row: PublishedRow, subset: str) -> Pair:
    found = getattr(row, subset)
    assert isinstance(found, Pair)
    return found


def solutions(printed: Pair, gold: Gold) -> list[tuple[int, int]]:
    """Numbers of hits and false alarms that give the printed F1 and F2."""
    return [
        (tp, fp)
        for tp, fp in product(range(gold.errors + 1), range(gold.others + 1))
        if tp + fp
        and _prints(200 * tp / (tp + fp + gold.errors), printed.f1)
        and _prints(500 * tp / (tp + fp + 4 * gold.errors), printed.f2)
    ]


def _prints(exact: float, printed: float) -> bool:
    return abs(exact - printed) <= 0.005 + 1e-9


def gold_of(author: str, subset: str) -> Gold:
    """The labels that a table was computed with."""
    gold = GOLD[author, subset]
    return Gold(85, gold.others) if (author, subset) == ("gpt4", "fact") else gold


def counts_of(author: str, row: PublishedRow, subset: str) -> tuple[int, int]:
    (only,) = solutions(cell(row, subset), gold_of(author, subset))
    return only


def single(author: str, model: str | None) -> PublishedRow:
    (found,) = [
        row
        for row in TABLES.rows(author)
        if row.protocol == "single" and row.debater_a == model
    ]
    return found


def broken_bounds(author: str, row: PublishedRow) -> int:
    """How many counts are impossible if both debaters' shared answers were kept.

    An item on which both say "error" is then a hit or a false alarm of the pair, one
    on which neither says it is not; the printed single answers bound how many.
    """
    broken = 0
    for subset in SUBSETS:
        pair = counts_of(author, row, subset)
        one = counts_of(author, single(author, row.debater_a), subset)
        other = counts_of(author, single(author, row.debater_b), subset)
        for value, a, b, n in zip(
            pair, one, other, gold_of(author, subset), strict=True
        ):
            broken += not max(0, a + b - n) <= value <= min(n, a + b)
    return broken


def flagged(flag: str) -> list[tuple[str, PublishedRow]]:
    assert flag in TABLES.flags
    return [(author, row) for author, row in ROWS if flag in row.flags]


def without(*flags: str) -> list[tuple[str, PublishedRow]]:
    return [(author, row) for author, row in ROWS if not {*flags} & {*row.flags}]


def means(row: PublishedRow) -> tuple[float, float]:
    cells = [cell(row, subset) for subset in SUBSETS]
    return sum(c.f1 for c in cells) / 3, sum(c.f2 for c in cells) / 3


def test_the_tables_have_all_their_rows() -> None:
    assert [len(TABLES.rows(author)) for author in AUTHORS] == [31, 16]
    protocols = [row.protocol for _, row in ROWS]
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
    used = {flag for _, row in ROWS for flag in row.flags}
    assert used == TABLES.flags.keys()


def test_averages_are_those_of_the_cells_but_where_flagged() -> None:
    for _, row in without("averages_swapped"):
        assert row.mean == pytest.approx(means(row), abs=0.01)
    ((_, human),) = flagged("averages_swapped")
    assert tuple(reversed(human.mean)) == pytest.approx(means(human), abs=0.01)


def test_every_cell_fits_one_table_of_counts_but_where_flagged() -> None:
    for author, row in MODELS_ROWS:
        if "of_the_other_table" not in row.flags:
            for subset in SUBSETS:
                counts_of(author, row, subset)  # exactly one


def test_fact_verification_was_computed_with_85_errors() -> None:
    rows = flagged("fact_with_85_errors")
    assert rows == [(a, row) for a, row in MODELS_ROWS if a == "gpt4"]
    fits = {
        errors: sum(
            bool(solutions(row.fact, Gold(errors, 140 - errors))) for _, row in rows
        )
        for errors in range(80, 96)
    }
    assert fits.pop(85) == 30
    assert fits[88] == 0
    assert max(fits.values()) <= 1


def test_rows_that_no_run_with_the_short_cut_can_give() -> None:
    broken = {
        (author, row.protocol, row.debater_a, row.debater_b)
        for author, row in PAIRED
        if "of_the_other_table" not in row.flags and broken_bounds(author, row)
    }
    flags = [*flagged("no_short_cut"), *flagged("not_an_ensemble")]
    assert broken == {(a, r.protocol, r.debater_a, r.debater_b) for a, r in flags}
    assert {r.protocol for _, r in flagged("no_short_cut")} == {"copmad"}
    assert len(flagged("no_short_cut")) == 10
    ((author, ensemble),) = flagged("not_an_ensemble")
    assert (author, ensemble.protocol) == ("llama2", "ensemble")


def test_an_ensemble_was_scored_on_the_other_responses() -> None:
    ((author, row),) = flagged("of_the_other_table")
    assert (author, row.protocol) == ("llama2", "ensemble")
    for subset in SUBSETS:
        assert solutions(cell(row, subset), gold_of("llama2", subset)) == []
        assert len(solutions(cell(row, subset), gold_of("gpt4", subset))) == 1
    assert row.math == row.answerability


def test_a_human_cell_was_rounded_twice() -> None:
    ((author, human),) = flagged("rounded_twice")
    assert (author, human.protocol) == ("llama2", "human")
    # The mathematics subset that people labelled has at most 35 responses.
    sizes = [Gold(errors, 35 - errors) for errors in range(1, 36)]
    assert not any(solutions(human.math, size) for size in sizes)
    # With 30 errors: 29 found, and no false alarm.
    exact = Counts(tp=29, fp=0, fn=1, tn=4)
    assert 100 * f1(exact) == pytest.approx(human.math.f1, abs=0.011)
    assert 100 * f2(exact) == pytest.approx(human.math.f2, abs=0.026)


def test_always_error_beats_most_rows() -> None:
    trivial: Mapping[str, list[Counts]] = {
        author: [
            baselines(Counts(gold.errors, gold.others, 0, 0))["always_error"]
            for (of, _), gold in GOLD.items()
            if of == author
        ]
        for author in AUTHORS
    }
    best_f2 = {
        author: sum(100 * f2(counts) for counts in trivial[author]) / 3
        for author in AUTHORS
    }
    assert best_f2 == pytest.approx({"gpt4": 89.24, "llama2": 95.41}, abs=0.005)
    for author, row in MODELS_ROWS:
        assert row.mean.f2 < best_f2[author]
