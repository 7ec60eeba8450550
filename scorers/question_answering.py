"""Whether the answer to a question is right."""

from math import isnan, nan

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from inspect_debate.datasets.matching import right_answer
from inspect_debate.debate.record import Debate
from inspect_debate.debate.text import unescape
from inspect_debate.debate.view import result
from inspect_debate.scorers.common import Values, average, column, mean_of, of_debate


@metric(scores="unreduced")
def accuracy_of_outcomes() -> Metric:
    """The share of right answers among those given, and the share without one."""

    def compute(scores: list[SampleScore]) -> Values:
        found = mean_of(scores, "correct")
        return {
            "accuracy": found.value,
            "accuracy_stderr": round(found.se, 6) or nan,
            "no_outcome": average(map(isnan, column(scores, "correct"))),
        }

    return compute


@scorer(metrics=[accuracy_of_outcomes()])
def question_answering() -> Scorer:
    """Whether the answer is the right option, or one of the accepted answers.

    Returns:
        A scorer with the values `correct` (a probability where a draw decides, and NaN
        where no answer was given) and `chance` (of guessing; NaN for answers in words).
    """

    async def score(debate: Debate, state: TaskState, target: Target) -> Score:
        return answer_score(debate, list(target), len(state.choices))

    return of_debate(score)


def answer_score(debate: Debate, targets: list[str], options: int) -> Score:
    """The score of a record.

    Targets are the letter of the right option, or where the question has no options,
    the accepted answers.
    """
    right = [
        key
        for key, text in debate.options.items()
        if (key in targets if options else _accepted(unescape(text), targets))
    ]
    chances = [debate.probability(key) or 0.0 for key in right]
    decided = debate.answer is not None or bool(debate.tied)
    answer = debate.answer or debate.drawn or ""
    return Score(
        value={
            "correct": sum(chances) if decided else nan,
            "chance": 1 / options if options else nan,
        },
        answer=answer if options else unescape(debate.options.get(answer, answer)),
        explanation=result(debate, right[0] if right else targets[0]),
    )


def _accepted(answer: str, targets: list[str]) -> bool:
    return any(right_answer(answer, target) for target in targets)
