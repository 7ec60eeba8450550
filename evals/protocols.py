"""The protocols of error detection, with the parameters that each has.

ColMAD and CopMAD differ in `skip_if_agree` as published: ColMAD returns an answer on
which both models agree; CopMAD's published counts are only possible without that. There
first answers are not shown, as the judge would read that both agreed.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from inspect_ai.solver import Solver

from inspect_debate.debate.errors import InputError
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.copmad import copmad
from inspect_debate.solvers.ensemble import ensemble
from inspect_debate.solvers.judge_alone import judge_alone
from inspect_debate.solvers.self_consistency import number_of_draws, self_consistency
from inspect_debate.solvers.single import single
from inspect_debate.solvers.som import som


class Protocol(NamedTuple):
    """A protocol's solver, and the defaults of the parameters that it takes.

    `told` makes of them what stands in the log.
    """

    solver: Callable[..., Solver]
    defaults: Mapping[str, Any]
    told: Callable[..., dict[str, Any]] = dict

    def but(self, defaults: Mapping[str, Any]) -> "Protocol":
        """The same protocol with some other defaults."""
        return self._replace(defaults={**self.defaults, **defaults})


_DEBATE: dict[str, Any] = {
    "rounds": 2,
    "sides": "free",
    "skip_if_agree": True,
    "turn_order": "simultaneous",
    "order": "ab",
    "show_openings": True,
    "judge_sees_problem": True,
    "reuse": None,
    "reuse_until": "debate",
}

PROTOCOLS: dict[str, Protocol] = {
    "colmad": Protocol(colmad, _DEBATE),
    "copmad": Protocol(
        copmad, _DEBATE | {"skip_if_agree": False, "show_openings": False}
    ),
    "som": Protocol(som, {"rounds": 1, "reuse": None}),
    "ensemble": Protocol(ensemble, {"reuse": None}),
    "self_consistency": Protocol(
        self_consistency,
        {"n": None, "match": None, "match_on": None},
        number_of_draws,
    ),
    "single": Protocol(single, {}),
    "judge_alone": Protocol(judge_alone, {"order": "ab"}),
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
