"""What models could gain from each other, and what debates make of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.analysis.colmad.arms import Arm, short
from inspect_debate.analysis.estimates import expected, share
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import NUMBER, PERCENT, POINTS, Format
from inspect_debate.core.measures.oracle import (
    OracleReduction,
    gap_closed,
    oracle_reductions,
)

_KEYS = ["id", "epoch"]
_DEBATERS = ("debater_a", "debater_b")

Detectors = Mapping[str, pd.DataFrame]
"""By model its own answers on the same samples: indexed by id and epoch, with `gold`,
`prediction` and `input_group`."""


def detectors(arms: Sequence[Arm]) -> dict[str, pd.DataFrame]:
    """Each model's own answers, on the samples that all of them answered.

    They come from runs of `single`, and for models without one from the first answers
    of a debate.
    """
    found: dict[str, pd.DataFrame] = {}
    for arm in arms:
        if arm.protocol == "single" and arm.debater_a:
            found.setdefault(arm.debater_a, _answers(arm.rows, arm.rows["prediction"]))
    for arm in arms:
        for role in _DEBATERS:
            model = arm.debater_a if role == "debater_a" else arm.debater_b
            if model and _has_first_answers(arm):
                right = arm.rows[f"first_right_{role}"]
                gold = arm.rows["gold"]
                said = gold.where(right == 1, 1 - gold).where(right.notna())
                found.setdefault(model, _answers(arm.rows, said))
    if not found:
        return {}
    shared = set.intersection(*(set(answers.index) for answers in found.values()))
    order = [key for key in next(iter(found.values())).index if key in shared]
    return {model: answers.loc[order] for model, answers in found.items()}


def reductions(found: Detectors) -> OracleReduction:
    """Eq. (4) for all pairs; an answer that could not be read counts as wrong."""
    gold = next(iter(found.values()))["gold"]
    right = [(of["prediction"] == of["gold"]).astype(float) for of in found.values()]
    return oracle_reductions(np.stack(right, axis=-1), gold)


def oracle_table(found: Detectors) -> Table | None:
    """Eq. (4) and the ensemble's expectation by pair; None without a pair."""
    if len(found) < 2 or next(iter(found.values())).empty:
        return None
    gains = reductions(found)
    rows = [
        _pair_row(list(found), a, b, gains) | _ensemble(found, a, b)
        for a in range(len(found))
        for b in range(a + 1, len(found))
    ]
    items = len(next(iter(found.values())))
    return Table(
        name="oracle",
        title="What an oracle could make of two models' own answers",
        frame=pd.DataFrame(rows),
        formats={
            "Expected": NUMBER,
            "Observed less expected": Format(digits=2, signed=True),
            "Share (Eq. 4)": PERCENT,
            "Corrected share": POINTS,
            "Ensemble F1": PERCENT,
            "Ensemble F2": PERCENT,
        },
        note=f"On the {items} samples that every model answered. Removed: errors of "
        "the better model on which the other is right (ColMAD, Eq. 4); an answer that "
        "could not be read is wrong. Expected: the same if both erred independently "
        "given the gold label; Eq. (4) alone mostly shows opposite biases. Ensemble: "
        "the shared answer, a fair coin where they differ; its exact expectation in "
        "the convention of ReaLMistake's authors.",
    )


def gap_table(arms: Sequence[Arm]) -> Table | None:
    """What debates make of first answers; None where no arm has two of them."""
    rows = [_gap_row(arm) for arm in arms if _has_first_answers(arm)]
    if not rows:
        return None
    shares = ("First answer A", "First answer B", "Oracle", "Outcome")
    return Table(
        name="gap",
        title="From first answers to outcomes",
        frame=pd.DataFrame(rows),
        formats={
            **dict.fromkeys(shares, PERCENT),
            "Gap closed": PERCENT,
            "Both wrong, then right": PERCENT,
            "Both right, then wrong": PERCENT,
        },
        note="Accuracies in percent, on samples with both first answers and an "
        "outcome. The oracle is right where either first answer is. Gap closed: the "
        "outcome's gain over the better debater as a share of the oracle's. The last "
        "two columns are shares of the samples that both had wrong, or both right, and "
        "on which a verdict or an update followed: none where agreement ends the "
        "debate.",
    )


def _has_first_answers(arm: Arm) -> bool:
    rows = arm.rows
    names = [f"first_right_{role}" for role in _DEBATERS]
    return all(name in rows and rows[name].notna().any() for name in names)


def _answers(rows: pd.DataFrame, said: pd.Series) -> pd.DataFrame:
    frame = rows[[*_KEYS, "gold", "input_group"]].assign(prediction=said)
    return frame.set_index(_KEYS)


def _pair_row(
    models: Sequence[str], a: int, b: int, gains: OracleReduction
) -> dict[str, Any]:
    def of(matrix: object) -> float:
        return float(np.asarray(matrix)[a, b])

    return {
        "Models": f"{short(models[a])} + {short(models[b])}",
        "Errors of the better": int(of(gains.better_errors)),
        "Removed": int(of(gains.observed)),
        "Expected": of(gains.expected),
        "Observed less expected": of(gains.corrected),
        "Share (Eq. 4)": of(gains.ratio),
        "Corrected share": of(gains.corrected_ratio),
    }


def _ensemble(found: Detectors, a: int, b: int) -> dict[str, Any]:
    one, other = (list(found.values())[n] for n in (a, b))
    # The mean of two answers: the shared one, a coin (0.5), or none if one is missing.
    together = one.assign(prediction=(one["prediction"] + other["prediction"]) / 2)
    return {f"Ensemble {s.upper()}": expected(together, s) for s in ("f1", "f2")}


def _gap_row(arm: Arm) -> dict[str, Any]:
    first = [f"first_right_{role}" for role in _DEBATERS]
    rows = arm.rows.dropna(subset=[*first, "correct"])
    a, b = rows[first[0]], rows[first[1]]
    return {
        "Protocol": arm.title,
        "Models": arm.models,
        "Samples": len(rows),
        "First answer A": a.mean(),
        "First answer B": b.mean(),
        "Oracle": np.maximum(a, b).mean(),
        "Outcome": rows["correct"].mean(),
        "Gap closed": gap_closed(a, b, rows["correct"]),
        **share(arm.rows, "both_wrong_to_right").columns("Both wrong, then right"),
        **share(arm.rows, "both_right_to_wrong").columns("Both right, then wrong"),
    }
