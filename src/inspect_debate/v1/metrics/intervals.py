"""Confidence intervals for smooth statistics of counts, right under clustering.

Epochs of one sample are no independent observations. `cluster_interval` takes the
standard error from the variation between clusters (linearisation, "delta method",
as for ratio estimators in survey sampling: Woodruff 1971; Binder 1983), translates
it into the number of independent observations that would give the same standard
error, the effective sample size (Korn and Graubard 1998), and gives Wilson's score
interval (1927) for that number. So the interval stays within the bounds and keeps
a width at their ends, where the standard error is 0. With one item per cluster and
a plain proportion it is the ordinary Wilson interval.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence, Sized
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
TotalsStatistic = Callable[[Array], float]

_STEP = 1e-4
"""Step of the numeric gradient, in items: small beside one item, far above rounding."""

_TINY = 1e-9
"""What counts as 0 beside a quantity of the order of 1."""


class Interval(NamedTuple):
    """Ends of a confidence interval; NaN where there is none."""

    low: float
    high: float


NO_INTERVAL = Interval(math.nan, math.nan)


class Share(NamedTuple):
    """A share of `n` verdicts, with the ends of its 95 % interval; NaN without any."""

    value: float
    low: float
    high: float
    n: int


def proportion_interval(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval for `successes` out of `n` independent trials.

    Args:
        successes: from 0 to `n`; a fraction where `n` is an effective sample size.
        n: number of trials; without trials the interval is NaN.
        level: confidence level, between 0 and 1.

    Raises:
        ValueError: `successes` is not within 0 and `n`, or `level` not in (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1.")
    if n == 0 or np.isnan(n) or np.isnan(successes):
        return NO_INTERVAL
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes out of {n} trials are not possible.")
    # The closed form: statsmodels takes seconds to import, and every run needs this.
    share, z = float(successes) / float(n), normal_quantile((1 + level) / 2)
    shrunk = 1 + z**2 / n
    centre = (share + z**2 / (2 * n)) / shrunk
    half = z * sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / shrunk
    # At the ends it touches the bound; rounding must not keep it off.
    return Interval(
        0.0 if successes == 0 else float(centre - half),
        1.0 if successes == n else float(centre + half),
    )


def normal_quantile(probability: float) -> float:
    """The value below which a standard normal variable lies with a probability."""
    return NormalDist().inv_cdf(probability)


def cluster_interval(
    statistic: TotalsStatistic,
    cluster_counts: ArrayLike,
    *,
    level: float = 0.95,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Confidence interval for a statistic of summed counts from clustered items.

    The effective sample size is p (1 - p) / se^2, with p the statistic mapped to
    (0, 1). It is never above what the same items would be worth if all were
    independent (see `_independent_size`), so that neither luck nor epochs that
    balance each other by design narrow the interval beyond that. Where the
    standard error says nothing (p is 0 or 1, or all clusters are alike), every
    cluster counts as one observation, whatever its number of items.

    In simulations of 140 and 900 items with one and three epochs, 95 % intervals of
    the detection statistics hold the true value in 92 to 97 % of the runs. It is
    83 to 90 % where strongly correlated epochs meet a class of some ten items or a
    value very close to a bound: too few clusters then show how epochs correlate.

    Args:
        statistic: maps the totals, an array (k,), to a number; it must not change
            when all totals are multiplied by one factor. Its gradient is taken by
            central differences, as any function is welcome: their error, some
            1e-8 of the gradient, is far below that of the method.
        cluster_counts: array (clusters, k) of how many items of a cluster have
            each of k outcomes. Outcomes exclude each other: (right, wrong), never
            (right, all).
        level: confidence level, between 0 and 1.
        bounds: smallest and largest possible value of the statistic.

    Returns:
        The interval; NaN where the statistic is, and where fewer than two clusters
        hold an item that it depends on.

    Raises:
        ValueError: the counts are no table of non-negative numbers, the statistic
            is outside `bounds`, or `level` is not in (0, 1).
    """
    counts = _checked(cluster_counts)
    unit = _unit_statistic(statistic, bounds)
    p = unit(counts.sum(axis=0))
    if np.isnan(p):
        return NO_INTERVAL
    if not -_TINY <= p <= 1 + _TINY:
        raise ValueError(f"the statistic is outside its bounds {bounds}.")
    p = min(max(p, 0.0), 1.0)
    size = _effective_size(unit, counts, p)
    low, high = proportion_interval(p * size, size, level)
    floor, span = bounds[0], bounds[1] - bounds[0]
    return Interval(floor + span * low, floor + span * high)


def cluster_error(statistic: TotalsStatistic, cluster_counts: ArrayLike) -> float:
    """Standard error of a statistic of summed counts from clustered items.

    By linearisation, as in `cluster_interval`, times the root of m / (m - 1) for m
    clusters: with one item per cluster and a plain mean it is the ordinary standard
    error of the mean.

    Args:
        statistic: As in `cluster_interval`.
        cluster_counts: Array (clusters, k) of counts or sums, which need not exclude
            each other.

    Returns:
        The standard error; NaN where the statistic is, and with fewer than two
        clusters.

    Raises:
        ValueError: The counts are no table of non-negative numbers.
    """
    counts = _checked(cluster_counts)
    totals = counts.sum(axis=0)
    clusters = int((counts.sum(axis=1) > 0).sum())
    if clusters < 2 or np.isnan(statistic(totals)):
        return math.nan
    influence = counts @ _gradient(statistic, totals)
    return sqrt(float((influence**2).sum()) * clusters / (clusters - 1))


def _checked(cluster_counts: ArrayLike) -> Array:
    counts = with_dimensions("cluster_counts", cluster_counts, 2)
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError("cluster_counts holds a negative or non-finite number.")
    return counts


def _unit_statistic(
    statistic: TotalsStatistic, bounds: tuple[float, float]
) -> TotalsStatistic:
    floor, span = bounds[0], bounds[1] - bounds[0]
    return lambda totals: (float(statistic(totals)) - floor) / span


def _effective_size(unit: TotalsStatistic, counts: Array, p: float) -> float:
    """Number of independent observations that the clusters are worth; NaN if < 2."""
    totals = counts.sum(axis=0)
    # One more item of every outcome moves the totals off the edges, where the
    # gradient of an outcome that matters can be 0 (hits, when there is no miss).
    smoothed = totals + 1
    slope = _gradient(unit, smoothed)
    relevant = np.abs(slope) * smoothed.sum() > _TINY
    informing = int((counts[:, relevant].sum(axis=1) > 0).sum())
    if informing < 2:
        return math.nan
    items = float(totals[relevant].sum())
    independent = _independent_size(unit(smoothed), smoothed, slope, items, relevant)
    per_cluster = independent * informing / items
    # Influences sum to 0, as the statistic does not depend on the scale of totals.
    influence = counts @ _gradient(unit, totals)
    variance = float((influence**2).sum())
    if variance * independent < _TINY:
        return per_cluster
    return min(p * (1 - p) / variance, independent)


def _independent_size(
    p: float, smoothed: Array, slope: Array, items: float, relevant: NDArray[np.bool_]
) -> float:
    """Effective sample size if every item were a cluster of its own.

    Taken at the smoothed totals, and scaled back by the items that were added: for
    a proportion this is its number of items. It can exceed it: F2 hardly moves
    with a false positive, so an item is worth more there than in a proportion.
    """
    variance = float((smoothed * slope**2).sum())
    added = int(relevant.sum())
    return p * (1 - p) / variance * items / (items + added)


def _gradient(unit: TotalsStatistic, totals: Array) -> Array:
    steps = _STEP * np.eye(len(totals))
    rise = [unit(totals + step) - unit(totals - step) for step in steps]
    return np.array(rise) / (2 * _STEP)


# The arrays that measures are given: their checks, and their sums by cluster.


def checked(
    name: str,
    values: ArrayLike,
    allowed: Sequence[int] = (0, 1),
    *,
    nan: bool = True,
    dimensions: int = 1,
) -> Array:
    """Take an array that may hold a few numbers, and perhaps NaN.

    Args:
        name: What errors call it.
        values: The array.
        allowed: The numbers.
        nan: Whether NaN is allowed.
        dimensions: How many it has to have.

    Raises:
        ValueError: naming the array and the number of dimensions or first value that
            is not allowed.
    """
    array = with_dimensions(name, values, dimensions)
    other = array[~(np.isin(array, allowed) | (nan & np.isnan(array)))]
    if other.size:
        *first, last = [*map(str, allowed), *["NaN"] * nan]
        raise ValueError(
            f"{name} holds {other[0]}; allowed: {', '.join(first)} and {last}."
        )
    return array


def zeros_and_ones(name: str, values: ArrayLike, dimensions: int = 1) -> Array:
    """Take an array of 0 and 1 alone, so without NaN; see `checked`."""
    return checked(name, values, nan=False, dimensions=dimensions)


def checked_shares(name: str, values: ArrayLike, dimensions: int = 1) -> Array:
    """Take an array that may hold numbers from 0 to 1, and NaN.

    Raises:
        ValueError: naming the array and the number of dimensions or first value that
            is not allowed.
    """
    array = with_dimensions(name, values, dimensions)
    if (other := array[(array < 0) | (array > 1)]).size:
        raise ValueError(f"{name} holds {other[0]}; allowed: 0 to 1 and NaN.")
    return array


def with_dimensions(name: str, values: ArrayLike, dimensions: int = 1) -> Array:
    """Take an array of any numbers.

    Raises:
        ValueError: naming the array, if it has another number of dimensions.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions instead of {dimensions}.")
    return array


def check_lengths(**arrays: Sized) -> None:
    """Check that arrays have the same number of rows.

    Raises:
        ValueError: naming all arrays and their lengths.
    """
    if len({len(array) for array in arrays.values()}) > 1:
        found = ", ".join(f"{name} {len(array)}" for name, array in arrays.items())
        raise ValueError(f"the arrays differ in length: {found}.")


def cluster_sums(rows: Array, clusters: Iterable[Hashable]) -> Array:
    """Sum rows within clusters.

    Args:
        rows: of any number of dimensions; the first is of rows.
        clusters: per row what its dependent rows share, say the question.

    Returns:
        One row per cluster, in the order of their first rows.

    Raises:
        ValueError: there are more or fewer cluster names than rows.
    """
    index: dict[Hashable, int] = {}
    position = np.array([index.setdefault(name, len(index)) for name in clusters], int)
    if len(position) != len(rows):
        raise ValueError(f"{len(position)} cluster names for {len(rows)} items.")
    sums = np.zeros((len(index), *rows.shape[1:]))
    np.add.at(sums, position, rows)
    return sums
