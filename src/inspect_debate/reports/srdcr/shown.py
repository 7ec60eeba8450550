"""What the figures show: answers of one model on the same items, and their shares."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.shares import share
from inspect_debate.published.printed import srdcr_tables
from inspect_debate.reports.elements import Notice
from inspect_debate.reports.panels import Series
from inspect_debate.reports.srdcr.study import (
    ARMS,
    HALVES,
    MODELS,
    OFFSETS,
    SEVERITIES,
    arms_in_order,
    in_order,
)

COMMAND = "inspect eval inspect_debate/srdcr"
INTERVALS = "Lines are 95 % intervals, clustered by question."

SEVERITY = "severity (below: years by which dates are shifted)"
"""Of an axis of severities."""

STRATA = (
    "Names and locations have severities 1, 3 and 5 only, so 2 and 4 are of the other "
    "four domains: severity is confounded with domain."
)
"""What to know about the strata."""

PLACES = {
    severity: f"{severity}\n{offset}"
    for severity, offset in zip(SEVERITIES, OFFSETS, strict=True)
}
"""What stands at the severities on that axis."""

TABLE_1 = (
    " Hollow marks are the paper's Table 1, on other items; its SR-DCR was scored on "
    "fewer items than its baselines."
)
"""Of figures with its values."""

LIMITS = (-0.02, 1.02)
"""Of an axis of shares: marks at its ends are not cut."""

_ENOUGH = 0.5


class Shown(NamedTuple):
    """Parts on the same samples and epochs.

    Attributes:
        parts: By name the rows of a part, which all are scored.
        left_out: Names of parts that have too few of the samples.
    """

    parts: dict[str, pd.DataFrame]
    left_out: list[str]

    @property
    def note(self) -> str:
        """How many samples these are, and what is left out."""
        rows = next(iter(self.parts.values()))
        out = f" Left out, as too few of these are: {'; '.join(self.left_out)}."
        return (
            f"On the {halves(rows)} on which all that is shown has a readable answer "
            f"or an abstention.{out if self.left_out else ''}"
        )


def on_shared(parts: Mapping[str, pd.DataFrame]) -> Shown:
    """Restrict parts to the samples and epochs on which all of them are scored.

    A part that would leave less than half of the samples of the largest is left out.

    Args:
        parts: By name; rows of `answers_of` or `rounds_of`, of one model, at most one
            per sample and epoch.
    """
    scored = {name: rows[rows["strict"].notna()] for name, rows in parts.items()}
    most = max(map(len, scored.values()), default=0)
    shared: set[str] = set()
    kept: set[str] = set()
    for name in sorted(scored, key=lambda name: -len(scored[name])):
        common = set(_keys(scored[name]))
        if kept:
            common &= shared
        if common and len(common) >= _ENOUGH * most:
            shared = common
            kept.add(name)
    of_all = {
        name: rows[_keys(rows).isin(list(shared))]
        for name, rows in scored.items()
        if name in kept
    }
    return Shown(of_all, [name for name in scored if name not in kept])


def by_arm(answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each arm and variant as readers see them, in the order of `ARMS`."""
    return {
        titled(ARMS[arm], variant): rows
        for arm in arms_in_order(answers["arm"])
        for variant, rows in answers[answers["arm"] == arm].groupby("variant")
    }


def by_model(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of each model by its name, those of the paper first."""
    return {model: rows[rows["model"] == model] for model in in_order(rows["model"])}


def titled(name: str, variant: object) -> str:
    """A name with what tells its variants apart."""
    return f"{name}, {variant}" if variant != "" else name


def model_title(model: str) -> str:
    """A model as the paper calls it, where it is one of the paper's."""
    return MODELS.get(model, model)


def halves(rows: pd.DataFrame) -> str:
    """How many rows each half has: "300 standard and 300 perturbed samples"."""
    counts = rows["half"].value_counts()
    told = " and ".join(f"{counts[half]} {half}" for half in HALVES if half in counts)
    return f"{told} samples"


def debated(rounds: pd.DataFrame) -> pd.DataFrame:
    """One row of `rounds_of` for each debate."""
    return rounds.drop_duplicates(["sample", "epoch"])


def share_of(rows: pd.DataFrame, column: str) -> Share:
    """The share of ones in a column, clustered by question; NaN is left out."""
    return share(rows[column], rows["question_id"])


def by_severity(rows: pd.DataFrame, column: str) -> dict[int, Share]:
    """The share of ones in a column at each severity of a perturbation.

    Args:
        rows: Of one arm, from `answers_of`.
        column: Of ones, zeros and NaN.
    """
    found = {level: rows[rows["severity"] == level] for level in SEVERITIES}
    return {level: share_of(of, column) for level, of in found.items() if len(of)}


def printed(table: str, model: str, arm: str, column: str) -> float:
    """A share that the paper prints; NaN where it has none.

    Args:
        table: `table_1` or `table_2`.
        model: As in the frames.
        arm: A key of `ARMS`.
        column: `standard`, `perturbed` or `overall`; in `table_2` an offset in years.
    """
    value = srdcr_tables().cell(table, model, arm, column).value
    return math.nan if value is None else value / 100


def series(found: Mapping[str, Mapping[int, Share]]) -> Series:
    """Shares by name and place, as they are drawn."""
    values, low, high = (
        pd.DataFrame(
            {
                name: {place: share[end] for place, share in of.items()}
                for name, of in found.items()
            }
        ).sort_index()
        for end in range(3)
    )
    return Series(values, low, high)


def needs(figure: str, what: str, runs: Iterable[str] = ()) -> Notice:
    """That a figure is left out, why, and what would run what it needs.

    Args:
        figure: Its name.
        what: What it needs.
        runs: What follows the command `inspect eval inspect_debate/srdcr`.
    """
    commands = "\n".join(f"- `{COMMAND} {run}`" for run in runs)
    text = f"{figure} needs {what}" + (f":\n\n{commands}" if commands else ".")
    return Notice(text, "info")


def _keys(rows: pd.DataFrame) -> "pd.Series[str]":
    return rows["sample"] + " " + rows["epoch"].astype(str)
