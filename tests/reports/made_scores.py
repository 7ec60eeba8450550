"""Invented scores, of the shape that arms have."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.reports.colmad.frames import PUBLISHED, Arm

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


def arm(
    protocol: str,
    samples: pd.DataFrame,
    *people: str | None,
    details: str = "",
    **parameters: Any,
) -> Arm:
    """An arm of these samples; people are debater A, debater B and the judge."""
    debater_a, debater_b, judge, *_ = (*people, None, None, None)
    return Arm(
        protocol=protocol,
        debater_a=debater_a,
        debater_b=debater_b,
        judge=judge,
        parameters={**PUBLISHED.get(protocol, {}), **parameters},
        samples=samples,
        details=details,
    )
