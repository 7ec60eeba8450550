"""The paper's tests beside those that know which bets depend on each other.

Two bets are of one debate and six debates of one model: taken as independent, they
give p-values that are too small. Bets that were not made are left out here.
"""

from collections.abc import Iterator
from itertools import combinations
from math import nan

import numpy as np
import pandas as pd

from inspect_debate.metrics.dependence import clustered_mean, mixed_mean
from inspect_debate.metrics.means import MeanEstimate, pooled_mean
from inspect_debate.published.printed import confidence_tables
from inspect_debate.reports.confidence.frames import numbered
from inspect_debate.reports.confidence.intervals import BETS, CHANGES, clustered, mean
from inspect_debate.reports.confidence.sides import (
    by_condition,
    by_side,
    label,
    speeches_of,
    spread,
    three_speeches,
    transitions,
)
from inspect_debate.reports.confidence.study import EVEN, HUMANS, conditions_of, title
from inspect_debate.reports.elements import P_VALUE, Column, Format, Table
from inspect_debate.reports.estimates import of_mean

POOLED, CLUSTERED = "p, pooled", "p, clustered"
BY_MODEL, MIXED = "p, model means", "p, mixed model"

Row = dict[str, object]

_SIGNED = Format(digits=2, signed=True)
_ALL = (POOLED, CLUSTERED, BY_MODEL, MIXED)
_P: dict[Column, Format] = dict.fromkeys(_ALL, P_VALUE)


def openings_table(bets: pd.DataFrame) -> Table:
    """Opening bets against 50 by condition, tested in four ways."""
    parts = by_condition(bets[bets["speech"] == "opening"])
    rows = [
        {
            "Condition": title(condition),
            **_sizes(parts[condition], "bet", "Bets"),
            **mean(parts[condition], "bet", BETS).columns("Mean"),
            "SD": spread(parts[condition]["bet"], ddof=1).sd,
            "Above 50": parts[condition]["bet"].mean() - EVEN,
            **_tests(parts[condition], "bet", EVEN),
        }
        for condition in conditions_of(parts)
    ]
    frame = pd.DataFrame([*rows, _humans()])
    return Table(
        name="openings",
        title="Opening bets against 50, in four tests",
        frame=frame.astype({"Bets": "Int64", "Models": "Int64"}),
        formats=_P | {"Above 50": _SIGNED},
        note=f"One-sided: above 50. {_WAYS}",
    )


def escalation_table(bets: pd.DataFrame) -> Table | None:
    """How bets rise between speeches by condition, tested in four ways.

    Returns:
        The table; None where no debate has two rounds.
    """
    parts = by_condition(bets)
    rows = [
        row
        for condition in conditions_of(parts)
        for row in _rises(condition, by_side(parts[condition], "bet"))
    ]
    if not rows:
        return None
    return Table(
        name="escalation",
        title="Rising bets, in four tests",
        frame=pd.DataFrame(rows),
        groups="Condition",
        formats=_P | {"Change": _SIGNED},
        note=f"Changes within sides. One-sided: above 0. {_WAYS}",
    )


def comparisons_table(bets: pd.DataFrame) -> Table | None:
    """Conditions against each other in opening bets and in how these rise.

    Returns:
        The table; None without two conditions that share two models.
    """
    parts = {
        condition: three_speeches(rows, "bet")
        for condition, rows in by_condition(bets).items()
    }
    rows = [
        row
        for measure in ("Opening bet", "Opening to closing")
        for a, b in combinations(conditions_of(parts), 2)
        for row in _compared(measure, a, b, parts)
    ]
    if not rows:
        return None
    return Table(
        name="comparisons_conditions",
        title="Conditions against each other",
        frame=pd.DataFrame(rows),
        groups="Measure",
        formats={"Difference": _SIGNED, CLUSTERED: P_VALUE, BY_MODEL: P_VALUE},
        note="The first condition less the second, over the models of both; two-sided, "
        "not corrected for their number. Model means: the paper's paired t test of "
        "each model's mean with itself, with its 95 % interval and the difference of "
        "these means. Clustered: of all bets, by model and debate. Conditions may "
        "differ in more than their name: in the study's, informed self and red-teaming "
        "also do not show debaters their own earlier bets, and motions differ.",
    )


def _humans() -> Row:
    printed = confidence_tables().tables["human"]["opening"]["value"].plain
    centre, sd = map(float, printed.split("±"))
    return {
        "Condition": HUMANS,
        **dict.fromkeys(("Bets", "Models")),
        **{"Mean": centre, "Mean low": nan, "Mean high": nan},
        **{"SD": sd, "Above 50": centre - EVEN},
        **dict.fromkeys(_ALL, nan),
    }


def _rises(condition: str, wide: pd.DataFrame) -> Iterator[Row]:
    speeches = speeches_of(wide)
    pairs = transitions(speeches) if len(speeches) > 1 else {}
    for name, (earlier, later) in pairs.items():
        changes = wide.assign(change=wide[later] - wide[earlier])
        yield {
            "Condition": title(condition),
            "Between": label(name),
            **_sizes(changes, "change", "Pairs"),
            **mean(changes, "change", CHANGES).columns("Change"),
            **_tests(changes, "change", 0.0),
        }


def _compared(
    measure: str, a: str, b: str, parts: dict[str, pd.DataFrame]
) -> Iterator[Row]:
    sides = [_measured(parts[condition], measure) for condition in (a, b)]
    models = sorted(set.intersection(*(set(rows["model"]) for rows in sides)))
    if len(models) < 2:
        return
    one, other = (rows[rows["model"].isin(models)] for rows in sides)
    means = [rows.groupby("model")["value"].mean() for rows in (one, other)]
    by_model = pooled_mean(means[0] - means[1])
    yield {
        "Measure": measure,
        "Compared": f"{title(a)} less {title(b)}",
        "Models": len(models),
        **of_mean(by_model, CHANGES).columns("Difference"),
        BY_MODEL: by_model.p(),
        CLUSTERED: clustered_difference(one, other).p(),
    }


def _measured(wide: pd.DataFrame, measure: str) -> pd.DataFrame:
    rise = wide["closing"] - wide["opening"]
    values = wide["opening"] if measure == "Opening bet" else rise
    return wide.assign(value=values).dropna(subset="value")


def clustered_difference(one: pd.DataFrame, other: pd.DataFrame) -> MeanEstimate:
    """The difference of two means, clustered by model and debate.

    Every value is replaced by what it adds to the difference, so that their mean is
    the difference and their deviations are those from the own condition's mean.

    Args:
        one: Rows with a `value`, the `model`, and what tells their debate.
        other: As `one`, of another condition.
    """
    both = pd.concat([one, other])
    if one.empty or other.empty:
        return pooled_mean([])
    difference = one["value"].mean() - other["value"].mean()
    shares = [
        sign * (rows["value"] - rows["value"].mean()) * len(both) / len(rows)
        for sign, rows in ((1, one), (-1, other))
    ]
    added = difference + np.concatenate(shares)
    return clustered_mean(added, both["model"], numbered(both))


def _sizes(rows: pd.DataFrame, column: str, what: str) -> Row:
    known = rows[rows[column].notna()]
    return {what: len(known), "Models": known["model"].nunique()}


def _tests(rows: pd.DataFrame, column: str, null: float) -> Row:
    values, models, debates = rows[column], rows["model"], numbered(rows)
    ways = {
        POOLED: pooled_mean(values),
        CLUSTERED: clustered(values, rows),
        BY_MODEL: pooled_mean(values.groupby(models).mean()),
        MIXED: mixed_mean(values, models, debates),
    }
    return {name: found.p(null, "greater") for name, found in ways.items()}


_WAYS = (
    "Pooled: Student's t test as in the paper, as if bets were independent. Clustered: "
    "bets of one model or of one debate may depend on each other; so is the 95 % "
    "interval, which stays within what bets can be and needs three models, or debates "
    "of a single model. Model means: a t test of the models' means. Mixed: random "
    "intercepts of models and debates."
)
