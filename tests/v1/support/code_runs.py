"""Runs of the task `generative` on programming tasks, and what is graded in them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.solver import Solver
from inspect_ai.util import SandboxEnvironment

from inspect_debate.evals import generative as generative_task
from inspect_debate.evals.generative import generative
from inspect_debate.v1.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.v1.grading.code import CodeProblem
from inspect_debate.v1.grading.grade import Graded, Status, grade_code
from inspect_debate.v1.grading.interpreter import environment_of
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.solvers import generative_answers
from tests.v1.support.code_tasks import adding, answering, loaded, right, wrong
from tests.v1.support.models import Call, Script, calls_of, scripted
from tests.v1.support.runs import dataset, run

SHIPPED: dict[str, Any] = {"dataset": "bcb_plus", "source": "sample"}
TASKS = 19
BROKEN = "bcbs-loan-days"
"""The shipped task that its own solution does not pass."""

UNSAFE: dict[str, Any] = {"sandbox": "local", "unsafe_local": True}
"""Where a test fakes the grader, and no sandbox is needed."""

needs_bubblewrap = pytest.mark.skipif(
    which("bwrap") is None,
    reason="bubblewrap is not installed (apt-get install bubblewrap)",
)

_SETTINGS = ("roles", "success", "limit", "sample_id", "max_samples", "epochs")

Fake = Callable[[CodeProblem, str], Graded]


@contextmanager
def environments_known() -> Iterator[None]:
    """Ask a Python once what is installed in it, and not for every task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generative_task, "environment_of", cache(environment_of))
        yield


def run_on_code(
    log_dir: Path, model: str | Model = "simulated/balanced", **what: Any
) -> EvalLog:
    """A run; `what` are parameters of the task, and settings of the run."""
    settings = {name: what.pop(name) for name in _SETTINGS if name in what}
    return run(generative(**(SHIPPED | what)), log_dir, model=model, **settings)


def grader_of(made: Task | EvalLog) -> dict[str, Any]:
    """What a task, or its log, tells about its grader."""
    metadata = made.metadata if isinstance(made, Task) else made.eval.metadata
    found: dict[str, Any] = (metadata or {})["parameters"]["grader"]
    return found


def gradings(
    monkeypatch: pytest.MonkeyPatch,
    fake: Fake | None = None,
    known: dict[tuple[str, str], Graded] | None = None,
) -> list[tuple[str, str]]:
    """A list that grows by task and answer whenever an answer is graded.

    Args:
        monkeypatch: Undoes it.
        fake: Grades in place of the grader; it may raise.
        known: Grades by task and answer from earlier runs, which are not found out
            again; new ones go there.
    """
    asked: list[tuple[str, str]] = []

    async def grade(
        box: SandboxEnvironment, problem: CodeProblem, answer: str, **terms: Any
    ) -> Graded:
        asked.append((problem.id, answer))
        if fake is not None:
            return fake(problem, answer)
        if known is None:
            return await grade_code(box, problem, answer, **terms)
        if (problem.id, answer) not in known:
            found = await grade_code(box, problem, answer, **terms)
            known[problem.id, answer] = found
        return known[problem.id, answer]

    monkeypatch.setattr(generative_answers, "grade_code", grade)
    return asked


def graded(status: Status, note: str = "") -> Graded:
    """What a fake grader says."""
    passed = 2 if status == "pass" else 0
    return Graded(status, tests=2, passed=passed, seconds=1.0, note=note)


def commands(
    monkeypatch: pytest.MonkeyPatch, failing: Exception | None = None
) -> list[str]:
    """A list that grows whenever a program is run in a bubblewrap sandbox.

    Args:
        monkeypatch: Undoes it.
        failing: What every command raises, where sandboxes do not work.
    """
    asked: list[str] = []
    run_there = BubblewrapSandbox.exec

    async def exec(
        self: BubblewrapSandbox, cmd: list[str], *rest: Any, **how: Any
    ) -> Any:
        if cmd[0] == generative_answers.INTERPRETER:  # Inspect has commands of its own
            asked.append(cmd[0])
            if failing is not None:
                raise failing
        return await run_there(self, cmd, *rest, **how)

    monkeypatch.setattr(BubblewrapSandbox, "exec", exec)
    return asked


def calls_on_code(
    solver: Solver,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: Script | None = None,
) -> list[Call]:
    """Every call of a format on one task, of whose two answers the first is wrong.

    Args:
        solver: The format, with `unsafe_local`.
        folder: Where the task and the log are written.
        monkeypatch: Puts a grader in place of the real one, which runs nothing.
        script: What the model says, if not that.
    """
    gradings(monkeypatch, lambda problem, answer: graded("fail"))
    model = scripted(script or answering(wrong(3), right(3)))
    task = Task(
        dataset=dataset(*loaded(folder, adding(3))),
        solver=solver,
        scorer=verdicts(),
        sandbox="local",
    )
    run(task, folder, model)
    return calls_of(model)
