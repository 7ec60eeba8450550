"""The protocols of debates about questions: the suite's, and any other package's."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from inspect_ai.solver import Solver
from inspect_ai.util import registry_create

from inspect_debate.core.errors import InputError, check_name
from inspect_debate.evals.protocols import PROTOCOLS, Protocol
from inspect_debate.solvers.consultancy import consultancy

PARAMETERS = (
    *("sides", "rounds", "skip_if_agree", "turn_order", "order", "show_openings"),
    *("judge_sees_problem", "n", "match", "match_on", "reuse", "reuse_until"),
)
"""The task's parameters that are a protocol's own."""

_ASSIGNED = {"sides": "assigned"}

QUESTION_PROTOCOLS: dict[str, Protocol] = {
    **PROTOCOLS,
    "colmad": PROTOCOLS["colmad"].but(_ASSIGNED),
    "copmad": PROTOCOLS["copmad"].but(_ASSIGNED),
    "consultancy": Protocol(
        consultancy,
        {
            "rounds": 2,
            "sides": "assigned",
            "order": "ab",
            "judge_sees_problem": True,
            "reuse": None,
            "reuse_until": "debate",
        },
    ),
}


def question_protocol(
    name: str, given: Mapping[str, Any], own: Mapping[str, Any]
) -> Protocol:
    """A protocol by its name.

    Args:
        name: One of the suite's, or `package/name` of a registered solver, which has to
            take `seed`, `prompts` and `config`, and what is given for it.
        given: What the user gave of the task's parameters for protocols; None where
            nothing was.
        own: What the user gave for parameters of that solver's own.

    Raises:
        InputError: If there is no such protocol, or if one of the suite's is given
            parameters of its own.
    """
    if "/" not in name:
        check_name("protocol", name, (*QUESTION_PROTOCOLS, "PACKAGE/NAME"))
        if own:
            raise InputError(
                f"protocol.{next(iter(own))} is for protocols of other packages; the "
                f"parameters of {name} are given by their names."
            )
        return QUESTION_PROTOCOLS[name]
    chosen = {name: value for name, value in given.items() if value is not None}
    if twice := chosen.keys() & own.keys():
        both = min(twice)
        raise InputError(f"{both} and protocol.{both}: give one of the two.")
    if "reuse" in chosen:
        chosen.setdefault("reuse_until", "debate")
    return Protocol(partial(_registered, name), {**chosen, **own})


def _registered(name: str, **parameters: Any) -> Solver:
    """Another package's solver."""
    try:
        return registry_create("solver", name, **parameters)
    except LookupError as error:
        raise InputError(
            f"protocol={name} is no registered solver; is its package installed, and "
            "does it name an entry point of the group inspect_ai?"
        ) from error
    except TypeError as error:
        raise InputError(f"protocol={name} could not be made: {error}.") from error
