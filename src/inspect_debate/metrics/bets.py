"""Bets on winning a debate of two sides, which are probabilities in percent."""

from collections.abc import Hashable, Iterable
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics.intervals import Array


def chances(winner: ArrayLike, itself: ArrayLike) -> Array:
    """The chance of the proposition against which the bets of a debate are compared.

    It is 0.5 where a model debates its copy, whatever a jury says; else the winner (1
    for the proposition); NaN for a tie, 0.5, which nobody won.
    """
    won = np.asarray(winner, dtype=np.float64)
    return np.where(np.equal(itself, 1), 0.5, np.where(won == 0.5, np.nan, won))


def brier(bet: ArrayLike, chance: ArrayLike) -> Array:
    """The expected Brier score of each bet (0 to 100); its mean is that of the bets.

    (p - q)^2 + q (1 - q) for a bet p and a chance q of winning, which is 1 or 0 where
    the winner is known. Where it is 0.5, no bet scores better than 0.25.
    """
    stated, true = np.asarray(bet) / 100, np.asarray(chance)
    found: Array = (stated - true) ** 2 + true * (1 - true)
    return found


def clustered(values: ArrayLike, *ways: Iterable[Hashable]) -> tuple[float, float]:
    """Test a mean above 0 whose values are related if they share a cluster in any way.

    The two bets of a debate are related, and so are those of a model (Cameron, Gelbach
    and Miller 2011).

    Args:
        values: NaN is left out.
        *ways: One or two ways, a cluster per value each. A second way with a single
            cluster, as where all bets are of one model, is left out.

    Returns:
        t, and its one-sided p with one degree of freedom less than clusters in the way
        with the fewest; NaN where the test cannot be made.
    """
    from scipy.stats import t as student
    from statsmodels.api import OLS

    given = np.asarray(values, dtype=np.float64)
    known = ~np.isnan(given)
    named = [np.array([*map(str, way)])[known] for way in ways]
    first, *more = (np.unique(way, return_inverse=True)[1] for way in named)
    if len({*given[known]}) < 2 or not first.any():
        return nan, nan
    groups = np.stack([first, *(way for way in more if way.any())], axis=1).squeeze()
    model = OLS(given[known], np.ones(known.sum()))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    if not fit.bse[0] > 1e-9 * given[known].std():  # clusters are alike, or rounding
        return nan, nan
    t = float(fit.tvalues[0])
    return t, float(student.sf(t, fit.df_resid_inference))


def t_above(values: ArrayLike) -> tuple[float, float]:
    """t and one-sided p of a mean above 0, as if values were independent.

    NaN values are left out; of values that do not vary both are NaN.
    """
    from scipy import stats

    given = np.asarray(values, dtype=np.float64)
    given = given[~np.isnan(given)]
    if len({*given}) < 2:
        return nan, nan
    found = stats.ttest_1samp(given, 0, alternative="greater")
    return float(found.statistic), float(found.pvalue)


def wilcoxon(values: ArrayLike) -> float:
    """One-sided p of Wilcoxon's signed-rank test above 0, without values of 0.

    It is that of scipy, which enumerates the signs of up to 13 values as well, but
    takes a second for it. NaN if all values are 0.
    """
    from scipy import stats

    given = np.asarray(values, dtype=np.float64)
    given = given[given != 0]
    if not len(given):
        return nan
    if len(given) > 13:
        return float(stats.wilcoxon(given, alternative="greater").pvalue)
    ranks = stats.rankdata(abs(given))
    signs = np.arange(2 ** len(given))[:, None] >> np.arange(len(given)) & 1
    return float((signs @ ranks >= ranks[given > 0].sum() - 1e-9).mean())
