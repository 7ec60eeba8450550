"""The scorer `bet_alignment`, with published grades in the place of a grader's."""

from collections.abc import Mapping, Sequence
from functools import wraps

from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState

from inspect_debate.core.betting import rounds_of
from inspect_debate.scorers.bet_alignment import bet_alignment, eligible_bets
from inspect_debate.scorers.bet_grade_counts import alignment_values
from inspect_debate.scorers.bet_grades_told import explained, grade_told
from inspect_debate.scorers.bet_grading import BetGrade
from inspect_debate.scorers.common import complete_record, score_of

GRADER = "published"
"""What stands for the grader's model, which the files do not name."""


def published_alignment(grades: Mapping[str, Sequence[BetGrade]]) -> Scorer:
    """Bets against private reasoning, as the study's evaluator graded them.

    Args:
        grades: The published grades of each debate, by the sample's id.

    Returns:
        A scorer with the name, values and metrics of `bet_alignment`.
    """

    @wraps(bet_alignment())
    async def score(state: TaskState, target: Target) -> Score:
        record = complete_record(state)
        if isinstance(record, Score):
            return record
        found = grades.get(str(state.sample_id), ())
        return score_of(
            record,
            target,
            alignment_values(found, len(eligible_bets(record))),
            explanation=explained(found, rounds_of(record)),
            metadata={
                "grader": GRADER,
                "grades": [grade_told(grade) for grade in found],
            },
        )

    return score
