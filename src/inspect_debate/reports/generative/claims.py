"""The study's claims: ours beside them, and how far the text bears them out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
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
    compare,
    compared,
    four_of,
    fpr,
    outcome,
    share,
    without_choice,
)
from inspect_debate.reports.generative.rows import (
    CLEANED,
    FAMILY_TITLES,
    KEYS,
    KINDS,
    PROTOCOLS,
    TIER,
    Condition,
    PairingError,
    conditions_in,
    family_key,
    format_named,
    of_study,
    partner,
)
from inspect_debate.solvers.formats import Interaction

# The rows that a claim of the study is held against, and their comparisons.


@dataclass(frozen=True)
class Context:
    """The rows of one family on some data.

    Attributes:
        items: As from `items_of` and `tiered`.
        pairs: What was compared so far, by the cells; None where it cannot be.
    """

    items: pd.DataFrame
    pairs: dict[tuple[Condition, Condition], Comparison | None] = field(
        default_factory=dict
    )

    @cached_property
    def consultancy(self) -> Compared:
        """Debates against consultancies."""
        return compare(self.items, "consultancy")

    @cached_property
    def cells(self) -> Mapping[Condition, pd.DataFrame]:
        """Its cells."""
        return conditions_in(self.items)

    def cell(
        self, proposers: int, interaction: Interaction, best_of: int = 1
    ) -> Condition | None:
        """The cell of that format: that without a variant, or else the only one."""
        alike = [
            cell
            for cell in self.cells
            if (cell.proposers, cell.interaction, cell.best_of)
            == (proposers, interaction, best_of)
        ]
        plain = [cell for cell in alike if not cell.variant]
        return next(iter(plain or alike), None)

    def paired(
        self, cell: Condition | None, other: Condition | None
    ) -> Comparison | None:
        """A cell less another cell; None where there are no pairs."""
        if cell is None or other is None:
            return None
        # Several claims are about the same pairs.
        if (cell, other) not in self.pairs:
            self.pairs[cell, other] = self._paired(cell, other)
        return self.pairs[cell, other]

    def _paired(self, cell: Condition, other: Condition) -> Comparison | None:
        made, _ = compared(self.cells, [(cell, other)])
        return made[0] if made else None

    def against(
        self, cell: Condition | None, interaction: Interaction
    ) -> Comparison | None:
        """A cell less the one that it is held against."""
        other = cell and partner(self.cells, cell, interaction)
        return self.paired(cell, other)

    def chosen(self, cell: Condition | None) -> Comparison | None:
        """A cell with the best speeches less that with the first ones."""
        return self.paired(cell, cell and without_choice(self.cells, cell))


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


def published_tables(items: pd.DataFrame) -> list[Table | None]:
    """Published claims beside ours, and the same measures of other models or data.

    Args:
        items: As from `items_of` and `tiered`.

    Returns:
        Two tables; None for the second where all runs are of the study's models on its
        data, or have nothing that a claim is about.
    """
    here = {
        str(heading): Context(rows)
        for heading, rows in items.groupby("heading", sort=False)
    }
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
        note=f"Printed values: {paper.source}; ours only where the study's models ran "
        f"on its data. {_N}",
        hidden=NUMBERS,
    )


def _row(claim: Claim, here: list[Context]) -> dict[str, object]:
    about = [of for of in here if _matches(of, claim)]
    if about and claim.measure in _WHOLE:
        about = [Context(pd.concat([of.items for of in about]))]
    found = [values for of in about if (values := values_of(of, claim))]
    return {
        "Claim": claim.claim,
        "Condition": _format(claim),
        "Data": DATA.get(claim.dataset or ""),
        "Models": FAMILY_TITLES.get(claim.family or ""),
        "Printed": claim.printed,
        OURS: " / ".join(_texts(values, claim) for values in found),
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
                "Here": _texts(found, claims[0]),
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


# Our values of what the study's text claims, by family and data.


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


def ours(context: Context, claim: Claim) -> str:
    """As `values_of`, as text: "72.6 % [69.4, 75.7], n=800"; empty where there is none.

    Args:
        context: Rows of one family and data.
        claim: The claim.
    """
    return _texts(values_of(context, claim), claim)


def _texts(found: Values, claim: Claim) -> str:
    return "; ".join(_text(one, MEASURES[str(claim.measure)]) for one in found)


def _text(one: Value, measure: Measure) -> str:
    value, low, high = one.estimate
    kind = f"{one.kind}:" if one.kind else ""
    interval = interval_text(measure.format, low, high)
    told = (kind, measure.format(value), measure.unit, interval)
    return f"{' '.join(filter(None, told))}, n={one.n}"


def _of_cell(rate: Callable[[pd.DataFrame], Value]) -> Callable[..., Values]:
    """A rate of the rows of the claim's cell."""

    def value(context: Context, claim: Claim) -> Values:
        return [
            rate(context.cells[cell])._replace(kind=_kind(claim, cell))
            for cell in _cells(context, claim)
        ]

    return value


def _of_pairs(
    rate: Callable[[Comparison], Value],
    pairs: Callable[[Context, Condition], Comparison | None],
) -> Callable[..., Values]:
    """A rate of the pairs of which the claim's cell is one side."""

    def value(context: Context, claim: Claim) -> Values:
        return [
            rate(one)._replace(kind=_kind(claim, cell))
            for cell in _cells(context, claim)
            if (one := pairs(context, cell)) is not None
        ]

    return value


def _kind(claim: Claim, cell: Condition) -> str:
    return "" if claim.proposers else KINDS[cell.proposers]


def _cells(context: Context, claim: Claim) -> Iterator[Condition]:
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
    against: Interaction = claim.interaction or "none"
    return _of_pairs(_times, lambda at, cell: at.against(cell, against))(
        context, debate
    )


def _best_less_none(context: Context, claim: Claim) -> Values:
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
    def value(context: Context, claim: Claim) -> Values:
        made = context.consultancy.made
        number = sum(outcome(one, one.p) == name for one in made)
        return [Value(_bare(number), len(made))] if made else []

    return value


def _did(context: Context, claim: Claim) -> Values:
    """The gain of debate less that of consultancy, on the samples that all have."""
    cell = context.cell(claim.proposers or 1, "debate", claim.best_of or 1)
    try:
        found = cell and four_of(context.cells, cell)
    except PairingError:
        return []
    if not found:
        return []
    of = found.tested
    return [Value(Estimate(of.value, of.low, of.high), of.n)]


def _hard_answers(context: Context, claim: Claim) -> Values:
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


def _against(context: Context, cell: Condition) -> Comparison | None:
    return context.against(cell, "consultancy")


def _unspoken(context: Context, cell: Condition) -> Comparison | None:
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
