"""Risk over coverage: errors among the answers that are given with most confidence."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from inspect_debate.analysis.reporting.curves import Curve, curve_panels
from inspect_debate.analysis.reporting.elements import Figure, Notice
from inspect_debate.analysis.srdcr.ranked import ranked
from inspect_debate.analysis.srdcr.shown import (
    Shown,
    by_model,
    halves,
    model_title,
    needs,
    on_shared,
    titled,
)
from inspect_debate.analysis.srdcr.study import ARMS
from inspect_debate.core.measures.risk_coverage import Curve as RiskCoverage
from inspect_debate.core.measures.risk_coverage import area_under, risk_coverage

_RUNS = ("-T protocol=srdcr --model M",)


def risk_figures(
    answers: pd.DataFrame, rounds: pd.DataFrame
) -> Iterator[Figure | Notice]:
    """Risk-coverage curves of the ways to decide that have a confidence, by model.

    Args:
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.
    """
    number = 0
    for model, rows in by_model(answers).items():
        parts = ranked(rows, rounds[rounds["model"] == model])
        shown = on_shared(parts | _as_it_is(rows))
        if any("ranked" in of for of in shown.parts.values()):
            number += 1
            yield _figure(number, model, shown)
    if not number:
        yield needs("The risk-coverage curve", "answers with a confidence", _RUNS)


def _figure(number: int, model: str, shown: Shown) -> Figure:
    curves = {}
    for name, rows in shown.parts.items():
        if "ranked" in rows:
            curve = risk_coverage(rows["ranked"], rows["strict"])
            area = area_under(curve)
            curves[f"{name} ({area:.3f})"] = _steps(curve)
        else:
            curves[name] = _point(rows)
    return Figure(
        name=f"figure_risk_{number}",
        title=f"Risk over coverage, {model_title(model)}",
        figure=curve_panels(
            {halves(next(iter(shown.parts.values()))): curves},
            label="risk: wrong among answered (%)",
            x_label="coverage: answered (%)",
            size=(6.0, 3.0),
        ),
        alt="Share of wrong answers among those given with most confidence over the "
        f"share given, a curve per way to decide: {', '.join(curves)}.",
        note=f"{shown.note} {_NOTE}",
    )


def _as_it_is(answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """SR-DCR with the abstentions that its threshold makes."""
    gated = answers[answers["arm"] == "srdcr"]
    return {
        titled(f"{ARMS['srdcr']} as it is", variant): rows
        for variant, rows in gated.groupby("variant")
    }


def _steps(curve: RiskCoverage) -> Curve:
    """The step function whose area is told: the risk of the next point that covers."""
    edges = np.concatenate([[0.0], np.repeat(curve.coverage, 2)[:-1]])
    return Curve(edges, np.repeat(curve.risk, 2))


def _point(rows: pd.DataFrame) -> Curve:
    answered = rows["answered"] == 1
    wrong = 1 - rows["strict"][answered].mean()
    return Curve(np.array([answered.mean()]), np.array([wrong]))


_NOTE = (
    "A curve answers the items with the highest confidence first; items of one "
    "confidence enter together. Ranked are the prior and the contextual answer by the "
    "confidence in each, token probability by the higher of both, the debate alone by "
    "that of the answer it gives. SR-DCR over all thresholds answers what the judge "
    "finds reasonable at once and the rest by the prior answer's confidence; the mark "
    "is where its threshold puts it. In brackets is the area under the curve: 0 at "
    "best; of a confidence that tells nothing, the share of wrong answers."
)
