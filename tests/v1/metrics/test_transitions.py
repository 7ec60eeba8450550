"""What becomes of verdicts, between two conditions and from round to round."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.paired import mcnemar
from inspect_debate.v1.metrics.transitions import (
    Transitions,
    gated,
    settling_round,
    transition_shares,
    transitions,
)
from tests.v1.support.strict import no_warnings

NAN = math.nan


BEFORE = [1, 1, 1, 1, 1, 0, 0, 0, NAN, 1, NAN]


AFTER = [1, 1, 0, 0, 0, 1, 0, 0, 1, NAN, NAN]


VERDICTS = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, NAN])] * 2), max_size=30)


pytestmark = no_warnings


def test_by_hand() -> None:
    found = transitions(BEFORE, AFTER)
    assert found == Transitions(2, 3, 1, 2, 8, 4 / 8, 3 / 4, -2 / 8)


def test_swapped_conditions_swap_hurt_and_helped() -> None:
    found = transitions(AFTER, BEFORE)
    assert found == Transitions(2, 1, 3, 2, 8, 4 / 8, 1 / 4, 2 / 8)


def test_published_shares_give_the_published_net() -> None:
    """21 % of verdicts flip, 76 % of these are hurt: 10.9 points less accuracy."""
    before = [1] * 1596 + [0] * 504 + [1] * 7900
    after = [0] * 1596 + [1] * 504 + [1] * 7900
    found = transitions(before, after)
    assert (found.flip_rate, found.hurt_share) == pytest.approx((0.21, 0.76))
    assert found.net == pytest.approx(-0.1092)


def test_without_flips_or_pairs() -> None:
    still = transitions([1, 0], [1, 0])
    assert still[:6] == (1, 0, 0, 1, 2, 0)
    assert math.isnan(still.hurt_share)
    assert still.net == 0
    for nothing in (transitions([], []), transitions([NAN, 1], [1, NAN])):
        assert nothing[:5] == (0, 0, 0, 0, 0)
        assert np.isnan(nothing[5:]).all()


@given(VERDICTS)
def test_the_net_is_the_change_of_accuracy(pairs: list[tuple[float, float]]) -> None:
    found = transitions([b for b, _ in pairs], [a for _, a in pairs])
    read = np.array([pair for pair in pairs if not np.isnan(pair).any()])
    assert found.n == len(read) == sum(found[:4])
    if found.n:
        assert found.net == pytest.approx(float(np.diff(read).mean()))
    if found.hurt + found.helped:
        by_shares = found.flip_rate * (1 - 2 * found.hurt_share)
        assert found.net == pytest.approx(by_shares)


def test_they_are_what_mcnemars_test_counts() -> None:
    counted = transitions(BEFORE[:8], AFTER[:8])
    assert mcnemar(BEFORE[:8], AFTER[:8])[:2] == (counted.hurt, counted.helped)


def test_shares_of_independent_pairs_have_wilsons_interval() -> None:
    flip, hurt = transition_shares(BEFORE, AFTER, range(11))
    assert (flip.value, flip.n) == (4 / 8, 8)
    assert (hurt.value, hurt.n) == (3 / 4, 4)
    assert flip[1:3] == pytest.approx(proportion_interval(4, 8), abs=1e-6)
    assert hurt[1:3] == pytest.approx(proportion_interval(3, 4), abs=1e-6)


SERIES = st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([1, 1, 1, 1, 1, 1], 0),
        ([0, 0, 0], 0),
        ([0, 1, 1, 1, 1, 1], 1),
        ([1, 0, 1, 0, 0, 0], 3),
        ([1, 1, 1, 1, 1, 0], 5),
        ([0, 1, 0, 1, 0, 1], 5),
        ([1], 0),
        ([1, 1, 1, 1, 1, NAN], NAN),
        ([NAN], NAN),
        ([], NAN),
        # An unread verdict may have been the other one.
        ([1, NAN, 1, 1], 2),
        ([NAN, 1, 1, 1], 1),
        ([1, 1, NAN, 1], 3),
        ([0, NAN, 1, 1], 2),
    ],
)
def test_settling(series: list[float], expected: float) -> None:
    assert float(settling_round(series)) == pytest.approx(expected, nan_ok=True)


def test_items_are_taken_one_by_one() -> None:
    table = np.array([[1, 1, 1], [0, 1, 1], [1, 1, 0], [1, 1, NAN]])
    np.testing.assert_array_equal(settling_round(table), [0, 1, 2, NAN])


@given(SERIES)
def test_a_loop_over_the_definition_agrees(series: list[float]) -> None:
    constant = (r for r in range(len(series)) if len(set(series[r:])) == 1)
    expected = NAN if math.isnan(series[-1]) else float(next(constant))
    assert float(settling_round(series)) == pytest.approx(expected, nan_ok=True)


# Confident, not confident, confidence unknown.
CONFIDENT = [1, 0, NAN]


VERDICT_TABLE = [[1, 0, NAN], [1, 0, NAN], [1, 0, NAN]]


CONTEXTUAL, PRIOR, ABSTAINED = 2.0, 1.0, 0.0


def test_decisions() -> None:
    np.testing.assert_array_equal(
        gated(VERDICT_TABLE, CONFIDENT, if_contextual=CONTEXTUAL, if_prior=PRIOR),
        [
            [CONTEXTUAL, PRIOR, NAN],
            [CONTEXTUAL, ABSTAINED, NAN],
            [CONTEXTUAL, NAN, NAN],
        ],
    )


def test_what_holds_by_round() -> None:
    """Two items: the passage is wrong on the first, the memory on the second."""
    verdicts = [[1, 0, 0], [0, 1, 1]]
    contextual, prior = [0, 1], [1, 0]
    correct = gated(verdicts, [1, 1], if_contextual=contextual, if_prior=prior)
    np.testing.assert_array_equal(correct.mean(axis=0), [0, 1, 1])
    answered = gated(verdicts, [1, 0], if_contextual=1, if_prior=1)
    np.testing.assert_array_equal(answered, [[1, 1, 1], [0, 1, 1]])


def test_an_answer_that_is_not_scored_matters_only_where_it_is_given() -> None:
    found = gated([[1, 0]] * 2, [1, 1], if_contextual=[NAN, 1], if_prior=[1, NAN])
    np.testing.assert_array_equal(found, [[NAN, 1], [1, NAN]])


def test_an_abstention_may_be_given_a_value() -> None:
    found = gated(
        [[0], [0]], [0, 0], if_contextual=1, if_prior=1, if_abstained=[NAN, 0.5]
    )
    np.testing.assert_array_equal(found, [[NAN], [0.5]])


@given(st.lists(st.tuples(SERIES, st.sampled_from([0.0, 1.0])), min_size=1))
def test_credulous_and_incredulous_judges(
    items: list[tuple[list[float], float]],
) -> None:
    """Always reasonable is the contextual answer; never is the prior or nothing."""
    confident = np.array([sure for _, sure in items])
    rounds, contextual = 3, np.arange(len(items)) % 2
    ones = np.ones((len(items), rounds))
    always = gated(ones, confident, if_contextual=contextual, if_prior=5)
    never = gated(0 * ones, confident, if_contextual=contextual, if_prior=5)
    for round in range(rounds):
        np.testing.assert_array_equal(always[:, round], contextual)
        np.testing.assert_array_equal(never[:, round], 5 * confident)
