"""Invented samples, of the shape that the frame of `arms_of` has."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

NONE = float("nan")
"""No outcome."""

CAST = {
    "answers": ("a", None, None),
    "judge": (None, None, "j"),
    "consultancy": ("a", None, "j"),
    "speeches": ("a", "b", None),
    "debate": ("a", "b", "j"),
}
"""Debater A, debater B and judge of each kind of arm."""


def arm(
    kind: str, right: Sequence[float] = (1, 0), *, title: str = "", **columns: Any
) -> pd.DataFrame:
    """An arm's samples: 1 right, 0 wrong, NaN without an outcome."""
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
            "arm": name,
            "title": name,
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


def arms(*parts: pd.DataFrame) -> pd.DataFrame:
    """Several arms as one frame."""
    return pd.concat(parts, ignore_index=True)
