"""Roles, reducers and columns of the viewer that tasks have in common."""

from inspect import isfunction
from pathlib import Path

import inspect_ai
import pytest
from inspect_ai import Epochs, Task
from inspect_ai.scorer import Scorer, choice
from inspect_ai.util import registry_info

from inspect_debate.v1 import registry
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.settings import OWN_SCORERS
from inspect_debate.v1.scorers.debate_process import debate_process
from inspect_debate.v1.scorers.judge_check import judge_check as judge_check_reducer
from inspect_debate.v1.solvers.baselines import single
from tests.v1.support.models import scripted
from tests.v1.support.options import towns
from tests.v1.support.runs import run


def test_roles_of_a_solver(tmp_path: Path) -> None:
    @inspect_ai.task  # made in the run, as with `--solver`
    def towns_task() -> Task:
        return towns("Italy", solver=single())

    with pytest.raises(InputError, match=r"--model-role referee=.*"):
        run(towns_task, tmp_path, roles={"referee": "simulated/perfect"})


TOLD = "--epochs-reducer max has no effect on debate_process: the metrics of this suite"


@pytest.mark.parametrize(
    ("scorers", "reducer", "logged"),
    [
        ([choice(), debate_process()], "max", 1),
        ([choice(), debate_process()], None, 0),
        ([choice(), debate_process()], "mean", 0),
        ([choice()], "max", 0),
    ],
)
def test_a_reducer_is_warned_of_once(
    scorers: list[Scorer],
    reducer: str | None,
    logged: int,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    task = towns("Italy", "Spain", scorer=scorers)
    model = scripted(lambda messages, description: "ANSWER: B")
    run(task, tmp_path, model, solver=single(), epochs=Epochs(2, reducer))
    assert caplog.text.count(TOLD) == logged


def test_all_scorers_of_the_suite_are_known() -> None:
    made = [getattr(registry, name) for name in registry.__all__]
    found = {
        registry_info(one).name.rpartition("/")[2]
        for one in made
        if isfunction(one) and registry_info(one).type == "scorer"
    }
    # `evals` has the task of the same name; `debate_judge` reads outputs, not records.
    found = (found | {judge_check_reducer.__name__}) - {"debate_judge"}
    assert found == set(OWN_SCORERS)
