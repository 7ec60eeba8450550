"""Recursive criticism and improvement (RCI; Kim et al. 2023), once."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.solvers.clash import ClashAsker, clash_protocol
from inspect_debate.solvers.clash_settings import Alone
from inspect_debate.solvers.seats import answerer


@solver
def rci(
    seed: int = 0, prompts: str | None = None, config: Mapping[str, Any] | None = None
) -> Solver:
    """An answer from the passage, a critique of it in bullet points, and a revision.

    Args:
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.

    Returns:
        A solver for samples with a `passage` in their metadata; role `debater_a`.

    Raises:
        InputError: If a setting is not allowed.
    """

    async def hold(asker: ClashAsker, debate: Recorder, _: DebateRecord | None) -> None:
        seat = answerer()
        debate.participants = [asker.participant(seat, "answer", "critique", "update")]
        [answered] = await debate.together(asker.unaided(seat))
        [critique] = await debate.together(asker.critique(seat, answered))
        await debate.together(asker.revision(seat, answered, critique))

    return clash_protocol(
        "rci", hold, parameters=Alone(), seed=seed, prompts=prompts, config=config
    )
