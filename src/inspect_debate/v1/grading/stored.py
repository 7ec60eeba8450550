"""Grades stored in a folder, so that code is not run again for another format.

So all runs that put an answer to a judge have the same grade, even where a task's
tests are not quite deterministic.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from logging import getLogger
from pathlib import Path

from pydantic import TypeAdapter

from inspect_debate.v1.grading.code import CodeProblem
from inspect_debate.v1.grading.grade import Graded, Way, way_of

GRADER = 3
"""To be raised when the grader may come to other grades."""

_STORED = ("pass", "fail", "timeout")
_FORM = TypeAdapter(Graded)

logger = getLogger(__name__)


async def stored(
    folder: Path | None,
    problem: CodeProblem,
    answer: str,
    seconds: int,
    grade: Callable[[], Awaitable[Graded]],
    way: Way | None = None,
) -> tuple[Graded, bool]:
    """The stored grade of an answer, or a new one, which is then stored.

    Args:
        folder: Where grades of one interpreter are stored; nowhere if None.
        problem: The task.
        answer: The answer.
        seconds: The time limit.
        grade: Grades the answer. A grade with the status `error` is not stored.
        way: In which way it is graded; as the task's tests allow if None.

    Returns:
        The grade, and whether it was stored before.
    """
    if folder is None:
        return await grade(), False
    file = folder / f"{_key(problem, answer, seconds, way)}.json"
    try:
        return _FORM.validate_python(json.loads(file.read_bytes())), True
    except (OSError, ValueError):  # none, or one that cannot be read
        pass
    graded = await grade()
    if graded.status in _STORED:
        try:
            _store(file, graded)
        except OSError as error:  # the grade is good all the same
            logger.warning(f"A grade could not be stored: {error}.")
    return graded, False


def _store(file: Path, graded: Graded) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{secrets.token_hex(4)}")
    part.write_text(json.dumps(asdict(graded)), encoding="utf-8")
    os.replace(part, file)


def _key(problem: CodeProblem, answer: str, seconds: int, way: Way | None) -> str:
    """What a grade depends on, apart from the interpreter."""
    program, test, name = problem.program(answer), problem.test, problem.entry_point
    parts = [GRADER, program, test, name, seconds, way or way_of(problem)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
