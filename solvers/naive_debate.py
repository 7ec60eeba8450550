"""A debate among agents of one model, without sides or judge (Du et al. 2024)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.arbitration import all_agree
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.solvers.clash import ClashAsker, clash_protocol
from inspect_debate.solvers.clash_settings import Agents, clash_parameters
from inspect_debate.solvers.seats import answerer


@solver
def naive_debate(
    agents: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """Agents answer from the passage, read each other's answers, and answer again.

    It ends when all say the same, or after the last round with the answer of most; a
    tie goes to the agent with the lowest number. As in the paper, all agents are asked
    at temperature 0, so that most of their first answers are the same; the score
    `first_answers_same` tells where they are.

    Args:
        agents: How many: 3.
        rounds: Rounds at most, the first answers among them: 5.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    parameters = cast(
        Agents, clash_parameters("naive_debate", {"agents": agents, "rounds": rounds})
    )

    async def hold(asker: ClashAsker, debate: Recorder, _: DebateRecord | None) -> None:
        numbers = range(1, parameters.agents + 1)
        agents = {n: replace(answerer(), id=f"debater_a_{n}") for n in numbers}
        seats = list(agents.values())
        debate.participants = [asker.participant(s, "answer", "update") for s in seats]
        last = await debate.together(
            *(asker.agent_answer(seat, n) for n, seat in agents.items())
        )
        for round in range(1, parameters.rounds):
            if all_agree(last):
                break
            before = tuple(debate.turns)
            last = await debate.together(
                *(
                    asker.agent_update(seat, n, round, before)
                    for n, seat in agents.items()
                )
            )

    return clash_protocol(
        "naive_debate",
        hold,
        parameters=parameters,
        seed=seed,
        prompts=prompts,
        config=config,
    )
