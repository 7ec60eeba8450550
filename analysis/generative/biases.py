"""What sways a judge of two answers but their worth: place, seat, and both at once."""

from typing import NamedTuple

import pandas as pd

from inspect_debate.analysis.comparisons import SEED
from inspect_debate.analysis.generative.both_correct import both_correct_table
from inspect_debate.analysis.generative.rulings import (
    INTERVALS,
    Difference,
    difference,
    ruled_pairs,
)
from inspect_debate.analysis.generative.tables import (
    MODELS,
    Rows,
    ratio,
    share,
)
from inspect_debate.analysis.reporting.elements import Table
from inspect_debate.analysis.reporting.formats import P_VALUE, PERCENT, POINTS
from inspect_debate.core.measures.endorsement import ratio_difference

_PLACES, _ALIKE, _SEATS = "First less second", "Of equal worth", "A less B"
_ORDERS = "A first less B first"


class _Swapped(NamedTuple):
    """A cell's samples that were judged in both orders, and what changed.

    Attributes:
        of: The cell and these samples.
        changed: Per sample how many of the two rulings depend on the order.
        for_first: Per sample, mean of both answers: 1 where only its place at the top
            makes an answer correct, -1 where only that at the bottom does.
    """

    of: Rows
    changed: "pd.Series[float]"
    for_first: "pd.Series[float]"


def bias_items(items: pd.DataFrame) -> list[Table | None]:
    """Biases of place and seat, of the order of showing, and to call both correct.

    Args:
        items: As from `items_of`.

    Returns:
        The tables `places`, `orders`, `both_orders` and `both_correct`; None for one
        without verdicts about two answers, or without samples judged in both orders.
    """
    dual = list(ruled_pairs(items))
    return [
        _places_table(dual),
        _orders_table(dual),
        _swaps_table([of for of in map(_swapped, dual) if len(of.changed)]),
        both_correct_table(items),
    ]


def _places_table(dual: list[Rows]) -> Table | None:
    if not dual:
        return None
    shares = ("First", "Second", "One-sided", "First of these")
    return Table(
        name="places",
        title="Whether the place or the seat of an answer decides",
        frame=pd.DataFrame([_places_row(of) for of in dual]),
        groups=MODELS,
        formats={
            **dict.fromkeys(shares, PERCENT),
            **dict.fromkeys([_PLACES, _ALIKE, _SEATS], POINTS),
            **{f"{name}: p": P_VALUE for name in (_PLACES, _ALIKE, _SEATS)},
        },
        note="First, second: percent of the answers listed there that are called "
        "correct; the difference is within samples, in percentage points. Of equal "
        "worth: the same difference where both answers are right or both are wrong, "
        "so that no difference in worth can account for it. One-sided: percent of the "
        "verdicts that call exactly one answer correct; first of these: percent of "
        "those that are for the answer listed first. A less B: answers called correct "
        "by seat, of which no difference is expected where one model has both. p: sign "
        f"flips of whole questions, not corrected. {INTERVALS}",
    )


def _places_row(of: Rows) -> dict[str, object]:
    ruled = of.items
    apart = ruled["endorsed_first"] - ruled["endorsed_second"]
    alike = apart.where(ruled["regime"].isin((0, 2)))
    one_sided = (apart != 0).astype(float).where(apart.notna())
    for_first = (apart > 0).astype(float).where(one_sided == 1)
    return {
        **of.named,
        "Verdicts": len(ruled),
        **of.share("endorsed_first").columns("First"),
        **of.share("endorsed_second").columns("Second"),
        **difference(apart, ruled).columns(_PLACES),
        **difference(alike, ruled).columns(_ALIKE),
        **share(ruled, one_sided).columns("One-sided"),
        **share(ruled, for_first).columns("First of these"),
        **difference(ruled["endorsed_a"] - ruled["endorsed_b"], ruled).columns(_SEATS),
    }


def _orders_table(dual: list[Rows]) -> Table | None:
    if not dual:
        return None
    return Table(
        name="orders",
        title="Verdict accuracy by which answer is listed first",
        frame=pd.DataFrame([_orders_row(of) for of in dual]),
        groups=MODELS,
        formats={
            **dict.fromkeys(["A first", "B first"], PERCENT),
            _ORDERS: POINTS,
            f"{_ORDERS}: p": P_VALUE,
        },
        note="Verdict accuracy in percent, on different samples, as the order follows "
        "from question and epoch unless it is fixed; the difference in percentage "
        "points. p: at which level its interval would touch 0, not corrected. "
        "Intervals: 95 %, clustered by question; of the difference, of a bootstrap of "
        "questions, too narrow where they are few.",
    )


def _orders_row(of: Rows) -> dict[str, object]:
    a, b = (
        of.items["verdict_correct"].where(of.items["a_first"] == place)
        for place in (1, 0)
    )
    counts = (b, b.notna().astype(float), a, a.notna().astype(float))
    found = ratio_difference(*counts, of.items["question_id"], seed=SEED)
    return {
        **of.named,
        "Verdicts": int(a.notna().sum() + b.notna().sum()),
        **share(of.items, a).columns("A first"),
        **share(of.items, b).columns("B first"),
        **Difference(*found).columns(_ORDERS),
    }


def _swapped(of: Rows) -> _Swapped:
    items = of.items
    apart = pd.concat(
        [items[f"endorsed_{s}"] - items[f"endorsed_{s}_swapped"] for s in "ab"], axis=1
    ).dropna()
    changed = apart.abs().sum(axis=1)
    first = items["a_first"].reindex(apart.index).map({1: 1, 0: -1})
    for_first = (apart.iloc[:, 0] - apart.iloc[:, 1]) * first / 2
    return _Swapped(Rows(of.cell, items.loc[apart.index]), changed, for_first)


def _swaps_table(swapped: list[_Swapped]) -> Table | None:
    if not swapped:
        return None
    shares = ("Rulings that change", "Verdicts that change", "Right", "Right, swapped")
    return Table(
        name="both_orders",
        title="What the order of answers changes where both were shown",
        frame=pd.DataFrame([_swaps_row(one) for one in swapped]),
        groups=MODELS,
        formats={
            **dict.fromkeys(shares, PERCENT),
            _PLACES: POINTS,
            f"{_PLACES}: p": P_VALUE,
        },
        note="Samples judged in both orders (`-T order=both`), with both rulings read "
        "in either: percent of the rulings on an answer, and of the verdicts, that are "
        "others when the answers swap places; verdict accuracy in the order that "
        "counts, and in the other one. First less second: how much oftener the same "
        "answer is called correct at the first place than at the second, in percentage "
        f"points. p: sign flips of whole questions, not corrected. {INTERVALS}",
    )


def _swaps_row(one: _Swapped) -> dict[str, object]:
    items, any_changed = one.of.items, (one.changed > 0).astype(float)
    twice = pd.Series(2.0, items.index)
    return {
        **one.of.named,
        "Samples": len(items),
        **ratio(items, one.changed, twice).columns("Rulings that change"),
        **share(items, any_changed).columns("Verdicts that change"),
        **one.of.share("verdict_correct").columns("Right"),
        **one.of.share("verdict_correct_swapped").columns("Right, swapped"),
        **difference(one.for_first, items).columns(_PLACES),
    }
