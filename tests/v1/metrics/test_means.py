"""Means and their tests, and ranks."""

import math

import numpy as np
import pytest
from scipy import stats

from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.means import (
    Alternative,
    MeanEstimate,
    average_ranks,
    cluster_means,
    pooled_mean,
)
from tests.v1.support.strict import no_warnings

NAN = math.nan


BETS = [55.0, 60, 50, NAN, 75, 80, 45, 70, 65, 65]


KNOWN = [bet for bet in BETS if not math.isnan(bet)]


ALTERNATIVES: list[Alternative] = ["two-sided", "greater", "less"]


pytestmark = [
    no_warnings,
    # What earlier tests left behind may be cleared away in the middle of one here.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("null", [0, 50, 62, 70])
def test_pooled_mean_has_student_s_test(null: float, alternative: Alternative) -> None:
    mean = pooled_mean(BETS)
    expected = stats.ttest_1samp(KNOWN, null, alternative=alternative)
    assert mean.n == 9
    assert mean.df == expected.df
    assert mean.statistic(null) == pytest.approx(expected.statistic)
    assert mean.p(null, alternative) == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_interval_is_two_sided(level: float) -> None:
    expected = stats.ttest_1samp(KNOWN, 0).confidence_interval(level)
    assert pooled_mean(BETS).interval(level) == pytest.approx(tuple(expected))


def test_interval_of_a_share_is_hardly_wider_than_wilson_s() -> None:
    values = np.arange(400) < 360
    low, high = pooled_mean(values).interval(bounds=(0, 1))
    wilson = proportion_interval(360, 400)
    assert (low, high) == pytest.approx(tuple(wilson), abs=0.001)
    assert low < wilson.low < wilson.high < high < 1


def test_interval_of_a_share_with_few_degrees_of_freedom() -> None:
    mean = MeanEstimate(value=0.6, standard_error=0.2, df=9, n=60)
    # 0.24 / 0.04 is worth 6 independent values; t is 2.262 and z 1.960.
    size = 6 * (1.959964 / 2.262157) ** 2
    expected = proportion_interval(0.6 * size, size)
    assert mean.interval(bounds=(0, 1)) == pytest.approx(tuple(expected), abs=1e-5)


def test_bets_have_the_interval_of_a_share_on_their_scale() -> None:
    mean = MeanEstimate(value=60, standard_error=20, df=9, n=60)
    share = MeanEstimate(value=0.6, standard_error=0.2, df=9, n=60)
    low, high = share.interval(bounds=(0, 1))
    assert mean.interval(bounds=(0, 100)) == pytest.approx((100 * low, 100 * high))
    rise = MeanEstimate(value=20, standard_error=40, df=9, n=60)
    assert rise.interval(bounds=(-100, 100)) == pytest.approx(
        (200 * low - 100, 200 * high - 100)
    )


def test_an_interval_never_leaves_the_bounds() -> None:
    # Of bets of 95, 99 and 80 Student's reaches 116.
    mean = pooled_mean([95, 99, 80])
    assert mean.interval().high == pytest.approx(116.2, abs=0.1)
    low, high = mean.interval(bounds=(0, 100))
    assert 0 < low < 91 < high < 100


@pytest.mark.parametrize(
    ("values", "too_few"), [([60], True), ([60, 70], True), ([60, 70, 80], False)]
)
def test_an_interval_needs_three_values(values: list[float], too_few: bool) -> None:
    mean = pooled_mean(values)
    assert mean.too_few is too_few
    for bounds in (None, (0, 100)):
        assert math.isnan(mean.interval(bounds=bounds).low) is too_few
    assert not pooled_mean([50, 50, 50]).too_few
    assert not pooled_mean([]).too_few


def test_a_tiny_p_value_is_not_rounded_to_0() -> None:
    mean = MeanEstimate(value=72.92, standard_error=0.7237, df=119, n=120)
    assert 0 < mean.p(50, "greater") < 1e-50
    assert 0 < mean.p(95.84, "less") < 1e-50
    assert 0 < mean.p(50) < 1e-50


@pytest.mark.parametrize(
    ("values", "value", "reason"),
    [
        ([], NAN, "no values"),
        ([NAN], NAN, "no values"),
        ([60], 60, "a single value"),
        ([50, 50, NAN, 50], 50, "all values are equal"),
        ([0.1] * 3, 0.1, "all values are equal"),
    ],
)
def test_no_test(values: list[float], value: float, reason: str) -> None:
    mean = pooled_mean(values)
    assert mean.value == pytest.approx(value, nan_ok=True)
    assert (mean.n, mean.reason) == (
        len(set(values)) and np.isfinite(values).sum(),
        reason,
    )
    undefined = mean.standard_error, mean.df, mean.statistic(), mean.p(50, "greater")
    ends = *mean.interval(), *mean.interval(bounds=(0, 100))
    assert all(math.isnan(number) for number in (*undefined, *ends))


def test_means_of_clusters() -> None:
    values = [1, 0, NAN, 4, 1, NAN, 0]
    assert cluster_means(values, "bacbbca").tolist() == [2, 0]
    assert cluster_means(values, range(7)).tolist() == [1, 0, 4, 1, 0]
    assert cluster_means([], []).size == 0
    with pytest.raises(ValueError, match="2 labels for 3 values"):
        cluster_means([1, NAN, 0], "ab")


@pytest.mark.parametrize("df", [2, 2.5, 4, 30, 1e6])
def test_students_distribution_is_that_of_scipy(df: float) -> None:
    found = MeanEstimate(1.3, 0.7, df, 9)
    away = 1.3 / 0.7
    assert found.p() == pytest.approx(2 * stats.t.sf(away, df), rel=1e-12)
    assert found.p(alternative="greater") == pytest.approx(stats.t.sf(away, df))
    assert found.p(alternative="less") == pytest.approx(stats.t.cdf(away, df))
    for level in (0.8, 0.95, 0.99):
        half = 0.7 * stats.t.isf((1 - level) / 2, df)
        expected = (1.3 - half, 1.3 + half)
        assert found.interval(level) == pytest.approx(expected, rel=1e-12)


# The model is surer of whatever it reads in a passage. Of its answers from memory the
# first is among the surest, although less sure than the contextual one.
def test_average_ranks_are_those_of_scipy() -> None:
    for values in ([], [3.0], [2.0, 1, 2, 2, 5, 1], [-1.0, 0, -1, 0.5]):
        assert [*average_ranks(np.array(values))] == [*stats.rankdata(values)]
