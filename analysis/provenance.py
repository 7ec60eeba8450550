"""Where the numbers of a report come from: its runs, and their data."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Table


def run_table(
    logs: Sequence[Log],
    grouped: Arms,
    *,
    titles: Mapping[str, str],
    protocols: Mapping[str, str],
    called: str,
    models: tuple[str, str],
) -> Table:
    """Logs, models, versions, prompts and seeds.

    Args:
        logs: The logs.
        grouped: Their rows by arm.
        titles: What arms are called.
        protocols: What protocols are, of runs that no arm has.
        called: The heading of the column with these names.
        models: The heading of the column that says who took part, and which of the
            rows it is.
    """
    of_run = {row["run"]: row for row in grouped.runs.to_dict("records")}
    first = grouped.frame.drop_duplicates("run").set_index("run")
    rows = []
    for log in logs:
        if (run := of_run.get(log.header.eval.eval_id)) is None:
            continue
        name = titles.get(run["arm"], protocols[log.metadata["protocol"]])
        row = first.loc[run["run"]] if run["kept"] else {}
        told = {called: name, models[0]: row.get(models[1])}
        rows.append({"Log": log.path.name, **told, **_facts(log, run, row)})
    return Table(
        name="runs",
        title="Runs",
        frame=pd.DataFrame(rows),
        note="Prompts: the first digits of their hash; the texts are in the log. "
        "Parameters are in the commands above; others have the default of the task's "
        "version. Superseded: newer logs of the condition hold all of its samples.",
    )


def by_data(logs: Sequence[Log]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each provenance of data once, with the logs that have it in a few words."""
    found: dict[str, list[Log]] = {}
    for log in logs:
        told = json.dumps(log.metadata.get("data") or {}, sort_keys=True)
        found.setdefault(told, []).append(log)
    for told, of in found.items():
        others = f" and {len(of) - 1} others" if len(of) > 1 else ""
        named = "All" if len(found) == 1 else f"{of[0].path.name}{others}"
        yield named, json.loads(told)


def _facts(
    log: Log, run: Mapping[Any, Any], row: Mapping[Any, Any]
) -> dict[str, object]:
    spec, kept = log.header.eval, run["kept"]
    return {
        "Started": f"{spec.created:.16}",
        "Status": log.header.status if kept else "superseded",
        "Samples": kept,
        "Task version": str(log.metadata.get("version", "")),
        "Inspect": spec.packages.get("inspect_ai", ""),
        "Prompts": str(row.get("prompts", ""))[:8],
        "Seed": log.metadata.get("seed", 0),
        "Answers of": row.get("reuse"),
    }
