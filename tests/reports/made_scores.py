"""Invented scores and conditions of the ColMAD study, and what its report shows."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.colmad.conditions import PUBLISHED, Condition
from inspect_debate.reports.colmad.measures import Data
from inspect_debate.reports.colmad.report import REPORT
from inspect_debate.reports.elements import Figure, Item, Notice, Table
from inspect_debate.reports.views import Part

NONE = float("nan")
"""No prediction."""

Said = Mapping[str, tuple[float, float]]
"""By item its gold label and the prediction: 1 error, 0 no error, 0.5 a coin."""


def scores(said: Said, **columns: Any) -> pd.DataFrame:
    """One row per item; columns may be replaced or added, for all rows or by row."""
    gold, predicted = np.transpose(list(said.values())).astype(float)
    frame = pd.DataFrame(
        {
            "id": list(said),
            "epoch": 1,
            "target": ["error" if g else "no_error" for g in gold],
            "input_group": [f"input of {id}" for id in said],
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
    """The report's tables on these conditions, by name."""
    items = _items(lambda part: part.title != "Figures", Data(conditions, **data))
    return {item.name: item for item in items if isinstance(item, Table)}


def rows(*conditions: Condition, of: str, **data: Any) -> list[dict[str, Any]]:
    """The rows of one of the report's tables; none if it has no such table."""
    table = tables(*conditions, **data).get(of)
    found = [] if table is None else table.frame.to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in found]


def figures(*conditions: Condition) -> list[Figure | Notice]:
    """The report's figures on these conditions, or what they need."""
    items = _items(lambda part: part.title == "Figures", Data(conditions))
    return [item for item in items if not isinstance(item, Table)]


def _items(wanted: Callable[[Part[Data]], bool], data: Data) -> Iterator[Item]:
    for part in REPORT.parts:
        if isinstance(part, Part) and wanted(part):
            yield from part.section(data).items
