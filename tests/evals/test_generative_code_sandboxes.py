"""Programs are graded in any of Inspect's sandboxes, which is tried out first."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.util import ExecResult, SandboxEnvironment, sandboxenv
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.grading import probes
from inspect_debate.grading.choice import COMPOSE
from tests.support.code_runs import SHIPPED, graded, grader_of
from tests.support.code_tasks import adding, answering, right, written, wrong
from tests.support.docker_engine import docker_engine
from tests.support.models import calls_of, scripted
from tests.support.runs import records, run


@sandboxenv(name="elsewhere")
class Elsewhere(LocalSandboxEnvironment):
    """A sandbox of another package: this machine, without a `python3` on its PATH."""

    replies: ExecResult[str] | Exception | None = None

    @classmethod
    async def sample_init(
        cls, task_name: str, config: Any, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        return {"default": cls()}

    async def exec(self, cmd: list[str], *given: Any, **named: Any) -> ExecResult[str]:
        if cmd[0] == "python3":
            raise FileNotFoundError("python3: not found")
        if isinstance(self.replies, Exception):
            raise self.replies
        return self.replies or await super().exec(cmd, *given, **named)


def tried(folder: Path, **settings: Any) -> tuple[Any, int]:
    """A run on one task; its log, and how often the model was asked."""
    model = scripted(answering(right(1), wrong(1)))
    task = generative(
        "dual_no_transcript", "bcb_plus", written(folder, adding(1)), **settings
    )
    log = run(task, folder, model, success=False)
    return log, len(calls_of(model))


def test_another_packages_sandbox_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text("pods: 1\n")
    log, _ = tried(tmp_path, sandbox=f"elsewhere:{file}", interpreter=sys.executable)
    assert log.status == "success", log.error
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["pass", "fail"]
    told = grader_of(log)
    assert told["sandbox"] == "elsewhere"
    assert told["interpreter"] == sys.executable
    assert told["config_sha256"] == hashlib.sha256(b"pods: 1\n").hexdigest()
    assert "python" not in told, "nobody looked at it"


DEAD = ExecResult(False, 137, "", "Killed")
TWO = ExecResult(True, 0, "2 7\n", "")
SILENT = ExecResult(True, 0, "3 11\n", "")


@pytest.mark.parametrize(
    ("interpreter", "replies", "told"),
    [
        (None, None, "interpreter=python3 is no Python 3.8 or later in this sandbox"),
        ("/no/such/python", None, "interpreter=/no/such/python is no Python 3.8"),
        (sys.executable, DEAD, "Killed"),
        (sys.executable, TWO, "it is Python 2.7"),
        (sys.executable, TimeoutError("late"), "TimeoutError: late"),
        (sys.executable, SILENT, "known to be right got 'error'"),
    ],
)
def test_a_sandbox_that_cannot_grade_ends_the_run_before_any_call(
    interpreter: str | None,
    replies: ExecResult[str] | Exception | None,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Elsewhere, "replies", replies)
    log, calls = tried(tmp_path, sandbox="elsewhere", interpreter=interpreter)
    assert (log.status, calls) == ("error", 0)
    assert told in log.error.message


def test_a_grader_that_passes_everything_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def pass_all(*given: Any, **named: Any) -> Any:
        return graded("pass")

    monkeypatch.setattr(probes, "grade_code", pass_all)
    log, calls = tried(tmp_path, sandbox="elsewhere", interpreter=sys.executable)
    assert (log.status, calls) == ("error", 0)
    assert "known to be wrong got 'pass'" in log.error.message


@pytest.mark.parametrize(
    ("sandbox", "told"),
    [
        ("elsewher", "Did you mean 'elsewhere'?"),
        ("elsewhere:no/such.yaml", "there is no file 'no/such.yaml'"),
        ("bubblewrap:file.yaml", "bubblewrap takes no configuration file"),
    ],
)
def test_sandboxes_that_are_not_there(sandbox: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        generative(**SHIPPED, sandbox=sandbox)
    assert told in str(caught.value)


def test_docker_through_inspects_provider_and_a_fake_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = docker_engine(tmp_path, monkeypatch)
    log, _ = tried(tmp_path, sandbox="docker")
    assert log.status == "success", log.error
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["pass", "fail"]
    assert "@sha256:" in grader_of(log)["image"]
    files = {words[words.index("-f") + 1] for words in engine.calls if "-f" in words}
    assert [Path(file).read_text() for file in files] == [COMPOSE.read_text()]
    graded = [words for words in engine.executed() if "-I" in words]
    # The version, a right and a wrong program, and the two answers.
    assert len(graded) == 5
    assert all(words[0] == "/usr/bin/timeout" for words in graded)
    verbs = [
        next(w for w in words if w in ("up", "down", "exec"))
        for words in engine.calls
        if {"up", "down", "exec"} & {*words}
    ]
    assert (verbs[0], verbs[-1]) == ("up", "down"), "no container outlives its sample"


def test_docker_with_an_image_that_has_no_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docker_engine(tmp_path, monkeypatch, python="no-such-python")
    log, calls = tried(tmp_path, sandbox="docker")
    assert (log.status, calls) == ("error", 0)
    assert "interpreter=python3 is no Python 3.8 or later" in log.error.message


def test_docker_with_a_compose_file_and_an_interpreter_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = docker_engine(tmp_path, monkeypatch)
    file = tmp_path / "mine.yaml"
    file.write_text(COMPOSE.read_text())
    log, _ = tried(tmp_path, sandbox=f"docker:{file}", interpreter=sys.executable)
    assert log.status == "success", log.error
    assert "image" not in grader_of(log)
    assert all("python3" not in words for words in engine.executed())


@pytest.mark.skipif(
    shutil.which("docker-compose") is None, reason="docker-compose is not installed"
)
def test_compose_itself_accepts_the_file() -> None:
    """`config` checks a file against the schema of Compose, and needs no engine."""
    command = ["docker-compose", "-f", str(COMPOSE), "config"]
    subprocess.run(command, check=True, capture_output=True)
