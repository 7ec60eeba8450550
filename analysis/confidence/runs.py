"""Which runs a report is about, how to repeat them, and which are missing."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.commands import commands
from inspect_debate.analysis.confidence.study import PROTOCOLS, protocol_of, title
from inspect_debate.analysis.confidence.transcripts import is_rebuilt
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Table

COMMAND = "inspect eval inspect_debate/confidence"
POOL = "--model none --model-role debater_a=M1,M2,M3"

JUDGED = (
    f"{COMMAND} -T reuse=LOG -T jury_passes=2 --model none --model-role judge=J1,J2"
)
"""What has debates judged that were held before."""

GRADED = (
    "inspect score LOG --scorer inspect_debate/bet_alignment --action append "
    "--model-role grader=G"
)
"""What has bets compared with the reasoning before them."""


def repeating(logs: Sequence[Log]) -> list[str]:
    """The commands that make the logs again, oldest first, each once."""
    imports = [
        f"inspect-debate import llms-overconfidence {_folder(log)} --out LOGDIR"
        for log in logs
        if is_rebuilt(log)
    ]
    ran = commands([log for log in logs if not is_rebuilt(log)])
    return list(dict.fromkeys([*imports, *ran]))


def absent_conditions(bets: pd.DataFrame) -> list[str]:
    """The commands of the study's conditions that these logs do not have."""
    here = set(bets["condition"].map(protocol_of))
    return [
        f"{COMMAND} -T protocol={protocol} {POOL}"
        for protocol in PROTOCOLS
        if protocol not in here
    ]


def run_table(logs: Sequence[Log], grouped: Arms) -> Table:
    """Logs, versions, prompts, data and seeds."""
    of_run = {row["run"]: row for row in grouped.runs.to_dict("records")}
    first = grouped.frame.drop_duplicates("arm").set_index("arm")
    rows = [
        _run(log, run, first.loc[run["arm"]])
        for log in logs
        if (run := of_run.get(log.header.eval.eval_id)) is not None
    ]
    return Table(
        name="runs",
        title="Runs",
        frame=pd.DataFrame(rows),
        note="Prompts: the first digits of their hash; the texts are in the log. "
        "Superseded: newer logs of the condition hold all of its debates.",
    )


def _folder(log: Log) -> str:
    return str(log.metadata["data"].get("folder", "DIR"))


def _run(log: Log, run: dict[Any, Any], first: "pd.Series[Any]") -> dict[str, Any]:
    spec = log.header.eval
    return {
        "Log": log.path.name,
        "Condition": title(run["arm"]),
        "Started": f"{spec.created:.16}",
        "Status": log.header.status if run["kept"] else "superseded",
        "Debates": run["kept"],
        "Task version": first["task_version"],
        "Inspect": spec.packages.get("inspect_ai", ""),
        "Prompts": str(first["prompts"])[:8],
        "Data": (log.metadata.get("data") or {}).get("source"),
        "Seed": spec.metadata.get("seed", 0) if spec.metadata else 0,
    }
