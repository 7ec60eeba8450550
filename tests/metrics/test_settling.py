import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.transitions import gated, settling_round

NAN = math.nan
VERDICTS = st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=1, max_size=7)


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


@given(VERDICTS)
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


@given(st.lists(st.tuples(VERDICTS, st.sampled_from([0.0, 1.0])), min_size=1))
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


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"verdicts holds 2\.0"):
        settling_round([0, 2])
    with pytest.raises(ValueError, match="verdicts has 1 dimensions instead of 2"):
        gated([1, 0], [1], if_contextual=1, if_prior=1)
    with pytest.raises(ValueError, match="verdicts 2, confident 1"):
        gated([[1], [0]], [1], if_contextual=1, if_prior=1)
    with pytest.raises(ValueError, match=r"confident holds 0\.9"):
        gated([[1]], [0.9], if_contextual=1, if_prior=1)
    with pytest.raises(ValueError, match="shape"):
        gated([[1], [0]], [1, 0], if_contextual=[1, 1, 1], if_prior=1)
