"""Knowledge conflicts: accuracy with abstentions, biases, tiers of knowledge.

The measures of SR-DCR ("When to Trust Context", arXiv 2506.06020) and of ClashEval
(Wu, Wu and Zou 2024). The prior answer is the one without the passage. Values are 1, 0,
or NaN where something is not known; an abstention is never correct.
"""

import math
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics import intervals
from inspect_debate.metrics.intervals import Array, Estimate, ratio

TIERS = ("Unknown", "Weakly known", "Maybe known", "Highly known")
"""Names of the tiers 0 to 3."""
_ROUNDING = 1e-9


def overall(
    correct: ArrayLike, perturbed: ArrayLike, cluster: Iterable[Hashable]
) -> Estimate:
    """Mean of the accuracies on standard and on perturbed passages.

    Args:
        correct: Per item 1, 0 or NaN.
        perturbed: 1 where the passage is perturbed, else 0.
        cluster: Per item its question, which both halves share.

    Returns:
        The estimate; NaN if one half has no known item.
    """
    right, half = (np.asarray(one, dtype=np.float64) for one in (correct, perturbed))
    known = np.equal.outer(half, (0, 1)) & ~np.isnan(right)[:, None]
    hits = np.where(known, right[:, None], 0.0)
    rows = np.stack([hits, known], axis=-1).reshape(len(right), 4)

    def mean_of_halves(totals: Array) -> Array:
        found: Array = ratio(totals.reshape(*totals.shape[:-1], 2, 2)).mean(axis=-1)
        return found

    return intervals.estimate(mean_of_halves, rows, cluster)


class Selective(NamedTuple):
    """How often there is an answer, and how often it is right.

    Attributes:
        coverage: Share of answered items among those whose outcome is known.
        accuracy: Share of right answers among answered items, pooled over both halves.
    """

    coverage: Estimate
    accuracy: Estimate


def selective(
    correct: ArrayLike, abstained: ArrayLike, cluster: Iterable[Hashable]
) -> Selective:
    """Coverage and selective accuracy; items with a NaN in either are left out."""
    right, silent = (np.asarray(one, dtype=np.float64) for one in (correct, abstained))
    names = list(cluster)
    answered = np.where(np.isnan(right), np.nan, 1 - silent)
    return Selective(
        intervals.mean(answered, names),
        intervals.mean(np.where(answered == 1, right, np.nan), names),
    )


def tier(recalled: ArrayLike) -> Array:
    """The tier of knowledge, an index into `TIERS` (section 2.2 of SR-DCR's paper).

    Args:
        recalled: Share of right answers without the passage; NaN where unknown.

    Returns:
        3 from a share of .85, 2 from .30, 1 above 0, 0 at 0; NaN where it is unknown.
    """
    shares = np.asarray(recalled, dtype=np.float64)
    bounds = np.array((2 * _ROUNDING, 0.30, 0.85))
    return np.where(np.isnan(shares), np.nan, np.digitize(shares + _ROUNDING, bounds))


# Whose answer is given.


class Biases(NamedTuple):
    """ClashEval's measures, where exactly one of prior and passage is right.

    The biases do not add up to what accuracy lacks, as third answers and abstentions
    follow neither.

    Attributes:
        accuracy: Share of right answers.
        context_bias: Share that took a wrong passage's answer over a right prior.
        prior_bias: Share that kept a wrong prior over a right passage.
        items: Number of items where one alone is right.
    """

    accuracy: Estimate
    context_bias: Estimate
    prior_bias: Estimate
    items: int


def biases(
    *,
    prior_right: ArrayLike,
    perturbed: ArrayLike,
    same: ArrayLike,
    correct: ArrayLike,
    took_passage: ArrayLike,
    took_prior: ArrayLike,
    cluster: Iterable[Hashable],
) -> Biases:
    """Compute ClashEval's biases.

    Args:
        prior_right: Whether the prior is right, in any spelling.
        perturbed: Whether the passage is wrong.
        same: Whether the prior is what the passage says; such items are no conflict.
        correct: Whether the answer is right, in any spelling.
        took_passage: Whether the answer is the passage's.
        took_prior: Whether the answer is the prior.
        cluster: Per item its question.
    """
    given = (prior_right, perturbed, same, correct, took_passage, took_prior)
    prior, wrong, equal, right, passage, kept = (
        np.asarray(one, dtype=np.float64) for one in given
    )
    names = list(cluster)
    conflict = (prior == wrong) & (equal == 0)  # a perturbed passage is the wrong one

    def among(chosen: Array, values: Array) -> Estimate:
        return intervals.mean(np.where(chosen, values, np.nan), names)

    return Biases(
        among(conflict, right),
        among(conflict & (wrong == 1), passage),
        among(conflict & (wrong == 0), kept),
        int(conflict.sum()),
    )


# The threshold.


class CrossFitted(NamedTuple):
    """What thresholds give on items from which they were not learned.

    Attributes:
        values: Per item its value under the threshold of the other half.
        thresholds: Those learned from either half; infinite where never to trust the
            prior was best.
    """

    values: Array
    thresholds: tuple[float, float]


def cross_fitted(
    confidence: ArrayLike,
    above: ArrayLike,
    below: ArrayLike,
    cluster: Iterable[Hashable],
) -> CrossFitted:
    """Learn a threshold on one half of the questions, test it on the other; both ways.

    Halves are every second question in the order of names. The threshold is the
    confidence, or infinity, with the highest mean value; of several the highest.

    Args:
        confidence: Per item; items with a NaN here or in the next two have no value.
        above: The item's value if its confidence reaches the threshold.
        below: Its value if not.
        cluster: Per item its question, which is never in both halves.
    """
    sure, high, low = (
        np.asarray(one, dtype=np.float64) for one in (confidence, above, below)
    )
    _, question = np.unique(np.array(list(cluster)), return_inverse=True)
    known = ~np.isnan(sure + high + low)
    values, thresholds = np.full(len(sure), np.nan), [math.nan, math.nan]
    for half in (0, 1):
        learn, test = (known & (question % 2 == part) for part in (half, 1 - half))
        if not learn.any():
            continue
        taus = np.append(np.unique(sure[learn]), np.inf)[::-1]
        gains = [np.where(sure >= t, high, low)[learn].mean().round(12) for t in taus]
        thresholds[half] = tau = float(taus[int(np.argmax(gains))])
        values[test] = np.where(sure >= tau, high, low)[test]
    return CrossFitted(values, (thresholds[0], thresholds[1]))
