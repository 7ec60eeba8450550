"""The single-model detector: one answer, the baseline of every debate."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.solvers.questions import Asker, protocol
from inspect_debate.solvers.seats import answerer


@solver
def single(
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """One model answers for itself (ReaLMistake's detector; ColMAD's "single agent").

    Args:
        seed: Seed of the run.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.
        rest: The `config.key=value` parameters, each of which sets one of these.

    Returns:
        A solver; role `debater_a` answers, or the main model where it is unbound.

    Raises:
        InputError: If a parameter is not allowed.
    """

    async def hold(asker: Asker, debate: Recorder, _: DebateRecord | None) -> None:
        seat = answerer()
        debate.participants = [asker.participant(seat, "answer")]
        await debate.together(asker.answer(seat))

    return protocol(
        "single",
        hold,
        parameters={},
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
    )
