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

from inspect_debate.v1.metrics.intervals import (
    Array,
    Share,
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


def _counts(table: Array, clusters: Iterable[Hashable]) -> Array:
    """Ones and zeros (clusters, groups, 2) of a table (items, groups)."""
    both = np.nan_to_num(np.stack((table, 1 - table), axis=2))
    return cluster_sums(both, clusters)


def _mean_of(totals: Array) -> float:
    ones, zeros = totals.reshape(-1, 2).T
    return float((ones / (ones + zeros)).mean())
