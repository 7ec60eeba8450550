"""What becomes of verdicts between two conditions on the same answers.

The study of generative debates compares a judge that has read a debate with one that
has read nothing but the answers. Verdicts are right (1), wrong (0), or unread (NaN); a
pair with an unread one is left out.
"""

from collections.abc import Hashable, Iterable
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.agreement import Share
from inspect_debate.core.measures.arrays import Array, check_lengths
from inspect_debate.core.measures.shares import ones_zeros_nans, share


class Transitions(NamedTuple):
    """Numbers of pairs by the verdict before and after, and what follows from them.

    Attributes:
        right_right: Right before and after.
        hurt: Right before, wrong after.
        helped: Wrong before, right after.
        wrong_wrong: Wrong before and after.
        n: Pairs of read verdicts.
        flip_rate: The share of them that changed; NaN without a pair.
        hurt_share: The share of the changed that were hurt; NaN without one.
        net: The change of accuracy: flip_rate * (1 - 2 * hurt_share), 0 without a flip.
    """

    right_right: int
    hurt: int
    helped: int
    wrong_wrong: int
    n: int
    flip_rate: float
    hurt_share: float
    net: float


class TransitionShares(NamedTuple):
    """The flip rate and the hurt share, with intervals."""

    flip: Share
    hurt: Share


def transitions(before: ArrayLike, after: ArrayLike) -> Transitions:
    """Count verdicts by what becomes of them.

    Args:
        before: per pair 1, 0 or NaN.
        after: the same in the other condition.

    Raises:
        ValueError: a value is none of those, or lengths differ.
    """
    first, then = _pairs(before, after)
    hurt, helped = int((first > then).sum()), int((first < then).sum())
    right, wrong = (int(((first == v) & (then == v)).sum()) for v in (1, 0))
    flips = hurt + helped
    n = flips + right + wrong
    return Transitions(
        right_right=right,
        hurt=hurt,
        helped=helped,
        wrong_wrong=wrong,
        n=n,
        flip_rate=flips / n if n else nan,
        hurt_share=hurt / flips if flips else nan,
        net=(helped - hurt) / n if n else nan,
    )


def transition_shares(
    before: ArrayLike, after: ArrayLike, clusters: Iterable[Hashable]
) -> TransitionShares:
    """The flip rate and the hurt share of `transitions`, with 95 % intervals.

    Args:
        before: as for `transitions`.
        after: as for `transitions`.
        clusters: per pair what its dependent ones share, say the question.

    Raises:
        ValueError: as for `transitions`.
    """
    first, then = _pairs(before, after)
    names = list(clusters)
    flipped = np.where(np.isnan(first), nan, first != then)
    hurt = np.where(flipped == 1, first, nan)
    return TransitionShares(share(flipped, names), share(hurt, names))


def _pairs(before: ArrayLike, after: ArrayLike) -> tuple[Array, Array]:
    """Both verdicts, NaN where either is."""
    first, then = ones_zeros_nans("before", before), ones_zeros_nans("after", after)
    check_lengths(before=first, after=then)
    unread = np.isnan(first) | np.isnan(then)
    return np.where(unread, nan, first), np.where(unread, nan, then)
