"""The report on the ColMAD study: tables, comparisons and figures from logs."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.arms import ARM, MODELS, Part
from inspect_debate.reports.arms import arms as group_arms
from inspect_debate.reports.calls import Calls, call_notices, read_with_calls
from inspect_debate.reports.colmad.comparisons import (
    comparisons,
    detectors,
    gap_table,
    missing_openings,
    oracle_table,
)
from inspect_debate.reports.colmad.figures import (
    alignment_figure,
    judge_figures,
    oracle_figures,
    protocol_figures,
    rounds_figures,
)
from inspect_debate.reports.colmad.frames import AUTHORS, DEBATES, Arm, study_arms
from inspect_debate.reports.colmad.tables import Item as DataItem
from inspect_debate.reports.colmad.tables import (
    category_table,
    cells_table,
    cost_table,
    data_notices,
    debated_table,
    hacking_table,
    item_of,
    item_tables,
    paper_table,
    quality_tables,
)
from inspect_debate.reports.elements import (
    PERCENT,
    POINTS,
    Item,
    Main,
    Notice,
    Report,
    Section,
    counted,
    listed,
)
from inspect_debate.reports.frames import scores_of
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
from inspect_debate.reports.sanity import STAGES, sanity_section, unread_notices

STUDY = "colmad"


def colmad_report(logs: LogPaths, *, allow_partial: bool = False) -> Report:
    """The report on runs of the ColMAD study.

    Args:
        logs: Log files or folders of them.
        allow_partial: Whether to take logs of runs that did not finish.

    Raises:
        InputError: If there are no such logs, or one of them is of no use.
    """
    opened = study_logs(logs, STUDY, allow_partial=allow_partial)
    # First, as it reads what else is to be read beside.
    calls, items = read_with_calls(opened, item_of)
    grouped = group_arms(scores_of(opened))
    arms = study_arms(grouped)
    if not any(len(arm.rows) for arm in arms):
        raise InputError("No sample of these logs was scored: there is no report.")
    told, names = parts(arms), {arm.label: arm.name for arm in arms}
    notices = [
        *run_notices(opened),
        *made_up_notices(grouped.frame, names),
        *data_notices(arms),
        *item_notices(told),
        *sample_notices(grouped, names),
        *unread_notices(told, STAGES),
        *call_notices(calls),
        *self_notices(told),
        *debated_notices(arms),
        *judge_notices(told, AS_IN_THE_PAPER),
        *reuse_notices(grouped.frame, names),
    ]
    return Report(
        title="ColMAD: error detection by debate",
        study="Towards Scalable Oversight with Collaborative Multi-Agent Debate in "
        "Error Detection (arXiv 2510.20963), on ReaLMistake (arXiv 2404.03602)",
        summary=_summary(opened, arms),
        notices=notices,
        sections=[
            *_sections(arms, calls, items),
            sanity_section(told, STAGES, calls),
            provenance_section(opened, runs_of(grouped, names)),
        ],
        main=_MAIN,
        figure=("figure_3_1_gpt4", "figure_3_1_llama2"),
    )


_MAIN = (
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
)


def _summary(logs: Sequence[Log], arms: Sequence[Arm]) -> str:
    items = len({item for arm in arms for item in arm.samples["id"]})
    return (
        f"{counted(len(arms), 'arm')} on {counted(items, 'item')}, from "
        f"{counted(len(logs), 'log')}. An arm is a protocol with its models and "
        "parameters. A protocol's name alone stands for the published parameters: two "
        "rounds of speeches, both debaters speaking at once, answer 1 shown first; "
        "ColMAD with the agreement short-cut (an answer on "
        "which both debaters agree is returned without a debate), CopMAD without it. "
        "What differs (parameters, settings, prompts, seed) stands after the name. The "
        "first debater's model judges, unless a judge is named."
    )


def _sections(
    arms: Sequence[Arm], calls: Calls, items: Sequence[DataItem]
) -> Iterator[Section]:
    yield Section("The items", "", item_tables(items))
    yield Section("Tables 1 and 2", _TABLES, list(_paper_tables(arms)))
    debated = debated_table(arms)
    only = [] if debated is None else [debated]
    yield Section("Metrics", _METRICS, [*quality_tables(arms), *only])
    yield Section("Cost", "", [cost_table(arms, prices_by_arm(arms, calls))])
    tables = comparisons(arms)
    texts = ["" if tables else _NO_COMPARISON, missing_openings(arms)]
    yield Section("Paired comparisons", "\n\n".join(filter(None, texts)), tables)
    yield _oracle(arms)
    yield Section("Figures", "", [*_figures(arms)])
    yield _optional("Categories of error", category_table(arms), _NO_CATEGORY)
    yield _optional("Debate hacking", hacking_table(arms), _NO_HACKING)


_TABLES = (
    "Held against the trivial baselines before anything else: always saying that there "
    "is an error is hard to beat in F2, as most responses have one. The paper's rows "
    "are as printed; what is known to be wrong with them is told below the table."
)
_METRICS = (
    "Balanced accuracy is 50 for any detector that does not look at the items; F1 and "
    "F2 are not, so a gain in them may be no more than a higher share of predicted "
    "errors."
)
_NO_COMPARISON = (
    "None of the arms is a debate beside an arm of the same models to compare it with."
)
_NO_CATEGORY = "No item has a category of error in its metadata."
_NO_HACKING = (
    "No speech was graded. What is needed, for ColMAD and CopMAD:\n\n"
    "- `inspect eval inspect_debate/colmad -T grade=debate_hacking "
    "--model-role grader=G ...`"
)
_NO_ORACLE = (
    "Needs the own answers of two models: runs of `protocol=single`, or debates."
)


def _paper_tables(arms: Sequence[Arm]) -> Iterator[Item]:
    for author in AUTHORS:
        for table in (paper_table(author, arms), cells_table(author, arms)):
            if table is not None:
                yield table


def _optional(title: str, item: Item | None, otherwise: str) -> Section:
    return Section(title, otherwise) if item is None else Section(title, "", [item])


def _oracle(arms: Sequence[Arm]) -> Section:
    found = [oracle_table(detectors(arms)), gap_table(arms)]
    tables = [table for table in found if table is not None]
    return Section("Oracle collaboration", "" if tables else _NO_ORACLE, tables)


def _figures(arms: Sequence[Arm]) -> Iterator[Item]:
    yield from oracle_figures(detectors(arms))
    yield from protocol_figures(arms)
    yield from judge_figures(arms)
    yield alignment_figure(arms)
    yield from rounds_figures(arms)


# What arms cost, as their calls say.


def prices_by_arm(arms: Sequence[Arm], calls: Calls) -> dict[str, float]:
    """Mean cost of an arm's samples in US dollars; NaN where a price is unknown.

    Samples that newer logs replaced are not in it.
    """
    return {
        arm.name: sum(
            calls.prices.get((str(run), str(id), int(epoch)), math.nan)
            for run, id, epoch in arm.samples[["run", "id", "epoch"]].itertuples(
                index=False
            )
        )
        / len(arm.samples)
        for arm in arms
    }


# The arms, as the pages on whether runs can be trusted speak of them.

AS_IN_THE_PAPER = "So it is in the paper."


def parts(arms: Sequence[Arm]) -> list[Part]:
    """The arms of the report."""
    return [_part(arm) for arm in arms]


def debated_notices(arms: Sequence[Arm]) -> Iterator[Notice]:
    """On how many samples there was a debate."""
    held = [
        f"{arm.rows['debated'].mean():.0%} {arm.name}"
        for arm in arms
        if arm.rounds and len(arm.rows)
    ]
    if held:
        yield Notice(
            "Share of samples that were debated; on the others the outcome is the "
            f"answer that both debaters gave at first.\n\n{listed(held)}",
            "info",
        )


def _part(arm: Arm) -> Part:
    debated = arm.protocol in DEBATES
    seats = (arm.debater_a, arm.debater_b) if debated else ()
    return Part(
        named={MODELS: arm.models, ARM: arm.title},
        samples=_with_agreement(arm.samples),
        unknown=int(arm.rows["prediction"].isna().sum()),
        debaters=[model for model in seats if model is not None],
        judges=(arm.judge or "").split(", ") if debated else (),
    )


def _with_agreement(samples: pd.DataFrame) -> pd.DataFrame:
    """With `orders_agree`, where a judge was asked in both orders."""
    if "prediction_ab" not in samples:
        return samples
    ab, ba = samples["prediction_ab"], samples["prediction_ba"]
    both = (samples["verdicts"] > 0) & ab.notna() & ba.notna()
    agree = (ab == ba).astype(float).where(both, np.nan)
    return samples.assign(orders_agree=agree)
