"""Our values of what the study's text claims, by family and data."""

from collections.abc import Callable, Iterator, Mapping
from math import nan
from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.estimates import Estimate
from inspect_debate.analysis.generative.best_of import chosen_speeches
from inspect_debate.analysis.generative.claim_context import Context
from inspect_debate.analysis.generative.comparison_tables import outcome
from inspect_debate.analysis.generative.comparisons import Comparison
from inspect_debate.analysis.generative.difficulty import TIER
from inspect_debate.analysis.generative.frames import Cell
from inspect_debate.analysis.generative.pairing import KEYS, PairingError
from inspect_debate.analysis.generative.study import KINDS
from inspect_debate.analysis.generative.tables import fpr, share
from inspect_debate.analysis.published import PublishedClaim
from inspect_debate.analysis.reporting.formats import (
    COUNT,
    NUMBER,
    PERCENT,
    POINTS,
    Format,
    interval_text,
)
from inspect_debate.core.generative import Interaction
from inspect_debate.core.measures.tiers import TIERS
from inspect_debate.core.measures.transitions import transition_shares, transitions


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

    value: Callable[[Context, PublishedClaim], Values]
    format: Format
    unit: str


def ours(context: Context, claim: PublishedClaim) -> str:
    """Our value of what a claim is about, as text; empty where there is none.

    Args:
        context: Rows of one family and data, whether or not the claim is about them.
        claim: One with a measure.

    Returns:
        "72.6 % [69.4, 75.7], n=800", or the like for each kind of format.
    """
    measure = MEASURES[str(claim.measure)]
    found = measure.value(context, claim)
    return "; ".join(
        _text(one, measure) for one in found if one.estimate.value == one.estimate.value
    )


def _text(one: Value, measure: Measure) -> str:
    value, low, high = one.estimate
    kind = f"{one.kind}:" if one.kind else ""
    interval = interval_text(measure.format, low, high)
    told = (kind, measure.format(value), measure.unit, interval)
    return f"{' '.join(filter(None, told))}, n={one.n}"


def _of_cell(rate: Callable[[pd.DataFrame], Value]) -> Callable[..., Values]:
    """A rate of the rows of the claim's cell."""

    def value(context: Context, claim: PublishedClaim) -> Values:
        return [
            rate(context.cells[cell])._replace(kind=_kind(claim, cell))
            for cell in _cells(context, claim)
        ]

    return value


def _of_pairs(
    rate: Callable[[Comparison], Value],
    pairs: Callable[[Context, Cell], Comparison | None],
) -> Callable[..., Values]:
    """A rate of the pairs of which the claim's cell is one side."""

    def value(context: Context, claim: PublishedClaim) -> Values:
        return [
            rate(one)._replace(kind=_kind(claim, cell))
            for cell in _cells(context, claim)
            if (one := pairs(context, cell)) is not None
        ]

    return value


def _kind(claim: PublishedClaim, cell: Cell) -> str:
    return "" if claim.proposers else KINDS[cell.proposers]


def _cells(context: Context, claim: PublishedClaim) -> Iterator[Cell]:
    """The cells that a claim is about: of both kinds where it names none."""
    interaction: Interaction = claim.interaction or "debate"
    for proposers in (claim.proposers,) if claim.proposers else KINDS:
        cell = context.cell(proposers, interaction, claim.best_of or 1)
        if cell is not None:
            yield cell


def _accuracy(rows: pd.DataFrame) -> Value:
    right = rows["verdict_correct"]
    return Value(share(rows, right), int(right.notna().sum()))


def _fpr(rows: pd.DataFrame) -> Value:
    return Value(fpr(rows), int(rows["n_wrong"].sum()))


def _all_wrong(rows: pd.DataFrame) -> Value:
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

    def value(context: Context, claim: PublishedClaim) -> Values:
        judged = context.items[context.items["proposers"] >= least]
        once = judged.drop_duplicates([*KEYS, identity])
        known = once.dropna(subset=column)
        right = (known[column] == least).astype(float)
        return [Value(share(known, right), len(known))] if len(known) else []

    return value


def _times_other(context: Context, claim: PublishedClaim) -> Values:
    """FPR of debate as a multiple of that of the format which the claim names."""
    debate = claim.model_copy(update={"interaction": "debate"})
    against: Interaction = claim.interaction or "none"
    return _of_pairs(_times, lambda at, cell: at.against(cell, against))(
        context, debate
    )


def _best_less_none(context: Context, claim: PublishedClaim) -> Values:
    """The best accuracy with speeches less that without, of either kind."""
    found = []
    for proposers, kind in KINDS.items():
        pairs = [
            context.against(cell, "none")
            for cell in context.cells
            if cell.proposers == proposers and cell.interaction != "none"
        ]
        known = [one for one in pairs if one is not None]
        if known:
            best = max(known, key=lambda one: one.difference.difference)
            # The best of several has no interval of its own.
            gain = _bare(best.difference.difference)
            found.append(_gain(best)._replace(estimate=gain, kind=kind))
    return found


def _counted(name: str) -> Callable[..., Values]:
    def value(context: Context, claim: PublishedClaim) -> Values:
        made = context.consultancy.made
        number = sum(outcome(one, one.p) == name for one in made)
        return [Value(_bare(number), len(made))] if made else []

    return value


def _did(context: Context, claim: PublishedClaim) -> Values:
    """The gain of debate less that of consultancy, on the samples that all have."""
    cell = context.cell(claim.proposers or 1, "debate", claim.best_of or 1)
    try:
        found = cell and chosen_speeches(context.cells, cell)
    except PairingError:
        return []
    if not found:
        return []
    of = found.tested
    return [Value(Estimate(of.value, of.low, of.high), of.n)]


def _hard_answers(context: Context, claim: PublishedClaim) -> Values:
    """Answer accuracy of debate less that of consultancy on hard questions."""
    hard = Context(_within(context.items, TIERS[0]))
    cells = [hard.cell(claim.proposers or 1, speaking) for speaking in _SPEAKERS]
    right = [hard.cells[cell]["answer_right"].dropna() for cell in cells if cell]
    if len(right) < len(_SPEAKERS):
        return []
    debate, consultancy = right
    return [Value(_bare(debate.mean() - consultancy.mean()), len(debate))]


def _within(items: pd.DataFrame, tier: str) -> pd.DataFrame:
    return items[(items["proposers"] > 0) & (items[TIER] == tier)]


_SPEAKERS: tuple[Interaction, ...] = ("debate", "consultancy")
_SHARE, _POINTS = (PERCENT, "%"), (POINTS, "points")


def _against(context: Context, cell: Cell) -> Comparison | None:
    return context.against(cell, "consultancy")


def _unspoken(context: Context, cell: Cell) -> Comparison | None:
    return context.against(cell, "none")


MEASURES: Mapping[str, Measure] = {
    "all_right": Measure(_of_any_format("regime", 2, "answer_set_id"), *_SHARE),
    "answers": Measure(_of_any_format("right_a", 1, "answer_id_a"), *_SHARE),
    "accuracy": Measure(_of_cell(_accuracy), *_SHARE),
    "fpr": Measure(_of_cell(_fpr), *_SHARE),
    "all_wrong": Measure(_of_cell(_all_wrong), *_SHARE),
    "difference": Measure(_of_pairs(_gain, _against), *_POINTS),
    "beaten_by_none": Measure(_of_pairs(_gain, _unspoken), *_POINTS),
    "best_less_none": Measure(_best_less_none, *_POINTS),
    "fpr_times": Measure(_times_other, NUMBER, "times"),
    "all_wrong_gap": Measure(_of_pairs(_all_wrong_gap, _against), *_POINTS),
    "flip": Measure(_of_pairs(_flips, _unspoken), *_SHARE),
    "hurt": Measure(_of_pairs(_hurt, _unspoken), *_SHARE),
    "net": Measure(_of_pairs(_gain, _unspoken), *_POINTS),
    "gains": Measure(_of_pairs(_gain, Context.chosen), *_POINTS),
    "fpr_gain": Measure(_of_pairs(_fpr_gain, Context.chosen), *_POINTS),
    "did": Measure(_did, *_POINTS),
    **{
        name.lower(): Measure(_counted(name), COUNT, "")
        for name in ("Loses", "Ties", "Wins")
    },
    "hard_answers": Measure(_hard_answers, *_POINTS),
}
"""How the measures of `generative.json` are taken from rows, by their names there."""
