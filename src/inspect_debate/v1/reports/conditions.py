"""The conditions of a comparison: one protocol, the same models, one setting."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.v1.debate.participants import ROLES

_SETTING = ("task", "task_version", "study", "seed", "prompts", "named")
# Where earlier stages and budgets came from.
_ORIGINS = ("reuse_until", "matched")


class Grouped(NamedTuple):
    """Rows by condition.

    `frame` has a row per condition, sample and epoch, with the condition's label in the
    column `condition`; `overview` a row per condition, in the order of the first log of
    each: `condition`, `protocol`, the models, `parameters`, `logs`, and the counts
    `samples`, `scored` and `failed` (with an error or a limit). `runs` has a row per
    run, of which there may be no rows left: `run`, `log`, `condition`, and the counts
    `kept` and `replaced` by newer logs.
    """

    frame: pd.DataFrame
    overview: pd.DataFrame
    runs: pd.DataFrame

    def notices(self, names: Mapping[str, str] = MappingProxyType({})) -> list[str]:
        """Sentences for the reader: what newer logs replaced, and what failed.

        Args:
            names: What to call conditions, by label; those without go by their label.
        """
        return [
            *(
                _replaced(names.get(str(condition), str(condition)), runs)
                for condition, runs in self.runs.groupby("condition", sort=False)
                if runs["replaced"].any()
            ),
            *(
                f"{names.get(row['condition'], row['condition'])}: {row['failed']} of "
                f"{row['samples']} samples ended with an error or a limit."
                for _, row in self.overview.iterrows()
                if row["failed"]
            ),
        ]


def _replaced(condition: str, runs: pd.DataFrame) -> str:
    said = (
        f"{condition}: {runs['replaced'].sum()} rows of older logs are left out, "
        "because newer ones hold the same samples and epochs"
    )
    gone = runs.loc[runs["kept"] == 0, "log"]
    return f"{said}; nothing remains of {', '.join(gone)}." if len(gone) else f"{said}."


def group_conditions(frame: pd.DataFrame) -> Grouped:
    """Group rows by what makes a condition.

    A condition is a protocol with its models, their settings, its parameters, prompts
    and seed, in one version of its task; whose answers or debates it used again does
    not matter. Its label is the protocol and what differs among the conditions of that
    protocol, such as `colmad rounds=0`; or the name that imported debates bring with
    them. Logs of one condition are put together; where
    several have the same sample and epoch the newest log's row counts, whether or not
    it failed there, and a notice says so.

    Args:
        frame: Rows as from `scores_of`.
    """
    runs = frame.drop_duplicates("run").set_index("run")
    settings = {str(run): _settings(row) for run, row in runs.iterrows()}
    keys = {run: json.dumps(s, sort_keys=True) for run, s in settings.items()}
    distinct = {keys[run]: s for run, s in settings.items()}
    labels = {key: _label(s, distinct.values()) for key, s in distinct.items()}
    labelled = frame.reset_index(drop=True).assign(
        condition=frame["run"].map(keys).map(labels).to_numpy()
    )

    newest_last = labelled.sort_values("created", kind="stable")
    older = newest_last.duplicated(
        ["condition", "id", "epoch"], keep="last"
    ).sort_index()
    runs = (
        labelled.assign(kept=~older, replaced=older)
        .groupby(["run", "log", "condition"], sort=False)[["kept", "replaced"]]
        .sum()
        .reset_index()
    )
    kept = labelled[~older].reset_index(drop=True)
    return Grouped(kept, _overview(kept), runs)


def _settings(run: "pd.Series[Any]") -> dict[str, Any]:
    """All that can tell one condition from another, by name."""
    named = {name: run.get(name) for name in ("protocol", *ROLES, *_SETTING)}
    known = {name: None if pd.isna(value) else value for name, value in named.items()}
    known["seed"] = int(known["seed"] or 0)
    parameters = {k: v for k, v in run["parameters"].items() if k not in _ORIGINS}
    given = dict(flat(parameters)) | dict(flat({"model": run["settings"]}))
    settings = {name: str(value) for name, value in known.items() if value is not None}
    return settings | {name: text(value) for name, value in given.items()}


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested values by names such as `answer.temperature`."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def text(value: object) -> str:
    """A parameter's value as a user types it."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def label(
    settings: Mapping[str, str], others: Iterable[Mapping[str, str]], by: str
) -> str:
    """What to call one of several, such as `colmad rounds=0`.

    Args:
        settings: Its settings by name.
        others: Those of all, its own among them.
        by: The setting that comes first; those follow in which the ones differ that are
            the same in this. One that it does not have is at its default.
    """
    alike = [other for other in others if other[by] == settings[by]]
    names = dict.fromkeys(name for other in alike for name in other)
    differing = [
        f"{name}={settings[name]}"
        for name in names
        if name in settings and len({other.get(name) for other in alike}) > 1
    ]
    return " ".join([settings[by], *differing])


def _label(settings: Mapping[str, str], every: Iterable[Mapping[str, str]]) -> str:
    """A condition by its name, with what tells it from others of that name.

    Judges of the same imported debates have their name, and others' protocols nothing
    to do with it.
    """
    if "named" not in settings:
        return label(settings, [s for s in every if "named" not in s], "protocol")
    same = [s for s in every if s.get("named") == settings["named"]]
    by_judge = [{k: s[k] for k in ("named", "judge") if k in s} for s in same]
    own = {k: settings[k] for k in ("named", "judge") if k in settings}
    if by_judge.count(own) == 1:
        return label(own, by_judge, "named")
    return label(settings, same, "named")


def _overview(kept: pd.DataFrame) -> pd.DataFrame:
    failed = kept["error"].notna() | kept["limit"].notna()
    grouped = kept.assign(failed=failed).groupby("condition", sort=False)
    first = grouped[["protocol", *ROLES, "parameters"]].first()
    counts = grouped.agg(
        logs=("run", "nunique"),
        samples=("id", "size"),
        scored=("scored", "sum"),
        failed=("failed", "sum"),
    )
    return first.join(counts).reset_index()


# What a report's pages on trust are about, condition by condition.

CONDITION = "Condition"
"""The column with the names of conditions in the tables that all reports have."""


@dataclass(frozen=True)
class ConditionSamples:
    """The samples of one condition.

    Attributes:
        named: The first cells of its rows: what it belongs to (models, or data), where
            conditions are told apart by that, then under `CONDITION` its title.
        samples: A row per sample and epoch, with `id`, `epoch`, `run`, `error`,
            `limit`, `scored`, counts `<stage>_<status>` of what was asked for, and
            where verdicts have an order what `order_table` reads.
        item: The column that tells what was asked; several samples may ask the same.
        unknown: On how many of the scored samples there is no outcome; None where a
            study has no one outcome.
        told: Further numbers for the table of samples.
        debaters: The debaters' models, each seat's, where there is a judge.
        judges: The judges' models.
    """

    named: Mapping[str, str]
    samples: pd.DataFrame
    item: str = "id"
    unknown: int | None = None
    told: Mapping[str, object] = field(default_factory=dict)
    debaters: Sequence[str] = ()
    judges: Sequence[str] = ()

    @property
    def name(self) -> str:
        """What sentences call it: "Dual debate (A > B)"."""
        condition = self.named[CONDITION]
        others = [name for column, name in self.named.items() if column != CONDITION]
        return f"{condition} ({', '.join(others)})" if others else condition

    @property
    def group(self) -> str | None:
        """The column by which its rows are grouped; None without one."""
        return next((column for column in self.named if column != CONDITION), None)

    @property
    def scored(self) -> pd.DataFrame:
        """The samples that were scored."""
        return self.samples[self.samples["scored"].eq(True)]


def group_of(parts: Sequence[ConditionSamples]) -> str | None:
    """The column by which the rows of parts are grouped; None without one."""
    return parts[0].group if parts else None
