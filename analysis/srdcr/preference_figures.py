"""Whose answer is given when the passage is wrong: the paper's figure 9."""

from collections.abc import Callable, Iterator

import pandas as pd

from inspect_debate.analysis.reporting.elements import Figure, Notice
from inspect_debate.analysis.reporting.formats import PERCENT
from inspect_debate.analysis.reporting.panels import Series, line_panels
from inspect_debate.analysis.srdcr.shown import (
    INTERVALS,
    LIMITS,
    PLACES,
    SEVERITY,
    STRATA,
    Shown,
    by_arm,
    by_model,
    by_severity,
    debated,
    halves,
    model_title,
    needs,
    on_shared,
    series,
    share_of,
)
from inspect_debate.analysis.srdcr.study import TIERS
from inspect_debate.analysis.srdcr.verdict_figures import ROUND
from inspect_debate.core.measures.agreement import Share

_PREFERENCES = {
    "context": "the passage's answer",
    "prior": "the prior answer",
    "abstained": "none (it abstains)",
}
_GIVEN = (
    "On perturbed passages, whoever is right. Where the prior answer is the passage's "
    "it counts for both, other answers count for neither; abstentions stand where "
    f"there are any. Arms whose runs ask for no prior answer have no line of it. "
    f"{INTERVALS}"
)
_BY_DEFINITION = ("prior", "golden")
"""Arms that are defined by whose answer they give."""

_DEBATE = ("-T protocol=srdcr --model M",)
_RECALL = ("-T protocol=srdcr -T recall_samples=32 --model M",)
_TIER_PLACES = dict(enumerate(tier.removesuffix(" known").lower() for tier in TIERS))

Strata = Callable[[pd.DataFrame, str], dict[int, Share]]
"""The share of ones in a column, by stratum."""


def preference_by_round(rounds: pd.DataFrame) -> Figure | Notice:
    """Figure 9 by round: what the debate would have decided after each.

    Args:
        rounds: As from `rounds_of`.
    """
    perturbed = rounds[rounds["half"] == "perturbed"]
    panels = {
        f"{model_title(model)}: {title}": rows
        for model, of_model in by_model(perturbed).items()
        for title, rows in by_arm(of_model).items()
    }
    if not panels:
        return needs(
            "The paper's Figure 9 by round", "debates on perturbed passages", _DEBATE
        )
    sizes = "; ".join(f"{halves(debated(of))} ({t})" for t, of in panels.items())
    return Figure(
        name="figure_9_rounds",
        title="The paper's Figure 9: whose answer is given, by round",
        figure=line_panels(
            {title: _preferences(rows, _by_round) for title, rows in panels.items()},
            label="decisions (%)",
            x_label=ROUND,
            format=PERCENT,
            limits=LIMITS,
        ),
        alt=f"{_ALT} the rounds, a panel per way to decide: {', '.join(panels)}.",
        note=f"{_GIVEN} Of the rounds whose verdict could be read, in {sizes}.",
    )


def preference_by_severity(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """Figure 9 by severity of the perturbation, a figure per model.

    Args:
        answers: As from `answers_of`.
    """
    number = 0
    for model, shown in _models(answers).items():
        number += 1
        yield Figure(
            name=f"figure_9_severity_{number}",
            title=f"{_TITLE} by severity, {model_title(model)}",
            figure=line_panels(
                {n: _preferences(rows, by_severity) for n, rows in shown.parts.items()},
                label="answers (%)",
                x_label=SEVERITY,
                format=PERCENT,
                places=PLACES,
                limits=LIMITS,
            ),
            alt=f"{_ALT} severity, a panel per arm: {_list(shown)}.",
            note=f"{shown.note} {_GIVEN} {STRATA}",
        )
    if not number:
        yield needs(
            "The paper's Figure 9 by severity", "answers on perturbed passages", _DEBATE
        )


def preference_by_tier(answers: pd.DataFrame) -> Iterator[Figure | Notice]:
    """Figure 9 by how well the model knows the answer, a figure per model.

    Args:
        answers: As from `answers_of`. An arm whose run asked for no recall has the
            tiers of another run of the model.
    """
    number = 0
    for model, shown in _models(_with_tiers(answers)).items():
        number += 1
        yield Figure(
            name=f"figure_9_tiers_{number}",
            title=f"{_TITLE} by knowledge, {model_title(model)}",
            figure=line_panels(
                {n: _preferences(rows, _by_tier) for n, rows in shown.parts.items()},
                label="answers (%)",
                x_label="how well the right answer is known without the passage",
                format=PERCENT,
                places=_TIER_PLACES,
                limits=LIMITS,
            ),
            alt=f"{_ALT} tiers of knowledge, a panel per arm: {_list(shown)}.",
            note=f"{shown.note} {_GIVEN}",
        )
    if not number:
        yield needs(
            "The paper's Figure 9 by knowledge", "recall on perturbed passages", _RECALL
        )


def _models(answers: pd.DataFrame) -> dict[str, Shown]:
    """By model the arms with a choice, on perturbed passages."""
    free = answers[~answers["arm"].isin(_BY_DEFINITION)]
    perturbed = by_model(free[free["half"] == "perturbed"])
    found = {model: on_shared(by_arm(rows)) for model, rows in perturbed.items()}
    return {model: shown for model, shown in found.items() if shown.parts}


def _with_tiers(answers: pd.DataFrame) -> pd.DataFrame:
    """The answers to questions whose tier is known from any run of the model."""
    if "tier" not in answers:
        return answers.head(0)
    of_item = answers.groupby(["model", "sample"])["tier"].transform("first")
    return answers.assign(tier=of_item)[of_item.notna()]


def _preferences(rows: pd.DataFrame, strata: Strata) -> Series:
    told = rows.assign(abstained=1 - rows["answered"])
    names = dict(_PREFERENCES)
    if not told["abstained"].any():
        del names["abstained"]
    return series({name: strata(told, key) for key, name in names.items()})


def _by_round(rows: pd.DataFrame, column: str) -> dict[int, Share]:
    return _by_number(rows, "round", column)


def _by_tier(rows: pd.DataFrame, column: str) -> dict[int, Share]:
    return _by_number(rows, "tier", column)


def _by_number(rows: pd.DataFrame, stratum: str, column: str) -> dict[int, Share]:
    numbers = rows[stratum].astype(int)
    return {n: share_of(rows[numbers == n], column) for n in sorted(set(numbers))}


def _list(shown: Shown) -> str:
    return "; ".join(shown.parts)


_TITLE = "The paper's Figure 9: whose answer is given,"
_ALT = (
    "Shares of answers that are the passage's wrong one, the model's prior one, and of "
    "abstentions, over"
)
