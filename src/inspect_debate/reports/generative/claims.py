"""The study's claims: ours beside them, and how far the text bears them out."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan
from operator import attrgetter
from typing import NamedTuple

import pandas as pd

from inspect_debate.metrics.tiers import TIERS
from inspect_debate.metrics.transitions import transition_shares, transitions
from inspect_debate.published.tables import Claim, paper_of
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Format,
    Table,
    interval_text,
)
from inspect_debate.reports.elements import Cell as TableCell
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.comparisons import (
    Compared,
    Comparison,
    Data,
    Rows,
    fpr,
    outcome,
    share,
)
from inspect_debate.reports.generative.rows import (
    CLEANED,
    FAMILY_TITLES,
    KEYS,
    KINDS,
    PROTOCOLS,
    TIER,
    Condition,
    Conditions,
    conditions_in,
    family_key,
    format_named,
    of_study,
)
from inspect_debate.solvers.formats import Interaction

# What a claim of the study is compared with.


@dataclass(frozen=True)
class Context:
    """What a report has of some models and data.

    Attributes:
        data: The data of the report.
        headings: The models and data, as readers see them; all if None.
    """

    data: Data
    headings: Collection[str] | None = None

    @cached_property
    def items(self) -> Rows:
        """Their rows, as from `items_of`."""
        items = self.data.items
        if self.headings is None:
            return items
        return items[items["heading"].isin([*self.headings])]

    @cached_property
    def conditions(self) -> Conditions:
        """The rows of each of their conditions."""
        return conditions_in(self.items)

    def condition(
        self, proposers: int, interaction: Interaction, best_of: int = 1
    ) -> Condition | None:
        """The condition of that format without a variant, or else the only one."""
        alike = [
            of
            for of in self.conditions
            if (of.proposers, of.interaction, of.best_of)
            == (proposers, interaction, best_of)
        ]
        plain = [of for of in alike if not of.variant]
        return next(iter(plain or alike), None)

    def compared(self, found: Compared) -> dict[Condition, Comparison]:
        """Those of some comparisons that are of their conditions."""
        made = {one.condition: one for one in found.made}
        return {of: made[of] for of in self.conditions if of in made}


DATA = {"arc": "ARC-AGI-1", CLEANED: "BigCodeBench-Plus"}
"""The study's data as readers see them; that ARC-AGI's version is 1 is inferred."""

OURS = "Ours"

_WHOLE = ("loses", "ties", "wins")
"""Measures of all comparisons together."""


_N = (
    "n: samples with a readable verdict (in both conditions of a comparison); of FPR "
    "wrong answers, of a share of flips these, of losses, ties and wins comparisons."
)
NUMBERS = ("Our value", "Our value low", "Our value high", "Our n")
"""Columns of the CSV file: our value as numbers, where there is exactly one."""


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
    return [_claims_table(list(here.values())), _elsewhere_table(here)]


def _claims_table(here: list[Context]) -> Table:
    paper = paper_of("generative")
    rows = [_row(claim, here) for claim in paper.text]
    marks = {
        TableCell(place, "Printed"): reason
        for place, claim in enumerate(paper.text)
        if (reason := paper.note_of(claim))
    }
    return Table(
        name="published",
        title="Published claims beside ours",
        frame=pd.DataFrame(rows),
        marks=marks,
        note=f"Printed values are of {paper.source}; ours only where its models ran on "
        f"its data. {_N}",
        hidden=NUMBERS,
    )


def _row(claim: Claim, here: list[Context]) -> dict[str, object]:
    about = [of for of in here if _matches(of, claim)]
    if about and claim.measure in _WHOLE:
        headings = [name for of in about for name in of.headings or ()]
        about = [Context(about[0].data, headings)]
    found = [values for of in about if (values := values_of(of, claim))]
    return {
        "Claim": claim.claim,
        "Condition": _format(claim),
        "Data": DATA.get(claim.dataset or ""),
        "Models": FAMILY_TITLES.get(claim.family or ""),
        "Printed": claim.printed,
        OURS: " / ".join(ours(values, claim) for values in found),
        "Reading": claim.convention,
        **_numbers([value for values in found for value in values]),
    }


def _elsewhere_table(here: Mapping[str, Context]) -> Table | None:
    rows = [
        {"Models and data": heading, **row}
        for heading, context in here.items()
        for row in _elsewhere(context)
    ]
    if not rows:
        return None
    return Table(
        name="published_elsewhere",
        folded=True,
        title="What the claims are about, of other models or data",
        frame=pd.DataFrame(rows),
        groups="Models and data",
        note=f"Printed values are of other models or data, for orientation only. {_N}",
        hidden=NUMBERS,
    )


def _elsewhere(context: Context) -> Iterator[dict[str, object]]:
    """Every measure once, with the printed values of all that it was printed for."""
    printed: dict[tuple[str, str], list[Claim]] = {}
    for claim in paper_of("generative").text:
        if claim.measure is not None and claim.measure not in _WHOLE:
            printed.setdefault((claim.claim, _format(claim)), []).append(claim)
    for (about, format), claims in printed.items():
        others = [claim for claim in claims if not _matches(context, claim)]
        if len(others) == len(claims) and (found := values_of(context, claims[0])):
            yield {
                "Claim": about,
                "Condition": format,
                "Here": ours(found, claims[0]),
                "Printed": "; ".join(f"{one.printed}{_whose(one)}" for one in claims),
                **_numbers(found),
            }


def _matches(context: Context, claim: Claim) -> bool:
    """Whether rows are of the models and data that a claim is about."""
    first = context.items.iloc[0]
    family, dataset = family_key(str(first["family"])), str(first["dataset"])
    return (
        of_study(dataset, str(first["version"]))
        and family is not None
        and claim.family in (None, family)
        and claim.dataset in (None, dataset)
    )


def _numbers(found: "Values") -> dict[str, object]:
    """The only value as numbers."""
    if len(found) != 1:
        return dict.fromkeys(NUMBERS)
    (one,) = found
    return dict(zip(NUMBERS, (*one.estimate, one.n), strict=True))


def _format(claim: Claim) -> str:
    chosen = f"best of {claim.best_of}" if (claim.best_of or 1) > 1 else ""
    if claim.proposers and claim.interaction:
        named = PROTOCOLS[format_named(claim.proposers, claim.interaction)]
    elif claim.proposers:
        named = KINDS[claim.proposers].capitalize()
    else:
        named = (claim.interaction or "").capitalize()
    return ", ".join(filter(None, (named, chosen)))


def _whose(claim: Claim) -> str:
    told = (DATA.get(claim.dataset or ""), FAMILY_TITLES.get(claim.family or ""))
    known = ", ".join(filter(None, told))
    return f" ({known})" if known else ""


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


Values = list[Value]
"""One value, one for each kind of format, or none."""


class Measure(NamedTuple):
    """How a claim's value is taken from the rows, and shown with its unit."""

    value: Callable[[Context, Claim], Values]
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
    told = (kind, measure.format(value), measure.unit, interval)
    return f"{' '.join(filter(None, told))}, n={one.n}"


def _of_condition(rate: Callable[[Rows], Value]) -> Callable[..., Values]:
    """A rate of the rows of the claim's condition."""

    def value(context: Context, claim: Claim) -> Values:
        return [
            rate(context.conditions[of])._replace(kind=_kind(claim, of))
            for of in _conditions(context, claim)
        ]

    return value


def _of_pairs(
    rate: Callable[[Comparison], Value], pairs: Callable[[Data], Compared]
) -> Callable[..., Values]:
    """A rate of the pairs of the claim's condition and what it is compared with."""

    def value(context: Context, claim: Claim) -> Values:
        made = context.compared(pairs(context.data))
        return [
            rate(made[of])._replace(kind=_kind(claim, of))
            for of in _conditions(context, claim)
            if of in made
        ]

    return value


def _kind(claim: Claim, condition: Condition) -> str:
    return "" if claim.proposers else KINDS[condition.proposers]


def _conditions(context: Context, claim: Claim) -> Iterator[Condition]:
    """The conditions that a claim is about: of both kinds where it names none."""
    interaction: Interaction = claim.interaction or "debate"
    for proposers in (claim.proposers,) if claim.proposers else KINDS:
        found = context.condition(proposers, interaction, claim.best_of or 1)
        if found is not None:
            yield found


def _accuracy(rows: Rows) -> Value:
    right = rows["verdict_correct"]
    return Value(share(rows, right), int(right.notna().sum()))


def _fpr(rows: Rows) -> Value:
    return Value(fpr(rows), int(rows["n_wrong"].sum()))


def _all_wrong(rows: Rows) -> Value:
    return _accuracy(rows[rows["regime"] == 0])


def _gain(one: Comparison) -> Value:
    return Value(Estimate(*one.difference[:3]), len(one.paired.a))


def _fpr_gain(one: Comparison) -> Value:
    return Value(Estimate(*one.fpr[:3]), _fpr(one.paired.b).n)


def _times(one: Comparison) -> Value:
    other, ours = _fpr(one.paired.a), _fpr(one.paired.b)
    below = other.estimate.value
    return Value(_bare(ours.estimate.value / below if below else nan), ours.n)


def _all_wrong_gap(one: Comparison) -> Value:
    other, ours = _all_wrong(one.paired.a), _all_wrong(one.paired.b)
    return Value(_bare(other.estimate.value - ours.estimate.value), ours.n)


def _bare(value: float) -> Estimate:
    return Estimate(value, nan, nan)


def _flips(one: Comparison) -> Value:
    flip = transition_shares(*_verdicts(one), one.paired.questions).flip
    return Value(Estimate(flip.value, flip.low, flip.high), len(one.paired.a))


def _hurt(one: Comparison) -> Value:
    hurt = transition_shares(*_verdicts(one), one.paired.questions).hurt
    found = transitions(*_verdicts(one))
    return Value(Estimate(hurt.value, hurt.low, hurt.high), found.hurt + found.helped)


def _verdicts(one: Comparison) -> "tuple[pd.Series[float], pd.Series[float]]":
    return one.paired.a["verdict_correct"], one.paired.b["verdict_correct"]


def _of_any_format(column: str, least: int, identity: str) -> Callable[..., Values]:
    """A truth about answers, over all formats that have them, each once."""

    def value(context: Context, claim: Claim) -> Values:
        judged = context.items[context.items["proposers"] >= least]
        once = judged.drop_duplicates([*KEYS, identity])
        known = once.dropna(subset=column)
        right = (known[column] == least).astype(float)
        return [Value(share(known, right), len(known))] if len(known) else []

    return value


def _times_other(context: Context, claim: Claim) -> Values:
    """FPR of debate as a multiple of that of the format which the claim names."""
    debate = claim.model_copy(update={"interaction": "debate"})
    other = _CONSULTANCY if claim.interaction == "consultancy" else _UNSPOKEN
    return _of_pairs(_times, other)(context, debate)


def _best_less_none(context: Context, claim: Claim) -> Values:
    """The best accuracy with speeches less that without, of either kind."""
    found = []
    made = context.compared(context.data.no_transcript).values()
    for proposers, kind in KINDS.items():
        of_kind = [one for one in made if one.condition.proposers == proposers]
        if of_kind:
            best = max(of_kind, key=lambda one: one.difference.difference)
            # The best of several has no interval of its own.
            gain = _bare(best.difference.difference)
            found.append(_gain(best)._replace(estimate=gain, kind=kind))
    return found


def _counted(name: str) -> Callable[..., Values]:
    def value(context: Context, claim: Claim) -> Values:
        made = context.compared(context.data.consultancy).values()
        number = sum(outcome(one, one.p) == name for one in made)
        return [Value(_bare(number), len(made))] if made else []

    return value


def _did(context: Context, claim: Claim) -> Values:
    """The gain of debate less that of consultancy, on the samples that all have."""
    fours, _ = context.data.fours
    about = context.condition(claim.proposers or 1, "debate", claim.best_of or 1)
    tested = [four.tested for four in fours if four.condition == about]
    return [Value(Estimate(of.value, of.low, of.high), of.n) for of in tested]


def _hard_answers(context: Context, claim: Claim) -> Values:
    """Answer accuracy of debate less that of consultancy on hard questions."""
    right = []
    for speaking in _SPEAKERS:
        found = context.condition(claim.proposers or 1, speaking)
        if found is None:
            return []
        rows = context.conditions[found]
        right.append(rows.loc[rows[TIER] == TIERS[0], "answer_right"].dropna())
    debate, consultancy = right
    return [Value(_bare(debate.mean() - consultancy.mean()), len(debate))]


_SPEAKERS: tuple[Interaction, ...] = ("debate", "consultancy")
_SHARE, _POINTS = (PERCENT, "%"), (POINTS, "points")


_CONSULTANCY: Callable[[Data], Compared] = attrgetter("consultancy")
_UNSPOKEN: Callable[[Data], Compared] = attrgetter("no_transcript")
_FIRST_SPEECHES: Callable[[Data], Compared] = attrgetter("gains")


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
    **{
        name.lower(): Measure(_counted(name), COUNT, "")
        for name in ("Loses", "Ties", "Wins")
    },
    "hard_answers": Measure(_hard_answers, *_POINTS),
}
"""How the measures of `generative.json` are taken from rows, by their names there."""
