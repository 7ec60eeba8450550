"""Checks that task parameters share."""

from collections.abc import Collection, Mapping
from typing import Any

from inspect_debate.core.errors import InputError


def check_unused(
    protocol: str,
    used: Collection[str],
    defaults: Mapping[str, Any],
    given: Mapping[str, Any],
) -> None:
    """Check that no parameter is set that the protocol does not have.

    Raises:
        InputError: Naming the parameter, what was given and what the protocol takes.
    """
    for name, default in defaults.items():
        if name not in used and given[name] != default:
            takes = ", ".join(used) or "none of them"
            raise InputError(
                f"{name}={given[name]!r} has no meaning for protocol={protocol}; "
                f"of the debate's parameters it takes: {takes}."
            )
