"""How well stated probabilities agree with what turned out to be right.

What is right may itself be a probability: a side of a debate between equals wins with
0.5. Each measure is then the mean over outcomes drawn with that probability, except
that the calibration error compares with the probability itself, as it would with the
shares of very many outcomes.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics.intervals import (
    Array,
    check_lengths,
    checked,
    checked_shares,
    with_dimensions,
)


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Mean squared difference of stated probability and outcome (Brier 1950).

    Against a probability q of being right, that of an outcome drawn with q is expected:
    (p - q)^2 + q (1 - q) for a stated p, and so at best 0.25 where q is 0.5.

    Args:
        confidence: stated probabilities of being right, from 0 to 1; NaN where none
            could be read.
        correct: 1.0 right, 0.0 wrong, or the probability of being right; NaN unscored.

    Returns:
        A number from 0 (best) to 1 over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    stated, outcome = _pairs(confidence, correct)
    return _mean((stated - outcome) ** 2 + outcome * (1 - outcome))


def log_score(confidence: ArrayLike, correct: ArrayLike, floor: float = 0.01) -> float:
    """Mean negative logarithm of the probability that was stated for the outcome.

    In nats (Good 1952). Against a probability of being right, that of an outcome drawn
    with it is expected. One wrong certainty would make the mean infinite, so that no
    stated probability counts as nearer to 0 or 1 than `floor`: by default 0.01, the
    nearest to certainty that can be stated in whole percents.

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.
        floor: above 0 and below 0.5.

    Returns:
        A number from -log(1 - `floor`) (best) to -log(`floor`) over the pairs without
        a NaN; NaN without pairs. Always stating 0.5 gives log 2, which is 0.693.

    Raises:
        ValueError: as for `brier`, or `floor` is not within its bounds.
    """
    if not 0 < floor < 0.5:
        raise ValueError(f"floor is {floor}; it must lie between 0 and 0.5.")
    stated, outcome = _pairs(confidence, correct)
    stated = np.clip(stated, floor, 1 - floor)
    return _mean(-outcome * np.log(stated) - (1 - outcome) * np.log1p(-stated))


def expected_calibration_error(
    confidence: ArrayLike, correct: ArrayLike, bins: int = 10
) -> float:
    """Mean distance of stated probability and share right, over bins of the former.

    Bins are of equal width and weighed by their share of the pairs (Guo et al.
    2017). A bin holds its lower edge; the last one holds 1 as well. Where `correct` is
    a probability, its mean is taken as the share right: there is no noise of outcomes
    in it, which outcomes of 0 and 1 add to the error however well one is calibrated.

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
        return math.nan
    # i / bins, not linspace: the edge of 0.3 has to be the number written 0.3.
    inner_edges = np.arange(1, bins) / bins
    which = np.digitize(stated, inner_edges)
    # Share of bin times |mean stated - mean right| is |sum of differences| / pairs.
    gaps = np.bincount(which, weights=stated - outcome, minlength=bins)
    return float(np.abs(gaps).sum() / stated.size)


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else math.nan


def _pairs(confidence: ArrayLike, correct: ArrayLike) -> tuple[Array, Array]:
    """Both arrays after a check of their values, without the pairs that hold a NaN."""
    stated = checked_shares("confidence", confidence)
    outcome = checked_shares("correct", correct)
    check_lengths(confidence=stated, correct=outcome)
    known = ~(np.isnan(stated) | np.isnan(outcome))
    return stated[known], outcome[known]


# The risk-coverage curve: errors among the answers one is most confident of.


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
        return math.nan
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
    stated = with_dimensions("confidence", confidence)
    right = checked("correct", correct)
    check_lengths(confidence=stated, correct=right)
    known = ~(np.isnan(stated) | np.isnan(right))
    return stated[known], right[known]
