"""The report on the SR-DCR study, made from logs.

A condition is a way to an answer: a protocol, or a part of one that several protocols
share, such as the prior answer. Of each, the standard half (the passage is right) and
the perturbed half (it is wrong) are reported, and overall the mean of both.
"""

from collections.abc import Iterator

import pandas as pd

from inspect_debate.v1.reports.calls import call_notices
from inspect_debate.v1.reports.conditions import CONDITION, MODELS
from inspect_debate.v1.reports.conditions import ConditionSamples as Run
from inspect_debate.v1.reports.elements import (
    PERCENT,
    POINTS,
    Column,
    Main,
    Notice,
    Section,
    Table,
    counted,
)
from inspect_debate.v1.reports.notices import (
    item_notices,
    listing,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.v1.reports.probabilities import chapter, condition_rows
from inspect_debate.v1.reports.provenance import (
    RUNS,
    by_value,
    command_list,
    provenance_section,
    runs_of,
)
from inspect_debate.v1.reports.sanity import LIMIT, sanity_section, unread_notices
from inspect_debate.v1.reports.srdcr import accuracy, decisions, knowledge
from inspect_debate.v1.reports.srdcr.measures import (
    COMMAND,
    HALF_TITLES,
    Data,
    each_sample,
    read,
)
from inspect_debate.v1.reports.srdcr.rows import (
    CONDITIONS,
    DEBATES,
    DOMAINS,
    HALVES,
    OF_SRDCR,
    PROTOCOLS,
    SEVERITIES,
    SOURCES,
    STUDY,
    TWO_ANSWERS,
    in_order,
    model_title,
)
from inspect_debate.v1.reports.views import Columns, StudyReport, View

# Whether the runs can be trusted, and where they come from.

STAGES = {"clash.answers": "Answers", "clash.verdicts": "Verdicts"}


def runs(frame: pd.DataFrame) -> list[Run]:
    """What was run, by protocol with its parameters and model.

    Args:
        frame: `Grouped.frame` as from `conditions`.
    """
    return [
        Run(
            named={MODELS: model_title(model), CONDITION: str(title)},
            samples=(samples := of[of["model"] == model]),
            item="question_id",
            told={
                name: int((samples["half"] == half).sum())
                for half, name in HALF_TITLES.items()
            },
        )
        for title, of in frame.groupby("title", sort=False)
        for model in in_order(of["model"])
    ]


def probabilities_of(data: Data) -> pd.DataFrame:
    """Judges' probabilities that the passage's answer is right, for their chapter."""
    frame = data.grouped.frame
    names = frame["title"] + " (" + frame["model"].map(model_title) + ")"
    named = frame[["run", "epoch"]].assign(id=frame["sample"], Condition=names)
    return condition_rows(data.calls.probabilities, named, "reasonable")


def _origin(rows: pd.DataFrame) -> dict[Column, object]:
    found = {*rows["key"]}
    log, origin = rows["log"].iloc[0], rows["answer_set"].iloc[0]
    return {
        "Run as": rows["title"].iloc[0],
        "Conditions": "; ".join(CONDITIONS[key] for key in CONDITIONS if key in found),
        "Samples": len(each_sample(rows)),
        "Answers first asked for in": "" if origin == log else origin,
    }


ANSWER_LOGS = View[Data](
    "answer_logs",
    "Which logs the answers are taken from",
    lambda data: data.answers,
    {"Model": "Model", "Log": "log"},
    [Columns(_origin)],
    note="A condition that several runs contain is taken from the run of SR-DCR, else "
    "from the run of its own protocol, else from the newest. Runs of its own protocol "
    "with other parameters are conditions of their own.",
    folded=True,
)


def balance(data: Data) -> Table | None:
    """The perturbed samples by domain and severity, as the logs have drawn them."""
    rows = [
        {
            RUNS: f"Run {numbers}",
            "Domain": title,
            **{f"Severity {n}": of.get(str(n), 0) for n in SEVERITIES},
            "All": sum(of.values()),
        }
        for numbers, found in by_value(
            log.metadata.get("data") or {} for log in data.logs
        )
        for domain, title in DOMAINS.items()
        if (of := (found.get("balance") or {}).get("domain_severity", {}).get(domain))
    ]
    if not rows:
        return None
    return Table(
        name="balance",
        title="Perturbed samples as they were drawn",
        frame=pd.DataFrame(rows),
        groups=RUNS,
        note="Before a run's limit; each question has a standard sample, too.",
        folded=True,
    )


def absent(data: Data) -> str:
    """The commands of the study's protocols whose results these logs do not have."""
    reusing = {key for key in OF_SRDCR if key not in ("prior", *DEBATES)}
    here = {*data.items["protocol"]}
    included = {"acvd_only", *reusing}  # in a run of SR-DCR
    lines = [
        f"{COMMAND} -T protocol={protocol} --model M"
        for protocol in ("srdcr", *PROTOCOLS)
        if protocol not in here | included
    ]
    lines = list(dict.fromkeys(lines))
    return command_list("Baselines of the study that these logs do not have:", lines)


def sanity(data: Data) -> Section:
    """Samples, what could not be read, and the logs of the conditions."""
    return sanity_section(
        runs(data.grouped.frame),
        STAGES,
        data.calls,
        ANSWER_LOGS(data),
        unread="Further answers, for self-consistency and recall, are not in it.",
    )


def provenance(data: Data) -> Section:
    """Commands, runs, data, prompts and parameters."""
    found = runs_of(data.grouped, data.titles)
    return provenance_section(data.logs, found, [balance(data)], absent=absent(data))


# What must be read before the numbers.


def notices(data: Data) -> Iterator[Notice]:
    """What may overturn the numbers, and what explains them."""
    frame, of_runs = data.grouped.frame, runs(data.grouped.frame)
    yield from run_notices(data.logs)
    yield from made_up_notices(frame, data.titles)
    for model in in_order(frame["model"]):
        there = {*frame["half"][frame["model"] == model]}
        for half in [half for half in HALVES if half not in there][:1]:
            yield Notice(
                f"{model_title(model)} has no {half} samples, so it has no overall "
                "results."
            )
    yield from item_notices(of_runs)
    yield from sample_notices(data.grouped, data.titles)
    yield from unread_notices(of_runs, STAGES, _unscored(data.answers))
    yield from _answer_notices(data.answers)
    yield from _confidence_notices(data.estimates)
    yield from _agreement_notices(data.answers)
    yield from call_notices(data.calls)
    yield from reuse_notices(frame, data.titles)


def _unscored(answers: pd.DataFrame) -> list[str]:
    """Conditions with too many samples that are not scored."""
    return [
        f"{missing:.0%} of the samples not scored: {name} ({model})"
        for (model, name), of in answers.groupby(["Model", "Condition"], sort=False)
        if (missing := of["strict"].isna().mean()) > LIMIT
    ]


def _answer_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """Conditions of one model that follow from different answers."""
    rows = answers[answers["key"].isin(TWO_ANSWERS)]
    sets = {
        str(model): of.groupby("answer_set", sort=False)["key"].unique()
        for model, of in rows.groupby("Model", sort=False)
    }
    yield from listing(
        (
            f"{model}, `{log!s}`: {', '.join(CONDITIONS[key] for key in keys)}"
            for model, of in sets.items()
            for log, keys in of.items()
            if len(of) > 1
        ),
        "The prior and contextual answers of a model were asked for several times, so "
        "differences between its conditions include chance. With `reuse` they are "
        "asked for once.",
    )


def _agreement_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    yield from listing(
        (
            f"{agreed.mean():.0%}: {model}"
            for model, of in each_sample(answers).groupby("Model", sort=False)
            if len(agreed := of["agree"].dropna())
        ),
        "Share of samples whose prior and contextual answer say the same, so that it "
        "does not matter whose is given; for the others see “Accuracy where prior and "
        "contextual answer differ”.",
        "info",
    )


def _confidence_notices(estimates: pd.DataFrame) -> Iterator[Notice]:
    """Prior answers without a confidence, and models with two kinds of confidence."""
    rows = estimates[estimates["prior_strict"].notna()]
    if "source" not in rows:
        return
    names = dict(enumerate(SOURCES.values(), start=1))
    sources = rows["source"].map(names).groupby(rows["Model"], sort=False)
    counts = {model: of.value_counts() for model, of in sources}
    yield from listing(
        (
            f"{model}: {', '.join(f'{n} from {name}' for name, n in of.items())}"
            for model, of in counts.items()
            if len(of) > 1
        ),
        "Confidences of one model come from two sources, for which one threshold means "
        "different things.",
    )
    yield from listing(
        (f"{missing:.0%}: {m}" for m, of in sources if (missing := of.isna().mean())),
        "Share of the prior answers without a confidence, which are not scored where "
        "the judge is against the passage.",
    )


# The report.


def summary(data: Data) -> str:
    """What the logs contain, and the terms of the report."""
    models, questions = (data.items[c].nunique() for c in ("model", "question_id"))
    return (
        f"{counted(models, 'model')}, {counted(questions, 'question')}, "
        f"{counted(len(data.logs), 'log')}. Each question is asked with a right "
        "(standard) and with a wrong (perturbed) passage. Several conditions share the "
        "prior answer, given without the passage, and the contextual answer, given "
        "with it. Parameters that differ from the study's follow a condition's name. "
        "The model is that of all participants unless others are named."
    )


REPORT = StudyReport[Data](
    study=STUDY,
    title="SR-DCR: when to trust a passage",
    source="When to Trust Context: Self-Reflective Debates for Context Reliability "
    "(arXiv 2506.06020), on ClashEval (arXiv 2404.10198)",
    read=read,
    summary=summary,
    notices=notices,
    parts=[
        *(*accuracy.PARTS, *decisions.PARTS, *knowledge.PARTS),
        chapter(probabilities_of),
        sanity,
        provenance,
    ],
    main=[
        Main(
            *("comparisons", "Difference", "Samples"),
            "The accuracy of SR-DCR differs by {value} from that of {Compared with}, "
            "{Model}.",
            POINTS,
            " points",
            where=("Compared with", "Few-shot"),
        ),
        Main(
            *("accuracy", "Overall", "Samples"),
            "{Condition} ({Model}): accuracy is {value}.",
            PERCENT,
            " %",
            where=("Condition", "SR-DCR"),
        ),
    ],
    figure=["figure_accuracy_1"],
)
