"""Was the error found? A debate's prediction against the gold label."""

from functools import partial

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.debate.outcome import (
    Outcome,
    graded,
    judges_of,
    outcome,
    probability,
)
from inspect_debate.debate.record import DebateRecord
from inspect_debate.metrics.detection import (
    STATISTICS,
    Counts,
    Statistic,
    cluster_counts,
)
from inspect_debate.metrics.intervals import cluster_error
from inspect_debate.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    agreed_before,
    clusters,
    column,
    common_values,
    explain_decision,
    mean,
    over_scores,
    record_scorer,
    score_of,
    shown,
)

NO_PREDICTION = ("tied", "unparsed", "refused", "truncated", "capped", "missing")
"""Why a debate may end without a prediction."""


def detection_values(record: DebateRecord, target: str) -> Values:
    """What the debate predicted: 1 for error, 0 for no error, NaN for neither.

    A fair coin between both predicts 0.5; under a protocol that tosses coins,
    `prediction_drawn` has what they showed. Where several judges were bound or both
    orders shown, each has a prediction of its own beside the panel's. `agreed_before`
    tells whether both debaters' first answers were the same, NaN unless there were two
    that could be read.
    """
    decided = outcome(record)
    expected = probability(record, "error")
    values = {
        "gold": float(target == "error"),
        "prediction": NAN if expected is None else expected,
        "agreed_before": agreed_before(record),
        "verdicts": len(record.of_kind("verdict")),
    }
    values |= {
        f"outcome_{status}": float(decided.status == status) for status in NO_PREDICTION
    }
    if record.aggregation == "coin":
        values["prediction_drawn"] = _prediction(decided)
    judges = judges_of(record)
    if len(judges) > 1:
        values |= {
            f"prediction_{judge}": _prediction(outcome(record, judge=judge))
            for judge in judges
        }
    if record.parameters.get("order") == "both":
        values |= {
            "prediction_ab": _prediction(outcome(record, order="ab")),
            "prediction_ba": _prediction(outcome(record, order="ba")),
        }
    return values


def _prediction(decided: Outcome) -> float:
    return NAN if decided.answer is None else float(decided.answer == "error")


@over_scores
def detection(scores: list[SampleScore]) -> Value:
    """F1, F2 and accuracy over the items with a prediction, and the share of others.

    Each with its standard error, clustered by item. Where a coin decides, half an item
    is predicted as either. Samples that a limit or an error stopped are in none of
    these numbers. What published tables print, cells, intervals and baselines are in
    the report.
    """
    if not scores:  # Inspect asks before the first sample
        return {"f1": NAN}
    gold = np.array([_gold(score) for score in scores], dtype=float)
    predicted = column(scores, "prediction")
    counts = cluster_counts(gold, predicted, clusters(scores))
    found: dict[str, float] = {}
    for name in ("f1", "f2", "accuracy"):
        statistic = partial(_of_sums, STATISTICS[name])
        error = cluster_error(statistic, counts)
        found |= shown(name, statistic(counts.sum(axis=0)), error)
    return found | mean("no_prediction", scores, np.isnan(predicted).astype(float))


def _gold(score: SampleScore) -> float:
    return float((score.score.metadata or {})["gold"] == "error")


def _of_sums(statistic: Statistic, sums: NDArray[np.float64]) -> float:
    return float(statistic(Counts(*sums), "parsed"))


@record_scorer(detection)
def error_detection() -> RecordScorer:
    """Whether the debate found the error, against the gold label.

    Returns:
        A scorer with the values `correct` and `prediction` (1 for an error, 0 for none,
        NaN where neither was decided; a coin makes both a probability).
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        if "error" not in record.choices:
            return Score.unscored(
                reason="scoring_failed",
                explanation="error_detection reads the labels error and no_error; this "
                "question has options. Use debate_process, and the task's own scorer.",
            )
        record, gold = graded(record, target)
        predicted = probability(record, "error")
        return score_of(
            record,
            {
                "correct": common_values(record, gold)["correct"],
                "prediction": NAN if predicted is None else predicted,
            },
            explanation=explain_decision(record, "Gold label", gold),
            metadata={"gold": gold},
        )

    return score
