"""Answers with the confidence that ranks them, for risk over coverage."""

import numpy as np
import pandas as pd

from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format
from inspect_debate.analysis.srdcr.shown import by_model, model_title, on_shared, titled
from inspect_debate.analysis.srdcr.study import ARMS
from inspect_debate.analysis.srdcr.tables import ARM, MODEL
from inspect_debate.core.measures.risk_coverage import (
    area_under,
    excess_area,
    risk_coverage,
)

ALWAYS = 2.0
"""Above every confidence: of what is answered whatever the threshold."""

_CONFIDENCES = {
    "prior": ["confidence"],
    "few_shot": ["contextual_confidence"],
    "token_prob": ["p_prior", "p_contextual"],
}
_AREA = Format(digits=3)


def ranked(answers: pd.DataFrame, rounds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The ways to decide that have a confidence, without their abstentions.

    The prior and the contextual answer are ranked by the confidence in each, token
    probability by the higher of both, the debate alone by that in the answer it gives.
    SR-DCR over all thresholds answers what the judge finds reasonable at once, and the
    rest by the confidence in the prior answer.

    Args:
        answers: As from `answers_of`, of one model.
        rounds: As from `rounds_of`, of the same model.

    Returns:
        By name the rows with the column `ranked`; those without a confidence are left
        out.
    """
    found = {
        ARMS[arm]: rows.assign(ranked=rows[columns].max(axis=1, skipna=False))
        for arm, columns in _CONFIDENCES.items()
        if set(columns) <= set(answers) and len(rows := answers[answers["arm"] == arm])
    }
    last = rounds[rounds["arm"] == "acvd_only"].sort_values("round")
    last = last.drop_duplicates(["sample", "epoch", "variant"], keep="last")
    for variant, rows in last.groupby("variant"):
        trusted, prior = rows["verdict"] == 1, rows["confidence"]
        # Only on one scale can the two be ranked together.
        given = rows["p_contextual"].where(trusted, rows["p_prior"])
        gated = prior.mask(trusted, ALWAYS).where(prior.notna())
        found[titled(ARMS["acvd_only"], variant)] = rows.assign(ranked=given)
        name = titled(f"{ARMS['srdcr']} over all thresholds", variant)
        found[name] = rows.assign(ranked=gated)
    return {name: rows.dropna(subset="ranked") for name, rows in found.items()}


def risk_table(answers: pd.DataFrame, rounds: pd.DataFrame) -> Table | None:
    """The areas under the risk-coverage curves of the ways to decide.

    Args:
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.

    Returns:
        The table; None where nothing has a confidence.
    """
    rows = []
    for model, of_model in by_model(answers).items():
        parts = ranked(of_model, rounds[rounds["model"] == model])
        shown = on_shared({name: of for name, of in parts.items() if len(of)})
        for name, of in shown.parts.items():
            named = {MODEL: model_title(model), ARM: name}
            rows.append({**named, **_areas(of)})
    if not rows:
        return None
    return Table(
        name="risk_coverage",
        title="Area under the risk-coverage curve",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        formats={
            "Samples": COUNT,
            "Wrong": PERCENT,
            "Area": _AREA,
            "Above the least": _AREA,
        },
        note="Items in the order of their confidence, those of one confidence "
        "together, on the samples that all arms of a model have. Area: 0 at best; of a "
        "confidence that tells nothing, the share of wrong answers. Above the least: "
        "the area above that of an order with all right answers first. Ranked by the "
        "confidence in the prior or the contextual answer; token probability by the "
        "higher of both; the debate alone by that in the answer it gives. SR-DCR over "
        "all thresholds answers what the judge finds reasonable at once, and the rest "
        "by the confidence in the prior answer.",
    )


def _areas(rows: pd.DataFrame) -> dict[str, object]:
    confidence, right = rows["ranked"], rows["strict"]
    return {
        "Samples": len(rows),
        "Wrong": 1 - np.mean(right),
        "Area": area_under(risk_coverage(confidence, right)),
        "Above the least": excess_area(confidence, right),
    }
