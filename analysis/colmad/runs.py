"""Which runs a report is about: how to repeat them, and what the calls say."""

import json
import math
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.analysis.colmad.arms import Arm, short
from inspect_debate.analysis.debates import read_samples
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Notice, Table
from inspect_debate.core.errors import InputError

_LOGS = ("reuse", "match")


class Calls(NamedTuple):
    """What the turns of all runs say.

    `served` counts turns by model asked for and model served; `prices` has the cost of
    a run in US dollars, NaN where a price is unknown; `unread` names logs whose records
    could not be read.
    """

    served: Mapping[tuple[str, str], int]
    prices: Mapping[str, float]
    unread: Sequence[str]


def read_calls(logs: Sequence[Log]) -> Calls:
    """Go through the records of all logs once, log by log."""
    served: Counter[tuple[str, str]] = Counter()
    prices: dict[str, float] = {}
    unread = []
    for log in logs:
        try:
            records = [h.record for h in read_samples(log) if h.record is not None]
        except InputError as error:
            unread.append(error.message)
            continue
        turns = [turn for record in records for turn in record.turns]
        served.update((turn.model, turn.served) for turn in turns)
        costs = [turn.usage.total_cost for turn in turns if not turn.reused]
        prices[log.header.eval.eval_id] = sum(
            math.nan if cost is None else cost for cost in costs
        )
    return Calls(served, prices, unread)


def prices_by_arm(arms: Sequence[Arm], calls: Calls) -> dict[str, float]:
    """Cost per sample in US dollars by arm; NaN where a price is unknown."""
    return {
        arm.name: sum(
            calls.prices.get(str(run), math.nan) for run in arm.samples["run"].unique()
        )
        / len(arm.samples)
        for arm in arms
    }


def served_table(calls: Calls) -> Table:
    """Models asked for and served."""
    rows = [
        {"Asked for": asked, "Served": served, "Turns": turns}
        for (asked, served), turns in sorted(calls.served.items())
    ]
    return Table("served", "Models asked for and served", pd.DataFrame(rows))


def call_notices(calls: Calls) -> Iterator[Notice]:
    """Models of several names, and records that could not be read."""
    by_model: dict[str, list[str]] = {}
    for asked, served in sorted(calls.served):
        by_model.setdefault(asked, []).append(served)
    for asked, names in by_model.items():
        if len(names) > 1 or not _alike(asked, names[0]):
            yield Notice(f"{asked} was asked for and served as {', '.join(names)}.")
    for message in calls.unread:
        yield Notice(f"The turns could not be looked at: {message}")


def run_table(logs: Sequence[Log], arms: Sequence[Arm], runs: pd.DataFrame) -> Table:
    """Logs, versions, models and settings.

    Args:
        logs: The logs.
        arms: The arms.
        runs: What each run has in an arm, as from `analysis.arms`.
    """
    of_label = {arm.label: arm for arm in arms}
    of_run = {row["run"]: row for row in runs.to_dict("records")}
    found = [(log, of_run.get(log.header.eval.eval_id)) for log in logs]
    rows = [
        _run(log, of_label[run["arm"]], run["kept"])
        for log, run in found
        if run is not None  # it has no sample at all
    ]
    return Table(
        name="runs",
        title="Runs",
        frame=pd.DataFrame(rows),
        note="Prompts: the first digits of their hash; the texts are in the log. "
        "Parameters are in the commands above; others have the default of the task's "
        "version. Superseded: newer logs of the arm hold all of its samples.",
    )


def commands(logs: Sequence[Log]) -> list[str]:
    """The commands that repeat the runs, oldest first, each once."""
    return list(dict.fromkeys(_command(log) for log in logs))


def _run(log: Log, arm: Arm, kept: int) -> dict[str, Any]:
    spec = log.header.eval
    first = arm.samples.iloc[0]
    return {
        "Log": log.path.name,
        "Arm": arm.name,
        "Started": f"{spec.created:.16}",
        "Status": log.header.status if kept else "superseded",
        "Samples": kept,
        "Task version": first["task_version"],
        "Inspect": spec.packages.get("inspect_ai", ""),
        "Prompts": str(first["prompts"])[:8],
        "Data": (log.metadata.get("data") or {}).get("source"),
        "Seed": first["seed"],
    }


def _task(log: Log) -> str:
    """The registered task, or that of a file which makes it with other parameters."""
    spec, registered = log.header.eval, str(log.metadata.get("task"))
    if spec.task_file is None or Path(spec.task).name == Path(registered).name:
        return registered
    return f"{spec.task_file}@{spec.task}"


def _given(log: Log) -> dict[str, Any]:
    """The task's parameters; other logs by name, wherever they were."""
    given = log.header.eval.task_args_passed or {}
    return {
        name: Path(value).name if name in _LOGS and value else value
        for name, value in given.items()
    }


def _command(log: Log) -> str:
    spec = log.header.eval
    words = ["inspect", "eval", _task(log)]
    for name, value in _given(log).items():
        words += ["-T", f"{name}={_text(value)}"]
    if spec.model and not spec.model.startswith("none"):
        words += ["--model", spec.model]
    for name, value in spec.model_args.items():
        words += ["-M", f"{name}={_text(value)}"]
    for role, models in log.roles.items():
        words += ["--model-role", f"{role}={','.join(map(_bound, models))}"]
    for name, value in _settings(log.settings).items():
        words += [f"--{name.replace('_', '-')}", _text(value)]
    for name, setting in (("epochs", spec.config.epochs), ("limit", spec.config.limit)):
        if setting not in (None, 1):
            words += [f"--{name}", _text(setting)]
    return shlex.join(words)


def _bound(model: ModelConfig) -> str:
    """A role's model as it is typed, with its settings where it has any."""
    own = _settings(model.config) | model.args
    return json.dumps({"model": model.model, **own}) if own else model.model


def _settings(config: GenerateConfig) -> dict[str, Any]:
    return config.model_dump(exclude_none=True, mode="json")


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _alike(asked: str, served: str) -> bool:
    """Whether a provider's name is the model's, but for a date or version after it."""
    return served.rpartition("/")[2].startswith(short(asked))
