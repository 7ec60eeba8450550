"""The figures of the confidence study; a condition has a panel, or a line."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from inspect_debate.metrics.bets import HIGH, LOW
from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.published.printed import confidence_tables
from inspect_debate.reports.confidence.calibration import ITSELF, Part, parts_of
from inspect_debate.reports.confidence.intervals import BETS, CHANGES, Bounds, mean
from inspect_debate.reports.confidence.sides import (
    by_condition,
    by_debate,
    three_speeches,
)
from inspect_debate.reports.confidence.study import (
    EVEN,
    HUMANS,
    conditions_of,
    in_order,
    title,
)
from inspect_debate.reports.drawing import bubbles, reliability
from inspect_debate.reports.elements import COUNT, Figure
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.panels import Series, interval_panels, line_panels
from inspect_debate.solvers.bet_records import SIDES

ALL_MODELS = "All models"

_BET = "bet (%)"
_INTERVALS = (
    "Lines are 95 % intervals, clustered by debate, and over all models by model, too."
)
_BINS = np.arange(0.1, 1.0, 0.1)


def opening_figure(bets: pd.DataFrame) -> Figure:
    """Mean opening bets by model and condition, beside an even chance and humans.

    Args:
        bets: As from `bets_of`.
    """
    first = bets[bets["speech"] == "opening"]
    printed = confidence_tables().tables["human"]["opening"]["value"].printed
    humans = float(printed.partition(" ")[0])
    return Figure(
        name="figure_openings",
        title="Opening bets by model",
        figure=interval_panels(
            {
                title(c): _by_model(rows, "bet", BETS)
                for c, rows in _parts(first).items()
            },
            label=f"opening {_BET}",
            format=COUNT,
            references={"even chance": EVEN, "college debaters": humans},
        ),
        alt="Mean opening bet of every model with its interval, a panel per condition, "
        "beside lines at 50 and at the mean of human debaters.",
        note=f"{_INTERVALS} {HUMANS}: {printed}, mean ± standard deviation.",
    )


def rounds_figure(bets: pd.DataFrame) -> Figure:
    """Mean bets by round, a panel per model and a line per condition."""
    models = in_order(bets["model"], "table_2")
    whose = {model: bets[bets["model"] == model] for model in models}
    if len(models) > 1:
        whose[ALL_MODELS] = bets
    return Figure(
        name="figure_rounds",
        title="Bets by round, model and condition",
        figure=line_panels(
            {name: _by_round(rows) for name, rows in whose.items()},
            label=_BET,
            x_label="round of speeches",
            format=COUNT,
            references={"even chance": EVEN},
        ),
        alt="Mean bets over the rounds of speeches, a panel per model, a line with "
        "intervals per condition: " + ", ".join(map(title, _parts(bets))) + ".",
        note=_INTERVALS,
    )


def escalation_figure(bets: pd.DataFrame) -> Figure | None:
    """How much closing bets are above opening ones, by model and condition.

    Returns:
        The figure; None where no debate has two rounds.
    """
    wide = three_speeches(bets, "bet")
    rises = wide.assign(rise=wide["closing"] - wide["opening"])
    rises = rises[rises["rise"].notna()]
    if rises.empty:
        return None
    return Figure(
        name="figure_escalation",
        title="Escalation by model: closing less opening bets",
        figure=interval_panels(
            {
                title(c): _by_model(rows, "rise", CHANGES)
                for c, rows in _parts(rises).items()
            },
            label="closing less opening bet (percent points)",
            format=COUNT,
            references={"no change": 0.0},
        ),
        alt="Mean rise of bets from opening to closing of every model with its "
        "interval, a panel per condition, beside a line at 0.",
        note=_INTERVALS,
    )


def closing_figure(bets: pd.DataFrame) -> Figure | None:
    """The closing bets of both sides against each other, with Table 4's regions.

    Returns:
        The figure; None where no debate has both.
    """
    pairs = by_debate(bets, "bet").dropna(subset=list(SIDES))
    if pairs.empty:
        return None
    panels = {}
    for condition, rows in _parts(pairs).items():
        counts = rows.groupby(list(SIDES)).size().reset_index()
        panels[f"{title(condition)}, n={len(rows)}"] = counts.set_axis(
            ["x", "y", "n"], axis=1
        )
    return Figure(
        name="figure_closing",
        title="Closing bets of both sides",
        figure=bubbles(
            panels,
            x_label=f"proposition's closing {_BET}",
            y_label=f"opposition's closing {_BET}",
            thresholds=(LOW, HIGH),
        ),
        alt="Closing bets of the opposition over those of the proposition, a panel per "
        "condition; the areas in which both are above 50 and above 75 are shaded.",
        note="Areas are proportional to the number of debates. Bets of two sides that "
        "know their chances lie on the dashed line. The shaded regions are those of "
        "Table 4 in which both sides are too sure; 75 itself is not in the darker one.",
    )


def calibration_figure(closing: pd.DataFrame) -> Figure | None:
    """How often closing bets won, by what was bet.

    Args:
        closing: As from `calibration.closing_bets`.

    Returns:
        The figure; None without bets that can be held against anything.
    """
    if closing.empty:
        return None
    return Figure(
        name="figure_calibration",
        title="Calibration of closing bets",
        figure=reliability(
            {_held(part): _bins(part) for part in parts_of(closing)},
            x_label=f"closing {_BET}",
            y_label="debates won (%)",
        ),
        alt="Share of debates won over the closing bet in bins of ten, a panel per "
        "condition, beside the diagonal of perfect calibration.",
        note="Bins of ten points; areas are proportional to the number of bets. "
        "Against the jury, lines are 95 % intervals, which take bets for independent. "
        "In debates with oneself every side wins with exactly 50 %.",
    )


def _parts(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    found = by_condition(rows)
    return {condition: found[condition] for condition in conditions_of(found)}


def _by_model(rows: pd.DataFrame, column: str, bounds: Bounds) -> pd.DataFrame:
    models = in_order(rows["model"], "table_2")
    found = {
        model: mean(rows[rows["model"] == model], column, bounds) for model in models
    }
    if len(models) > 1:
        found[ALL_MODELS] = mean(rows, column, bounds)
    return pd.DataFrame.from_dict(
        found, orient="index", columns=["estimate", "low", "high"]
    )


def _by_round(bets: pd.DataFrame) -> Series:
    found = {
        title(condition): {
            n: mean(rows[rows["round"] == n], "bet", BETS) for n in _rounds(rows)
        }
        for condition, rows in _parts(bets).items()
    }
    return Series(*(pd.DataFrame(_ends(found, end)) for end in range(3)))


def _rounds(bets: pd.DataFrame) -> list[int]:
    return sorted({int(number) for number in bets["round"]})


def _ends(
    found: Mapping[str, Mapping[int, Estimate]], end: int
) -> dict[str, dict[int, float]]:
    return {name: {n: of[n][end] for n in of} for name, of in found.items()}


def _held(part: Part) -> str:
    return f"{title(part.condition)}, against {part.against}"


def _bins(part: Part) -> pd.DataFrame:
    """Mean bets and shares won in percent, by bins of ten points."""
    rows = []
    for _, of in part.rows.groupby(np.digitize(part.rows["bet"], _BINS)):
        share = of["won"].mean()
        low, high = (
            (share, share)
            if part.against == ITSELF
            else proportion_interval(of["won"].sum(), len(of))
        )
        percents = [100 * value for value in (of["bet"].mean(), share, low, high)]
        rows.append([*percents, len(of)])
    return pd.DataFrame(rows, columns=["stated", "share", "low", "high", "n"])
