"""The report on generative debate: what is read first, and its sections."""

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from inspect_debate.v1.reports.calls import call_notices
from inspect_debate.v1.reports.elements import (
    PERCENT,
    POINTS,
    Main,
    Notice,
    Section,
    counted,
    listed,
)
from inspect_debate.v1.reports.generative import tables
from inspect_debate.v1.reports.generative.comparisons import MODELS, Data, read_data
from inspect_debate.v1.reports.generative.rows import (
    BEST_OF,
    CLEANED,
    KEYS,
    ORIGINAL,
    PROTOCOLS,
    QUESTION,
    SAMPLE,
    STUDY,
    STUDY_VERSIONS,
    Rows,
    benchmark_title,
    conditions_in,
    family_key,
    family_title,
    heading_of,
    of_study,
    second_debater,
    share,
    tied,
    titles_of,
)
from inspect_debate.v1.reports.notices import (
    item_notices,
    judge_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.v1.reports.probabilities import chapter, condition_rows
from inspect_debate.v1.reports.provenance import (
    command_list,
    provenance_section,
    runs_of,
)
from inspect_debate.v1.reports.sanity import LIMIT, sanity_section, unread_notices
from inspect_debate.v1.reports.views import Part, StudyReport
from inspect_debate.v1.solvers.formats import FORMATS, FURTHER

STAGES = {
    "answers": "Answers",
    "speeches": "Speeches",
    "stances": "Stances",
    "rewards": "Rewards",
    "verdicts": "Verdicts",
}
"""What is asked for, as readers see it."""

UNREAD = (
    "An answer that could not be read is wrong; a verdict is in no accuracy, rate or "
    "pair, and strict accuracy counts it as wrong."
)

# What must be read before the numbers.


def refusals(what: str, refused: Iterable[str]) -> Notice | None:
    """Why some comparisons were not made."""
    reasons = listed(dict.fromkeys(refused))
    return Notice(f"{what}\n\n{reasons}") if reasons else None


def notices(data: Data) -> Iterator[Notice]:
    """What must be read before the numbers."""
    grouped = data.grouped
    refused = [*data.consultancy.refused, *data.no_transcript.refused]
    names = titles_of(grouped) if grouped else {}
    yield from run_notices(data.logs)
    if grouped:
        yield from made_up_notices(grouped.frame, names)
    yield from unread_notices(data.samples, STAGES)
    yield from _uneven_notices(data)
    reasons = refusals("These comparisons are not made:", refused)
    yield from [reasons] if reasons else []
    yield from _study_notices(data)
    yield from item_notices(data.samples, MODELS)
    if grouped:
        yield from sample_notices(grouped, names)
    yield from _answer_notices(data)
    what = "The study's question is about a weaker judge."
    yield from judge_notices(data.samples, what, "warning")
    yield from call_notices(data.calls)
    if grouped:
        yield from reuse_notices(grouped.frame, names)


def _uneven_notices(data: Data) -> Iterator[Notice]:
    """Panels whose judges tie too often, and places that one answer mostly has."""

    def ties(rows: Rows) -> float:
        found = tied(rows) / len(rows)
        return found if found > LIMIT else np.nan

    def first(rows: Rows) -> float:
        found = share(rows, rows["a_first"])
        return found.value if found.low > 0.5 or found.high < 0.5 else np.nan

    of_ties = (
        f"The judges of a panel tie on more than {LIMIT:.0%} of the samples. These "
        "are in no accuracy, rate or pair, and strict accuracy counts them as wrong."
    )
    of_first = (
        "Answer A was listed first in a share of the rounds that is not about half: a "
        "preference for a place cannot be distinguished from one for a debater."
    )
    for text, rows, of in ((of_ties, data.judged, ties), (of_first, data.dual, first)):
        lines = [
            f"{found:.0%}: {condition.title} ({heading_of(part)})"
            for condition, part in conditions_in(rows).items()
            if (found := of(part)) == found
        ]
        if lines:
            yield Notice(f"{text}\n\n{listed(lines)}")


def _study_notices(data: Data) -> Iterator[Notice]:
    """Runs that are not on the study's data, or not with its models."""
    keys = data.items[["dataset", "version", "split"]].drop_duplicates()
    titles = {key: benchmark_title(*key) for key in keys.itertuples(index=False)}
    foreign = [
        title
        for (dataset, version, _), title in titles.items()
        if not of_study(dataset, version) and version != "sample"
    ]
    if foreign:
        which = "These runs are" if len(foreign) == len(titles) else "Some runs are"
        inferred = " (That the version of ARC-AGI is 1 is inferred.)"
        yield Notice(
            f"{which} not on the study's data: {'; '.join(foreign)}. They do not "
            "compare with the published values."
            f"{inferred if 'arc' in {*keys['dataset']} else ''}"
        )
    newer = [
        title
        for (dataset, version, _), title in titles.items()
        if of_study(dataset, version) and version != STUDY_VERSIONS[dataset]
    ]
    if newer:
        yield Notice(
            f"The study used {STUDY_VERSIONS[CLEANED]} of BigCodeBench-Plus. Many "
            "tasks were changed since, so published values are of other tasks than "
            f"{'; '.join(newer)}.",
            "info",
        )
    families = sorted({*_with_judge(data)["family"]})
    if others := [family for family in families if family_key(family) is None]:
        yield Notice(
            f"Not models of the study: {'; '.join(others)}. Published values are of "
            "other models, for orientation only.",
            "info",
        )


def _answer_notices(data: Data) -> Iterator[Notice]:
    """Conditions of one family that have different answers to the same questions."""
    answered = data.judged.dropna(subset="answer_id_a")
    by = ["family", "dataset", "version"]
    numbers = answered.groupby([*by, *KEYS])["answer_id_a"].nunique()
    apart = [
        f"{family_title(str(family))}: {int((number > 1).sum())} of {len(number)} "
        "questions and epochs"
        for (family, *_), number in numbers.groupby(by)
        if (number > 1).any()
    ]
    if apart:
        yield Notice(
            "Conditions of one family have different answers A to the same question "
            "and epoch, so chance in the answers is part of what differs between them. "
            "A proposer's accuracy by condition is meaningful only with "
            f"`answers=fresh`.\n\n{listed(apart)}"
        )


# The sections, and the report.

COMMAND = "inspect eval inspect_debate/generative"


def absent_formats(data: Data) -> list[str]:
    """The commands of the study's formats that these logs do not have."""
    here = {(condition.format, condition.best_of) for condition in data.conditions}
    datasets = set(data.items["dataset"])
    # Of several data sets a reader has to say which.
    only = datasets.pop() if len(datasets) == 1 else "arc"
    commands = []
    for protocol, number in itertools.product(PROTOCOLS, BEST_OF):
        way = FORMATS[protocol]
        if protocol in FURTHER:
            continue
        if (protocol, number) in here or (not way.spoken and number > 1):
            continue
        parts = [
            COMMAND if only == "arc" else f"{COMMAND} -T dataset={only}",
            f"-T protocol={protocol}",
            *([f"-T best_of={number}"] if number > 1 else []),
            *(["-T reuse=LOG --model M --model-role judge=J"] if way.proposers else []),
            *([] if way.proposers else ["--model J"]),
        ]
        commands.append(" ".join(parts))
    return commands


def _needs(what: str, *options: str) -> str:
    """What to run where a section has nothing to show."""
    models = "--model M --model-role judge=J"
    return f"{what}\n\n{listed(f'`{COMMAND} {of} {models}`' for of in options)}"


def _conditions_text(data: Data) -> str:
    given = " of one model"
    if (second_debater(data.dual) != data.dual["debater"]).any():
        given = ""
    return (
        f"Dual conditions put two answers{given} to the judge, single ones the first "
        "of them; all of these may be correct, or none. In a debate participants read "
        "each other's speeches, in a consultancy they do not, and without a transcript "
        "there are no speeches. A verdict is right where the judge is right about "
        f"every answer; FPR is the share of wrong answers that it calls correct. "
        f"{tables.CLUSTERED}"
    )


def _with_judge(data: Data) -> Rows:
    """The rows in which a judge rules or answers, and not the critic alone."""
    return data.items[data.items["interaction"] != "critic"]


def _summary(data: Data) -> str:
    items = data.items
    # Versions of a data set, and its cleaned tasks, share their ids.
    questions = items.drop_duplicates(QUESTION)
    found = ", ".join(
        (
            counted(items["condition"].nunique(), "condition"),
            counted(len(questions), "question"),
            f"{counted(_with_judge(data)['family'].nunique(), 'pair')} of debater "
            "and judge",
            counted(len(data.logs), "log"),
        )
    )
    return (
        f"{found}. What differs from the study's defaults is part of a condition's "
        f"name. {tables.tally_line(data)}"
    ).strip()


def probabilities_of(data: Data) -> pd.DataFrame:
    """Judges' probabilities that answers are correct, for the chapter on them."""
    items = data.items
    names = items["title"] + " (" + items["heading"] + ")"
    named = items[[*SAMPLE]].assign(Condition=names)
    return condition_rows(data.calls.probabilities, named)


def _sanity(data: Data) -> Section:
    own = [*tables.GRADED(data), *tables.ANSWER_SETS(data)]
    return sanity_section(data.samples, STAGES, data.calls, own, unread=UNREAD)


def _provenance(data: Data) -> Section:
    runs = runs_of(data.grouped, titles_of(data.grouped)) if data.grouped else {}
    missing = "Formats of the study that these logs do not have:"
    absent = command_list(missing, absent_formats(data))
    return provenance_section(data.logs, runs, absent=absent)


NO_VERDICT = "None of these runs has answers that are judged."
NO_CONSULTANCY = _needs(
    "That needs debates and consultancies on the same answers:",
    "-T protocol=dual_debate",
    "-T protocol=dual_consultancy -T reuse=LOG",
)

REPORT = StudyReport[Data](
    study=STUDY,
    title="Generative debate: does it help a weaker judge?",
    source="Inference-time Generative Debates on Coding and Reasoning Tasks for "
    "Scalable Oversight (E. Elasky and F. Nakasako)",
    read=read_data,
    summary=_summary,
    notices=notices,
    parts=[
        Part(
            "Verdicts by condition",
            [tables.VERDICTS, *tables.FIGURES],
            _conditions_text,
            NO_VERDICT,
        ),
        Part(
            "Errors of verdicts",
            tables.ERRORS,
            "A judge that calls everything correct is perfect where all answers are "
            "right. Which answers are right does not depend on verdicts. Contested: "
            f"one of two answers is right. {tables.CLUSTERED}",
            NO_VERDICT,
        ),
        Part(
            "Debate against consultancy",
            tables.DEBATES,
            "On the same answers, with the same judge, settings and word limit. In "
            "dual conditions both have as many speeches; a single debate has the "
            "critic's beside the proposer's. McNemar's test is exact; flip is a test "
            "by sign flips of whole questions, which decides where questions have "
            f"several epochs. {tables.BOOTSTRAP} Holm's correction is over the rows of "
            "a table.",
            NO_CONSULTANCY,
        ),
        Part(
            "What speeches change",
            tables.SPEECHES,
            "Each condition with speeches is compared with the same judge's verdicts "
            f"on the same answers alone. {tables.BOOTSTRAP}",
            _needs(
                "That needs the same answers judged without a transcript:",
                "-T protocol=dual_no_transcript -T reuse=LOG",
            ),
        ),
        Part(
            "Best of n speeches",
            [
                lambda data: refusals(
                    "Not compared for best-of-n:",
                    [*data.gains.refused, *data.fours[1]],
                ),
                *tables.BEST_SPEECHES,
            ],
            "The answers are the same; speeches are chosen by a judge's reward, which "
            f"does not know which answers are right. {tables.BOOTSTRAP}",
            _needs(
                "That needs speeches that were chosen:",
                "-T protocol=dual_debate -T best_of=4 -T reuse=LOG",
            ),
        ),
        Part(
            "By difficulty",
            tables.DIFFICULTY,
            "Debate and consultancy on hard, medium and easy questions. Holm's "
            "correction is over the rows of a table.",
            NO_CONSULTANCY,
        ),
        Part(
            "Cleaned against original tasks",
            [
                lambda data: refusals(
                    "Not compared with original tasks:", data.cleaned.refused
                ),
                tables.CLEANED_TASKS,
            ],
            "The study's programming tasks are those of BigCodeBench with repaired "
            "tests and statements. It reports that this raised the accuracy of "
            f"verdicts by 20 to 25 points. {tables.BOOTSTRAP}",
            _needs(
                "That needs one condition on both data, each with its own answers:",
                f"-T dataset={CLEANED} -T protocol=dual_debate",
                f"-T dataset={ORIGINAL} -T protocol=dual_debate",
            ),
        ),
        Part("Answers and stances", tables.ANSWERS, tables.CLUSTERED),
        Part(
            "Places, participants and “both correct”",
            tables.BIASES,
            "Intervals are 95 %, clustered by question. p is of sign flips of "
            "questions, without a correction, and decides where both disagree.",
            NO_VERDICT,
        ),
        chapter(probabilities_of),
        Part(
            "Are conditions alike?",
            tables.EQUIVALENCES,
            "That a difference is not significant does not show that there is none; "
            "that needs a test against differences that would matter.",
            NO_CONSULTANCY,
        ),
        _sanity,
        _provenance,
    ],
    main=(
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
            "{Condition} ({Models and data}): the accuracy of verdicts is {value}.",
            PERCENT,
            " %",
        ),
    ),
    figure=("figure_accuracy",),
)
