"""Which runs a report is about, and on what data."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from inspect_debate.analysis import provenance
from inspect_debate.analysis.arms import Arms, text
from inspect_debate.analysis.known import known_columns
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.questions.frames import ARM, DATA, names_of, rows_of
from inspect_debate.analysis.questions.study import KINDS
from inspect_debate.analysis.reporting.elements import Table

_ROLES = {"debater_a": "Debater A", "debater_b": "Debater B", "judge": "Judge"}
_SHAPE = ("passage", "sides", "rounds", "order", "turn_order", "skip_if_agree")
_SEVERAL = 60
"""Characters of a value in the table of data that a reader still takes in."""


def arms_table(frame: pd.DataFrame) -> Table:
    """What was run: the protocol of every arm, its models, and how it was set.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    rows = []
    for (data, title), of_arm in rows_of(frame).items():
        first = of_arm.iloc[0]
        models = {title: first[role] for role, title in _ROLES.items()}
        shape = {_in_words(name): _given(first, name) for name in _SHAPE}
        kind = KINDS[first["kind"]]
        rows.append({DATA: data, ARM: title, "Kind": kind, **models, **shape})
    table = Table(
        name="arms",
        title="What was run",
        frame=pd.DataFrame(rows),
        groups=DATA,
        note="An arm is called by its protocol and what tells it from the others of "
        "that protocol. All other parameters are in the commands under Provenance; "
        "those that are in none have the default of the task's version.",
    )
    return known_columns(table)


def run_table(logs: Sequence[Log], grouped: Arms) -> Table:
    """Logs, models, versions, prompts and seeds."""
    protocols = {str(log.metadata.get("protocol")) for log in logs}
    return provenance.run_table(
        logs,
        grouped,
        titles=names_of(grouped.frame),
        protocols={protocol: protocol for protocol in protocols},
        called=ARM,
        models=("Judge", "judge"),
    )


def data_table(logs: Sequence[Log]) -> Table:
    """Where the samples come from, as the logs tell."""
    rows = [
        {
            "Logs": named,
            **{_in_words(name): _short(told) for name, told in data.items()},
        }
        for named, data in provenance.by_data(logs)
    ]
    return Table("data", "Data", pd.DataFrame(rows))


def _given(first: "pd.Series[Any]", name: str) -> str | None:
    given = first["parameters"].get(name)
    return None if given is None else text(given)


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _short(told: object) -> str | None:
    """A value of a log's header as it stands in a cell."""
    if told is None:
        return None
    shown = text(told)
    return shown if len(shown) <= _SEVERAL else f"{shown[:_SEVERAL]}..."
