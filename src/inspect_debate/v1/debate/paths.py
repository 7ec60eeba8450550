"""Where paths that a user typed are looked for, and what is read from there.

They lead to the machine's own files or, as in `s3://bucket/logs`, to any storage that
fsspec knows.
"""

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import yaml

from inspect_debate.v1.debate.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from upath import UPath

    AnyPath: TypeAlias = Path | UPath
    """A path on this machine, or one in storage."""
else:
    AnyPath = Path  # UPath takes as long to import as commands for their help

# While Inspect loads a task file the working directory is the file's folder. This
# module is first imported with the entry point, before that, and so sees the folder
# in which the command was typed.
STARTED_IN = Path.cwd()


def user_path(typed: str | AnyPath) -> AnyPath:
    """A path that a user typed, relative to where the command was typed.

    Raises:
        InputError: If it is no text, as `-T source=5` gives a number; if it is in
            storage that is not known or cannot be reached.
    """
    path = any_path(typed)
    return STARTED_IN / path.expanduser() if isinstance(path, Path) else path


def any_path(given: str | AnyPath) -> AnyPath:
    """A path as it was given, relative to the working directory.

    Raises:
        InputError: As in `user_path`.
    """
    if isinstance(given, Path):
        return given
    if isinstance(given, str) and not re.match(r"(?!file:)[\w+.-]+://", given):
        return Path(given.removeprefix("file://"))
    from upath import UPath

    if isinstance(given, UPath):
        return given
    if not isinstance(given, str):
        raise InputError(f"{given!r} is no path; give a text, such as ./{given}.")
    try:
        # Others write there, too: what a folder has must not be remembered.
        path = UPath(given, use_listings_cache=False)
        path.exists()
    except Exception as error:  # each kind of storage has errors of its own
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{given} cannot be reached: {reason}.") from error
    return path


def local_copy(path: AnyPath) -> Path:
    """A file or folder as it is now, on this machine; kept until the process ends."""
    if isinstance(path, Path):
        return path
    copy = Path(tempfile.mkdtemp(dir=_copies().name), path.name)
    path.fs.get(path.path, str(copy), recursive=True)
    return copy


@cache
def _copies() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="inspect_debate_")


def reason_of(error: OSError) -> str:
    """Why a file cannot be read; storage has no `strerror`."""
    if isinstance(error, FileNotFoundError):
        return error.strerror or "No such file"
    return error.strerror or " ".join(str(error).split())


def file_name(typed: str | list[str] | None) -> str | None:
    """The name alone of a file that a user typed; folders are nobody else's."""
    names = [typed] if isinstance(typed, str) else typed
    return None if names is None else ",".join(Path(name).name for name in names)


def read_user_yaml(parameter: str, typed: str) -> object:
    """The content of a YAML (or JSON) file that a user named.

    Args:
        parameter: The parameter that names it, for errors.
        typed: The path as typed.

    Raises:
        InputError: If it cannot be read, or is no YAML.
    """
    path = user_path(typed)
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{parameter}={typed}: cannot read {path}: {reason_of(error)}."
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{parameter}={typed} is not a YAML text file: {reason}"
        ) from error


def existing_log(parameter: str, typed: str) -> "EvalLog":
    """The header of a log that a user named.

    Args:
        parameter: The parameter that names it, for errors.
        typed: The path as typed.

    Raises:
        InputError: If there is none, or it is no Inspect log.
    """
    # As slow to import as all else that a command needs for its help.
    from inspect_ai.log import read_eval_log

    path = user_path(typed)
    if not path.is_file():
        raise InputError(f"{parameter}={typed}: there is no log at {path}.")
    try:
        return read_eval_log(str(path), header_only=True)
    except (ValueError, KeyError, OSError) as error:
        raise InputError(
            f"{parameter}={typed} is not an Inspect log: {error}"
        ) from error
