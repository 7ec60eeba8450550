"""How well stated probabilities of being right agree with what was right."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

BINS = 10


def expected_calibration_error(stated: ArrayLike, right: ArrayLike) -> float:
    """Mean distance of stated probability and share right, over bins of the former.

    There are ten bins of equal width, weighted by their number of pairs. The error is
    biased upwards, the more the fewer pairs a bin has.
    """
    probability = np.asarray(stated, dtype=np.float64)
    # Share of bin times |mean stated - mean right| is |sum of differences| / pairs.
    gaps = np.bincount(bins(probability), weights=probability - np.asarray(right))
    return float(np.abs(gaps).sum() / len(probability))


def bins(stated: ArrayLike) -> NDArray[np.intp]:
    """The bin of each probability, from 0; a bin holds its lower edge, the last 1."""
    # i / 10, not linspace: the edge of 0.3 has to be the number written 0.3.
    edges = np.arange(1, BINS) / BINS
    return np.digitize(np.asarray(stated, dtype=np.float64), edges)
