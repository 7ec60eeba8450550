"""Grading many answers, two at a time."""

import asyncio
import sys
from collections.abc import Mapping
from functools import cache

from inspect_ai.util import SandboxEnvironment

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.bubblewrap import BubblewrapSandbox, check_bubblewrap
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import Graded, Way, grade_code
from tests.grading.boxes import PlainBox
from tests.grading.victim import victim


@cache
def bubblewrap() -> SandboxEnvironment | None:
    """The real sandbox, where it works."""
    config = BubblewrapConfig(interpreter=sys.executable)
    try:
        check_bubblewrap(config)
    except InputError:
        return None
    return BubblewrapSandbox(config)


def grade(
    answer: str,
    problem: CodeProblem | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> Graded:
    answers = {"": answer}
    return grade_all(answers, problem=problem, seconds=seconds, way=way)[""]


def grade_all(
    answers: Mapping[str, str],
    *,
    box: SandboxEnvironment | None = None,
    problem: CodeProblem | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> dict[str, Graded]:
    """What came of each answer; in the real sandbox, where it works."""
    asked = {what: (problem or victim(), text) for what, text in answers.items()}
    return grade_pairs(asked, box=box, seconds=seconds, way=way)


def grade_pairs(
    answers: Mapping[str, tuple[CodeProblem, str]],
    *,
    box: SandboxEnvironment | None = None,
    seconds: int = 30,
    way: Way | None = None,
) -> dict[str, Graded]:
    """What came of each answer, to a task of its own."""
    where = box or bubblewrap() or PlainBox()

    async def one(turn: asyncio.Semaphore, problem: CodeProblem, answer: str) -> Graded:
        async with turn:
            return await grade_code(
                where,
                problem,
                answer,
                interpreter=sys.executable,
                seconds=seconds,
                way=way,
            )

    async def all_of_them() -> list[Graded]:
        turn = asyncio.Semaphore(2)
        return await asyncio.gather(*(one(turn, *pair) for pair in answers.values()))

    return dict(zip(answers, asyncio.run(all_of_them()), strict=True))
