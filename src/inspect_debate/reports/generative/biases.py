"""What sways a judge of two answers but their worth: place, seat, and both at once."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.intervals import Array, cluster_interval, cluster_sums
from inspect_debate.metrics.paired import cluster_sign_flip
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.elements import P_VALUE, PERCENT, POINTS, Table
from inspect_debate.reports.estimates import Estimate, of_mean
from inspect_debate.reports.generative.tables import MODELS, Rows, ratio, rows_of, share

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


# Whether judges call both of two answers correct too often.

_BEYOND = "Win-win less all right"
_EXCESS = {"Beyond independence": False, "Within truth": True}
"""What win-win verdicts are held against, and whether answers' worth is given."""

_BY_REGIME = {
    "All right": (2, True),
    "Contested: right": (1, True),
    "Contested: wrong": (1, False),
    "All wrong": (0, False),
}
"""Number of right answers among the two, and whether the right ones are ruled on."""


def both_correct_table(items: pd.DataFrame) -> Table | None:
    """Win-win verdicts against answers that are both right, and against independence.

    Args:
        items: As from `items_of`.

    Returns:
        The table; None without rulings on two answers.
    """
    rows = [_row(of) for of in ruled_pairs(items)]
    if not rows:
        return None
    return Table(
        name="both_correct",
        title="Whether judges call both answers correct too often",
        frame=pd.DataFrame(rows),
        groups=MODELS,
        formats={
            **dict.fromkeys(["Win-win", "All are right", *_BY_REGIME], PERCENT),
            **dict.fromkeys([_BEYOND, *_EXCESS], POINTS),
            f"{_BEYOND}: p": P_VALUE,
        },
        note="Win-win: percent of the verdicts that call both answers correct. All "
        "are right: percent of the same samples. The difference is within samples, in "
        "percentage points. Beyond independence: win-win less what its share would be "
        "if each answer were ruled on by itself, A and B called correct as often as "
        "they are; within truth: the same among samples whose answers are right and "
        "wrong in the same way, as answers that are right together are no bias. The "
        "last columns: percent of the answers called correct where both are right, of "
        "the right and of the wrong one where one is, and where both are wrong. p: "
        f"sign flips of whole questions, not corrected. {INTERVALS}",
    )


def _row(of: Rows) -> dict[str, object]:
    known = of.items[of.items["regime"].notna()]
    both = (known["verdict_class"] == 3).astype(float)
    right = (known["regime"] == 2).astype(float)
    return {
        **of.named,
        "Verdicts": len(known),
        **share(known, both).columns("Win-win"),
        "All are right": right.mean(),
        **difference(both - right, known).columns(_BEYOND),
        **_excesses(known),
        **_by_regime(known),
    }


def _excesses(known: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for name, within_truth in _EXCESS.items():
        cells |= excess(known, within_truth=within_truth).columns(name)
    return cells


def excess(ruled: pd.DataFrame, *, within_truth: bool) -> Estimate:
    """Win-win verdicts beyond those of a judge that rules on each answer by itself.

    Args:
        ruled: Samples with rulings on both answers, of known worth.
        within_truth: Whether rulings are taken for independent given which of the
            answers are right, or altogether.

    Returns:
        The share of win-win verdicts less the product of the shares in which A and in
        which B is called correct (given the truth: the mean of that over samples), from
        -0.25 to 0.25, clustered by question.
    """
    worth = (2 * ruled["right_a"] + ruled["right_b"]) * within_truth
    kinds = itertools.product(range(4), repeat=2)
    cells = [(worth == w) & (ruled["verdict_class"] == v) for w, v in kinds]
    table = np.stack(cells, axis=1).astype(float)
    counts = cluster_sums(table, ruled["question_id"])
    if not len(counts):
        return Estimate(*[np.nan] * 3)
    low, high = cluster_interval(_excess, counts, bounds=(-0.25, 0.25))
    return Estimate(_excess(counts.sum(axis=0)), low, high)


def _excess(totals: Array) -> float:
    """Of the numbers (4 truths x none, A, B, both endorsed), flat."""
    cells = totals.reshape(4, 4)
    rounds = cells.sum(axis=1)
    there = rounds > 0
    cells, rounds = cells[there], rounds[there]
    a, b = cells[:, [1, 3]].sum(axis=1), cells[:, [2, 3]].sum(axis=1)
    return float((cells[:, 3] - a * b / rounds).sum() / rounds.sum())


def _by_regime(known: pd.DataFrame) -> dict[str, float]:
    cells: dict[str, float] = {}
    for name, (regime, right) in _BY_REGIME.items():
        of = known[known["regime"] == regime]
        part, whole = (
            (of["n_right"] - of["fn"], of["n_right"])
            if right
            else (of["fp"], of["n_wrong"])
        )
        cells |= ratio(of, part, whole).columns(name)
    return cells


# Samples with rulings on two answers, and differences within them.

INTERVALS = (
    "Intervals: 95 %, clustered by question; of differences, Student's. Where these "
    "and p disagree, as they may on few questions, p decides."
)


class Difference(NamedTuple):
    """A mean difference, its 95 % interval, and the p-value of sign flips."""

    value: float
    low: float
    high: float
    p: float

    def columns(self, name: str) -> dict[str, float]:
        """As the columns of a table."""
        return {**self.interval(name), f"{name}: p": self.p}

    def interval(self, name: str) -> dict[str, float]:
        """As the columns of a table, without the p-value."""
        return Estimate(*self[:3]).columns(name)


def ruled_pairs(items: pd.DataFrame) -> Iterator[Rows]:
    """Cells with two answers: the samples with a readable ruling on either.

    Args:
        items: As from `items_of`.
    """
    for of in rows_of(items[items["proposers"] == 2]):
        ruled = of.items[of.items["verdict_class"].notna()]
        if len(ruled):
            yield Rows(of.cell, ruled)


def difference(values: "pd.Series[float]", ruled: pd.DataFrame) -> Difference:
    """The mean of differences within samples, clustered by question.

    Args:
        values: From -1 to 1; NaN where a sample does not count.
        ruled: The samples.
    """
    questions = ruled["question_id"]
    mean = clustered_mean(values, questions)
    known = values.notna()
    flip = cluster_sign_flip(values[known], list(questions[known]), seed=SEED)
    return Difference(*of_mean(mean, (-1, 1)), flip if known.any() else np.nan)
