"""Means of values that depend on each other, as statsmodels has them."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import minimize
from statsmodels.stats.sandwich_covariance import cov_cluster, cov_cluster_2groups

from inspect_debate.v1.metrics.dependence import clustered_mean, dyadic_mean, mixed_mean
from inspect_debate.v1.metrics.means import pooled_mean
from tests.v1.support.bet_pools import CROSS, MODELS, SELF, Array, Spread, draw_pool
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


Labels = NDArray[np.int64]


BY_DEBATE = np.arange(120) // 2


def by_plain_matrices(
    values: Array, models: Labels, debates: Labels
) -> tuple[float, float]:
    """Mean and standard error, with the restricted likelihood as books have it."""
    alike = [1.0 * np.equal.outer(way, way) for way in (models, debates)]
    n = len(values)

    def fit(ratios: Array) -> tuple[float, float, float]:
        covariance = np.eye(n) + ratios[0] * alike[0] + ratios[1] * alike[1]
        inverse = np.linalg.inv(covariance)
        mean = inverse.sum(axis=0) @ values / inverse.sum()
        residual = (values - mean) @ inverse @ (values - mean) / (n - 1)
        log_determinants = np.linalg.slogdet(covariance)[1] + np.log(inverse.sum())
        minus_likelihood = (n - 1) * np.log(residual) + log_determinants
        return minus_likelihood, mean, residual / inverse.sum()

    def criterion(ratios: Array) -> float:
        return fit(ratios)[0]

    starts = [np.array(start) for start in product((0.1, 5.0), repeat=2)]
    bounds = [(0.0, 1e4)] * 2
    found = [
        minimize(criterion, start, bounds=bounds, method="SLSQP", tol=1e-9)
        for start in starts
    ]
    _, mean, variance = fit(min(found, key=lambda each: float(each.fun)).x)
    return mean, math.sqrt(variance)


@pytest.mark.parametrize("spread", [(8, 5, 8), (2, 9, 3), (9, 0, 3), (0, 0, 5)])
@pytest.mark.parametrize("crossed", [False, True])
def test_agrees_with_plain_matrices(
    crossed: bool, spread: tuple[float, float, float]
) -> None:
    rng = np.random.default_rng(1)
    debates = np.arange(40) // 2
    models = rng.integers(0, 6, 40) if crossed else debates % 6
    of_model, of_debate = rng.normal(0, spread[0], 6), rng.normal(0, spread[1], 20)
    values = of_model[models] + of_debate[debates] + rng.normal(0, spread[2], 40)
    mean, error = by_plain_matrices(values, models, debates)
    found = mixed_mean(values, models.tolist(), debates.tolist())
    assert found.value == pytest.approx(mean, abs=1e-3)
    assert found.standard_error == pytest.approx(error, rel=1e-3)


def test_agrees_with_statsmodels() -> None:
    pool = draw_pool(CROSS, seed=1, spread=Spread(3, 10, 4))
    kept = slice(0, 41)
    indicators = [np.eye(21)[way[kept]] for way in (pool.model, pool.debate)]
    names = [[[str(i) for i in range(21)]] for _ in indicators]
    expected = sm.MixedLM(
        pool.opening[kept],
        np.ones((41, 1)),
        np.zeros(41),
        exog_vc=sm.regression.mixed_linear_model.VCSpec(
            ["model", "debate"], names, [[matrix] for matrix in indicators]
        ),
    ).fit()
    found = mixed_mean(pool.opening[kept], pool.model[kept], pool.debate[kept])
    assert found.value == pytest.approx(expected.fe_params[0], abs=0.01)
    assert found.standard_error == pytest.approx(expected.bse_fe[0], rel=0.005)


def test_balanced_and_nested_it_is_the_test_of_the_models_means() -> None:
    pool = draw_pool(SELF, seed=2)
    means = pool.opening.reshape(MODELS, 12).mean(axis=1)
    expected = stats.ttest_1samp(means, 50, alternative="greater")
    found = mixed_mean(pool.opening, pool.model, pool.debate)
    assert found.value == pytest.approx(means.mean())
    assert (found.df, found.n) == (9, 120)
    assert found.p(50, "greater") == pytest.approx(expected.pvalue, rel=1e-3)


def test_effects_that_are_not_there_leave_the_plain_standard_error() -> None:
    """Models and debates have one mean each, so that both variances are 0."""
    values = np.tile([50.0, 60.0], 60)
    models = np.arange(120) // 12
    found = mixed_mean(values, models, BY_DEBATE)
    assert found.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(120))


def test_a_model_of_many_debates_does_not_outweigh_the_others() -> None:
    rng = np.random.default_rng(3)
    debates = [20, 2, 2, 2]
    values = np.repeat([90.0, 50, 50, 50], np.multiply(debates, 2))
    models = np.repeat(range(4), np.multiply(debates, 2))
    values += rng.normal(0, 2, len(values))
    found = mixed_mean(values, models, np.arange(len(values)) // 2)
    assert values.mean() > 75
    assert found.value == pytest.approx(60, abs=1)


def test_single_values_of_debates_tell_no_debate_from_the_rest() -> None:
    pool = draw_pool(SELF, seed=4)
    values, models = pool.opening[::2], pool.model[::2]
    found = mixed_mean(values, models, pool.debate[::2])
    means = values.reshape(MODELS, 6).mean(axis=1)
    assert found.standard_error == pytest.approx(stats.sem(means), rel=1e-3)


def test_points_and_zero_are_matters_of_scale() -> None:
    pool = draw_pool(CROSS, seed=6)
    bets = mixed_mean(pool.opening, pool.model, pool.debate)
    shares = mixed_mean(pool.opening / 100 - 3, pool.model, pool.debate)
    assert shares.value == pytest.approx(bets.value / 100 - 3)
    assert shares.standard_error == pytest.approx(bets.standard_error / 100, rel=1e-3)


@pytest.mark.parametrize(
    ("values", "models", "debates", "reason"),
    [
        ([], "", "", "no values"),
        ([50, NAN], "ab", "aa", "a single value"),
        ([50, 50], "ab", "aa", "all values are equal"),
        ([50, 60, NAN], "aab", "xyz", "fewer than two models"),
        # Both sides always bet the same.
        ([50, 50, 60, 60, 80, 80], "aabbaa", "xxyyzz", "leave no residual"),
        # A model always bets the same.
        ([50, 60, 80, 50, 60, 80], "abcabc", "xxyyzz", "leave no residual"),
    ],
)
def test_no_mixed_model(
    values: list[float], models: str, debates: str, reason: str
) -> None:
    found = mixed_mean(values, models, debates)
    assert reason in found.reason
    assert math.isnan(found.standard_error)
    if found.n:
        assert found.value == pytest.approx(np.nanmean(values))
