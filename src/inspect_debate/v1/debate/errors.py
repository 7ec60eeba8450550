"""Errors that speak to the person who typed the command."""

from collections.abc import Collection
from contextlib import suppress
from difflib import get_close_matches

from click import ClickException


class InputError(ClickException, ValueError):
    """Bad input from a person, in one sentence: what, what was given, what is allowed.

    A `ClickException`, so that `inspect eval` prints the sentence without a
    traceback; a `ValueError`, so that Python callers can catch it as one.
    """


def check_name(what: str, given: str, allowed: Collection[str]) -> None:
    """Check that something that a user named exists.

    Raises:
        InputError: Naming what was given and what is allowed.
    """
    if given not in allowed:
        raise InputError(
            f"{what} {given!r} is not known; allowed: {_listed(given, allowed)}"
        )


def check_choice(parameter: str, given: object, allowed: Collection[str]) -> None:
    """Check that a parameter is one of the allowed words.

    Raises:
        InputError: Naming the parameter, what was given and what is allowed.
    """
    if not any(given == word for word in allowed):
        raise InputError(
            f"{parameter}={given!r} is not known; allowed: {_listed(given, allowed)}"
        )


def check_whole_number(parameter: str, given: object, at_least: int) -> None:
    """Check that a parameter is a whole number not below a bound.

    Raises:
        InputError: Naming the parameter, what was given and what is allowed.
    """
    if isinstance(given, bool) or not isinstance(given, int) or given < at_least:
        raise InputError(
            f"{parameter}={given!r} is not allowed; "
            f"give a whole number of at least {at_least}."
        )


def check_flag(parameter: str, given: object) -> None:
    """Check that a parameter is true or false.

    Raises:
        InputError: Naming the parameter, what was given and what is allowed.
    """
    if not isinstance(given, bool):
        raise InputError(f"{parameter}={given!r} is not allowed; give true or false.")


def did_you_mean(given: object, allowed: Collection[str]) -> str:
    """A question for the nearest of some names; empty where none is near."""
    close = get_close_matches(str(given), allowed, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def without_markup(message: str) -> str:
    """A message of Inspect's in one line, without the markup that `rich` would show."""
    # As slow to import as all else that a command needs.
    from rich.errors import MarkupError
    from rich.text import Text

    with suppress(MarkupError):  # it has brackets of its own
        message = Text.from_markup(message).plain
    paragraphs = message.removeprefix("ERROR: ").strip().split("\n\n")
    return ": ".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _listed(given: object, allowed: Collection[str]) -> str:
    return f"{', '.join(allowed) or 'none'}.{did_you_mean(given, allowed)}"
