"""The study's claims: ours beside them, and how far the text bears them out."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.tiers import TIERS
from inspect_debate.published.tables import Claim, paper_of
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Cell,
    Format,
    Table,
    interval_text,
)
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.comparisons import Compared, Comparison, Data
from inspect_debate.reports.generative.rows import (
    CLEANED,
    FAMILIES,
    KEYS,
    KINDS,
    PROTOCOLS,
    TIER,
    Condition,
    Conditions,
    Rows,
    accuracy,
    chosen,
    conditions_in,
    family_key,
    format_named,
    fpr,
    heading_of,
    joined,
    of_study,
    share,
)
from inspect_debate.solvers.formats import Interaction

DATA = {"arc": "ARC-AGI-1", CLEANED: "BigCodeBench-Plus"}
"""The study's data as readers see them; that ARC-AGI's version is 1 is inferred."""

NUMBERS = ("Our value", "Our value low", "Our value high", "Our n")
"""Columns of the CSV file: our value as numbers, where there is exactly one."""

_N = (
    "n: samples with a readable verdict (in both conditions of a comparison); of FPR "
    "wrong answers, of a share of flips these, of losses, ties and wins comparisons."
)


@dataclass(frozen=True)
class Context:
    """What a report has of some models and data, to be put beside claims.

    Attributes:
        data: The data of the report.
        headings: The models and data, as readers see them; all if None.
    """

    data: Data
    headings: Collection[str] | None = None

    @cached_property
    def conditions(self) -> Conditions:
        """The rows of each of their conditions."""
        return {
            condition: rows
            for condition, rows in self.data.conditions.items()
            if self.headings is None or heading_of(rows) in self.headings
        }

    @cached_property
    def items(self) -> Rows:
        """The rows of all their conditions."""
        return pd.concat(self.conditions.values())

    def condition(
        self, proposers: int, interaction: Interaction, best_of: int = 1
    ) -> Condition | None:
        """The condition of that format without a variant, or else the only one."""
        wanted = (proposers, interaction, best_of)
        alike = [
            of
            for of in self.conditions
            if (of.proposers, of.interaction, of.best_of) == wanted
        ]
        return next(iter([of for of in alike if not of.variant] or alike), None)

    def compared(self, found: Compared) -> dict[Condition, Comparison]:
        """Those of some comparisons that are of their conditions."""
        made = {one.condition: one for one in found.made}
        return {of: made[of] for of in self.conditions if of in made}

    def is_of(self, claim: Claim) -> bool:
        """Whether a claim is about these models and data."""
        of = next(iter(self.conditions))
        family = family_key(of.family)
        return (
            of_study(of.dataset, of.version)
            and family is not None
            and claim.family in (None, family)
            and claim.dataset in (None, of.dataset)
        )


# The tables.


def published_tables(data: Data) -> list[Table | None]:
    """Published claims beside ours, and the same measures of other models or data.

    Args:
        data: The data of a report.

    Returns:
        Two tables; None for the second where all runs are of the study's models on its
        data, or have nothing that a claim is about.
    """
    headings = map(str, data.items["heading"].unique())
    here = {heading: Context(data, [heading]) for heading in headings}
    paper = paper_of("generative")
    claims = Table(
        name="published",
        title="Published claims beside ours",
        frame=pd.DataFrame([_row(claim, here) for claim in paper.text]),
        marks={
            Cell(place, "Printed"): reason
            for place, claim in enumerate(paper.text)
            if (reason := paper.note_of(claim))
        },
        note=f"Printed values are of {paper.source}; ours only where its models ran on "
        f"its data. {_N}",
        hidden=NUMBERS,
    )
    elsewhere = [
        {"Models and data": heading, **row}
        for heading, context in here.items()
        for row in _elsewhere(context)
    ]
    if not elsewhere:
        return [claims, None]
    return [
        claims,
        Table(
            name="published_elsewhere",
            folded=True,
            title="What the claims are about, of other models or data",
            frame=pd.DataFrame(elsewhere),
            groups="Models and data",
            note="Printed values are of other models or data, for orientation only. "
            f"{_N}",
            hidden=NUMBERS,
        ),
    ]


def _row(claim: Claim, here: Mapping[str, Context]) -> dict[str, object]:
    about = {heading: of for heading, of in here.items() if of.is_of(claim)}
    contexts = list(about.values())
    if about and claim.measure in _OUTCOMES:
        # These count the comparisons of all models and data together.
        contexts = [replace(contexts[0], headings=[*about])]
    found = [values for of in contexts if (values := values_of(of, claim))]
    return {
        "Claim": claim.claim,
        "Condition": _format(claim),
        "Data": DATA.get(claim.dataset or ""),
        "Models": FAMILIES.get(claim.family or ""),
        "Printed": claim.printed,
        "Ours": " / ".join(ours(values, claim) for values in found),
        "Reading": claim.convention,
        **_numbers([value for values in found for value in values]),
    }


def _elsewhere(context: Context) -> Iterator[dict[str, object]]:
    """Every measure once, with the printed values of all that it was printed for."""
    printed: dict[tuple[str, str], list[Claim]] = {}
    for claim in paper_of("generative").text:
        if claim.measure is not None and claim.measure not in _OUTCOMES:
            printed.setdefault((claim.claim, _format(claim)), []).append(claim)
    for (about, format), claims in printed.items():
        if any(context.is_of(claim) for claim in claims):
            continue
        if found := values_of(context, claims[0]):
            yield {
                "Claim": about,
                "Condition": format,
                "Here": ours(found, claims[0]),
                "Printed": "; ".join(f"{one.printed}{_whose(one)}" for one in claims),
                **_numbers(found),
            }


def _format(claim: Claim) -> str:
    if claim.proposers and claim.interaction:
        named = PROTOCOLS[format_named(claim.proposers, claim.interaction)]
    else:
        kind = KINDS[claim.proposers] if claim.proposers else claim.interaction
        named = (kind or "").capitalize()
    return joined(named, chosen(claim.best_of))


def _whose(claim: Claim) -> str:
    known = joined(DATA.get(claim.dataset or ""), FAMILIES.get(claim.family or ""))
    return f" ({known})" if known else ""


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


def _is_about(claim: Claim, of: Condition) -> bool:
    """Whether a claim is about a condition, which is as in the study."""
    about = (claim.dataset, claim.family, claim.proposers, claim.interaction)
    return (
        about == (of.dataset, family_key(of.family), of.proposers, of.interaction)
        and claim.best_of == of.best_of
        and of_study(of.dataset, of.version)
        and not of.variant
    )


# Our values of what the study's text claims.


class Value(NamedTuple):
    """A value of ours.

    Attributes:
        estimate: The value, with the ends of its interval where it has one.
        n: What it is a share, mean or difference of: samples, wrong answers, verdicts
            that flip, or comparisons.
        kind: `dual` or `single` where a claim is about both; empty if it is about one.
    """

    estimate: Estimate
    n: int
    kind: str = ""


Values = Sequence[Value]
"""One value, one for each kind of format, or none."""

Valued = Callable[[Context, Claim], Values]


class Measure(NamedTuple):
    """How a claim's value is taken from the rows, and shown with its unit."""

    value: Valued
    format: Format
    unit: str


def values_of(context: Context, claim: Claim) -> Values:
    """Our values of what a claim is about: one, one for each kind of format, or none.

    Args:
        context: Rows of one family and data, whether or not the claim is about them.
        claim: The claim.
    """
    if claim.measure is None:
        return []
    found = MEASURES[claim.measure].value(context, claim)
    return [one for one in found if one.estimate.value == one.estimate.value]


def ours(found: Values, claim: Claim) -> str:
    """Our values as text: "72.6 % [69.4, 75.7], n=800"; empty where there is none.

    Args:
        found: As from `values_of`.
        claim: The claim.
    """
    return "; ".join(_text(one, MEASURES[str(claim.measure)]) for one in found)


def _text(one: Value, measure: Measure) -> str:
    value, low, high = one.estimate
    kind = f"{one.kind}:" if one.kind else ""
    interval = interval_text(measure.format, low, high)
    words = (kind, measure.format(value), measure.unit, interval)
    return f"{' '.join(filter(None, words))}, n={one.n}"


def _numbers(found: Values) -> dict[str, object]:
    """The only value as numbers."""
    if len(found) != 1:
        return dict.fromkeys(NUMBERS)
    return dict(zip(NUMBERS, (*found[0].estimate, found[0].n), strict=True))


def _conditions(context: Context, claim: Claim) -> Iterator[tuple[Condition, str]]:
    """The conditions that a claim is about: of both kinds where it names none."""
    interaction: Interaction = claim.interaction or "debate"
    for proposers in (claim.proposers,) if claim.proposers else KINDS:
        found = context.condition(proposers, interaction, claim.best_of or 1)
        if found is not None:
            yield found, "" if claim.proposers else KINDS[found.proposers]


def _of_condition(rate: Callable[[Rows], Value]) -> Valued:
    """A rate of the rows of the claim's condition."""
    return lambda context, claim: [
        rate(context.conditions[of])._replace(kind=kind)
        for of, kind in _conditions(context, claim)
    ]


def _of_pairs(
    rate: Callable[[Comparison], Value], pairs: Callable[[Data], Compared]
) -> Valued:
    """A rate of the pairs of the claim's condition and what it is compared with."""

    def values(context: Context, claim: Claim) -> Values:
        made = context.compared(pairs(context.data))
        return [
            rate(made[of])._replace(kind=kind)
            for of, kind in _conditions(context, claim)
            if of in made
        ]

    return values


def _accuracy(rows: Rows) -> Value:
    return Value(accuracy(rows), int(rows["verdict_correct"].count()))


def _all_wrong(rows: Rows) -> Value:
    return _accuracy(rows[rows["regime"] == 0])


def _fpr(rows: Rows) -> Value:
    return Value(fpr(rows), int(rows["n_wrong"].sum()))


def _bare(value: float) -> Estimate:
    return Estimate(value, nan, nan)


def _gain(one: Comparison) -> Value:
    return Value(Estimate(*one.difference[:3]), one.samples)


def _fpr_gain(one: Comparison) -> Value:
    return Value(Estimate(*one.fpr[:3]), _fpr(one.b).n)


def _times(one: Comparison) -> Value:
    other, ours = _fpr(one.a), _fpr(one.b)
    below = other.estimate.value
    return Value(_bare(ours.estimate.value / below if below else nan), ours.n)


def _all_wrong_gap(one: Comparison) -> Value:
    other, ours = _all_wrong(one.a), _all_wrong(one.b)
    return Value(_bare(other.estimate.value - ours.estimate.value), ours.n)


def _flips(one: Comparison) -> Value:
    return Value(Estimate(*one.shares.flip[:3]), one.samples)


def _hurt(one: Comparison) -> Value:
    number = one.moved.hurt + one.moved.helped
    return Value(Estimate(*one.shares.hurt[:3]), number)


def _of_any_format(column: str, least: int, identity: str) -> Valued:
    """A truth about answers, over all formats that have them, each once."""

    def values(context: Context, claim: Claim) -> Values:
        judged = context.items[context.items["proposers"] >= least]
        once = judged.drop_duplicates([*KEYS, identity]).dropna(subset=column)
        right = (once[column] == least).astype(float)
        return [Value(share(once, right), len(once))] if len(once) else []

    return values


def _times_other(context: Context, claim: Claim) -> Values:
    """FPR of debate as a multiple of that of the format which the claim names."""
    debate = claim.model_copy(update={"interaction": "debate"})
    other = _CONSULTANCY if claim.interaction == "consultancy" else _UNSPOKEN
    return _of_pairs(_times, other)(context, debate)


def _best_less_none(context: Context, claim: Claim) -> Values:
    """The best accuracy with speeches less that without, of either kind."""
    made = context.compared(context.data.no_transcript).values()
    best: dict[str, Comparison] = {}
    for one in sorted(made, key=lambda one: -one.difference.difference):
        best.setdefault(one.condition.kind, one)
    # The best of several has no interval of its own.
    return [
        Value(_bare(best[kind].difference.difference), best[kind].samples, kind)
        for kind in KINDS.values()
        if kind in best
    ]


def _counted(outcome: str) -> Valued:
    def values(context: Context, claim: Claim) -> Values:
        made = context.compared(context.data.consultancy).values()
        number = sum(one.outcome(one.p) == outcome for one in made)
        return [Value(_bare(number), len(made))] if made else []

    return values


def _did(context: Context, claim: Claim) -> Values:
    """The gain of debate less that of consultancy, on the samples that all have."""
    fours, _ = context.data.fours
    about = context.condition(claim.proposers or 1, "debate", claim.best_of or 1)
    tested = [four.tested for four in fours if four.condition == about]
    return [Value(Estimate(of.value, of.low, of.high), of.n) for of in tested]


def _hard_answers(context: Context, claim: Claim) -> Values:
    """Answer accuracy of debate less that of consultancy on hard questions."""
    right = []
    for way in _SPEAKING:
        found = context.condition(claim.proposers or 1, way)
        if found is None:
            return []
        rows = context.conditions[found]
        right.append(rows.loc[rows[TIER] == TIERS[0], "answer_right"].dropna())
    debate, consultancy = right
    return [Value(_bare(debate.mean() - consultancy.mean()), len(debate))]


_SPEAKING: tuple[Interaction, ...] = ("debate", "consultancy")
_CONSULTANCY: Callable[[Data], Compared] = attrgetter("consultancy")
_UNSPOKEN: Callable[[Data], Compared] = attrgetter("no_transcript")
_FIRST_SPEECHES: Callable[[Data], Compared] = attrgetter("gains")
_SHARE, _POINTS = (PERCENT, "%"), (POINTS, "points")
_OUTCOMES = {name.lower(): name for name in ("Loses", "Ties", "Wins")}

MEASURES: Mapping[str, Measure] = {
    "all_right": Measure(_of_any_format("regime", 2, "answer_set_id"), *_SHARE),
    "answers": Measure(_of_any_format("right_a", 1, "answer_id_a"), *_SHARE),
    "accuracy": Measure(_of_condition(_accuracy), *_SHARE),
    "fpr": Measure(_of_condition(_fpr), *_SHARE),
    "all_wrong": Measure(_of_condition(_all_wrong), *_SHARE),
    "difference": Measure(_of_pairs(_gain, _CONSULTANCY), *_POINTS),
    "beaten_by_none": Measure(_of_pairs(_gain, _UNSPOKEN), *_POINTS),
    "best_less_none": Measure(_best_less_none, *_POINTS),
    "fpr_times": Measure(_times_other, NUMBER, "times"),
    "all_wrong_gap": Measure(_of_pairs(_all_wrong_gap, _CONSULTANCY), *_POINTS),
    "flip": Measure(_of_pairs(_flips, _UNSPOKEN), *_SHARE),
    "hurt": Measure(_of_pairs(_hurt, _UNSPOKEN), *_SHARE),
    "net": Measure(_of_pairs(_gain, _UNSPOKEN), *_POINTS),
    "gains": Measure(_of_pairs(_gain, _FIRST_SPEECHES), *_POINTS),
    "fpr_gain": Measure(_of_pairs(_fpr_gain, _FIRST_SPEECHES), *_POINTS),
    "did": Measure(_did, *_POINTS),
    **{name: Measure(_counted(of), COUNT, "") for name, of in _OUTCOMES.items()},
    "hard_answers": Measure(_hard_answers, *_POINTS),
}
"""How the measures of `published/generative.yaml` are taken from rows, by name."""
