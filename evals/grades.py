"""Scores that a model gives, beside those that are computed."""

from collections.abc import Callable

from inspect_ai.scorer import Scorer

from inspect_debate.core.errors import check_choice

GRADES: dict[str, Callable[[], Scorer]] = {}


def graders(grade: str | list[str] | None) -> list[Scorer]:
    """The scorers that were asked for.

    Args:
        grade: Their names: a list, or one text with commas.

    Raises:
        InputError: If there is no such score.
    """
    names = grade.split(",") if isinstance(grade, str) else grade or []
    for name in names:
        check_choice("grade", name, tuple(GRADES))
    return [GRADES[name]() for name in dict.fromkeys(names)]
