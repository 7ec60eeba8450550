"""Whether judges call both of two answers correct too often."""

import itertools

import numpy as np
import pandas as pd

from inspect_debate.analysis.estimates import Estimate
from inspect_debate.analysis.generative.rulings import (
    INTERVALS,
    difference,
    ruled_pairs,
)
from inspect_debate.analysis.generative.tables import (
    MODELS,
    Rows,
    ratio,
    share,
)
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import P_VALUE, PERCENT, POINTS
from inspect_debate.core.measures.arrays import Array, cluster_sums
from inspect_debate.core.measures.intervals import cluster_interval

_BEYOND = "Win-win less all right"
_EXCESS = {"Beyond independence": False, "Within truth": True}
"""What win-win verdicts are held against, and whether answers' worth is given."""

_BY_REGIME = {
    "All right": (2, True),
    "Contested: right": (1, True),
    "Contested: wrong": (1, False),
    "All wrong": (0, False),
}
"""Number of right answers among the two, and whether the right ones are ruled on."""


def both_correct_table(items: pd.DataFrame) -> Table | None:
    """Win-win verdicts against answers that are both right, and against independence.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without rulings on two answers.
    """
    rows = [_row(of) for of in ruled_pairs(items)]
    if not rows:
        return None
    return Table(
        name="both_correct",
        title="Whether judges call both answers correct too often",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["Win-win", "All are right", *_BY_REGIME], PERCENT),
            **dict.fromkeys([_BEYOND, *_EXCESS], POINTS),
            f"{_BEYOND}: p": P_VALUE,
        },
        note="Win-win: percent of the verdicts that call both answers correct. All "
        "are right: percent of the same samples. The difference is within samples, in "
        "percentage points. Beyond independence: win-win less what its share would be "
        "if each answer were ruled on by itself, A and B called correct as often as "
        "they are; within truth: the same among samples whose answers are right and "
        "wrong in the same way, as answers that are right together are no bias. The "
        "last columns: percent of the answers called correct where both are right, of "
        "the right and of the wrong one where one is, and where both are wrong. p: "
        f"sign flips of whole questions, not corrected. {INTERVALS}",
    )


def _row(of: Rows) -> dict[str, object]:
    known = of.items[of.items["regime"].notna()]
    both = (known["verdict_class"] == 3).astype(float)
    right = (known["regime"] == 2).astype(float)
    return {
        **of.named,
        "Verdicts": len(known),
        **share(known, both).columns("Win-win"),
        "All are right": right.mean(),
        **difference(both - right, known).columns(_BEYOND),
        **_excesses(known),
        **_by_regime(known),
    }


def _excesses(known: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for name, within_truth in _EXCESS.items():
        cells |= excess(known, within_truth=within_truth).columns(name)
    return cells


def excess(ruled: pd.DataFrame, *, within_truth: bool) -> Estimate:
    """Win-win verdicts beyond those of a judge that rules on each answer by itself.

    Args:
        ruled: Samples with rulings on both answers, of known worth.
        within_truth: Whether rulings are taken for independent given which of the
            answers are right, or altogether.

    Returns:
        The share of win-win verdicts less the product of the shares in which A and in
        which B is called correct (given the truth: the mean of that over samples), from
        -0.25 to 0.25, clustered by question.
    """
    worth = (2 * ruled["right_a"] + ruled["right_b"]) * within_truth
    kinds = itertools.product(range(4), repeat=2)
    cells = [(worth == w) & (ruled["verdict_class"] == v) for w, v in kinds]
    table = np.stack(cells, axis=1).astype(float)
    counts = cluster_sums(table, ruled["question_id"])
    if not len(counts):
        return Estimate(*[np.nan] * 3)
    low, high = cluster_interval(_excess, counts, bounds=(-0.25, 0.25))
    return Estimate(_excess(counts.sum(axis=0)), low, high)


def _excess(totals: Array) -> float:
    """Of the numbers (4 truths x none, A, B, both endorsed), flat."""
    cells = totals.reshape(4, 4)
    rounds = cells.sum(axis=1)
    there = rounds > 0
    cells, rounds = cells[there], rounds[there]
    a, b = cells[:, [1, 3]].sum(axis=1), cells[:, [2, 3]].sum(axis=1)
    return float((cells[:, 3] - a * b / rounds).sum() / rounds.sum())


def _by_regime(known: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for name, (regime, right) in _BY_REGIME.items():
        of = known[known["regime"] == regime]
        part, whole = (
            (of["n_right"] - of["fn"], of["n_right"])
            if right
            else (of["fp"], of["n_wrong"])
        )
        cells |= ratio(of, part, whole).columns(name)
    return cells
