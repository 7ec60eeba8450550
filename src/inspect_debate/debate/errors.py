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


class UnknownParameter(InputError):
    """A misspelt parameter; a function that handed it on adds its own names."""

    def __init__(self, given: str, allowed: Collection[str]) -> None:
        """Say what is allowed."""
        super().__init__(_unknown("parameter", given, allowed))
        self.given, self.allowed = given, allowed


# While Inspect loads a task file, the working directory is the folder of that file.
STARTED_IN = Path.cwd()


def typed_path(typed: str) -> Path:
    """A path that a user typed, from here or where the command was started."""
    path = Path(typed).expanduser()
    return path if path.exists() else STARTED_IN / path


def check_known(what: str, given: str, allowed: Collection[str]) -> None:
    """Raise InputError unless `given` is one of the names allowed."""
    if given not in allowed:
        raise InputError(_unknown(what, given, allowed))


def _unknown(what: str, given: str, allowed: Collection[str]) -> str:
    close = get_close_matches(given, allowed, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return (
        f"{what} {given!r} is not known; allowed: {', '.join(sorted(allowed))}.{hint}"
    )


def validated(function: Callable[P, R]) -> Callable[P, R]:
    """Check a function's arguments by their annotations; the first fault ends the run.

    Put it between `@solver` (or `@task`) and the function. Functions with `**rest`
    hand those on to others that are checked.
    """
    checked: Callable[P, R] = validate_call(function)
    parameters = signature(function).parameters
    named = {n for n, p in parameters.items() if p.kind is not p.VAR_KEYWORD}
    open_ended = len(named) < len(parameters)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in kwargs.items():
            if not open_ended and name not in named:
                raise UnknownParameter(name, named)
            annotation = parameters[name].annotation if name in parameters else None
            # pydantic takes true for 1
            if isinstance(value, bool) and _is_number(annotation):
                raise InputError(
                    f"{name}={value} is not allowed: it should be a number."
                )
        try:
            return checked(*args, **kwargs)
        except UnknownParameter as error:
            raise UnknownParameter(error.given, {*error.allowed, *named}) from None
        except ValidationError as error:
            raise InputError(_sentence(error.errors()[0])) from None

    return call


def _is_number(annotation: Any) -> bool:
    return annotation in (int, float) or any(map(_is_number, get_args(annotation)))


def _sentence(fault: Any) -> str:
    name = ".".join(map(str, fault["loc"])) or "value"
    message = str(fault["msg"]).removeprefix("Input ").partition(", unable to")[0]
    return f"{name}={fault['input']!r} is not allowed: it {message}."
