"""How well stated probabilities of being right agree with what was right."""

import math
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.metrics import intervals
from inspect_debate.metrics.intervals import Array, Estimate

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


class Bin(NamedTuple):
    """A row of a reliability table: pairs, mean probability, share right."""

    pairs: int
    stated: float
    right: Estimate


def reliability(
    stated: ArrayLike, right: ArrayLike, cluster: Iterable[Hashable]
) -> list[Bin]:
    """Share right by stated probability, in ten bins; empty ones are left out.

    Args:
        stated: As for `brier`.
        right: As for `brier`.
        cluster: Per pair what its dependent pairs share, such as the question.
    """
    probability, outcome = _known(stated, right)
    names = np.array(list(cluster))[_both(stated, right)]
    found = []
    for number in np.unique(bins(probability)):
        inside = bins(probability) == number
        share = intervals.mean(outcome[inside], names[inside])
        mean = float(probability[inside].mean())
        found.append(Bin(int(inside.sum()), mean, share))
    return found


def bins(stated: ArrayLike) -> NDArray[np.intp]:
    """The bin of each probability, from 0; a bin holds its lower edge, the last 1."""
    # i / 10, not linspace: the edge of 0.3 has to be the number written 0.3.
    edges = np.arange(1, BINS) / BINS
    return np.digitize(np.asarray(stated, dtype=np.float64), edges)


def _known(stated: ArrayLike, right: ArrayLike) -> tuple[Array, Array]:
    known = _both(stated, right)
    probability, outcome = (
        np.asarray(one, dtype=np.float64)[known] for one in (stated, right)
    )
    return probability, outcome


def _both(stated: ArrayLike, right: ArrayLike) -> NDArray[np.bool_]:
    total = np.asarray(stated, dtype=np.float64) + np.asarray(right, dtype=np.float64)
    return ~np.isnan(total)
