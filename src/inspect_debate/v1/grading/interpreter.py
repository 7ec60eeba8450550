"""The Python that runs solutions: which one it is, and what is installed in it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import local_path

_SECONDS = 60
# Where several copies of a library are found, the first is the one that is imported.
_PROBE = """
import glob, json, os, platform, re, sys, sysconfig
from importlib import metadata
packages = {}
for found in metadata.distributions():
    name = re.sub("[-_.]+", "-", found.metadata["Name"] or "").lower()
    packages.setdefault(name, found.version)
data = os.path.join(sys.prefix, "nltk_data", "*", "*")
names = {path.split(os.sep)[-2] + "/" + os.path.basename(path).split(".")[0]
         for path in glob.glob(data)}
print(json.dumps({
    "python": platform.python_version(),
    "platform": sysconfig.get_platform(),
    "packages": dict(sorted(packages.items())),
    "nltk_data": sorted(names),
}))
"""


class Environment(NamedTuple):
    """What decides about a program's result, apart from the program.

    Attributes:
        python: The version of Python, such as 3.11.7.
        platform: The system it was built for, such as linux-x86_64.
        packages: The versions of the installed libraries by their names, in lower case
            with hyphens.
        nltk_data: The data of NLTK in the environment's own folder, such as
            corpora/stopwords.
    """

    python: str
    platform: str
    packages: dict[str, str]
    nltk_data: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """The checksum of the lines `name==version` in the order of the names."""
        lines = (f"{name}=={self.packages[name]}" for name in sorted(self.packages))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def prepared_home(interpreter: str) -> Path:
    """The place of a home directory for programs, next to an interpreter's own.

    Args:
        interpreter: The path of an interpreter, in the `bin` of its folder.
    """
    return Path(interpreter).parent.parent / "sandbox_home"


def resolve_interpreter(given: str | None, parameter: str = "interpreter") -> str:
    """The path of the Python that a user named.

    Args:
        given: The folder of a virtual environment, an executable, or the name of one
            on PATH; None for the Python that runs this, outside of its virtual
            environment: the standard library and no more.
        parameter: What names it, for errors.

    Returns:
        The absolute path of the interpreter itself, never that of a script that
        starts one.

    Raises:
        InputError: If it is not there, or is no Python that runs.
    """
    if given is None:
        # Equals sys.executable outside of virtual environments.
        return str(getattr(sys, "_base_executable", sys.executable))
    program = _program(given, parameter)
    return _ask(program, "import sys; print(sys.executable)").strip()


def environment_of(interpreter: str) -> Environment:
    """What an interpreter has; it is started once, isolated from the user's settings.

    Args:
        interpreter: The path of the interpreter.

    Raises:
        InputError: If it is no Python that runs.
    """
    answer: dict[str, Any] = json.loads(_ask(interpreter, _PROBE))
    return Environment(**answer | {"nltk_data": tuple(answer["nltk_data"])})


def _program(given: str, parameter: str) -> str:
    path = local_path(given)
    in_folder = path / "bin" / "python"
    if in_folder.is_file():
        return os.path.abspath(in_folder)
    if path.is_file():
        return os.path.abspath(path)
    on_path = None if Path(given).name != given else shutil.which(given)
    if on_path is None:
        raise InputError(
            f"{parameter}={given} is not there; give the folder of a virtual "
            "environment, the path of a Python, or its name on PATH."
        )
    return on_path


def _ask(program: str, code: str) -> str:
    """What a Python prints, or why it is none."""
    try:
        done = subprocess.run(
            [program, "-I", "-c", code],
            capture_output=True,
            check=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["it said nothing"])[-1]
        reason = f"it ended with {error.returncode}: {last}"
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    else:
        return done.stdout
    raise InputError(f"{program} is no Python that runs: {reason.rstrip('.')}.")
