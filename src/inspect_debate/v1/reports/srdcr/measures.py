"""What all sections of the SR-DCR report share: its data, measures and groupings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.v1.metrics.abstention import ByCondition, by_condition
from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.reports.calls import Calls, read_calls
from inspect_debate.v1.reports.conditions import Grouped
from inspect_debate.v1.reports.elements import COUNT, PERCENT, Column, listed
from inspect_debate.v1.reports.logs import Log
from inspect_debate.v1.reports.srdcr.rows import (
    HALVES,
    MODELS,
    OFFSETS,
    SEVERITIES,
    answers_of,
    conditions,
    estimates_of,
    items_of,
    read_scores,
    rounds_of,
    stacked,
)
from inspect_debate.v1.reports.views import Columns, Measure, Plot, known


@dataclass(frozen=True)
class Data:
    """All that the logs contain.

    Attributes:
        logs: The logs.
        grouped: All samples by what was run, as from `conditions`.
        items: As from `items_of`.
        calls: What is known of the calls.
    """

    logs: Sequence[Log]
    grouped: Grouped
    items: pd.DataFrame
    calls: Calls

    @cached_property
    def answers(self) -> pd.DataFrame:
        """As from `answers_of`."""
        return answers_of(self.items)

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """As from `rounds_of`."""
        return rounds_of(self.items)

    @cached_property
    def estimates(self) -> pd.DataFrame:
        """As from `estimates_of`."""
        return estimates_of(self.items)

    @property
    def titles(self) -> dict[str, str]:
        """What readers call that which was run, by label."""
        known = self.grouped.frame.drop_duplicates("condition")
        return dict(zip(known["condition"], known["title"], strict=True))


def read(logs: Sequence[Log]) -> Data | None:
    """Read the logs; None where no sample was scored."""
    calls = read_calls(logs)  # first, as the samples are then read but once
    grouped = conditions(read_scores(logs))
    items = items_of(grouped)
    return None if items.empty else Data(logs, grouped, items, calls)


# Measures.

BY = {"Model": "Model", "Condition": "Condition"}
HALF_TITLES = {half: half.capitalize() for half in HALVES}
CLUSTERED = "Intervals are 95 %, clustered by question."
ABSTENTIONS = "Percent; an abstention counts as not right."

Rows = Callable[[pd.DataFrame], object]
"""A measure: takes the rows of a group."""


def share_of(rows: pd.DataFrame, column: str) -> Share:
    """The share of ones in a column, clustered by question; NaN is left out."""
    return share(rows[column], rows["question_id"])


def the_share(column: str) -> Rows:
    """The measure of `share_of`."""
    return lambda rows: share_of(rows, column)


def in_halves(rows: pd.DataFrame, measure: str = "strict") -> ByCondition:
    """Accuracy, coverage and selective accuracy in both halves and overall."""
    standard = (rows["half"] == HALVES[0]).astype(float)
    return by_condition(rows[measure], rows["answered"], standard, rows["question_id"])


def _accuracies(rows: pd.DataFrame) -> dict[Column, object]:
    found = in_halves(rows)
    return {
        "Standard": found.standard.accuracy,
        "Perturbed": found.perturbed.accuracy,
        "Overall": found.overall.accuracy,
        "Coverage": found.overall.coverage.value,
    }


ACCURACIES = Columns(
    _accuracies,
    dict.fromkeys(("Standard", "Perturbed", "Overall", "Coverage"), PERCENT),
)
SAMPLES = Measure("Samples", known("strict"), COUNT)


def by_half(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of every condition by `Half`: Standard, Perturbed, and Overall."""
    parts = {title: rows["half"] == half for half, title in HALF_TITLES.items()}
    return stacked(rows, "Half", parts | {"Overall": pd.Series(True, rows.index)})


def of_half(rows: pd.DataFrame) -> Any:
    """Accuracy, coverage and selective accuracy of rows from `by_half`."""
    return getattr(in_halves(rows), str(rows["Half"].iloc[0]).lower())


def perturbed(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with a perturbed passage."""
    return rows[rows["half"] == "perturbed"]


def arranged(
    rows: pd.DataFrame, column: str, title: str, names: Mapping[Any, str]
) -> pd.DataFrame:
    """Rows by model and the values of a column, in the order of their names.

    Args:
        rows: Rows with `Model`; those with other values are left out.
        column: The column.
        title: The new column, with the names.
        names: By value.
    """
    kept = rows[rows[column].isin([*names])]
    models = kept.groupby("Model", sort=False).ngroup().to_numpy()
    order = np.lexsort([kept[column].map([*names].index).to_numpy(float), models])
    return kept.assign(**{title: kept[column].map(names)}).iloc[order]


def each_sample(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each sample and epoch of a model."""
    return rows.drop_duplicates(["model", "sample", "epoch"])


def with_value(rows: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """The rows with values in some columns; none where one of these is missing."""
    known = rows.reindex(columns=[*dict.fromkeys([*rows, *columns])])
    return known.dropna(subset=[*columns])


def joined(parts: Iterable[pd.DataFrame], otherwise: pd.DataFrame) -> pd.DataFrame:
    """Frames below each other; none of the other one's rows where there is none."""
    found = list(parts)
    return pd.concat(found, ignore_index=True) if found else otherwise.head(0)


# Conditions on the same samples, for figures and risk-coverage curves.


def shared(rows: pd.DataFrame, by: str = "Condition") -> pd.DataFrame:
    """Restrict each model's conditions to the samples on which all are scored.

    A condition that would leave less than half of the samples of the largest is left
    out.

    Args:
        rows: As from `answers_of`, at most one per `by`, sample and epoch.
        by: What is compared.

    Returns:
        The rows, with the names that were left out of a model as `left_out`.
    """
    return joined(
        (_shared(of, by) for _, of in rows.groupby("Model", sort=False)), rows
    )


def _shared(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    scored = rows[rows["strict"].notna()]
    keys = scored["sample"] + " " + scored["epoch"].astype(str)
    sets = {name: {*of} for name, of in keys.groupby(scored[by], sort=False)}
    sizes = [*map(len, sets.values())]
    common: set[str] = set()
    kept: list[object] = []
    for name in sorted(sets, key=lambda name: -len(sets[name])):
        both = sets[name] & common if kept else sets[name]
        if both and len(both) >= max(sizes) / 2:
            common = both
            kept.append(name)
    of_all = scored[keys.isin([*common]) & scored[by].isin(kept)]
    left_out = [str(name) for name in rows[by].unique() if name not in kept]
    return of_all.assign(left_out="; ".join(left_out))


def samples_in(rows: pd.DataFrame) -> str:
    """How many samples each half has: "300 standard and 300 perturbed samples"."""
    counts = rows.drop_duplicates(["sample", "epoch"])["half"].value_counts()
    parts = [f"{counts[half]} {half}" for half in HALVES if half in counts]
    return f"{' and '.join(parts)} samples"


def on_samples(more: str = "") -> Callable[[pd.DataFrame], str]:
    """The note of a figure of rows from `shared`."""

    def note(rows: pd.DataFrame) -> str:
        hollow, of_paper = "Hollow" in more, rows["model"].iloc[0] in MODELS
        left_out = rows["left_out"].iloc[0]
        out = f" (left out, with too few of these: {left_out})" if left_out else ""
        return (
            f"On the {samples_in(rows)} that every condition shown has a readable "
            f"answer to{out}, with 95 % intervals clustered by question. "
            f"{'' if hollow and not of_paper else more}"
        ).strip()

    return note


# Figures, and what to run where there is nothing to draw.

COMMAND = "inspect eval inspect_debate/srdcr"
SRDCR_RUN = "-T protocol=srdcr --model M"
RECALL_RUN = "-T protocol=srdcr -T recall_samples=32 --model M"
BOTH_RUN = "-T protocol=srdcr -T confidence_from=both -T recall_samples=32 --model M"
JUDGE_RUN = "-T protocol=judge_debate --model M"


def needs(what: str, *runs: str) -> str:
    """What a figure that is left out needs, and the runs that have it."""
    return f"{what}:\n\n{listed(f'`{COMMAND} {run}`' for run in runs)}"


LIMITS = (-0.02, 1.02)
SEVERITY_AXIS = "severity (below: years by which dates are shifted)"
SEVERITY_PLACES = {
    n: f"{n}\n{years}" for n, years in zip(SEVERITIES, OFFSETS, strict=True)
}

lines = partial(Plot[Data], kind="lines", limits=LIMITS)
"""Shares over a number, with an axis from 0 to 100 %."""


def sizes(rows: pd.DataFrame, panel: str) -> str:
    """How many samples each panel has."""
    found = rows.groupby(panel, sort=False)
    return "; ".join(f"{samples_in(of)} ({name})" for name, of in found)
