"""Self-reflective debate for contextual reliability ("When to Trust Context")."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.errors import check_choice
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.reuse import reused_turns
from inspect_debate.debate.self_confidence import ConfidenceFrom
from inspect_debate.solvers.asking import Speak, at_once, one_by_one
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
    Arbitrated,
    CriticSees,
    FollowupsSee,
    TurnOrder,
    clash_parameters,
)
from inspect_debate.solvers.seats import Seat, judges


@solver
def srdcr(
    protocol: Literal["srdcr", "acvd_only"] = "srdcr",
    rounds: int | None = None,
    turn_order: TurnOrder | None = None,
    tau: float | None = None,
    confidence_from: ConfidenceFrom | None = None,
    consistency_samples: int | None = None,
    recall_samples: int | None = None,
    skip_if_agree: bool | None = None,
    show_openings: bool | None = None,
    judge_sees_context: bool | None = None,
    critic_sees_context: CriticSees | None = None,
    followups_see: FollowupsSee | None = None,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """A Defender who has read the passage debates a Critic who has not.

    A judge says after every round whether it is reasonable to rely on the passage; that
    on which the verdicts settle decides. If it is, the answer from the passage stands,
    and if not, that from memory where the model is confident of it; else it abstains.

    Args:
        protocol: `srdcr`; or `acvd_only`, which answers from memory without asking how
            sure it is.
        rounds: Rounds of the debate: 6, rounds 0 to 5.
        turn_order: `sequential`, the Critic first after round 0, or `simultaneous`.
        tau: The confidence from which the answer from memory is trusted: 0.9.
        confidence_from: Where the confidence is taken from: `auto`.
        consistency_samples: Further answers for self-consistency: 16.
        recall_samples: Further answers from memory for knowledge recall: 0.
        skip_if_agree: Whether answers that say the same are not debated: false.
        show_openings: Whether debaters are shown each other's answer: false.
        judge_sees_context: Whether the judge reads the passage: false.
        critic_sees_context: Whether the Critic does, an ablation: false; or
            `openings`, for its opening speech.
        followups_see: What debaters read after round 0: `all`, or `transcript`, the
            speeches alone.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again: `answers`.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `ClashConfig`.

    Returns:
        A solver for samples with a `passage` in their metadata; roles `debater_a` (the
        Defender), `debater_b` (the Critic) and `judge`, which may be a list; the
        Defender's model stands in for the others.

    Raises:
        InputError: If a parameter is not allowed.
    """
    given = {n: v for n, v in locals().items() if n in Arbitrated.model_fields}
    parameters = cast(Arbitrated, clash_parameters(protocol, given))
    until = reuse_until or "answers"
    check_choice("reuse_until", until, ("answers", "debate"))
    gate = Gate()

    async def hold(
        asker: ClashAsker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        bench = judges("debater_a")
        seats = two_seats()
        sides = await two_answers(asker, debate, earlier, seats, gate, "speech")
        replayed = earlier is not None and until == "debate"
        if earlier is not None and replayed:
            replay(debate, earlier)
        take_sides(asker, debate, sides, bench, skip=parameters.skip_if_agree)
        async with debate.beside() as start:
            start(*in_place_of_tokens(asker, debate, seats))
            if debate.undebated_because is not None:
                return
            for round in range(max(1, parameters.rounds)):
                if not replayed and parameters.rounds > 0:
                    await hold_round(asker, debate, sides, round, parameters)
                heard = tuple(debate.turns)
                # Nobody but the decision waits for a verdict.
                start(
                    *(
                        asker.arbitrate(
                            judge,
                            round,
                            sides,
                            heard,
                            passage=parameters.judge_sees_context,
                        )
                        for judge in bench
                    )
                )

    return clash_protocol(
        protocol,
        hold,
        parameters=parameters,
        seed=seed,
        prompts=prompts,
        config=config,
        reuse=reuse,
        reuse_until=until,
    )


async def hold_round(
    asker: ClashAsker,
    debate: Recorder,
    sides: Sequence[Seat],
    round: int,
    parameters: Arbitrated,
) -> None:
    """A round: both at once in round 0, later the Critic first."""
    defender, critic = sides

    def speech(seat: Seat, opponent: Seat) -> Speak:
        return lambda turns: asker.plea(
            seat,
            opponent,
            round,
            turns,
            parameters,
        )

    defends, criticises = speech(defender, critic), speech(critic, defender)
    if round == 0 or parameters.turn_order == "simultaneous":
        await at_once(debate, defends, criticises)
    else:
        await one_by_one(debate, criticises, defends)


def replay(debate: Recorder, earlier: DebateRecord) -> None:
    """Take over the speeches of an earlier run, with the settings of its debaters."""
    debate.turns += [t for t in reused_turns(earlier, "debate") if t.kind == "speech"]
    debate.participants = [
        p.model_copy(
            update={"settings": p.settings | earlier.participant(p.id).settings}
        )
        for p in debate.participants
    ]
