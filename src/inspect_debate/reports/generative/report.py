"""The report on generative debate: what is measured, compared and shown."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.debate.record import GradeStatus, Status
from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.intervals import Array
from inspect_debate.metrics.paired import (
    Equivalence,
    cluster_sign_flip,
    holm,
)
from inspect_debate.metrics.tiers import TIERS
from inspect_debate.published.printed import PublishedClaim, generative_claims
from inspect_debate.reports.arms import ARM, Arms
from inspect_debate.reports.arms import Part as Arm
from inspect_debate.reports.calls import call_notices
from inspect_debate.reports.comparisons import SEED, in_words
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Figure,
    Format,
    Item,
    Main,
    Notice,
    Section,
    Table,
    counted,
    interval_text,
    listed,
)
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.claims import published_tables
from inspect_debate.reports.generative.comparisons import (
    MARGINS,
    Compared,
    Comparison,
    Four,
    Rows,
    accuracy,
    both_named,
    cleaned_pairs,
    compare,
    compared,
    excess,
    flip_test,
    fnr,
    four_of,
    fpr,
    heading_of,
    outcome,
    question_mean,
    ratio,
    share,
    tied,
    without_choice,
)
from inspect_debate.reports.generative.rows import (
    ALPHA,
    BEST_OF,
    CLEANED,
    FAMILIES,
    KEYS,
    KINDS,
    ORIGINAL,
    PROTOCOLS,
    QUESTION,
    SAMPLE,
    STUDY,
    STUDY_VERSIONS,
    TIER,
    Condition,
    Conditions,
    Paired,
    PairingError,
    benchmark_title,
    conditions,
    conditions_in,
    family_key,
    family_title,
    items_of,
    of_study,
    pair_tasks,
    partner,
    read_scores,
    second_debater,
    titles_of,
)
from inspect_debate.reports.generative.specification import (
    NO_RECORDS,
    Records,
    points_table,
    read_records,
    specification_table,
)
from inspect_debate.reports.logs import Log
from inspect_debate.reports.notices import (
    item_notices,
    judge_notices,
    made_up_notices,
    reuse_notices,
    run_notices,
    sample_notices,
)
from inspect_debate.reports.panels import Flow, flow_panels
from inspect_debate.reports.provenance import command_list, provenance_section, runs_of
from inspect_debate.reports.sanity import LIMIT, sanity_section, total, unread_notices
from inspect_debate.reports.views import (
    Columns,
    Part,
    Plot,
    StudyReport,
    View,
)
from inspect_debate.solvers.formats import FORMATS

MODELS, CONDITION, COMPARED = "Models and data", "Condition", "Compared"

# The data of a report.


@dataclass(frozen=True)
class Data:
    """All that a report shows.

    Attributes:
        items: As from `items_of`.
        logs: The logs.
        grouped: All samples by condition, as from `conditions`.
        records: What the records say.
    """

    items: pd.DataFrame
    logs: Sequence[Log] = ()
    grouped: Arms | None = None
    records: Records = NO_RECORDS

    @property
    def judged(self) -> pd.DataFrame:
        """The rows of conditions in which answers are judged."""
        return self.items[self.items["proposers"] > 0]

    @property
    def ruled(self) -> pd.DataFrame:
        """The rows with a readable ruling on either of two answers."""
        items = self.items
        return items[(items["proposers"] == 2) & items["verdict_class"].notna()]

    @cached_property
    def conditions(self) -> Conditions:
        """The rows of each condition."""
        return conditions_in(self.items)

    @cached_property
    def consultancy(self) -> Compared:
        """Debates compared with consultancies."""
        return compare(self.items, "consultancy")

    @cached_property
    def no_transcript(self) -> Compared:
        """Conditions with speeches compared with those without."""
        return compare(self.items, "none")

    @cached_property
    def gains(self) -> Compared:
        """Conditions with chosen speeches compared with the same without a choice."""
        pairs = [
            (condition, other)
            for condition in self.conditions
            if condition.best_of > 1
            and (other := without_choice(self.conditions, condition)) is not None
        ]
        return compared(self.conditions, pairs)

    @cached_property
    def fours(self) -> tuple[Sequence[Four], Sequence[str]]:
        """Differences in differences, and why others could not be made."""
        made: list[Four] = []
        refused: list[str] = []
        for condition in self.conditions:
            if condition.best_of > 1 and condition.interaction == "debate":
                try:
                    four = four_of(self.conditions, condition)
                except PairingError as error:
                    refused.append(error.message)
                else:
                    made += [four] if four else []
        return made, refused

    @cached_property
    def cleaned(self) -> Compared:
        """Conditions on cleaned tasks compared with the same on the original ones."""
        pairs = list(cleaned_pairs(self.conditions))
        alike = [(one, other) for one, other in pairs if one.variant == other.variant]
        made, refused = compared(self.conditions, alike, pair_tasks)
        others = [
            f"{both_named(self.conditions, *pair)} have different parameters."
            for pair in pairs
            if pair not in alike
        ]
        return Compared(made, [*others, *refused])

    @cached_property
    def arms(self) -> list[Arm]:
        """The conditions, for the sections that all reports have."""
        return [_arm(condition, rows) for condition, rows in self.conditions.items()]


def read_data(logs: Sequence[Log]) -> Data | None:
    """Read the logs of a report; None where no sample was scored."""
    records = read_records(logs)  # first, as it reads what else is to be read beside
    grouped = conditions(read_scores(logs))
    if not grouped.frame["scored"].any():
        return None
    return Data(items_of(grouped), logs, grouped, records)


def _arm(condition: Condition, rows: pd.DataFrame) -> Arm:
    one = rows.iloc[0]
    split = tied(rows)
    return Arm(
        named={MODELS: heading_of(rows), ARM: condition.title},
        samples=rows,
        item="question_id",
        unknown=int((rows["verdict_ok"] == 0).sum()) if condition.proposers else None,
        told={"Tied": split} if split else {},
        debaters=[m for m in (one["debater"], one["debater_b"]) if m and m == m],
        judges=str(one["judge"]).split(", "),
    )


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


def view(
    name: str,
    title: str,
    rows: Callable[[Data], Rows],
    columns: Callable[[Rows], Mapping[Column, object]],
    note: str,
    *,
    by: Mapping[str, str] = BY,
    optional: Collection[str] = (),
    formats: Mapping[Column, Format] = SHOWN,
    also: Callable[[Rows], Iterator[Mapping[Column, object]]] | None = None,
) -> View[Data]:
    """A table of the columns of each group of rows; see `View`."""
    return View(
        name, title, rows, by, [Columns(columns, formats, optional)], note, also=also
    )


# Verdicts by condition.


def _judged(data: Data) -> Rows:
    return data.judged


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


def _regimes(rows: Rows) -> dict[Column, object]:
    columns: dict[Column, object] = {}
    graded = rows["regime"].notna().sum()
    for name, right in REGIMES[_proposers(rows)].items():
        part = rows[rows["regime"] == right]
        columns[f"{name}: share"] = len(part) / graded if graded else None
        columns[name] = accuracy(part)
        columns[f"{name}: rounds"] = int(part["verdict_correct"].notna().sum())
    return columns


def _rounds(rows: Rows) -> dict[Column, object]:
    return {
        "FPR by round": ratio(rows, rows["wrong_round_endorsed"], rows["wrong_round"]),
        "Wrong": rows["wrong_round"].sum(),
        "FNR by round": ratio(rows, rows["right_round_rejected"], rows["right_round"]),
        "Right": rows["right_round"].sum(),
    }


def _classes(rows: Rows) -> dict[Column, object]:
    found = rows[rows["verdict_class"].notna()]
    shares: dict[Column, object] = {
        name: share(found, (found["verdict_class"] == number).astype(float))
        for name, number in VERDICTS[_proposers(rows)].items()
    }
    all_right = (found["regime"] == found["proposers"]).astype(float)
    return {**shares, "All right": all_right.mean(), "Verdicts": len(found)}


FORMATS_TABLE = view(
    "formats",
    "Verdicts by condition",
    _judged,
    _verdicts,
    "Percent. Strict accuracy counts unread and tied verdicts as wrong; baselines are "
    "of the same answers.",
    also=baselines,
    optional=["Tied"],
)
REGIMES_TABLE = view(
    "regimes",
    "Accuracy where all answers, one or none is right",
    _judged,
    _regimes,
    "Percent; beside each accuracy the share of all graded rounds, and the rounds with "
    "a readable verdict.",
)
ROUNDS_TABLE = view(
    "error_rounds",
    "False verdicts by round",
    _judged,
    _rounds,
    "Percent of the rounds with a wrong (right) answer in which the judge calls at "
    "least one of them correct (incorrect), and the number of such rounds.",
    formats={**SHOWN, "Wrong": COUNT, "Right": COUNT},
)
CLASSES_TABLE = view(
    "verdict_classes",
    "Kinds of verdicts by condition",
    _judged,
    _classes,
    "Percent of the readable verdicts. All right: the share of the same rounds in "
    "which every answer is right, so that win-win, or accepted, is the right verdict.",
)

# Answers and stances.


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


ANSWERS_TABLE = view(
    "answers",
    "Accuracy of answers",
    lambda data: data.items,
    _answers,
    "Percent of right answers: those proposed, those that the judge calls correct, and "
    "the judge's own. The study does not say which of these its “answer accuracy” is.",
)
STANCES_TABLE = view(
    "stances",
    "The critic's stance",
    _critics,
    _stances,
    "Percent of the critic's last readable stances: it agrees with the answer, or is "
    "right about it. Ruled right: the judge finds the stance right.",
)

# Comparisons of conditions, with p-values corrected over the table.


def rows_of(
    made: Sequence[Comparison], **p: Callable[[Comparison], float]
) -> pd.DataFrame:
    """Comparisons as rows, with columns of p-values after Holm's correction."""
    frame = pd.DataFrame(
        {
            "heading": [one.heading for one in made],
            "title": [one.title for one in made],
            "compared": [one.compared for one in made],
            "of": _objects(made),
        }
    )
    return frame.assign(
        **{name: _holm([value(one) for one in made]) for name, value in p.items()}
    )


def _objects(values: Sequence[Any]) -> "pd.Series[Any]":
    return pd.Series(list(values), dtype=object)


def _holm(p_values: Sequence[float]) -> list[float]:
    return list(holm(dict(enumerate(p_values))).values())


def _p(one: Comparison) -> float:
    return one.p


def _fpr_p(one: Comparison) -> float:
    return one.fpr.p


def _tests(one: Comparison, adjusted: float) -> dict[Column, object]:
    return {
        "McNemar p": one.test.p,
        "Flip p": None if one.paired.independent else one.difference.p,
        "p (Holm)": adjusted,
    }


def _compared(rows: Rows) -> dict[Column, object]:
    one, adjusted = rows["of"].iloc[0], rows["holm"].iloc[0]
    plain, corrected = outcome(one, one.p), outcome(one, adjusted)
    return {
        "Samples": len(one.paired.a),
        "Left out": in_words(one.paired.drops) or None,
        "First": one.paired.b["verdict_correct"].mean(),
        "Second": one.paired.a["verdict_correct"].mean(),
        "Difference": interval(one.difference),
        "Only first": one.test.only_b,
        "Only second": one.test.only_a,
        **_tests(one, adjusted),
        "Outcome": plain if plain == corrected else f"{plain} ({corrected.lower()})",
    }


def interval(found: Sequence[float]) -> Estimate:
    """A difference with its interval, without its p-value."""
    return Estimate(*found[:3])


def _compared_fpr(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    return {
        "Samples": len(one.paired.a),
        "First": fpr(one.paired.b).value,
        "Second": fpr(one.paired.a).value,
        "Difference": interval(one.fpr),
        "p": one.fpr.p,
        "p (Holm)": rows["holm"].iloc[0],
    }


def _equivalent(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    tests = zip(MARGINS, one.equivalences, strict=True)
    return {
        "Samples": len(one.paired.a),
        "Difference": interval(one.equivalences[0]),
        **{f"TOST p, ±{margin * 100:g}": test.p for margin, test in tests},
        "p": one.p,
        "Conclusion": conclusion(one.p, one.equivalences),
    }


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


Made = Callable[[Data], Sequence[Comparison]]


def _comparisons(name: str, title: str, made: Made) -> Mapping[str, View[Data]]:
    """The tables of one family of comparisons: of accuracy, of FPR, of equivalence."""
    return {
        "accuracy": view(
            f"comparisons_{name}",
            f"Paired differences in verdict accuracy: {title}",
            lambda data: rows_of(made(data), holm=_p),
            _compared,
            "Only first, only second: samples on which the verdict is right in that "
            f"condition alone. The outcome is at p below {ALPHA:g} without Holm's "
            "correction, and in brackets with it where that differs.",
            by=BY_PAIR,
            optional=["Left out", "Flip p"],
        ),
        "fpr": view(
            f"comparisons_fpr_{name}",
            f"Paired differences in FPR: {title}",
            lambda data: rows_of(made(data), holm=_fpr_p),
            _compared_fpr,
            "Percent of the wrong answers that the judge calls correct, on the samples "
            "of the table above. p is of sign flips of whole questions.",
            by=BY_PAIR,
        ),
        "equivalence": view(
            f"equivalence_{name}",
            f"Whether conditions are equivalent: {title}",
            lambda data: rows_of(made(data)),
            _equivalent,
            "Percentage points with 90 % intervals; TOST: two one-sided tests that the "
            "difference is at least so many points either way. p is of no difference; "
            "no p-value is corrected.",
            by=BY_PAIR,
        ),
    }


AGAINST_CONSULTANCY = _comparisons(
    "consultancy", "debate less consultancy", lambda data: data.consultancy.made
)
AGAINST_NONE = _comparisons(
    "no_transcript",
    "with speeches less without a transcript",
    lambda data: data.no_transcript.made,
)

STUDY_TALLY = {"dual": (6, 2, 0), "single": (5, 2, 1), "all": (11, 4, 1)}
"""Losses, ties and wins of debate as printed; those of single formats follow."""

_OUTCOMES = ("Loses", "Ties", "Wins")


def tally_table(data: Data) -> Table | None:
    """How often debate loses to consultancy, ties and wins, ours and as printed."""
    made = data.consultancy.made
    if not made:
        return None
    counts = {"plain": [one.p for one in made]}
    counts["with Holm"] = _holm(counts["plain"])
    kinds = [KINDS[one.condition.proposers] for one in made]
    rows = []
    for kind, printed in STUDY_TALLY.items():
        for name, p_values in counts.items():
            found = [
                outcome(one, p)
                for one, p, of_kind in zip(made, p_values, kinds, strict=True)
                if kind in ("all", of_kind)
            ]
            rows.append((kind, name, len(found), *map(found.count, _OUTCOMES)))
        rows.append((kind, "the study", sum(printed), *printed))
    columns = ["Conditions", "Counted", "Comparisons", *_OUTCOMES]
    frame = pd.DataFrame(rows, columns=pd.Index(columns))
    return Table(
        name="tally",
        title="How often debate loses to consultancy, ties and wins",
        frame=frame.assign(Conditions=frame["Conditions"].str.capitalize()),
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
    found = [outcome(one, one.p) for one in made]
    ours = "debate loses {}, ties {} and wins {}".format(*map(found.count, _OUTCOMES))
    theirs = "{}, {} and {}".format(*STUDY_TALLY["all"])
    return (
        f"Of {counted(len(made), 'comparison')} with consultancy {ours} (in the study, "
        f"of 16: {theirs})."
    )


# What speeches change.


def _transitions(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    return {
        "Samples": one.moved.n,
        "Right, right": one.moved.right_right,
        "Hurt": one.moved.hurt,
        "Helped": one.moved.helped,
        "Wrong, wrong": one.moved.wrong_wrong,
        "Flips": one.shares.flip,
        "Hurt share": one.shares.hurt,
        "Net": Estimate(one.moved.net, *one.difference[1:3]),
        "p": one.p,
    }


TRANSITIONS_TABLE = view(
    "transitions",
    "How verdicts change when speeches are added",
    lambda data: rows_of(data.no_transcript.made),
    _transitions,
    "Hurt: right without a transcript and wrong with speeches; helped: the other way "
    "round; both together are flips. p compares hurt with helped, without a "
    "correction.",
)


def transition_figures(data: Data) -> Iterator[Figure]:
    """A diagram of the transitions for all conditions with the same models and data."""
    made = data.no_transcript.made
    headings = dict.fromkeys(one.heading for one in made)
    for number, heading in enumerate(headings, 1):
        panels = {
            f"{one.title} (n={one.moved.n})": _flow(one)
            for one in made
            if one.heading == heading
        }
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


# Best of n speeches.


def _gains(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    return {
        "Samples": len(one.paired.a),
        "First": accuracy(one.paired.a).value,
        "Best": accuracy(one.paired.b).value,
        "Gain": interval(one.difference),
        "p": one.p,
        "p (Holm)": rows["holm"].iloc[0],
        "FPR first": fpr(one.paired.a).value,
        "FPR best": fpr(one.paired.b).value,
        "FPR change": interval(one.fpr),
        "FPR p": one.fpr.p,
        "FPR p (Holm)": rows["fpr_holm"].iloc[0],
    }


def _four_rows(data: Data) -> pd.DataFrame:
    made, _ = data.fours
    return pd.DataFrame(
        {
            "heading": [four.heading for four in made],
            "title": [four.title for four in made],
            "of": _objects(made),
            "holm": _holm([four.tested.p for four in made]),
        }
    )


def _did(rows: Rows) -> dict[Column, object]:
    four: Four = rows["of"].iloc[0]
    found = four.tested
    return {
        "Samples": found.n,
        "Questions": found.questions,
        "Debate gain": four.gain("debate"),
        "Consultancy gain": four.gain("consultancy"),
        "DiD": Estimate(found.value, found.low, found.high),
        "t": found.t,
        "p": found.p,
        "p (Holm)": rows["holm"].iloc[0],
        "Flip p": found.p_flip,
    }


def _rewards(rows: Rows) -> dict[Column, object]:
    asked = sum(total(rows, f"rewards_{status}") for status in Status)
    chosen, every = rows["reward_chosen"], rows["reward_mean"]
    return {
        "Chosen": question_mean(rows, chosen),
        "All": question_mean(rows, every),
        "Chosen less all": question_mean(rows, chosen - every, reach=2),
        "Not read": total(rows, "rewards_unread") / asked if asked else np.nan,
        "Rewards": asked,
    }


GAINS_TABLE = view(
    "best_of_gains",
    "What the best of n speeches change: verdict accuracy and FPR",
    lambda data: rows_of(data.gains.made, holm=_p, fpr_holm=_fpr_p),
    _gains,
    "First: the first speeches; best: those with the highest reward of n. Holm's "
    "correction is over the rows of this table, one measure at a time.",
)
DID_TABLE = view(
    "best_of_did",
    "What the best of n speeches add to debate beyond consultancy",
    _four_rows,
    _did,
    "Percentage points of verdict accuracy on the samples of all four conditions. DiD: "
    "the debate's gain less the consultancy's, with Student's interval and test over "
    "questions; flip p: of sign flips of questions.",
    by={MODELS: "heading", "Conditions": "title"},
)
REWARDS_TABLE = view(
    "rewards",
    "Rewards of candidate speeches",
    lambda data: data.items[data.items["best_of"] > 1],
    _rewards,
    "A reward is 2c - 1 where the scoring model rules the speaker's own answer (a "
    "critic's: its stance) correct with confidence c, and the negative where it does "
    "not. Not read: percent of those asked for; such a candidate is chosen last.",
    formats={"Not read": PERCENT, "Rewards": COUNT},
)


def refusals(what: str, refused: Sequence[str]) -> Notice | None:
    """Why some comparisons were not made."""
    reasons = listed(dict.fromkeys(refused))
    return Notice(f"{what}\n\n{reasons}") if reasons else None


# By difficulty.

BY_TIER = {**BY, "Tier": "tier"}


def _tier_pairs(data: Data) -> pd.DataFrame:
    """Debates compared with consultancies, tier by tier."""
    parts = [
        (tier, part)
        for one in data.consultancy.made
        for tier in TIERS
        if len((part := one.within(tier)).paired.a)
    ]
    frame = rows_of([part for _, part in parts], holm=_p)
    return frame.assign(tier=[tier for tier, _ in parts])


def _in_tier(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    return {
        "Questions": one.paired.questions.nunique(),
        "Samples": len(one.paired.a),
        "Debate": accuracy(one.paired.b),
        "Consultancy": accuracy(one.paired.a),
        "Difference": interval(one.difference),
        "p": one.p,
        "p (Holm)": rows["holm"].iloc[0],
    }


TIERS_TABLE = view(
    "tiers",
    "Verdict accuracy by difficulty: debate less consultancy",
    _tier_pairs,
    _in_tier,
    "A question is hard if no debater mostly answers it right, easy if all do; with "
    "one debater the limits are a third and two thirds of its answers. Tiers follow "
    "from the answers analysed here, so they regress to the mean.",
    by=BY_TIER,
)


def _answer_pairs(data: Data) -> pd.DataFrame:
    """The answers of debates and consultancies on the same questions, tier by tier."""
    found = data.conditions
    parts = []
    for condition, rows in found.items():
        other = partner(found, condition, "consultancy")
        if condition.interaction != "debate" or other is None:
            continue
        title = Comparison(condition, other, Paired(found[other], rows, {})).title
        both = found[other].merge(rows, on=[*KEYS, TIER], suffixes=(" a", " b"))
        known = both.dropna(subset=["answer_right a", "answer_right b"])
        parts += [
            (heading_of(rows), title, tier, part)
            for tier in TIERS
            if len(part := known[known[TIER] == tier])
        ]
    frame = pd.DataFrame(parts, columns=pd.Index(["heading", "title", "tier", "of"]))
    p = [_answer_p(part) for *_, part in parts]
    return frame.assign(p=p, holm=_holm(p))


def _answer_p(both: Rows) -> float:
    if _same(both).all():
        return np.nan
    apart = both["answer_right b"] - both["answer_right a"]
    return cluster_sign_flip(apart, list(both["question_id"]), seed=SEED)


def _same(both: Rows) -> "pd.Series[bool]":
    return both["answer_set_id a"] == both["answer_set_id b"]


def _answers_in_tier(rows: Rows) -> dict[Column, object]:
    both = rows["of"].iloc[0]
    same, a, b = _same(both), both["answer_right a"], both["answer_right b"]
    some = "partly the same" if same.any() else "anew"
    return {
        "Answers": "the same" if same.all() else some,
        "Questions": both["question_id"].nunique(),
        "Samples": len(both),
        "Debate": share(both, b),
        "Consultancy": share(both, a),
        "Difference": question_mean(both, b - a),
        "p": rows["p"].iloc[0],
        "p (Holm)": rows["holm"].iloc[0],
    }


ANSWER_TIERS_TABLE = view(
    "tiers_answers",
    "Answer accuracy by difficulty: debate less consultancy",
    _answer_pairs,
    _answers_in_tier,
    "Only where answers were made anew for each condition (`-T answers=fresh`) can "
    "their accuracy differ. p is of sign flips of whole questions.",
    by=BY_TIER,
)


def answer_tiers(data: Data) -> Iterator[Item]:
    """The table, or a notice that debate and consultancy have the same answers."""
    rows = _answer_pairs(data)
    if len(rows) and all(_same(both).all() for both in rows["of"]):
        yield Notice(
            "Debate and consultancy put the same answers to the judge, so their answer "
            "accuracy cannot differ. It can only with answers made anew for each "
            "condition (`-T answers=fresh`).",
            "info",
        )
    else:
        yield from ANSWER_TIERS_TABLE(data)


def untiered(data: Data) -> Notice | None:
    """How many questions have no tier."""
    rows = data.judged
    unknown = rows.loc[rows[TIER].isna(), QUESTION].drop_duplicates()
    if unknown.empty or not data.consultancy.made:
        return None
    return Notice(
        f"Questions without a tier, as a debater has no answer to them: "
        f"{len(unknown)}.",
        "info",
    )


# Cleaned against original tasks.


def _cleaned_rows(data: Data) -> pd.DataFrame:
    made = data.cleaned.made
    headings = [
        f"{family_title(one.condition.family)}, {one.condition.benchmark} less "
        f"{one.other.benchmark}"
        for one in made
    ]
    titles = [one.condition.title for one in made]
    return rows_of(made, holm=_p).assign(heading=headings, title=titles)


def _cleaned(rows: Rows) -> dict[Column, object]:
    one = rows["of"].iloc[0]
    original, cleaned = one.paired.a, one.paired.b
    return {
        "Tasks": one.paired.questions.nunique(),
        "Samples": len(cleaned),
        "Left out": in_words(one.paired.drops) or None,
        "Cleaned": cleaned["verdict_correct"].mean(),
        "Original": original["verdict_correct"].mean(),
        "Difference": interval(one.difference),
        "In the study": "+20 to +25",
        "Only cleaned": one.test.only_b,
        "Only original": one.test.only_a,
        **_tests(one, rows["holm"].iloc[0]),
        "Answers cleaned": cleaned["answer_right"].mean(),
        "Answers original": original["answer_right"].mean(),
    }


CLEANED_TABLE = view(
    "cleaned",
    "Cleaned against original, paired by task id: verdict accuracy",
    _cleaned_rows,
    _cleaned,
    "Tasks are paired, not answers: statements, tests and so answers differ, and a "
    "judge that mostly says “correct” gains where more answers are right. The study "
    "prints its difference without condition, models or test.",
    optional=["Left out", "Flip p"],
)

# Biases of a judge of two answers.


def tested(title: str, rows: Rows, values: "pd.Series[float]") -> dict[Column, object]:
    """The columns of a mean difference within samples, and of its test."""
    mean, p = flip_test(rows, values)
    return {title: mean, f"{title}: p": p}


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


BIASES = (
    view(
        "places",
        "Whether the place or the participant of an answer decides",
        lambda data: data.ruled,
        _places,
        "First, second: percent of the answers listed there that are called correct; "
        "of equal worth: the difference where both answers are right or both wrong. "
        "One-sided: percent of the verdicts that call exactly one answer correct.",
    ),
    view(
        "orders",
        "Verdict accuracy by which answer is listed first",
        lambda data: data.ruled,
        _orders,
        "Percent, on different samples: unless it is fixed, the order follows from "
        "question and epoch. The interval of the difference is of a bootstrap of "
        "questions, and p is the level at which it would touch 0.",
    ),
    view(
        "both_orders",
        "What the order of answers changes where both were shown",
        _in_both_orders,
        _swaps,
        "Samples judged in both orders (`-T order=both`). First less second: how much "
        "more often the same answer is called correct at the first place, in "
        "percentage points.",
        formats={**SHOWN, "Right": PERCENT},
    ),
    view(
        "both_correct",
        "Whether judges call both answers correct too often",
        lambda data: data.ruled[data.ruled["regime"].notna()],
        _both_correct,
        "Beyond independence: win-win less its share if each answer were ruled on by "
        "itself; within truth: the same among samples that are right and wrong alike. "
        "The last four columns: percent of the answers called correct.",
    ),
)

# Figures.

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
            for claim in generative_claims().claims
            if claim.measure == measure and _is_about(claim, condition)
        ]
        return found[-1] if found else np.nan

    return value


def _printed_all_wrong(rows: Rows) -> float:
    return printed("all_wrong")(rows[rows["regime"] == 0])


def _is_about(claim: PublishedClaim, condition: Condition) -> bool:
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

# Whether the runs can be trusted: grades, shared answers, and what to read first.

STAGES = {
    "answers": "Answers",
    "speeches": "Speeches",
    "stances": "Stances",
    "rewards": "Rewards",
    "verdicts": "Verdicts",
}
"""What is asked for, as readers see it."""

UNREAD = (
    "An answer that could not be read is wrong; a verdict is in no accuracy, rate or "
    "pair, and strict accuracy counts it as wrong."
)

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
    return items[number > 0].merge(data.records.reaching, on=SAMPLE, how="left")


def _grades(rows: Rows) -> dict[Column, object]:
    return {
        **{title: total(rows, f"grades_{kind}") for kind, title in GRADES.items()},
        "Right, to be looked at": int(rows["reaching"].sum()),
        "Seconds": total(rows, "grade_seconds"),
    }


GRADES_TABLE = view(
    "grades",
    "Grades of answers",
    _graded,
    _grades,
    "Numbers of answers; to be looked at are programs that passed and reach for what "
    "no solution needs, such as the tests. Answers that a failed grader or an unusable "
    "task left ungraded are in no rate.",
    by={**BY, "Log": "log"},
    formats={**dict.fromkeys(GRADES.values(), COUNT), "Seconds": Format(digits=1)},
    optional=["Right, to be looked at"],
)


def answer_sets_table(data: Data) -> Table | None:
    """Which runs put the same answers to the judge."""
    answered = data.items.dropna(subset="answer_id_a")
    if answered.empty:
        return None
    rows = [
        {MODELS: heading, **row}
        for heading, of_heading in answered.groupby("heading", sort=False)
        for row in _shared(of_heading)
    ]
    frame = pd.DataFrame(rows)
    return Table(
        name="answer_sets",
        title="Which runs share their answers",
        frame=frame,
        groups=MODELS,
        formats={"Same A and B": COUNT} if "Same A and B" in frame else {},
        note="Same A (and B): the samples whose answers are those of the first log "
        "here that has the question and epoch.",
    )


def _shared(rows: Rows) -> Iterator[dict[str, object]]:
    """Per run how many of its answers are those of the oldest run that has them."""
    oldest = rows.sort_values("created", kind="stable")
    two = oldest[oldest["proposers"] == 2]
    named = oldest.assign(
        same_a=oldest["answer_id_a"].eq(_oldest(oldest, "answer_id_a")),
        same_set=oldest["answer_set_id"].eq(_oldest(two, "answer_set_id")),
    )
    for log, of_log in named.groupby("log", sort=False):
        same = {"Same A": int(of_log["same_a"].sum())}
        if (of_log["proposers"] == 2).all():
            same["Same A and B"] = int(of_log["same_set"].sum())
        yield {
            "Log": log,
            CONDITION: of_log["title"].iloc[0],
            "Samples": len(of_log),
            **same,
            "Answers of": of_log["reuse"].iloc[0],
        }


def _oldest(rows: Rows, column: str) -> "pd.Series[str]":
    return rows.groupby(KEYS)[column].transform("first")


def notices(data: Data) -> Iterator[Notice]:
    """What must be read before the numbers."""
    grouped = data.grouped
    refused = [*data.consultancy.refused, *data.no_transcript.refused]
    names = titles_of(grouped) if grouped else {}
    yield from run_notices(data.logs)
    if grouped:
        yield from made_up_notices(grouped.frame, names)
    yield from unread_notices(data.arms, STAGES)
    yield from tied_notices(data)
    reasons = refusals("These comparisons are not made:", refused)
    yield from [reasons] if reasons else []
    yield from data_notices(data)
    yield from item_notices(data.arms, MODELS)
    if grouped:
        yield from sample_notices(grouped, names)
    yield from answer_notices(data)
    what = "The study's question is about a weaker judge."
    yield from judge_notices(data.arms, what, "warning")
    yield from position_notices(data)
    yield from call_notices(data.records.calls)
    if grouped:
        yield from reuse_notices(grouped.frame, names)


def _each(data: Data, rows: Rows, of: Callable[[Rows], float]) -> Iterator[str]:
    """A share for each condition, as a line of a list."""
    for condition, part in conditions_in(rows).items():
        if (found := of(part)) == found:
            yield f"{found:.0%}: {condition.title} ({heading_of(part)})"


def tied_notices(data: Data) -> Iterator[Notice]:
    """Panels whose judges tie too often."""

    def often(rows: Rows) -> float:
        found = tied(rows) / len(rows)
        return found if found > LIMIT else np.nan

    if split := listed(_each(data, data.judged, often)):
        yield Notice(
            f"The judges of a panel tie on more than {LIMIT:.0%} of the samples. These "
            "are in no accuracy, rate or pair, and strict accuracy counts them as "
            f"wrong.\n\n{split}"
        )


def position_notices(data: Data) -> Iterator[Notice]:
    """Conditions in which one answer was listed first much more often."""

    def uneven(rows: Rows) -> float:
        found = share(rows, rows["a_first"])
        return found.value if found.low > 0.5 or found.high < 0.5 else np.nan

    two = data.items[data.items["proposers"] == 2]
    if found := listed(_each(data, two, uneven)):
        yield Notice(
            "Answer A was listed first in a share of the rounds that is not about "
            "half: a preference for a place cannot be told from one for a debater."
            f"\n\n{found}"
        )


def data_notices(data: Data) -> Iterator[Notice]:
    """Runs that are not on the study's data, or not with its models."""
    columns = (data.items[name] for name in ("dataset", "version", "split"))
    keys = list(dict.fromkeys(zip(*columns, strict=True)))
    titles = {key: benchmark_title(*key) for key in keys}
    foreign = [
        title
        for (dataset, version, _), title in titles.items()
        if not of_study(dataset, version) and version != "sample"
    ]
    if foreign:
        which = "These runs are" if len(foreign) == len(titles) else "Some runs are"
        arc = any(key[0] == "arc" for key in titles)
        yield Notice(
            f"{which} not on the study's data: {'; '.join(foreign)}. They do not "
            "compare with the published values."
            f"{' (That the version of ARC-AGI is 1 is inferred.)' if arc else ''}"
        )
    newer = [
        title
        for (dataset, version, _), title in titles.items()
        if of_study(dataset, version) and version != STUDY_VERSIONS[dataset]
    ]
    if newer:
        yield Notice(
            f"The study used {STUDY_VERSIONS[CLEANED]} of BigCodeBench-Plus. Many "
            "tasks were changed since, so published values are of other tasks than "
            f"{'; '.join(newer)}.",
            "info",
        )
    families = sorted(set(data.items["family"]))
    others = [family for family in families if family_key(family) not in FAMILIES]
    if others:
        yield Notice(
            f"Not models of the study: {'; '.join(map(family_title, others))}. "
            "Published values are of other models, for orientation only.",
            "info",
        )


def answer_notices(data: Data) -> Iterator[Notice]:
    """Conditions of one family that have different answers to the same questions."""
    answered = data.judged.dropna(subset="answer_id_a")
    apart = []
    for (family, *_), rows in answered.groupby(["family", "dataset", "version"]):
        number = rows.groupby(KEYS)["answer_id_a"].nunique()
        if (number > 1).any():
            apart.append(
                f"{family_title(str(family))}: {int((number > 1).sum())} of "
                f"{len(number)} questions and epochs"
            )
    if apart:
        yield Notice(
            "Conditions of one family have different answers A to the same question "
            "and epoch, so chance in the answers is part of what differs between them. "
            "A proposer's accuracy by condition is meaningful only with "
            f"`answers=fresh`.\n\n{listed(apart)}"
        )


# The sections, and the report.

COMMAND = "inspect eval inspect_debate/generative"


def absent_formats(data: Data) -> list[str]:
    """The commands of the study's formats that these logs do not have."""
    here = {(condition.format, condition.best_of) for condition in data.conditions}
    datasets = set(data.items["dataset"])
    # Of several data sets a reader has to say which.
    only = datasets.pop() if len(datasets) == 1 else "arc"
    chosen = "" if only == "arc" else f" -T dataset={only}"
    return [
        _command(f"{COMMAND}{chosen}", protocol, best_of)
        for protocol in PROTOCOLS
        for best_of in BEST_OF[: 1 if FORMATS[protocol].interaction == "none" else None]
        if (protocol, best_of) not in here
    ]


def _command(task: str, protocol: str, best_of: int) -> str:
    words = [task, f"-T protocol={protocol}"]
    if best_of > 1:
        words.append(f"-T best_of={best_of}")
    if not FORMATS[protocol].proposers:
        return " ".join([*words, "--model J"])
    return " ".join([*words, "-T reuse=LOG --model M --model-role judge=J"])


def _needs(what: str, *options: str) -> str:
    """What to run where a section has nothing to show."""
    models = "--model M --model-role judge=J"
    return f"{what}\n\n{listed(f'`{COMMAND} {of} {models}`' for of in options)}"


def _two_debaters(data: Data) -> bool:
    two = data.items[data.items["proposers"] == 2]
    return bool((second_debater(two) != two["debater"]).any())


def _conditions_text(data: Data) -> str:
    given = "" if _two_debaters(data) else " of one model"
    return (
        f"Dual conditions put two answers{given} to the judge, single ones the first "
        "of them; all of these may be correct, or none. In a debate participants read "
        "each other's speeches, in a consultancy they do not, and without a transcript "
        "there are no speeches. A verdict is right where the judge is right about "
        f"every answer; FPR is the share of wrong answers that it calls correct. "
        f"{CLUSTERED}"
    )


def _summary(data: Data) -> str:
    items = data.items
    # Versions of a data set, and its cleaned tasks, share their ids.
    questions = items.drop_duplicates(QUESTION)
    return (
        f"Families (debater > judge): {items['family'].nunique()}; conditions: "
        f"{items['arm'].nunique()}; questions: {len(questions)}; logs: "
        f"{len(data.logs)}. What differs from the study's defaults is part of a "
        f"condition's name. {tally_line(data)}"
    )


def _sanity(data: Data) -> Section:
    own = [*GRADES_TABLE(data), answer_sets_table(data)]
    return sanity_section(data.arms, STAGES, data.records.calls, own, unread=UNREAD)


def _provenance(data: Data) -> Section:
    runs = runs_of(data.grouped, titles_of(data.grouped)) if data.grouped else {}
    missing = "Formats of the study that these logs do not have:"
    absent = command_list(missing, absent_formats(data))
    return provenance_section(data.logs, runs, absent=absent)


NO_VERDICT = "None of these runs has answers that are judged."
NO_CONSULTANCY = _needs(
    "That needs debates and consultancies on the same answers:",
    "-T protocol=dual_debate",
    "-T protocol=dual_consultancy -T reuse=LOG",
)

REPORT = StudyReport[Data](
    study=STUDY,
    title="Generative debate: does it help a weaker judge?",
    source="Inference-time Generative Debates on Coding and Reasoning Tasks for "
    "Scalable Oversight (E. Elasky and F. Nakasako)",
    read=read_data,
    summary=_summary,
    notices=notices,
    parts=[
        Part(
            "Verdicts by condition",
            [FORMATS_TABLE, *FIGURES],
            _conditions_text,
            NO_VERDICT,
        ),
        Part(
            "Errors of verdicts",
            [REGIMES_TABLE, ROUNDS_TABLE, CLASSES_TABLE],
            "A judge that calls everything correct is perfect where all answers are "
            "right. Which answers are right does not depend on verdicts. Contested: "
            f"one of two answers is right. {CLUSTERED}",
            NO_VERDICT,
        ),
        Part(
            "Debate against consultancy",
            [
                AGAINST_CONSULTANCY["accuracy"],
                tally_table,
                AGAINST_CONSULTANCY["fpr"],
            ],
            "On the same answers, with the same judge, settings and word limit. In "
            "dual conditions both have as many speeches; a single debate has the "
            "critic's beside the proposer's. McNemar's test is exact; flip is a test "
            "by sign flips of whole questions, which decides where questions have "
            f"several epochs. {BOOTSTRAP} Holm's correction is over the rows of a "
            "table.",
            NO_CONSULTANCY,
        ),
        Part(
            "What speeches change",
            [
                AGAINST_NONE["accuracy"],
                AGAINST_NONE["fpr"],
                TRANSITIONS_TABLE,
                transition_figures,
            ],
            "Each condition with speeches is compared with the same judge's verdicts "
            f"on the same answers alone. {BOOTSTRAP}",
            _needs(
                "That needs the same answers judged without a transcript:",
                "-T protocol=dual_no_transcript -T reuse=LOG",
            ),
        ),
        Part(
            "Best of n speeches",
            [
                lambda data: refusals(
                    "Not compared for best-of-n:",
                    [*data.gains.refused, *data.fours[1]],
                ),
                GAINS_TABLE,
                DID_TABLE,
                REWARDS_TABLE,
            ],
            "The answers are the same; speeches are chosen by a judge's reward, which "
            f"does not know which answers are right. {BOOTSTRAP}",
            _needs(
                "That needs speeches that were chosen:",
                "-T protocol=dual_debate -T best_of=4 -T reuse=LOG",
            ),
        ),
        Part(
            "By difficulty",
            [TIERS_TABLE, answer_tiers, untiered],
            "Debate and consultancy on hard, medium and easy questions. Holm's "
            "correction is over the rows of a table.",
            NO_CONSULTANCY,
        ),
        Part(
            "Cleaned against original tasks",
            [
                lambda data: refusals(
                    "Not compared with original tasks:", data.cleaned.refused
                ),
                CLEANED_TABLE,
            ],
            "The study's programming tasks are those of BigCodeBench with repaired "
            "tests and statements. It reports that this raised the accuracy of "
            f"verdicts by 20 to 25 points. {BOOTSTRAP}",
            _needs(
                "That needs one condition on both data, each with its own answers:",
                f"-T dataset={CLEANED} -T protocol=dual_debate",
                f"-T dataset={ORIGINAL} -T protocol=dual_debate",
            ),
        ),
        Part("Answers and stances", [ANSWERS_TABLE, STANCES_TABLE], CLUSTERED),
        Part(
            "Places, participants and “both correct”",
            BIASES,
            "Intervals are 95 %, clustered by question. p is of sign flips of "
            "questions, without a correction, and decides where both disagree.",
            NO_VERDICT,
        ),
        Part(
            "Are conditions alike?",
            [AGAINST_CONSULTANCY["equivalence"], AGAINST_NONE["equivalence"]],
            "That a difference is not significant does not show that there is none; "
            "that needs a test against differences that would matter.",
            NO_CONSULTANCY,
        ),
        Part(
            "Published claims",
            [lambda data: published_tables(data.items)],
            "The text prints some of its results. Known errors and open readings are "
            "in the footnotes.",
        ),
        Part(
            "Tasks that may be at fault",
            [
                lambda data: specification_table(data.records, data.items),
                lambda data: points_table(data.records, data.items),
            ],
            "Participants may notice that the tests, statement or examples of a task "
            "are wrong. The study counts 171 tasks with broken tests and 208 with "
            "ambiguous statements among the 1,140 of BigCodeBench. Of programming "
            "tasks they see the statement alone: what they say of tests is what they "
            "expect.",
            "Nobody in these runs says in words that are looked for that a task's "
            "tests, statement or examples are wrong, unclear or contradictory.",
        ),
        _sanity,
        _provenance,
    ],
    main=(
        Main(
            *("comparisons_consultancy", "Difference", "Samples"),
            "{Compared} ({Models and data}): verdict accuracy differs by {value}.",
            POINTS,
            " points",
        ),
        Main(
            *("comparisons_no_transcript", "Difference", "Samples"),
            "{Compared} ({Models and data}): verdict accuracy differs by {value}.",
            POINTS,
            " points",
        ),
        Main(
            *("formats", "Accuracy", "Samples"),
            "{Condition} ({Models and data}): the accuracy of verdicts is {value}.",
            PERCENT,
            " %",
        ),
    ),
    figure=("figure_accuracy",),
)
