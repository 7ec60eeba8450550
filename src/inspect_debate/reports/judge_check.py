"""The report on judge checks: does a judge change its mind where it should not?"""

import math
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
    smallest_shift,
    too_many,
)
from inspect_debate.reports import trust
from inspect_debate.reports.frames import Protocol, scored_by
from inspect_debate.reports.report import Headline, Item, Notice, Table
from inspect_debate.reports.stats import number, p_value

TITLE = "Judge check: does the judge change its mind where it should not?"
PROTOCOLS = {"judge_check": Protocol("Judge check", ("judge",))}
OUTCOME = "judge_check.repeat"
FAVOURED = {
    "order": "the answer listed first",
    "names": "the answer that Alice argues for",
    "length": "the answer with the longer speech",
}


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
        found.drop(columns="kind"),
        "Points: count less opposite, in percentage points of the verdicts read. "
        "Smallest: no smaller effect could raise an alarm. p: for repeat the exact "
        "binomial test of more than 15 %; for moves the exact sign test, two-sided; "
        "for changes McNemar's exact test, one-sided; both clustered by question. "
        "Holm: corrected over a judge's checks of one kind. Alarm: corrected p of at "
        "most 0.05, and 10 points or more.",
        group="Judge",
    )
    yield from trust.section(samples, OUTCOME)


def tests(rows: pd.DataFrame) -> pd.DataFrame:
    """A row per judge and test, with Holm's correction over tests of one kind.

    Raises:
        InputError: If no check has a verdict that could be read.
    """
    found: list[dict[str, Any]] = []
    for judge, of in rows.groupby("Judge", sort=False):
        again = 1 - of["repeat"]
        own = [_test("repeat", "again", again, of["cluster"])]
        for check in FAVOURED:
            own.append(_test(check, "moved", of[check], of["cluster"]))
        for check in FAVOURED:
            changed = of[check].abs() - again
            own.append(_test(check, "changed", changed, of["cluster"]))
        found += [{"Judge": judge, **row} for row in own if row["Verdicts"]]
    if not found:
        raise InputError("no verdict in these logs could be read on both occasions.")
    frame = pd.DataFrame(found)
    frame["p (Holm)"] = frame.groupby(["Judge", "kind"])["p"].transform(_holm)
    large = frame["Points"].abs() >= 100 * LEAST_EFFECT - 1e-9
    frame["Alarm"] = np.where((frame["p (Holm)"] <= LEVEL) & large, "yes", "")
    return frame


def _holm(ps: pd.Series) -> Any:
    return multipletests(ps, method="holm")[1]


def _test(
    check: str, kind: str, moves: pd.Series, cluster: pd.Series
) -> dict[str, Any]:
    moves = moves.dropna()
    n, names = len(moves), cluster[moves.index]
    up, down = (int((sign * moves > 0).sum()) for sign in (1, -1))
    sides = 2 if kind == "moved" else 1
    tested = f"Moved toward {FAVOURED.get(check)}"
    if kind == "changed":
        tested = f"Changed under {check}, unlike when asked again"
    p = sign_test(moves, names, sides)
    smallest = smallest_shift(n, names.nunique(), len(FAVOURED), sides)
    if kind == "again":
        tested, p = "Changed when asked again", too_many(up, n)
        enough = (k / n for k in range(1, n + 1) if too_many(k, n) <= LEVEL)
        smallest = next(enough, math.nan)
    return {
        "kind": kind,
        "Check": check,
        "Tested": tested,
        "Verdicts": n,
        "Count": up,
        "Opposite": down,
        "Points": 100 * moves.mean(),
        "Smallest": 100 * smallest,
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
        least = float(of.loc[of["kind"] == "moved", "Smallest"].min())
        none = (
            f"no alarm in {of['Verdicts'].max()} debates; moves of less than "
            f"{number(least)} points could not raise one"
        )
        if math.isnan(least):
            none = "no alarm; verdicts on so few questions could not raise one"
        yield f"{judge}: {'; '.join(alarms) or none}."
