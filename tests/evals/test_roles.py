"""Roles that are none of this suite's end a run before it begins."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import inspect_ai
import pytest
from inspect_ai import Task
from inspect_ai.solver import Solver

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.judge_check import judge_check
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.generative_debate import generative_debate
from inspect_debate.solvers.naive_debate import naive_debate
from tests.support.options import towns
from tests.support.runs import run

TASKS: list[tuple[Callable[..., Task], dict[str, Any]]] = [
    (colmad, {"source": "sample"}),
    (confidence, {}),
    (debate, {}),
    (generative, {"source": "sample"}),
    (judge_check, {}),
    (srdcr, {"source": "sample"}),
]
WRONG = [("juge", "Did you mean 'judge'?"), ("critic", "Did you mean 'debater_b'?")]


@pytest.mark.parametrize(("role", "told"), [*WRONG, ("referee", "reward, grader.")])
@pytest.mark.parametrize(("task", "arguments"), TASKS)
def test_in_every_task(
    task: Callable[..., Task],
    arguments: dict[str, Any],
    role: str,
    told: str,
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match=f"--model-role {role}=.*") as refused:
        run(task, tmp_path, roles={role: "simulated/perfect"}, task_args=arguments)
    assert refused.value.message.endswith(told)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("solver", [single, naive_debate, generative_debate])
def test_in_runs_of_a_solver_that_is_named(
    solver: Callable[..., Solver], tmp_path: Path
) -> None:
    @inspect_ai.task  # made in the run, as with `--solver`
    def towns_task() -> Task:
        return towns("Italy", solver=solver())

    with pytest.raises(InputError, match=r"--model-role referee=.*"):
        run(towns_task, tmp_path, roles={"referee": "simulated/perfect"})
