"""What a person typed at the terminal: checks, paths, and one-sentence errors."""

from collections.abc import Callable, Collection
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, get_args

from click import ClickException
from pydantic import Field, ValidationError, validate_call

P = ParamSpec("P")
R = TypeVar("R")
Positive = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class InputError(ClickException, ValueError):
    """Bad input. Click prints the sentence alone; Python callers catch a ValueError."""


# While Inspect loads a task file, the working directory is the folder of that file.
STARTED_IN = Path.cwd()


def typed_path(typed: str) -> Path:
    """A path that a user typed, from here or where the command was started."""
    path = Path(typed).expanduser()
    return path if path.exists() else STARTED_IN / path


def check_known(what: str, given: str, allowed: Collection[str]) -> None:
    """Raise InputError unless `given` is one of the names allowed."""
    if given not in allowed:
        close = get_close_matches(given, allowed, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(sorted(allowed))
        raise InputError(f"{what} {given!r} is not known; allowed: {listed}.{hint}")


def validated(function: Callable[P, R]) -> Callable[P, R]:
    """Check a function's arguments by their annotations; the first fault ends the run.

    Put it between `@solver` (or `@task`) and the function. Functions with `**rest`
    check those names themselves.
    """
    checked: Callable[P, R] = validate_call(function)
    parameters = signature(function).parameters
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in kwargs.items():
            if not open_ended:
                check_known("parameter", name, parameters)
            annotation = parameters[name].annotation if name in parameters else None
            # pydantic takes true for 1
            if isinstance(value, bool) and _is_number(annotation):
                raise InputError(
                    f"{name}={value} is not allowed: it should be a number."
                )
        try:
            return checked(*args, **kwargs)
        except ValidationError as error:
            raise InputError(_sentence(error.errors()[0])) from None

    return call


def _is_number(annotation: Any) -> bool:
    return annotation in (int, float) or any(map(_is_number, get_args(annotation)))


def _sentence(fault: Any) -> str:
    name = ".".join(map(str, fault["loc"])) or "value"
    message = str(fault["msg"]).removeprefix("Input ")
    return f"{name}={fault['input']!r} is not allowed: it {message}."
