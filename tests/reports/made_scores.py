"""Invented scores and conditions of the ColMAD study, and what its report shows."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.colmad.conditions import PUBLISHED, Condition
from inspect_debate.reports.colmad.measures import Data
from inspect_debate.reports.colmad.report import REPORT
from inspect_debate.reports.elements import Figure, Notice, Table
from inspect_debate.reports.views import Part
from tests.reports import reported

NONE = float("nan")
"""No prediction."""

Items = Mapping[str, tuple[float, float]]
"""By item its gold label and the prediction: 1 error, 0 no error, 0.5 a coin."""


def scores(items: Items, **columns: Any) -> pd.DataFrame:
    """One row per item; columns may be replaced or added, for all rows or by row."""
    gold, predicted = np.transpose(list(items.values())).astype(float)
    frame = pd.DataFrame(
        {
            "id": list(items),
            "epoch": 1,
            "target": ["error" if g else "no_error" for g in gold],
            "input_group": [f"input of {id}" for id in items],
            "subset": "math",
            "response_author": "gpt4",
            "categories": "",
            "run": "run",
            "data": "published",
            "error": None,
            "limit": None,
            "scored": True,
            "gold": gold,
            "prediction": predicted,
            "correct": 1 - np.abs(gold - predicted),
            "debated": 0.0,
            "verdicts": 0.0,
        }
    )
    return frame.assign(**columns)


def condition(
    protocol: str,
    samples: pd.DataFrame,
    *people: str | None,
    details: str = "",
    **parameters: Any,
) -> Condition:
    """A condition with these samples; people are debater A, debater B and the judge."""
    debater_a, debater_b, judge, *_ = (*people, None, None, None)
    return Condition(
        protocol=protocol,
        debater_a=debater_a,
        debater_b=debater_b,
        judge=judge,
        parameters={**PUBLISHED.get(protocol, {}), **parameters},
        samples=samples,
        details=details,
    )


def tables(*conditions: Condition, **data: Any) -> dict[str, Table]:
    """The report's tables on these conditions by name, but for the comparisons."""
    parts = (part for part in REPORT.parts if isinstance(part, Part))
    sections = (
        part.section(Data(conditions, **data))
        for part in parts
        if part.title not in ("Figures", "Paired comparisons")
    )
    items = (item for section in sections for item in section.items)
    return {item.name: item for item in items if isinstance(item, Table)}


def rows(*conditions: Condition, of: str, **data: Any) -> list[dict[str, Any]]:
    """The rows of one of the report's tables; none if it has no such table."""
    name = "comparisons" if of.startswith("comparisons") else of
    items = reported.shown(REPORT, Data(conditions, **data), name)
    return [
        {str(column): value for column, value in row.items()}
        for item in items
        if isinstance(item, Table) and item.name == of
        for row in item.frame.to_dict("records")
    ]


def figures(*conditions: Condition, of: str) -> list[Figure | Notice]:
    """What the report shows of these conditions by the name of a plot or function."""
    items = reported.shown(REPORT, Data(conditions), of)
    return [item for item in items if not isinstance(item, Table)]
