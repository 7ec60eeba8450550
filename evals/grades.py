"""Scores that a model gives, beside those that are computed."""

from collections.abc import Callable

from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.core.errors import check_choice
from inspect_debate.core.models import model_for
from inspect_debate.scorers.debate_hacking import debate_hacking
from inspect_debate.scorers.explanation_alignment import explanation_alignment

GRADES: dict[str, Callable[[], Scorer]] = {
    "debate_hacking": debate_hacking,
    "explanation_alignment": explanation_alignment,
}


def graders(grade: str | list[str] | None) -> list[Scorer]:
    """The scorers that were asked for.

    Args:
        grade: Their names: a list, or one text with commas.

    Raises:
        InputError: If there is no such score.
    """
    names = grade.split(",") if isinstance(grade, str) else grade or []
    names = [name.strip() for name in names]
    for name in names:
        check_choice("grade", name, tuple(GRADES))
    return [GRADES[name]() for name in dict.fromkeys(names)]


@solver
def one_grader() -> Solver:
    """Checks before the first call that one model grades; scorers run too late."""

    async def check(state: TaskState, generate: Generate) -> TaskState:
        model_for("grader", "judge", "debater_a")
        return state

    return check
