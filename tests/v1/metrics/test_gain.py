"""The gap recovered: by hand, as `clustered_mean` has its ends, and planted."""

from math import isnan, nan

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.gain import (
    NEGATIVE,
    NO_GAP,
    TOO_FEW,
    fieller,
    mean_difference,
    recovered,
)


def test_fieller_by_hand() -> None:
    """Means 0.5 and 1.5, both with variance 1/12, and no covariance; t is 3.1824.

    With t² / 12 = 0.84399 the ends are the roots of
    (2.25 - 0.84399) x² - 1.5 x + 0.25 - 0.84399 = 0.
    """
    found = fieller([(1, 2), (0, 1), (1, 1), (0, 2)], "abcd")
    assert found.value == pytest.approx(1 / 3)
    assert found.low == pytest.approx(-0.30740, abs=1e-4)
    assert found.high == pytest.approx(1.37430, abs=1e-4)
    assert found.reason == ""


def test_the_gap_recovered_by_hand() -> None:
    """Of ten questions the judge alone has 2, the protocol 5, the debaters 8."""
    a, b, c = ([1.0] * number + [0.0] * (10 - number) for number in (5, 2, 8))
    found = recovered(a, b, c, range(10))
    assert found.value == pytest.approx((5 - 2) / (8 - 2))
    # What is not known of one of the three is left out of all.
    more = ([*a, 1, nan], [*b, nan, 0], [*c, 1, 1])
    assert recovered(more[0], more[1], more[2], range(12)) == found


def test_questions_that_are_all_alike_have_no_interval() -> None:
    found = recovered([1, 1], [0, 0], [1, 1], "ab")
    assert (found.value, found.reason) == (1, "")
    assert isnan(found.low)
    assert isnan(found.high)


@given(seed=st.integers(0, 10_000), size=st.integers(1, 4))
def test_ends_are_where_the_difference_is_just_not_significant(
    seed: int, size: int
) -> None:
    """Of gain less end times gap Student's interval, clustered, has 0 at an end."""
    draws = np.random.default_rng(seed)
    questions = np.repeat(np.arange(8), size)
    both = (
        draws.normal((0.5, 1), 0.4, (8 * size, 2))
        + draws.normal(0, 0.3, (8, 2))[questions]
    )
    found = fieller(both, questions)
    interval = clustered_mean(both[:, 1], questions).interval()
    if found.reason:
        assert interval.low <= 0
        return
    assert interval.low > 0
    for end in (found.low, found.high):
        ends = clustered_mean(both[:, 0] - end * both[:, 1], questions).interval()
        assert min(abs(ends.low), abs(ends.high)) == pytest.approx(0, abs=1e-8)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(
    ("debaters", "reason"),
    [
        ([1, 1, 0, 0], NO_GAP),
        ([1, 1, 1, 0], NO_GAP),
        ([0, 0, 0, 0], NEGATIVE),
    ],
)
def test_without_a_gap_there_is_no_share(debaters: list[int], reason: str) -> None:
    alone = [1, 1, 0, 0] if reason == NO_GAP else [1, 1, 1, 1]
    found = recovered([1, 1, 1, 1], alone, debaters, "abcd")
    assert found.reason == reason
    assert all(map(isnan, found[:3]))


def test_one_question_is_too_few() -> None:
    assert recovered([1, 1], [0, 0], [1, 1], "aa").reason == TOO_FEW
    assert recovered([], [], [], "") == recovered([nan], [0], [1], "a")


def test_lengths_differ() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        recovered([1], [0, 1], [1, 1], "ab")


@pytest.mark.slow
def test_what_is_planted_is_held_by_its_interval() -> None:
    """In 200 studies of 120 questions with two epochs, whose samples are related."""
    held = []
    for seed in range(200):
        draws = np.random.default_rng(seed)
        questions = np.repeat(np.arange(120), 2)
        # A question's difficulty is shared by the three, and by its epochs.
        ease = draws.uniform(-0.2, 0.2, 120)[questions]
        protocol, alone, debaters = (
            (draws.random(240) < chance + ease).astype(float)
            for chance in (0.6, 0.45, 0.75)
        )
        found = recovered(protocol, alone, debaters, questions)
        held.append(found.low <= 0.5 <= found.high)
    assert 0.9 <= np.mean(held) <= 0.99, np.mean(held)


@pytest.mark.parametrize("seed", range(3))
def test_a_difference_of_means_is_that_of_least_squares(seed: int) -> None:
    draws = np.random.default_rng(seed)
    clusters = draws.integers(0, 12, 80)
    marks = draws.integers(0, 2, 80)
    values = draws.normal(marks * 0.5, 1) + draws.normal(0, 0.5, 12)[clusters]
    found = mean_difference([*values, nan], [*marks, 1], [*clusters, 0])
    model = sm.OLS(values, sm.add_constant(marks.astype(float)))
    options = {"groups": clusters, "use_correction": False}
    theirs = model.fit(cov_type="cluster", cov_kwds=options)
    assert found.value == pytest.approx(theirs.params[1])
    assert found.standard_error == pytest.approx(theirs.bse[1] * np.sqrt(12 / 11))
    assert (found.df, found.n) == (11, 80)


def test_a_difference_that_has_no_test() -> None:
    assert mean_difference([1, 2], [1, 1], "ab").reason == "values of one kind alone"
    assert mean_difference([1, 3], [0, 1], "aa")[::4] == (2, "fewer than two clusters")
    assert mean_difference([1, 3], [0, 1], "ab")[::4] == (2, "all values are equal")
