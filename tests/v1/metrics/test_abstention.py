"""Right answers, answers, and both together, where one may abstain."""

import math
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.abstention import Answered, by_condition
from inspect_debate.v1.metrics.intervals import proportion_interval

NAN = math.nan


def of_one_condition(
    correct: Sequence[float], answered: Sequence[float], names: Iterable[Hashable]
) -> Answered:
    return by_condition(correct, answered, [1] * len(correct), names).standard


def values(found: Answered) -> tuple[float, ...]:
    return tuple(each.value for each in found)


def numbers(found: Answered) -> tuple[int, ...]:
    return tuple(each.n for each in found)


@pytest.mark.parametrize(
    ("correct", "answered", "expected", "n"),
    [
        # Three right, one wrong, one abstention: it counts in two of three.
        ([1, 1, 1, 0, 0], [1, 1, 1, 1, 0], (3 / 5, 4 / 5, 3 / 4), (5, 5, 4)),
        ([1, 1, 1, 0], [1, 1, 1, 1], (3 / 4, 1, 3 / 4), (4, 4, 4)),
        ([0, 0, 0], [0, 0, 0], (0, 0, NAN), (3, 3, 0)),
        # What is not scored counts nowhere, whichever of the two says so.
        ([1, 0, NAN, 1, NAN], [1, 0, 1, NAN, NAN], (1 / 2, 1 / 2, 1), (2, 2, 1)),
        ([0, NAN], [NAN, 0], (NAN, NAN, NAN), (0, 0, 0)),
        ([], [], (NAN, NAN, NAN), (0, 0, 0)),
    ],
)
def test_abstentions_in_and_out_of_the_denominator(
    correct: list[float],
    answered: list[float],
    expected: tuple[float, ...],
    n: tuple[int, ...],
) -> None:
    found = of_one_condition(correct, answered, range(len(correct)))
    assert values(found) == pytest.approx(expected, nan_ok=True)
    assert numbers(found) == n


def test_intervals_are_wilsons_where_questions_stand_alone() -> None:
    correct, answered = [1] * 30 + [0] * 30, [1] * 40 + [0] * 20
    found = of_one_condition(correct, answered, range(60))
    for share, (successes, n) in zip(
        found, [(30, 60), (40, 60), (30, 40)], strict=True
    ):
        assert share[1:3] == pytest.approx(proportion_interval(successes, n), abs=1e-6)


@given(
    st.lists(st.tuples(*[st.sampled_from([(1, 1), (0, 1), (0, 0)])] * 2), min_size=1)
)
def test_overall_is_coverage_times_selective_where_halves_are_as_large(
    questions: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    right, given = zip(*(half for both in questions for half in both), strict=True)
    halves, names = [1, 0] * len(questions), np.repeat(range(len(questions)), 2)
    accuracy, coverage, selective = values(
        by_condition(right, given, halves, names.tolist()).overall
    )
    assert coverage == 0 or accuracy == pytest.approx(coverage * selective)


# Questions a, b, c and d with the right passage, then perturbed.
CORRECT = [1, 1, 1, 0, 1, 0, 0, NAN]
ANSWERED = [1, 1, 1, 1, 1, 0, 1, NAN]
STANDARD = [1, 1, 1, 1, 0, 0, 0, 0]
QUESTIONS = "abcdabcd"


def test_conditions_and_their_mean() -> None:
    found = by_condition(CORRECT, ANSWERED, STANDARD, QUESTIONS)
    assert values(found.standard) == (3 / 4, 1, 3 / 4)
    assert values(found.perturbed) == pytest.approx((1 / 3, 2 / 3, 1 / 2))
    # The mean of the conditions, not 4 of 7 and 6 of 7; and 4 right of 6 answers.
    assert values(found.overall) == pytest.approx((13 / 24, 5 / 6, 4 / 6))
    assert numbers(found.overall) == (7, 7, 6)
    # What is of no condition counts nowhere.
    more = [*STANDARD, NAN]
    assert found == by_condition([*CORRECT, 1], [*ANSWERED, 1], more, QUESTIONS + "e")


def test_a_condition_is_what_its_items_give_alone() -> None:
    found = by_condition(CORRECT, ANSWERED, STANDARD, QUESTIONS)
    assert found.standard == of_one_condition(CORRECT[:4], ANSWERED[:4], QUESTIONS[:4])
    perturbed = of_one_condition(CORRECT[4:], ANSWERED[4:], QUESTIONS[4:])
    np.testing.assert_allclose(found.perturbed, perturbed)


def test_a_condition_without_a_value_leaves_no_mean() -> None:
    found = by_condition([1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], "abab")
    assert found.perturbed.selective.n == 0
    # Nothing is answered there; of the two answers elsewhere one is right.
    assert values(found.overall) == (1 / 4, 1 / 2, 1 / 2)
    only = by_condition([1, 0], [1, 1], [1, 1], "ab")
    assert values(only.standard) == (1 / 2, 1, 1 / 2)
    assert np.isnan(values(only.overall)).all()


def test_the_interval_of_the_mean_knows_that_halves_belong_together() -> None:
    known = [1, 0] * 50
    everything, halves = [1] * 200, [1] * 100 + [0] * 100
    together, apart = (
        by_condition(known * 2, everything, halves, names).overall.accuracy
        for names in ([*range(100)] * 2, range(200))
    )
    assert together.value == apart.value == 0.5
    assert together.high - together.low > 1.3 * (apart.high - apart.low)
