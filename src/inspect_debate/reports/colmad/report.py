"""The report on the ColMAD study: error detection by one model, two, and debates."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from inspect_debate.reports.colmad import comparisons, detection, figures
from inspect_debate.reports.colmad.conditions import AUTHORS, Condition
from inspect_debate.reports.colmad.measures import Data, read
from inspect_debate.reports.colmad.pairs import conditions_alone
from inspect_debate.reports.conditions import CONDITION, MODELS, ConditionSamples
from inspect_debate.reports.elements import (
    PERCENT,
    POINTS,
    Main,
    Notice,
    Section,
    counted,
)
from inspect_debate.reports.notices import listing, study_notices
from inspect_debate.reports.probabilities import chapter, condition_rows
from inspect_debate.reports.provenance import provenance_section, runs_of
from inspect_debate.reports.ratings import rating_part
from inspect_debate.reports.sanity import STAGES, sanity_section
from inspect_debate.reports.views import StudyReport

_ITEMS_OF = {"gpt4": 3 * 140, "llama2": 3 * 160}
"""Items of the released data by author of the responses, over the three tasks."""

PARSER = "realmistake"
"""How ReaLMistake's authors read their detectors' answers."""

# What must be read first, and whether the runs can be trusted.


def parts(conditions: Sequence[Condition]) -> list[ConditionSamples]:
    """The conditions, as the sections and notices that all reports share have them."""
    return [
        ConditionSamples(
            named={MODELS: one.models, CONDITION: one.title},
            samples=_with_agreement(one.samples),
            unknown=int(one.rows["prediction"].isna().sum()),
            debaters=[model for model in one.people[:2] if model and one.is_debate],
            judges=(one.judge or "").split(", ") if one.is_debate else (),
        )
        for one in conditions
    ]


def _with_agreement(samples: pd.DataFrame) -> pd.DataFrame:
    """With `orders_agree`, where a judge was asked in both orders."""
    if "prediction_ab" not in samples:
        return samples
    ab, ba = samples["prediction_ab"], samples["prediction_ba"]
    both = (samples["verdicts"] > 0) & ab.notna() & ba.notna()
    agree = (ab == ba).astype(float).where(both, np.nan)
    return samples.assign(orders_agree=agree)


def probabilities_of(data: Data) -> pd.DataFrame:
    """Judges' probabilities that there is an error, for the chapter on them."""
    key = ["run", "id", "epoch"]
    named = [one.samples[key].assign(Condition=one.name) for one in data.conditions]
    return condition_rows(data.calls.probabilities, pd.concat(named), "error")


def _names(data: Data) -> dict[str, str]:
    return {one.label: one.name for one in data.conditions}


def _notices(data: Data) -> Iterator[Notice]:
    assert data.grouped is not None
    yield from study_notices(
        data.logs,
        data.grouped,
        _names(data),
        parts(data.conditions),
        data.calls,
        judging="This is also the case in the paper.",
    )
    yield from data_notices(data.conditions)
    yield from debated_notices(data.conditions)
    yield from alone_notices(data.conditions)


def data_notices(conditions: Sequence[Condition]) -> Iterator[Notice]:
    """Conditions that are on a part of the released data, unlike the published rows."""
    found: dict[str, list[str]] = {}
    for author, whole in _ITEMS_OF.items():
        for one in conditions:
            samples = one.samples[one.samples["response_author"] == author]
            size = samples["id"].nunique()
            if 0 < size < whole and not one.samples["data"].eq("sample").any():
                of = f"{size} of {whole} items with responses of {AUTHORS[author]}"
                found.setdefault(of, []).append(one.name)
    yield from listing(
        (f"{of}: {'; '.join(names)}" for of, names in found.items()),
        "These conditions are on a part of ReaLMistake: only tasks of which they have "
        "all items compare with the published rows.",
    )


def debated_notices(conditions: Sequence[Condition]) -> Iterator[Notice]:
    """On how many samples there was a debate."""
    yield from listing(
        (
            f"{one.rows['debated'].mean():.0%} {one.name}"
            for one in conditions
            if one.rounds and len(one.rows)
        ),
        "Share of samples that were debated; on the others the outcome is the answer "
        "that both debaters gave at first.",
        "info",
    )


def _sanity(data: Data) -> Section:
    return sanity_section(parts(data.conditions), STAGES, data.calls)


def _provenance(data: Data) -> Section:
    assert data.grouped is not None
    return provenance_section(data.logs, runs_of(data.grouped, _names(data)))


def alone_notices(conditions: Sequence[Condition]) -> Iterator[Notice]:
    """Which answers of a model are taken, and how these were read."""
    alone = conditions_alone(conditions)
    yield from listing(
        (of_model[0].name for of_model in alone.values() if len(of_model) > 1),
        "What an oracle could make of the answers of two models (Eq. 4) takes one "
        "condition of each model: of those that have several, these. For others, make "
        "a report of their logs alone.",
        "info",
    )
    yield from listing(
        (
            one.name
            for one in conditions
            if one.protocol == "single" and one.parameters.get("parser") != PARSER
            if not one.samples["data"].eq("sample").any()
        ),
        "Do not compare these with the published numbers of ReaLMistake's detectors. "
        f"Those read answers by a rule of their own (`-T config.parser={PARSER}`) and "
        "asked once (`-T config.max_reasks=0`); another rule changes their F1 by up "
        "to 9 points.",
        "info",
    )


# The report.


def _summary(data: Data) -> str:
    items = len({item for one in data.conditions for item in one.samples["id"]})
    return (
        f"{counted(len(data.conditions), 'condition')} on {counted(items, 'item')}, "
        f"from {counted(len(data.logs), 'log')}. A condition is a protocol with its "
        "models and parameters. A protocol's name alone means the published "
        "parameters: two rounds of speeches, both debaters speaking at once, answer 1 "
        "shown first; ColMAD with skip on agreement (an answer on which both debaters "
        "agree is returned without a debate), CopMAD without it. Other parameters, "
        "settings, prompts and seeds follow the name. The first debater's model "
        "judges, unless a judge is named."
    )


REPORT: StudyReport[Data] = StudyReport(
    study="colmad",
    title="ColMAD: error detection by debate",
    source="Towards Scalable Oversight with Collaborative Multi-Agent Debate in Error "
    "Detection (arXiv 2510.20963), on ReaLMistake (arXiv 2404.03602)",
    read=read,
    summary=_summary,
    notices=_notices,
    parts=[
        *(*detection.PARTS, *comparisons.PARTS, *figures.PARTS, *detection.GRADES),
        rating_part(lambda data: data.comparisons),
        chapter(probabilities_of),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("comparisons_f", "F1", "Samples"),
            "{Compared} ({Models}): F1 differs by {value}.",
            POINTS,
            " points",
            where=("Compared", "ColMAD"),
        ),
        Main(
            *("errors", "F1", "Samples"),
            "{Protocol} ({Models}): F1 in finding errors is {value}.",
            PERCENT,
            " %",
            where=("Protocol", "ColMAD"),
        ),
    ),
    figure=("figure_3_1_gpt4", "figure_3_1_llama2"),
)
