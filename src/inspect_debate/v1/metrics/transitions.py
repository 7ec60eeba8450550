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

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.intervals import Array, check_lengths, checked
from inspect_debate.v1.metrics.shares import share


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
    first, then = checked("before", before), checked("after", after)
    check_lengths(before=first, after=then)
    unread = np.isnan(first) | np.isnan(then)
    return np.where(unread, nan, first), np.where(unread, nan, then)


# What a judge's verdicts after each round come to: when they settle, what they decide.
#
# "When to Trust Context" has a verdict after every round: 1 the contextual answer is
# reasonable, 0 it is not, NaN where none could be read.


def settling_round(verdicts: ArrayLike) -> Array:
    """The first round from which the verdicts stay constant to the end.

    A verdict that could not be read is not known to be the last one, so that verdicts
    can only have settled after it.

    Args:
        verdicts: (items, rounds), or the rounds of a single item, of 1, 0 and NaN.

    Returns:
        Per item a round, counted from 0 in the order of the verdicts: the last round at
        the latest. NaN where the last verdict is, and without rounds. A single number
        for a single item.

    Raises:
        ValueError: a verdict is none of 1, 0 and NaN.
    """
    given = np.asarray(verdicts, dtype=np.float64)
    series = checked("verdicts", given, dimensions=given.ndim)
    rounds = series.shape[-1]
    # NaN is unlike everything, itself too.
    unlike = series != series[..., -1:]
    after = np.where(unlike, np.arange(1, rounds + 1), 0).max(axis=-1, initial=0)
    return np.where(after == rounds, np.nan, after)


def gated(
    verdicts: ArrayLike,
    confident: ArrayLike,
    *,
    if_contextual: ArrayLike,
    if_prior: ArrayLike,
    if_abstained: ArrayLike = 0.0,
) -> Array:
    """The decision, or a value of it, if the debate had ended after each round.

    The contextual answer where the verdict is for it, else the prior answer if the
    model is confident of it, else an abstention. With whether each answer is right this
    gives correctness by round; with 1 and 1, whether one was answered.

    Args:
        verdicts: (items, rounds) of 1, 0 and NaN.
        confident: per item 1 if the confidence of the prior answer reaches the
            threshold, 0 if not, NaN without a confidence.
        if_contextual: the value of the contextual answer, per item or for all.
        if_prior: the value of the prior answer, per item or for all.
        if_abstained: the value of an abstention, per item or for all.

    Returns:
        (items, rounds), a column per round. NaN where the verdict is, where a verdict
        against the contextual answer meets no confidence, and where the value of the
        decision is NaN.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    series = checked("verdicts", verdicts, dimensions=2)
    sure = checked("confident", confident)
    check_lengths(verdicts=series, confident=sure)
    contextual, prior, abstained = (
        np.broadcast_to(np.asarray(each, dtype=np.float64), sure.shape)
        for each in (if_contextual, if_prior, if_abstained)
    )
    without = np.select([sure == 1, sure == 0], [prior, abstained], np.nan)
    return np.select(
        [series == 1, series == 0],
        [contextual[:, np.newaxis], without[:, np.newaxis]],
        np.nan,
    )
