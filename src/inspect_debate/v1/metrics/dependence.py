"""Means of values that depend on each other, as those of one debate or one model do.

No form of dependence is assumed, only which values may depend on each other at all:
the related ones. The variance of the mean is the sum of products of deviations over
all related pairs, each value with itself among them (the "sandwich" of White 1980,
and of Liang and Zeger 1986).
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.v1.metrics.intervals import Array
from inspect_debate.v1.metrics.means import (
    ONE_CLUSTER,
    Labels,
    MeanEstimate,
    known_rows,
    no_test,
    untestable,
)

Groups = tuple[int, Labels, NDArray[np.intp]]
"""Groups of values, all pairs within which are to be counted once more, 1, or less, -1.

The third are places of values, the second the group that each is in.
"""

_ROUNDING = 1e-12
"""Share of the sum of squares that may be left by rounding where nothing should be."""


def clustered_mean(values: ArrayLike, *clusterings: Iterable[Hashable]) -> MeanEstimate:
    """The plain mean; values are related that share a cluster, in any way.

    Clusters of several ways are crossed (Cameron, Gelbach and Miller 2011,
    "Robust inference with multiway clustering"). There is one degree of freedom less
    than clusters in the way that has the fewest. With one way and clusters of one size
    the test is Student's of the clusters' means.

    In several ways the variance can come out negative or 0. Then the largest of those
    with one way each is taken.

    Args:
        values: flat; NaN ones are left out.
        *clusterings: per value its cluster, in one way or several.

    Returns:
        The mean; without a standard error where no variance can be estimated, as with
        fewer than two clusters in some way.

    Raises:
        ValueError: `values` is not flat, lengths differ, or there is no clustering.
    """
    if not clusterings:
        raise ValueError("clustered_mean needs at least one clustering.")
    known, ways = known_rows(values, *clusterings)
    if (none := untestable(known)) is not None:
        return none
    clusters = min(int(way.max()) + 1 for way in ways)
    if clusters < 2:
        return no_test(known, ONE_CLUSTER)
    variance = _variance(known, _sharing_any(ways))
    if not variance > 0:
        variance = max(_variance(known, _sharing_any([way])) for way in ways)
    return _estimate(known, variance, clusters)


def _sharing_any(ways: Sequence[Labels]) -> list[Groups]:
    """Groups of values that share a cluster in at least one way.

    Those that share one in two ways were counted twice by the ways alone, and so on:
    the principle of inclusion and exclusion.
    """
    everything = np.arange(len(ways[0]))
    return [
        (1 if size % 2 else -1, _joint(chosen), everything)
        for size in range(1, len(ways) + 1)
        for chosen in combinations(ways, size)
    ]


def _joint(ways: Sequence[Labels]) -> Labels:
    """Numbers that are the same where the labels are in every way."""
    joint = ways[0]
    for way in ways[1:]:
        _, joint = np.unique(
            joint * (way.max(initial=0) + 1) + way, return_inverse=True
        )
    return joint


def _products(values: Array, related: Sequence[Groups]) -> float:
    """The sum of products over all pairs of related values, each with itself."""
    return float(
        sum(
            sign * np.square(np.bincount(groups, values[places])).sum()
            for sign, groups, places in related
        )
    )


def _pairs(related: Sequence[Groups]) -> float:
    """How many pairs of values are related, each with itself."""
    return sum(
        sign * float(np.square(np.bincount(groups)).sum())
        for sign, groups, _ in related
    )


def _variance(known: Array, related: Sequence[Groups]) -> float:
    """Variance of the mean; of independent values its expectation is the true one.

    Deviations are from the estimated mean, so their products are too small by the share
    of related pairs. For G clusters of one size that is the usual factor G / (G - 1).
    """
    deviations = known - known.mean()
    products = _products(deviations, related)
    if abs(products) < _ROUNDING * float(deviations @ deviations):
        return 0.0
    size = len(known) ** 2
    return products / size / (1 - _pairs(related) / size)


def _estimate(known: Array, variance: float, clusters: int) -> MeanEstimate:
    if not variance > 0:
        return no_test(known, "clusters do not differ in their means")
    return MeanEstimate(float(known.mean()), sqrt(variance), clusters - 1, len(known))
