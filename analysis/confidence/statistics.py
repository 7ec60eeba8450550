"""The paper's statistics of bets, in its conventions; NaN where there is too little."""

from math import nan
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.analysis.confidence.study import EVEN
from inspect_debate.core.measures.arrays import Array
from inspect_debate.core.measures.means import Alternative, pooled_mean


class Spread(NamedTuple):
    """Mean and standard deviation of `n` values."""

    mean: float
    sd: float
    n: int


class TTest(NamedTuple):
    """A t test of the mean of `n` values; NaN where these do not differ at all."""

    mean: float
    t: float
    p: float
    n: int


def spread(values: ArrayLike, *, ddof: Literal[0, 1]) -> Spread:
    """Mean and standard deviation without values that are NaN.

    Args:
        values: One-dimensional.
        ddof: 1 for the sample's standard deviation (Table 2), 0 for the population's
            (all other tables of the paper).
    """
    known = _known(values)
    mean = float(known.mean()) if known.size else nan
    sd = float(known.std(ddof=ddof)) if known.size > ddof else nan
    return Spread(mean, sd, known.size)


def against(
    values: ArrayLike, null: float = EVEN, alternative: Alternative = "greater"
) -> TTest:
    """Student's t test of a mean against `null`, of values that are not NaN."""
    found = pooled_mean(values)
    t, p = found.statistic(null), found.p(null, alternative)
    return TTest(found.value, t, p, found.n)


def paired(
    earlier: ArrayLike, later: ArrayLike, alternative: Alternative = "greater"
) -> TTest:
    """The paired t test of `later` less `earlier`, over pairs that are whole."""
    changes = np.asarray(later, dtype=float) - np.asarray(earlier, dtype=float)
    return against(changes, 0.0, alternative)


def _known(values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=np.float64)
    return array[~np.isnan(array)]
