"""What a paired comparison of two conditions can find, from the variance of a pilot.

Powers are those of the paired t-test (80 % at 5 %, two-sided). For right or wrong
answers to 50 items or more, that of McNemar's test is within five points.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

from scipy.stats import chi2, kurtosis
from statsmodels.stats.power import TTestPower

if TYPE_CHECKING:
    import pandas as pd

LEVEL, POWER = 0.05, 0.8
FEWEST, FEWEST_DIFFERING = 10, 5
"""Clusters in all, and clusters with a difference, that a variance is taken from."""


class Variance(NamedTuple):
    """A variance and the ends of its 95 % interval; NaN if there are too few pairs."""

    value: float
    low: float
    high: float


def paired_variance(pairs: "pd.DataFrame", epochs: int) -> Variance:
    """Estimate the variance of an item's difference: N times that of a mean of N items.

    Clusters are assumed to stay as large as in the pilot. If the pilot has one epoch,
    further ones are not taken to reduce the variance. The degrees of freedom of the
    chi-square interval allow for the kurtosis (Shoemaker 2003), as differences between
    right and wrong answers are far from normal.

    Args:
        pairs: A row per item and epoch: `id`, `cluster`, `stratum`, `difference`.
        epochs: Epochs of the run that is planned.
    """
    items, strata = pairs["id"].nunique(), pairs.groupby("stratum")["difference"]
    residual = pairs["difference"] - strata.transform("mean")
    parts = items * residual / (strata.transform("size") * strata.ngroups)
    sums = parts.groupby(pairs["cluster"]).sum()
    m, differ = len(sums), pairs.loc[pairs["difference"] != 0, "cluster"].nunique()
    if m < FEWEST or differ < FEWEST_DIFFERING or not sums.any():
        return Variance(math.nan, math.nan, math.nan)
    value = m / (m - 1) * float((sums**2).sum()) / items
    if repeats := len(pairs) - items:
        own = pairs["difference"] - pairs.groupby("id")["difference"].transform("mean")
        within = float((own**2).sum()) / repeats
        between = value - within * items / len(pairs)
        value = max(between, 0.0) + within / epochs
    excess = max(float(kurtosis(sums, bias=False)), 0.0)
    df = 2 * m / (excess + 2 * m / (m - 1))
    low, high = (df * value / chi2.ppf(tail, df) for tail in (0.975, 0.025))
    return Variance(value, float(low), float(high))


def smallest_difference(items: int, variance: float) -> float:
    """The smallest difference that `items` items find."""
    return _effect_size(items) * math.sqrt(variance)


def items_needed(difference: float, variance: float) -> float:
    """How many items, at least 3, find a difference."""
    size = min(difference / math.sqrt(variance), 5.0)  # above, the solver may fail
    if math.isnan(size):
        return math.nan
    found = TTestPower().solve_power(effect_size=size, alpha=LEVEL, power=POWER)
    return float(math.ceil(found))


def smallest_discordant(items: int, discordance: float) -> float:
    """The same in accuracy; NaN if no possible difference is found.

    Discordance is the share of items on which exactly one condition is right. The
    variance is this share less the squared difference.
    """
    size = _effect_size(items)
    found = size * math.sqrt(discordance / (1 + size**2))
    return found if found <= discordance else math.nan


def _effect_size(items: int) -> float:
    """The smallest difference in standard deviations."""
    if items < 2:
        return math.nan
    return float(TTestPower().solve_power(nobs=items, alpha=LEVEL, power=POWER))
