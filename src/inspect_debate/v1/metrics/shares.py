"""Shares of items of which several may be about one question, with 95 % intervals.

Values are 1, 0, or NaN where an item does not count; of one between 0 and 1, such as
the 0.5 of a tie, that part counts as a one. The halves of a question, with the right
passage and with a perturbed one, are no independent observations: whoever knows the
answer is likelier to be right on both. So a question is a cluster.
"""

from collections.abc import Hashable, Iterable
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.intervals import (
    Array,
    checked_shares,
    cluster_interval,
    cluster_sums,
)


def share(values: ArrayLike, clusters: Iterable[Hashable]) -> Share:
    """The share of ones, with the interval of `cluster_interval`.

    Args:
        values: flat, from 0 to 1, and NaN.
        clusters: per value what its dependent ones share, say the question.

    Returns:
        The share of the values that are not NaN, and their number.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    return mean_of_shares(checked_shares("values", values)[:, np.newaxis], clusters)


def mean_of_shares(values: ArrayLike, clusters: Iterable[Hashable]) -> Share:
    """The mean of several groups' shares, with the interval of `cluster_interval`.

    Groups weigh the same, however many items they have.

    Args:
        values: (items, groups) from 0 to 1, and NaN in the columns of the
            groups to which an item does not belong.
        clusters: per item what its dependent ones share, perhaps across groups.

    Returns:
        The mean and the number of items that count; NaN where a group has none.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    counts = _counts(checked_shares("values", values, dimensions=2), clusters)
    n = round(counts.sum())
    if not counts.sum(axis=(0, 2)).all():
        return Share(nan, nan, nan, n)
    flat = counts.reshape(len(counts), -1)
    return Share(_mean_of(flat.sum(axis=0)), *cluster_interval(_mean_of, flat), n)


def bootstrapped_share(
    values: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    seed: int,
    resamples: int = 2000,
) -> Share:
    """The share of ones, with the percentile interval of a bootstrap of clusters.

    Clusters with a value that counts are drawn with replacement. Where all are alike
    (only ones, or only zeros) so are the resamples, which would leave the interval no
    width; it is that of `share` then.

    Args:
        values: as for `share`.
        clusters: as for `share`.
        seed: of the resampling.
        resamples: number of resamples.

    Returns:
        As `share`.

    Raises:
        ValueError: as for `share`.
    """
    plain = share(values, clusters := list(clusters))
    if not 0 < plain.value < 1 or np.isnan(plain.low):
        return plain
    counts = _counts(checked_shares("values", values)[:, np.newaxis], clusters)[:, 0]
    ones, zeros = counts[counts.any(axis=1)].T
    # As `scipy.stats.bootstrap` with `paired` and `method="percentile"`, which takes a
    # second to import.
    drawn = np.random.default_rng(seed).integers(0, len(ones), (resamples, len(ones)))
    shares = ones[drawn].sum(axis=1) / (ones + zeros)[drawn].sum(axis=1)
    low, high = np.percentile(shares, (2.5, 97.5))
    return Share(plain.value, float(low), float(high), plain.n)


def _counts(table: Array, clusters: Iterable[Hashable]) -> Array:
    """Ones and zeros (clusters, groups, 2) of a table (items, groups)."""
    both = np.nan_to_num(np.stack((table, 1 - table), axis=2))
    return cluster_sums(both, clusters)


def _mean_of(totals: Array) -> float:
    ones, zeros = totals.reshape(-1, 2).T
    return float((ones / (ones + zeros)).mean())
