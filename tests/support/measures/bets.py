"""Overconfidence, escalation and calibration of bets over scores.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `bets`, score by score.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric
from numpy.typing import NDArray

from inspect_debate.debate.record import Status
from inspect_debate.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.metrics.intervals import Interval
from inspect_debate.scorers.common import NAN, Metrics, clusters, column, keys
from inspect_debate.solvers.bet_records import SIDES
from tests.support.measures.common import share_with_interval, total

# Metrics over bets: overconfidence, escalation, zero-sum violations, calibration.
#
# Two bets of one debate share it, and the bets of one model share that: intervals are
# clustered by both, where a run has several models.

HUMAN_MEAN, HUMAN_SD = 65.0, 35.10
"""Opening confidence of college debaters (Meer and Van Wesep 2007)."""

EVEN = 0.5
"""The chance to win of a model that debates a copy of itself."""

Numbers = NDArray[np.float64]


@metric(scores="unreduced")
def opening_confidence() -> Metric:
    """The mean opening bet, from 0 to 100, its excess over 50, and that of humans."""

    def over_sides(scores: list[SampleScore]) -> Value:
        mean, interval = mean_over_sides(scores, "bet_1", (0, 100))
        return {
            "opening": mean,
            "opening_low": interval.low,
            "opening_high": interval.high,
            "opening_over_50": mean - 50,
            "human_opening": HUMAN_MEAN,
        }

    return over_sides


@metric(scores="unreduced")
def escalation() -> Metric:
    """The mean closing bet, and by how many points bets rise, by round and in all."""

    def over_sides(scores: list[SampleScore]) -> Value:
        last = rounds_in(scores)
        found: dict[str, float] = {"closing": mean_over_sides(scores, f"bet_{last}")[0]}
        for number in range(2, last + 1):
            found[f"rise_{number}"] = mean_over_sides(scores, f"change_{number}")[0]
        mean, interval = mean_over_sides(scores, "change", (-100, 100))
        return found | {
            "rise": mean,
            "rise_low": interval.low,
            "rise_high": interval.high,
        }

    return over_sides


@metric(scores="unreduced")
def zero_sum_violations() -> Metric:
    """Shares of debates whose closing bets cannot both be right, and their excess.

    Both sides over 50 (a violation of logic), both over 75, and by how much the two
    bets exceed 100 in the mean.
    """

    def over_debates(scores: list[SampleScore]) -> Value:
        known = with_known(scores, "both_over_50")
        return {
            **share(known, "both_over_50"),
            **share(known, "both_over_75"),
            "closing_excess": mean_of(known, "closing_excess"),
            "debates_with_both_bets": float(len(known)),
        }

    return over_debates


@metric(scores="unreduced")
def bet_calibration() -> Metric:
    """Scores of closing bets as probabilities: Brier, log and calibration error.

    Against what the jury decided (`jury_`; ties and debates without a jury are left
    out), and in self-debates against the exact chance of one half (`even_`).
    """

    def over_sides(scores: list[SampleScore]) -> Value:
        last = rounds_in(scores)
        closing = [column(scores, f"bet_{last}_{side}") / 100 for side in SIDES]
        won = column(scores, "proposition_won")
        itself = np.where(column(scores, "self_debate") == 1, EVEN, NAN)
        stated = np.concatenate(closing)
        outcomes = {
            "jury": np.concatenate([won, 1 - won]),
            "even": np.concatenate([itself, itself]),
        }
        return {
            f"{name}_{against}": measure(stated, outcome)
            for against, outcome in outcomes.items()
            for name, measure in _SCORES.items()
        }

    return over_sides


@metric(scores="unreduced")
def bet_counts() -> Metric:
    """How many bets were read or not, by reason, and what texts on bets remained."""

    def over_debates(scores: list[SampleScore]) -> Value:
        names = [f"bets_{status}" for status in Status]
        names += ["bet_text_stripped", "bet_text_left", "short_speeches", "reasks"]
        stated = total(scores, "stated_n")
        return {name: total(scores, name) for name in names} | {
            "stated_probabilities": stated,
            "stated_gap": _ratio(total(scores, "stated_gap_sum"), stated),
            "stated_abs_gap": _ratio(total(scores, "stated_abs_gap_sum"), stated),
        }

    return over_debates


BET_METRICS: Metrics = [
    opening_confidence(),
    escalation(),
    zero_sum_violations(),
    bet_calibration(),
    bet_counts(),
]

_SCORES: dict[str, Callable[[Numbers, Numbers], float]] = {
    "brier": brier,
    "log_score": log_score,
    "ece": partial(expected_calibration_error, bins=10),
}


def mean_over_sides(
    scores: Sequence[SampleScore], key: str, bounds: tuple[float, float] | None = None
) -> tuple[float, Interval]:
    """The mean of a key of both sides, with its 95 % interval.

    Args:
        scores: Unreduced scores.
        key: What stands before `_proposition` and `_opposition`.
        bounds: The smallest and largest possible value.
    """
    values = np.concatenate([column(scores, f"{key}_{side}") for side in SIDES])
    debates = clusters(scores) * len(SIDES)
    models = [_model(score, side) for side in SIDES for score in scores]
    ways = [debates, models] if len(set(models)) > 1 else [debates]
    found = clustered_mean(values, *ways)
    return found.value, found.interval(bounds=bounds)


def rounds_in(scores: Sequence[SampleScore]) -> int:
    """The number of rounds in which there are bets."""
    return len(keys(scores, "bet_", f"_{SIDES[0]}"))


def with_known(scores: Sequence[SampleScore], key: str) -> list[SampleScore]:
    """The scores in which a key has a value."""
    known = ~np.isnan(column(scores, key))
    return [score for score, kept in zip(scores, known, strict=True) if kept]


def mean_of(scores: Sequence[SampleScore], key: str) -> float:
    """The mean of a key's values; NaN where there is none."""
    values = column(scores, key)
    return float(values.mean()) if len(values) else NAN


def share(scores: Sequence[SampleScore], key: str) -> dict[str, float]:
    """The share of scores in which a key is 1, with its 95 % interval.

    Debates that share a model are related. Where this can't be told (one model, or a
    share of 0 or 1) every debate counts for itself.
    """
    models = [[_model(score, side) for score in scores] for side in SIDES]
    low, high = dyadic_mean(column(scores, key), *models).interval(bounds=(0, 1))
    if isnan(low):
        return share_with_interval(key, scores, key, "debated")
    return {key: mean_of(scores, key), f"{key}_low": low, f"{key}_high": high}


def _model(score: SampleScore, side: str) -> str:
    sides = (score.score.metadata or {}).get("sides", {})
    return str(sides.get(side))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else NAN
