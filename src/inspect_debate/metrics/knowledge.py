"""Knowledge conflicts: accuracy with abstentions, biases, tiers of knowledge.

The measures of SR-DCR ("When to Trust Context", arXiv 2506.06020) and of ClashEval
(Wu, Wu and Zou 2024). The prior answer is the one without the passage. Values are 1, 0,
or NaN where something is not known; an abstention is never correct.
"""

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.metrics import detection, intervals
from inspect_debate.metrics.intervals import Array, Estimate

if TYPE_CHECKING:
    import pandas as pd

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
    if not np.isin((0, 1), half).all():
        return Estimate(*[math.nan] * 4)
    known, names = np.isin(half, (0, 1)), np.array(list(cluster))
    answers, strata = right[known], half[known]
    gold = np.ones(len(answers))
    return detection.estimate("accuracy", gold, answers, names[known], stratum=strata)


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


def biases(rows: "pd.DataFrame") -> Biases:
    """Compute ClashEval's biases.

    Args:
        rows: A row per item, with `prior_right` and `correct_normalised` (whether prior
            and answer are right in any spelling), `perturbed`, `prior_as_passage` (the
            prior is what the passage says, which is no conflict), `took_passage`,
            `took_prior` (whose answer is given), and `cluster`, its question.
    """
    wrong = rows["perturbed"] == 1  # a perturbed passage is the wrong one
    conflict = (rows["prior_right"] == wrong) & (rows["prior_as_passage"] == 0)

    def among(chosen: "pd.Series[bool]", column: str) -> Estimate:
        return intervals.mean(rows[column][chosen], rows["cluster"][chosen])

    return Biases(
        among(conflict, "correct_normalised"),
        among(conflict & wrong, "took_passage"),
        among(conflict & ~wrong, "took_prior"),
        int(conflict.sum()),
    )


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
