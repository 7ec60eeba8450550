"""Comparisons of two protocols on the same items.

* `mcnemar`: right or wrong, once per independent item;
* `cluster_sign_flip`: any difference, so fair coins too, with dependent items;
* `paired_bootstrap`: any statistic of counts, so F1 too, with dependent items.

Epochs of one item, and items about one input, are a cluster. `holm` corrects a
family of such tests.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.detection import Convention, Counts, Statistic
from inspect_debate.v1.metrics.intervals import (
    Array,
    check_lengths,
    cluster_sums,
    zeros_and_ones,
)
from inspect_debate.v1.metrics.means import cluster_means, pooled_mean

Name = TypeVar("Name", bound=Hashable)

_BATCH = 1000
"""The number of resamples in memory at a time."""

_DECIMALS = 9
"""Where sums of thirds and the like differ by rounding only, they tie."""


class McNemar(NamedTuple):
    """Items that only the one or only the other got right, and the p-value."""

    only_a: int
    only_b: int
    p: float


class PairedDifference(NamedTuple):
    """A statistic of b less that of a, ends of its interval, two-sided p-value."""

    difference: float
    low: float
    high: float
    p: float


def mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> McNemar:
    """McNemar's exact conditional test, two-sided, with the mid-p-value.

    The mid-p-value counts results as far from balance as the observed one by half,
    which makes up for the caution of the exact test (Fagerland, Lydersen and Laake
    2013). For independent items only: epochs and items that share an input need
    `cluster_sign_flip`.

    Args:
        right_a: 1 right, 0 wrong, one per item.
        right_b: the same of the other protocol on the same items.

    Returns:
        Discordant items and the p-value, which is 1 without any.

    Raises:
        ValueError: lengths differ, or a value is neither 0 nor 1.
    """
    # In place of `scipy.stats`, which takes a second to import.
    from scipy.special import bdtr

    a, b = zeros_and_ones("right_a", right_a), zeros_and_ones("right_b", right_b)
    check_lengths(right_a=a, right_b=b)
    only_a, only_b = int((a > b).sum()), int((b > a).sum())
    discordant = only_a + only_b
    if not discordant:
        return McNemar(0, 0, 1.0)
    fewer = min(only_a, only_b)
    farther = bdtr(fewer - 1, discordant, 0.5) if fewer else 0.0
    equal = bdtr(fewer, discordant, 0.5) - farther
    # Either may have the fewer, but for an even result.
    tails = 1 if only_a == only_b else 2
    p = float(2 * farther + tails * equal * 0.5)
    return McNemar(only_a, only_b, p)


def cluster_sign_flip(
    differences: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 9999,
) -> float:
    """Paired permutation test that swaps the two protocols within whole clusters.

    Swapping flips the sign of a cluster's summed difference; the test statistic is
    the sum of all. All swaps are gone through where there are no more than
    `resamples`, else that many are drawn and the observed one is counted as one
    more, so that the p-value is never 0.

    Args:
        differences: one protocol less the other per item and epoch, for example of
            correctness, where a fair coin is 0.5.
        clusters: per difference what its dependent ones share, say the input.
        seed: of the draws.
        resamples: number of draws.

    Returns:
        The two-sided p-value; 1 where no cluster differs.

    Raises:
        ValueError: lengths differ, or a difference is not finite.
    """
    sums = _cluster_sums(differences, clusters)
    # Flipping a 0 changes nothing, and without it fewer swaps make the test exact.
    sums = sums[sums != 0]
    if len(sums) < 2:
        return 1.0
    exact = 2 ** len(sums) <= resamples
    totals = _all_flips(sums) if exact else _drawn_flips(sums, resamples, seed)
    totals, observed = totals.round(_DECIMALS), sums.sum().round(_DECIMALS)
    more = 0 if exact else 1
    beyond = min(int((totals <= observed).sum()), int((totals >= observed).sum()))
    return min(1.0, 2 * (beyond + more) / (len(totals) + more))


def paired_bootstrap(
    statistic: Statistic,
    cluster_counts_a: ArrayLike,
    cluster_counts_b: ArrayLike,
    *,
    seed: int,
    convention: Convention = "parsed",
    level: float = 0.95,
    resamples: int = 4000,
) -> PairedDifference:
    """Difference of a statistic between two protocols, by resampling clusters.

    Percentile interval. The p-value is the level at which the interval would touch
    0: at most 1 - `level` if and only if 0 lies outside the interval.

    Where the resamples do not differ, they do not tell how certain the difference is:
    an interval of no width would say that it is beyond doubt. There is none then, and
    of a difference of 0 the p-value is 1, of any other NaN.

    Resamples in which the statistic has no value for a protocol are left out. Where
    they are more than a share of 1 - `level`, and where there are fewer than two
    clusters, the interval and p are NaN.

    Args:
        statistic: one of `STATISTICS`.
        cluster_counts_a: array (clusters, 6) as from `cluster_counts`.
        cluster_counts_b: those of the other protocol, of the same clusters in the
            same order.
        seed: of the resampling.
        convention: how the statistic reads predictions that could not be parsed.
        level: confidence level, between 0 and 1.
        resamples: number of resamples.

    Returns:
        Statistic of b less that of a, with interval and p-value.

    Raises:
        ValueError: the tables differ in shape or hold anything but non-negative
            numbers, `level` is not in (0, 1), or `resamples` are too few for it.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1.")
    if _rank(resamples, level) < 1:
        raise ValueError(f"{resamples} resamples are too few for level {level}.")
    both = _both_tables(cluster_counts_a, cluster_counts_b)

    def difference(totals: Array) -> Array:
        a, b = np.split(np.moveaxis(totals, -1, 0), 2)
        values = statistic(Counts(*b), convention) - statistic(Counts(*a), convention)
        return np.asarray(values)

    observed = float(difference(both.sum(axis=0)))
    drawn = difference(_resampled_totals(both, resamples, seed))
    drawn = np.sort(drawn[~np.isnan(drawn)])
    rank = _rank(len(drawn), level)
    missing = 1 - len(drawn) / resamples
    if isnan(observed) or len(both) < 2 or missing > 1 - level or rank < 1:
        return PairedDifference(observed, *[nan] * 3)
    low, high = float(drawn[rank - 1]), float(drawn[-rank])
    if round(high - low, _DECIMALS) == 0:
        p = 1.0 if round(observed, _DECIMALS) == 0 else nan
        return PairedDifference(observed, nan, nan, p)
    beyond = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    p = min(1.0, 2 * (beyond + 1) / (len(drawn) + 1))
    return PairedDifference(observed, low, high, p)


def holm(p_values: Mapping[Name, float]) -> dict[Name, float]:
    """Adjust the p-values of a family of tests by Holm's step-down method (1979).

    Args:
        p_values: p-values by name; NaN for a test that could not be made.

    Returns:
        Adjusted p-values in the same order. A NaN stays one, and its test is no
        member of the family.

    Raises:
        ValueError: a p-value is outside 0 to 1.
    """
    family = {name: p for name, p in p_values.items() if not isnan(p)}
    for name, p in family.items():
        if not 0 <= p <= 1:
            raise ValueError(f"The p-value of {name} is {p}; it must be from 0 to 1.")
    # Statsmodels' function collects all garbage at each call, which takes longer than
    # the rest of a report's table.
    ascending = sorted(family, key=lambda name: family[name])
    adjusted, least = dict(p_values), 0.0
    for place, name in enumerate(ascending):
        least = max(least, family[name] * (len(family) - place))
        adjusted[name] = min(1.0, least)
    return adjusted


def _all_flips(sums: Array) -> Array:
    """The totals under all signs."""
    totals = np.zeros(1)
    for one in sums:
        totals = np.concatenate((totals + one, totals - one))
    return totals


def _drawn_flips(sums: Array, resamples: int, seed: int) -> Array:
    """The totals under drawn signs."""
    rng = np.random.default_rng(seed)
    # Equal sums, of which there are many, are drawn together: the same, but faster.
    _, first, number = np.unique(
        abs(sums).round(_DECIMALS), return_index=True, return_counts=True
    )
    sizes = abs(sums)[first]
    parts = []
    for start in range(0, resamples, _BATCH):
        shape = (min(_BATCH, resamples - start), len(sizes))
        parts.append((2 * rng.binomial(number, 0.5, size=shape) - number) @ sizes)
    return np.concatenate(parts)


def _cluster_sums(differences: ArrayLike, clusters: Sequence[Hashable]) -> Array:
    values = np.asarray(differences, dtype=np.float64)
    if values.shape != (len(clusters),):
        raise ValueError(
            f"{len(clusters)} cluster names for differences of shape {values.shape}."
        )
    if not np.isfinite(values).all():
        raise ValueError("differences holds a NaN or an infinite number.")
    return cluster_sums(values, clusters)


def _both_tables(cluster_counts_a: ArrayLike, cluster_counts_b: ArrayLike) -> Array:
    a = np.asarray(cluster_counts_a, dtype=np.float64)
    b = np.asarray(cluster_counts_b, dtype=np.float64)
    columns = len(Counts._fields)
    if a.ndim != 2 or a.shape != b.shape or a.shape[1] != columns:
        raise ValueError(
            f"the tables must be of one shape (clusters, {columns}), "
            f"not {a.shape} and {b.shape}."
        )
    both = np.concatenate((a, b), axis=1)
    if not (np.isfinite(both).all() and (both >= 0).all()):
        raise ValueError("the counts hold a negative or non-finite number.")
    return both


def _resampled_totals(rows: Array, resamples: int, seed: int) -> Array:
    """Totals (resamples, columns) of as many rows, drawn with replacement."""
    if not len(rows):
        return np.zeros((resamples, rows.shape[1]))
    # Equal rows, of which there are many, are drawn together: the same, but faster.
    kinds, number = np.unique(rows, axis=0, return_counts=True)
    weights = np.random.default_rng(seed).multinomial(
        len(rows), number / len(rows), size=resamples
    )
    totals: Array = weights @ kinds
    return totals


def _rank(resamples: int, level: float) -> int:
    """Rank from either end of the resamples at which the interval ends."""
    # 1 - 0.9 is a little below 0.1, which must not cost a rank.
    return int((resamples + 1) * (1 - level) / 2 + 1e-9)


# Whether two conditions are as good as the same: a test of equivalence.

_LEVEL = 0.05
"""Of either one-sided test; the interval's is twice that."""


class Equivalence(NamedTuple):
    """A mean difference, its 90 % interval, and whether it is small for certain.

    `p` is that of the hypothesis that the difference is at least as large as the
    margin; at 5 % it is rejected if and only if the interval lies within the margins.
    """

    difference: float
    low90: float
    high90: float
    p: float
    equivalent: bool


def equivalence(
    differences: ArrayLike, clusters: Iterable[Hashable], margin: float
) -> Equivalence:
    """Two one-sided t-tests at 5 % of a mean of paired differences (Schuirmann 1987).

    A difference that is not significant is no sign of equivalence; this is. A cluster's
    differences are averaged first, and clusters weigh the same.

    Where all n means are 0 there is no spread for a t-test. But had a share q of the
    clusters another mean, none of n would with probability (1 - q)^n, so that with 95 %
    confidence no more than 1 - 0.05^(1/n) have one. The mean difference, of values
    within -1 and 1, is no larger: that is half the width of the interval, and p is
    (1 - margin)^n.

    Args:
        differences: flat, from -1 to 1, say of two formats' verdicts on the same
            answers, 1 for right and 0 for wrong; NaN ones are left out.
        clusters: per difference what its dependent ones share, say the question.
        margin: the smallest difference that would matter, in the same unit.

    Returns:
        Without an interval, and not equivalent, where all clusters, or the only one,
        have the same difference and it is not 0: nothing then tells how certain it is.

    Raises:
        ValueError: `margin` is not above 0, or lengths differ.
    """
    if not margin > 0:
        raise ValueError(f"margin is {margin}; it must be above 0.")
    means = cluster_means(differences, clusters)
    if len(means) and not means.any():
        return _without_difference(len(means), margin)
    estimate = pooled_mean(means)
    p = max(estimate.p(-margin, "greater"), estimate.p(margin, "less"))
    return Equivalence(
        estimate.value, *estimate.interval(1 - 2 * _LEVEL), p, p < _LEVEL
    )


def _without_difference(clusters: int, margin: float) -> Equivalence:
    half = 1 - _LEVEL ** (1 / clusters)
    p = max(1 - margin, 0.0) ** clusters
    return Equivalence(0.0, -half, half, p, p < _LEVEL)
