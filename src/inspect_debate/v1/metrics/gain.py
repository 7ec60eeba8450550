"""Differences of means of which not all values are paired."""

from collections.abc import Hashable, Iterable
from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.intervals import (
    check_lengths,
    with_dimensions,
    zeros_and_ones,
)
from inspect_debate.v1.metrics.means import (
    ONE_CLUSTER,
    MeanEstimate,
    known_rows,
)

_TINY = 1e-9


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
