"""Commands that are killed in the middle of a grading, as `python -m` starts them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_debate.cli.main import main
from inspect_debate.evals.generative import generative
from inspect_debate.grading.grade import Graded, grade_code
from inspect_debate.solvers import generative_answers
from tests.support.code_runs import SHIPPED
from tests.support.runs import run

ROOT = Path(__file__).parents[2]
CHOSEN = ["bcbs-fair-pairs", "bcbs-layered-settings", "bcbs-fill-template"]
"""Tasks in their order, to each of which the two answers of a run are different."""


def killed(what: str, ends_at: int, *more: str, **environment: str) -> None:
    """Start something of `COMMANDS`, and wait until it has killed itself.

    Args:
        what: Its name.
        ends_at: The grading that it does not survive, from 1.
        more: Further arguments.
        environment: Variables of its own.
    """
    command = [sys.executable, "-m", __name__, what, str(ends_at), *more]
    there = os.environ | environment
    done = subprocess.run(
        command, cwd=ROOT, env=there, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]


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


def study(log_dir: str, grades: str) -> None:
    """A run of the chosen tasks, one after the other."""
    run(
        generative,
        Path(log_dir),
        task_args=SHIPPED | {"protocol": "dual_no_transcript", "grades": grades},
        sample_id=CHOSEN,
        max_samples=1,
    )


def listing(*args: str) -> None:
    """`inspect-debate bcb-eligible`."""
    main(["bcb-eligible", *args])


COMMANDS: dict[str, Callable[..., None]] = {"study": study, "listing": listing}

if __name__ == "__main__":
    name, ends_at, *more = sys.argv[1:]
    die_at(int(ends_at))
    COMMANDS[name](*more)
