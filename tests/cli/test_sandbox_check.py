"""`inspect-debate sandbox-check`: what it finds in good sandboxes and in bad ones."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from inspect_debate.cli.sandbox_check import sandbox_check
from tests.support.code_runs import needs_bubblewrap
from tests.support.docker_engine import docker_engine


def asked(*options: str) -> Result:
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
    result = asked("--sandbox=bubblewrap")
    assert result.exit_code == 0, result.output
    for what in ("grading", "time limit", "user", "network", "your keys"):
        assert found(result, what).endswith("ok")
    assert "WRONG" not in result.output
    assert "Programs can be graded here." in result.output


def test_no_sandbox_at_all_shows_what_programs_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    result = asked("--sandbox=local", "--unsafe-local")
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
    result = asked("--sandbox=docker")
    assert result.exit_code == 1
    assert "The sandbox docker does not start" in result.output


def test_an_interpreter_that_is_not_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docker_engine(tmp_path, monkeypatch)
    result = asked("--sandbox=docker", "--interpreter=/no/such/python")
    assert result.exit_code == 1
    line = found(result, "grading")
    assert "interpreter=/no/such/python is no Python 3.8" in line
    assert line.endswith("WRONG")
    result = asked("--sandbox=docker", f"--interpreter={sys.executable}")
    assert found(result, "grading").endswith("ok")
