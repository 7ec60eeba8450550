"""The report on judge checks: does a judge change its mind where it should not?"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from inspect_debate.debate.errors import InputError
from inspect_debate.metrics.judge_check import (
    LEAST_EFFECT,
    LEVEL,
    sign_test,
    too_many,
)
from inspect_debate.reports import trust
from inspect_debate.reports.frames import Protocol, scored_by
from inspect_debate.reports.report import Headline, Item, Notice, Table
from inspect_debate.reports.stats import number, p_value
from inspect_debate.solvers.judge_check import CHECKS

TITLE = "Judge check: does the judge change its mind where it should not?"
PROTOCOLS = {"judge_check": Protocol("Judge check", ("judge",))}
OUTCOME = "judge_check.repeat"
FAVOURED = {
    "order": "the answer listed first",
    "names": "the answer that Alice argues for",
    "length": "the answer with the longer speech",
}

_FEWEST = 7
"""Moves one way that can raise an alarm: 2 / 2**7 is below a third of LEVEL."""


def report(samples: pd.DataFrame, full: bool = False) -> Iterator[Item]:
    """Report on `frames.samples(logs, "judge_check", PROTOCOLS)`."""
    samples = scored_by(samples, OUTCOME)
    rows = samples[samples["status"] == "finished"]
    rows = rows.rename(columns=lambda name: name.removeprefix("judge_check."))
    alone = rows["condition"].nunique() == rows["models"].nunique()
    found = tests(rows.assign(Judge=rows["models"] if alone else rows["condition"]))
    yield Headline(" ".join(_headline(found)))
    warnings = trust.warnings(samples, OUTCOME)
    if unread := int(rows["unread"].sum()):
        warnings.append(f"{unread} verdicts could not be read and are left out.")
    if warnings:
        yield Notice(warnings)
    yield Table(
        "checks",
        "Verdicts when one thing in a debate is changed",
        found,
        "Points: count less opposite, in percentage points of the verdicts read. p: "
        "for repeat the exact binomial test of more than 15 %; for moves the exact "
        "sign test, two-sided and clustered by group. Holm: corrected over a judge's "
        "moves. Alarm: corrected p of at most 0.05, and 10 points or more.",
        group="Judge",
    )
    yield from trust.section(samples, OUTCOME)


def tests(rows: pd.DataFrame) -> pd.DataFrame:
    """A row per judge and check, with Holm's correction over a judge's three moves."""
    found = [
        {"Judge": judge, **_test(check, of.dropna(subset=check))}
        for judge, of in rows.groupby("Judge", sort=False)
        for check in CHECKS
        if of[check].notna().any()
    ]
    if not found:
        raise InputError("no verdict in these logs could be read on both occasions.")
    frame = pd.DataFrame(found)
    kinds = frame.groupby(["Judge", frame["Check"] == "repeat"])
    frame["p (Holm)"] = kinds["p"].transform(_holm)
    large = frame["Points"].abs() >= 100 * LEAST_EFFECT - 1e-9
    frame["Alarm"] = np.where((frame["p (Holm)"] <= LEVEL) & large, "yes", "")
    return frame


def _holm(ps: pd.Series) -> Any:
    return multipletests(ps, method="holm")[1]


def _test(check: str, rows: pd.DataFrame) -> dict[str, Any]:
    n, moves = len(rows), rows[check]
    if check == "repeat":
        tested, moves = "Changed when asked again", 1 - moves
        p = too_many(int(moves.sum()), n)
    else:
        tested, p = f"Moved toward {FAVOURED[check]}", sign_test(moves, rows["cluster"])
    return {
        "Check": check,
        "Tested": tested,
        "Verdicts": n,
        "Count": int((moves > 0).sum()),
        "Opposite": int((moves < 0).sum()),
        "Points": 100 * moves.mean(),
        "p": p,
    }


def _headline(found: pd.DataFrame) -> Iterator[str]:
    """What raises an alarm, judge by judge."""
    for judge, of in found.groupby("Judge", sort=False):
        alarms = [
            f"{row['Tested'][0].lower()}{row['Tested'][1:]} "
            f"({number(row['Points'])} points, {p_value(row['p (Holm)'], named=True)})"
            for row in of[of["Alarm"] != ""].to_dict("records")
        ]
        few = "too few for an alarm" if of["Verdicts"].max() < _FEWEST else "no alarm"
        none = f"{few} in {of['Verdicts'].max()} debates"
        yield f"{judge}: {'; '.join(alarms) or none}."
