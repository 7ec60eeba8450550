"""How much of the distance between a weak judge and strong debaters a protocol covers.

The performance gap recovered (PGR) of Burns et al. 2023, "Weak-to-Strong
Generalization" (arXiv 2312.09390), section 3: (protocol - judge alone) / (debaters -
judge alone), of accuracies on the same samples. Both differences depend on the judge's
accuracy alone, and on the same questions, so that the interval is Fieller's (1954,
"Some problems in interval estimation") with their clustered covariance.
"""

from collections.abc import Hashable, Iterable
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.intervals import (
    check_lengths,
    cluster_sums,
    with_dimensions,
    zeros_and_ones,
)
from inspect_debate.v1.metrics.means import (
    ONE_CLUSTER,
    MeanEstimate,
    known_rows,
    t_quantile,
)

TOO_FEW = "fewer than two questions"
NO_GAP = "the interval of the gap includes 0"
NEGATIVE = "the debaters are worse than the judge alone"

_TINY = 1e-9


class Recovered(NamedTuple):
    """The share of a gap that a protocol recovers.

    Attributes:
        value: The share: 0 as the judge alone, 1 as the debaters alone.
        low: The lower end of its 95 % interval; both are NaN where all questions are
            alike.
        high: The upper end.
        reason: Why there is no share; empty where there is one.
    """

    value: float
    low: float
    high: float
    reason: str = ""


def recovered(
    protocol: ArrayLike,
    alone: ArrayLike,
    debaters: ArrayLike,
    clusters: Iterable[Hashable],
) -> Recovered:
    """The performance gap recovered, with Fieller's 95 % interval.

    Student's quantile has one degree of freedom less than clusters. The interval is
    bounded just where that of the gap does not include 0; elsewhere there is no share.

    Args:
        protocol: Per sample how right the protocol's outcome is, from 0 to 1.
        alone: The same of the judge alone.
        debaters: The same of the debaters' own answers.
        clusters: Per sample what its dependent ones share, say the question.

    Returns:
        The share over the samples that have all three values. It may be below 0 and
        above 1.

    Raises:
        ValueError: An array is not flat, or lengths differ.
    """
    values = {"protocol": protocol, "alone": alone, "debaters": debaters}
    arrays = {name: with_dimensions(name, of) for name, of in values.items()}
    labels = list(clusters)
    check_lengths(**arrays, clusters=labels)
    p, j, d = arrays.values()
    both = np.column_stack([p - j, d - j])
    (known,) = np.nonzero(~np.isnan(both).any(axis=1))
    return fieller(both[known], [labels[place] for place in known])


def fieller(both: ArrayLike, clusters: Iterable[Hashable]) -> Recovered:
    """The ratio of two means of paired values, with Fieller's 95 % interval.

    Args:
        both: (samples, 2): what the numerator and the denominator are means of.
        clusters: Per sample its cluster.

    Returns:
        The ratio; none where the denominator's interval includes 0, or is below it.

    Raises:
        ValueError: `both` is no such table, or lengths differ.
    """
    pairs, labels = with_dimensions("both", both, 2), list(clusters)
    sizes = cluster_sums(np.ones((len(pairs), 1)), labels)
    if len(sizes) < 2:
        return Recovered(nan, nan, nan, TOO_FEW)
    gain, gap = means = pairs.mean(axis=0)
    # As the variance of `clustered_mean`, with the same correction for few clusters.
    sums = cluster_sums(pairs - means, labels)
    related = float((sizes**2).sum()) / len(pairs) ** 2
    covariance = sums.T @ sums / len(pairs) ** 2 / (1 - related)
    squared = t_quantile(0.975, len(sizes) - 1) ** 2
    a = gap**2 - squared * covariance[1, 1]
    if gap == 0 or a <= 0:
        return Recovered(nan, nan, nan, NO_GAP)
    if gap < 0:
        return Recovered(nan, nan, nan, NEGATIVE)
    b = gain * gap - squared * covariance[0, 1]
    c = gain**2 - squared * covariance[0, 0]
    half = sqrt(max(b**2 - a * c, 0.0)) / a
    value = float(gain / gap)
    # Questions that are all alike do not show how far others may differ.
    if half < _TINY:
        return Recovered(value, nan, nan)
    return Recovered(value, float(b / a - half), float(b / a + half))


def mean_difference(
    values: ArrayLike, marked: ArrayLike, clusters: Iterable[Hashable]
) -> MeanEstimate:
    """The mean of some values less that of the others, which may share clusters.

    The error is that of least squares on a mark, clustered (Liang and Zeger 1986), with
    the factor m / (m - 1) for m clusters.

    Args:
        values: Flat; NaN ones are left out.
        marked: Per value 1 or 0.
        clusters: Per value its cluster, which may have both.

    Returns:
        The difference; NaN without a value of either kind.

    Raises:
        ValueError: `values` is not flat, a mark is neither 1 nor 0, or lengths differ.
    """
    array, marks = with_dimensions("values", values), zeros_and_ones("marked", marked)
    check_lengths(values=array, marked=marks)
    known, (names,) = known_rows(array, clusters)
    mark = marks[~np.isnan(array)] == 1
    if mark.all() or not mark.any():
        return MeanEstimate(nan, nan, nan, len(known), "values of one kind alone")
    value = float(known[mark].mean() - known[~mark].mean())
    number = int(names.max()) + 1
    if number < 2:
        return MeanEstimate(value, nan, nan, len(known), ONE_CLUSTER)
    shares = np.where(
        mark,
        (known - known[mark].mean()) / mark.sum(),
        (known[~mark].mean() - known) / (~mark).sum(),
    )
    squares = np.square(np.bincount(names, shares)).sum() * number / (number - 1)
    if not squares > _TINY**2:
        return MeanEstimate(value, nan, nan, len(known), "all values are equal")
    return MeanEstimate(value, sqrt(squares), number - 1, len(known))
