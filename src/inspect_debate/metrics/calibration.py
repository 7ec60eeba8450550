"""How well stated probabilities of being right agree with what was right."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.metrics.intervals import Array

BINS = 10


def brier(stated: ArrayLike, right: ArrayLike) -> float:
    """Mean squared difference of stated probability and outcome (Brier 1950).

    Args:
        stated: Probabilities of being right; pairs with a NaN are left out.
        right: 1 or 0.

    Returns:
        From 0, the best, to 1. Always stating 0.5 gives 0.25.
    """
    probability, outcome = _known(stated, right)
    return float(((probability - outcome) ** 2).mean()) if len(outcome) else math.nan


def expected_calibration_error(stated: ArrayLike, right: ArrayLike) -> float:
    """Mean distance of stated probability and share right, over bins of the former.

    There are ten bins of equal width, weighted by their number of pairs. The error is
    biased upwards, the more the fewer pairs a bin has.

    Args:
        stated: As for `brier`.
        right: As for `brier`.
    """
    probability, outcome = _known(stated, right)
    if not len(outcome):
        return math.nan
    # Share of bin times |mean stated - mean right| is |sum of differences| / pairs.
    gaps = np.bincount(bins(probability), weights=probability - outcome)
    return float(np.abs(gaps).sum() / len(outcome))


def bins(stated: ArrayLike) -> NDArray[np.intp]:
    """The bin of each probability, from 0; a bin holds its lower edge, the last 1."""
    # i / 10, not linspace: the edge of 0.3 has to be the number written 0.3.
    edges = np.arange(1, BINS) / BINS
    return np.digitize(np.asarray(stated, dtype=np.float64), edges)


def _known(stated: ArrayLike, right: ArrayLike) -> tuple[Array, Array]:
    pair = np.array([stated, right], dtype=np.float64)
    probability, outcome = pair[:, ~np.isnan(pair).any(axis=0)]
    return probability, outcome
