"""How hard questions are, by how often models answer them right.

The study of generative debates calls a question hard where "both models' participants
mostly fail". Tiers are labels for an analysis: those that are taken from the answers
that are analysed regress to the mean, as what was hard by bad luck gets easier.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.intervals import checked_shares

Tier = Literal["hard", "medium", "easy"]

TIERS: tuple[Tier, ...] = get_args(Tier)
"""In the order of difficulty."""


def difficulty(solve_rates: ArrayLike) -> list[Tier | None]:
    """The tier of each question.

    With one family a question is hard below a solve rate of 1/3, easy above 2/3, else
    medium. With several it is hard if none of them mostly solves it, easy if all do,
    else medium; to mostly solve is to be right in more than half of the answers, so
    exactly half is not enough.

    Args:
        solve_rates: (questions, families): per family of models the share of its
            answers to the question that are right; NaN without an answer.

    Returns:
        A tier per question; None where a family has no answer to it.

    Raises:
        ValueError: it is no such table, or a rate is outside 0 to 1.
    """
    rates = checked_shares("solve_rates", solve_rates, dimensions=2)
    if not rates.shape[1]:
        raise ValueError("solve_rates has no column; it needs one family at least.")
    families = rates.shape[1]
    if families == 1:
        index = 1 * (rates[:, 0] >= 1 / 3) + (rates[:, 0] > 2 / 3)
    else:
        solved = np.sum(rates > 0.5, axis=1)
        index = 1 * (solved > 0) + (solved == families)
    answered = np.sum(np.isnan(rates), axis=1) == 0
    return [
        TIERS[i] if known else None
        for i, known in zip(index.tolist(), answered.tolist(), strict=True)
    ]
