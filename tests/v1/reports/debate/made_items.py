"""Invented samples, of the shape that `conditions_of` gives, and what is shown."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from inspect_debate.v1.reports.debate import REPORT, Data
from inspect_debate.v1.reports.elements import Table
from inspect_debate.v1.reports.views import Part

NONE = float("nan")
"""No outcome."""

CAST = {
    "answers": ("a", None, None),
    "judge": (None, None, "j"),
    "consultancy": ("a", None, "j"),
    "speeches": ("a", "b", None),
    "debate": ("a", "b", "j"),
}
"""Debater A, debater B and judge of each kind of condition."""


def condition(
    kind: str, right: Sequence[float] = (1, 0), *, title: str = "", **columns: Any
) -> pd.DataFrame:
    """A condition's samples: 1 right, 0 wrong, NaN without an outcome."""
    debater_a, debater_b, judge = CAST[kind]
    name = title or kind
    frame = pd.DataFrame(
        {
            "id": [f"question {n}" for n in range(len(right))],
            "epoch": 1,
            "target": "A",
            "input_group": [f"passage {n}" for n in range(len(right))],
            "run": f"run of {name}",
            "data": "path",
            "data_name": "towns",
            "condition": name,
            "title": name,
            "debates": name,
            "kind": kind,
            "protocol": kind,
            "debater_a": debater_a,
            "debater_b": debater_b,
            "judge": judge,
            "prompts": "0",
            "seed": 0,
            "error": None,
            "limit": None,
            "scored": True,
            "correct": list(right),
            "tokens": 100.0,
            "chance": 0.5,
        }
    )
    own: dict[str, Any] = {
        name: [value] * len(frame) if isinstance(value, dict) else value
        for name, value in ({"parameters": {}, "settings": {}} | columns).items()
    }
    return frame.assign(**own)


def tables(*conditions: pd.DataFrame) -> dict[str, Table]:
    """The report's tables on some conditions, by name."""
    data = Data(pd.concat(conditions, ignore_index=True))
    parts = (part for part in REPORT.parts if isinstance(part, Part))
    items = (item for part in parts for item in part.section(data).items)
    return {item.name: item for item in items if isinstance(item, Table)}


def rows(*conditions: pd.DataFrame, of: str) -> list[dict[str, Any]]:
    """The rows of one of the report's tables; none if it has no such table."""
    table = tables(*conditions).get(of)
    found = [] if table is None else table.frame.to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in found]
