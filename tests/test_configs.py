"""Studies in configs/: every condition can be run, and errors are one sentence."""

import sys
from collections.abc import Callable, Iterator
from contextvars import copy_context
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from inspect_ai import Task
from inspect_ai.log import list_eval_logs, read_eval_log

from inspect_debate.evals.srdcr import srdcr

CONFIGS = Path(__file__).parents[1] / "configs"
A, B = "simulated/balanced", "simulated/strong"
STUDIES = {
    "colmad": ([A, B, "--source", "sample"], 10),
    "confidence": ([A, B, "--judge", A], 7),
    "debate": ([B, A], 5),
    "generative": ([B, A, "--source", "sample"], 11),
    "srdcr": ([A, "--source", "sample"], 5),
}
"""Arguments of each study, and how many conditions it has."""
Start = Callable[..., Result]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Start]:
    """Start a script of the folder as `python configs/NAME.py LOG_DIR ...` does."""
    monkeypatch.syspath_prepend(str(CONFIGS))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")

    def call(name: str, *args: str) -> Result:
        for module in ("study", name):
            sys.modules.pop(module, None)
        script = import_module(name)
        args = (str(tmp_path / "logs"), *args)
        # Inspect leaves the roles of a run behind.
        return copy_context().run(CliRunner().invoke, script.main, args)

    yield call
    for module in ("study", *STUDIES):
        sys.modules.pop(module, None)


def test_all_studies_are_tested() -> None:
    assert {path.stem for path in CONFIGS.glob("*.py")} == {*STUDIES, "study"}


@pytest.mark.parametrize("name", STUDIES)
def test_all_conditions_can_be_made_and_differ(
    start: Start, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    started: list[tuple[Any, dict[str, Any]]] = []

    def eval_set(tasks: Any, log_dir: str, **options: Any) -> tuple[bool, list[Any]]:
        started.append((tasks, options))
        return len(started) > 1, []  # of several sets, the first is not complete

    monkeypatch.setattr("inspect_ai.eval_set", eval_set)
    args, count = STUDIES[name]
    result = start(name, *args, "--limit", "3")
    assert result.exit_code == 1, result.output
    conditions = []
    for tasks, options in started:
        assert options["limit"] == 3
        assert options["model"] in args
        for task in tasks if isinstance(tasks, list) else [options["task_args"]]:
            conditions.append(repr(task.metadata if isinstance(task, Task) else task))
    assert len({*conditions}) == len(conditions) == count


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_runs(start: Start, tmp_path: Path, name: str) -> None:
    args, count = STUDIES[name]
    result = start(name, *args, "--limit", "1")
    assert result.exit_code == 0, result.output
    logs = [read_eval_log(log) for log in list_eval_logs(str(tmp_path / "logs"))]
    assert len(logs) == count
    for log in logs:
        assert log.status == "success"
        assert not any(sample.error for sample in log.samples or [])


BAD: dict[str, list[str]] = {
    "no model": [],
    "no such provider": ["nowhere/x", B, "--source", "sample"],
    "no model name": ["x", B, "--source", "sample"],
    "no such source": [A, B, "--source", "nowhere"],
    "no number": [A, B, "--limit", "many"],
}


@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_bad_arguments_end_with_one_sentence(start: Start, args: list[str]) -> None:
    result = start("colmad", *args)
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code != 0
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
    assert len(errors) == 1


def test_released_settings_of_srdcr_are_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(CONFIGS.parent)
    text = (CONFIGS / "srdcr_released.yaml").read_text(encoding="utf-8")
    args = yaml.safe_load(text)["task"]["args"]
    task = srdcr(**args, source="sample")
    assert len(task.dataset) > 0
    assert task.metadata
    assert task.metadata["parameters"]["prompts"] == args["prompts"]
