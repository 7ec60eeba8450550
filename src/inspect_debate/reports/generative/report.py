"""The report on generative debate: tables, comparisons and figures from logs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, get_args

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.record import GradeStatus
from inspect_debate.reports.arms import ARM, Arms, Part
from inspect_debate.reports.calls import call_notices
from inspect_debate.reports.elements import (
    COUNT,
    PERCENT,
    POINTS,
    Format,
    Main,
    Notice,
    Report,
    Section,
    Table,
    listed,
    section_of,
)
from inspect_debate.reports.generative.best_of import best_of_section_items
from inspect_debate.reports.generative.biases import bias_items
from inspect_debate.reports.generative.claims import published_tables
from inspect_debate.reports.generative.comparisons import (
    Compared,
    accuracy_table,
    compare,
    equivalence_table,
    fpr_table,
    tally_line,
    tally_table,
)
from inspect_debate.reports.generative.difficulty import tier_items, tiered
from inspect_debate.reports.generative.figures import figure_items
from inspect_debate.reports.generative.frames import (
    cells_of,
    conditions,
    items_of,
    read_scores,
    titles_of,
)
from inspect_debate.reports.generative.pairing import KEYS, QUESTION
from inspect_debate.reports.generative.specification import (
    SAMPLE,
    Records,
    points_table,
    read_records,
    specification_table,
)
from inspect_debate.reports.generative.study import (
    BEST_OF,
    CLEANED,
    FAMILIES,
    ORIGINAL,
    PROTOCOLS,
    STUDY,
    STUDY_VERSIONS,
    benchmark_title,
    family_key,
    family_title,
    of_study,
)
from inspect_debate.reports.generative.tables import (
    FORMAT,
    MODELS,
    Rows,
    heading,
    rows_of,
    seats_apart,
    share,
    shown,
    tied,
    verdicts_of,
    without_empty,
)
from inspect_debate.reports.generative.transitions import transition_items
from inspect_debate.reports.generative.verdicts import (
    answers_table,
    classes_table,
    cleaned_items,
    formats_table,
    regimes_table,
    rounds_table,
    stances_table,
)
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.notices import (
    item_notices,
    judge_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.reports.provenance import command_list, provenance_section, runs_of
from inspect_debate.reports.sanity import LIMIT, sanity_section, total, unread_notices
from inspect_debate.solvers.formats import FORMATS

# What the logs of the study hold, read once for all of a report.


class Data(NamedTuple):
    """Items of all conditions, and what was compared.

    Attributes:
        logs: The logs.
        grouped: All samples by condition, as from `conditions`.
        items: As from `items_of` and `tiered`.
        consultancy: Debates against consultancies.
        no_transcript: Formats with speeches against those without.
        records: What the records say.
    """

    logs: Sequence[Log]
    grouped: Arms
    items: pd.DataFrame
    consultancy: Compared
    no_transcript: Compared
    records: Records


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no sample was scored.
    """
    records = read_records(logs)  # first, as it reads what else is to be read beside
    grouped = conditions(read_scores(logs))
    if not grouped.frame["scored"].any():
        raise InputError("No sample of these logs was scored: there is no report.")
    items = tiered(items_of(grouped))
    return Data(
        logs,
        grouped,
        items,
        compare(items, "consultancy"),
        compare(items, "none"),
        records,
    )


def generative_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of generative debate and the formats beside it.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or none of them has a scored sample.
    """
    data = read_data(study_logs(logs, STUDY, allow_partial=allow_partial))
    refused = [*data.consultancy.refused, *data.no_transcript.refused]
    formats, names = parts(data.items), titles_of(data.grouped)
    frame = data.grouped.frame
    return Report(
        title="Generative debate: does it help a weaker judge?",
        study="Inference-time Generative Debates on Coding and Reasoning Tasks for "
        "Scalable Oversight (E. Elasky and F. Nakasako)",
        summary=_summary(data),
        notices=[
            *run_notices(data.logs),
            *made_up_notices(frame, names),
            *unread_notices(formats, STAGES),
            *tied_notices(data.items),
            *refused_notices(refused),
            *data_notices(data.items),
            *item_notices(formats, MODELS),
            *sample_notices(data.grouped, names),
            *answer_notices(data.items),
            *judge_notices(formats, _WEAKER, "warning"),
            *position_notices(data.items),
            *call_notices(data.records.calls),
            *reuse_notices(frame, names),
        ],
        sections=sections(data),
        main=_MAIN,
        figure=("figure_accuracy",),
    )


_MAIN = (
    Main(
        *("comparisons_consultancy", "Difference", "Samples"),
        "{Compared} ({Models and data}): verdict accuracy differs by {value}.",
        POINTS,
        " points",
    ),
    Main(
        *("comparisons_no_transcript", "Difference", "Samples"),
        "{Compared} ({Models and data}): verdict accuracy differs by {value}.",
        POINTS,
        " points",
    ),
    Main(
        *("formats", "Accuracy", "Samples"),
        "{Format} ({Models and data}): the accuracy of verdicts is {value}.",
        PERCENT,
        " %",
    ),
)


def _summary(data: Data) -> str:
    items = data.items
    # Versions of a data set, and its cleaned tasks, share their ids.
    questions = items.drop_duplicates(QUESTION)
    return (
        f"Families (debater > judge): {items['family'].nunique()}; conditions: "
        f"{items['arm'].nunique()}; questions: {len(questions)}; "
        f"logs: {len(data.logs)}. A verdict is right where the judge is right about "
        "every answer put to it. What differs from the defaults stands after a "
        f"format's name. {tally_line(data.consultancy)}"
    )


_WEAKER = "The study's question is about a weaker judge."


# Which answers runs share, and which formats are missing.

COMMAND = "inspect eval inspect_debate/generative"


def absent_formats(items: pd.DataFrame) -> list[str]:
    """The commands of the study's formats that these logs do not have.

    Args:
        items: As from `items_of`.
    """
    here = {(cell.format, cell.best_of) for cell in cells_of(items)}
    datasets = set(items["dataset"])
    # Of several data sets a reader has to say which.
    only = datasets.pop() if len(datasets) == 1 else "arc"
    data = "" if only == "arc" else f" -T dataset={only}"
    return [
        _command(f"{COMMAND}{data}", protocol, best_of)
        for protocol in PROTOCOLS
        for best_of in (BEST_OF if _speaks(protocol) else BEST_OF[:1])
        if (protocol, best_of) not in here
    ]


def answer_sets_table(items: pd.DataFrame) -> Table | None:
    """Which runs put the same answers to the judge.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None where no answers were judged.
    """
    judged = items.dropna(subset="answer_id_a")
    if judged.empty:
        return None
    rows = []
    for (family, *data), of in judged.groupby(
        ["family", "dataset", "version", "split"], sort=False
    ):
        heading = f"{family_title(str(family))}, {benchmark_title(*map(str, data))}"
        rows += [{MODELS: heading, **row} for row in _shared(of)]
    frame = pd.DataFrame(rows)
    return Table(
        name="answer_sets",
        title="Which runs share their answers",
        frame=frame,
        groups=MODELS,
        formats=shown(frame, {"Same A and B": COUNT}),
        note="Same A (and B): the samples whose answers are those in the first log of "
        "these that has the question and epoch. Formats are compared only where all "
        "that they share have the same answers.",
    )


def _shared(items: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Per run how many of its answers are those of the oldest run that has them."""
    oldest = items.sort_values("created", kind="stable")
    dual = oldest["proposers"] == 2
    named = oldest.assign(
        same_a=oldest["answer_id_a"].eq(_first(oldest, "answer_id_a")),
        same_set=oldest["answer_set_id"].eq(_first(oldest[dual], "answer_set_id")),
    )
    for log, rows in named.groupby("log", sort=False):
        same = {"Same A": int(rows["same_a"].sum())}
        if (rows["proposers"] == 2).all():
            same["Same A and B"] = int(rows["same_set"].sum())
        yield {
            "Log": log,
            "Format": rows["title"].iloc[0],
            "Samples": len(rows),
            **same,
            "Answers of": rows["reuse"].iloc[0],
        }


def _first(oldest: pd.DataFrame, column: str) -> "pd.Series[str]":
    """What the first row of a row's question and epoch has."""
    return oldest.groupby(KEYS)[column].transform("first")


def _speaks(protocol: str) -> bool:
    return FORMATS[protocol].interaction != "none"


def _command(task: str, protocol: str, best_of: int) -> str:
    words = [task, f"-T protocol={protocol}"]
    if best_of > 1:
        words.append(f"-T best_of={best_of}")
    if not FORMATS[protocol].proposers:
        return " ".join([*words, "--model J"])
    return " ".join([*words, "-T reuse=LOG --model M --model-role judge=J"])


# The sections of the report: first what was found, then whether it can be trusted.


def sections(data: Data) -> list[Section]:
    """All sections; those without anything in them say what is missing."""
    return [section(data) for section in _SECTIONS]


def _formats(data: Data) -> Section:
    items = [formats_table(data.items), *figure_items(data.items)]
    given = "" if seats_apart(data.items) else " of one model"
    text = _FORMATS.format(given=given)
    return section_of("Verdicts by format", text, items, _NO_VERDICT)


def _errors(data: Data) -> Section:
    items = [
        regimes_table(data.items),
        rounds_table(data.items),
        classes_table(data.items),
    ]
    return section_of("What verdicts err on", _ERRORS, items, _NO_VERDICT)


def _comparisons(data: Data) -> Section:
    items = [
        accuracy_table(data.consultancy),
        tally_table(data.consultancy),
        fpr_table(data.consultancy),
    ]
    return section_of(
        "Debate against consultancy", _COMPARISONS, items, _NO_CONSULTANCY
    )


def _transitions(data: Data) -> Section:
    items = [
        accuracy_table(data.no_transcript),
        fpr_table(data.no_transcript),
        *transition_items(data.no_transcript),
    ]
    return section_of("What speeches change", _TRANSITIONS, items, _NO_SILENCE)


def _best_of(data: Data) -> Section:
    items = best_of_section_items(data.items)
    return section_of("Best of n speeches", _BEST_OF, items, _NO_CHOICE)


def _tiers(data: Data) -> Section:
    items = tier_items(data.items, data.consultancy)
    return section_of("By difficulty", _TIERS, items, _NO_CONSULTANCY)


def _cleaned(data: Data) -> Section:
    items = cleaned_items(data.items)
    return section_of("Cleaned against original tasks", _CLEANED, items, _NOT_BOTH)


def _answers(data: Data) -> Section:
    items = [answers_table(data.items), stances_table(data.items)]
    return section_of("Answers and stances", "", items)


def _biases(data: Data) -> Section:
    items = bias_items(data.items)
    return section_of("Places, seats and “both correct”", "", items, _NO_VERDICT)


def _equivalences(data: Data) -> Section:
    items = map(equivalence_table, (data.consultancy, data.no_transcript))
    return section_of("Are formats alike?", _EQUIVALENCES, items, _NO_CONSULTANCY)


def _published(data: Data) -> Section:
    return section_of("Published claims", _PUBLISHED, published_tables(data.items))


def _specification(data: Data) -> Section:
    items = [
        specification_table(data.records, data.items),
        points_table(data.records, data.items),
    ]
    return section_of("Tasks that may be at fault", _SPECIFICATION, items, _NO_FAULT)


def _sanity(data: Data) -> Section:
    own = [
        grades_table(data.items, data.records.reaching),
        answer_sets_table(data.items),
    ]
    formats, calls = parts(data.items), data.records.calls
    return sanity_section(formats, STAGES, calls, own, unread=UNREAD)


def _provenance(data: Data) -> Section:
    return provenance_section(
        data.logs,
        runs_of(data.grouped, titles_of(data.grouped)),
        absent=command_list(_ABSENT, absent_formats(data.items)),
    )


_SECTIONS: tuple[Callable[[Data], Section], ...] = (
    *(_formats, _errors, _comparisons, _transitions, _best_of, _tiers, _cleaned),
    *(_answers, _biases, _equivalences, _published, _specification, _sanity),
    _provenance,
)

_FORMATS = (
    "Dual formats put two answers{given} to the judge, single ones the first of them; "
    "all of these may be correct, or none. In a debate those who speak hear each "
    "other, in a consultancy they do not, and without a transcript nobody speaks. Any "
    "judge has to beat one that looks at nothing."
)
_ERRORS = (
    "Where answers are right or wrong is told by the answers alone, never by verdicts. "
    "A judge that finds everything correct is perfect where all answers are right."
)
_COMPARISONS = (
    "On the same answers, with the same judge asked in the same way and the same word "
    "limit. Of dual formats both have as many speeches; a single debate has as "
    "many of the critic's beside the proposer's, a single consultancy the proposer's "
    "alone. "
    "What else a format has that the other cannot have stands after its name."
)
_TRANSITIONS = (
    "Every format with speeches is held against the same judge's verdicts on the same "
    "answers alone."
)
_BEST_OF = (
    "The answers are the same; only speeches are chosen, by a judge's reward that "
    "knows no truth."
)
_TIERS = (
    "Debate and consultancy on hard, medium and easy questions, each tier by itself."
)
_CLEANED = (
    "The study's programming tasks were made of those of BigCodeBench by repairing "
    "tests and statements. That raised the accuracy of verdicts by 20 to 25 points, it "
    "says; here the same formats and models stand side by side on both."
)
_SPECIFICATION = (
    "Whoever works on a task may find that its tests, its statement or its examples "
    "are at fault. The study counts 171 tasks with broken tests and 208 with ambiguous "
    "statements among the 1,140 of BigCodeBench. What the participants of these runs "
    "say of the kind is listed here, for a person to look at. Of programming tasks "
    "they see the statement alone: what they say of tests is what they expect."
)
_EQUIVALENCES = (
    "That a difference is not significant does not show that there is none; that needs "
    "a test against differences that would matter."
)
_PUBLISHED = (
    "The text prints some of its results; tables are announced. What is known to be "
    "wrong with a value, or left open, stands below."
)
_NO_VERDICT = "None of these runs has answers that are judged."
_NO_CONSULTANCY = (
    "That needs debates and consultancies on the same answers:\n\n"
    f"- `{COMMAND} -T protocol=dual_debate --model M --model-role judge=J`\n"
    f"- `{COMMAND} -T protocol=dual_consultancy -T reuse=LOG --model M "
    "--model-role judge=J`"
)
_NO_SILENCE = (
    "That needs the same answers judged without a transcript:\n\n"
    f"- `{COMMAND} -T protocol=dual_no_transcript -T reuse=LOG --model M "
    "--model-role judge=J`"
)
_NO_CHOICE = (
    "That needs speeches that were chosen:\n\n"
    f"- `{COMMAND} -T protocol=dual_debate -T best_of=4 -T reuse=LOG --model M "
    "--model-role judge=J`"
)
_NOT_BOTH = (
    "That needs one format on both data, each with answers of its own:\n\n"
    f"- `{COMMAND} -T dataset={CLEANED} -T protocol=dual_debate --model M "
    "--model-role judge=J`\n"
    f"- `{COMMAND} -T dataset={ORIGINAL} -T protocol=dual_debate --model M "
    "--model-role judge=J`"
)
_NO_FAULT = (
    "Nobody in these runs says in words that are looked for that a task's tests, "
    "statement or examples are wrong, unclear or contradictory."
)
_ABSENT = "Formats of the study that these logs do not have:"


# Whether the runs can be trusted: samples, what could not be read, and grades.

STAGES = {
    "answers": "Answers",
    "speeches": "Speeches",
    "stances": "Stances",
    "rewards": "Rewards",
    "verdicts": "Verdicts",
}
"""What is asked for, as readers see it."""

UNREAD = (
    "An answer that could not be read is wrong. A verdict is in no accuracy, rate or "
    "pair, and “strict” accuracy counts it as wrong."
)
"""What else there is to say of what could not be read."""

_REACHING = "Right, to be looked at"
_LOOKED_AT = (
    " To be looked at: programs that passed, and whose source reaches for what solving "
    "the task does not need, such as the tests or the interpreter; a pass may not be "
    "what it seems. Their grades in the log say what it is."
)
_GRADES: tuple[GradeStatus, ...] = get_args(GradeStatus)
_GRADE_TITLES = {
    "pass": "Right",
    "fail": "Wrong",
    "unparsed": "No answer",
    "timeout": "Out of time",
    "error": "Grader failed",
    "ineligible": "Task of no use",
}


def parts(items: pd.DataFrame) -> list[Part]:
    """The formats of all families and data.

    Args:
        items: As from `items_of`.
    """
    return [_part(of) for of in rows_of(items)]


def grades_table(items: pd.DataFrame, reaching: pd.DataFrame) -> Table | None:
    """What became of the answers when they were graded, and how long that took.

    Args:
        items: As from `items_of`.
        reaching: As in `Records`.

    Returns:
        The table, of each run by itself; None where nothing was graded.
    """
    seen = items[SAMPLE].merge(reaching, on=SAMPLE).groupby("run")["reaching"].sum()
    rows = []
    for of in rows_of(items):
        for run, graded in of.items.groupby("run", sort=False):
            counts = {kind: total(graded, f"grades_{kind}") for kind in _GRADES}
            if sum(counts.values()):
                titled = {_GRADE_TITLES[kind]: n for kind, n in counts.items()}
                rows.append(
                    {
                        **of.named,
                        "Log": graded["log"].iloc[0],
                        **titled,
                        _REACHING: int(seen.get(run, 0)),
                        "Seconds": total(graded, "grade_seconds"),
                    }
                )
    if not rows:
        return None
    frame = without_empty(pd.DataFrame(rows), _REACHING)
    odd = _LOOKED_AT if _REACHING in frame else ""
    return Table(
        name="grades",
        title="Grades of answers",
        frame=frame,
        groups=MODELS,
        formats={
            **dict.fromkeys(_GRADE_TITLES.values(), COUNT),
            "Seconds": Format(digits=1),
        },
        note="Numbers of answers. Those that a failed grader or a task of no use left "
        "ungraded are of unknown worth, and in no rate; no answer and out of time are "
        "wrong. Seconds: in all, without grades that are those of an earlier run."
        f"{odd}",
    )


def _part(of: Rows) -> Part:
    items, first = of.items, of.items.iloc[0]
    judged = of.cell.proposers > 0
    split = tied(items)
    return Part(
        named={MODELS: heading(of.cell), ARM: of.cell.title},
        samples=items,
        item="question_id",
        unknown=int((items["verdict_ok"] == 0).sum()) if judged else None,
        told={"Tied": split} if split else {},
        debaters=[m for m in (first["debater"], first["debater_b"]) if m and m == m],
        judges=str(first["judge"]).split(", "),
    )


# What has to be read before the numbers: verdicts, pairs, data and places.


def tied_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Panels whose judges tie too often.

    Args:
        items: As from `items_of`.
    """
    split = [
        f"{of_all:.0%}: {of.named[FORMAT]} ({of.named[MODELS]})"
        for of in rows_of(verdicts_of(items))
        if (of_all := tied(of.items) / len(of.items)) > LIMIT
    ]
    if split:
        yield Notice(
            "Share of the samples on which the judges of a panel tie, above "
            f"{LIMIT:.0%}. Nothing is ruled there: they are in no accuracy, rate or "
            f"pair, and “strict” accuracy counts them as wrong.\n\n{listed(split)}"
        )


def refused_notices(refused: Iterable[str]) -> Iterator[Notice]:
    """Formats that were not paired, and why.

    Args:
        refused: The reasons, of which some may come several times.
    """
    reasons = list(dict.fromkeys(refused))
    if reasons:
        yield Notice(
            "These comparisons are not made, since their samples do not belong "
            f"together.\n\n{listed(reasons)}"
        )


def data_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Runs that are not on the study's data, or not with its models.

    Args:
        items: As from `items_of`.
    """
    data = {key: benchmark_title(*key) for key in _data_of(items)}
    foreign = [
        title
        for key, title in data.items()
        if not of_study(*key[:2]) and key[1] != "sample"
    ]
    if foreign:
        which = "These runs are" if len(foreign) == len(data) else "Some runs are"
        arc = any(key[0] == "arc" for key in data)
        yield Notice(
            f"{which} not on the study's data: {'; '.join(foreign)}. They do not "
            f"compare with the published values.{_INFERRED if arc else ''}"
        )
    newer = [
        title
        for (dataset, version, _), title in data.items()
        if of_study(dataset, version) and version != STUDY_VERSIONS[dataset]
    ]
    if newer:
        yield Notice(
            f"The study had {STUDY_VERSIONS[CLEANED]} of BigCodeBench-Plus. Statements "
            "and tests of many tasks were changed since: published values are of other "
            f"tasks than {'; '.join(newer)}.",
            "info",
        )
    others = sorted({f for f in items["family"] if family_key(f) not in FAMILIES})
    if others:
        yield Notice(
            f"Not models of the study: {'; '.join(map(family_title, others))}. "
            "Published values are of other models, for orientation only.",
            "info",
        )


_INFERRED = " (That the study's version of ARC-AGI is 1 is inferred.)"


def _data_of(items: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Name, version and split of all data, each once."""
    columns = (items[name] for name in ("dataset", "version", "split"))
    return list(dict.fromkeys(zip(*columns, strict=True)))


def answer_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Formats of one family that have different answers to the same questions.

    Args:
        items: As from `items_of`.
    """
    judged = verdicts_of(items).dropna(subset="answer_id_a")
    apart = []
    for (family, *_), rows in judged.groupby(["family", "dataset", "version"]):
        number = rows.groupby(KEYS)["answer_id_a"].nunique()
        if (number > 1).any():
            apart.append(
                f"{family_title(str(family))}: {int((number > 1).sum())} of "
                f"{len(number)} questions and epochs"
            )
    if apart:
        yield Notice(
            "Formats of one family have different answers A to the same question and "
            "epoch, so that chance in the answers is in what differs between formats. "
            "A proposer's accuracy by format means something only with "
            f"`answers=fresh`.\n\n{listed(apart)}"
        )


def position_notices(items: pd.DataFrame) -> Iterator[Notice]:
    """Dual formats in which one answer was listed first much more often.

    Args:
        items: As from `items_of`.
    """
    uneven = []
    for of in rows_of(items[items["proposers"] == 2]):
        first = share(of.items, of.items["a_first"])
        if first.low > 0.5 or first.high < 0.5:
            uneven.append(f"{first.value:.0%}: {of.named[FORMAT]} ({of.named[MODELS]})")
    if uneven:
        yield Notice(
            "Share of the rounds in which answer A was listed first, where it is not "
            "about half: a preference for a place cannot be told from one for a seat."
            f"\n\n{listed(uneven)}"
        )
