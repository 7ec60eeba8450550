"""The report on debates over questions of one's own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.arms import ARM, Arms, Part, flat, text
from inspect_debate.reports.calls import Calls, call_notices
from inspect_debate.reports.elements import (
    PERCENT,
    POINTS,
    Figure,
    Main,
    Report,
    Section,
    Table,
    counted,
    known_columns,
    section_of,
)
from inspect_debate.reports.estimates import share
from inspect_debate.reports.figures import forest
from inspect_debate.reports.frames import scores_of
from inspect_debate.reports.judges.matrix import (
    Panel,
    judges_table,
    matrix_tables,
    pairs_table,
    panel_figures,
    panels,
    right_table,
)
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.notices import (
    item_notices,
    judge_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
    self_notices,
)
from inspect_debate.reports.provenance import provenance_section, runs_of
from inspect_debate.reports.questions.frames import (
    DATA,
    KEY,
    KINDS,
    STUDY,
    arms_of,
    names_of,
    read_records,
    rows_of,
    value,
)
from inspect_debate.reports.questions.results import (
    accuracy_table,
    comparisons,
    cost_table,
    debates_table,
    outcome_table,
    quotes_table,
)
from inspect_debate.reports.sanity import STAGES, sanity_section, unread_notices

# What the logs hold, read once for all of a report.


class Data(NamedTuple):
    """Samples of all arms, and what their judges made of them.

    Attributes:
        logs: The logs.
        grouped: All samples by arm, as from `arms_of`.
        items: Those that were scored.
        panels: Judges of the same debates.
        judged: What readers call what each panel judged.
        calls: What the calls say.
    """

    logs: Sequence[Log]
    grouped: Arms
    items: pd.DataFrame
    panels: Sequence[Panel]
    judged: Sequence[str]
    calls: Calls


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no sample was scored.
    """
    records = read_records(logs)
    grouped = arms_of(scores_of(logs), records.facts, data_sets(logs, records.data))
    frame = grouped.frame
    items = frame[frame["scored"]].reset_index(drop=True)
    if items.empty or "correct" not in items:
        raise InputError("No sample of these logs was scored: there is no report.")
    # What newer logs replaced is in no table.
    verdicts = records.verdicts.merge(frame[[*KEY, "arm"]], on=KEY)
    found = panels(verdicts)
    return Data(logs, grouped, items, found, _judged(found, frame), records.calls)


def _judged(found: Sequence[Panel], frame: pd.DataFrame) -> list[str]:
    """By panel the arms whose debates it judged; where these are the same, numbered."""
    names = names_of(frame, "debates")
    titles = [
        "; ".join(dict.fromkeys(names[arm] for arm in panel.verdicts["arm"]))
        for panel in found
    ]
    return [
        title if titles.count(title) == 1 else f"{title}, panel {panel.number}"
        for panel, title in zip(found, titles, strict=True)
    ]


def debate_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of the task `debate`, whatever their protocols and data.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    data = read_data(study_logs(logs, STUDY, allow_partial=allow_partial))
    frame = data.grouped.frame
    arms, names = parts(frame), names_of(frame)
    return Report(
        title="Debates over questions",
        study="Runs of the task inspect_debate/debate",
        summary=_summary(data),
        notices=[
            *run_notices(data.logs),
            *made_up_notices(frame, names),
            *item_notices(arms, DATA),
            *sample_notices(data.grouped, names),
            *unread_notices(arms, STAGES),
            *call_notices(data.calls),
            *judge_notices(arms),
            *self_notices(arms),
            *reuse_notices(frame, names),
        ],
        sections=sections(data),
        main=_MAIN,
        figure=("accuracy_1",),
    )


_MAIN = (
    Main(
        *("comparisons", "Difference", "Samples"),
        "{Compared} ({Models}): accuracy differs by {value}.",
        POINTS,
        " points",
    ),
    Main(
        *("accuracy", "Accuracy", "Samples"),
        "{Arm}: accuracy is {value}.",
        PERCENT,
        " %",
    ),
)


def _summary(data: Data) -> str:
    frame = data.grouped.frame
    questions = len(frame.drop_duplicates(["data_name", "id"]))
    return (
        f"{counted(frame['arm'].nunique(), 'arm')} on {counted(questions, 'question')} "
        f"of {counted(frame['data_name'].nunique(), 'data set')}, from "
        f"{counted(len(data.logs), 'log')}. An arm is a protocol with its models, "
        "parameters, prompts and seed on one data set; it is called by its protocol "
        "and what tells it from the others of that protocol."
    )


# The sections of the report: first what was found, then whether it can be trusted.


def sections(data: Data) -> list[Section]:
    """All sections; those without anything in them say what is missing."""
    return [section(data) for section in _SECTIONS]


def _runs(data: Data) -> Section:
    return Section("What was run", "", [arms_table(data.grouped.frame)])


def _accuracy(data: Data) -> Section:
    items = [
        accuracy_table(data.items),
        *accuracy_figures(data.items),
        outcome_table(data.items),
    ]
    return section_of("Accuracy", _ACCURACY, items)


def _comparisons(data: Data) -> Section:
    table = comparisons(data.grouped.frame)
    return section_of("Paired comparisons", "", [table], otherwise=_NO_COMPARISON)


def _debates(data: Data) -> Section:
    items = [debates_table(data.items), quotes_table(data.items)]
    return section_of("Debates and quotes", "", items, otherwise=_NO_SPEECH)


def _judges(data: Data) -> Section:
    of = (data.panels, data.judged)
    tables = [judges_table(*of), pairs_table(*of), right_table(*of)]
    figures = [
        figure
        for panel, title in zip(*of, strict=True)
        for figure in panel_figures(panel, title)
    ]
    items = [*tables, *figures, *matrix_tables(*of)]
    several = any(len(panel.judges) > 1 for panel in data.panels)
    text = _JUDGES if several else _ONE_JUDGE
    return section_of("Judges", text, items, otherwise=_NO_VERDICT)


def _cost(data: Data) -> Section:
    return Section("Cost", "", [cost_table(data.items, data.calls.prices)])


def _sanity(data: Data) -> Section:
    return sanity_section(parts(data.grouped.frame), STAGES, data.calls)


def _provenance(data: Data) -> Section:
    runs = runs_of(data.grouped, names_of(data.grouped.frame))
    return provenance_section(data.logs, runs)


_SECTIONS: tuple[Callable[[Data], Section], ...] = (
    *(_runs, _accuracy, _comparisons, _debates, _judges, _cost),
    *(_sanity, _provenance),
)

_ACCURACY = (
    "An accuracy says little without that of guessing, and that of the judge who has "
    "not heard a debate: both stand beside it where they were run."
)
_NO_COMPARISON = (
    "No two of the arms answer a question that is asked here. A debate compares with "
    "the same judge alone (`protocol=judge_alone`), with `protocol=consultancy`, and "
    "with answers of its debaters (`protocol=single`), on the same questions."
)
_NO_SPEECH = "No arm has speeches."
_JUDGES = (
    "Judges are of one panel if they judged the same debates: bound to a list in one "
    "run, or in runs that use the debates of one log again. Debates are the same if "
    "the question and every word said before the verdict are."
)
_ONE_JUDGE = (
    "No two judges judged the same debates. What is needed, LOG being a log of "
    "debates: `--model-role judge=M1,M2`, or further runs with `-T reuse=LOG` and "
    "another `--model-role judge=M`."
)
_NO_VERDICT = "No arm has verdicts."


# What was run: the arms of a report.

_ROLES = {"debater_a": "Debater A", "debater_b": "Debater B", "judge": "Judge"}
_SHAPE = ("passage", "sides", "rounds", "order", "turn_order", "skip_if_agree")


def arms_table(frame: pd.DataFrame) -> Table:
    """What was run: the protocol of every arm, its models, and how it was set.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    rows = []
    for (data, title), of_arm in rows_of(frame).items():
        first = of_arm.iloc[0]
        models = {title: first[role] for role, title in _ROLES.items()}
        shape = {_in_words(name): _given(first, name) for name in _SHAPE}
        kind = KINDS[first["kind"]]
        rows.append({DATA: data, ARM: title, "Kind": kind, **models, **shape})
    table = Table(
        name="arms",
        title="What was run",
        frame=pd.DataFrame(rows),
        groups=DATA,
        note="An arm is called by its protocol and what tells it from the others of "
        "that protocol. All other parameters are listed under Provenance.",
    )
    return known_columns(table)


def _given(first: "pd.Series[Any]", name: str) -> str | None:
    given = first["parameters"].get(name)
    return None if given is None else text(given)


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()


# The arms, as the pages on whether runs can be trusted speak of them.

_JUDGED = ("debate", "consultancy")


def parts(frame: pd.DataFrame) -> list[Part]:
    """The arms of all data sets.

    Args:
        frame: `Arms.frame` as from `arms_of`.
    """
    return [
        _part(data, title, samples) for (data, title), samples in rows_of(frame).items()
    ]


def _part(data: str, title: str, samples: pd.DataFrame) -> Part:
    first = samples.iloc[0]
    judged = first["kind"] in _JUDGED
    return Part(
        named={DATA: data, ARM: title},
        samples=samples,
        unknown=int(samples.loc[samples["scored"], "correct"].isna().sum()),
        debaters=[first["debater_a"], first["debater_b"]] if judged else [],
        judges=str(first["judge"]).split(", ") if judged else [],
    )


# Which data sets runs are on, by names that tell them apart.


def data_sets(logs: Sequence[Log], names: Mapping[str, str]) -> dict[str, str]:
    """What readers call the data set of each run.

    Args:
        logs: The logs.
        names: By run the name of its data set, where samples have one.

    Returns:
        By run the name; where data of one name were taken in several ways, such as with
        two candidates and with all, with what differs.
    """
    told = {log.header.eval.eval_id: _told(log, names) for log in logs}
    return {
        run: _named(
            of, [other for other in told.values() if other["name"] == of["name"]]
        )
        for run, of in told.items()
    }


def _told(log: Log, names: Mapping[str, str]) -> dict[str, str]:
    """The name and provenance of a run's data, by flat names."""
    provenance = log.metadata.get("data") or {}
    name = names.get(log.header.eval.eval_id, provenance.get("source"))
    rest = {key: text(value) for key, value in flat(provenance)}
    return rest | {"name": str(name or log.header.eval.dataset.name or "unknown")}


def _named(of: Mapping[str, str], alike: Sequence[Mapping[str, str]]) -> str:
    differing = [
        f"{key}={of.get(key, '(absent)')}"
        for key in dict.fromkeys(key for other in alike for key in other)
        if len({other.get(key) for other in alike}) > 1
    ]
    return " ".join([of["name"], *differing])


# The accuracy of all arms on a data set in one picture.


def accuracy_figures(items: pd.DataFrame) -> Iterator[Figure]:
    """Accuracy with its interval, arm by arm, about that of guessing.

    Args:
        items: As in `Data`.

    Yields:
        A figure per data set of which the accuracy of guessing is known.
    """
    for number, (data, of_data) in enumerate(
        items.groupby("data_name", sort=False), start=1
    ):
        chance = value(of_data.drop_duplicates("id"), "chance").mean()
        if pd.isna(chance):
            continue
        estimates = _estimates(of_data)
        yield Figure(
            name=f"accuracy_{number}",
            title=f"Accuracy on {data}",
            figure=forest(
                estimates, label="accuracy (%)", format=PERCENT, zero=float(chance)
            ),
            alt="Accuracy of each arm with its interval: "
            + "; ".join(title for _, title in estimates.index)
            + ".",
            note="Lines are 95 % intervals, clustered as in the table. The dashed line "
            "is guessing.",
        )


def _estimates(items: pd.DataFrame) -> pd.DataFrame:
    rows = {
        (KINDS[rows["kind"].iloc[0]], title): share(rows, "correct")
        for (_, title), rows in rows_of(items).items()
    }
    return pd.DataFrame(
        [(found.value, found.low, found.high) for found in rows.values()],
        index=pd.MultiIndex.from_tuples(rows),
        columns=["estimate", "low", "high"],
    )
