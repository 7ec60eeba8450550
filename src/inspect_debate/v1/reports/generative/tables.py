"""The tables and figures of the report, each declared with its rows and measures."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.v1.debate.record import GradeStatus, Status
from inspect_debate.v1.metrics.dependence import clustered_mean
from inspect_debate.v1.metrics.endorsement import ratio_difference
from inspect_debate.v1.metrics.intervals import Array, cluster_interval, cluster_sums
from inspect_debate.v1.metrics.means import cluster_means, pooled_mean
from inspect_debate.v1.metrics.paired import Equivalence, cluster_sign_flip, holm
from inspect_debate.v1.metrics.tiers import TIERS
from inspect_debate.v1.reports.comparisons import SEED
from inspect_debate.v1.reports.conditions import CONDITION
from inspect_debate.v1.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Figure,
    Format,
    Item,
    Notice,
    Table,
    counted,
    interval_text,
)
from inspect_debate.v1.reports.estimates import Estimate, of_mean
from inspect_debate.v1.reports.generative.comparisons import (
    MARGINS,
    MODELS,
    Compared,
    Comparison,
    Data,
    against,
    partner,
)
from inspect_debate.v1.reports.generative.rows import (
    ALPHA,
    KEYS,
    KINDS,
    QUESTION,
    SAMPLE,
    TIER,
    Rows,
    accuracy,
    chosen,
    conditions_in,
    family_title,
    fnr,
    fpr,
    heading_of,
    joined,
    ratio,
    share,
    tied,
)
from inspect_debate.v1.reports.panels import Flow, flow_panels
from inspect_debate.v1.reports.sanity import total
from inspect_debate.v1.reports.views import (
    Columns,
    Measure,
    Plot,
    View,
    first,
    known,
    mean,
)

BY = {MODELS: "heading", CONDITION: "title"}
CLUSTERED = "Intervals are 95 %, clustered by question."
BOOTSTRAP = (
    "Intervals are 95 %, of a paired bootstrap of questions; on few questions they are "
    "too narrow, and p decides."
)

Of = Callable[[Rows], Any]
"""What a column shows of the rows of a group."""


def _rate(part: str, whole: str = "") -> Of:
    """A ratio of sums, or the mean of a column of shares, clustered by question."""
    if whole:
        return lambda rows: ratio(rows, rows[part], rows[whole])
    return lambda rows: share(rows, rows[part])


def _value(of: Of) -> Of:
    """An estimate without its interval."""
    return lambda rows: of(rows).value


def _sum(column: str) -> Of:
    return lambda rows: rows[column].sum()


def _count(column: str, value: float) -> Of:
    return lambda rows: int((rows[column] == value).sum())


def _where(column: str, value: float, of: Of) -> Of:
    """The same of the rows with a value alone."""
    return lambda rows: of(rows[rows[column] == value])


def _tested(title: str, column: str) -> Columns:
    """The mean of differences within samples, and the p of sign flips of questions."""
    p = f"{title}: p"

    def columns(rows: Rows) -> dict[Column, object]:
        values, questions = rows[column], rows["question_id"]
        mean = of_mean(clustered_mean(values, questions), (-1, 1))
        known = values.notna()
        found = _flips(values[known], questions[known]) if known.any() else np.nan
        return {title: mean, p: found}

    return Columns(columns, {title: POINTS, p: P_VALUE})


def _flips(values: "pd.Series[float]", questions: "pd.Series[str]") -> float:
    return cluster_sign_flip(values, list(questions), seed=SEED)


def _question_mean(column: str, reach: float = 1) -> Of:
    """The mean of the questions' means of values from -`reach` to `reach`."""

    def estimate(rows: Rows) -> Estimate:
        found = pooled_mean(cluster_means(rows[column], rows["question_id"]))
        return of_mean(found, (-reach, reach))

    return estimate


def _table(
    name: str,
    title: str,
    rows: Callable[[Data], Rows],
    note: str,
    *measures: Measure | Columns,
    by: Mapping[str, str] = BY,
    **more: Any,
) -> View[Data]:
    """A table, by default with a row for each condition; see `View`."""
    return View(name, title, rows, by, measures, note, **more)


def _judged(data: Data) -> Rows:
    return data.judged


# Verdicts by condition.

BASELINES = ("Always correct", "Always incorrect", "Guessing at the base rate")
"""Judges that look at nothing."""


def _baselines(rows: Rows) -> Iterator[dict[Column, object]]:
    """What judges that look at nothing would score on the same answers, each once."""
    for proposers, kind in KINDS.items():
        of_kind = rows[rows["proposers"] == proposers]
        if of_kind.empty:
            continue
        once = of_kind.drop_duplicates([*KEYS, "answer_set_id"])
        truths = once[["right_a", "right_b"][:proposers]].dropna().to_numpy(dtype=float)
        base = float(truths.mean()) if truths.size else np.nan
        for name, chance in zip(BASELINES, (1.0, 0.0, base), strict=True):
            # Whether a judge is right that endorses each answer with that chance.
            hits = truths * chance + (1 - truths) * (1 - chance)
            joint = float(hits.prod(axis=1).mean()) if len(truths) else np.nan
            yield {
                MODELS: heading_of(rows),
                CONDITION: f"{name} ({kind})",
                "Accuracy": joint,
                "Per answer": float(hits.mean()) if len(truths) else np.nan,
                "Strict": joint,
                "FPR": chance,
                "FNR": 1 - chance,
                "Samples": len(truths),
                "Wrong answers": float((truths == 0).sum()),
                "Right answers": float((truths == 1).sum()),
            }


VERDICTS = _table(
    "formats",
    "Verdicts by condition",
    _judged,
    "Percent. Strict accuracy counts unread and tied verdicts as wrong; baselines are "
    "of the same answers.",
    Measure("Accuracy", accuracy, PERCENT),
    Measure("Per answer", _value(_rate("verdict_correct_mean")), PERCENT),
    Measure("Strict", _value(_rate("verdict_correct_strict")), PERCENT),
    Measure("FPR", fpr, PERCENT),
    Measure("FNR", fnr, PERCENT),
    Measure("Samples", known("verdict_correct"), COUNT),
    Measure("Not read", _count("verdict_ok", 0), COUNT),
    Measure("Tied", tied, COUNT, optional=True),
    Measure("Wrong answers", _sum("n_wrong"), COUNT),
    Measure("Right answers", _sum("n_right"), COUNT),
    also=_baselines,
)

REGIMES: Mapping[int, Mapping[str, int]] = {
    2: {"All right": 2, "Contested": 1, "All wrong": 0},
    1: {"All right": 1, "All wrong": 0},
}
"""By number of answers: how many of them are right."""

CLASSES: Mapping[int, Mapping[str, int]] = {
    2: {"Win-win": 3, "A only": 1, "B only": 2, "Loss-loss": 0},
    1: {"Accepted": 1, "Rejected": 0},
}
"""By number of answers: kinds of verdicts, as `verdict_class` numbers them."""


def _proposers(rows: Rows) -> int:
    return int(rows["proposers"].iloc[0])


def _regimes(rows: Rows) -> dict[Column, object]:
    columns: dict[Column, object] = {}
    graded = rows["regime"].notna().sum()
    for name, right in REGIMES[_proposers(rows)].items():
        part = rows[rows["regime"] == right]
        columns[f"{name}: share"] = len(part) / graded if graded else None
        columns[name] = accuracy(part)
        columns[f"{name}: rounds"] = int(part["verdict_correct"].notna().sum())
    return columns


def _classes(rows: Rows) -> dict[Column, object]:
    found = rows[rows["verdict_class"].notna()]
    shares: dict[Column, object] = {
        name: share(found, (found["verdict_class"] == number).astype(float))
        for name, number in CLASSES[_proposers(rows)].items()
    }
    all_right = (found["regime"] == found["proposers"]).astype(float)
    return {**shares, "All right": all_right.mean(), "Verdicts": len(found)}


def _percent(*names: str) -> dict[str, Format]:
    return dict.fromkeys(names, PERCENT)


ERRORS = (
    _table(
        "regimes",
        "Accuracy where all answers, one or none is right",
        _judged,
        "Percent; beside each accuracy the share of all graded rounds, and the rounds "
        "with a readable verdict.",
        Columns(
            _regimes,
            _percent(*REGIMES[2], *(f"{name}: share" for name in REGIMES[2])),
        ),
    ),
    _table(
        "error_rounds",
        "False verdicts by round",
        _judged,
        "Percent of the rounds with a wrong (right) answer in which the judge calls at "
        "least one of them correct (incorrect), and the number of such rounds.",
        Measure("FPR by round", _rate("wrong_round_endorsed", "wrong_round"), PERCENT),
        Measure("Wrong", _sum("wrong_round"), COUNT),
        Measure("FNR by round", _rate("right_round_rejected", "right_round"), PERCENT),
        Measure("Right", _sum("right_round"), COUNT),
        folded=True,
    ),
    _table(
        "verdict_classes",
        "Kinds of verdicts by condition",
        _judged,
        "Percent of the readable verdicts. All right: the share of the same rounds in "
        "which every answer is right, so that win-win, or accepted, is the right "
        "verdict.",
        Columns(_classes, _percent("All right", *CLASSES[2], *CLASSES[1])),
    ),
)

# Answers and stances.


def _answers(rows: Rows) -> dict[Column, object]:
    samples: dict[Column, object] = {"Samples": int(rows["answer_right"].notna().sum())}
    number = _proposers(rows)
    if not number:
        return {"Judge's own": share(rows, rows["answer_right"]), **samples}
    seats = "ab"[:number]
    return {
        "Proposed": share(rows, rows["answer_right"]),
        **{seat.upper(): rows[f"right_{seat}"].mean() for seat in seats},
        "Accepted": share(rows, rows["accepted_right"]),
        "Judge's own": share(rows, rows["judge_answer_right"]),
        "Readable": rows[[f"parsed_{seat}" for seat in seats]].stack().mean(),
        **({"Identical": rows["answers_identical"].mean()} if number == 2 else {}),
        **samples,
    }


def _critics(data: Data) -> Rows:
    items = data.items
    spoke = items["interaction"].isin(["debate", "critique"])
    rows = items[(items["proposers"] == 1) & spoke]
    return rows if rows["stance"].notna().any() else rows.iloc[:0]


ANSWERS = (
    _table(
        "answers",
        "Accuracy of answers",
        lambda data: data.items,
        "Percent of right answers: those proposed, those that the judge calls correct, "
        "and the judge's own. The study does not say which of these its “answer "
        "accuracy” is.",
        Columns(
            _answers,
            _percent("Proposed", "A", "B", "Accepted", "Judge's own")
            | _percent("Readable", "Identical")
            | {"Samples": COUNT},
        ),
    ),
    _table(
        "stances",
        "The critic's stance",
        _critics,
        "Percent of the critic's last readable stances: it agrees with the answer, or "
        "is right about it. Ruled right: the judge finds the stance right.",
        Measure("Agrees", _rate("stance"), PERCENT),
        Measure("Agrees if right", _where("right_a", 1, _rate("stance")), PERCENT),
        Measure("Agrees if wrong", _where("right_a", 0, _rate("stance")), PERCENT),
        Measure("Stance right", _rate("stance_right"), PERCENT),
        Measure("Ruled right", _rate("stance_endorsed"), PERCENT),
        Measure("Stances", known("stance"), COUNT),
        folded=True,
    ),
)

# Biases of a judge of two answers.


def _ruled(data: Data) -> Rows:
    """The rows with a readable ruling on both answers, with what may sway a judge."""
    rows = data.dual[data.dual["verdict_class"].notna()]
    apart = rows["endorsed_first"] - rows["endorsed_second"]
    one_sided = (apart != 0).astype(float).where(apart.notna())
    return rows.assign(
        apart=apart,
        apart_if_alike=apart.where(rows["regime"].isin((0, 2))),
        one_sided=one_sided,
        for_first=(apart > 0).astype(float).where(one_sided == 1),
        a_less_b=rows["endorsed_a"] - rows["endorsed_b"],
        right_if_a=rows["verdict_correct"].where(rows["a_first"] == 1),
        right_if_b=rows["verdict_correct"].where(rows["a_first"] == 0),
    )


def _verdicts_in_order(rows: Rows) -> int:
    return int(rows[["right_if_a", "right_if_b"]].count().sum())


def _orders(rows: Rows) -> dict[Column, object]:
    a, b = rows["right_if_a"], rows["right_if_b"]
    counts = (b, b.notna().astype(float), a, a.notna().astype(float))
    found = ratio_difference(*counts, rows["question_id"], seed=SEED)
    return {
        "A first less B first": Estimate(*found[:3]),
        "A first less B first: p": found.p,
    }


def _in_both_orders(data: Data) -> Rows:
    """The samples judged in both orders, with what depends on the order.

    `changes` counts rulings; `for_first` is 1 where only the first place makes an
    answer correct and -1 where only the second does, as the mean of both answers.
    """
    rows = _ruled(data)
    a, b = (rows[f"endorsed_{s}"] - rows[f"endorsed_{s}_swapped"] for s in "ab")
    changes = a.abs() + b.abs()
    place = rows["a_first"].map({1: 1, 0: -1})
    swapped = rows.assign(
        changes=changes,
        rulings=2.0,
        changed=(changes > 0).astype(float),
        for_first=(a - b) * place / 2,
    )
    return swapped[changes.notna()]


def _of_known_worth(data: Data) -> Rows:
    rows = _ruled(data)
    both = (rows["verdict_class"] == 3).astype(float)
    all_right = (rows["regime"] == 2).astype(float)
    found = rows.assign(
        win_win=both,
        all_right=all_right,
        too_often=both - all_right,
        accepted=rows["n_right"] - rows["fn"],
    )
    return found[rows["regime"].notna()]


def _excess(*, within_truth: bool) -> Of:
    """Win-win verdicts beyond those of a judge that rules on each answer by itself.

    Args:
        within_truth: Whether rulings are taken as independent given which of the
            answers are right, or altogether.

    Returns:
        From rows with rulings on both answers, of known worth: the share of win-win
        verdicts less the product of the shares in which A and in which B is called
        correct (given the truth: the mean of that over samples), from -0.25 to 0.25.
    """

    def value(totals: Array) -> float:
        """Of the numbers (4 truths x none, A, B, both endorsed), flat."""
        cells = totals.reshape(4, 4)
        cells = cells[cells.sum(axis=1) > 0]
        rounds = cells.sum(axis=1)
        a, b = cells[:, [1, 3]].sum(axis=1), cells[:, [2, 3]].sum(axis=1)
        return float((cells[:, 3] - a * b / rounds).sum() / rounds.sum())

    def estimate(rows: Rows) -> Estimate:
        worth = (2 * rows["right_a"] + rows["right_b"]) * within_truth
        kinds = itertools.product(range(4), repeat=2)
        cells = [(worth == w) & (rows["verdict_class"] == v) for w, v in kinds]
        table = np.stack(cells, axis=1).astype(float)
        counts = cluster_sums(table, rows["question_id"])
        ends = cluster_interval(value, counts, bounds=(-0.25, 0.25))
        return Estimate(value(counts.sum(axis=0)), *ends)

    return estimate


BIASES = (
    _table(
        "places",
        "Whether the place or the participant of an answer decides",
        _ruled,
        "First, second: percent of the answers listed there that are called correct; "
        "of equal worth: the difference where both answers are right or both wrong. "
        "One-sided: percent of the verdicts that call exactly one answer correct.",
        Measure("Verdicts", len),
        Measure("First", _rate("endorsed_first"), PERCENT),
        Measure("Second", _rate("endorsed_second"), PERCENT),
        _tested("First less second", "apart"),
        _tested("Of equal worth", "apart_if_alike"),
        Measure("One-sided", _rate("one_sided"), PERCENT),
        Measure("First of these", _rate("for_first"), PERCENT),
        _tested("A less B", "a_less_b"),
    ),
    _table(
        "orders",
        "Verdict accuracy by which answer is listed first",
        _ruled,
        "Percent, on different samples: unless it is fixed, the order follows from "
        "question and epoch. The interval of the difference is of a bootstrap of "
        "questions, and p is the level at which it would touch 0.",
        Measure("Verdicts", _verdicts_in_order),
        Measure("A first", _rate("right_if_a"), PERCENT),
        Measure("B first", _rate("right_if_b"), PERCENT),
        Columns(
            _orders,
            {"A first less B first": POINTS, "A first less B first: p": P_VALUE},
        ),
        folded=True,
    ),
    _table(
        "both_orders",
        "What the order of answers changes where both were shown",
        _in_both_orders,
        "Samples judged in both orders (`-T order=both`). First less second: how much "
        "more often the same answer is called correct at the first place, in "
        "percentage points.",
        Measure("Samples", len),
        Measure("Rulings that change", _rate("changes", "rulings"), PERCENT),
        Measure("Verdicts that change", _rate("changed"), PERCENT),
        Measure("Right", accuracy, PERCENT),
        Measure("Right, swapped", _rate("verdict_correct_swapped"), PERCENT),
        _tested("First less second", "for_first"),
        folded=True,
    ),
    _table(
        "both_correct",
        "Whether judges call both answers correct too often",
        _of_known_worth,
        "Beyond independence: win-win less its share if each answer were ruled on by "
        "itself; within truth: the same among samples that are right and wrong alike. "
        "The last four columns: percent of the answers called correct.",
        Measure("Verdicts", len),
        Measure("Win-win", _rate("win_win"), PERCENT),
        Measure("All are right", mean("all_right"), PERCENT),
        _tested("Win-win less all right", "too_often"),
        Measure("Beyond independence", _excess(within_truth=False), POINTS),
        Measure("Within truth", _excess(within_truth=True), POINTS),
        *(
            Measure(title, _where("regime", regime, of), PERCENT)
            for title, regime, of in (
                ("All right", 2, _rate("accepted", "n_right")),
                ("Contested: right", 1, _rate("accepted", "n_right")),
                ("Contested: wrong", 1, fpr),
                ("All wrong", 0, fpr),
            )
        ),
    ),
)

# Comparisons of conditions, with p-values corrected over the rows of a table.

Family = Callable[[Data], Compared]


def _pairs(made: Sequence[Any], *tests: str, **columns: Sequence[str]) -> Rows:
    """Comparisons, or others with a heading and a title, as rows.

    Args:
        made: The comparisons; each is in the column `of` of its row.
        tests: Attributes that are p-values; a column of that name has them after Holm's
            correction over all rows.
        columns: Further columns.
    """
    names = ("heading", "title", "compared")
    frame = pd.DataFrame(
        {name: [getattr(one, name, None) for one in made] for name in names}
    )
    adjusted = {
        test: list(holm(dict(enumerate(map(attrgetter(test), made)))).values())
        for test in tests
    }
    objects = pd.Series(list(made), dtype=object)
    return frame.assign(of=objects, **adjusted, **columns)


def _of(name: str) -> Of:
    """An attribute of a comparison."""
    get = attrgetter(name)
    return lambda rows: get(rows["of"].iloc[0])


def _gap(name: str) -> Of:
    """An attribute of a comparison that is a difference, without its p-value."""
    return lambda rows: Estimate(*_of(name)(rows)[:3])


def _p(test: str, title: str = "p") -> Sequence[Measure]:
    """A p-value, and the same after Holm's correction."""
    return (
        Measure(title, _of(test), P_VALUE),
        Measure(f"{title} (Holm)", first(test), P_VALUE),
    )


def _side(side: str, of: Of) -> Of:
    """A rate of one side of a comparison: `b` is the condition, `a` the other."""
    return lambda rows: of(_of(side)(rows))


_RIGHT = mean("verdict_correct")
_TESTS = [
    Measure("McNemar p", _of("test.p"), P_VALUE),
    Measure("Flip p", _of("flip_p"), P_VALUE, optional=True),
    Measure("p (Holm)", first("p"), P_VALUE),
]
_LEFT_OUT = Measure("Left out", _of("left_out"), optional=True)


def _outcome(rows: Rows) -> str:
    one: Comparison = rows["of"].iloc[0]
    plain, corrected = one.outcome(one.p), one.outcome(rows["p"].iloc[0])
    return plain if plain == corrected else f"{plain} ({corrected.lower()})"


def conclusion(p: float, found: Sequence[Equivalence]) -> str:
    """What the test of a difference and the equivalence tests show together.

    Args:
        p: Of the test of no difference.
        found: The equivalence tests, in the order of `MARGINS`.

    Returns:
        "equivalent" (within the narrowest margin for which that is shown), "different",
        both where there is a difference but a small one, or "undecided".
    """
    within = [m for m, test in zip(MARGINS, found, strict=True) if test.equivalent]
    different = p < ALPHA
    if not within:
        return "different" if different else "undecided"
    points = f"{POINTS(within[-1]).removeprefix('+')} points"
    if different:
        return f"different, by less than {points}"
    return f"equivalent within {points}"


_TOST = [f"TOST p, ±{margin * 100:g}" for margin in MARGINS]


def _equivalent(rows: Rows) -> dict[Column, object]:
    one: Comparison = rows["of"].iloc[0]
    return {
        "Samples": one.samples,
        "Difference": Estimate(*one.equivalences[0][:3]),
        **dict(zip(_TOST, (test.p for test in one.equivalences), strict=True)),
        "p": one.p,
        "Conclusion": conclusion(one.p, one.equivalences),
    }


def _comparisons(name: str, title: str, family: Family) -> Sequence[View[Data]]:
    """The tables of one family of comparisons: of accuracy, of FPR, of equivalence."""
    by = {MODELS: "heading", "Compared": "compared"}
    return (
        _table(
            f"comparisons_{name}",
            f"Paired differences in verdict accuracy: {title}",
            lambda data: _pairs(family(data).made, "p"),
            "Only first, only second: samples on which the verdict is right in that "
            f"condition alone. The outcome is at p below {ALPHA:g} without Holm's "
            "correction, and in brackets with it where that differs.",
            Measure("Samples", _of("samples"), COUNT),
            _LEFT_OUT,
            Measure("First", _side("b", _RIGHT), PERCENT),
            Measure("Second", _side("a", _RIGHT), PERCENT),
            Measure("Difference", _gap("difference"), POINTS),
            Measure("Only first", _of("test.only_b")),
            Measure("Only second", _of("test.only_a")),
            *_TESTS,
            Measure("Outcome", _outcome),
            by=by,
        ),
        _table(
            f"comparisons_fpr_{name}",
            f"Paired differences in FPR: {title}",
            lambda data: _pairs(family(data).made, "fpr.p"),
            "Percent of the wrong answers that the judge calls correct, on the samples "
            "of the table above. p is of sign flips of whole questions.",
            Measure("Samples", _of("samples"), COUNT),
            Measure("First", _value(_side("b", fpr)), PERCENT),
            Measure("Second", _value(_side("a", fpr)), PERCENT),
            Measure("Difference", _gap("fpr"), POINTS),
            *_p("fpr.p"),
            by=by,
        ),
        _table(
            f"equivalence_{name}",
            f"Whether conditions are equivalent: {title}",
            lambda data: _pairs(family(data).made),
            "Percentage points with 90 % intervals; TOST: two one-sided tests that the "
            "difference is at least so many points either way. p is of no difference; "
            "no p-value is corrected.",
            Columns(
                _equivalent,
                {"Difference": POINTS, **dict.fromkeys([*_TOST, "p"], P_VALUE)},
            ),
            by=by,
        ),
    )


AGAINST_CONSULTANCY = _comparisons(
    "consultancy", "debate less consultancy", lambda data: data.consultancy
)
AGAINST_NONE = _comparisons(
    "no_transcript",
    "with speeches less without a transcript",
    lambda data: data.no_transcript,
)

STUDY_TALLY = {"dual": (6, 2, 0), "single": (5, 2, 1), "all": (11, 4, 1)}
"""Losses, ties and wins of debate as printed; those of single formats follow."""

_OUTCOMES = ("Loses", "Ties", "Wins")


def tally_table(data: Data) -> Table | None:
    """How often debate loses to consultancy, ties and wins, ours and as printed."""
    pairs = _pairs(data.consultancy.made, "p")
    if pairs.empty:
        return None
    found = pd.DataFrame(
        {
            "kind": [one.condition.kind for one in pairs["of"]],
            "plain": [one.outcome(one.p) for one in pairs["of"]],
            "with Holm": [
                one.outcome(p) for one, p in zip(pairs["of"], pairs["p"], strict=True)
            ],
        }
    )
    rows: list[tuple[object, ...]] = []
    for kind, published in STUDY_TALLY.items():
        here = found if kind == "all" else found[found["kind"] == kind]
        for name in ("plain", "with Holm"):
            numbers = [int((here[name] == outcome).sum()) for outcome in _OUTCOMES]
            rows.append((kind.capitalize(), name, len(here), *numbers))
        rows.append((kind.capitalize(), "the study", sum(published), *published))
    columns = ["Conditions", "Counted", "Comparisons", *_OUTCOMES]
    return Table(
        name="tally",
        title="How often debate loses to consultancy, ties and wins",
        frame=pd.DataFrame(rows, columns=pd.Index(columns)),
        groups="Conditions",
        note=f"Loses, wins: a difference in verdict accuracy at p below {ALPHA:g}; a "
        "tie does not show that conditions are alike. The study prints the counts of "
        "all and of dual formats; those of single ones follow.",
    )


def tally_line(data: Data) -> str:
    """The counts in a sentence; empty without a comparison."""
    made = data.consultancy.made
    if not made:
        return ""
    found = [one.outcome(one.p) for one in made]
    ours = "debate loses {}, ties {} and wins {}".format(*map(found.count, _OUTCOMES))
    theirs = "{}, {} and {}".format(*STUDY_TALLY["all"])
    return (
        f"Of {counted(len(made), 'comparison')} with consultancy {ours} (in the study, "
        f"of 16: {theirs})."
    )


DEBATES = (AGAINST_CONSULTANCY[0], tally_table, AGAINST_CONSULTANCY[1])
EQUIVALENCES = (AGAINST_CONSULTANCY[2], AGAINST_NONE[2])

# What speeches change.


def _net(rows: Rows) -> Estimate:
    one: Comparison = rows["of"].iloc[0]
    return Estimate(one.moved.net, *one.difference[1:3])


TRANSITIONS = _table(
    "transitions",
    "How verdicts change when speeches are added",
    lambda data: _pairs(data.no_transcript.made),
    "Hurt: right without a transcript and wrong with speeches; helped: the other way "
    "round; both together are flips. p compares hurt with helped, without a "
    "correction.",
    Measure("Samples", _of("moved.n"), COUNT),
    Measure("Right, right", _of("moved.right_right")),
    Measure("Hurt", _of("moved.hurt")),
    Measure("Helped", _of("moved.helped")),
    Measure("Wrong, wrong", _of("moved.wrong_wrong")),
    Measure("Flips", _of("shares.flip"), PERCENT),
    Measure("Hurt share", _of("shares.hurt"), PERCENT),
    Measure("Net", _net, POINTS),
    Measure("p", _of("p"), P_VALUE),
)


def transition_figures(data: Data) -> Iterator[Figure]:
    """A diagram of the transitions for all conditions with the same models and data."""
    pairs = _pairs(data.no_transcript.made)
    for number, (heading, rows) in enumerate(pairs.groupby("heading", sort=False), 1):
        panels = {f"{one.title} (n={one.moved.n})": _flow(one) for one in rows["of"]}
        found = (f"{name}: {flow.caption}" for name, flow in panels.items())
        yield Figure(
            name=f"figure_transitions_{number}",
            title=f"Verdicts without and with speeches, {heading}",
            figure=flow_panels(
                panels, stacks=("no transcript", "with speeches"), label="verdicts (%)"
            ),
            alt="Two stacks of right and wrong verdicts, without a transcript and with "
            "speeches, and the shares that flow from one to the other: "
            f"{'; '.join(found)}.",
            note="Percent of the verdicts on the same answers that are readable in "
            "both. Net: the change of verdict accuracy in percentage points.",
        )


def _flow(one: Comparison) -> Flow:
    found = one.moved
    hurt = f", {PERCENT(found.hurt_share)} % of them hurt" if found.flip_rate else ""
    ends = interval_text(POINTS, one.difference.low, one.difference.high)
    net = " ".join(filter(None, (POINTS(found.net), ends)))
    return Flow(
        kept=found.right_right / found.n,
        hurt=found.hurt / found.n,
        helped=found.helped / found.n,
        wrong=found.wrong_wrong / found.n,
        caption=f"flips {PERCENT(found.flip_rate)} %{hurt}\n"
        f"net {net}, p {P_VALUE(one.p)}",
    )


SPEECHES = (AGAINST_NONE[0], AGAINST_NONE[1], TRANSITIONS, transition_figures)

# Best of n speeches.


def _asked(rows: Rows) -> float:
    return sum(total(rows, f"rewards_{status}") for status in Status)


def _not_read(rows: Rows) -> float:
    asked = _asked(rows)
    return total(rows, "rewards_unread") / asked if asked else np.nan


def _rewarded(data: Data) -> Rows:
    rows = data.items[data.items["best_of"] > 1]
    return rows.assign(gained=rows["reward_chosen"] - rows["reward_mean"])


BEST_SPEECHES = (
    _table(
        "best_of_gains",
        "What the best of n speeches change: verdict accuracy and FPR",
        lambda data: _pairs(data.gains.made, "p", "fpr.p"),
        "First: the first speeches; best: those with the highest reward of n. Holm's "
        "correction is over the rows of this table, one measure at a time.",
        Measure("Samples", _of("samples"), COUNT),
        Measure("First", _value(_side("a", accuracy)), PERCENT),
        Measure("Best", _value(_side("b", accuracy)), PERCENT),
        Measure("Gain", _gap("difference"), POINTS),
        *_p("p"),
        Measure("FPR first", _value(_side("a", fpr)), PERCENT),
        Measure("FPR best", _value(_side("b", fpr)), PERCENT),
        Measure("FPR change", _gap("fpr"), POINTS),
        *_p("fpr.p", "FPR p"),
    ),
    _table(
        "best_of_did",
        "What the best of n speeches add to debate beyond consultancy",
        lambda data: _pairs(data.fours[0], "tested.p"),
        "Percentage points of verdict accuracy on the samples of all four conditions. "
        "DiD: the debate's gain less the consultancy's, with Student's interval and "
        "test over questions; flip p: of sign flips of questions.",
        Measure("Samples", _of("tested.n"), COUNT),
        Measure("Questions", _of("tested.questions")),
        Measure("Debate gain", _of("debate_gain"), POINTS),
        Measure("Consultancy gain", _of("consultancy_gain"), POINTS),
        Measure("DiD", _of("tested"), POINTS),
        Measure("t", _of("tested.t")),
        *_p("tested.p"),
        Measure("Flip p", _of("tested.p_flip"), P_VALUE),
        by={MODELS: "heading", "Conditions": "title"},
    ),
    _table(
        "rewards",
        "Rewards of candidate speeches",
        _rewarded,
        "A reward is 2c - 1 where the scoring model rules the speaker's own answer (a "
        "critic's: its stance) correct with confidence c, and the negative where it "
        "does not. Not read: percent of those asked for; such a candidate is chosen "
        "last.",
        Measure("Chosen", _question_mean("reward_chosen")),
        Measure("All", _question_mean("reward_mean")),
        Measure("Chosen less all", _question_mean("gained", 2)),
        Measure("Not read", _not_read, PERCENT),
        Measure("Rewards", _asked, COUNT),
        folded=True,
    ),
)

# By difficulty.

BY_TIER = {**BY, "Tier": "tier"}


def _in_tiers(data: Data) -> Rows:
    """Debates compared with consultancies, tier by tier."""
    parts = [
        (tier, part)
        for one in data.consultancy.made
        for tier in TIERS
        if (part := one.within(tier)).samples
    ]
    made = [part for _, part in parts]
    return _pairs(made, "p", tier=[tier for tier, _ in parts])


def _answers_in_tiers(data: Data) -> Rows:
    """The answers of debates and consultancies on the same questions, tier by tier."""
    found = data.conditions
    parts: list[Rows] = []
    for condition, rows in found.items():
        other = partner(found, condition, "consultancy")
        if condition.interaction != "debate" or other is None:
            continue
        names = ["heading", *KEYS, TIER, "answer_set_id", "answer_right"]
        theirs = found[other][names[1:]]
        both = rows[names].merge(theirs, on=[*KEYS, TIER], suffixes=("", " other"))
        known = both.dropna(subset=["answer_right", "answer_right other"])
        parts += [
            part.assign(
                title=against(condition, other),
                same=part["answer_set_id"] == part["answer_set_id other"],
                apart=part["answer_right"] - part["answer_right other"],
            )
            for tier in TIERS
            if len(part := known[known[TIER] == tier])
        ]
    if not parts:
        return pd.DataFrame()
    p = [_answer_p(part) for part in parts]
    adjusted = holm(dict(enumerate(p)))
    return pd.concat(
        [part.assign(p=p[n], holm=adjusted[n]) for n, part in enumerate(parts)]
    )


def _answer_p(rows: Rows) -> float:
    if rows["same"].all():
        return np.nan
    return _flips(rows["apart"], rows["question_id"])


def _whose_answers(rows: Rows) -> str:
    if rows["same"].all():
        return "the same"
    return "partly the same" if rows["same"].any() else "anew"


def _questions(rows: Rows) -> int:
    return rows["question_id"].nunique()


ANSWERS_BY_TIER = _table(
    "tiers_answers",
    "Answer accuracy by difficulty: debate less consultancy",
    _answers_in_tiers,
    "Only where answers were made anew for each condition (`-T answers=fresh`) can "
    "their accuracy differ. p is of sign flips of whole questions.",
    Measure("Answers", _whose_answers),
    Measure("Questions", _questions),
    Measure("Samples", len, COUNT),
    Measure("Debate", _rate("answer_right"), PERCENT),
    Measure("Consultancy", _rate("answer_right other"), PERCENT),
    Measure("Difference", _question_mean("apart"), POINTS),
    Measure("p", first("p"), P_VALUE),
    Measure("p (Holm)", first("holm"), P_VALUE),
    by=BY_TIER,
    folded=True,
)


def answer_tiers(data: Data) -> Iterator[Item]:
    """The table, or a notice that debate and consultancy have the same answers."""
    rows = _answers_in_tiers(data)
    if len(rows) and rows["same"].all():
        yield Notice(
            "Debate and consultancy put the same answers to the judge, so their answer "
            "accuracy cannot differ. It can only with answers made anew for each "
            "condition (`-T answers=fresh`).",
            "info",
        )
    elif (table := ANSWERS_BY_TIER.table(rows)) is not None:
        yield table


def untiered(data: Data) -> Notice | None:
    """How many questions have no tier."""
    rows = data.judged
    unknown = rows.loc[rows[TIER].isna(), QUESTION].drop_duplicates()
    if unknown.empty or not data.consultancy.made:
        return None
    return Notice(
        "Questions without a tier, as a debater has no answer to them: "
        f"{len(unknown)}.",
        "info",
    )


DIFFICULTY = (
    _table(
        "tiers",
        "Verdict accuracy by difficulty: debate less consultancy",
        _in_tiers,
        "A question is hard if no debater mostly answers it right, easy if all do; "
        "with one debater the limits are a third and two thirds of its answers. Tiers "
        "follow from the answers analysed here, so they regress to the mean.",
        Measure("Questions", _side("a", _questions)),
        Measure("Samples", _of("samples"), COUNT),
        Measure("Debate", _side("b", accuracy), PERCENT),
        Measure("Consultancy", _side("a", accuracy), PERCENT),
        Measure("Difference", _gap("difference"), POINTS),
        *_p("p"),
        by=BY_TIER,
    ),
    answer_tiers,
    untiered,
)

# Cleaned against original tasks.


def _cleaned(data: Data) -> Rows:
    made = data.cleaned.made
    headings = [
        f"{family_title(one.condition.family)}, {one.condition.benchmark} less "
        f"{one.other.benchmark}"
        for one in made
    ]
    titles = [one.condition.title for one in made]
    return _pairs(made, "p", heading=headings, title=titles)


CLEANED_TASKS = _table(
    "cleaned",
    "Cleaned against original, paired by task id: verdict accuracy",
    _cleaned,
    "Tasks are paired, not answers: statements, tests and so answers differ, and a "
    "judge that mostly says “correct” gains where more answers are right. The study "
    "prints its difference without condition, models or test.",
    Measure("Tasks", _side("a", _questions)),
    Measure("Samples", _of("samples"), COUNT),
    _LEFT_OUT,
    Measure("Cleaned", _side("b", _RIGHT), PERCENT),
    Measure("Original", _side("a", _RIGHT), PERCENT),
    Measure("Difference", _gap("difference"), POINTS),
    Measure("In the study", lambda rows: "+20 to +25"),
    Measure("Only cleaned", _of("test.only_b")),
    Measure("Only original", _of("test.only_a")),
    *_TESTS,
    Measure("Answers cleaned", _side("b", mean("answer_right")), PERCENT),
    Measure("Answers original", _side("a", mean("answer_right")), PERCENT),
)

# Whether the runs can be trusted: grades, and answers that runs share.

GRADES: Mapping[GradeStatus, str] = {
    "pass": "Right",
    "fail": "Wrong",
    "unparsed": "No answer",
    "timeout": "Out of time",
    "error": "Grader failed",
    "ineligible": "Task of no use",
}


def _graded(data: Data) -> Rows:
    """The rows of runs in which something was graded."""
    items = data.items
    there = [name for name in items if str(name).startswith("grades_")]
    number = items[there].fillna(0).sum(axis=1).groupby(items["run"]).transform("sum")
    return items[number > 0].merge(data.reaching, on=SAMPLE, how="left")


def _total(column: str) -> Of:
    return lambda rows: total(rows, column)


GRADED = _table(
    "grades",
    "Grades of answers",
    _graded,
    "Numbers of answers; to be looked at are programs that passed and reach for what "
    "no solution needs, such as the tests. Answers that a failed grader or an unusable "
    "task left ungraded are in no rate.",
    *(
        Measure(title, _total(f"grades_{grade}"), COUNT)
        for grade, title in GRADES.items()
    ),
    Measure(
        "Right, to be looked at",
        lambda rows: int(rows["reaching"].sum()),
        optional=True,
    ),
    Measure("Seconds", _total("grade_seconds"), Format(digits=1)),
    by={**BY, "Log": "log"},
)


def _shared(data: Data) -> Rows:
    """Which answers are those of the oldest run that has the question and epoch."""
    rows = data.items.dropna(subset="answer_id_a")
    place = rows.groupby("heading", sort=False).ngroup()
    # In the order of the logs, since many runs of a study are created at once.
    logs = rows if data.grouped is None else data.grouped.runs
    age = {log: age for age, log in enumerate(logs["log"].unique())}
    oldest = rows.assign(
        place=place,
        age=rows["log"].map(age),
        answer_set=rows["answer_set_id"].where(rows["proposers"] == 2),
    ).sort_values(["place", "age"], kind="stable")
    first_run = oldest.groupby(["heading", *KEYS])[["answer_id_a", "answer_set"]]
    of_first = first_run.transform("first")
    return oldest.assign(
        same_a=oldest["answer_id_a"].eq(of_first["answer_id_a"]),
        same_set=oldest["answer_set_id"].eq(of_first["answer_set"]),
    )


def _same_sets(rows: Rows) -> int | None:
    return int(rows["same_set"].sum()) if (rows["proposers"] == 2).all() else None


ANSWER_SETS = _table(
    "answer_sets",
    "Which runs share their answers",
    _shared,
    "Same A (and B): the samples whose answers are those of the first log here that "
    "has the question and epoch.",
    Measure(CONDITION, first("title")),
    Measure("Samples", len),
    Measure("Same A", _count("same_a", 1)),
    Measure("Same A and B", _same_sets, COUNT, optional=True),
    Measure("Answers of", first("reuse")),
    by={MODELS: "heading", "Log": "log"},
    folded=True,
)

# Figures: bars by condition, beside published values.

FLOOR = "Direct QA (judge alone)"

_WAYS = {
    "debate": "Debate",
    "consultancy": "Consultancy",
    "none": "No transcript",
    "critique": "Critique",
    "critic": "Critic alone",
}


def _bars(column: str) -> Callable[[Data], Rows]:
    """Rows with the panel, the bar and the group of bars that they belong to.

    Args:
        column: By which groups of bars differ: `kind`, `regime` or `tier`.
    """
    regimes = {
        (number, right): name.lower()
        for number, names in REGIMES.items()
        for name, right in names.items()
    }

    def group(proposers: int, value: Any) -> tuple[int, int, str]:
        """Where a group is, and its name."""
        kind = KINDS[proposers].capitalize()
        if column == "kind":
            return -proposers, 0, kind
        if column == "regime":
            return -proposers, value, f"{kind}: {regimes[proposers, value]}"
        return -proposers, TIERS.index(value), f"{kind}: {value}"

    def bars(data: Data) -> Rows:
        rows = data.judged[data.judged[column].notna()]
        groups = [*map(group, rows["proposers"], rows[column])]
        numbers = rows.groupby("heading")["question_id"].transform("nunique")
        panels = zip(rows["heading"], numbers, strict=True)
        parts = zip(rows["interaction"], rows["best_of"], rows["variant"], strict=True)
        names = [name for *_, name in sorted({*groups})]
        return rows.assign(
            group=pd.Categorical([name for *_, name in groups], names),
            panel=[f"{title} ({counted(n, 'question')})" for title, n in panels],
            bar=[joined(_WAYS[way], chosen(n), variant) for way, n, variant in parts],
            way=rows["interaction"].map([*_WAYS].index),
            place=rows.groupby("heading", sort=False).ngroup(),
        ).sort_values(["place", "way", "variant", "best_of"], kind="stable")

    return bars


def _floor(data: Data) -> dict[str, dict[str, float]]:
    """The accuracy of the judge's own answers, by panel."""
    items = data.items
    alone = items[items["proposers"] == 0].groupby("heading", sort=False)
    own = {
        heading: next(iter(conditions_in(rows).values()))["answer_right"].mean()
        for heading, rows in alone
    }
    panels = _bars("kind")(data).drop_duplicates("panel")
    names = zip(panels["panel"], panels["heading"], strict=True)
    found = {panel: own[heading] for panel, heading in names if heading in own}
    return {FLOOR: found} if found else {}


def _plot(
    name: str,
    title: str,
    column: str,
    of: Of,
    note: str,
    *,
    label: str = "verdict accuracy (%)",
    **more: Any,
) -> Plot[Data]:
    """A bar for each condition in each group, in a panel for all models and data."""
    return Plot(
        name=f"figure_{name}",
        title=title,
        rows=_bars(column),
        kind="bars",
        x="group",
        values={"": of},
        label=label,
        alt=f"{title}: bars with intervals, a panel for all models and data.",
        series="bar",
        panel="panel",
        limits=(0, 1.02),
        note=f"{note} Lines on bars are 95 % intervals; a flat mark is 0, a dash no "
        "value.",
        **more,
    )


FIGURES = (
    _plot(
        *("accuracy", "Verdict accuracy by condition", "kind", accuracy),
        "Direct QA has no verdict: the line is the accuracy of the judge's own "
        "answers.",
        references=_floor,
    ),
    _plot(
        *("fpr", "False positive rate by condition", "kind", fpr),
        "Of the wrong answers the share that the judge calls correct.",
        label="wrong answers endorsed (%)",
    ),
    _plot(
        *("fnr", "False negative rate by condition", "kind", fnr),
        "Of the right answers the share that the judge calls incorrect.",
        label="right answers rejected (%)",
    ),
    _plot(
        "regimes",
        "Verdict accuracy where no, one or every answer is right",
        *("regime", accuracy),
        "Contested: one of two answers is right.",
    ),
    _plot(
        *("tiers", "Verdict accuracy by difficulty", TIER, accuracy),
        "Conditions may have different samples here; the table of tiers pairs them.",
    ),
)
