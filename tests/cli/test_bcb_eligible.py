"""`inspect-debate bcb-eligible` and `sandbox-check`."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli.bcb_eligible import bcb_eligible
from inspect_debate.cli.sandbox_check import sandbox_check
from inspect_debate.evals.generative import generative
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.eligible import Checked, read_checklist
from inspect_debate.grading.grade import Graded, Status
from inspect_debate.solvers.generative_answers import WAY
from tests.support.code_dying import killed
from tests.support.code_runs import (
    BROKEN,
    SHIPPED,
    TASKS,
    environments_known,
    graded,
    gradings,
    needs_bubblewrap,
)
from tests.support.code_tasks import adding, written
from tests.support.docker_engine import docker_engine

_SAMPLE = ("--source=sample",)
LOCAL = ("--sandbox", "local", "--unsafe-local")
"""Where a test fakes the grader, and no sandbox is needed."""


@pytest.fixture(autouse=True, scope="module")
def _environments_known() -> Iterator[None]:
    with environments_known():
        yield


def asked(folder: Path, *options: str, exit_code: int = 0) -> Result:
    """The command on the shipped tasks, with the list in a folder."""
    places = (f"--out={folder / 'list.jsonl'}", f"--log-dir={folder / 'logs'}")
    source = () if any(o.startswith("--source") for o in options) else _SAMPLE
    result = CliRunner().invoke(
        bcb_eligible, [*source, *places, *options], env={"INSPECT_DISPLAY": "log"}
    )
    assert result.exit_code == exit_code, (result.output, result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def lines_of(folder: Path) -> list[bytes]:
    return (folder / "list.jsonl").read_bytes().split(b"\n")


def tasks_of(folder: Path) -> list[str]:
    """The tasks of the lines after the first, which all are whole."""
    _, *lines, end = lines_of(folder)
    assert end == b""
    return [Checked.model_validate_json(line).task for line in lines]


def failing_on(results: dict[str, Status]) -> Any:
    """A grader that fails canonical solutions of some tasks."""

    def grade(problem: CodeProblem, answer: str) -> Graded:
        status = results.get(problem.id, "pass")
        return graded(status, "" if status == "pass" else f"so it is: {status}")

    return grade


@pytest.mark.slow
@needs_bubblewrap
def test_all_shipped_tasks_but_one_are_eligible(tmp_path: Path) -> None:
    output = asked(tmp_path).output
    path = tmp_path / "list.jsonl"
    assert f"{TASKS} of {TASKS} tasks checked: {TASKS - 1} pass, 1 fail." in output
    assert f"-T eligible={path}" in output
    (row,) = [line for line in output.split("\n") if line.startswith("bcbs-")]
    for part in (BROKEN, "fail", "1 of 4 tests failed: test_one_day"):
        assert part in row

    found = read_checklist(str(path))
    assert len(set(tasks_of(tmp_path))) == len(tasks_of(tmp_path)) == TASKS
    assert set(found.checked) - found.eligible == {BROKEN}
    assert all(one.seconds > 0 for one in found.checked.values())
    assert found.data["dataset"] == "bcb_plus"
    assert found.data["version"] == "sample"
    assert found.grader["sandbox"] == "bubblewrap"

    task = generative(**SHIPPED, eligible=str(path))
    assert {str(sample.id) for sample in task.dataset} == found.eligible


def test_it_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_there = gradings(monkeypatch, failing_on({BROKEN: "fail"}))
    assert "5 of 5 tasks checked" in asked(tmp_path, *LOCAL, "--limit=5").output
    assert len(run_there) == 5
    before = lines_of(tmp_path)
    output = asked(tmp_path, *LOCAL).output
    assert f"{TASKS} of {TASKS} tasks checked" in output
    assert lines_of(tmp_path)[:6] == before[:6]
    assert set(Counter(run_there).values()) == {1}
    assert len(run_there) == len(tasks_of(tmp_path)) == TASKS

    everything = lines_of(tmp_path)
    again = asked(tmp_path, *LOCAL).output
    assert again.endswith(output[output.index("task ") :]), "it tells the same"
    assert "3 of 3 tasks checked" in asked(tmp_path, *LOCAL, "--limit=3").output
    assert lines_of(tmp_path) == everything
    assert len(run_there) == TASKS


@pytest.mark.slow
@needs_bubblewrap
def test_after_a_kill_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One of the first two is broken, and so graded in both ways.
    killed(lambda: asked(tmp_path, "--limit=5"), 4, tmp_path / "data")
    before = tasks_of(tmp_path)
    assert len(before) == 2
    with (tmp_path / "list.jsonl").open("ab") as file:
        file.write('{"task":"bcbs-few-at-a-time","note":"é'.encode()[:-1])
    run_there = gradings(monkeypatch, failing_on({}))
    assert "5 of 5 tasks checked" in asked(tmp_path, "--limit=5").output
    assert tasks_of(tmp_path)[:2] == before
    assert len(set(tasks_of(tmp_path))) == len(tasks_of(tmp_path)) == 5
    assert Counter(task for task, _ in run_there) == Counter(tasks_of(tmp_path)[2:])


RESULTS: dict[str, Status] = {
    BROKEN: "fail",
    "bcbs-fair-pairs": "timeout",
    "bcbs-run-script": "error",
}


@pytest.mark.parametrize(
    ("options", "graded_again"),
    [
        ((), {"bcbs-run-script"}),
        (("--again",), {*RESULTS}),
    ],
)
def test_what_did_not_pass_can_be_graded_again(
    options: tuple[str, ...],
    graded_again: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gradings(monkeypatch, failing_on(RESULTS))
    output = asked(tmp_path, *LOCAL).output
    assert f"{TASKS - 3} pass" in output
    for task, status in RESULTS.items():
        assert f"1 {status}" in output
        (row,) = [line for line in output.split("\n") if line.startswith(task)]
        assert f"so it is: {status}" in row
    run_there = gradings(monkeypatch, failing_on({}))
    output = asked(tmp_path, *LOCAL, *options).output
    assert {task for task, _ in run_there} == graded_again
    assert f"{TASKS - 3 + len(graded_again)} pass" in output
    found = read_checklist(str(tmp_path / "list.jsonl"))
    assert len(found.checked) == TASKS
    assert len(found.checked) - len(found.eligible) == 3 - len(graded_again)


def test_what_a_solution_says_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = "ValueError: é \ud800 \u2028 \0"
    gradings(monkeypatch, lambda problem, answer: graded("fail", note))
    asked(tmp_path, *LOCAL, "--limit=2")
    found = read_checklist(str(tmp_path / "list.jsonl"))
    assert {one.note for one in found.checked.values()} == {"ValueError: é � \u2028 \0"}
    assert (
        "2 of 2 tasks checked: 2 fail." in asked(tmp_path, *LOCAL, "--limit=2").output
    )


def test_a_task_that_cannot_be_graded_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grade(problem: CodeProblem, answer: str) -> Graded:
        if problem.id == BROKEN:
            raise RuntimeError("no sandbox today")
        return graded("pass")

    gradings(monkeypatch, grade)
    output = asked(tmp_path, *LOCAL, exit_code=1).output
    assert f"{TASKS - 1} of {TASKS} tasks checked: {TASKS - 1} pass." in output
    assert "Tasks still to grade: 1. Run the same command again to continue." in output
    gradings(monkeypatch, failing_on({}))
    asked(tmp_path, *LOCAL)
    assert tasks_of(tmp_path)[-1] == BROKEN


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--seconds=100",), "seconds was 240 there, and is 100 here"),
        (("--memory-mb=100",), "memory_mb was 2048 there, and is 100 here"),
        (("--interpreter=python3",), "was"),
        (LOCAL, "sandbox was 'bubblewrap' there, and is 'local' here"),
        (("--dataset=bcb",), "dataset was 'bcb_plus' there, and is 'bcb' here"),
    ],
)
def test_a_list_with_other_settings_is_left_alone(
    options: tuple[str, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_there = gradings(monkeypatch, failing_on({}))
    path = tmp_path / "list.jsonl"
    usual = generative(**SHIPPED, sandbox="bubblewrap").metadata or {}
    data = {name: usual["data"][name] for name in ("dataset", "version", "sha256")}
    head = {"data": data, "grader": usual["parameters"]["grader"]}
    path.write_text(json.dumps(head) + '\n{"task": "cut o')
    before = path.read_bytes()
    options = ("--sandbox=bubblewrap", *options)
    output = asked(tmp_path, *options, exit_code=1).output
    assert f"--out={path} was begun with other settings: " in output
    assert what in output
    assert path.read_bytes() == before
    assert not run_there


@pytest.mark.parametrize("sandbox", [(), ("--sandbox=bubblewrap",)])
def test_where_no_sandbox_works_nothing_is_graded(
    sandbox: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_there = gradings(monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path))
    output = asked(tmp_path, *sandbox, exit_code=1).output
    assert "apt-get install bubblewrap" in output
    assert not run_there


@needs_bubblewrap
def test_a_task_whose_solution_fails_by_value_is_graded_in_process(
    tmp_path: Path,
) -> None:
    """Its tests hand over a function, in a way that reading does not show."""
    called = adding(2) | {
        "canonical_solution": "    return n(1) + 1\n",
        "test": "import unittest\nclass TestCases(unittest.TestCase):\n"
        "    def test_one(self):\n"
        "        add = (1).__add__\n"
        "        self.assertEqual(task_func(add), 3)\n",
    }
    source = written(tmp_path, adding(1), called)
    asked(tmp_path, f"--source={source}")
    path = str(tmp_path / "list.jsonl")
    found = read_checklist(path).checked
    ways = {"bcbplus-1": "by_value", "bcbplus-2": "in_process"}
    assert {id: (one.status, one.way) for id, one in found.items()} == {
        id: ("pass", way) for id, way in ways.items()
    }
    task = generative(**SHIPPED | {"source": source}, eligible=path)
    given = {str(s.id): (s.metadata or {})[WAY] for s in task.dataset}
    assert given == ways


def sandbox_checked(*options: str) -> Result:
    return CliRunner().invoke(sandbox_check, options)


def found(result: Result, what: str) -> str:
    (line,) = [
        one.strip()
        for one in result.output.split("\n")
        if one.strip().partition("  ")[0] == what
    ]
    return line


@needs_bubblewrap
def test_bubblewrap_is_as_it_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    result = sandbox_checked("--sandbox=bubblewrap")
    assert result.exit_code == 0, result.output
    for what in ("grading", "time limit", "user", "network", "your keys"):
        assert found(result, what).endswith("ok")
    assert "WRONG" not in result.output
    assert "Programs can be graded here." in result.output


def test_no_sandbox_at_all_shows_what_programs_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    result = sandbox_checked("--sandbox=local", "--unsafe-local")
    assert result.exit_code == 1
    assert found(result, "your keys").split()[2:] == ["OPENAI_API_KEY", "WRONG"]
    assert found(result, "grading").endswith("ok")
    assert "not as it should be" in result.output
    assert "a-key" not in result.output


def test_an_engine_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docker").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    result = sandbox_checked("--sandbox=docker")
    assert result.exit_code == 1
    assert "The sandbox docker does not start" in result.output


def test_an_interpreter_that_is_not_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docker_engine(tmp_path, monkeypatch)
    result = sandbox_checked("--sandbox=docker", "--interpreter=/no/such/python")
    assert result.exit_code == 1
    line = found(result, "grading")
    assert "interpreter=/no/such/python is no Python 3.8" in line
    assert line.endswith("WRONG")
    result = sandbox_checked("--sandbox=docker", f"--interpreter={sys.executable}")
    assert found(result, "grading").endswith("ok")
