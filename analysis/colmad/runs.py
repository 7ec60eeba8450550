"""Which runs a report is about, and what their calls say."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.analysis.colmad.arms import Arm, short
from inspect_debate.analysis.debates import price, read_samples
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Notice, Table
from inspect_debate.core.errors import InputError


class Calls(NamedTuple):
    """What the turns of all runs say.

    `served` counts turns by model asked for and model served; `prices` has the cost of
    a sample by run, id and epoch in US dollars, NaN where a price is unknown; `unread`
    names logs whose records could not be read.
    """

    served: Mapping[tuple[str, str], int]
    prices: Mapping[tuple[str, str, int], float]
    unread: Sequence[str]


def read_calls(logs: Sequence[Log]) -> Calls:
    """Go through the records of all logs once, log by log."""
    served: Counter[tuple[str, str]] = Counter()
    prices: dict[tuple[str, str, int], float] = {}
    unread = []
    for log in logs:
        try:
            held = list(read_samples(log))
        except InputError as error:
            unread.append(error.message)
            continue
        for _, sample, record in held:
            turns = [] if record is None else record.turns
            served.update((turn.model, turn.served) for turn in turns)
            key = (log.header.eval.eval_id, str(sample.id), sample.epoch)
            prices[key] = price(turn for turn in turns if not turn.reused)
    return Calls(served, prices, unread)


def prices_by_arm(arms: Sequence[Arm], calls: Calls) -> dict[str, float]:
    """Mean cost of an arm's samples in US dollars; NaN where a price is unknown.

    Samples that newer logs replaced are not in it.
    """
    return {
        arm.name: sum(
            calls.prices.get((str(run), str(id), int(epoch)), math.nan)
            for run, id, epoch in arm.samples[["run", "id", "epoch"]].itertuples(
                index=False
            )
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


def _alike(asked: str, served: str) -> bool:
    """Whether a provider's name is the model's, but for a date or version after it."""
    return served.rpartition("/")[2].startswith(short(asked))
