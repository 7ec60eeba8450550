"""Accuracy over scores of questions.

The numbers of reports and of single samples are held against these, which are computed
another way: from all values of the scorer `question_answering`, score by score.
"""

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_debate.scorers.common import NAN, WITHOUT_OUTCOME, column, keys
from tests.support.measures.common import mean_with_interval


@metric(scores="unreduced")
def answering() -> Metric:
    """Accuracy over the questions with an outcome, beside what guessing gets.

    With a 95 % interval, clustered by `input_group`. `no_outcome_rate` is the share of
    questions without one, and the rates after it say why; `accuracy_all` counts those
    as wrong. `accuracy_judge_1`, `accuracy_ab` and so on are those of single judges and
    orders, each over the questions on which that one decided.
    """

    def over_questions(scores: list[SampleScore]) -> Value:
        found = mean_with_interval("accuracy", scores, "correct")
        answered = column(scores, "answered")
        known = np.nan_to_num(column(scores, "correct"))
        found |= {
            "accuracy_all": _mean(known),
            "chance": _mean(column(scores, "chance")),
            "no_outcome_rate": _mean(1 - answered),
        }
        found |= {
            f"{status}_rate": _mean(column(scores, f"outcome_{status}"))
            for status in WITHOUT_OUTCOME
        }
        found["debated_share"] = _mean(column(scores, "debated"))
        found["agreed_before_share"] = _mean(column(scores, "agreed_before"))
        for key in keys(scores, "correct_"):
            name = key.replace("correct", "accuracy")
            found |= mean_with_interval(name, scores, key)
        return found

    return over_questions


def _mean(values: np.typing.NDArray[np.float64]) -> float:
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else NAN
