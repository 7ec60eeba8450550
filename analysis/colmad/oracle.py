"""What models could gain from each other, and what debates make of it."""

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
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
    oracle_reduction,
)

_KEYS = ["id", "epoch"]
_DEBATERS = ("debater_a", "debater_b")

Detectors = Mapping[str, pd.DataFrame]
"""By model its own answers: indexed by id and epoch, with `gold`, `prediction` and
`input_group`. Two models may have answered different samples."""

_FEW = 20


def detectors(arms: Sequence[Arm]) -> dict[str, pd.DataFrame]:
    """Each model's own answers, from the arm that has most of them.

    They come from runs of `single`, and for models without one from the first answers
    of a debate.
    """
    alone: dict[str, pd.DataFrame] = {}
    debating: dict[str, pd.DataFrame] = {}
    for arm in arms:
        if arm.protocol == "single" and arm.debater_a:
            _keep_most(alone, arm.debater_a, arm.rows, arm.rows["prediction"])
        for role in _DEBATERS:
            model = arm.debater_a if role == "debater_a" else arm.debater_b
            if model and _has_first_answers(arm):
                right = arm.rows[f"first_right_{role}"]
                gold = arm.rows["gold"]
                said = gold.where(right == 1, 1 - gold).where(right.notna())
                _keep_most(debating, model, arm.rows, said)
    return alone | {m: rows for m, rows in debating.items() if m not in alone}


def ratios(found: Detectors) -> pd.DataFrame:
    """Eq. (4) by pair as a share of the better model's errors, symmetric.

    NaN where the better one makes no error, or the two share no sample.
    """
    matrix = pd.DataFrame(index=list(found), columns=list(found), dtype=float)
    for a, b in combinations_with_replacement(found, 2):
        gains = _reduction(*_shared(found[a], found[b]))
        matrix.loc[a, b] = matrix.loc[b, a] = float(np.asarray(gains.ratio))
    return matrix


def pairs(found: Detectors) -> dict[tuple[str, str], int]:
    """All pairs of models, with the number of samples that both answered."""
    return {
        (a, b): len(_shared(found[a], found[b])[0]) for a, b in combinations(found, 2)
    }


def few_shared(found: Detectors) -> str:
    """A sentence on pairs that share too few samples; empty without any."""
    few = [
        f"{short(a)} + {short(b)} ({size})"
        for (a, b), size in pairs(found).items()
        if size < _FEW
    ]
    return f" Fewer than {_FEW} samples in common: {', '.join(few)}." if few else ""


def oracle_table(found: Detectors) -> Table | None:
    """Eq. (4) and the ensemble's expectation by pair; None without a pair."""
    rows = [_pair_row(found, a, b) for (a, b), size in pairs(found).items() if size]
    if not rows:
        return None
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
        note="Each pair on the samples that both answered. Removed: errors of "
        "the better model on which the other is right (ColMAD, Eq. 4); an answer that "
        "could not be read is wrong. Expected: the same if both erred independently "
        "given the gold label; Eq. (4) alone mostly shows opposite biases. Ensemble: "
        "the shared answer, a fair coin where they differ; its exact expectation in "
        f"the convention of ReaLMistake's authors.{few_shared(found)}",
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


def _keep_most(
    found: dict[str, pd.DataFrame], model: str, rows: pd.DataFrame, said: pd.Series
) -> None:
    if model not in found or len(rows) > len(found[model]):
        frame = rows[[*_KEYS, "gold", "input_group"]].assign(prediction=said)
        found[model] = frame.set_index(_KEYS)


def _shared(
    one: pd.DataFrame, other: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both models' answers to the samples that both answered, in one order."""
    both = one.index[one.index.isin(other.index)]
    return one.loc[both], other.loc[both]


def _reduction(one: pd.DataFrame, other: pd.DataFrame) -> OracleReduction:
    """Eq. (4) of a pair; an answer that could not be read counts as wrong."""
    a, b = ((of["prediction"] == of["gold"]).astype(float) for of in (one, other))
    return oracle_reduction(a, b, one["gold"])


def _pair_row(found: Detectors, a: str, b: str) -> dict[str, Any]:
    one, other = _shared(found[a], found[b])
    gains = _reduction(one, other)
    # The mean of two answers: the shared one, a coin (0.5), or none if one is missing.
    together = one.assign(prediction=(one["prediction"] + other["prediction"]) / 2)
    return {
        "Models": f"{short(a)} + {short(b)}",
        "Samples": len(one),
        "Errors of the better": int(gains.better_errors),
        "Removed": int(gains.observed),
        "Expected": float(gains.expected),
        "Observed less expected": float(gains.corrected),
        "Share (Eq. 4)": float(gains.ratio),
        "Corrected share": float(gains.corrected_ratio),
        **{f"Ensemble {s.upper()}": expected(together, s) for s in ("f1", "f2")},
    }


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
