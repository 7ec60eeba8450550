"""Whether to trust the runs: warnings, what was run, and what could not be read."""

import math
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby

import pandas as pd
from inspect_ai.log import EvalConfig

from inspect_debate.metrics import intervals
from inspect_debate.reports import stats
from inspect_debate.reports.frames import finished
from inspect_debate.reports.report import Heading, Item, Table

_LOST = {f"Unread {one}": f"{one}_lost" for one in ("answers", "speeches", "verdicts")}
_WHY = ("unparsed", "refused", "truncated", "capped", "missing")
_COUNTS = _LOST | {w.capitalize(): w for w in _WHY} | {"Reminders": "reminders"}
"""Counts of the scorer `process`, by the names of their columns."""
_NOTES = {
    "No outcome": "No outcome: what decides could not be read, or is tied.",
    ", ".join(
        _LOST
    ): "Unread: what the reminder did not mend; further columns give the reason.",
    "Listed first (%)": "Listed first: share of verdicts for the answer that was read "
    "first; 50 if order has no effect and half of the right answers come first.",
}
"""What is explained of the samples, by the columns that have it."""
_UNREAD_LIMIT = 0.1
_FEW = 50


def warnings(samples: pd.DataFrame, outcome: str, alike: bool = True) -> list[str]:
    """What a reader has to know before the numbers, in sentences.

    Unless conditions are `alike`, nobody expects them to have the same samples.
    """
    return [
        *_models(samples),
        *_missing(samples),
        *_losses(samples, outcome),
        *_unread(samples),
        *_items(samples, alike),
        *samples.attrs.get("notes", []),
    ]


def _missing(samples: pd.DataFrame) -> Iterator[str]:
    """Runs that were stopped, and conditions of which no log has some of the data."""
    files = samples.loc[samples["ended"] != "success", "file"].unique()
    if len(files):
        yield (
            f"Runs that did not finish, whose other samples are missing: "
            f"{', '.join(files)}. `inspect eval-retry` goes on with them."
        )
    data = samples["data"].map(repr)
    found = []
    for (name, *_), rows in samples.groupby(["condition", "models", data], sort=False):
        runs = rows.drop_duplicates("log")["spec"]
        size, here = max(run.dataset.samples or 0 for run in runs), rows["id"].nunique()
        if here < size:
            places = _places([run.config for run in runs], size)
            found.append(f"{here} of {size} in {name}{places}")
    if found:
        yield f"The data set has more samples than these logs: {_listed(found)}."


def _places(configs: Iterable[EvalConfig], size: int) -> str:
    """Which places in the data set no run was to cover, as `--limit` takes them."""
    missing = {*range(size)}
    for config in configs:
        if config.sample_id or config.sample_shuffle:
            return ""
        limit = size if config.limit is None else config.limit
        missing -= {*range(*(limit if isinstance(limit, tuple) else (0, limit)))}
    # Neighbours have the same distance to their rank.
    ranked = groupby(enumerate(sorted(missing)), lambda one: one[1] - one[0])
    runs = [[place + 1 for _, place in group] for _, group in ranked]
    text = ", ".join(f"{run[0]}-{run[-1]}" for run in runs)
    return f" (without {text})" if text else ""


def section(samples: pd.DataFrame, outcome: str, *more: Item) -> Iterator[Item]:
    """The last section: runs, and samples by condition; arguments as in `warnings`."""
    yield Heading("Can these runs be trusted?")
    yield from more
    runs = [_run(rows) for _, rows in samples.groupby("log", sort=False)]
    yield Table(
        "runs",
        "The runs",
        pd.DataFrame(runs).astype({"Tokens": "Int64"}),
        "Limit: samples stopped by a limit on tokens, time or cost. Cost is known "
        "where Inspect knows a model's price.",
        digits=2,
    )
    by_condition = samples.groupby("condition", sort=False)
    frame = pd.DataFrame([_condition(rows, outcome) for _, rows in by_condition])
    values = stats.csv_frame(frame)[[*frame]]
    shown = frame.loc[:, ~(values.isna() | values.eq(0)).all()]
    notes = [note for words, note in _NOTES.items() if {*words.split(", ")} & {*shown}]
    notes.append("Counts that are 0 everywhere are left out.")
    yield Table("samples", "Samples by condition", shown, " ".join(notes))


def _run(rows: pd.DataFrame) -> dict[str, object]:
    first = rows.iloc[0]
    return {
        "Log": first["file"],
        "Condition": first["condition"],
        "Models": first["models"],
        **_ended(rows),
        "Tokens": _spent(rows, "tokens"),
        "Cost (USD)": _spent(rows, "cost"),
        "Minutes": float(first["duration"]) / 60,
        "Versions": first["versions"],
    }


def _spent(rows: pd.DataFrame, column: str) -> float:
    """What a run took; unknown if it is for one of its finished samples."""
    if rows.loc[rows["status"] == "finished", column].isna().any():
        return math.nan
    total = rows[column].sum()
    return int(total) if column == "tokens" else float(total)


def _ended(rows: pd.DataFrame) -> dict[str, int]:
    names = ("finished", "failed", "limit")
    return {name.capitalize(): int(rows["status"].eq(name).sum()) for name in names}


def _condition(rows: pd.DataFrame, outcome: str) -> dict[str, object]:
    columns = [*_COUNTS.values(), "verdicts", "first_listed"]
    done = finished(rows, {f"process.{name}": name for name in columns})
    done["read"] = done["verdicts"] - done["verdicts_lost"]
    return {
        "Condition": rows["condition"].iloc[0],
        "Samples": len(rows),
        **_ended(rows),
        "No outcome": int(done[outcome].isna().sum()),
        **{name: int(done[column].sum()) for name, column in _COUNTS.items()},
        "Listed first (%)": share(done, "first_listed", "read"),
    }


def share(rows: pd.DataFrame, part: str, whole: str) -> stats.Measured:
    """A ratio of two counts per sample, in percent; clustered, where it is defined."""
    counts = rows.reindex(columns=[part, whole]).astype(float)
    known = counts[part].notna() & (counts[whole] > 0)
    clusters = rows.loc[known, "cluster"]
    return stats.percent(intervals.estimate(intervals.ratio, counts[known], clusters))


def _conceded(rows: pd.DataFrame) -> stats.Measured:
    heard = rows["speeches"] - rows["speeches_lost"]
    return share(rows.assign(heard=heard), "concessions", "heard")


SPEECHES: stats.Measures = {
    "Words a speech": lambda of: of["words"].mean(),
    "Quotes verified": partial(share, part="quotes_verified", whole="quotes"),
    "Conceded": _conceded,
}
"""Of debates, from the values of the scorer `process`."""
SPEECHES_NOTE = (
    "Percent, but for words. Quotes verified: found in what is quoted. Conceded: "
    "speeches that end with another answer than the one defended."
)


# Warnings.


def _models(samples: pd.DataFrame) -> Iterator[str]:
    runs = samples.drop_duplicates("log")
    spoke = runs[["debater_a", "debater_b", "judge"]].to_numpy().ravel()
    each = {one for models in spoke for one in str(models).split(", ")}
    simulated = sorted(one for one in each if one.startswith("simulated/"))
    if simulated:
        yield (
            f"Simulated models ({', '.join(simulated)}) wrote these replies: the "
            "numbers only illustrate the report, and say nothing about real models."
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
        reason = f" Most often: {why[:80].rstrip('.')}." if why else ""
        yield f"Some samples did not finish: {_listed(lost)}.{reason}"
    if unread:
        yield f"Many finished samples have no outcome: {_listed(unread)}."


def _unread(samples: pd.DataFrame) -> Iterator[str]:
    """Why replies were lost in many samples, of speeches and answers, too."""
    done = finished(samples, {f"process.{why}": why for why in _WHY})
    found, advice = [], ""
    for name, rows in done.groupby("condition", sort=False):
        counts = rows[[*_WHY]].gt(0).sum()
        for why, number in counts[counts > _UNREAD_LIMIT * len(rows)].items():
            found.append(f"{why} in {number} of {len(rows)} in {name}")
            if why == "truncated":
                advice = " Give truncated ones more --max-tokens, or a longer context."
    if found:
        yield f"Samples with replies that were not read: {_listed(found)}.{advice}"


def _items(samples: pd.DataFrame, alike: bool) -> Iterator[str]:
    done = samples[samples["status"] == "finished"]
    conditions = [rows for _, rows in done.groupby("condition", sort=False)]
    fewest = min(rows["cluster"].nunique() for rows in conditions)
    if fewest < _FEW:
        yield (
            f"Only {fewest} independent items in one condition: intervals are rough, "
            "and a difference that is not significant may still be large."
        )
    items = [{*zip(rows["id"], rows["epoch"], strict=True)} for rows in conditions]
    shared = set.intersection(*items)
    if alike and any(of_one != shared for of_one in items):
        yield (
            f"Conditions are not on the same samples: {len(shared)} are in all of "
            "them. Only paired differences compare like with like."
        )


def _listed(names: Iterable[str]) -> str:
    unique = list(dict.fromkeys(map(str, names)))
    more = f" and {len(unique) - 3} more" if len(unique) > 3 else ""
    return ", ".join(unique[:3]) + more
