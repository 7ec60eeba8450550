"""Tables of paired comparisons of conditions, and diagrams of how verdicts change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from inspect_debate.debate.record import Status
from inspect_debate.metrics.paired import (
    Equivalence,
    cluster_sign_flip,
    holm,
)
from inspect_debate.metrics.tiers import TIERS
from inspect_debate.reports.comparisons import SEED, in_words
from inspect_debate.reports.elements import (
    COUNT,
    P_VALUE,
    PERCENT,
    POINTS,
    Column,
    Figure,
    Item,
    Notice,
    Table,
    counted,
    interval_text,
    listed,
)
from inspect_debate.reports.estimates import Estimate
from inspect_debate.reports.generative.comparisons import (
    MARGINS,
    MODELS,
    Comparison,
    Data,
    Four,
    Rows,
    accuracy,
    fpr,
    heading_of,
    interval,
    outcome,
    question_mean,
    share,
)
from inspect_debate.reports.generative.rows import (
    ALPHA,
    KEYS,
    KINDS,
    QUESTION,
    TIER,
    Paired,
    family_title,
    partner,
)
from inspect_debate.reports.generative.verdicts import BY, BY_PAIR, view
from inspect_debate.reports.panels import Flow, flow_panels
from inspect_debate.reports.sanity import total
from inspect_debate.reports.views import (
    View,
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


Family = Callable[[Data], Sequence[Comparison]]


def _comparisons(name: str, title: str, made: Family) -> Mapping[str, View[Data]]:
    """The tables of one family of comparisons: of accuracy, of FPR, of equivalence."""
    return {
        "accuracy": view(
            f"comparisons_{name}",
            f"Paired differences in verdict accuracy: {title}",
            lambda data: rows_of(made(data), holm=_p),
            "Only first, only second: samples on which the verdict is right in that "
            f"condition alone. The outcome is at p below {ALPHA:g} without Holm's "
            "correction, and in brackets with it where that differs.",
            by=BY_PAIR,
            optional=["Left out", "Flip p"],
        )(_compared),
        "fpr": view(
            f"comparisons_fpr_{name}",
            f"Paired differences in FPR: {title}",
            lambda data: rows_of(made(data), holm=_fpr_p),
            "Percent of the wrong answers that the judge calls correct, on the samples "
            "of the table above. p is of sign flips of whole questions.",
            by=BY_PAIR,
        )(_compared_fpr),
        "equivalence": view(
            f"equivalence_{name}",
            f"Whether conditions are equivalent: {title}",
            lambda data: rows_of(made(data)),
            "Percentage points with 90 % intervals; TOST: two one-sided tests that the "
            "difference is at least so many points either way. p is of no difference; "
            "no p-value is corrected.",
            by=BY_PAIR,
        )(_equivalent),
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


@view(
    "transitions",
    "How verdicts change when speeches are added",
    lambda data: rows_of(data.no_transcript.made),
    "Hurt: right without a transcript and wrong with speeches; helped: the other way "
    "round; both together are flips. p compares hurt with helped, without a "
    "correction.",
)
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


@view(
    "best_of_gains",
    "What the best of n speeches change: verdict accuracy and FPR",
    lambda data: rows_of(data.gains.made, holm=_p, fpr_holm=_fpr_p),
    "First: the first speeches; best: those with the highest reward of n. Holm's "
    "correction is over the rows of this table, one measure at a time.",
)
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


@view(
    "best_of_did",
    "What the best of n speeches add to debate beyond consultancy",
    _four_rows,
    "Percentage points of verdict accuracy on the samples of all four conditions. DiD: "
    "the debate's gain less the consultancy's, with Student's interval and test over "
    "questions; flip p: of sign flips of questions.",
    by={MODELS: "heading", "Conditions": "title"},
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


@view(
    "rewards",
    "Rewards of candidate speeches",
    lambda data: data.items[data.items["best_of"] > 1],
    "A reward is 2c - 1 where the scoring model rules the speaker's own answer (a "
    "critic's: its stance) correct with confidence c, and the negative where it does "
    "not. Not read: percent of those asked for; such a candidate is chosen last.",
    formats={"Not read": PERCENT, "Rewards": COUNT},
    folded=True,
)
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


@view(
    "tiers",
    "Verdict accuracy by difficulty: debate less consultancy",
    _tier_pairs,
    "A question is hard if no debater mostly answers it right, easy if all do; with "
    "one debater the limits are a third and two thirds of its answers. Tiers follow "
    "from the answers analysed here, so they regress to the mean.",
    by=BY_TIER,
)
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


@view(
    "tiers_answers",
    "Answer accuracy by difficulty: debate less consultancy",
    _answer_pairs,
    "Only where answers were made anew for each condition (`-T answers=fresh`) can "
    "their accuracy differ. p is of sign flips of whole questions.",
    by=BY_TIER,
    folded=True,
)
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
        yield from _answers_in_tier(data)


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


@view(
    "cleaned",
    "Cleaned against original, paired by task id: verdict accuracy",
    _cleaned_rows,
    "Tasks are paired, not answers: statements, tests and so answers differ, and a "
    "judge that mostly says “correct” gains where more answers are right. The study "
    "prints its difference without condition, models or test.",
    optional=["Left out", "Flip p"],
)
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


DEBATES = (AGAINST_CONSULTANCY["accuracy"], tally_table, AGAINST_CONSULTANCY["fpr"])
SPEECHES = (
    AGAINST_NONE["accuracy"],
    AGAINST_NONE["fpr"],
    _transitions,
    transition_figures,
)
BEST_SPEECHES = (_gains, _did, _rewards)
DIFFICULTY = (_in_tier, answer_tiers, untiered)
CLEANED_TASKS = (_cleaned,)
EQUIVALENCES = (AGAINST_CONSULTANCY["equivalence"], AGAINST_NONE["equivalence"])
