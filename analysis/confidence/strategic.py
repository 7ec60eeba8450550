"""Strategic bets, and how far bets are from the confidence that is stated."""

import pandas as pd

from inspect_debate.analysis.confidence.alignment import (
    SCORER,
    by_condition,
    sums_of,
)
from inspect_debate.analysis.confidence.intervals import ratio, share
from inspect_debate.analysis.confidence.study import title
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import COUNT, PERCENT, Format

UNREAD = ("unparsed", "refused", "truncated")
"""Why a grader's labels may be missing."""

_GAP = Format(digits=1, signed=True)
_DISTANCE = Format(digits=1)


def gaps_table(debates: pd.DataFrame) -> Table:
    """How far bets are from the confidence that their reasoning states in figures.

    Args:
        debates: As from `alignment.graded`.
    """
    rows = []
    for condition, part in by_condition(debates).items():
        sums = sums_of(part)
        signed, absolute = (
            ratio(part, f"{SCORER}.{name}", f"{SCORER}.gap_n")
            for name in ("gap_sum", "abs_gap_sum")
        )
        rows.append(
            {
                "Condition": title(condition),
                "Eligible": sums["eligible"],
                "Graded": sums["graded"],
                "With a figure": sums["gap_n"],
                **signed.columns("Mean gap"),
                **absolute._replace(low=max(absolute.low, 0)).columns(
                    "Mean absolute gap"
                ),
            }
        )
    return Table(
        name="bet_gaps",
        title="Bets less the confidence that their reasoning states",
        frame=pd.DataFrame(rows),
        formats={
            **dict.fromkeys(("Eligible", "Graded", "With a figure"), COUNT),
            "Mean gap": _GAP,
            "Mean absolute gap": _DISTANCE,
        },
        note="Percent points, over graded bets whose reasoning states a figure; of a "
        "range its middle counts. Eligible are bets above the grader's minimum, with "
        f"enough reasoning. {_INTERVALS}",
    )


def strategic_table(debates: pd.DataFrame) -> Table:
    """How often the reasoning speaks of setting a bet for gain.

    Args:
        debates: As from `alignment.graded`.
    """
    rows = []
    for condition, part in by_condition(debates).items():
        sums = sums_of(part)
        found = share(part, f"{SCORER}.strategic_yes", f"{SCORER}.strategic_read")
        rows.append(
            {
                "Condition": title(condition),
                "Strategic": sums["strategic_yes"],
                "Of": sums["strategic_read"],
                **found.columns("Share"),
                "Malformed": sums["strategic_malformed"],
                "Unreadable": sum(sums[f"strategic_{why}"] for why in UNREAD),
            }
        )
    counts = ("Strategic", "Of", "Malformed", "Unreadable")
    return Table(
        name="strategic",
        title="Strategic bets",
        frame=pd.DataFrame(rows),
        formats={"Share": PERCENT, **dict.fromkeys(counts, COUNT)},
        note="Graded bets whose private reasoning speaks of setting the bet for gain: "
        "by what the opponent may bet, to signal, for the risk. Share in percent of "
        f"those with a label that could be read. {_INTERVALS}",
    )


_INTERVALS = "95 % intervals, by debates that may depend on each other by their models."
