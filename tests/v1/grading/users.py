"""Those who start sandboxes: root and an ordinary user, whoever runs the tests.

For an ordinary user, root starts a child that is one, with a copy of the package and
an interpreter that others can read; the child runs what it is sent.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pydantic
import pytest

from inspect_debate.v1.grading.supervise import Ended
from tests.v1.grading import served

ROOT = Path(__file__).parents[3]
SECRET = "a key that nobody may read"
ORDINARY = 1000
PYTHON = "/tmp/python"
"""The ordinary user's interpreter, in a place of which sandboxes have an own one."""
PACKAGE, LIBRARIES, FOLDER = "/tmp/package", "/tmp/libraries", "/tmp/folder"


Child = subprocess.Popen[bytes]


class Run(Protocol):
    """Runs Python code in a sandbox; the rest are the settings of sandboxes."""

    def __call__(
        self,
        code: str,
        *,
        files: dict[str, str] | None = None,
        input: bytes = b"",
        seconds: float = 30,
        output: int = 100_000,
        **config: Any,
    ) -> Ended: ...


class User(NamedTuple):
    """Someone who starts sandboxes, with `SECRET` in the environment.

    Attributes:
        run: Runs code in one.
        place: A folder that belongs to the user, by its name there.
        folder: The same, by its name here.
    """

    run: Run
    place: str
    folder: Path


@contextmanager
def ourselves(folder: Path) -> Iterator[User]:
    """Whoever runs the tests, given an empty folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SANDBOX_TEST_SECRET", SECRET)
        yield User(served.run_here, str(folder), folder)


@contextmanager
def ordinary_user(folder: Path) -> Iterator[User]:
    """An ordinary user, whom only root can have, given an empty folder."""
    with ordinary_child(folder) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        asked, answered = child.stdin, child.stdout

        def run(code: str, *, input: bytes = b"", **settings: Any) -> Ended:
            asked.write(served.request(code, input, **settings))
            asked.flush()
            return served.answer(answered.readline())

        yield User(run, FOLDER, folder / "own")


def own_child(folder: Path) -> Child:
    """A process of ours that runs in sandboxes what it is sent."""
    return _child(
        [sys.executable, "-m", "tests.v1.grading.served"],
        {"PATH": os.environ["PATH"], "TMPDIR": str(folder)},
        ROOT,
    )


def ordinary_child(folder: Path) -> Child:
    """The same as a child of the one given, as an ordinary user."""
    package, own = folder / "package", folder / "own"
    _copy_package(package)
    own.mkdir()
    os.chown(own, ORDINARY, ORDINARY)
    python = Path(sys.executable).resolve().name
    libraries = Path(str(pydantic.__file__)).parents[1]
    command = [
        # Bubblewrap within bubblewrap needs a writable /proc.
        *("bwrap", "--ro-bind", "/", "/", "--bind", "/proc", "/proc", "--dev", "/dev"),
        *("--tmpfs", "/tmp", "--chmod", "1777", "/tmp", "--die-with-parent"),
        *("--ro-bind", sys.base_prefix, PYTHON, "--bind", str(own), FOLDER),
        *("--ro-bind", str(package), PACKAGE, "--ro-bind", str(libraries), LIBRARIES),
        *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
        *("--", "setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}"),
        *("--clear-groups", "--inh-caps=-all", "--", f"{PYTHON}/bin/{python}"),
        *("-m", "served"),
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{PACKAGE}:{LIBRARIES}",
        "SANDBOX_TEST_SECRET": SECRET,
    }
    return _child(command, environment, Path("/"))


def _child(command: list[str], environment: dict[str, str], folder: Path) -> Child:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, env=environment, cwd=folder
    )


def running(mark: str) -> list[str]:
    """The first words of all processes on the host with a mark in their words."""
    return [
        words[0]
        for words in map(_words, Path("/proc").glob("[0-9]*"))
        if mark in str(words)
    ]


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for something that happens soon, and fail where it never does."""
    for _ in range(2000):
        if true():
            return
        time.sleep(0.01)
    pytest.fail("it did not happen")


def _words(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return [""]


def _copy_package(folder: Path) -> None:
    package = folder / "inspect_debate"
    ours = ROOT / "src" / "inspect_debate"
    shutil.copytree(ours / "grading", package / "grading")
    (package / "debate").mkdir()
    shutil.copy(ours / "debate" / "errors.py", package / "debate")
    shutil.copy(Path(served.__file__), folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
