"""Accuracy by arm and by severity: what the paper's Tables 1 and 2 give as numbers."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from inspect_debate.metrics.abstention import ByCondition
from inspect_debate.metrics.agreement import Share
from inspect_debate.reports.elements import PERCENT, Figure, Notice
from inspect_debate.reports.panels import interval_panels, line_panels
from inspect_debate.reports.srdcr.shown import (
    INTERVALS,
    LIMITS,
    PLACES,
    SEVERITY,
    STRATA,
    TABLE_1,
    Shown,
    by_arm,
    by_model,
    by_severity,
    model_title,
    needs,
    on_shared,
    printed,
    series,
)
from inspect_debate.reports.srdcr.study import ARMS, OFFSETS, SEVERITIES
from inspect_debate.reports.srdcr.tables import in_halves

_RUNS = ("-T protocol=srdcr --model M",)
_FEW_SHOT = ARMS["few_shot"]
_OWN = "the panel's arm"


def accuracy_figures(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """Accuracy by arm on both halves and overall, a figure per model.

    Args:
        answers: As from `answers_of`.
    """
    number = 0
    for model, rows in by_model(answers).items():
        shown = on_shared(by_arm(rows))
        if shown.parts:
            number += 1
            yield _accuracies(number, model, shown)
    if not number:
        yield needs("The figure of accuracies", "answers that can be read", _RUNS)


def severity_figures(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """Accuracy on perturbed passages by severity, a figure per model.

    Args:
        answers: As from `answers_of`.
    """
    number = 0
    for model, rows in by_model(answers[answers["half"] == "perturbed"]).items():
        shown = on_shared(by_arm(rows))
        if shown.parts:
            number += 1
            yield _severities(number, model, shown)
    if not number:
        yield needs(
            "The figure of accuracies by severity",
            "answers to questions with a perturbed passage",
            _RUNS,
        )


def _accuracies(number: int, model: str, shown: Shown) -> Figure:
    panels = _by_part(model, shown.parts)
    return Figure(
        name=f"figure_accuracy_{number}",
        title=f"Accuracy by protocol, {model_title(model)}",
        figure=interval_panels(
            panels,
            label="strict accuracy (%)",
            format=PERCENT,
            limits=LIMITS,
            columns=3,
        ),
        alt="Strict accuracy of every way to decide with its interval, on standard "
        "passages, on perturbed ones, and the mean of both: "
        f"{'; '.join(shown.parts)}.",
        note=f"{shown.note} Abstentions are not right. {INTERVALS}"
        f"{TABLE_1 if 'printed' in panels['Overall'] else ''}",
    )


def _severities(number: int, model: str, shown: Shown) -> Figure:
    found = {name: by_severity(rows, "strict") for name, rows in shown.parts.items()}
    published = {
        name: pd.DataFrame({_OWN: values}, SEVERITIES)
        for name, rows in shown.parts.items()
        if not np.isnan(values := _printed_by_severity(model, _arm(rows))).all()
    }
    return Figure(
        name=f"figure_severity_{number}",
        title=f"Accuracy with perturbed passages by severity, {model_title(model)}",
        figure=line_panels(
            {name: series(_beside_few_shot(name, found)) for name in found},
            label="strict accuracy (%)",
            x_label=SEVERITY,
            format=PERCENT,
            printed=published,
            places=PLACES,
            limits=LIMITS,
        ),
        alt="Strict accuracy on perturbed passages over their severity, a panel per "
        f"way to decide, beside the contextual answer's: {'; '.join(found)}.",
        note=f"{shown.note} Abstentions are not right. {STRATA} {INTERVALS}"
        f"{_TABLE_2 if published else ''}",
    )


def _beside_few_shot(
    name: str, found: Mapping[str, Mapping[int, Share]]
) -> dict[str, Mapping[int, Share]]:
    beside = {_FEW_SHOT: found[_FEW_SHOT]} if _FEW_SHOT in found else {}
    return {_OWN: found[name]} | (beside if name != _FEW_SHOT else {})


def _by_part(model: str, parts: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    found = {name: in_halves(rows)._asdict() for name, rows in parts.items()}
    panels = {}
    for part in ByCondition._fields:
        ends = {name: of[part].accuracy[:3] for name, of in found.items()}
        panel = pd.DataFrame.from_dict(ends, orient="index", columns=_COLUMNS)
        values = [printed("table_1", model, _arm(of), part) for of in parts.values()]
        unknown = np.isnan(values).all()
        panels[part.title()] = panel if unknown else panel.assign(printed=values)
    return panels


def _printed_by_severity(model: str, arm: str) -> list[float]:
    return [printed("table_2", model, arm, f"{offset}") for offset in OFFSETS]


def _arm(rows: pd.DataFrame) -> str:
    return str(rows["arm"].iloc[0])


_TABLE_2 = (
    " Hollow marks are the paper's Table 2, by the years by which dates are shifted; "
    "other domains stand at the severity that they have here."
)
_COLUMNS = ["estimate", "low", "high"]
