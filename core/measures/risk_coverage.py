"""The risk-coverage curve: errors among the answers one is most confident of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.arrays import Array, check_lengths
from inspect_debate.core.measures.shares import ones_zeros_nans


class Curve(NamedTuple):
    """What answering from a threshold of confidence upwards would cover, and risk.

    A point per distinct confidence, from the highest to the lowest. The last one covers
    everything.

    Attributes:
        coverage: share of the items with at least the confidence of `threshold`.
        risk: share of wrong answers among them.
        threshold: the confidence.
    """

    coverage: Array
    risk: Array
    threshold: Array


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> Curve:
    """The risk-coverage curve (El-Yaniv and Wiener 2010).

    Items of one confidence enter together, since no threshold tells them apart; so the
    order of items does not matter.

    Args:
        confidence: any numbers that rise with confidence; NaN where there is none.
        correct: 1 right, 0 wrong, NaN unscored.

    Returns:
        The curve of the items without a NaN; without points if there are none.

    Raises:
        ValueError: lengths differ, or `correct` holds another value.
    """
    stated, right = _known(confidence, correct)
    levels, level = np.unique(-stated, return_inverse=True)
    items = np.bincount(level, minlength=len(levels)).cumsum()
    wrong = np.bincount(level, weights=1 - right, minlength=len(levels)).cumsum()
    return Curve(items / max(len(stated), 1), wrong / items, -levels)


def area_under(curve: Curve) -> float:
    """The area under a risk-coverage curve, AURC (Geifman et al. 2019).

    The integral over all coverages of a step function: the risk at a coverage is that
    of the first point which covers at least as much. Where no confidence is tied this
    is the mean of the risks of all points. A constant confidence has the share of wrong
    answers as its area.

    Returns:
        A number from 0 (best) to 1; NaN for a curve without points.
    """
    if not curve.coverage.size:
        return float("nan")
    return float(np.diff(curve.coverage, prepend=0.0) @ curve.risk)


def excess_area(confidence: ArrayLike, correct: ArrayLike) -> float:
    """The area above the least possible with as many right answers, E-AURC.

    The least is that of a strict order with all right answers before all wrong ones
    (Geifman et al. 2019), which no tied confidences reach unless nothing is wrong.

    Args:
        confidence: as for `risk_coverage`.
        correct: as for `risk_coverage`.

    Returns:
        A number from 0 (best); NaN without items.

    Raises:
        ValueError: as for `risk_coverage`.
    """
    _, right = _known(confidence, correct)
    best = risk_coverage(np.arange(len(right)), np.sort(right))
    return area_under(risk_coverage(confidence, correct)) - area_under(best)


def _known(confidence: ArrayLike, correct: ArrayLike) -> tuple[Array, Array]:
    """Both arrays without the items that hold a NaN."""
    stated = np.asarray(confidence, dtype=np.float64)
    right = ones_zeros_nans("correct", correct)
    if stated.ndim != 1:
        raise ValueError(f"confidence has {stated.ndim} dimensions instead of 1.")
    check_lengths(confidence=stated, correct=right)
    known = ~(np.isnan(stated) | np.isnan(right))
    return stated[known], right[known]
