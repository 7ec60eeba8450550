"""How well stated probabilities agree with what turned out to be right."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Mean squared difference of stated probability and outcome (Brier 1950).

    Args:
        confidence: stated probabilities of being right, from 0 to 1; NaN where none
            could be read.
        correct: 1.0 right, 0.0 wrong, NaN unscored.

    Returns:
        A number from 0 (best) to 1 over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    stated, outcome = _pairs(confidence, correct)
    return float(((stated - outcome) ** 2).mean()) if stated.size else float("nan")


def expected_calibration_error(
    confidence: ArrayLike, correct: ArrayLike, bins: int = 10
) -> float:
    """Mean distance of stated probability and share right, over bins of the former.

    Bins are of equal width and weighed by their share of the pairs (Guo et al.
    2017). A bin holds its lower edge; the last one holds 1 as well.

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.
        bins: number of bins, at least 1.

    Returns:
        A number from 0 (best) to 1 over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: as for `brier`, or `bins` is below 1.
    """
    if bins < 1:
        raise ValueError(f"bins is {bins}; it must be at least 1.")
    stated, outcome = _pairs(confidence, correct)
    if not stated.size:
        return float("nan")
    # i / bins, not linspace: the edge of 0.3 has to be the number written 0.3.
    inner_edges = np.arange(1, bins) / bins
    which = np.digitize(stated, inner_edges)
    # Share of bin times |mean stated - mean right| is |sum of differences| / pairs.
    gaps = np.bincount(which, weights=stated - outcome, minlength=bins)
    return float(np.abs(gaps).sum() / stated.size)


def _pairs(confidence: ArrayLike, correct: ArrayLike) -> tuple[Array, Array]:
    """Both arrays after a check of their values, without the pairs that hold a NaN."""
    stated = np.asarray(confidence, dtype=np.float64)
    outcome = np.asarray(correct, dtype=np.float64)
    if stated.ndim != 1 or stated.shape != outcome.shape:
        raise ValueError(
            "confidence and correct must be flat and of one length, "
            f"not of shapes {stated.shape} and {outcome.shape}."
        )
    outside = (stated < 0) | (stated > 1)
    if outside.any():
        raise ValueError(f"confidence {stated[outside][0]} is outside 0 to 1.")
    neither = ~(np.isin(outcome, (0, 1)) | np.isnan(outcome))
    if neither.any():
        raise ValueError(f"correct {outcome[neither][0]} is neither 0, 1 nor NaN.")
    known = ~(np.isnan(stated) | np.isnan(outcome))
    return stated[known], outcome[known]
