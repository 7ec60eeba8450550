"""The solver on tasks of a user's own whose answers are code; and where it runs."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.util import SandboxEnvironmentSpec

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative_debate import generative_debate
from tests.support.code_runs import needs_bubblewrap
from tests.support.code_tasks import ENDLESS, HEAD, answering, right, statuses, wrong
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, record, records, run, samples, values

TEST = """\
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(1), 4)
"""
PARTS: dict[str, Any] = {
    "answer_kind": "code",
    "code_prompt": HEAD,
    "test": TEST,
    "entry_point": "task_func",
}


def asking(**other: Any) -> Sample:
    """A task as its user writes it, with other metadata; None leaves something out."""
    metadata = {name: v for name, v in (PARTS | other).items() if v is not None}
    return Sample(id="mine", input=f"{HEAD}  # add 3", metadata=metadata)


def held(
    log_dir: Path,
    sandbox: str | SandboxEnvironmentSpec | None,
    *programs: str,
    sample: Sample | None = None,
    success: bool = True,
    **settings: Any,  # of the solver
) -> tuple[EvalLog, list[Call]]:
    """As `inspect eval TASK --solver inspect_debate/generative_debate` does it."""
    model = scripted(answering(*(programs or (right(3), wrong(3)))))
    task = Task(dataset=dataset(sample or asking()), sandbox=sandbox, scorer=verdicts())
    solver = generative_debate("dual_no_transcript", **settings)
    log = run(task, log_dir, model, success=success, solver=solver)
    return log, calls_of(model)


@needs_bubblewrap
def test_a_task_of_one_s_own_is_graded(tmp_path: Path) -> None:
    log, _ = held(tmp_path, "bubblewrap")
    assert statuses(records(log)) == [["pass", "fail"]]
    [sample] = samples(log)
    assert values(sample, "verdicts")["regime"] == 1
    assert [grade.parts for grade in record(sample).grades] == [1, 1]


@needs_bubblewrap
def test_the_time_is_the_solver_s_and_the_sandbox_the_task_s(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"config": {"grading": {"seconds": 1}}}
    box = SandboxEnvironmentSpec("bubblewrap", BubblewrapConfig(memory_mb=100))
    greedy = f"{HEAD}\n    return len(bytearray(300 << 20)) and n + 3"
    log, _ = held(tmp_path, box, ENDLESS, greedy, **settings)
    assert statuses(records(log)) == [["timeout", "fail"]]
    assert statuses(records(held(tmp_path, "bubblewrap", greedy)[0])) == [["pass"] * 2]


def test_without_a_sandbox_no_model_is_asked(tmp_path: Path) -> None:
    log, calls = held(tmp_path, None, success=False)
    assert not calls
    assert log.status == "error"
    assert log.error is not None
    message = log.error.message
    for part in ("'mine'", "no sandbox", "--sandbox bubblewrap", "--sandbox docker"):
        assert part in message


def test_the_user_s_own_account_is_no_sandbox(tmp_path: Path) -> None:
    log, calls = held(tmp_path, "local", success=False)
    assert not calls
    assert log.error is not None
    for part in ("'mine'", "'local'", "as you", "bubblewrap", "unsafe_local=true"):
        assert part in log.error.message


def test_a_user_may_allow_it(tmp_path: Path) -> None:
    log, _ = held(tmp_path, "local", unsafe_local=True)
    assert statuses(records(log)) == [["pass", "fail"]]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"test": None}, "test (a text; given: None)"),
        ({"test": "def test_one(): ..."}, "no class TestCases with a test"),
        ({"test": "class TestCases"}, "its tests are no Python"),
        ({"code_prompt": ""}, "code_prompt (a text; given: '')"),
        ({"entry_point": 3}, "entry_point (a text; given: 3)"),
    ],
)
def test_what_cannot_be_graded_ends_before_a_call(
    other: dict[str, Any], told: str, tmp_path: Path
) -> None:
    sample = asking(**other)
    log, calls = held(
        tmp_path, "local", sample=sample, success=False, unsafe_local=True
    )
    assert not calls
    assert log.error is not None
    assert told in log.error.message
    assert "'mine'" in log.error.message


@needs_bubblewrap
def test_where_sandboxes_do_not_work_no_model_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="'bwrap', which is not on PATH"):
        held(tmp_path, "bubblewrap", success=False)
