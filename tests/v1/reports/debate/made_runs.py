"""Short runs of the task, made once for all tests that read them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import EvalLog

from inspect_debate.evals.debate import debate
from inspect_debate.v1.debate.engine import parameter, protocol
from inspect_debate.v1.debate.participants import judges
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.scorers.debate_process import debate_process
from inspect_debate.v1.scorers.question_answering import question_answering
from inspect_debate.v1.solvers.question_answering import (
    STUDY,
    VERDICT,
    Plain,
    give_verdict,
)
from tests.v1.reports.made_logs import logged
from tests.v1.support.runs import run

A, B, C, D = (
    f"simulated/{name}" for name in ("balanced", "hesitant", "coin", "first_speaker")
)
PAIR = {"debater_a": A, "debater_b": B}
LIMIT = 8


def ran(folder: Path, protocol: str, roles: Mapping[str, Any], **given: Any) -> EvalLog:
    """A run on the first questions of the sample."""
    settings = {name: given.pop(name) for name in ("epochs",) if name in given}
    return run(
        debate(protocol, **given), folder, "none", roles, limit=LIMIT, **settings
    )


@cache
def logs() -> dict[str, EvalLog]:
    """A debate before three judges, again before a fourth, and what it is held to."""
    folder = Path(mkdtemp())
    held = ran(folder, "copmad", PAIR | {"judge": [A, B, C]}, rounds=1)
    reuse = str(logged(held))
    return {
        "panel": held,
        "again": ran(folder, "copmad", PAIR | {"judge": D}, rounds=1, reuse=reuse),
        "colmad": ran(folder, "colmad", PAIR | {"judge": A}, rounds=1, order="both"),
        "consultancy": ran(folder, "consultancy", PAIR | {"judge": A}, rounds=1),
        "blind": ran(folder, "judge_alone", {"judge": A}),
        "reader": ran(folder, "judge_alone", {"judge": A}, hidden="nothing"),
        "single": ran(folder, "single", {"debater_a": A}, candidates="all"),
    }


class Haste(Plain):
    haste: int = parameter(3, "How much haste there is.")


@protocol(STUDY, Haste, turns=(VERDICT,))
async def relay(debate: Debate[Haste, Question]) -> None:
    """A protocol that the suite does not know: two judges decide, one by one."""
    bench = judges("debater_a")
    for judge in bench:
        debate.takes_part(judge, VERDICT)
    for judge in bench:
        await debate.together(give_verdict(debate, judge, "ab", (), ()))


@task
def foreign_protocol() -> Task:
    """The task as it is with a protocol of another package."""
    known = debate("judge_alone")
    assert known.metadata is not None
    return Task(
        dataset=known.dataset,
        solver=relay(),
        scorer=[question_answering(), debate_process()],
        metadata=known.metadata
        | {"protocol": "elsewhere/relay", "parameters": {"haste": 3}},
    )
