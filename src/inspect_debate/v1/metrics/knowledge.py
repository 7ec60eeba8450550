"""How well a model knows an answer, and whether it then follows it or a passage.

Knowledge is how often the model recalls the answer without the passage.

The tiers are those of Gekhman et al. 2024 with the bounds of "When to Trust Context".
"""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.intervals import (
    Array,
    check_lengths,
    checked,
    checked_shares,
    with_dimensions,
)
from inspect_debate.v1.metrics.shares import (
    bootstrapped_share,
    share,
)

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
        clusters: per item its question: its halves have a tier each, but depend
            on the same knowledge.

    Returns:
        A share per tier, in the order of `TIERS`.

    Raises:
        ValueError: a tier is none of 0 to 3, or lengths differ.
    """
    known, names = checked("tiers", tiers, range(len(TIERS))), list(clusters)
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
    stated = with_dimensions("confidence", confidence)
    known = checked("tiers", tiers, range(len(TIERS)))
    check_lengths(confidence=stated, tiers=known)
    highly, names = _is(known, TIERS.index("Highly Known")), list(clusters)
    return [share(np.where(stated >= tau, highly, np.nan), names) for tau in taus]


def _is(tiers: Array, one: int) -> Array:
    return np.where(np.isnan(tiers), np.nan, tiers == one)


# Whether answers follow the passage or what the model knew before (ClashEval).
#
# Wu, Wu and Zou 2024, "ClashEval: Quantifying the tug-of-war between an LLM's internal
# prior and external evidence". The prior is the answer without the passage.


class Biases(NamedTuple):
    """Outcomes where exactly one of prior and passage is right.

    The biases are not what the accuracy lacks: third answers and abstentions follow
    neither.

    Attributes:
        accuracy: right answers.
        context_bias: answers of a wrong passage, among items with a right prior.
        prior_bias: answers of a wrong prior, among items with a right passage.
    """

    accuracy: Share
    context_bias: Share
    prior_bias: Share


def passage_alone(
    prior_right: ArrayLike, passage_right: ArrayLike, same: ArrayLike
) -> Array:
    """Which of prior and passage is right where the other is wrong.

    Args:
        prior_right: 1 the prior is right, 0 wrong, NaN unscored.
        passage_right: 1 the right passage, 0 a perturbed one, or NaN.
        same: 1 the prior is the passage's answer, 0 not, or NaN.

    Returns:
        Per item 1 where the passage alone is right, 0 where the prior alone is. NaN
        where both are or neither is, and where something is unknown. Equal answers
        clash in nothing, so theirs is NaN too, even where a strict reading calls one of
        two spellings right and the other wrong.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    prior = checked("prior_right", prior_right)
    passage = checked("passage_right", passage_right)
    equal = checked("same", same)
    check_lengths(prior_right=prior, passage_right=passage, same=equal)
    clash = (prior + passage == 1) & (equal == 0)
    return np.where(clash, passage, np.nan)


def biases(
    alone: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    correct: ArrayLike,
    from_passage: ArrayLike,
    from_prior: ArrayLike,
    seed: int,
) -> Biases:
    """Accuracy, context bias and prior bias where one of prior and passage is right.

    Intervals are percentiles of a bootstrap of clusters.

    Args:
        alone: of `passage_alone`.
        clusters: per item its question.
        correct: of the answer with the passage: 1 right, 0 wrong or abstained, NaN
            unscored.
        from_passage: 1 that answer is the passage's, 0 not or abstained, NaN unscored.
        from_prior: 1 that answer is the prior, 0 not or abstained, NaN unscored.
        seed: of the resampling.

    Raises:
        ValueError: a value is none of those above, or lengths differ.
    """
    case, names = checked("alone", alone), list(clusters)

    def bootstrapped(values: Array) -> Share:
        return bootstrapped_share(values, names, seed=seed)

    return Biases(
        bootstrapped(_among(~np.isnan(case), "correct", correct)),
        bootstrapped(_among(case == 0, "from_passage", from_passage)),
        bootstrapped(_among(case == 1, "from_prior", from_prior)),
    )


def _among(chosen: NDArray[np.bool_], name: str, values: ArrayLike) -> Array:
    """The values of the chosen items, and NaN for the others."""
    array = checked_shares(name, values)
    if array.shape != chosen.shape:
        raise ValueError(f"{name} has {len(array)} values for {len(chosen)} items.")
    return np.where(chosen, array, np.nan)
