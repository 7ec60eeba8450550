"""Invented bets and verdicts, and the report's tables and figures of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.v1.reports.calls import Calls
from inspect_debate.v1.reports.conditions import Grouped
from inspect_debate.v1.reports.confidence.compared import ComparedTable
from inspect_debate.v1.reports.confidence.frames import (
    BETS,
    CASES,
    SPENT,
    VERDICTS,
    Records,
    titled,
)
from inspect_debate.v1.reports.confidence.measures import Data
from inspect_debate.v1.reports.confidence.paper_bets import paper_tables
from inspect_debate.v1.reports.confidence.report import REPORT
from inspect_debate.v1.reports.elements import Figure, Table
from inspect_debate.v1.reports.views import Part
from inspect_debate.v1.solvers.bet_records import SIDES, speech_type
from tests.v1.reports import reported

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
    """One row per side and round, of the shape that `bets_of` gives.

    Args:
        condition: The condition of all debates.
        debates: The debates.
        recorded: What was recorded in place of a missing bet; by default nothing.
    """
    rows = []
    for number, debate in enumerate(debates):
        rounds = len(debate.bets[0])
        for side, model, series in zip(SIDES, debate[:2], debate.bets, strict=True):
            for round, bet in enumerate(series, start=1):
                shown = recorded if bet != bet and recorded is not None else bet
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
                        "recorded": shown,
                    }
                )
    return titled(pd.DataFrame(rows, columns=BETS))


def itself(model: str, *series: Sequence[float]) -> list[Debate]:
    """Debates of a model with itself, of every two series of bets."""
    return [
        Debate(model, model, (one, other))
        for one, other in zip(series[::2], series[1::2], strict=True)
    ]


Verdicts = Mapping[str, Sequence[tuple[str, float] | None]]
"""By judge, in the order of its passes: `P` or `O` and a confidence; None where a
verdict could not be read."""

_WINNERS = dict(zip("PO", SIDES, strict=True))


def verdicts(condition: str, *debates: Verdicts) -> pd.DataFrame:
    """One row per verdict, of the shape that `verdicts_of` gives.

    Debates are numbered as those of `bets` are.
    """
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
    return titled(pd.DataFrame(rows, columns=VERDICTS))


NO_VERDICTS = verdicts("cross_model")


def data(
    made: pd.DataFrame,
    judged: pd.DataFrame = NO_VERDICTS,
    graded: pd.DataFrame | None = None,
) -> Data:
    """What a report is about, without logs.

    Args:
        made: As from `bets`.
        judged: As from `verdicts`.
        graded: A row per debate with a grader's sums, and its condition as `condition`.
    """
    sums = ["bets.stated_n", "bets.stated_gap_sum", "bets.stated_abs_gap_sum"]
    columns = ["condition", "sides", "run", "log", "reuse", *sums]
    none = pd.DataFrame(columns=columns).astype(dict.fromkeys(sums, float))
    debates = none if graded is None else graded.assign(run="", log="", reuse=None)
    spent, cases = pd.DataFrame(columns=[*SPENT]), pd.DataFrame(columns=CASES)
    records = Records(Calls({}, {}, []), spent, cases)
    return Data([], Grouped(debates, none, none), made, judged, records)


def items(of: Data, *parts: str) -> dict[str, Any]:
    """The tables and figures of sections without logs, by name.

    Args:
        of: What the report is about.
        parts: How the titles of the sections begin; by default all.
    """
    return {
        item.name: item
        for part in REPORT.parts
        if isinstance(part, Part) and part.title.startswith(parts or ("",))
        for item in part.section(of).items
        if isinstance(item, Table | Figure)
    }


def row(frame: pd.DataFrame, *key: str) -> Any:
    """The only row of a frame with these values in its first columns."""
    return pd.Series(reported.row(frame, **dict(zip(frame.columns, key, strict=False))))


def texts(table: ComparedTable, title: str, group: str = "") -> dict[str, str | None]:
    """Our cells of a row of the paper's table, by column."""
    (found,) = [of for of in table.rows if (of.title, of.group) == (title, group)]
    return {column: cell.ours for column, cell in found.cells.items()}


def paper(*made: pd.DataFrame) -> dict[str, ComparedTable]:
    """The paper's tables of some bets, by name."""
    return {table.name: table for table in paper_tables(pd.concat(made))}
