"""Which runs a report is about, and what their calls say."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from inspect_debate.analysis.calls import Calls
from inspect_debate.analysis.colmad.arms import Arm
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Table


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
