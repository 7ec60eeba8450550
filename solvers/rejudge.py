"""Other judges, or another prompt for them, on the debates of a log."""

from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import registry_create

from inspect_debate.datasets.logged import logged
from inspect_debate.debate.ask import replaying
from inspect_debate.debate.errors import InputError, check_known, validated

OF_JUDGES = (
    *("order", "judge_sees_problem", "judge_sees_passage", "judge_sees_context"),
    *("jury_passes", "tau", "max_tokens", "reminders", "prompts"),
)
"""Parameters that change what judges read or are asked, or how they decide."""


@solver
@validated
def rejudge(debates: str, **parameters: Any) -> Solver:
    """Judge the debates of a log again, without a call for what was said in them.

    The protocol of the log runs as it ran there, and all turns but the judges' are
    those of the debate on the same sample in the same epoch. Role: `judge` (may be a
    panel).

    Args:
        debates: The log, of any protocol of the suite.
        parameters: Those of its protocol in `OF_JUDGES`.
    """
    read = logged(debates)
    name, given = protocol_of(read.log, debates)
    turns = (turn for debate in read.debates.values() for turn in debate.turns)
    if not any(turn.role == "judge" for turn in turns):
        raise InputError(f"debates={debates} was decided without a judge.")
    for parameter in parameters:
        check_known("parameter", parameter, OF_JUDGES)
    protocol: Solver = registry_create("solver", name, **given | parameters)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if (debate := read.debates.get((state.sample_id, state.epoch))) is None:
            epochs = {epoch for _, epoch in read.debates}
            raise InputError(
                f"debates={debates} has no debate on sample {state.sample_id!r} in "
                f"epoch {state.epoch}; it has {len(read.samples)} samples and "
                f"{len(epochs)} epochs."
            )
        with replaying(debate):
            return await protocol(state, generate)

    return solve


def protocol_of(log: EvalLog, path: str) -> tuple[str, dict[str, Any]]:
    """The solver of a log of ours, and what it was given."""
    step = log.plan.steps[-1] if log.plan.steps else None
    if step is None or not step.solver.startswith("inspect_debate/"):
        raise InputError(
            f"debates={path} was not run with a protocol of inspect_debate; give a log "
            "of one."
        )
    given = {name: v for name, v in step.params_passed.items() if v is not None}
    if step.solver == "inspect_debate/rejudge":
        given.pop("debates")
        earlier = logged(step.params_passed["debates"])
        name, before = protocol_of(earlier.log, path)
        return name, before | given
    if step.params.get("protocol") != "direct_qa" and "answers" in step.params:
        given["answers"] = path  # with their grades
    return step.solver, given
