"""An interpreter is shown with its libraries, and with nothing of its user's."""

import subprocess
import sys
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.box import default_interpreter, interpreter_view
from inspect_debate.grading.view import View
from tests.grading.users import User


def shows(view: View, path: str | Path) -> bool:
    real = Path(path).resolve()
    return any(real.is_relative_to(bind.destination) for bind in view.binds)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment, with another folder on its path."""
    folder = tmp_path_factory.mktemp("environment").resolve()
    more = folder / "more"
    more.mkdir()
    (more / "ours.py").write_text("value = 5")
    made = [default_interpreter(), "-m", "venv", "--without-pip", str(folder / "venv")]
    subprocess.run(made, check=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "more.pth").write_text(f"{more}\n")
    return folder


def test_the_default_shows_the_standard_library_and_not_our_own_environment() -> None:
    view = interpreter_view(default_interpreter())
    assert shows(view, subprocess.__file__)
    assert not shows(view, pytest.__file__)
    assert sys.prefix == sys.base_prefix or not shows(view, sys.prefix)


def test_an_environment_is_shown_with_what_lies_below_and_beside(
    environment: Path,
) -> None:
    view = interpreter_view(str(environment / "venv" / "bin" / "python"))
    for shown in (environment / "venv", sys.base_prefix, environment / "more"):
        assert shows(view, shown)
    assert not shows(view, environment)


def test_it_works_inside(user: User, environment: Path) -> None:
    if user.place != str(user.folder):
        pytest.skip("the environment is not this user's")
    python = environment / "venv" / "bin" / "python"
    ended = user.run(
        "import ours, sys; print(ours.value, sys.prefix)", interpreter=str(python)
    )
    assert ended.stdout.decode().split() == ["5", str(environment / "venv")]


@pytest.mark.parametrize("given", ["python3", "/nowhere/python", "/etc/hostname", "/"])
def test_what_is_no_interpreter_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="interpreter="):
        interpreter_view(given)


def answering(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("text", ["exit 3", "echo nonsense"])
def test_what_does_not_answer_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="does not work: asked for its paths"):
        interpreter_view(answering(tmp_path / "python", text))


@pytest.mark.parametrize("prefix", ["/", "/home", "HOME", "HOME/.."])
def test_a_home_directory_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    home = tmp_path.resolve() / "users" / "me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    prefix = prefix.replace("HOME", str(home))
    python = answering(tmp_path / "python", f"echo '[\"{prefix}\"]'")
    with pytest.raises(InputError, match="would be seen inside"):
        interpreter_view(python)
