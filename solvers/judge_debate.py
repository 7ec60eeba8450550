"""A debate in which all read the passage, and a judge (Liang et al. 2024)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.seeds import mirrored
from inspect_debate.debate.self_confidence import ConfidenceFrom
from inspect_debate.debate.sides import orders
from inspect_debate.solvers.asking import at_once, one_by_one
from inspect_debate.solvers.clash import (
    ClashAsker,
    Gate,
    clash_protocol,
    in_place_of_tokens,
    take_sides,
    two_answers,
    two_seats,
)
from inspect_debate.solvers.clash_settings import (
    Picked,
    ShownOrder,
    TurnOrder,
    clash_parameters,
)
from inspect_debate.solvers.seats import NAMES, Seat, judges


@solver
def judge_debate(
    rounds: int | None = None,
    judge_after: Sequence[int] | None = None,
    turn_order: TurnOrder | None = None,
    order: ShownOrder | None = None,
    tau: float | None = None,
    confidence_from: ConfidenceFrom | None = None,
    consistency_samples: int | None = None,
    recall_samples: int | None = None,
    skip_if_agree: bool | None = None,
    reuse: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """Two debaters defend the two answers; a judge names the right one, several times.

    One defends the answer from the passage, the other that from memory. Both read the
    passage, and so does the judge, who decides after some of the rounds; nobody waits
    for these verdicts.

    Args:
        rounds: Rounds of the debate: 5.
        judge_after: Rounds after which there is a verdict: 1, 3 and 5; the last round
            is among them.
        turn_order: `sequential`, or `simultaneous`.
        order: Which answer the judge is listed first: `ab` that from the passage, `ba`
            that from memory, or `both` in turn.
        tau: The confidence from which the answer from memory is trusted: 0.9.
        confidence_from: Where the confidence is taken from: `auto`.
        consistency_samples: Further answers for self-consistency: 16.
        recall_samples: Further answers from memory for knowledge recall: 0.
        skip_if_agree: Whether answers that say the same are not debated: false.
        reuse: A log whose answers are used again.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.

    Returns:
        A solver for samples with a `passage` in their metadata; roles as in `srdcr`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    given = {n: v for n, v in locals().items() if n in Picked.model_fields}
    parameters = cast(Picked, clash_parameters("judge_debate", given))
    gate = Gate()

    async def hold(
        asker: ClashAsker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        bench = judges("debater_a")
        seats = [replace(s, called=n) for s, n in zip(two_seats(), NAMES, strict=True)]
        sides = await two_answers(asker, debate, earlier, seats, gate, "speech")
        take_sides(asker, debate, sides, bench, skip=parameters.skip_if_agree)
        async with debate.beside() as start:
            start(*in_place_of_tokens(asker, debate, seats))
            if debate.undebated_because is not None:
                return
            for round in range(parameters.rounds + 1):
                if round > 0:
                    await hold_round(asker, debate, sides, round, parameters.turn_order)
                if round not in parameters.judged:
                    continue
                heard = tuple(debate.turns)
                start(
                    *(
                        asker.pick(judge, round, shown, sides, heard)
                        for judge in bench
                        for shown in orders(parameters.order, asker.question.epoch)
                    )
                )

    return clash_protocol(
        "judge_debate",
        hold,
        parameters=parameters,
        seed=seed,
        prompts=prompts,
        config=config,
        reuse=reuse,
    )


async def hold_round(
    asker: ClashAsker,
    debate: Recorder,
    sides: Sequence[Seat],
    round: int,
    turn_order: TurnOrder,
) -> None:
    """A round: one after the other, or both at once."""
    first, second = sides[::-1] if mirrored(asker.question.epoch) else sides
    in_order = at_once if turn_order == "simultaneous" else one_by_one
    await in_order(
        debate,
        lambda turns: asker.argument(first, second, round, turns),
        lambda turns: asker.argument(second, first, round, turns),
    )
