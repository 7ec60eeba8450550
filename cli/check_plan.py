"""What `inspect-debate check` runs: an item of every protocol, made short."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from inspect_ai import Task, task_with

from inspect_debate.core.errors import InputError
from inspect_debate.core.record import Kind
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.debate import debate
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr

_TASKS: Mapping[str, Callable[..., Task]] = {
    "colmad": colmad,
    "confidence": confidence,
    "srdcr": srdcr,
    "generative": generative,
    "debate": debate,
}
STUDIES = tuple(_TASKS)
"""The studies of the suite, by the names of their tasks."""


@dataclass(frozen=True)
class Check:
    """A protocol as it is checked.

    Attributes:
        study: The name of the task.
        protocol: The task's parameter of that name.
        stages: The kinds of turns that have to happen.
        parameters: Further ones; with these the protocol is shorter, or shows more.
        variant: What tells it from another check of the same protocol.
        runs_code: Whether answers are programs, which need a sandbox.
    """

    study: str
    protocol: str
    stages: tuple[Kind, ...]
    parameters: Mapping[str, Any]
    variant: str = ""
    runs_code: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return " ".join(filter(None, [self.study, self.protocol, self.variant]))


def _of(study: str, protocol: str, stages: str, **parameters: Any) -> Check:
    kinds: Any = tuple(stages.split())
    return Check(study, protocol, kinds, parameters)


def _code(protocol: str, stages: str, **parameters: Any) -> Check:
    kinds: Any = tuple(stages.split())
    given = {"dataset": "bcb_plus", **parameters}
    return Check("generative", protocol, kinds, given, "on code", runs_code=True)


CHECKS: tuple[Check, ...] = (
    _of(
        *("colmad", "colmad", "answer speech verdict"),
        skip_if_agree=False,
        grade=["debate_hacking", "explanation_alignment"],
    ),
    _of("colmad", "copmad", "answer speech verdict", skip_if_agree=False),
    _of("colmad", "som", "answer update"),
    _of("colmad", "ensemble", "answer"),
    _of("colmad", "self_consistency", "answer", n=2),
    _of("colmad", "single", "answer"),
    _of("colmad", "judge_alone", "verdict"),
    _of("confidence", "cross_model", "speech verdict", jury_passes=1, alignment=True),
    # In self-debates a second debater that is bound would have no part.
    _of("confidence", "public", "speech", opponent="other", rounds=2),
    _of("confidence", "redteam", "speech", opponent="other", rounds=1),
    _of("confidence", "redteam_v2", "speech", opponent="other", rounds=1),
    _of("confidence", "four_round", "speech", opponent="other", rounds=2),
    Check(
        *("confidence", "self", ("speech", "bet")),
        {
            "opponent": "other",
            "rounds": 1,
            "bet_call": "separate",
            "bet_as": "apart",
        },
        "bets apart",
    ),
    _of(
        *("srdcr", "srdcr", "answer sample recall speech verdict"),
        rounds=2,
        confidence_from="both",
        consistency_samples=1,
        recall_samples=1,
    ),
    _of("srdcr", "self_ask", "answer"),
    _of("srdcr", "rci", "answer critique update"),
    _of("srdcr", "judge_debate", "answer speech verdict", rounds=1),
    _of("srdcr", "naive_debate", "answer", agents=2, rounds=2),
    _of(
        *("generative", "dual_debate", "answer candidate reward speech verdict"),
        speech_rounds=1,
        best_of=2,
        judge_answer=True,
    ),
    _of("generative", "single_debate", "answer speech verdict", speech_rounds=1),
    _of("generative", "dual_consultancy", "answer speech verdict", speech_rounds=1),
    _of("generative", "single_consultancy", "answer speech verdict", speech_rounds=1),
    _of("generative", "dual_no_transcript", "answer verdict"),
    _of("generative", "single_no_transcript", "answer verdict"),
    _of("generative", "direct_qa", "answer"),
    _of("debate", "copmad", "speech verdict"),
    _of("debate", "consultancy", "speech verdict"),
    _of("debate", "judge_alone", "verdict"),
    _of("debate", "som", "answer update"),
    Check(
        *("debate", "colmad", ("answer", "speech", "verdict")),
        {"sides": "free", "skip_if_agree": False},
        "with free sides",
    ),
    Check(
        *("debate", "copmad", ("answer", "speech", "verdict")),
        {"answers": "free", "skip_if_agree": False},
        "in words",
    ),
    _code("dual_debate", "answer speech verdict", speech_rounds=1),
    _code("single_debate", "answer speech verdict", speech_rounds=1),
)
"""All checks, each of which asks for something that no other one does."""

COVERED: Mapping[str, Mapping[str, str]] = {
    "debate": dict.fromkeys(("single", "ensemble", "self_consistency"), "som"),
    "confidence": dict.fromkeys(("informed_self", "deceptive"), "self"),
    "srdcr": {
        "acvd_only": "srdcr",
        **dict.fromkeys(("confidence_only", "few_shot", "golden"), "srdcr"),
        **dict.fromkeys(("token_prob", "calibrated_token_prob"), "srdcr"),
    },
}
"""By study, protocols that are asked for in the forms of another one."""


def chosen(studies: Sequence[str]) -> list[Check]:
    """The checks of some studies, or of all where none is named."""
    return [check for check in CHECKS if not studies or check.study in studies]


class Planned(NamedTuple):
    """Tasks to run, on items that are shipped, and why checks have none.

    `left_out` has the reason by the name of a check.
    """

    tasks: Sequence[Task]
    left_out: Mapping[str, str]


def planned(checks: Sequence[Check], items: int, seed: int) -> Planned:
    """Make the tasks of checks.

    Args:
        checks: The checks.
        items: Of how many items each is to have at least.
        seed: Seed of each task.

    Raises:
        InputError: If a task cannot be made, for another reason than that programs
            cannot be run here.
    """
    tasks, left_out = [], {}
    for check in checks:
        try:
            tasks.append(_task(check, items, seed))
        except InputError as error:
            if not check.runs_code:
                raise
            left_out[check.name] = error.message
    return Planned(tasks, left_out)


def _task(check: Check, items: int, seed: int) -> Task:
    given: dict[str, Any] = {"protocol": check.protocol, "seed": seed}
    # The motions of debates with bets, and the questions of `debate`, are by default.
    if check.study in ("colmad", "srdcr", "generative"):
        given["source"] = "sample"
    if check.study == "srdcr":
        given["questions"] = items
    made = _TASKS[check.study](**given, **check.parameters)
    facts = {"check": check.name, "check_stages": list(check.stages)}
    return task_with(made, metadata=(made.metadata or {}) | facts)
