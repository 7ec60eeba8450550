import math
from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import minimize

from inspect_debate.metrics.dependence import mixed_mean
from tests.support.bet_pools import CROSS, MODELS, SELF, Array, Spread, draw_pool

Labels = NDArray[np.int64]

NAN = math.nan
BY_DEBATE = np.arange(120) // 2

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def by_plain_matrices(
    values: Array, models: Labels, debates: Labels
) -> tuple[float, float]:
    """Mean and standard error, with the restricted likelihood as it stands in books."""
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


def test_missing_values_take_their_labels_along() -> None:
    pool = draw_pool(CROSS, seed=5)
    holes = np.where(np.arange(120) % 7 == 0, NAN, pool.opening)
    kept = [i for i in range(120) if i % 7]
    models, debates = ([way[i] for i in kept] for way in (pool.model, pool.debate))
    assert mixed_mean(holes, pool.model, pool.debate) == mixed_mean(
        pool.opening[kept], models, debates
    )


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
def test_no_test(values: list[float], models: str, debates: str, reason: str) -> None:
    found = mixed_mean(values, models, debates)
    assert reason in found.reason
    assert math.isnan(found.standard_error)
    if found.n:
        assert found.value == pytest.approx(np.nanmean(values))


def test_refusals() -> None:
    with pytest.raises(ValueError, match="1 labels for 2 values"):
        mixed_mean([50, 60], "ab", "x")
    with pytest.raises(ValueError, match="values has 2 dimensions"):
        mixed_mean([[50, 60]], "ab", "xy")
