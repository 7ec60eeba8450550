"""How well confidences fit what is right, and where they came from."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import PERCENT, Format
from inspect_debate.analysis.srdcr.confidence_figures import SOURCES
from inspect_debate.analysis.srdcr.shown import by_model, model_title, share_of
from inspect_debate.analysis.srdcr.tables import CLUSTERED, MODEL, with_ends
from inspect_debate.core.measures.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)

_SCORE = Format(digits=3)
_TOKENS = {
    "ok": "Log-probabilities",
    "absent": "None were sent",
    "refused": "Request refused",
    "invalid": "Not finite",
    "misaligned": "Tokens do not spell the answer",
    "cut": "Tokens end too early",
    "no_answer": "No answer",
}
"""What came of asking for log-probabilities, by status."""


class Stated(NamedTuple):
    """A confidence, and what it is a confidence in."""

    answer: str
    source: str
    confidence: str
    right: str


_STATED = (
    Stated("Prior", "the one used", "confidence", "prior_strict"),
    Stated("Prior", "log-probabilities", "confidence_logprobs", "prior_strict"),
    Stated("Prior", "self-consistency", "confidence_consistency", "prior_strict"),
    Stated("Contextual", "the one used", "contextual_confidence", "strict_few_shot"),
    Stated("Contextual", "log-probabilities", "contextual_logprobs", "strict_few_shot"),
    Stated(
        "Contextual", "self-consistency", "contextual_consistency", "strict_few_shot"
    ),
)


def calibration_table(estimates: pd.DataFrame) -> Table | None:
    """Scores of each confidence as a probability that its answer is right.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where no confidence is known.
    """
    rows = [
        {MODEL: model_title(model), **row}
        for model, of in by_model(estimates).items()
        for row in _scores(of)
    ]
    if not rows:
        return None
    return Table(
        name="calibration",
        title="Confidences as probabilities of being right",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "Mean": PERCENT,
            "Right": PERCENT,
            "ECE": PERCENT,
            "Brier": _SCORE,
            "Brier, base rate": _SCORE,
            "Log score": _SCORE,
        },
        note="Against strict correctness of the answer. ECE: expected calibration "
        "error over ten bins, in percent points. Brier: mean squared error; base rate: "
        "that of always stating the share that is right; log score: in nats, "
        "probabilities no nearer to 0 or 1 than 0.01; all are better when lower. The "
        "contextual answer is right on standard passages wherever it only repeats "
        "them, so that its confidence says little about the passage.",
    )


def sources_table(estimates: pd.DataFrame) -> Table | None:
    """Both estimates of the confidence in the prior answer on the same items.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None where no item has both.
    """
    both = estimates.dropna(subset=list(SOURCES))
    if both.empty:
        return None
    rows = [
        {MODEL: model_title(model), **_compared(of)}
        for model, of in by_model(both).items()
    ]
    return Table(
        name="sources",
        title="Both estimates of the confidence in the prior answer",
        frame=pd.DataFrame(rows),
        formats={
            **dict.fromkeys(_COMPARED, PERCENT),
            "Spearman": Format(2),
        },
        note="On the items that have both. Spearman: rank correlation, empty where one "
        f"of the two never varies. Same side: both reach tau, or neither. {CLUSTERED}",
    )


def origins_table(estimates: pd.DataFrame) -> Table | None:
    """Where the confidence used came from, and why from there.

    Args:
        estimates: As from `estimates_of`.

    Returns:
        The table; None in runs that asked for no confidence.
    """
    rows = [
        {
            MODEL: model_title(model),
            "Items": len(of),
            "From log-probabilities": int((of["source"] == 1).sum()),
            "From self-consistency": int((of["source"] == 2).sum()),
            "No confidence": int(of["source"].isna().sum()),
            **{
                title: int(of[f"tokens_{status}"].sum())
                for status, title in _TOKENS.items()
                if f"tokens_{status}" in of
            },
            "Not asked for": int(_unasked(of).sum()),
        }
        for model, of in by_model(estimates).items()
        if "source" in of
    ]
    if not rows:
        return None
    return Table(
        name="origins",
        title="Where confidences came from",
        frame=pd.DataFrame(rows),
        note="Items by the source of the confidence in the prior answer, and by what "
        "came of asking for the log-probabilities of its tokens.",
    )


def _scores(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    for stated in _STATED:
        if not {stated.confidence, stated.right} <= set(rows):
            continue
        known = rows.dropna(subset=[stated.confidence, stated.right])
        confidence, right = known[stated.confidence], known[stated.right]
        if len(known):
            yield {
                "Answer": stated.answer,
                "Confidence from": stated.source,
                "Items": len(known),
                "Mean": confidence.mean(),
                "Right": right.mean(),
                "ECE": expected_calibration_error(confidence, right),
                "Brier": brier(confidence, right),
                "Brier, base rate": right.mean() * (1 - right.mean()),
                "Log score": log_score(confidence, right),
            }


_COMPARED = ("Mean, log-probabilities", "Mean, self-consistency", "Same side of tau")


def _compared(rows: pd.DataFrame) -> dict[str, object]:
    logprobs, consistency = (rows[name] for name in SOURCES)
    tau = rows["parameters"].map(lambda given: float(given["tau"]))
    same = ((logprobs >= tau) == (consistency >= tau)).astype(float)
    return {
        "Items": len(rows),
        _COMPARED[0]: logprobs.mean(),
        _COMPARED[1]: consistency.mean(),
        "Spearman": logprobs.corr(consistency, method="spearman"),
        **with_ends(_COMPARED[2], share_of(rows.assign(same=same), "same")),
    }


def _unasked(rows: pd.DataFrame) -> "pd.Series[bool]":
    asked = [f"tokens_{status}" for status in _TOKENS if f"tokens_{status}" in rows]
    return rows[asked].fillna(0).sum(axis=1) == 0
