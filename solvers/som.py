"""Society of Minds: models read each other's answers and answer again."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.errors import check_whole_number
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.sides import tossed
from inspect_debate.solvers.questions import Asker, first_answers, protocol
from inspect_debate.solvers.seats import debaters, warn_of_shared_models


@solver
def som(
    rounds: int = 1,
    reuse: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """Two models answer and update their answers in rounds (Du et al. 2024).

    There are no sides and no judge. In a round both update at once, each in its own
    conversation, knowing the other's answer of the round before. Where their last
    answers differ a coin decides, as in the ensemble: scores take its expectation.

    Args:
        rounds: Rounds of updates after the first answers. Du et al. count the first
            answers as a round: their 2 rounds are 1 here.
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
    check_whole_number("rounds", rounds, at_least=1)

    async def hold(
        asker: Asker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        seats = debaters()
        warn_of_shared_models(debate, seats)
        debate.participants = [
            asker.participant(seat, "answer", "update") for seat in seats
        ]
        debate.aggregation = "coin"
        answers = await first_answers(asker, debate, earlier, seats)
        for round in range(1, rounds + 1):
            before = tuple(debate.turns)
            updates = await debate.together(
                *(asker.update(seat, round, before) for seat in seats)
            )
            answers = [turn.field("answer") for turn in updates]
        debate.drawn = tossed(answers, asker.question, asker.seed)

    return protocol(
        "som",
        hold,
        parameters={"rounds": rounds},
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
        reuse=reuse,
    )
