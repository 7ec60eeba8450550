"""Building a virtual environment with uv."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from click import ClickException

from inspect_debate.core.errors import InputError, check_name
from inspect_debate.core.interpreter import (
    environment_of,
    prepared_home,
    resolve_interpreter,
)
from inspect_debate.core.paths import user_path

PYTHON = "3.11"
# A name, and a version after ==; addresses and options are no names.
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9][\w.-]*)(?=\s*(?:$|[\[=<>!~;@#(]))(?:\[.*?\])?\s*(?:==\s*([^\s;,#]+))?"
)


class Libraries(NamedTuple):
    """What is to be installed.

    Attributes:
        files: The requirements and the constraints, as texts for pip.
        versions: The versions asked for by the libraries' names; None: any.
    """

    files: dict[str, str]
    versions: dict[str, str | None]


def own_libraries(without: Sequence[str]) -> Libraries:
    """The libraries of the suite's own list.

    Args:
        without: The names of those to leave out.

    Raises:
        InputError: If one is not on the list.
    """
    data = resources.files("inspect_debate.cli") / "data"
    listed = (data / "bcb_requirements.txt").read_text(encoding="utf-8")
    left_out = {_normal(name) for name in without}
    for name in left_out:
        check_name("--without: the library", name, _versions(listed))
    lines = [
        line
        for line in listed.splitlines()
        if left_out.isdisjoint(_versions(line))  # comments name none
    ]
    wanted = "\n".join(lines)
    constraints = (data / "bcb_constraints.txt").read_text(encoding="utf-8")
    files = {"requirements.txt": wanted, "constraints.txt": constraints}
    return Libraries(files, _versions(wanted))


def users_libraries(typed: str) -> Libraries:
    """The libraries of a user's requirements file.

    Raises:
        InputError: If it cannot be read.
    """
    path = user_path(typed).absolute()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--requirements={typed} cannot be read: {error}.") from error
    # Through its own path, from where other files that it names are found.
    return Libraries({"requirements.txt": f"-r {path}"}, _versions(text))


def find_uv() -> str:
    """The path of uv.

    Raises:
        InputError: If it is not on PATH.
    """
    uv = shutil.which("uv")
    if uv is None:
        raise InputError(
            "bcb-env builds with uv, which is not on PATH; install it, for example "
            "with `pip install uv`."
        )
    return uv


def find_python(wanted: str) -> str:
    """The path of the Python to build with.

    Args:
        wanted: A version as in 3.11, which uv looks for; or what `resolve_interpreter`
            takes.

    Raises:
        InputError: If there is none.
    """
    if not re.fullmatch(r"3\.\d+", wanted):
        return resolve_interpreter(wanted, "--python")
    command = [find_uv(), "python", "find", "--no-project", "--system", wanted]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode:
        raise InputError(
            f"There is no Python {wanted} here; get one with `uv python install "
            f"{wanted}`, or say where one is with --python=PATH."
        )
    return resolve_interpreter(found.stdout.strip(), "--python")


def build(folder: Path, python: str, libraries: Libraries, scratch: Path) -> str:
    """Make a virtual environment with libraries, or repair one.

    Args:
        folder: Where; it may hold an environment that an earlier run left.
        python: The interpreter to build it from.
        libraries: What to install in it.
        scratch: An empty folder. uv is started there, so that it reads no settings of
            the project in which the command was typed.

    Returns:
        The path of the environment's interpreter.

    Raises:
        InputError: If the folder holds something else, or uv is not there.
        ClickException: If uv fails; its own words stand on the terminal.
    """
    uv = find_uv()
    made = _is_made(folder, python)
    for name, text in libraries.files.items():
        (scratch / name).write_text(f"{text}\n", encoding="utf-8")
    inside = str(folder / "bin" / "python")
    if not made:
        make = [uv, "venv", "--no-project", "--allow-existing", "--python", python]
        _run([*make, str(folder)], scratch, "Making the environment")
    # Solutions see the environment read-only, where Python could not keep what it
    # compiles.
    install = [uv, "pip", "install", "--compile-bytecode", "--python", inside]
    install += ["-r", "requirements.txt"]
    if "constraints.txt" in libraries.files:
        install += ["-c", "constraints.txt"]
    _run(install, scratch, "Installing the libraries")
    return inside


def prepare_home(python: str) -> None:
    """Make the home directory that programs are to find in a sandbox.

    Matplotlib looks through all fonts where its list of them is missing, which takes
    longer than most tasks.

    Args:
        python: The interpreter.
    """
    folder = prepared_home(python)
    folder.mkdir(exist_ok=True)
    environment = {"HOME": str(folder), "PATH": os.defpath}
    command = [python, "-I", "-c", "import matplotlib.font_manager"]
    # Without the library, or where it fails, there is nothing to prepare.
    subprocess.run(command, env=environment, capture_output=True, check=False)


def open_to_all(folder: Path) -> int:
    """Let every user read an environment, since solutions run as another one.

    Returns:
        How many files and folders stayed closed, as they belong to somebody else.
    """
    closed = 0
    for root, _, files in os.walk(folder):
        for path in (root, *(os.path.join(root, name) for name in files)):
            if os.path.islink(path):
                continue
            mode = os.stat(path).st_mode & 0o7777
            opened = mode | (0o555 if path == root or mode & 0o100 else 0o444)
            try:
                if opened != mode:
                    os.chmod(path, opened)
            except PermissionError:
                closed += 1
    return closed


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _versions(text: str) -> dict[str, str | None]:
    found = map(_REQUIREMENT.match, text.splitlines())
    return {_normal(one[1]): one[2] for one in found if one}


def _is_made(folder: Path, python: str) -> bool:
    """Whether a folder is an environment of that Python already."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return False
    if not (folder / "pyvenv.cfg").is_file():
        raise InputError(
            f"{folder} holds something else; give a new folder, or one that this "
            "command made."
        )
    try:
        there = environment_of(str(folder / "bin" / "python")).python
    except InputError:  # made by half, or its Python has gone
        return False
    wanted = environment_of(python).python
    if there.split(".")[:2] != wanted.split(".")[:2]:
        raise InputError(
            f"{folder} has Python {there}, and {wanted} is wanted; give another "
            "folder, or remove this one first."
        )
    return True


def _run(command: Sequence[str], folder: Path, doing: str) -> None:
    if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode:
        raise ClickException(
            f"{doing} failed; the reason stands above. The same command goes on from "
            "here once that is mended."
        )
