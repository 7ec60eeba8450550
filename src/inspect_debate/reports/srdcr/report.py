"""The report on the SR-DCR study: tables, comparisons and figures from logs."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.arms import ARM, MODELS, Arms, Part
from inspect_debate.reports.calls import Calls, call_notices, read_calls
from inspect_debate.reports.elements import (
    PERCENT,
    POINTS,
    Main,
    Notice,
    Report,
    Section,
    Table,
    listed,
    section_of,
)
from inspect_debate.reports.logs import Log, LogPaths, study_logs
from inspect_debate.reports.notices import (
    item_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.reports.provenance import (
    RUNS,
    by_value,
    command_list,
    provenance_section,
    runs_of,
)
from inspect_debate.reports.sanity import LIMIT, sanity_section, unread_notices
from inspect_debate.reports.srdcr.accuracy import (
    abstention_table,
    accuracy_table,
    panel_table,
    severity_tables,
    strata_table,
)
from inspect_debate.reports.srdcr.calibration import (
    calibration_table,
    confidence_figures,
    estimates_figure,
    estimates_of,
    origins_table,
    reliability_figure,
    risk_figures,
    risk_table,
    sources_table,
)
from inspect_debate.reports.srdcr.comparisons import (
    TWO_ANSWERS,
    comparisons_table,
    failed_of,
)
from inspect_debate.reports.srdcr.figures import accuracy_figures, severity_figures
from inspect_debate.reports.srdcr.frames import (
    answers_of,
    conditions,
    items_of,
    read_scores,
    rounds_of,
    titles_of,
)
from inspect_debate.reports.srdcr.knowledge import (
    known_figure,
    known_table,
    tiers_table,
)
from inspect_debate.reports.srdcr.paper_tables import claims_table, table_1, table_2
from inspect_debate.reports.srdcr.preference import (
    agents_table,
    agreement_table,
    biases_table,
    contested_table,
    preference_by_round,
    preference_by_round_and_severity,
    preference_by_severity,
    preference_by_severity_and_tier,
    preference_by_tier,
    preference_tables,
    rounds_table,
)
from inspect_debate.reports.srdcr.shown import by_model, model_title
from inspect_debate.reports.srdcr.study import (
    ARMS,
    DOMAINS,
    HALVES,
    PROTOCOLS,
    SEVERITIES,
    STUDY,
    arms_in_order,
    in_order,
)
from inspect_debate.reports.srdcr.tables import HALF_TITLES, MODEL, rows_of
from inspect_debate.reports.srdcr.verdicts import (
    rounds_figures,
    settling_figure,
    settling_table,
    verdict_figure,
    verdicts_table,
)

# What the logs of the study hold, read once for all of a report.


class Data(NamedTuple):
    """Items, answers and rounds of all conditions and models.

    Attributes:
        logs: The logs.
        grouped: All samples by condition, as from `conditions`.
        items: As from `items_of`.
        answers: As from `answers_of`.
        rounds: As from `rounds_of`.
        estimates: As from `estimates_of`.
        calls: What the calls say.
    """

    logs: Sequence[Log]
    grouped: Arms
    items: pd.DataFrame
    answers: pd.DataFrame
    rounds: pd.DataFrame
    estimates: pd.DataFrame
    calls: Calls


def read_data(logs: Sequence[Log]) -> Data:
    """Read the logs.

    Raises:
        InputError: If no sample was scored.
    """
    calls = read_calls(logs)  # first, as it reads what else is to be read beside
    grouped = conditions(read_scores(logs))
    items = items_of(grouped)
    if items.empty:
        raise InputError("No sample of these logs was scored: there is no report.")
    return Data(
        logs,
        grouped,
        items,
        answers_of(items),
        rounds_of(items),
        estimates_of(items),
        calls,
    )


def srdcr_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of SR-DCR and its baselines on ClashEval.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    data = read_data(study_logs(logs, STUDY, allow_partial=allow_partial))
    frame = data.grouped.frame
    runs, names = parts(frame), titles_of(data.grouped)
    return Report(
        title="SR-DCR: when to trust a passage",
        study="When to Trust Context: Self-Reflective Debates for Context Reliability "
        "(arXiv 2506.06020), on ClashEval (arXiv 2404.10198)",
        summary=_summary(data),
        notices=[
            *run_notices(data.logs),
            *made_up_notices(frame, names),
            *half_notices(frame),
            *item_notices(runs),
            *sample_notices(data.grouped, names),
            *unread_notices(runs, STAGES, unscored_arms(data.answers)),
            *answer_notices(data.answers),
            *confidence_notices(data.estimates),
            *agreement_notices(data.answers),
            *call_notices(data.calls),
            *reuse_notices(frame, names),
        ],
        sections=sections(data),
        main=_MAIN,
        figure=("figure_accuracy_1",),
    )


_MAIN = (
    Main(
        *("comparisons", "Difference", "Samples"),
        "SR-DCR − {Compared with} ({Model}): accuracy differs by {value}.",
        POINTS,
        " points",
        where=("Compared with", "Few-shot"),
    ),
    Main(
        *("accuracy", "Overall", "Samples"),
        "{Arm} ({Model}): accuracy is {value}.",
        PERCENT,
        " %",
        where=("Arm", "SR-DCR"),
    ),
)


def _summary(data: Data) -> str:
    items = data.items
    models, questions = items["model"].nunique(), items["question_id"].nunique()
    return (
        f"Models: {models}; questions: {questions}; logs: {len(data.logs)}. Each "
        "question is asked with a right (standard) and with a wrong (perturbed) "
        "passage. An arm is a way to an answer: several share the prior answer, given "
        "without the passage, and the contextual answer, given with it. What differs "
        "from the study's own parameters stands after an arm's name. A model is that "
        "of the Defender, and of all seats where nothing else is said. Under Sanity "
        "and Provenance an arm is what was run: a protocol with its parameters."
    )


# On what data runs are, and which are missing.

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


def balance_table(logs: Sequence[Log]) -> Table | None:
    """The perturbed samples by domain and severity, as the logs tell.

    Returns:
        The table; None where they do not tell.
    """
    rows = [
        {
            RUNS: f"Run {runs}",
            "Domain": title,
            **{f"Severity {n}": of.get(str(n), 0) for n in SEVERITIES},
            "All": sum(of.values()),
        }
        for runs, data in by_value(log.metadata.get("data") or {} for log in logs)
        for domain, title in DOMAINS.items()
        if (of := (data.get("balance") or {}).get("domain_severity", {}).get(domain))
    ]
    if not rows:
        return None
    return Table(
        name="balance",
        title="Perturbed samples as they were drawn",
        frame=pd.DataFrame(rows),
        groups=RUNS,
        note="Before limits of a run; each question has a standard sample, too.",
    )


# The sections of the report: first what was found, then whether it can be trusted.


def sections(data: Data) -> list[Section]:
    """All sections; those without anything in them say what is missing."""
    return [section(data) for section in _SECTIONS]


def _accuracy(data: Data) -> Section:
    items = [accuracy_table(data.answers), *accuracy_figures(data.answers)]
    return section_of("Accuracy", _ACCURACY, items)


def _paper(data: Data) -> Section:
    items = [table_1(data.answers), table_2(data.answers), claims_table()]
    return section_of("The paper's Tables 1 and 2", _PAPER, items)


def _severity(data: Data) -> Section:
    items = [
        *severity_tables(data.answers),
        *severity_figures(data.answers),
        strata_table(data.answers),
    ]
    return section_of("By severity", _SEVERITY, items)


def _comparisons(data: Data) -> Section:
    table = comparisons_table(data.answers, failed_of(data.grouped.frame))
    return section_of("Paired comparisons", "", [table], otherwise=_NO_COMPARISON)


def _abstention(data: Data) -> Section:
    items = [
        abstention_table(data.answers),
        risk_table(data.answers, data.rounds),
        *risk_figures(data.answers, data.rounds),
    ]
    return section_of("Abstention", _ABSTENTION, items)


def _preference(data: Data) -> Section:
    items = [
        agreement_table(data.answers),
        contested_table(data.answers),
        biases_table(data.answers),
        *preference_tables(data.answers),
        preference_by_round(data.rounds),
        *preference_by_severity(data.answers),
        *preference_by_tier(data.answers),
        preference_by_severity_and_tier(data.answers),
        preference_by_round_and_severity(data.answers),
    ]
    return section_of("Passage or memory", _PREFERENCE, items)


def _rounds(data: Data) -> Section:
    items = [
        rounds_table(data.rounds),
        *rounds_figures(data.answers, data.rounds),
        agents_table(data.items),
        verdicts_table(data.rounds),
        verdict_figure(data.rounds),
        settling_table(data.rounds),
        panel_table(data.items),
        settling_figure(data.rounds),
    ]
    return section_of("Rounds and verdicts", "", items)


def _knowledge(data: Data) -> Section:
    items = [
        tiers_table(data.estimates),
        known_table(data.estimates),
        known_figure(data.estimates),
        *confidence_figures(data.estimates),
    ]
    return section_of("What the model knows", _KNOWLEDGE, items)


def _calibration(data: Data) -> Section:
    items = [
        calibration_table(data.estimates),
        reliability_figure(data.estimates),
        sources_table(data.estimates),
        estimates_figure(data.estimates),
        origins_table(data.estimates),
    ]
    return section_of("Confidence", "", items)


def _sanity(data: Data) -> Section:
    own = [origins_of_arms(data.answers)]
    runs = parts(data.grouped.frame)
    return sanity_section(runs, STAGES, data.calls, own, unread=UNREAD)


def _provenance(data: Data) -> Section:
    return provenance_section(
        data.logs,
        runs_of(data.grouped, titles_of(data.grouped)),
        [balance_table(data.logs)],
        absent=command_list(_ABSENT, absent_protocols(data.items)),
    )


_SECTIONS: tuple[Callable[[Data], Section], ...] = (
    *(_accuracy, _paper, _severity, _comparisons, _abstention),
    *(_preference, _rounds, _knowledge, _calibration, _sanity, _provenance),
)

_ACCURACY = (
    "Every arm is held against those that do not look at the passage's worth: always "
    "following it, never following it, and never answering. An arm that trusts "
    "passages less gains on the perturbed half and loses on the standard one."
)
_PAPER = (
    "What is known to be wrong with a printed cell stands below its table. SR-DCR was "
    "not scored on the same items as its baselines, and golden not on the same answers "
    "as few-shot; here all arms of a run share their answers, and the comparisons "
    "further down their items."
)
_SEVERITY = (
    "Years have offsets, which are the paper's; the other domains have degrees of "
    "their own, sorted into five strata of severity."
)
_ABSTENTION = (
    "An abstention is neither right nor wrong, so accuracy over all items, coverage "
    "and accuracy over the answered ones stand together."
)
_PREFERENCE = (
    "Arbitration can matter only where prior and contextual answer differ. Arms "
    "without a prior answer of their own are held against that of the model's newest "
    "run; whether they keep it is not known."
)
_KNOWLEDGE = (
    "Tiers and figures need answers recalled from memory: "
    f"`{COMMAND} -T recall_samples=32 --model M`."
)
_NO_COMPARISON = (
    "SR-DCR is not among these logs, or stands alone; what is needed:\n\n"
    f"- `{COMMAND} -T protocol=srdcr --model M`"
)
_ABSENT = "Baselines of the study that these logs do not have:"


# Whether the runs can be trusted: samples, statuses, and whose answers an arm has.

STAGES = {"clash.answers": "Answers", "clash.verdicts": "Verdicts"}
"""What is asked for, as readers see it."""

UNREAD = "Further answers, for self-consistency and recall, are not in it."
"""What else there is to say of what could not be read."""


def parts(frame: pd.DataFrame) -> list[Part]:
    """What was run, by protocol with its parameters and model.

    Args:
        frame: `Arms.frame` as from `conditions`.
    """
    return [
        _part(str(title), model, of[of["model"] == model])
        for title, of in frame.groupby("title", sort=False)
        for model in in_order(of["model"])
    ]


def origins_of_arms(answers: pd.DataFrame) -> Table:
    """From which logs each arm's answers are.

    Args:
        answers: As from `answers_of`.
    """
    rows = []
    for model, of_model in by_model(answers).items():
        for (log, origin), of in of_model.groupby(["log", "answer_set"], sort=False):
            rows.append(
                {
                    MODEL: model_title(model),
                    "Log": log,
                    "Run as": of["title"].iloc[0],
                    "Arms": "; ".join(ARMS[arm] for arm in arms_in_order(of["arm"])),
                    "Samples": len(of.drop_duplicates(["sample", "epoch"])),
                    "Answers first asked for in": "" if origin == log else origin,
                }
            )
    return Table(
        name="arm_logs",
        title="Where the arms come from",
        frame=pd.DataFrame(rows),
        groups=MODEL,
        note="Several runs of a model may have the same arm, as all that ask for the "
        "prior and the contextual answer have few-shot. It is taken from the run of "
        "SR-DCR that holds it, so that arms follow from the same answers, else from "
        "the run made for its sake, else from the newest that has it. Runs for its "
        "sake with other parameters stand beside it under names of their own.",
    )


def _part(title: str, model: str, samples: pd.DataFrame) -> Part:
    halves = samples["half"].value_counts()
    return Part(
        named={MODELS: model_title(model), ARM: title},
        samples=samples,
        item="question_id",
        told={told: int(halves.get(half, 0)) for half, told in HALF_TITLES.items()},
    )


# What has to be read before the numbers: halves, answers and confidences.

_SOURCES = {1.0: "log-probabilities", 2.0: "self-consistency"}


def half_notices(frame: pd.DataFrame) -> Iterator[Notice]:
    """Runs on one half of a testbed.

    Args:
        frame: `Arms.frame` as from `conditions`.
    """
    for model, rows in by_model(frame).items():
        missing = [half for half in HALVES if half not in set(rows["half"])]
        if missing:
            yield Notice(
                f"{model_title(model)} has no {missing[0]} samples, so that nothing "
                "overall can be said of it."
            )


def unscored_arms(answers: pd.DataFrame) -> list[str]:
    """Arms of which too many samples are not scored.

    Args:
        answers: As from `answers_of`.
    """
    return [
        f"{share:.0%} of the samples not scored: {of.title} ({model_title(of.model)})"
        for of in rows_of(answers)
        if (share := of.answers["strict"].isna().mean()) > LIMIT
    ]


def answer_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """Arms of one model that follow from different prior and contextual answers.

    Args:
        answers: As from `answers_of`.
    """
    apart = []
    for model, rows in by_model(answers[answers["arm"].isin(TWO_ANSWERS)]).items():
        sets = rows.groupby("answer_set", sort=False)["arm"].unique()
        if len(sets) > 1:
            apart += [
                f"{model_title(model)}, `{log}`: {', '.join(ARMS[a] for a in arms)}"
                for log, arms in sets.items()
            ]
    if apart:
        yield Notice(
            "Arms of one model follow from prior and contextual answers that were "
            "asked for several times, so that chance is in their differences, too; "
            f"`reuse` has them answered once.\n\n{listed(apart)}"
        )


def agreement_notices(answers: pd.DataFrame) -> Iterator[Notice]:
    """On how many samples there is anything to arbitrate.

    Args:
        answers: As from `answers_of`.
    """
    same = [
        f"{agreed.mean():.0%}: {model_title(model)}"
        for model, rows in by_model(answers).items()
        if len(agreed := rows.drop_duplicates(["sample", "epoch"])["agree"].dropna())
    ]
    if same:
        yield Notice(
            "Share of samples on which prior and contextual answer say the same, so "
            "that no arbitration can matter; on the others see “Accuracy where prior "
            f"and contextual answer differ”.\n\n{listed(same)}",
            "info",
        )


def confidence_notices(estimates: pd.DataFrame) -> Iterator[Notice]:
    """Prior answers without a confidence, and confidences of two kinds in one model.

    Args:
        estimates: As from `estimates_of`.
    """
    asked = estimates[estimates["prior_strict"].notna()]
    if "source" not in asked:
        return
    mixed, lacking = [], []
    for model, rows in by_model(asked).items():
        counts = rows["source"].map(_SOURCES).value_counts()
        if len(counts) > 1:
            told = ", ".join(f"{n} from {source}" for source, n in counts.items())
            mixed.append(f"{model_title(model)}: {told}")
        if share := rows["source"].isna().mean():
            lacking.append(f"{share:.0%}: {model_title(model)}")
    if mixed:
        yield Notice(
            "Confidences of one model come from two sources, which one threshold does "
            f"not treat alike.\n\n{listed(mixed)}"
        )
    if lacking:
        yield Notice(
            "Share of the prior answers of which no confidence is known. Where the "
            "judge is against the passage, these are not scored.\n\n"
            f"{listed(lacking)}"
        )
