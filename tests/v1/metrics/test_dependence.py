"""Means of values that depend on each other, as statsmodels has them."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster, cov_cluster_2groups

from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.means import pooled_mean
from tests.v1.support.bet_pools import CROSS, SELF, draw_pool
from tests.v1.support.strict import no_warnings

NAN = math.nan


NAMES = "abcdefghij"


pytestmark = [
    no_warnings,
    # What earlier tests left behind may be cleared away in the middle of one here.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def uncorrected(*ways: Sequence[int], values: NDArray[np.float64]) -> float:
    """The variance of the mean by statsmodels without its small-sample factors."""
    fit = sm.OLS(values, np.ones(len(values))).fit()
    groups = [np.array(way) for way in ways]
    if len(groups) == 1:
        return float(cov_cluster(fit, *groups, use_correction=False).item())
    return float(cov_cluster_2groups(fit, *groups, use_correction=False)[0].item())


def test_clusters_of_one_size_are_tested_as_their_means() -> None:
    pool = draw_pool(SELF, seed=1)
    means = pool.opening.reshape(10, 12).mean(axis=1)
    expected = stats.ttest_1samp(means, 50, alternative="greater")
    estimate = clustered_mean(pool.opening, pool.model)
    assert estimate.value == pytest.approx(means.mean())
    assert (estimate.df, estimate.n) == (9, 120)
    assert estimate.p(50, "greater") == pytest.approx(expected.pvalue)


def test_every_value_for_itself_is_the_pooled_mean() -> None:
    values = draw_pool(CROSS, seed=1).opening
    assert clustered_mean(values, range(120)) == pytest.approx(pooled_mean(values))


def test_one_way_with_clusters_of_unequal_size() -> None:
    values = np.array([1.0, 2, 3, 10, 20, 30])
    clusters = [0, 0, 0, 1, 1, 2]
    # Deviations from 11 sum to -27, 8 and 19; 14 of 36 pairs share a cluster.
    estimate = clustered_mean(values, clusters)
    plain = (27**2 + 8**2 + 19**2) / 36
    assert estimate.standard_error**2 == pytest.approx(plain / (1 - 14 / 36))
    assert uncorrected(clusters, values=values) == pytest.approx(plain)
    assert estimate.df == 2


@pytest.mark.parametrize("seed", range(5))
def test_two_ways_that_cross(seed: int) -> None:
    pool = draw_pool(CROSS, seed)
    estimate = clustered_mean(pool.opening, pool.model, pool.debate)
    expected = uncorrected(pool.model, pool.debate, values=pool.opening)
    # A value is related to the 12 of its model and to the other one of its debate.
    assert estimate.standard_error**2 == pytest.approx(expected / (1 - 13 / 120))
    assert estimate.df == 9


def test_a_way_within_another_adds_nothing() -> None:
    pool = draw_pool(SELF, seed=2)
    assert clustered_mean(pool.opening, pool.model, pool.debate) == pytest.approx(
        clustered_mean(pool.opening, pool.model)
    )


def test_order_and_names_do_not_matter() -> None:
    pool = draw_pool(CROSS, seed=3)
    order = np.random.default_rng(0).permutation(120)
    shuffled = clustered_mean(
        pool.opening[order],
        [f"debate {pool.debate[i]}" for i in order],
        [NAMES[pool.model[i]] for i in order],
    )
    expected = clustered_mean(pool.opening, pool.model, pool.debate)
    assert shuffled == pytest.approx(expected)


def test_missing_values_take_their_labels_along() -> None:
    pool = draw_pool(CROSS, seed=4)
    holes = np.where(np.arange(120) % 7 == 0, NAN, pool.opening)
    kept = [i for i in range(120) if i % 7]
    models, debates = ([way[i] for i in kept] for way in (pool.model, pool.debate))
    assert clustered_mean(holes, pool.model, pool.debate) == pytest.approx(
        clustered_mean(pool.opening[kept], models, debates)
    )


def test_a_negative_variance_of_two_ways_gives_way_to_the_larger_of_one() -> None:
    # Sums are 0 by row and by column of the table, and only cells differ.
    values = [1.0, -1, -1, 1]
    rows, columns = [0, 0, 1, 1], [0, 1, 0, 1]
    assert uncorrected(rows, columns, values=np.array(values)) < 0
    assert clustered_mean(values, rows, columns).reason
    tilted = [1.1, -1, -1, 1]
    assert uncorrected(rows, columns, values=np.array(tilted)) < 0
    expected = clustered_mean(tilted, rows)
    assert expected.standard_error > 0
    assert clustered_mean(tilted, rows, columns) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([], [], "no values"),
        ([60, NAN], "ab", "a single value"),
        ([50, 50, 50], "abc", "all values are equal"),
        ([50, 60, NAN], "aab", "fewer than two clusters"),
        # Debates whose two bets add up to 100 leave no doubt about the mean.
        ([60, 40, 70, 30, 50.1, 49.9], "aabbcc", "clusters do not differ"),
    ],
)
def test_no_test(values: list[float], clusters: str, reason: str) -> None:
    estimate = clustered_mean(values, clusters)
    assert reason in estimate.reason
    assert estimate.value == pytest.approx(
        np.nanmean(values) if values else NAN, nan_ok=True
    )
    assert math.isnan(estimate.standard_error)
