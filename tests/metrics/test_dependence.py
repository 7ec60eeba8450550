import math
from collections.abc import Sequence

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster, cov_cluster_2groups

from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.metrics.means import pooled_mean
from tests.support.bet_pools import CROSS, SELF, draw_pool

NAN = math.nan
NAMES = "abcdefghij"

pytestmark = [
    pytest.mark.filterwarnings("error"),
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


def test_values_of_many_debates_make_no_table_of_all_pairs() -> None:
    values = np.random.default_rng(0).normal(size=60_000)
    debates = np.arange(60_000) // 6
    expected = stats.ttest_1samp(values.reshape(-1, 6).mean(axis=1), 0)
    estimate = clustered_mean(values, debates, debates)
    assert estimate.df == 9_999
    assert estimate.p() == pytest.approx(expected.pvalue)
    # Each model meets the next one.
    circle = dyadic_mean(values, range(60_000), [*range(1, 60_000), 0])
    neighbours = values * (np.roll(values, 1) + values + np.roll(values, -1))
    assert circle.standard_error == pytest.approx(
        math.sqrt(max(neighbours.sum(), (values**2).sum())) / 60_000, rel=1e-2
    )


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


def test_pairs_that_share_a_member() -> None:
    values = [4.0, 1, 2, 9]
    one, other = ["a", "b", "c", "d"], ["b", "c", "d", "e"]
    # Deviations are 0, -3, -2, 5; only neighbours in this chain share a model.
    products = 0 + 9 + 4 + 25 + 2 * (0 * -3 + -3 * -2 + -2 * 5)
    independent = (0 + 9 + 4 + 25) / 16 / (1 - 4 / 16)
    chain = products / 16 / (1 - 10 / 16)
    estimate = dyadic_mean(values, one, other)
    assert chain > independent
    assert estimate.standard_error**2 == pytest.approx(chain)
    assert (estimate.value, estimate.df, estimate.n) == (4, 4, 4)
    # The side does not matter.
    assert dyadic_mean(values, ["a", "c", "c", "e"], ["b", "b", "d", "d"]) == estimate


def test_pairs_of_one_model_with_itself_are_its_cluster() -> None:
    pool = draw_pool(SELF, seed=5)
    sums = pool.opening.reshape(60, 2).sum(axis=1)
    models = pool.model[::2]
    assert dyadic_mean(sums, models, models) == pytest.approx(
        clustered_mean(sums, models)
    )


def test_pairs_are_never_more_certain_than_independent_values() -> None:
    values, one, other = [1.0, -1, 1, -1, NAN], "abcda", "bcdee"
    assert dyadic_mean(values, one, other).standard_error == pytest.approx(
        pooled_mean(values).standard_error
    )


def test_no_test_of_pairs() -> None:
    assert dyadic_mean([1.0, 2, 3], "aaa", "bcd").reason.startswith("every debate")
    assert dyadic_mean([1.0, 1], "ab", "cd").reason == "all values are equal"
    assert dyadic_mean([], [], []).reason == "no values"


def test_refusals() -> None:
    with pytest.raises(ValueError, match="needs at least one clustering"):
        clustered_mean([50, 60])
    with pytest.raises(ValueError, match="3 labels for 2 values"):
        clustered_mean([50, 60], "ab", "abc")
    with pytest.raises(ValueError, match="values has 2 dimensions"):
        clustered_mean([[50, 60]], "ab")
    with pytest.raises(ValueError, match="labels for"):
        dyadic_mean([50, 60], "ab", "abc")
