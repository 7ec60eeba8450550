"""Whether the runs can be trusted: samples, what could not be read, and grades."""

from collections.abc import Iterator
from typing import get_args

import pandas as pd

from inspect_debate.analysis.generative.tables import (
    MODELS,
    Rows,
    rows_of,
    tied,
    without_empty,
)
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format
from inspect_debate.core.record import GradeStatus

STATUSES = {
    "unparsed": "Unreadable",
    "refused": "Refused",
    "truncated": "Cut off",
    "missing": "Missing",
}
STAGES = {
    "answers": "Answers",
    "speeches": "Speeches",
    "stances": "Stances",
    "rewards": "Rewards",
    "verdicts": "Verdicts",
}

_TIED = "Verdict tied"
_GRADES: tuple[GradeStatus, ...] = get_args(GradeStatus)
_GRADE_TITLES = {
    "pass": "Right",
    "fail": "Wrong",
    "unparsed": "No answer",
    "timeout": "Out of time",
    "error": "Grader failed",
    "ineligible": "Task of no use",
}


def samples_table(items: pd.DataFrame) -> Table:
    """How many samples each format has, and what became of them.

    Args:
        items: As from `items_of`.
    """
    rows = [
        {
            **of.named,
            "Samples": len(of.items),
            "Questions": of.items["question_id"].nunique(),
            "Epochs": of.items["epoch"].nunique(),
            "Failed": int(of.items["error"].notna().sum()),
            "Stopped by a limit": int(of.items["limit"].notna().sum()),
            "Not scored": int((of.items["scored"] != 1).sum()),
            "Verdict not read": int((of.items["verdict_ok"] == 0).sum()),
            _TIED: tied(of.items),
            "Logs": of.items["run"].nunique(),
        }
        for of in rows_of(items)
    ]
    frame = without_empty(pd.DataFrame(rows), _TIED)
    return Table("samples", "Samples", frame, groups=MODELS)


def status_table(items: pd.DataFrame) -> Table | None:
    """What could not be read, by format and stage; None where everything could.

    Args:
        items: As from `items_of`.
    """
    rows = [
        row for row in statuses(items) if any(row[name] for name in STATUSES.values())
    ]
    if not rows:
        return None
    return Table(
        name="statuses",
        title="What could not be read",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={"Asked for": COUNT, **dict.fromkeys(STATUSES.values(), PERCENT)},
        note="Percent of what was asked for, after asking again. All else could be "
        "read. An answer that could not be read is wrong; a verdict is left out.",
    )


def statuses(items: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Shares of what was asked for that could not be read, by format and stage."""
    for of in rows_of(items):
        for stage, name in STAGES.items():
            counts = {s: _sum(of, f"{stage}_{s}") for s in ("ok", *STATUSES)}
            if asked := sum(counts.values()):
                shares = {told: counts[s] / asked for s, told in STATUSES.items()}
                yield {**of.named, "Stage": name, "Asked for": asked, **shares}


def grades_table(items: pd.DataFrame) -> Table | None:
    """What became of the answers when they were graded, and how long that took.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None where nothing was graded.
    """
    rows = []
    for of in rows_of(items):
        counts = {kind: _sum(of, f"grades_{kind}") for kind in _GRADES}
        if sum(counts.values()):
            titled = {_GRADE_TITLES[kind]: n for kind, n in counts.items()}
            seconds = _sum(of, "grade_seconds")
            rows.append({**of.named, **titled, "Seconds": seconds})
    if not rows:
        return None
    return Table(
        name="grades",
        title="Grades of answers",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(_GRADE_TITLES.values(), COUNT),
            "Seconds": Format(digits=1),
        },
        note="Numbers of answers. Those that a failed grader or a task of no use left "
        "ungraded are of unknown worth, and in no rate; no answer and out of time are "
        "wrong. Seconds: in all, without grades that are those of an earlier run.",
    )


def _sum(of: Rows, column: str) -> float:
    return float(of.items[column].sum()) if column in of.items else 0.0
