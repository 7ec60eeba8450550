"""Whether to trust the runs: warnings, what was run, and what could not be read."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.reports.report import Measured, Table

STAGES = {
    "answers": "Answers",
    "speeches": "Speeches",
    "verdicts": "Verdicts",
}
STATUSES = ("unparsed", "refused", "truncated", "capped", "missing")
_UNREAD_LIMIT = 0.1
_FEW = 50


def warnings(samples: pd.DataFrame, outcome: str) -> list[str]:
    """What a reader has to know before the numbers, in sentences.

    Args:
        samples: From `frames.samples`.
        outcome: The column that is NaN where a sample has no outcome.
    """
    return [
        *_models(samples),
        *_losses(samples, outcome),
        *_items(samples),
        *samples.attrs.get("notes", []),
    ]


def tables(samples: pd.DataFrame, outcome: str) -> Iterator[Table]:
    """The tables of runs and of samples by condition; arguments as in `warnings`."""
    yield Table(
        "runs",
        "The runs",
        pd.DataFrame([_run(rows) for _, rows in samples.groupby("log", sort=False)]),
        "Limit: samples stopped by a limit on tokens, time or cost. Cost is known "
        "where Inspect knows a model's price.",
        digits=2,
    )
    by_condition = samples.groupby("condition", sort=False)
    frame = pd.DataFrame([_condition(rows, outcome) for _, rows in by_condition])
    yield Table(
        "samples",
        "Samples by condition",
        frame.loc[:, ~(frame.eq(0).all() & frame.columns.isin(_IF_ANY))],
        "No outcome: finished, but an answer or verdict could not be read. Unread "
        "answers, speeches and verdicts are counted after the reminder, and again by "
        "reason. Listed first: share of verdicts for the answer that the judge read "
        "first, in percent; 50 if its place does not matter and is balanced.",
    )


_IF_ANY = [
    *("Limit", "No outcome", "Reminders", *STATUSES),
    *(f"Unread {name.lower()}" for name in STAGES.values()),
]
"""Columns that are left out if they are 0 everywhere."""


def _run(rows: pd.DataFrame) -> dict[str, object]:
    first, status = rows.iloc[0], rows["status"].value_counts()
    return {
        "Log": first["file"],
        "Condition": first["condition"],
        "Models": first["models"],
        "Finished": int(status.get("finished", 0)),
        "Failed": int(status.get("failed", 0)),
        "Limit": int(status.get("limit", 0)),
        "Tokens": int(rows["tokens"].sum()),
        "Cost (USD)": float(rows["cost"].sum(min_count=1)),
        "Minutes": float(first["duration"]) / 60,
        "Versions": first["versions"],
    }


def _condition(rows: pd.DataFrame, outcome: str) -> dict[str, object]:
    status = rows["status"].value_counts()
    done = rows[rows["status"] == "finished"]
    lost = {
        f"Unread {name.lower()}": _total(done, f"process.{stage}_lost")
        for stage, name in STAGES.items()
    }
    return {
        "Condition": rows["condition"].iloc[0],
        "Samples": len(rows),
        "Finished": int(status.get("finished", 0)),
        "Failed": int(status.get("failed", 0)),
        "Limit": int(status.get("limit", 0)),
        "No outcome": int(done[outcome].isna().sum()),
        **lost,
        **{name: _total(done, f"process.{name}") for name in STATUSES},
        "Reminders": _total(done, "process.reminders"),
        "Listed first (%)": listed_first(done),
    }


def share(rows: pd.DataFrame, part: str, whole: str) -> Measured:
    """A ratio of two counts per sample, in percent; clustered, where it is defined."""
    if not {part, whole} <= {*rows}:
        return Measured(np.nan)
    known = rows.dropna(subset=[part, whole])
    known = known[known[whole] > 0]
    if known.empty:
        return Measured(np.nan)
    counts = np.stack([known[part], known[whole] - known[part]], axis=-1)
    found = intervals.estimate(
        lambda totals: totals[..., 0] / totals.sum(axis=-1), counts, known["cluster"]
    )
    return Measured.percent(found.value, found.low, found.high)


def listed_first(rows: pd.DataFrame) -> Measured:
    """The share of readable verdicts for the answer that the judge read first."""
    verdicts, lost = "process.verdicts", "process.verdicts_lost"
    if not {verdicts, lost} <= {*rows}:
        return Measured(np.nan)
    read = rows[verdicts] - rows[lost]
    return share(rows.assign(read=read), "process.first_listed", "read")


def _total(rows: pd.DataFrame, column: str) -> int:
    return int(rows[column].sum()) if column in rows else 0


# Warnings.


def _models(samples: pd.DataFrame) -> Iterator[str]:
    runs = samples.drop_duplicates("log")
    spoke = runs[["debater_a", "debater_b", "judge"]].to_numpy().ravel()
    simulated = sorted({m for m in spoke if str(m).startswith("simulated/")})
    if simulated:
        yield (
            f"Simulated models ({', '.join(simulated)}) wrote these replies: the "
            "numbers show how the report reads, and nothing about real models."
        )
    two = runs[runs["protocol"].isin(["colmad", "copmad", "ensemble", "som"])]
    same = two[two["debater_a"] == two["debater_b"]]
    same = same[~same["debater_a"].astype(str).str.startswith("simulated/")]
    if len(same):
        yield (
            f"One model plays both debaters in {_listed(same['condition'])}: they will "
            "hardly ever disagree."
        )
    hashes: dict[str, set[str]] = {}
    for prompts in runs["prompts"]:
        for key, digest in prompts.items():
            hashes.setdefault(key, set()).add(digest)
    differ = [key for key, digests in hashes.items() if len(digests) > 1]
    if differ:
        yield f"Logs differ in the text of their prompts: {_listed(differ)}."


def _losses(samples: pd.DataFrame, outcome: str) -> Iterator[str]:
    done = samples["status"] == "finished"
    lost = {
        name: f"{int(n)} of {len(done[of.index])} in {name}"
        for name, of in done.groupby(samples["condition"], sort=False)
        if (n := (~of).sum())
    }
    if lost:
        why = samples.loc[~done, "stopped_by"].mode()
        reason = f" Most often: {str(why.iloc[0])[:80]}." if any(why) else ""
        yield f"Some samples did not finish: {_listed([*lost.values()])}.{reason}"
    unread = (
        samples[done][outcome].isna().groupby(samples["condition"], sort=False).mean()
    )
    many = [f"{x:.0%} in {name}" for name, x in unread.items() if x > _UNREAD_LIMIT]
    if many:
        yield f"Many finished samples have no outcome: {_listed(many)}."


def _items(samples: pd.DataFrame) -> Iterator[str]:
    done = samples[samples["status"] == "finished"]
    grouped = done.groupby("condition", sort=False)
    few = {str(name): rows["cluster"].nunique() for name, rows in grouped}
    if 0 < min(few.values(), default=_FEW) < _FEW:
        yield (
            f"Few items ({min(few.values())} in the smallest condition): intervals are "
            "wide, and a difference that is not significant may still be large."
        )
    items = {
        name: {*zip(rows["id"], rows["epoch"], strict=True)} for name, rows in grouped
    }
    if any(one != other for one, other in combinations(items.values(), 2)):
        shared = len(set.intersection(*items.values()))
        yield (
            f"Conditions are not on the same samples: {shared} are in all of them. "
            "Only paired differences compare like with like."
        )


def _listed(names: "pd.Series[str] | list[str]") -> str:
    unique = list(dict.fromkeys(map(str, names)))
    more = f" and {len(unique) - 3} more" if len(unique) > 3 else ""
    return ", ".join(unique[:3]) + more
