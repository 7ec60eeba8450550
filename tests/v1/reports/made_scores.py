"""Invented scores and conditions of the ColMAD study, and what its report shows."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

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
