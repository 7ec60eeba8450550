"""Estimates with standard errors and confidence intervals, right under clustering.

Epochs of one sample, and samples that share an input, are no independent observations,
so standard errors come from the variation between clusters (linearisation, the
sandwich). Intervals are Wilson's at the effective sample size, the number of
independent items that would give the same standard error (Korn and Graubard 1998).
They stay within the statistic's range and keep a width at its ends.
"""

import math
from collections.abc import Callable, Hashable, Iterable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

Statistic = Callable[[Array], Array]
"""Maps totals `(..., k)` to values `(...)`; unchanged when totals are scaled."""

_STEP = 1e-4
_TINY = 1e-9


class Estimate(NamedTuple):
    """A value, its clustered standard error, and the ends of its interval.

    NaN where something cannot be told, as the last three below two clusters.
    """

    value: float
    se: float
    low: float
    high: float


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's score interval (95 %) of a share among `n` independent trials."""
    if not n > 0:
        return math.nan, math.nan
    # The closed form: every run needs it, and statsmodels takes a second to import.
    z = NormalDist().inv_cdf(0.975)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    # Rounding must not keep the interval off the end that it touches.
    low, high = middle - half, middle + half
    return 0.0 if share == 0 else low, 1.0 if share == 1 else high


def cluster_sums(rows: ArrayLike, cluster: Iterable[Hashable]) -> Array:
    """Sum rows within clusters, which are sorted by name."""
    values, names = np.asarray(rows, dtype=np.float64), np.array(list(cluster))
    if len(names) != len(values):
        raise ValueError(f"{len(names)} cluster names for {len(values)} items.")
    found, position = np.unique(names, return_inverse=True)
    sums = np.zeros((len(found), *values.shape[1:]))
    np.add.at(sums, position, values)
    return sums


def estimate(
    statistic: Statistic,
    rows: ArrayLike,
    cluster: Iterable[Hashable],
    *,
    value: float | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """Estimate a statistic of summed rows.

    The effective sample size is at most that of the same items if all were independent,
    so repeated epochs that happen to balance each other do not narrow the interval.
    Where clusters do not differ (at the ends of the range, for example), each counts as
    one observation.

    Args:
        statistic: The statistic of the totals.
        rows: Array (items, k): what an item adds to each of the k totals.
        cluster: Per item what its dependent items share.
        value: The estimate, where it is not the statistic at the totals.
        bounds: The statistic's smallest and largest possible value.
    """
    items = np.asarray(rows, dtype=np.float64)
    clusters = cluster_sums(items, cluster)
    totals, steps = clusters.sum(axis=0), np.eye(items.shape[1])
    value = float(statistic(totals)) if value is None else value
    if math.isnan(value):
        return Estimate(*[math.nan] * 4)
    # Away from the edges, where an outcome that did not occur has no slope.
    relevant = abs(statistic(totals + 1 + steps) - statistic(totals + 1)) > _TINY
    informing = int(clusters[:, relevant].any(axis=1).sum())
    if informing < 2:
        return Estimate(value, *[math.nan] * 3)
    rise = statistic(totals + _STEP * steps) - statistic(totals - _STEP * steps)
    slope = rise / (2 * _STEP)
    between, independent = (
        float(((some @ slope) ** 2).sum()) for some in (clusters, items)
    )
    floor, span = bounds[0], bounds[1] - bounds[0]
    share = min(max((value - floor) / span, 0.0), 1.0)
    size = float(informing)
    if between > (_TINY * span) ** 2:
        size = share * (1 - share) * span**2 / max(between, independent)
    low, high = wilson(share, size)
    se = math.sqrt(between * informing / (informing - 1))
    return Estimate(value, se, floor + span * low, floor + span * high)


def mean(
    values: ArrayLike,
    cluster: Iterable[Hashable],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """Estimate a mean of values within bounds; NaN values are left out."""
    given, names = np.asarray(values, dtype=np.float64), np.array(list(cluster))
    if ((given < bounds[0]) | (given > bounds[1])).any():
        raise ValueError(f"A value is outside of {bounds[0]:g} to {bounds[1]:g}.")
    known = ~np.isnan(given)
    rows = np.stack((given, np.ones(len(given))), axis=-1)[known]
    return estimate(ratio, rows, names[known], bounds=bounds)


def ratio(totals: Array) -> Array:
    """The first of two totals by the second: of a value and 1, the mean."""
    whole = totals[..., 1]
    found: Array = totals[..., 0] / np.where(whole == 0, np.nan, whole)
    return found
