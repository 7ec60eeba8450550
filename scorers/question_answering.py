"""Was a question answered right? What a debate decided, whatever the protocol."""

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Target, Value
from inspect_ai.solver import TaskState

from inspect_debate.debate.outcome import (
    Outcome,
    graded,
    judges_of,
    outcome,
    probability,
)
from inspect_debate.debate.record import DebateRecord
from inspect_debate.scorers.common import (
    NAN,
    RecordScorer,
    Values,
    agreed_before,
    column,
    common_values,
    explain_decision,
    mean,
    over_scores,
    record_scorer,
    score_of,
)

WITHOUT_OUTCOME = ("tied", "unparsed", "refused", "truncated", "capped", "missing")
"""Why a debate may end without an answer."""


def question_values(record: DebateRecord, target: str) -> Values:
    """What was decided, beside the common `correct`.

    `chance` is what guessing among the options gets right (NaN where answers are free),
    `answered` whether there is an outcome. `agreed_before` tells whether both first
    answers were the same, NaN unless there were two that could be read. Where several
    judges were bound or both orders shown, `correct_<judge>`, `correct_ab` and
    `correct_ba` are what each alone would have got.
    """
    decided = outcome(record)
    options = 0 if record.answers_free else len(record.choices)
    values = {
        "chance": 1 / options if options else NAN,
        "answered": float(probability(record, target) is not None),
        "agreed_before": agreed_before(record),
        "verdicts": len(record.of_kind("verdict")),
    }
    values |= {
        f"outcome_{status}": float(decided.status == status)
        for status in WITHOUT_OUTCOME
    }
    judges = judges_of(record)
    if len(judges) > 1:
        values |= {
            f"correct_{judge}": _right(outcome(record, judge=judge), target)
            for judge in judges
        }
    if record.parameters.get("order") == "both":
        values["correct_ab"] = _right(outcome(record, order="ab"), target)
        values["correct_ba"] = _right(outcome(record, order="ba"), target)
    return values


def _right(decided: Outcome, target: str) -> float:
    return NAN if decided.answer is None else float(decided.answer == target)


@over_scores
def answering(scores: list[SampleScore]) -> Value:
    """Accuracy over the questions with an outcome, and the share of the others.

    Each with its standard error, clustered by item.
    """
    without = [_status(score) in WITHOUT_OUTCOME for score in scores]
    return mean("accuracy", scores, column(scores, "correct")) | mean(
        "no_outcome", scores, np.array(without, dtype=float)
    )


def _status(score: SampleScore) -> str:
    return str((score.score.metadata or {}).get("status"))


@record_scorer(answering)
def question_answering() -> RecordScorer:
    """Whether the answer with which a debate ends is the right one.

    Returns:
        A scorer with the value `correct`: 1 or 0, a probability where a coin decides,
        NaN without an outcome.
    """

    def score(record: DebateRecord, state: TaskState, target: Target) -> Score:
        record, gold = graded(record, target)
        correct = common_values(record, gold)["correct"]
        told = explain_decision(record, "Right answer", gold)
        return score_of(record, {"correct": correct}, told)

    return score
