"""What a judge's verdicts after each round come to: when they settle, what they decide.

"When to Trust Context" has a verdict after every round: 1 the contextual answer is
reasonable, 0 it is not, NaN where none could be read.
"""

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.core.measures.arrays import Array, check_lengths
from inspect_debate.core.measures.shares import ones_zeros_nans


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
    series = ones_zeros_nans("verdicts", given, dimensions=given.ndim)
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
    """What would hold of the decision if the debate had ended after each round.

    The contextual answer where the verdict is for it, else the prior answer if the
    model is confident of it, else an abstention. With whether each answer is right this
    gives correctness by round; with 1 and 1, whether one was answered.

    Args:
        verdicts: (items, rounds) of 1, 0 and NaN.
        confident: per item 1 if the confidence of the prior answer reaches the
            threshold, 0 if not, NaN without a confidence.
        if_contextual: what holds of the contextual answer, per item or for all.
        if_prior: what holds of the prior answer, per item or for all.
        if_abstained: what holds of an abstention, per item or for all.

    Returns:
        (items, rounds), a column per round. NaN where the verdict is, where a verdict
        against the contextual answer meets no confidence, and where what holds of the
        decision is NaN.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    series = ones_zeros_nans("verdicts", verdicts, dimensions=2)
    sure = ones_zeros_nans("confident", confident)
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
