"""Whether two conditions are as good as the same: a test of equivalence."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from numpy.typing import ArrayLike

from inspect_debate.core.measures.means import cluster_means, pooled_mean

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
