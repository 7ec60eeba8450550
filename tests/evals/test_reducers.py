"""A reducer of epochs does nothing to this suite's scores, and that is said."""

from inspect import isfunction
from pathlib import Path

import pytest
from inspect_ai import Epochs
from inspect_ai.scorer import Scorer, choice
from inspect_ai.util import registry_info

from inspect_debate import registry
from inspect_debate.debate.settings import OWN_SCORERS
from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.judge_check import judge_check
from inspect_debate.solvers.baselines import single
from tests.support.models import scripted
from tests.support.options import towns
from tests.support.runs import run

TOLD = "--epochs-reducer max has no effect on debate_process: the metrics of this suite"


@pytest.mark.parametrize(
    ("scorers", "reducer", "told"),
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
    told: int,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    task = towns("Italy", "Spain", scorer=scorers)
    model = scripted(lambda messages, description: "ANSWER: B")
    run(task, tmp_path, model, solver=single(), epochs=Epochs(2, reducer))
    assert caplog.text.count(TOLD) == told


def test_all_scorers_of_the_suite_are_known() -> None:
    made = [getattr(registry, name) for name in registry.__all__]
    found = {
        registry_info(one).name.rpartition("/")[2]
        for one in made
        if isfunction(one) and registry_info(one).type == "scorer"
    }
    # `evals` has the task of the same name.
    assert found | {judge_check.__name__} == set(OWN_SCORERS)
