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
    """Mean of the accuracies on standard and on perturbed passages, NaN if one lacks.

    The cluster of an item is its question, which both halves share.
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

    It is 3 from a share of .85 of right recalls, 2 from .30, 1 above 0, and 0 at 0.
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
