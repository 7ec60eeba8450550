"""The ensemble of two models: no debate, and a coin where they differ."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.sides import tossed
from inspect_debate.solvers.questions import Asker, first_answers, protocol
from inspect_debate.solvers.seats import debaters, warn_of_shared_models


@solver
def ensemble(
    reuse: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """Two models answer; an answer on which they differ is left to a coin.

    The coin is recorded and so can be drawn again, but scores take its expectation.

    Args:
        reuse: A log whose first answers are used again.
        seed: Seed of the run.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.
        rest: The `config.key=value` parameters, each of which sets one of these.

    Returns:
        A solver; roles `debater_a` and `debater_b`.

    Raises:
        InputError: If a parameter is not allowed.
    """

    async def hold(
        asker: Asker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        seats = debaters()
        warn_of_shared_models(debate, seats)
        debate.participants = [asker.participant(seat, "answer") for seat in seats]
        debate.aggregation = "coin"
        answers = await first_answers(asker, debate, earlier, seats)
        debate.drawn = tossed(answers, asker.question, asker.seed)

    return protocol(
        "ensemble",
        hold,
        parameters={},
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
        reuse=reuse,
    )
