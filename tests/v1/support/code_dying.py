"""Runs and commands that are killed in the middle of a grading."""

import os
import signal
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from inspect_debate.evals.generative import generative
from inspect_debate.v1.grading.grade import Graded, grade_code
from inspect_debate.v1.solvers import generative_answers
from tests.v1.support.code_runs import SHIPPED
from tests.v1.support.runs import run

CHOSEN = ["bcbs-fair-pairs", "bcbs-layered-settings", "bcbs-fill-template"]
"""Tasks in their order, to each of which the two answers of a run are different."""


def killed(work: Callable[[], object], ends_at: int, data: Path) -> None:
    """Do something in a process of its own, until that has killed itself.

    Args:
        work: What is done.
        ends_at: The grading that the process does not survive, from 1.
        data: The folder in which Inspect keeps what it has not yet logged.
    """

    def die() -> None:
        os.environ["XDG_DATA_HOME"] = str(data)
        die_at(ends_at)
        work()

    process = get_context("fork").Process(target=die)
    process.start()
    process.join(timeout=120)
    assert process.exitcode == -signal.SIGKILL


def die_at(count: int) -> None:
    """Have this process killed when it has done so many gradings but one."""
    done = 0

    async def grade(*given: Any, **terms: Any) -> Graded:
        nonlocal done
        graded = await grade_code(*given, **terms)
        done += 1
        if done == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return graded

    vars(generative_answers)["grade_code"] = grade


def study(log_dir: Path, grades: Path) -> None:
    """A run of the chosen tasks, one after the other."""
    run(
        generative,
        log_dir,
        task_args=SHIPPED | {"protocol": "dual_no_transcript", "grades": str(grades)},
        sample_id=CHOSEN,
        max_samples=1,
    )
