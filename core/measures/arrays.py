"""The arrays that measures are given: their checks, and their sums by cluster."""

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def zeros_and_ones(name: str, values: ArrayLike, dimensions: int = 1) -> Array:
    """Take an array that may hold nothing but 0 and 1, so no NaN either.

    Raises:
        ValueError: naming the array and the number of dimensions or first value that
            is not allowed.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions instead of {dimensions}.")
    other = array[~np.isin(array, (0, 1))]
    if other.size:
        raise ValueError(f"{name} holds {other[0]}; allowed: 0 and 1.")
    return array


def check_lengths(**arrays: Array) -> None:
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
