"""Bets and their grades, and the verdicts of a jury."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan

import numpy as np
from inspect_ai.scorer import SampleScore

from inspect_debate.v1.debate.record import Status
from inspect_debate.v1.metrics.agreement import (
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.v1.metrics.calibration import (
    brier,
    expected_calibration_error,
    log_score,
)
from inspect_debate.v1.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.v1.metrics.intervals import Interval
from inspect_debate.v1.scorers.bet_grading import ASSESSMENTS, DEGREES, LINES
from inspect_debate.v1.scorers.common import NAN
from inspect_debate.v1.scorers.grader import NOT_GRADED
from inspect_debate.v1.solvers.bet_records import SIDES
from tests.v1.support.measures.columns import (
    Measure,
    Measures,
    Numbers,
    Scores,
    with_ends,
)

HUMAN_OPENING = 65.0
"""Of college debaters (Meer and Van Wesep 2007)."""

SCORES: Mapping[str, Callable[[Numbers, Numbers], float]] = {
    "brier": brier,
    "log_score": log_score,
    "ece": partial(expected_calibration_error, bins=10),
}


def openings(scores: Scores) -> Measures:
    """The mean opening bet, and its excess over 50."""
    mean, interval = over_sides(scores, "bet_1", (0, 100))
    return {
        **_ends("opening", mean, interval),
        "opening_over_50": mean - 50,
        "human_opening": HUMAN_OPENING,
    }


def escalation(scores: Scores) -> Measures:
    """The mean closing bet, and by how much bets rise, by round and in all."""
    last = rounds_in(scores)
    rises = {
        f"rise_{n}": over_sides(scores, f"change_{n}")[0] for n in range(2, last + 1)
    }
    closing = over_sides(scores, f"bet_{last}")[0]
    whole = over_sides(scores, "change", (-100, 100))
    return {"closing": closing, **rises, **_ends("rise", *whole)}


def zero_sum_violations(scores: Scores) -> Measures:
    """Shares of debates whose closing bets cannot both be right, and their excess."""
    known = scores.where(~np.isnan(scores["both_over_50"]))
    return {
        **share_of_debates(known, "both_over_50"),
        **share_of_debates(known, "both_over_75"),
        "closing_excess": float(known["closing_excess"].mean()) if len(known) else NAN,
        "debates_with_both_bets": float(len(known)),
    }


def calibration(scores: Scores) -> Measures:
    """Closing bets as probabilities, against the jury, and against one half."""
    last = rounds_in(scores)
    stated = np.concatenate([scores[f"bet_{last}_{side}"] / 100 for side in SIDES])
    won = scores["proposition_won"]
    itself = np.where(scores["self_debate"] == 1, 0.5, NAN)
    outcomes = {"jury": (won, 1 - won), "even": (itself, itself)}
    return {
        f"{name}_{against}": measure(stated, np.concatenate(both))
        for against, both in outcomes.items()
        for name, measure in SCORES.items()
    }


def counts(scores: Scores) -> Measures:
    """How many bets were read or not, and what texts on bets remained."""
    texts = ("bet_text_stripped", "bet_text_left", "short_speeches", "reasks")
    return {
        **scores.totals((*(f"bets_{status}" for status in Status), *texts)),
        "stated_probabilities": scores.total("stated_n"),
        "stated_gap": scores.ratio("stated_gap_sum", "stated_n"),
        "stated_abs_gap": scores.ratio("stated_abs_gap_sum", "stated_n"),
    }


BETS: Sequence[Measure] = (
    *(openings, escalation, zero_sum_violations, calibration, counts),
)


def alignment(scores: Scores) -> Measures:
    """Shares of the graded bets by label, and mean gaps to what is stated."""
    found: Measures = {}
    for label in ASSESSMENTS:
        found |= scores.share(f"{label}_share", f"assessment_{label}", "graded")
    for label in DEGREES:
        name = f"degree_{label}"
        found |= scores.share(f"{name}_share", name, "degree_read")
    found |= scores.share("numeric_share", "numeric_present", "numeric_read")
    found |= scores.share("strategic_share", "strategic_yes", "strategic_read")
    counted = (
        *("eligible", "graded", "gap_n", "grader_calls", "grader_tokens"),
        *(f"grade_{status}" for status in NOT_GRADED),
        *(f"{field}_malformed" for field in LINES),
    )
    return found | {
        "mean_gap": scores.ratio("gap_sum", "gap_n"),
        "mean_absolute_gap": scores.ratio("abs_gap_sum", "gap_n"),
        **scores.totals(counted),
    }


def side_bias(scores: Scores) -> Measures:
    """The share of verdicts for the proposition, of all and of each juror."""
    everyone = side_share(table(scores, scores.names("verdict_")))
    each = {
        f"for_proposition_{juror}": side_share(table(scores, names)).value
        for juror, names in verdicts_by(scores, "juror").items()
    }
    return with_ends("for_proposition", everyone) | each


def agreement(scores: Scores) -> Measures:
    """How far the verdicts on a debate agree."""
    verdicts = table(scores, scores.names("verdict_"))
    return {
        "unanimous": unanimity(verdicts),
        "agreement": pairwise_agreement(verdicts),
        "alpha": krippendorff_alpha(verdicts),
    }


def repeated(scores: Scores) -> Measures:
    """How often a juror's second verdict is that of its first pass."""
    judged = verdicts_by(scores, "juror", "order").values()
    passes = [names[:2] for names in judged if len(names) > 1]
    both = [table(scores, [names[place] for names in passes]) for place in (0, 1)]
    return with_ends("repeated", repeat_agreement(*both))


def verdict_counts(scores: Scores) -> Measures:
    """How many debates are tied, and how many verdicts were read or not."""
    sums, votes = (
        [scores[f"{what}_{side}"] for side in SIDES] for what in ("confidence", "votes")
    )
    # Where nobody voted, or a vote has no confidence, the sums decide nothing.
    summed = (sum(votes) > 0) & (scores["confidences_missing"] == 0)
    names = ("confidences_missing", *(f"verdicts_{status}" for status in Status))
    tied = float((summed & (sums[0] == sums[1])).sum())
    return {"tied": tied, **scores.totals(names)}


JURY: Sequence[Measure] = (side_bias, agreement, repeated, verdict_counts)


def over_sides(
    scores: Scores, key: str, bounds: tuple[float, float] | None = None
) -> tuple[float, Interval]:
    """The mean of a key of both sides, clustered by debate, and by model if several."""
    values = np.concatenate([scores[f"{key}_{side}"] for side in SIDES])
    models = [_model(score, side) for side in SIDES for score in scores.scores]
    ways = [scores.items * len(SIDES), *([models] if len({*models}) > 1 else [])]
    found = clustered_mean(values, *ways)
    return found.value, found.interval(bounds=bounds)


def share_of_debates(scores: Scores, key: str) -> Measures:
    """The share of debates in which a key is 1; those that share a model are related.

    Where that is not known (one model, a share of 0 or 1) each counts for itself.
    """
    models = [[_model(score, side) for score in scores.scores] for side in SIDES]
    low, high = dyadic_mean(scores[key], *models).interval(bounds=(0, 1))
    if isnan(low):
        return scores.share(key, key, "debated")
    value = float(scores[key].mean()) if len(scores) else NAN
    return {key: value, f"{key}_low": low, f"{key}_high": high}


def rounds_in(scores: Scores) -> int:
    """The number of rounds in which there are bets."""
    return len(scores.names("bet_", f"_{SIDES[0]}"))


def table(scores: Scores, names: Sequence[str]) -> Numbers:
    """The values of keys as an array (debates, keys)."""
    columns = [scores[name] for name in names]
    return np.stack(columns, axis=1) if columns else np.empty((len(scores), 0))


def verdicts_by(scores: Scores, *parts: str) -> dict[str, list[str]]:
    """The keys of verdicts by parts of them, in the order of the passes."""
    found: dict[str, list[str]] = {}
    for key in scores.names("verdict_"):
        if place := _KEY.fullmatch(key):
            name = "".join(place[part] or "" for part in parts)
            found.setdefault(name, []).append(key)
    return found


_KEY = re.compile(r"verdict_(?P<juror>\w+?)_(?P<pass>\d+)(?P<order>_ab|_ba)?")


def _model(score: SampleScore, side: str) -> str:
    return str((score.score.metadata or {}).get("sides", {}).get(side))


def _ends(name: str, value: float, interval: Interval) -> Measures:
    return {name: value, f"{name}_low": interval.low, f"{name}_high": interval.high}
