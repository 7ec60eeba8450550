"""Where paths that a user typed are looked for, and what is read from there."""

from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from inspect_debate.debate.errors import InputError

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

# While Inspect loads a task file the working directory is the file's folder. This
# module is first imported with the entry point, before that, and so sees the folder
# in which the command was typed.
STARTED_IN = Path.cwd()


def user_path(typed: str | Path) -> Path:
    """A path that a user typed, relative to where the command was typed.

    Raises:
        InputError: If it is no text, as `-T motions=5` gives a number.
    """
    if not isinstance(typed, str | Path):
        raise InputError(f"{typed!r} is no path; give a text, such as ./{typed}.")
    return STARTED_IN / Path(typed).expanduser()


def file_name(typed: str | None) -> str | None:
    """The name alone of a file that a user typed; folders are nobody else's."""
    return None if typed is None else Path(typed).name


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
            f"{parameter}={typed}: cannot read {path}: {error.strerror}."
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
