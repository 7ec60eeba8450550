"""Which Python runs solutions, and what it has."""

import hashlib
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.interpreter import (
    Environment,
    environment_of,
    resolve_interpreter,
)


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_none_is_the_running_python_outside_of_its_virtual_environment() -> None:
    found = resolve_interpreter(None)
    asked = "import sys; print(sys.prefix == sys.base_prefix == sys.argv[1])"
    command = [found, "-I", "-c", asked, sys.base_prefix]
    assert subprocess.check_output(command, text=True).strip() == "True"


def test_a_folder_is_its_virtual_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resolve_interpreter(sys.prefix) == str(Path(sys.prefix, "bin", "python"))
    (tmp_path / "somepython").mkdir()  # no environment: the name on PATH is meant
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "programs"
    there.mkdir()
    script(there / "somepython", f'exec "{sys.executable}" "$@"')
    monkeypatch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
    # A script that starts a Python would not be found in a sandbox.
    assert resolve_interpreter("somepython") == sys.executable
    assert resolve_interpreter(str(there / "somepython")) == sys.executable


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("no-such-python", "over=no-such-python is not there; give the folder of"),
        ("{folder}", "over={folder} is not there"),
        ("{folder}/python", "over={folder}/python is not there"),
        ("{folder}/text", "{folder}/text is no Python that runs: [Errno 13]"),
        (
            "{folder}/fails",
            "{folder}/fails is no Python that runs: it ended with 3: no",
        ),
        ("{folder}/silent", "is no Python that runs: it ended with 4: it said nothing"),
    ],
)
def test_what_is_no_python_is_said(given: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="utf-8")
    script(tmp_path / "fails", "echo yes >&2; echo no >&2; exit 3")
    script(tmp_path / "silent", "exit 4")
    with pytest.raises(InputError) as error:
        resolve_interpreter(given.format(folder=tmp_path), "over")
    assert says.format(folder=tmp_path) in str(error.value)


def test_an_environment_is_what_the_interpreter_sees_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alien = tmp_path / "alien_thing-1.0.dist-info"
    alien.mkdir()
    (alien / "METADATA").write_text("Name: alien-thing\nVersion: 1.0\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = environment_of(sys.executable)
    assert found.python == platform.python_version()
    assert platform.machine() in found.platform
    assert found.packages["inspect-ai"] == metadata.version("inspect_ai")
    assert found.packages["typing-extensions"] == metadata.version("typing_extensions")
    assert "alien-thing" not in found.packages
    assert "inspect-ai" not in environment_of(resolve_interpreter(None)).packages


def test_the_checksum_is_of_names_and_versions_in_order() -> None:
    expected = hashlib.sha256(b"a==1\nb==2").hexdigest()
    assert Environment("3", "x", {"b": "2", "a": "1"}, ()).sha256 == expected
    assert Environment("4", "y", {"a": "1", "b": "2"}, ("z",)).sha256 == expected
    assert Environment("3", "x", {"a": "1", "b": "3"}, ()).sha256 != expected
