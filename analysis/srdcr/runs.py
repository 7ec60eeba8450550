"""Which runs a report is about, on what data, and which are missing."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from inspect_debate.analysis import provenance
from inspect_debate.analysis.arms import Arms
from inspect_debate.analysis.logs import Log
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.srdcr.conditions import titles_of
from inspect_debate.analysis.srdcr.study import (
    DOMAINS,
    PROTOCOLS,
    SEVERITIES,
)

COMMAND = "inspect eval inspect_debate/srdcr"

_REUSING = (
    *("acvd_only", "confidence_only", "few_shot", "golden"),
    *("token_prob", "calibrated_token_prob"),
)
"""Protocols of which a run of `srdcr` holds the result as well."""


def absent_protocols(items: pd.DataFrame) -> list[str]:
    """The commands of the study's protocols whose results these logs do not have.

    Args:
        items: As from `items_of`.
    """
    here = set(items["protocol"])
    held = set(_REUSING) if here & {"srdcr", "acvd_only"} else set()
    return [
        f"{COMMAND} -T protocol={protocol} --model M"
        for protocol in ("srdcr", *PROTOCOLS)
        if protocol not in here | held | set(_REUSING)
    ]


def run_table(logs: Sequence[Log], grouped: Arms) -> Table:
    """Logs, models, versions, prompts and seeds."""
    return provenance.run_table(
        logs,
        grouped,
        titles=titles_of(grouped),
        protocols=PROTOCOLS,
        called="Protocol",
        models=("Model", "model"),
    )


def data_table(logs: Sequence[Log]) -> Table:
    """Where the samples come from, and how they were chosen."""
    rows = []
    for named, data in provenance.by_data(logs):
        balance = data.get("balance") or {}
        rows.append(
            {
                "Logs": named,
                "Source": data.get("source"),
                "Revision": _revision(data),
                "Questions asked for": balance.get("asked"),
                "Questions": balance.get("questions"),
                "Replaced": balance.get("replaced"),
                "Moved": balance.get("moved"),
                "Left out of the data": _counts(data.get("left_out")),
                "Fewer than published": _counts(data.get("missing")),
            }
        )
    return Table(
        name="data",
        title="Data",
        frame=pd.DataFrame(rows),
        note="Revision: the first digits of the commit of published data, or of a "
        "file's sha256. Replaced: questions passed over, as they do not have the "
        "severity that was needed; moved: questions at another severity than planned.",
    )


def balance_table(logs: Sequence[Log]) -> Table | None:
    """The perturbed samples by domain and severity, as the logs tell.

    Returns:
        The table; None where they do not tell.
    """
    rows = [
        {
            "Logs": named,
            "Domain": title,
            **{f"Severity {n}": of.get(str(n), 0) for n in SEVERITIES},
            "All": sum(of.values()),
        }
        for named, data in provenance.by_data(logs)
        for domain, title in DOMAINS.items()
        if (of := (data.get("balance") or {}).get("domain_severity", {}).get(domain))
    ]
    if not rows:
        return None
    return Table(
        name="balance",
        title="Perturbed samples as they were drawn",
        frame=pd.DataFrame(rows),
        groups="Logs",
        note="Before limits of a run; each question has a standard sample, too.",
    )


def _revision(data: Mapping[str, Any]) -> str | None:
    told = data.get("revision") or data.get("sha256")
    return None if told is None else str(told)[:12]


def _counts(found: Any) -> int | None:
    """The sum of all counts in a nested mapping of them; None without any."""
    if isinstance(found, Mapping):
        return sum(_counts(inner) or 0 for inner in found.values())
    return found if isinstance(found, int) else None
