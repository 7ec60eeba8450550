"""The protocols of error detection, with the parameters that each has.

ColMAD and CopMAD differ in `skip_if_agree` as published: ColMAD returns an answer on
which both models agree; CopMAD's published counts are only possible without that. There
first answers are not shown, as the judge would read that both agreed.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from inspect_ai.solver import Solver

from inspect_debate.debate.errors import InputError
from inspect_debate.solvers import (
    colmad,
    copmad,
    ensemble,
    judge_alone,
    self_consistency,
    single,
    som,
)
from inspect_debate.solvers.questions import STUDY


class Protocol(NamedTuple):
    """A protocol's solver, and the defaults of the parameters that it takes."""

    solver: Callable[..., Solver]
    defaults: Mapping[str, Any]

    def but(self, defaults: Mapping[str, Any]) -> "Protocol":
        """The same protocol with some other defaults."""
        return self._replace(defaults={**self.defaults, **defaults})


def _declared(name: str) -> Protocol:
    own = STUDY.protocols[name]
    signature = inspect.signature(own.make)
    defaults = {n: i.default for n, i in own.parameters.model_fields.items()}
    reuse = {
        n: signature.parameters[n].default
        for n in ("reuse", "reuse_until")
        if n in signature.parameters
    }
    return Protocol(own.make, defaults | reuse)


_MODULES = (colmad, copmad, som, ensemble, self_consistency, single, judge_alone)
"""Imported so that the study has these protocols."""

PROTOCOLS: dict[str, Protocol] = {
    name: _declared(name)
    for name in (
        *("colmad", "copmad", "som", "ensemble", "self_consistency", "single"),
        "judge_alone",
    )
}


def effective(
    protocol: str, kind: Protocol, given: Mapping[str, Any]
) -> dict[str, Any]:
    """A protocol's parameters: what was given, else its defaults.

    Args:
        protocol: Its name.
        kind: The protocol.
        given: What the user gave; None where nothing was.

    Raises:
        InputError: If a parameter was given that the protocol does not have.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        if name not in kind.defaults:
            takes = ", ".join(kind.defaults) or "none of them"
            raise InputError(
                f"{name}={value!r} has no meaning for protocol={protocol}; "
                f"of the protocols' parameters it takes: {takes}."
            )
    return {**kind.defaults, **chosen}
