"""Whether to trust the runs: warnings, what was run, and what could not be read."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from inspect_debate.metrics import intervals
from inspect_debate.reports.report import Measured, Table

STAGES = ("answers", "speeches", "verdicts")
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
        *_unfinished(samples),
        *_losses(samples, outcome),
        *_items(samples),
        *samples.attrs.get("notes", []),
    ]


def _unfinished(samples: pd.DataFrame) -> Iterator[str]:
    files = samples.loc[samples["ended"] != "success", "file"].unique()
    if len(files):
        yield (
            f"Runs that did not finish, whose other samples are missing: "
            f"{', '.join(files)}. `inspect eval-retry` goes on with them."
        )


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
        frame.loc[:, ~frame.eq(0).all()],
        "No outcome: finished, but what decides could not be read, or is tied. Unread "
        "answers, speeches and verdicts are counted after the reminder, and again by "
        "reason. Listed first: share of verdicts for the answer that the judge read "
        "first, in percent; 50 if its place does not matter and is balanced. Counts "
        "that are 0 everywhere are left out.",
    )


def _run(rows: pd.DataFrame) -> dict[str, object]:
    first = rows.iloc[0]
    return {
        "Log": first["file"],
        "Condition": first["condition"],
        "Models": first["models"],
        **_ended(rows),
        "Tokens": int(rows["tokens"].sum()),
        "Cost (USD)": float(rows["cost"].sum(min_count=1)),
        "Minutes": float(first["duration"]) / 60,
        "Versions": first["versions"],
    }


def _ended(rows: pd.DataFrame) -> dict[str, int]:
    names = ("finished", "failed", "limit")
    return {name.capitalize(): int(rows["status"].eq(name).sum()) for name in names}


def _condition(rows: pd.DataFrame, outcome: str) -> dict[str, object]:
    done = rows[rows["status"] == "finished"]
    return {
        "Condition": rows["condition"].iloc[0],
        "Samples": len(rows),
        **_ended(rows),
        "No outcome": int(done[outcome].isna().sum()),
        **{f"Unread {s}": _total(done, f"process.{s}_lost") for s in STAGES},
        **{name: _total(done, f"process.{name}") for name in STATUSES},
        "Reminders": _total(done, "process.reminders"),
        "Listed first (%)": _listed_first(done),
    }


def share(rows: pd.DataFrame, part: str, whole: str) -> Measured:
    """A ratio of two counts per sample, in percent; clustered, where it is defined."""
    if not {part, whole} <= {*rows}:
        return Measured(np.nan)
    known = rows[rows[part].notna() & (rows[whole] > 0)]
    if known.empty:
        return Measured(np.nan)
    counts = np.stack([known[part], known[whole] - known[part]], axis=-1)
    found = intervals.estimate(
        lambda totals: totals[..., 0] / totals.sum(axis=-1), counts, known["cluster"]
    )
    return Measured.percent(found.value, found.low, found.high)


def _listed_first(rows: pd.DataFrame) -> Measured:
    """The share of readable verdicts for the answer that the judge read first."""
    counts = rows.reindex(columns=["process.verdicts", "process.verdicts_lost"])
    rows = rows.assign(read=counts.iloc[:, 0] - counts.iloc[:, 1])
    return share(rows, "process.first_listed", "read")


def _total(rows: pd.DataFrame, column: str) -> int:
    return int(rows[column].sum()) if column in rows else 0


# Warnings.


def _models(samples: pd.DataFrame) -> Iterator[str]:
    runs = samples.drop_duplicates("log")
    spoke = runs[["debater_a", "debater_b", "judge"]].to_numpy().ravel()
    each = {one for models in spoke for one in str(models).split(", ")}
    simulated = sorted(one for one in each if one.startswith("simulated/"))
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
    hashes = pd.DataFrame([*runs["prompts"]]).nunique()
    differ = hashes.index[hashes > 1]
    if len(differ):
        yield f"Logs differ in the text of their prompts: {_listed(differ)}."


def _losses(samples: pd.DataFrame, outcome: str) -> Iterator[str]:
    lost, unread = [], []
    for name, rows in samples.groupby("condition", sort=False):
        done = rows[rows["status"] == "finished"]
        if len(done) < len(rows):
            lost.append(f"{len(rows) - len(done)} of {len(rows)} in {name}")
        if (part := done[outcome].isna().mean()) > _UNREAD_LIMIT:
            unread.append(f"{part:.0%} in {name}")
    if lost:
        why = samples.loc[samples["status"] != "finished", "stopped_by"].mode()[0]
        reason = f" Most often: {why[:80]}." if why else ""
        yield f"Some samples did not finish: {_listed(lost)}.{reason}"
    if unread:
        yield f"Many finished samples have no outcome: {_listed(unread)}."


def _items(samples: pd.DataFrame) -> Iterator[str]:
    done = samples[samples["status"] == "finished"]
    conditions = [rows for _, rows in done.groupby("condition", sort=False)]
    fewest = min(rows["cluster"].nunique() for rows in conditions)
    if fewest < _FEW:
        yield (
            f"Few items ({fewest} in the smallest condition): intervals are wide, and "
            "a difference that is not significant may still be large."
        )
    items = [{*zip(rows["id"], rows["epoch"], strict=True)} for rows in conditions]
    shared = set.intersection(*items)
    if any(of_one != shared for of_one in items):
        yield (
            f"Conditions are not on the same samples: {len(shared)} are in all of "
            "them. Only paired differences compare like with like."
        )


def _listed(names: Iterable[str]) -> str:
    unique = list(dict.fromkeys(map(str, names)))
    more = f" and {len(unique) - 3} more" if len(unique) > 3 else ""
    return ", ".join(unique[:3]) + more
