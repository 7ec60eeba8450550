"""Invented bets, of the shape that `bets_of` gives."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.reports.confidence.frames import BETS
from inspect_debate.solvers.bet_records import SIDES, speech_type

NONE = float("nan")
"""No bet."""


class Debate(NamedTuple):
    """The models of both sides, and their bets by round."""

    proposition: str
    opposition: str
    bets: tuple[Sequence[float], Sequence[float]]


def bets(
    condition: str, *debates: Debate, recorded: float | None = None
) -> pd.DataFrame:
    """One row per side and round.

    Args:
        condition: The condition of all debates.
        debates: The debates.
        recorded: What stands for a missing bet; without it nothing does.
    """
    rows = []
    for number, debate in enumerate(debates):
        rounds = len(debate.bets[0])
        for side, model, series in zip(SIDES, debate[:2], debate.bets, strict=True):
            for round, bet in enumerate(series, start=1):
                missing = bet != bet
                rows.append(
                    {
                        "condition": condition,
                        "run": f"run of {condition}",
                        "debate": f"debate {number}",
                        "epoch": 1,
                        "motion": f"motion {number % 3}",
                        "side": side,
                        "model": model,
                        "self_debate": debate.proposition == debate.opposition,
                        "round": round,
                        "rounds": rounds,
                        "speech": speech_type(round, rounds),
                        "bet": bet,
                        "recorded": recorded
                        if missing and recorded is not None
                        else bet,
                    }
                )
    return pd.DataFrame(rows, columns=BETS)


def itself(model: str, *series: Sequence[float]) -> list[Debate]:
    """Debates of a model with itself, of every two series of bets."""
    return [
        Debate(model, model, (one, other))
        for one, other in zip(series[::2], series[1::2], strict=True)
    ]


def row(frame: pd.DataFrame, *key: str) -> Any:
    """The only row of a frame with these values in its first columns."""
    found = frame
    for column, value in zip(frame.columns, key, strict=False):
        found = found[found[column] == value]
    assert len(found) == 1, found
    return found.iloc[0]
