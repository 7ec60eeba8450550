"""How well stated probabilities agree with what turned out to be right.

What is right may itself be a probability: a side of a debate between equals wins with
0.5. Each measure is then the mean over outcomes drawn with that probability, except
that the calibration error compares with the probability itself, as it would with the
shares of very many outcomes.
"""

import math
from collections.abc import Hashable, Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.intervals import (
    Array,
    Share,
    check_lengths,
    checked_shares,
)
from inspect_debate.v1.metrics.means import Labels, average_ranks, known_rows

FLOOR = 0.01
"""How near to 0 or 1 a probability may be to a log score, where nothing else is said:
as near as one can be that is stated in whole percents."""

Bins = Literal["width", "mass"]
"""Bins of equal width (Guo et al. 2017), or with as many probabilities each, as nearly
as ties allow (Nguyen and O'Connor 2015), which follow where the probabilities are."""


def brier(confidence: ArrayLike, correct: ArrayLike) -> float:
    """Mean squared difference of stated probability and outcome (Brier 1950).

    Args:
        confidence: stated probabilities of being right, from 0 to 1; NaN where none
            could be read.
        correct: 1.0 right, 0.0 wrong, or the probability of being right; NaN unscored.

    Returns:
        A number from 0 (best) to 1 over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    return _mean(squared_errors(confidence, correct))


def squared_errors(confidence: ArrayLike, correct: ArrayLike) -> Array:
    """The squared difference of each pair, of which `brier` is the mean.

    Against a probability q of being right, that of an outcome drawn with q is expected:
    (p - q)^2 + q (1 - q) for a stated p, and so at best 0.25 where q is 0.5.

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.

    Returns:
        From 0 to 1, in the order of the pairs; NaN for a pair with a NaN.

    Raises:
        ValueError: as for `brier`.
    """
    stated, outcome = _both(confidence, correct)
    return (stated - outcome) ** 2 + outcome * (1 - outcome)


def log_losses(
    confidence: ArrayLike, correct: ArrayLike, floor: float = FLOOR
) -> Array:
    """The negative logarithm of each pair, of which `log_score` is the mean.

    In nats (Good 1952). Against a probability of being right, that of an outcome drawn
    with it is expected. One wrong certainty would make the mean infinite, so that no
    stated probability counts as nearer to 0 or 1 than `floor`.

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.
        floor: as for `log_score`.

    Returns:
        In the order of the pairs; NaN for a pair with a NaN.

    Raises:
        ValueError: as for `log_score`.
    """
    if not 0 < floor < 0.5:
        raise ValueError(f"floor is {floor}; it must lie between 0 and 0.5.")
    stated, outcome = _both(confidence, correct)
    stated = np.clip(stated, floor, 1 - floor)
    return -outcome * np.log(stated) - (1 - outcome) * np.log1p(-stated)


def expected_calibration_error(
    confidence: ArrayLike, correct: ArrayLike, bins: int = 10, kind: Bins = "width"
) -> float:
    """Mean distance of stated probability and share right, over bins of the former.

    Bins are weighed by their share of the pairs. One of equal width holds its lower
    edge; the last one holds 1 as well. Probabilities that are the same are in the same
    bin of either kind. Where `correct` is a probability, its mean is taken as the share
    right: there is no noise of outcomes in it, which outcomes of 0 and 1 add to the
    error however well one is calibrated. The error is so biased upwards, the more the
    fewer pairs a bin has (Bröcker 2012; Roelofs et al. 2022). It has no interval, as
    resampling adds the same noise once more: of calibrated judges of 60 questions, the
    interval of a bootstrap that corrects for this held the true error, 0, in half of
    the simulated runs. Compare the error with `error_if_calibrated`.

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.
        bins: number of bins, at least 1.
        kind: of equal width, or of equal mass.

    Returns:
        A number from 0 (best) to 1 over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: as for `brier`, or `bins` is below 1.
    """
    stated, outcome = _pairs(confidence, correct)
    which = bins_of(stated, bins, kind)
    if not stated.size:
        return math.nan
    # Share of bin times |mean stated - mean right| is |sum of differences| / pairs.
    gaps = np.bincount(which, weights=stated - outcome, minlength=bins)
    return float(np.abs(gaps).sum() / stated.size)


def bins_of(stated: Array, bins: int = 10, kind: Bins = "width") -> Labels:
    """The bin of each probability, numbered from 0.

    Args:
        stated: flat, without NaN.
        bins: number of bins, at least 1, some of which may be empty.
        kind: of equal width, or of equal mass: by rank, of equal ones their mean rank.

    Raises:
        ValueError: `bins` is below 1.
    """
    if bins < 1:
        raise ValueError(f"bins is {bins}; it must be at least 1.")
    if kind == "mass":
        places = (average_ranks(stated) - 0.5) * bins / max(stated.size, 1)
        return places.astype(np.intp)
    # i / bins, not linspace: the edge of 0.3 has to be the number written 0.3.
    return np.digitize(stated, np.arange(1, bins) / bins)


def error_if_calibrated(
    confidence: ArrayLike,
    verdicts: Iterable[Hashable],
    bins: int = 10,
    kind: Bins = "width",
    *,
    seed: int,
    draws: int = 1000,
) -> Share:
    """The `expected_calibration_error` of a judge that is calibrated: its bias.

    Outcomes are drawn that come true with the stated probabilities, as the consistency
    bars of Bröcker and Smith (2007) are made. Verdicts are drawn as if they were
    independent; where several are about one question the error is larger.

    Args:
        confidence: as for `brier`.
        verdicts: per probability the verdict that states it. Of the answers that one
            verdict states probabilities for at most one is right, unless these add up
            to more than 1: each is then drawn by itself.
        bins: as for `expected_calibration_error`.
        kind: as for `expected_calibration_error`.
        seed: of the draws.
        draws: number of draws.

    Returns:
        The mean over the draws, where 95 % of them lie, and the number of
        probabilities; NaN without one.

    Raises:
        ValueError: as for `expected_calibration_error`, or lengths differ.
    """
    checked_shares("confidence", confidence)
    stated, (names,) = known_rows(confidence, verdicts)
    if not stated.size:
        return Share(math.nan, math.nan, math.nan, 0)
    order = np.argsort(names, kind="stable")
    stated, names = stated[order], names[order]
    # Probabilities of a verdict lie side by side on a line from 0 to 1, on which one
    # number is drawn: the answer on whose part it falls is right.
    total = np.bincount(names, stated)
    firsts = np.searchsorted(names, names)
    above = stated.cumsum()
    low = above - stated - (above - stated)[firsts]
    apart = total[names] > 1 + _ROUNDING
    low[apart] = 0.0
    names = np.where(apart, names.max() + 1 + np.arange(len(names)), names)
    which = np.eye(bins)[bins_of(stated, bins, kind)]
    draw = np.random.default_rng(seed)
    errors = []
    for start in range(0, draws, _BATCH):
        size = (min(_BATCH, draws - start), int(names.max()) + 1)
        place = draw.random(size)[:, names] - low
        right = (place >= 0) & (place < stated)
        errors.append(np.abs((stated - right) @ which).sum(axis=1) / stated.size)
    all = np.concatenate(errors)
    low, high = np.quantile(all, (0.025, 0.975))
    return Share(_mean(all), float(low), float(high), stated.size)


_BATCH = 100
"""The number of draws in memory at a time."""

_ROUNDING = 1e-6
"""By how much probabilities of one verdict may add up to more than 1 by rounding."""


class BrierParts(NamedTuple):
    """A Brier score as `reliability - resolution + uncertainty + within`.

    Attributes:
        brier: The score.
        reliability: The squared distance of stated probability and share right, over
            bins: 0 if calibrated.
        resolution: How far shares right of bins lie from that of all, squared: the
            higher the better.
        uncertainty: The variance of the outcomes, whatever is stated.
        within: What differs within bins: the variance of the stated probabilities, less
            twice their covariance with the outcomes; 0 if bins are single values.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier_parts(
    confidence: ArrayLike,
    correct: ArrayLike,
    bins: int | None = 10,
    kind: Bins = "width",
) -> BrierParts:
    """The decomposition of a Brier score (Murphy 1973).

    Murphy's three parts add up to the score where a bin has a single probability. The
    rest within bins is that of Stephenson, Coelho and Jolliffe (2008).

    Args:
        confidence: as for `brier`.
        correct: as for `brier`.
        bins: number of bins; None makes a bin of each distinct probability.
        kind: as for `expected_calibration_error`.

    Returns:
        The parts, over the pairs without a NaN; NaN without pairs.

    Raises:
        ValueError: as for `expected_calibration_error`.
    """
    stated, outcome = _pairs(confidence, correct)
    if bins is None:
        which = np.unique(stated, return_inverse=True)[1]
    else:
        which = bins_of(stated, bins, kind)
    if not stated.size:
        return BrierParts(*[math.nan] * 5)
    number = np.bincount(which)
    number = np.where(number, number, 1)[which]
    p, y = (np.bincount(which, of)[which] / number for of in (stated, outcome))
    rate = outcome.mean()
    # Means over pairs, which weigh bins by their pairs.
    return BrierParts(
        brier(stated, outcome),
        _mean((p - y) ** 2),
        _mean((y - rate) ** 2),
        float(rate * (1 - rate)),
        _mean((stated - p) ** 2 - 2 * (stated - p) * (outcome - y)),
    )


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _both(confidence: ArrayLike, correct: ArrayLike) -> tuple[Array, Array]:
    """Both arrays after a check of their values."""
    stated = checked_shares("confidence", confidence)
    outcome = checked_shares("correct", correct)
    check_lengths(confidence=stated, correct=outcome)
    return stated, outcome


def _pairs(confidence: ArrayLike, correct: ArrayLike) -> tuple[Array, Array]:
    """Both arrays after a check of their values, without the pairs that hold a NaN."""
    stated, outcome = _both(confidence, correct)
    known = ~(np.isnan(stated) | np.isnan(outcome))
    return stated[known], outcome[known]
