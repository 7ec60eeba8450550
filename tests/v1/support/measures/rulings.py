"""Rulings on answers: generative debate."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspect_debate.v1.metrics.endorsement import endorsement_rate
from inspect_debate.v1.metrics.shares import share
from inspect_debate.v1.scorers.common import NAN
from inspect_debate.v1.scorers.verdicts import COUNTED
from tests.v1.support.measures.columns import Measure, Measures, Scores, with_ends

REGIMES = {
    2: {0: "both_wrong", 1: "contested", 2: "both_right"},
    1: {0: "wrong", 1: "right"},
}
"""What answers are, by their number and that of the right ones."""

CLASSES = {
    2: {0: "loss_loss", 1: "a_alone", 2: "b_alone", 3: "win_win"},
    1: {0: "rejected", 1: "accepted"},
}
"""What the rulings on all answers come to, by the number of answers."""


def accuracy(scores: Scores) -> Measures:
    """How often all rulings are right, each of them, and with unread ones as wrong."""
    correct = scores["correct"]  # a share, where several judges answer
    whole = np.where(np.isnan(correct), np.nan, 1.0)
    found = with_ends("accuracy", endorsement_rate(correct, whole, scores.items))
    if number := proposers(scores):
        halves = scores["verdict_correct_mean"] * number
        whole = np.where(np.isnan(halves), np.nan, float(number))
        found["mean_of_seats"] = endorsement_rate(halves, whole, scores.items).value
        found["strict"] = scores.mean("verdict_correct_strict")
        found["unread_share"] = 1 - scores.mean("verdict_ok")
    return found | {"items": float(len(scores))}


def checks(scores: Scores) -> Measures:
    """The share of verdicts that verify among the graded ones."""
    counted = ("graded_verdicts", "checks_no_reasons", "grader_calls", "grader_tokens")
    found = scores.share("verified_share", "verified", "graded_verdicts")
    return found | scores.totals(counted)


def error_rates(scores: Scores) -> Measures:
    """Wrong answers that were endorsed, right ones that were not; by round, too."""
    if not proposers(scores):
        return {}
    found: Measures = {}
    for name, part, whole in (
        ("fpr", "fp", "n_wrong"),
        ("fnr", "fn", "n_right"),
        ("fpr_rounds", "wrong_round_endorsed", "wrong_round"),
        ("fnr_rounds", "right_round_rejected", "right_round"),
    ):
        rate = endorsement_rate(scores[part], scores[whole], scores.items)
        ends = not name.endswith("_rounds")
        found |= with_ends(name, rate) if ends else {name: rate.value}
    return found


def by_regime(scores: Scores) -> Measures:
    """How many answers are right, and how often the rulings are, in each case."""
    regime, correct = scores["regime"], scores["verdict_correct"]
    found: Measures = {}
    for right, name in REGIMES.get(proposers(scores), {}).items():
        here = regime == right
        found[f"share_{name}"] = _share(here, ~np.isnan(regime))
        inside = np.where(here, correct, np.nan)
        found |= with_ends(f"accuracy_{name}", share(inside, scores.items))
    return found


def classes(scores: Scores) -> Measures:
    """What was endorsed: both answers, one, or none; and by the order of display."""
    given, number = scores["verdict_class"], proposers(scores)
    found = {
        f"share_{name}": _share(given == value, ~np.isnan(given))
        for value, name in CLASSES.get(number, {}).items()
    }
    places = ("endorsed_first", "endorsed_second", "a_first", "answers_identical")
    return found | (scores.means(places) if number == 2 else {})


def answers(scores: Scores) -> Measures:
    """How often answers and stances are right, where there are any."""
    means = scores.means(
        (
            *("answer_right", "accepted_right", "judge_answer_right", "stance"),
            *("stance_right", "stance_endorsed", "reward_chosen", "reward_mean"),
        )
    )
    return {name: mean for name, mean in means.items() if mean == mean}


def statuses(scores: Scores) -> Measures:
    """How many turns of each kind were read, and how answers were graded."""
    found: Measures = {}
    for names in COUNTED.values():
        counted = scores.totals(names)
        found |= counted if any(counted.values()) else {}
    return found


MEASURES: Sequence[Measure] = (
    *(accuracy, error_rates, by_regime, classes, answers, statuses),
)


def proposers(scores: Scores) -> int:
    """How many answers were put to the judge, the same in all of a run."""
    known = scores["proposers"]
    known = known[~np.isnan(known)]
    return int(known[0]) if known.size else 0


def _share(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
    return float(part.sum() / whole.sum()) if whole.any() else NAN
