"""Answers to questions, how debates went, and checks of judges."""

from collections.abc import Sequence

import numpy as np

from inspect_debate.v1.debate.judge_checks import (
    HUMAN,
    PERTURBATIONS,
    REPEAT,
    REWRITES,
    SWAPS,
    Check,
)
from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.metrics.calibration import brier, expected_calibration_error
from inspect_debate.v1.metrics.judge_checks import shift
from inspect_debate.v1.scorers.common import NAN, WITHOUT_OUTCOME
from tests.v1.support.measures.columns import Measure, Measures, Scores, mean, ratio

DEBATERS = ("debater_a", "debater_b")
NOT_OK = (Status.UNPARSED, Status.REFUSED, Status.TRUNCATED, Status.CAPPED)


def accuracy(scores: Scores) -> Measures:
    """Accuracy over the questions with an outcome, and of single judges and orders."""
    found = scores.probability("accuracy", "correct") | {
        "accuracy_all": mean(np.nan_to_num(scores["correct"])),
        "chance": scores.mean("chance"),
        "no_outcome_rate": mean(1 - scores["answered"]),
        **{f"{why}_rate": scores.mean(f"outcome_{why}") for why in WITHOUT_OUTCOME},
        "debated_share": scores.mean("debated"),
        "agreed_before_share": scores.mean("agreed_before"),
    }
    for key in scores.names("correct_"):
        found |= scores.probability(key.replace("correct", "accuracy"), key)
    return found


def rates(scores: Scores) -> Measures:
    """Shares of what was counted, and means of calls, tokens and re-asks."""
    found = {
        "concession_rate": scores.ratio("concessions", "final_ok"),
        "over_word_limit_rate": scores.ratio("over_word_limit", "speech_ok"),
        "shown_first_rate": scores.ratio("shown_first", "verdict_ok"),
        "cached_input_share": scores.ratio("cached_tokens", "input_tokens"),
    }
    for name in ("answer", "update", "speech", "final", "confidence", "verdict"):
        counts = {s: scores.total(f"{name}_{s}") for s in (Status.OK, *NOT_OK)}
        if asked := sum(counts.values()):
            found |= {f"{name}_{s}_rate": counts[s] / asked for s in NOT_OK}
    return found | scores.means(("calls", "tokens", "reasks"))


def quotes(scores: Scores) -> Measures:
    """Shares of quotes, most of them of those that are not empty."""
    total = scores.totals(scores.names())
    every = total.get("quotes", 0.0)
    filled = every - total.get("empty", 0.0)
    of = dict.fromkeys(("verified", "typography", "unverified"), filled)
    of |= dict.fromkeys(("duplicate", "empty"), every)
    return {
        "quotes_per_speech": ratio(every, total.get("quoting_speeches", 0.0)),
        **{f"{part}_share": ratio(total.get(part, 0.0), n) for part, n in of.items()},
    }


def calibration(scores: Scores) -> Measures:
    """Brier score and calibration error of both debaters' last statements."""
    stated, right = (
        np.concatenate([scores[f"{what}_{who}"] for who in DEBATERS])
        for what in ("confidence", "right")
    )
    both = ~np.isnan(stated) & ~np.isnan(right)
    if not both.any():
        return dict.fromkeys(("brier", "ece", "mean_confidence", "right"), NAN)
    return {
        "statements": float(both.sum()),
        "brier": brier(stated, right),
        "ece": expected_calibration_error(stated, right),
        "mean_confidence": mean(stated[both]),
        "right": mean(right[both]),
    }


PROCESS: Sequence[Measure] = (rates, quotes, calibration)


def judge_changes(scores: Scores) -> Measures:
    """Changed verdicts by check, and agreement with itself and with human labels."""
    present = {*scores.names()}
    checks: list[Check] = [c for c in (*SWAPS, *PERTURBATIONS) if c in present]
    found: Measures = {}
    if REPEAT in present:
        found |= scores.probability("repeat_agreement", REPEAT)
        found["repeat_unread"] = _unread(scores, REPEAT)
    for check in checks:
        moves = shift(scores[check], scores.items)
        found |= {
            f"{check}_changed": moves.changed,
            f"{check}_shift": moves.shift,
            f"{check}_shift_low": moves.low,
            f"{check}_shift_high": moves.high,
            f"{check}_unread": _unread(scores, check),
        }
        if check in REWRITES:
            found |= scores.totals([f"{check}_left_out"])
    if not np.isnan(scores[HUMAN]).all():
        found |= scores.probability("human_agreement", HUMAN)
    same = [scores[check] for check in checks]
    same += [1 - scores[REPEAT]] if REPEAT in present else []
    pairs = float(np.sum(~np.isnan(same)))
    return found | {"unchanged": ratio(float(np.sum(np.array(same) == 0)), pairs)}


def _unread(scores: Scores, check: str) -> float:
    """The share without a value, of the samples of which the check was made."""
    made = scores[f"{check}_left_out"] != 1
    return mean(np.isnan(scores[check][made]).astype(float))
