import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy import stats
from scipy.stats import percentileofscore

from inspect_debate.metrics.intervals import Array
from inspect_debate.metrics.means import (
    average_ranks,
    calibrated_choice,
    higher_probability,
    percentile_ranks,
)

NAN = math.nan
Choice = Callable[[ArrayLike, ArrayLike], Array]
PROBABILITY = st.integers(1, 99).map(lambda percent: percent / 100) | st.just(NAN)
PAIRS = st.lists(st.tuples(PROBABILITY, PROBABILITY), min_size=1, max_size=20)


def test_ranks_by_hand() -> None:
    found = percentile_ranks([0.9, 0.1, NAN, 0.5, 0.5])
    np.testing.assert_allclose(found, [4 / 4, 1 / 4, NAN, 2.5 / 4, 2.5 / 4])
    assert percentile_ranks([]).size == 0
    np.testing.assert_array_equal(percentile_ranks([NAN, NAN]), [NAN, NAN])


@given(st.lists(st.integers(0, 9).map(float), min_size=1))
def test_ranks_are_those_of_scipy(values: list[float]) -> None:
    expected = percentileofscore(values, values, kind="rank") / 100
    np.testing.assert_allclose(percentile_ranks(values), expected)


# The model is surer of whatever it reads in a passage. Of its answers from memory the
# first is among the surest, although less sure than the contextual one.
P_PRIOR = [0.70, 0.20, 0.30, 0.60]
P_CONTEXTUAL = [0.80, 0.95, 0.99, 0.90]


def test_plain_and_calibrated_choice_differ() -> None:
    np.testing.assert_array_equal(
        higher_probability(P_PRIOR, P_CONTEXTUAL), [1, 1, 1, 1]
    )
    # Ranks 4, 1, 2, 3 against 1, 3, 4, 2 of four.
    np.testing.assert_array_equal(
        calibrated_choice(P_PRIOR, P_CONTEXTUAL), [0, 1, 1, 0]
    )


def test_ties_go_to_the_contextual_answer() -> None:
    np.testing.assert_array_equal(
        higher_probability([0.5, 0.5, 0.6], [0.5, 0.6, 0.5]), [1, 1, 0]
    )
    # Unequal probabilities of equal rank.
    np.testing.assert_array_equal(calibrated_choice([0.9, 0.1], [0.6, 0.5]), [1, 1])


def test_nothing_is_chosen_without_both_probabilities() -> None:
    p_prior, p_contextual = [NAN, 0.5, NAN, 0.9, 0.2], [0.5, NAN, NAN, 0.8, 0.95]
    np.testing.assert_array_equal(
        higher_probability(p_prior, p_contextual), [NAN, NAN, NAN, 0, 1]
    )
    # Among three known of each the ranks are 3 and 2, then 1 and 3.
    np.testing.assert_array_equal(
        calibrated_choice(p_prior, p_contextual), [NAN, NAN, NAN, 0, 1]
    )


@given(PAIRS)
def test_monotone_transforms_change_no_calibrated_choice(
    pairs: list[tuple[float, float]],
) -> None:
    prior, contextual = np.array(pairs).T
    chosen = calibrated_choice(prior, contextual)
    for transformed in (
        calibrated_choice(prior**5 / 2, contextual),
        calibrated_choice(prior, np.log(contextual)),
        calibrated_choice(np.exp(prior), 1 - (1 - contextual) ** 3),
    ):
        np.testing.assert_array_equal(transformed, chosen)


@given(PAIRS)
def test_swapping_sides_swaps_choices_but_for_ties(
    pairs: list[tuple[float, float]],
) -> None:
    prior, contextual = np.array(pairs).T
    one, other = (
        calibrated_choice(prior, contextual),
        calibrated_choice(contextual, prior),
    )
    known = ~np.isnan(one)
    assert (one[known] + other[known] >= 1).all()
    np.testing.assert_array_equal(known, ~np.isnan(other))


@pytest.mark.parametrize("choice", [higher_probability, calibrated_choice])
def test_refusals(choice: Choice) -> None:
    with pytest.raises(ValueError, match="p_prior 1, p_contextual 2"):
        choice([0.5], [0.5, 0.4])
    with pytest.raises(ValueError, match=r"^p_contextual has 2 dimensions"):
        higher_probability([0.5], [[0.5]])
    with pytest.raises(ValueError, match="has 2 dimensions"):
        choice([[0.5]], [[0.5]])


def test_average_ranks_are_those_of_scipy() -> None:
    for values in ([], [3.0], [2.0, 1, 2, 2, 5, 1], [-1.0, 0, -1, 0.5]):
        assert [*average_ranks(np.array(values))] == [*stats.rankdata(values)]
