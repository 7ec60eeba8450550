"""Bars of verdict accuracy and errors by condition, beside published values."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from inspect_debate.metrics.tiers import TIERS
from inspect_debate.published.tables import Claim, paper_of
from inspect_debate.reports.elements import (
    counted,
)
from inspect_debate.reports.generative.comparisons import (
    Data,
    Rows,
    accuracy,
    fnr,
    fpr,
)
from inspect_debate.reports.generative.rows import (
    KINDS,
    TIER,
    Condition,
    conditions_in,
    family_key,
    of_study,
)
from inspect_debate.reports.generative.verdicts import REGIMES
from inspect_debate.reports.views import (
    Plot,
)

FLOOR = "Direct QA (judge alone)"

_WAYS = {"debate": "Debate", "consultancy": "Consultancy", "none": "No transcript"}


def _bars(rows: Rows, groups: Sequence[str]) -> Rows:
    """Rows with the panel, the bar and the group of bars that they belong to.

    Args:
        rows: With a column `group`, which has the names of groups.
        groups: All groups, in their order.
    """
    numbers = rows.groupby("heading")["question_id"].transform("nunique")
    named = rows.assign(
        panel=[
            f"{heading} ({counted(number, 'question')})"
            for heading, number in zip(rows["heading"], numbers, strict=True)
        ],
        bar=[_bar(*of) for of in zip(*(rows[c] for c in _OF_BAR), strict=True)],
        way=rows["interaction"].map([*_WAYS].index),
        place=rows.groupby("heading", sort=False).ngroup(),
    )
    there = [group for group in groups if (rows["group"] == group).any()]
    ordered = named.sort_values(["place", "way", "variant", "best_of"], kind="stable")
    return ordered.assign(group=pd.Categorical(ordered["group"], there))


_OF_BAR = ("interaction", "best_of", "variant")


def _bar(interaction: str, best_of: int, variant: str) -> str:
    """The name of a condition among those with as many answers."""
    chosen = f"best of {best_of}" if best_of > 1 else ""
    return ", ".join(filter(None, (_WAYS[interaction], chosen, variant)))


_KIND_NAMES = [kind.capitalize() for kind in KINDS.values()]
_REGIME_NAMES = [
    *("Dual: all wrong", "Dual: contested", "Dual: all right"),
    *("Single: all wrong", "Single: all right"),
]
_TIER_NAMES = [f"{kind}: {tier}" for kind in _KIND_NAMES for tier in TIERS]


def _by_kind(data: Data) -> Rows:
    return _bars(data.judged.assign(group=data.judged["kind"]), _KIND_NAMES)


def _by_regime(data: Data) -> Rows:
    rows = data.judged[data.judged["regime"].notna()]
    names = {
        (proposers, right): name.lower()
        for proposers, regimes in REGIMES.items()
        for name, right in regimes.items()
    }
    found = zip(rows["kind"], rows["proposers"], rows["regime"], strict=True)
    groups = [f"{kind}: {names[of, right]}" for kind, of, right in found]
    return _bars(rows.assign(group=groups), _REGIME_NAMES)


def _by_tier(data: Data) -> Rows:
    rows = data.judged[data.judged[TIER].notna()]
    groups = [f"{k}: {tier}" for k, tier in zip(rows["kind"], rows[TIER], strict=True)]
    return _bars(rows.assign(group=groups), _TIER_NAMES)


def _floor(data: Data) -> dict[str, dict[str, float]]:
    """The accuracy of the judge's own answers, by panel."""
    items = data.items
    alone = items[items["proposers"] == 0].groupby("heading", sort=False)
    own = {
        heading: next(iter(conditions_in(rows).values()))["answer_right"].mean()
        for heading, rows in alone
    }
    panels = _by_kind(data).drop_duplicates("panel")
    found = {
        panel: own[heading]
        for panel, heading in zip(panels["panel"], panels["heading"], strict=True)
        if heading in own
    }
    return {FLOOR: found} if found else {}


def printed(measure: str) -> Callable[[Rows], float]:
    """The published value of the condition of some rows; NaN without one."""

    def value(rows: Rows) -> float:
        found = [
            float(claim.printed.removesuffix("%")) / 100
            for condition in conditions_in(rows)
            for claim in paper_of("generative").text
            if claim.measure == measure and _is_about(claim, condition)
        ]
        return found[-1] if found else np.nan

    return value


def _printed_all_wrong(rows: Rows) -> float:
    return printed("all_wrong")(rows[rows["regime"] == 0])


def _is_about(claim: Claim, condition: Condition) -> bool:
    """Whether a claim is about a condition, which is as in the study."""
    return (
        claim.dataset == condition.dataset
        and of_study(condition.dataset, condition.version)
        and claim.family == family_key(condition.family)
        and claim.proposers == condition.proposers
        and claim.interaction == condition.interaction
        and claim.best_of == condition.best_of
        and not condition.variant
    )


def bars(
    name: str,
    title: str,
    rows: Callable[[Data], Rows],
    of: Callable[[Rows], object],
    *,
    note: str,
    label: str = "verdict accuracy (%)",
    printed: Callable[[Rows], object] | None = None,
    floor: bool = False,
) -> Plot[Data]:
    """A bar for each condition in each group, in a panel for all models and data."""
    return Plot(
        name=f"figure_{name}",
        title=title,
        rows=rows,
        kind="bars",
        x="group",
        values={"": of},
        label=label,
        alt=f"{title}: bars with intervals, a panel for all models and data.",
        series="bar",
        panel="panel",
        limits=(0, 1.02),
        references=_floor if floor else None,
        printed=printed,
        note=f"{note} Lines on bars are 95 % intervals; a flat mark is 0, a dash no "
        "value, a hollow mark a value of the study.",
    )


FIGURES = (
    bars(
        "accuracy",
        "Verdict accuracy by condition",
        _by_kind,
        accuracy,
        note="Direct QA has no verdict: the line is the accuracy of the judge's own "
        "answers.",
        printed=printed("accuracy"),
        floor=True,
    ),
    bars(
        "fpr",
        "False positive rate by condition",
        _by_kind,
        fpr,
        label="wrong answers endorsed (%)",
        note="Of the wrong answers the share that the judge calls correct.",
        printed=printed("fpr"),
    ),
    bars(
        "fnr",
        "False negative rate by condition",
        _by_kind,
        fnr,
        label="right answers rejected (%)",
        note="Of the right answers the share that the judge calls incorrect.",
    ),
    bars(
        "regimes",
        "Verdict accuracy where no, one or every answer is right",
        _by_regime,
        accuracy,
        note="Contested: one of two answers is right.",
        printed=_printed_all_wrong,
    ),
    bars(
        "tiers",
        "Verdict accuracy by difficulty",
        _by_tier,
        accuracy,
        note="Conditions may have different samples here; the table of tiers pairs "
        "them.",
    ),
)
