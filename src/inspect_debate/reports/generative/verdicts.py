"""Tables of verdicts and answers, and of what sways a judge, by condition."""

from collections.abc import Callable, Collection, Iterator, Mapping

import numpy as np
import pandas as pd

from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.intervals import Array
from inspect_debate.reports.comparisons import SEED
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Format,
)
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.comparisons import (
    MARGINS,
    MODELS,
    Data,
    Rows,
    accuracy,
    excess,
    flip_test,
    fnr,
    fpr,
    heading_of,
    interval,
    ratio,
    share,
    tied,
)
from inspect_debate.reports.generative.rows import (
    KEYS,
    KINDS,
)
from inspect_debate.reports.views import (
    Columns,
    View,
)

CONDITION, COMPARED = "Condition", "Compared"

# Tables. Each has a row per condition, or per comparison of conditions.

_PERCENT = (
    *("Accuracy", "Per answer", "Strict", "FPR", "FNR", "FPR by round", "FNR by round"),
    *("All right", "All right: share", "Contested", "Contested: share", "All wrong"),
    *("All wrong: share", "Win-win", "A only", "B only", "Loss-loss", "Accepted"),
    *("Rejected", "Proposed", "A", "B", "Judge's own", "Readable", "Identical"),
    *("Agrees", "Agrees if right", "Agrees if wrong", "Stance right", "Ruled right"),
    *("First", "Second", "Flips", "Hurt share", "Best", "FPR first", "FPR best"),
    *("Not read: share", "Debate", "Consultancy", "Cleaned", "Original"),
    *("Answers cleaned", "Answers original", "One-sided", "First of these", "A first"),
    *("B first", "Rulings that change", "Verdicts that change", "Right, swapped"),
    *("All are right", "Contested: right", "Contested: wrong"),
)
_POINTS = (
    *("Difference", "Net", "Gain", "FPR change", "Debate gain", "Consultancy gain"),
    *("DiD", "First less second", "Of equal worth", "A less B", "A first less B first"),
    *("Win-win less all right", "Beyond independence", "Within truth"),
)
_P_VALUES = (
    *("p", "p (Holm)", "McNemar p", "Flip p", "FPR p", "FPR p (Holm)"),
    *(f"TOST p, ±{margin * 100:g}" for margin in MARGINS),
    *(f"{name}: p" for name in _POINTS),
)
_COUNTS = ("Samples", "Not read", "Tied", "Wrong answers", "Right answers", "Stances")
SHOWN: Mapping[Column, Format] = {
    **dict.fromkeys(_PERCENT, PERCENT),
    **dict.fromkeys(_POINTS, POINTS),
    **dict.fromkeys(_P_VALUES, P_VALUE),
    **dict.fromkeys(_COUNTS, COUNT),
}
"""How columns of these names are shown, in all tables."""

BY = {MODELS: "heading", CONDITION: "title"}
BY_PAIR = {MODELS: "heading", COMPARED: "compared"}
CLUSTERED = "Intervals are 95 %, clustered by question."
BOOTSTRAP = (
    "Intervals are 95 %, of a paired bootstrap of questions; on few questions they are "
    "too narrow, and p decides."
)


Made = Callable[[Rows], Mapping[Column, object]]


def view(
    name: str,
    title: str,
    rows: Callable[[Data], Rows],
    note: str,
    *,
    by: Mapping[str, str] = BY,
    optional: Collection[str] = (),
    formats: Mapping[Column, Format] = SHOWN,
    also: Callable[[Rows], Iterator[Mapping[Column, object]]] | None = None,
    folded: bool = False,
) -> Callable[[Made], View[Data]]:
    """Make a table of a function from the rows of a group to columns; see `View`."""

    def made(columns: Made) -> View[Data]:
        values = [Columns(columns, formats, optional)]
        return View(name, title, rows, by, values, note, also=also, folded=folded)

    return made


# Verdicts by condition.


def _judged(data: Data) -> Rows:
    return data.judged


BASELINES = ("Always correct", "Always incorrect", "Guessing at the base rate")
"""Judges that look at nothing."""


def baselines(rows: Rows) -> Iterator[dict[Column, object]]:
    """What judges that look at nothing would score on the same answers, each once."""
    for proposers, kind in KINDS.items():
        of_kind = rows[rows["proposers"] == proposers]
        if of_kind.empty:
            continue
        seats = ["right_a", "right_b"][:proposers]
        once = of_kind.drop_duplicates([*KEYS, "answer_set_id"])
        truths = once[seats].dropna().to_numpy(dtype=float)
        base = float(truths.mean()) if truths.size else np.nan
        for name, chance in zip(BASELINES, (1.0, 0.0, base), strict=True):
            yield {
                MODELS: heading_of(rows),
                CONDITION: f"{name} ({kind})",
                **_of_chance(truths, chance),
            }


def _of_chance(truths: Array, chance: float) -> dict[Column, object]:
    """What a judge is expected to score that endorses each answer with some chance."""
    hits = truths * chance + (1 - truths) * (1 - chance)
    joint = float(hits.prod(axis=1).mean()) if len(truths) else np.nan
    return {
        "Accuracy": joint,
        "Per answer": float(hits.mean()) if len(truths) else np.nan,
        "Strict": joint,
        "FPR": chance,
        "FNR": 1 - chance,
        "Samples": len(truths),
        "Wrong answers": float((truths == 0).sum()),
        "Right answers": float((truths == 1).sum()),
    }


@view(
    "formats",
    "Verdicts by condition",
    _judged,
    "Percent. Strict accuracy counts unread and tied verdicts as wrong; baselines are "
    "of the same answers.",
    also=baselines,
    optional=["Tied"],
)
def _verdicts(rows: Rows) -> dict[Column, object]:
    return {
        "Accuracy": accuracy(rows),
        "Per answer": share(rows, rows["verdict_correct_mean"]).value,
        "Strict": share(rows, rows["verdict_correct_strict"]).value,
        "FPR": fpr(rows),
        "FNR": fnr(rows),
        "Samples": int(rows["verdict_correct"].notna().sum()),
        "Not read": int((rows["verdict_ok"] == 0).sum()),
        "Tied": tied(rows),
        "Wrong answers": rows["n_wrong"].sum(),
        "Right answers": rows["n_right"].sum(),
    }


REGIMES: Mapping[int, Mapping[str, int]] = {
    2: {"All right": 2, "Contested": 1, "All wrong": 0},
    1: {"All right": 1, "All wrong": 0},
}
"""By number of answers: how many of them are right."""

VERDICTS: Mapping[int, Mapping[str, int]] = {
    2: {"Win-win": 3, "A only": 1, "B only": 2, "Loss-loss": 0},
    1: {"Accepted": 1, "Rejected": 0},
}
"""By number of answers: kinds of verdicts, as `verdict_class` numbers them."""


def _proposers(rows: Rows) -> int:
    return int(rows["proposers"].iloc[0])


@view(
    "regimes",
    "Accuracy where all answers, one or none is right",
    _judged,
    "Percent; beside each accuracy the share of all graded rounds, and the rounds with "
    "a readable verdict.",
)
def _regimes(rows: Rows) -> dict[Column, object]:
    columns: dict[Column, object] = {}
    graded = rows["regime"].notna().sum()
    for name, right in REGIMES[_proposers(rows)].items():
        part = rows[rows["regime"] == right]
        columns[f"{name}: share"] = len(part) / graded if graded else None
        columns[name] = accuracy(part)
        columns[f"{name}: rounds"] = int(part["verdict_correct"].notna().sum())
    return columns


@view(
    "error_rounds",
    "False verdicts by round",
    _judged,
    "Percent of the rounds with a wrong (right) answer in which the judge calls at "
    "least one of them correct (incorrect), and the number of such rounds.",
    formats={**SHOWN, "Wrong": COUNT, "Right": COUNT},
    folded=True,
)
def _rounds(rows: Rows) -> dict[Column, object]:
    return {
        "FPR by round": ratio(rows, rows["wrong_round_endorsed"], rows["wrong_round"]),
        "Wrong": rows["wrong_round"].sum(),
        "FNR by round": ratio(rows, rows["right_round_rejected"], rows["right_round"]),
        "Right": rows["right_round"].sum(),
    }


@view(
    "verdict_classes",
    "Kinds of verdicts by condition",
    _judged,
    "Percent of the readable verdicts. All right: the share of the same rounds in "
    "which every answer is right, so that win-win, or accepted, is the right verdict.",
)
def _classes(rows: Rows) -> dict[Column, object]:
    found = rows[rows["verdict_class"].notna()]
    shares: dict[Column, object] = {
        name: share(found, (found["verdict_class"] == number).astype(float))
        for name, number in VERDICTS[_proposers(rows)].items()
    }
    all_right = (found["regime"] == found["proposers"]).astype(float)
    return {**shares, "All right": all_right.mean(), "Verdicts": len(found)}


# Answers and stances.


@view(
    "answers",
    "Accuracy of answers",
    lambda data: data.items,
    "Percent of right answers: those proposed, those that the judge calls correct, and "
    "the judge's own. The study does not say which of these its “answer accuracy” is.",
)
def _answers(rows: Rows) -> dict[Column, object]:
    samples: dict[Column, object] = {"Samples": int(rows["answer_right"].notna().sum())}
    number = _proposers(rows)
    if not number:
        return {"Judge's own": share(rows, rows["answer_right"]), **samples}
    seats = "ab"[:number]
    parsed = rows[[f"parsed_{seat}" for seat in seats]]
    return {
        "Proposed": share(rows, rows["answer_right"]),
        **{seat.upper(): rows[f"right_{seat}"].mean() for seat in seats},
        "Accepted": share(rows, rows["accepted_right"]),
        "Judge's own": share(rows, rows["judge_answer_right"]),
        "Readable": parsed.stack().mean(),
        **({"Identical": rows["answers_identical"].mean()} if number == 2 else {}),
        **samples,
    }


def _critics(data: Data) -> Rows:
    items = data.items
    rows = items[(items["proposers"] == 1) & (items["interaction"] == "debate")]
    return rows if rows["stance"].notna().any() else rows.iloc[:0]


@view(
    "stances",
    "The critic's stance",
    _critics,
    "Percent of the critic's last readable stances: it agrees with the answer, or is "
    "right about it. Ruled right: the judge finds the stance right.",
    folded=True,
)
def _stances(rows: Rows) -> dict[Column, object]:
    right, wrong = (rows[rows["right_a"] == truth] for truth in (1, 0))
    return {
        "Agrees": share(rows, rows["stance"]),
        "Agrees if right": share(right, right["stance"]),
        "Agrees if wrong": share(wrong, wrong["stance"]),
        "Stance right": share(rows, rows["stance_right"]),
        "Ruled right": share(rows, rows["stance_endorsed"]),
        "Stances": int(rows["stance"].notna().sum()),
    }


# Biases of a judge of two answers.


def tested(title: str, rows: Rows, values: "pd.Series[float]") -> dict[Column, object]:
    """The columns of a mean difference within samples, and of its test."""
    mean, p = flip_test(rows, values)
    return {title: mean, f"{title}: p": p}


@view(
    "places",
    "Whether the place or the participant of an answer decides",
    lambda data: data.ruled,
    "First, second: percent of the answers listed there that are called correct; "
    "of equal worth: the difference where both answers are right or both wrong. "
    "One-sided: percent of the verdicts that call exactly one answer correct.",
)
def _places(rows: Rows) -> dict[Column, object]:
    apart = rows["endorsed_first"] - rows["endorsed_second"]
    alike = apart.where(rows["regime"].isin((0, 2)))
    one_sided = (apart != 0).astype(float).where(apart.notna())
    for_first = (apart > 0).astype(float).where(one_sided == 1)
    return {
        "Verdicts": len(rows),
        "First": share(rows, rows["endorsed_first"]),
        "Second": share(rows, rows["endorsed_second"]),
        **tested("First less second", rows, apart),
        **tested("Of equal worth", rows, alike),
        "One-sided": share(rows, one_sided),
        "First of these": share(rows, for_first),
        **tested("A less B", rows, rows["endorsed_a"] - rows["endorsed_b"]),
    }


@view(
    "orders",
    "Verdict accuracy by which answer is listed first",
    lambda data: data.ruled,
    "Percent, on different samples: unless it is fixed, the order follows from "
    "question and epoch. The interval of the difference is of a bootstrap of "
    "questions, and p is the level at which it would touch 0.",
    folded=True,
)
def _orders(rows: Rows) -> dict[Column, object]:
    a, b = (rows["verdict_correct"].where(rows["a_first"] == place) for place in (1, 0))
    counts = (b, b.notna().astype(float), a, a.notna().astype(float))
    found = ratio_difference(*counts, rows["question_id"], seed=SEED)
    return {
        "Verdicts": int(a.notna().sum() + b.notna().sum()),
        "A first": share(rows, a),
        "B first": share(rows, b),
        "A first less B first": interval(found),
        "A first less B first: p": found.p,
    }


def _in_both_orders(data: Data) -> Rows:
    """The samples judged in both orders, with what depends on the order.

    `changed` counts rulings; `for_first` is 1 where only the first place makes an
    answer correct and -1 where only the second does, as the mean of both answers.
    """
    rows = data.ruled
    a, b = (rows[f"endorsed_{s}"] - rows[f"endorsed_{s}_swapped"] for s in "ab")
    place = rows["a_first"].map({1: 1, 0: -1})
    changes = rows.assign(changed=a.abs() + b.abs(), for_first=(a - b) * place / 2)
    return changes[changes["changed"].notna()]


@view(
    "both_orders",
    "What the order of answers changes where both were shown",
    _in_both_orders,
    "Samples judged in both orders (`-T order=both`). First less second: how much "
    "more often the same answer is called correct at the first place, in "
    "percentage points.",
    formats={**SHOWN, "Right": PERCENT},
    folded=True,
)
def _swaps(rows: Rows) -> dict[Column, object]:
    twice = pd.Series(2.0, rows.index)
    return {
        "Samples": len(rows),
        "Rulings that change": ratio(rows, rows["changed"], twice),
        "Verdicts that change": share(rows, (rows["changed"] > 0).astype(float)),
        "Right": accuracy(rows),
        "Right, swapped": share(rows, rows["verdict_correct_swapped"]),
        **tested("First less second", rows, rows["for_first"]),
    }


@view(
    "both_correct",
    "Whether judges call both answers correct too often",
    lambda data: data.ruled[data.ruled["regime"].notna()],
    "Beyond independence: win-win less its share if each answer were ruled on by "
    "itself; within truth: the same among samples that are right and wrong alike. "
    "The last four columns: percent of the answers called correct.",
)
def _both_correct(rows: Rows) -> dict[Column, object]:
    both = (rows["verdict_class"] == 3).astype(float)
    right = (rows["regime"] == 2).astype(float)
    of = {number: rows[rows["regime"] == number] for number in (0, 1, 2)}

    def right_called(part: Rows) -> Estimate:
        return ratio(part, part["n_right"] - part["fn"], part["n_right"])

    return {
        "Verdicts": len(rows),
        "Win-win": share(rows, both),
        "All are right": right.mean(),
        **tested("Win-win less all right", rows, both - right),
        "Beyond independence": excess(rows, within_truth=False),
        "Within truth": excess(rows, within_truth=True),
        "All right": right_called(of[2]),
        "Contested: right": right_called(of[1]),
        "Contested: wrong": fpr(of[1]),
        "All wrong": fpr(of[0]),
    }


BY_CONDITION = (_verdicts,)
ERRORS = (_regimes, _rounds, _classes)
ANSWERS = (_answers, _stances)
BIASES = (_places, _orders, _swaps, _both_correct)
