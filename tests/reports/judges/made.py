"""Invented verdicts, of the shape that `verdicts_df` has."""

from collections.abc import Iterator
from math import nan
from typing import Any

import pandas as pd

from inspect_debate.reports.judges.verdicts import verdict_frame

TRUTH = "ABAB"
"""What is right about each of four debates."""


def judging(model: str, letters: str, **columns: Any) -> Iterator[dict[str, Any]]:
    """A judge's verdicts debate by debate: `?` is unreadable, `-` was not asked for."""
    for number, (letter, right) in enumerate(zip(letters, TRUTH, strict=True)):
        if letter == "-":
            continue
        read = letter != "?"
        usual = {
            "log": "log",
            "run": "run",
            "condition": columns.get("run", "run"),
            "protocol": "copmad",
            "id": f"item {number}",
            "epoch": 1,
            "group": f"item {number}",
            "question": f"question {number}",
            "debate": f"debate {number}",
            "judge": model,
            "model": model,
            "round": 0,
            "order": "ab",
            "answer": letter if read else None,
            "status": "ok" if read else "unparsed",
            "right": float(letter == right) if read else nan,
            "first": float(letter == "A") if read else nan,
            "right_first": float(right == "A"),
            "parameters": {},
            "prompts": "0123456789abcdef",
            "settings": {},
        }
        yield usual | columns


def verdicts(*parts: Iterator[dict[str, Any]]) -> pd.DataFrame:
    """The verdicts of several judges."""
    return verdict_frame(row for part in parts for row in part)


def three() -> pd.DataFrame:
    """One is always right, one half of the time, and one was not asked everything."""
    return verdicts(
        judging("sure", "ABAB"),
        judging("half", "ABBA"),
        judging("some", "A?-B", judge="judge_3"),
    )
