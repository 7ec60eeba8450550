"""Studies in configs/: every condition can be run, and errors are one sentence."""

from collections.abc import Callable
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
SAMPLE = ["--model", A, "-T", "source=sample"]
STUDIES = {
    "colmad": ([*SAMPLE, "--model-role", f"debater_b={B}"], 10),
    "confidence": (
        [
            "--model",
            A,
            "--model-role",
            f"debater_a={A},{B}",
            "--model-role",
            f"judge={A}",
        ],
        7,
    ),
    "debate": (["--model", A, "--model-role", f"judge={B}"], 5),
    "generative": ([*SAMPLE, "--model-role", f"judge={B}"], 11),
    "srdcr": (SAMPLE, 5),
}
"""Arguments of each study, and how many conditions it has."""
Start = Callable[..., Result]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Start:
    """Start the script as `python configs/study.py STUDY LOG_DIR ...` does."""
    monkeypatch.syspath_prepend(str(CONFIGS))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")

    def call(name: str, *args: str) -> Result:
        args = (name, str(tmp_path / "logs"), *args)
        # Inspect leaves the roles of a run behind.
        return copy_context().run(CliRunner().invoke, import_module("study").main, args)

    return call


@pytest.mark.parametrize("name", STUDIES)
def test_all_conditions_can_be_made_and_differ(
    start: Start, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    started: list[tuple[Any, dict[str, Any]]] = []

    def eval_set(tasks: Any, log_dir: str, **options: Any) -> tuple[bool, list[Any]]:
        started.append((tasks, options))
        return len(started) > 1, []  # of several sets, the first is not complete

    monkeypatch.setattr("study.eval_set", eval_set)
    args, count = STUDIES[name]
    result = start(name, *args, "--limit", "3")
    assert result.exit_code == 1, result.output
    conditions = []
    for tasks, options in started:
        assert options["limit"] == 3
        assert options["model"] == A
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
    "no such provider": ["--model", "nowhere/x"],
    "no model name": ["--model", "x"],
    "no such source": ["--model", A, "-T", "source=nowhere"],
    "no such parameter": ["--model", A, "-T", "soruce=sample"],
    "no value": ["--model", A, "-T", "source"],
    "no number": ["--model", A, "--limit", "many"],
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
