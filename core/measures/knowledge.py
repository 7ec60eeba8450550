"""How well a model knows an answer, by how often it recalls it without the passage.

The tiers are those of Gekhman et al. 2024 with the bounds of "When to Trust Context".
"""

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.agreement import Share
from inspect_debate.core.measures.arrays import Array, check_lengths
from inspect_debate.core.measures.shares import share

TIERS = ("Unknown", "Weakly Known", "Maybe Known", "Highly Known")
"""The names of the tiers from 0 to 3."""

MAYBE, HIGHLY = 0.30, 0.85
"""The least shares of right draws of the two upper tiers; any at all is `Weakly`."""

_ROUNDING = 1e-9
"""What a share may lack of a bound through rounding: far below one draw's share."""


def tier(recalled: ArrayLike) -> Array:
    """The tier of knowledge: 0 unknown, 1 weakly, 2 maybe, 3 highly known.

    Args:
        recalled: per item the share, from 0 to 1, of draws that are right; NaN without
            draws. A single number is allowed.

    Returns:
        An index into `TIERS` per item; NaN where `recalled` is.

    Raises:
        ValueError: a share is outside 0 to 1.
    """
    shares = np.asarray(recalled, dtype=np.float64)
    outside = shares[(shares < 0) | (shares > 1 + _ROUNDING)]
    if outside.size:
        raise ValueError(f"recalled holds {outside[0]}; allowed: 0 to 1 and NaN.")
    bounds = np.array([2 * _ROUNDING, MAYBE, HIGHLY]) - _ROUNDING
    return np.where(np.isnan(shares), np.nan, np.digitize(shares, bounds))


def tier_shares(tiers: ArrayLike, clusters: Iterable[Hashable]) -> tuple[Share, ...]:
    """The share of items in each tier.

    Args:
        tiers: of `tier`, flat; NaN ones are left out.
        clusters: per item its question: the tiers of its halves are told apart, but one
            knowledge is behind both.

    Returns:
        A share per tier, in the order of `TIERS`.

    Raises:
        ValueError: a tier is none of 0 to 3, or lengths differ.
    """
    known, names = _checked(tiers), list(clusters)
    return tuple(share(_is(known, each), names) for each in range(len(TIERS)))


def p_known_given(
    confidence: ArrayLike,
    tiers: ArrayLike,
    taus: Iterable[float],
    clusters: Iterable[Hashable],
) -> list[Share]:
    """P(Highly Known | confidence >= tau), over the thresholds tau.

    Args:
        confidence: per item that of the prior answer; NaN where there is none.
        tiers: of `tier`; NaN ones are left out.
        taus: thresholds; a confidence equal to one reaches it.
        clusters: per item its question.

    Returns:
        A share per threshold, with the number of items that reach it; NaN where none
        does.

    Raises:
        ValueError: a tier is none of 0 to 3, or lengths differ.
    """
    stated, known = np.asarray(confidence, dtype=np.float64), _checked(tiers)
    check_lengths(confidence=stated, tiers=known)
    highly, names = _is(known, TIERS.index("Highly Known")), list(clusters)
    return [share(np.where(stated >= tau, highly, np.nan), names) for tau in taus]


def _is(tiers: Array, one: int) -> Array:
    return np.where(np.isnan(tiers), np.nan, tiers == one)


def _checked(tiers: ArrayLike) -> Array:
    array = np.asarray(tiers, dtype=np.float64)
    other = array[~(np.isin(array, range(len(TIERS))) | np.isnan(array))]
    if other.size:
        raise ValueError(f"tiers holds {other[0]}; allowed: 0, 1, 2, 3 and NaN.")
    return array
