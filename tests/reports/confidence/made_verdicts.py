"""Invented verdicts, of the shape that `verdicts_of` gives."""

from collections.abc import Mapping, Sequence

import pandas as pd

from inspect_debate.reports.confidence.frames import VERDICTS
from inspect_debate.solvers.bet_records import SIDES

Verdicts = Mapping[str, Sequence[tuple[str, float] | None]]
"""By judge, in the order of its passes: `P` or `O` and a confidence; None where a
verdict could not be read."""

_WINNERS = dict(zip("PO", SIDES, strict=True))


def verdicts(condition: str, *debates: Verdicts) -> pd.DataFrame:
    """One row per verdict; debates are numbered as those of `made_bets.bets` are."""
    rows = [
        {
            "condition": condition,
            "run": f"run of {condition}",
            "debate": f"debate {number}",
            "epoch": 1,
            "juror": f"judge_{seat}",
            "judge": judge,
            "pass": place,
            "order": None,
            "winner": _WINNERS[verdict[0]] if verdict else None,
            "confidence": verdict[1] if verdict else float("nan"),
        }
        for number, debate in enumerate(debates)
        for seat, (judge, passes) in enumerate(debate.items(), start=1)
        for place, verdict in enumerate(passes, start=1)
    ]
    return pd.DataFrame(rows, columns=VERDICTS)
