"""What kinds of solutions there are: how they are read, shown and graded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from inspect_ai.solver import TaskState

from inspect_debate.core.errors import InputError
from inspect_debate.core.generative import SolvableTask
from inspect_debate.core.grids import parse_grids_text, parts_right, read_grids
from inspect_debate.core.record import Grade, Parsed

Grader = Callable[[TaskState, str, str], Awaitable[Grade]]
"""Finds out, given a sample, a participant and its answer, whether that is right."""


@dataclass(frozen=True)
class AnswerKind:
    """A kind of solution.

    Attributes:
        read: The answer in a completion, in the form in which it is compared.
        shown: An answer that was read, as it stands in prompts.
        grade: Whether an answer that was read is right.
        check: Whether a sample can be graded; raises an InputError if it cannot.
    """

    read: Callable[[str, SolvableTask], Parsed]
    shown: Callable[[str], str]
    grade: Grader
    check: Callable[[TaskState, SolvableTask], None]


def _labelled(answer: str) -> str:
    """Grids under their numbers, where there are several."""
    grids = answer.split("\n\n")
    if len(grids) == 1:
        return answer
    return "\n\n".join(f"Output {n}:\n{grid}" for n, grid in enumerate(grids, start=1))


async def _grade_grids(state: TaskState, participant: str, answer: str) -> Grade:
    """All grids have to be exactly right, in size and in every cell."""
    target = _target(state)
    parts, right = len(parse_grids_text(target)), parts_right(answer, target)
    return Grade(
        participant=participant,
        status="pass" if right == parts else "fail",
        parts=parts,
        parts_right=right,
    )


def _target(state: TaskState) -> str:
    return state.target.text.replace("\r\n", "\n").strip()


def _check_grids(state: TaskState, task: SolvableTask) -> None:
    try:
        parts = len(parse_grids_text(_target(state)))
    except ValueError as error:
        raise InputError(
            f"The target of sample {task.id!r} is no text of grids: {error}"
        ) from error
    if parts != task.parts:
        raise InputError(
            f"The target of sample {task.id!r} has {parts} grids, and its metadata "
            f"say parts={task.parts}."
        )


KINDS: Mapping[str, AnswerKind] = {
    "grids": AnswerKind(
        read=lambda text, task: read_grids(text, task.parts),
        shown=_labelled,
        grade=_grade_grids,
        check=_check_grids,
    ),
}
"""Solutions by the `answer_kind` of a sample's metadata."""


def kind_of(task: SolvableTask) -> AnswerKind:
    """The kind of solution that a task asks for.

    Raises:
        InputError: If there is no such kind.
    """
    if task.kind not in KINDS:
        raise InputError(
            f"Sample {task.id!r} has answer_kind={task.kind!r} in its metadata; "
            f"allowed: {', '.join(KINDS)}."
        )
    return KINDS[task.kind]
