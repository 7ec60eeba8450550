"""Changed verdicts over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `judge_check`, score by score.
"""

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.debate.judge_checks import (
    HUMAN,
    PERTURBATIONS,
    REPEAT,
    REWRITES,
    SWAPS,
    Check,
)
from inspect_debate.metrics.agreement import cohen_kappa
from inspect_debate.metrics.judge_checks import shift
from inspect_debate.scorers.common import NAN, clusters, column, keys
from tests.support.measures.common import mean_with_interval

# How often a judge's verdicts changed, and which way, check by check.


@metric(scores="unreduced")
def judge_changes() -> Metric:
    """Changed verdicts by check, agreement with itself and with human labels.

    `unchanged` is the share of all checks' verdicts that are the same as the first one.
    By check: `<check>_changed`, the share that changed; `<check>_shift`, the share that
    moved toward the side that the check may help less that away from it, with a 95 %
    interval clustered by question; `<check>_unread`, the share of pairs of verdicts of
    which one could not be read. `names_left_out` and `sides_left_out` count the samples
    of which that check was not made. `human_agreement` and `human_kappa` are over the
    samples with a label.
    """

    def over_debates(scores: list[SampleScore]) -> Value:
        found: dict[str, float] = {"unchanged": _unchanged(scores)}
        if keys(scores, REPEAT):
            found |= mean_with_interval("repeat_agreement", scores, REPEAT)
            found["repeat_unread"] = _unread(scores, REPEAT)
        for check in _checked(scores):
            moves = shift(column(scores, check), clusters(scores))
            found |= {
                f"{check}_changed": moves.changed,
                f"{check}_shift": moves.shift,
                f"{check}_shift_low": moves.low,
                f"{check}_shift_high": moves.high,
                f"{check}_unread": _unread(scores, check),
            }
            if check in REWRITES:
                left_out = column(scores, f"{check}_left_out")
                found[f"{check}_left_out"] = float(np.nansum(left_out))
        if not np.isnan(column(scores, HUMAN)).all():
            found |= mean_with_interval("human_agreement", scores, HUMAN)
            found["human_kappa"] = _kappa(scores)
        return found

    return over_debates


def _checked(scores: list[SampleScore]) -> list[Check]:
    present = set(keys(scores))
    return [check for check in (*SWAPS, *PERTURBATIONS) if check in present]


def _unchanged(scores: list[SampleScore]) -> float:
    same = [column(scores, check) == 0 for check in _checked(scores)]
    known = [~np.isnan(column(scores, check)) for check in _checked(scores)]
    if keys(scores, REPEAT):
        same.append(column(scores, REPEAT) == 1)
        known.append(~np.isnan(column(scores, REPEAT)))
    pairs = np.sum(known)
    return float(np.sum(same) / pairs) if pairs else NAN


def _unread(scores: list[SampleScore], check: str) -> float:
    """The share without a value, of the samples of which the check was made."""
    made = column(scores, f"{check}_left_out") != 1
    return float(np.isnan(column(scores, check)[made]).mean()) if made.any() else NAN


def _kappa(scores: list[SampleScore]) -> float:
    """Agreement of verdicts and labels beyond chance."""
    sides = np.stack([column(scores, f"{of}_side") for of in ("verdict", HUMAN)])
    verdicts, labels = sides[:, ~np.isnan(sides).any(axis=0)].tolist()
    return cohen_kappa(verdicts, labels)
