"""Samples of all arms as a frame, from scores and records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.debate.models import ROLES
from inspect_debate.reports.arms import Arms, arms
from inspect_debate.reports.calls import Calls, read_with_calls
from inspect_debate.reports.judges.verdicts import verdict_frame, verdict_rows
from inspect_debate.reports.logs import Log
from inspect_debate.reports.samples import Held

DATA = "Data"
"""The column by which arms are told apart beside their names."""

_PASSAGE = "passage"
# Where a passage is hidden is what the arms without a word about it are.
_TOLD = ("shown", "unused")


def arms_of(
    scores: pd.DataFrame, facts: pd.DataFrame, data_sets: Mapping[str, str]
) -> Arms:
    """Group samples into arms, each on one data set.

    Args:
        scores: Rows as from `scores_df`.
        facts: As in `Records`.
        data_sets: By run the name of its data set.

    Returns:
        As from `arms`; `frame` has the scorers' values under their own names, the
        columns of `facts`, and of the arm its data set's name (`data_name`), its `kind`
        (a key of `KINDS`), its `title`, which tells it from the others on the data, and
        what its `debates` are called, whoever judges. Its rows stand arm by
        arm, in the order of data sets, kinds and titles.
    """
    known = scores.merge(facts, on=KEY, how="left", validate="one_to_one")
    parts = zip(known["parameters"], known["run"], strict=True)
    parameters = [{**given, "data": data_sets[run]} for given, run in parts]
    grouped = arms(
        known.assign(
            data_name=known["run"].map(data_sets),
            parameters=pd.Series(parameters, known.index, dtype=object),
        )
    )
    frame = _bare_names(grouped.frame)
    kinds = {arm: _kind(rows) for arm, rows in frame.groupby("arm")}
    overview = grouped.arms
    frame = frame.assign(
        kind=frame["arm"].map(kinds),
        title=frame["arm"].map(_titles(overview)),
        debates=frame["arm"].map(_titles(overview, judge=False)),
    )
    place = frame["kind"].map(list(KINDS).index)
    ordered = frame.assign(place=place).sort_values(
        ["data_name", "place", "title", "id", "epoch"], kind="stable"
    )
    return grouped._replace(frame=ordered.drop(columns="place").reset_index(drop=True))


def rows_of(frame: pd.DataFrame) -> Mapping[tuple[str, str], pd.DataFrame]:
    """The rows of each arm by data set and title, in the frame's order."""
    return {
        (str(data), str(title)): rows
        for (data, title), rows in frame.groupby(["data_name", "title"], sort=False)
    }


def names_of(frame: pd.DataFrame, name: str = "title") -> dict[str, str]:
    """What readers call arms, by label: with their data set where there are several.

    Args:
        frame: As in `arms_of`.
        name: `title`, or `debates`.
    """
    first = frame.drop_duplicates("arm")
    several = first["data_name"].nunique() > 1
    return {
        row["arm"]: f"{row[name]} ({row['data_name']})" if several else row[name]
        for row in first.to_dict("records")
    }


def value(rows: pd.DataFrame, name: str) -> "pd.Series[float]":
    """A score's values; missing ones where the runs do not have it."""
    if name in rows:
        return rows[name].astype(float)
    return pd.Series(float("nan"), index=rows.index)


def _bare_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Scores under their own names, those of the first scorer that has one."""
    names: dict[str, str] = {}
    for scorer in SCORERS:
        for column in map(str, frame.columns):
            bare = column.removeprefix(f"{scorer}.")
            if bare != column and bare not in names.values():
                names[column] = bare
    kept = [c for c in frame if "." not in str(c) or c in names or _is_source(c)]
    return frame[kept].rename(columns=names)


def _is_source(column: object) -> bool:
    return str(column).startswith(FROM)


def _kind(rows: pd.DataFrame) -> str:
    speakers, judged = rows["speakers"].max(), rows["judges"].max() > 0
    if speakers >= 1 and not judged:
        return "speeches"
    if speakers >= 1:
        return "debate" if speakers > 1 else "consultancy"
    return "judge" if judged else "answers"


def _titles(overview: pd.DataFrame, *, judge: bool = True) -> dict[str, str]:
    """Labels without the data set and providers; a passage that is shown is told.

    Args:
        overview: `Arms.arms`.
        judge: Whether the judge is told where arms differ in it.
    """
    rows = overview.to_dict("records")
    differ = len({row["parameters"].get(_PASSAGE) for row in rows}) > 1
    short = _short_names(overview)
    titles = {}
    for row in rows:
        title = row["arm"].replace(f" data={row['parameters']['data']}", "")
        if not judge:
            title = title.replace(f" judge={row['judge']}", "")
        for model, name in short.items():
            title = title.replace(model, name)
        passage = row["parameters"].get(_PASSAGE)
        told = f" {_PASSAGE}={passage}"
        shown = differ and passage in _TOLD and told not in title
        titles[row["arm"]] = f"{title}{told}" if shown else title
    return titles


def _short_names(overview: pd.DataFrame) -> dict[str, str]:
    """Models without their providers, where no two would be called the same."""
    joined = pd.concat([overview[role] for role in ROLES]).dropna()
    models = sorted({model for names in joined for model in str(names).split(", ")})
    short = {model: model.rpartition("/")[2] for model in models}
    used = list(short.values())
    return {model: name for model, name in short.items() if used.count(name) == 1}


# What only the records tell, from going through each log once.

KEY = ["run", "id", "epoch"]
"""What identifies a sample of a run."""

FROM = "quoted_from_"
"""What precedes a source's name in the columns that count quotes found in it."""


class Records(NamedTuple):
    """What the records tell.

    Attributes:
        calls: Models asked for and served, and prices.
        verdicts: As from `verdicts_df`.
        facts: A row per sample with a record: `KEY`, the number of `speakers` and
            `judges`, and how many quotes were found in each source, as `FROM` and its
            name.
        data: By run the name of its data set, as its samples have it.
    """

    calls: Calls
    verdicts: pd.DataFrame
    facts: pd.DataFrame
    data: Mapping[str, str]


class _Seen(NamedTuple):
    """The same of one sample: its run, the name of the data, and rows."""

    run: str
    data: str | None
    verdicts: list[dict[str, Any]]
    facts: list[dict[str, Any]]


def read_records(logs: Sequence[Log]) -> Records:
    """Go through the records of all logs once, log by log."""
    calls, seen = read_with_calls(logs, _see)
    facts = [row for one in seen for row in one.facts]
    columns = [*KEY, "speakers", "judges"]
    more = [name for row in facts for name in row if name not in columns]
    return Records(
        calls,
        verdict_frame(row for one in seen for row in one.verdicts),
        pd.DataFrame(facts, columns=pd.Index([*columns, *dict.fromkeys(more)])),
        {one.run: one.data for one in seen if one.data is not None},
    )


def _see(held: Held) -> _Seen:
    name = held.sample.metadata.get("data_name")
    return _Seen(
        held.log.header.eval.eval_id,
        None if name is None else str(name),
        list(verdict_rows(held)),
        list(_facts(held)),
    )


def _facts(held: Held) -> Iterator[dict[str, Any]]:
    log, sample, record = held
    if record is None:
        return
    sources: dict[str, int] = {}
    for turn in record.spoken():
        for quote in turn.quotes:
            if quote.source is not None:
                name = f"{FROM}{quote.source}"
                sources[name] = sources.get(name, 0) + 1
    yield {
        "run": log.header.eval.eval_id,
        "id": str(sample.id),
        "epoch": sample.epoch,
        "speakers": len({turn.participant for turn in record.spoken()}),
        "judges": len({turn.participant for turn in record.of_kind("verdict")}),
        **sources,
    }


# What the reports on questions of one's own are made of.

STUDY = "debate"

SCORERS = ("question_answering", "debate_process")
"""Whose values are reported; of a name that both have, the first one's."""

CAUSES = {
    "outcome_unparsed": "Unreadable",
    "outcome_refused": "Refused",
    "outcome_truncated": "Cut off",
    "outcome_capped": "Too long",
    "outcome_tied": "Tied",
    "outcome_missing": "Missing",
}
"""Why a scored sample has no outcome, as readers see it."""

KINDS = {
    "answers": "Answers without a judge",
    "judge": "Judge without speeches",
    "consultancy": "One side speaks to a judge",
    "speeches": "Speeches without a judge",
    "debate": "Both sides speak to a judge",
}
"""What an arm is, by who spoke and who decided, whatever its protocol is called."""
