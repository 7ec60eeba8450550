"""Debates of two models that answered first, decided by a judge (ColMAD, Algorithm 1).

ColMAD and CopMAD share it: what they tell their debaters is their difference, and
whether they debate items on which both models agree.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inspect_ai.solver import Solver

from inspect_debate.debate.errors import (
    InputError,
    check_choice,
    check_flag,
    check_whole_number,
)
from inspect_debate.debate.record import DebateRecord, Parsed, Status
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.reuse import reused_turns
from inspect_debate.debate.seeds import mirrored
from inspect_debate.debate.sides import assigned_answers, defended_answers
from inspect_debate.solvers.asking import Speak, at_once, one_by_one
from inspect_debate.solvers.questions import (
    Asker,
    OrderSetting,
    first_answers,
    judged,
    protocol,
)
from inspect_debate.solvers.questions_wording import Manner
from inspect_debate.solvers.seats import (
    Seat,
    Speaker,
    debaters,
    judges,
    seated,
    warn_of_shared_models,
    with_sides,
)

TurnOrder = Literal["simultaneous", "sequential"]
Sides = Literal["free", "assigned"]


def judged_debate(
    name: str,
    manner: Manner,
    *,
    rounds: int,
    sides: Sides,
    skip_if_agree: bool,
    turn_order: TurnOrder,
    order: OrderSetting,
    show_openings: bool,
    judge_sees_problem: bool,
    reuse: str | None,
    reuse_until: Literal["answers", "debate"],
    seed: int,
    prompts: str | None,
    config: Mapping[str, Any] | None,
    rest: Mapping[str, Any],
) -> Solver:
    """A solver that holds a judged debate; `colmad` explains the parameters.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_whole_number("rounds", rounds, at_least=0)
    check_sides(sides, reuse, reuse_until)
    check_choice("turn_order", turn_order, ("simultaneous", "sequential"))
    check_choice("order", order, ("ab", "ba", "both"))
    check_choice("reuse_until", reuse_until, ("answers", "debate"))
    check_flag("skip_if_agree", skip_if_agree)
    check_flag("show_openings", show_openings)
    check_flag("judge_sees_problem", judge_sees_problem)
    if rounds == 0 and (not show_openings or sides == "assigned"):
        without = "show_openings=false" if sides == "free" else "sides=assigned"
        raise InputError(
            f"rounds=0 with {without} leaves the judge nothing to read; use "
            "protocol=judge_alone for a judge without a debate, or sides=free with "
            "show_openings=true for one who reads first answers."
        )

    async def hold(
        asker: Asker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        bench = judges("debater_a")  # as in the paper, where none is bound
        speakers: Sequence[Speaker]
        if earlier is not None and reuse_until == "debate":
            speakers = replay(debate, earlier)
        else:
            speakers = await hold_debate(
                asker, debate, earlier, bench, sides, skip_if_agree, turn_order
            )
        await judged(asker, debate, bench, speakers, order)

    return protocol(
        name,
        hold,
        parameters={
            "rounds": rounds,
            "sides": sides,
            "skip_if_agree": skip_if_agree,
            "turn_order": turn_order,
            "order": order,
            "show_openings": show_openings,
            "judge_sees_problem": judge_sees_problem,
        },
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
        manner=manner,
        reuse=reuse,
        reuse_until=reuse_until,
    )


def check_sides(sides: Sides, reuse: str | None, reuse_until: str) -> None:
    """Check how sides are found, and that it goes with what is used again.

    Raises:
        InputError: If not.
    """
    check_choice("sides", sides, ("free", "assigned"))
    if sides == "assigned" and reuse is not None and reuse_until == "answers":
        raise InputError(
            "reuse_until=answers has nothing to use again: with sides=assigned nobody "
            "answers first."
        )


async def hold_debate(
    asker: Asker,
    debate: Recorder,
    earlier: DebateRecord | None,
    bench: Sequence[Seat],
    sides: Sides,
    skip_if_agree: bool,
    turn_order: TurnOrder,
) -> Sequence[Speaker]:
    """The first answers and the rounds; returns the debaters with their sides."""
    seats: Sequence[Seat] = debaters()
    warn_of_shared_models(debate, seats, bench, answering=sides == "free")
    if sides == "assigned":
        debate.participants = [asker.participant(s, "speech") for s in seats]
        defended = assigned_answers(asker.question, asker.seed)
    else:
        debate.participants = [asker.participant(s, "answer", "speech") for s in seats]
        answers = await first_answers(asker, debate, earlier, seats)
        # Of free answers that agree there is no other to defend.
        skip_if_agree = skip_if_agree or asker.question.free
        debate.undebated_because = no_debate_because(answers, skip_if_agree)
        if debate.undebated_because is not None:
            return ()
        asker = asker.between(debate.turns)
        labels = [str(answer.value) for answer in answers]
        defended = defended_answers(labels, asker.question, asker.seed)

    a, b = with_sides(seats, defended, asker.question)
    debate.participants = seated(debate.participants, (a, b))

    def speech(seat: Seat, opponent: Seat, round: int) -> Speak:
        return lambda turns: asker.speech(seat, opponent, round, turns)

    # Alice speaks first where speaking first matters, Bob in every second epoch.
    first, second = sorted((a, b), key=lambda seat: seat.name)
    if mirrored(asker.question.epoch):
        first, second = second, first
    for round in range(1, asker.rounds + 1):
        if turn_order == "simultaneous":
            await at_once(debate, speech(a, b, round), speech(b, a, round))
        else:
            opens, replies = speech(first, second, round), speech(second, first, round)
            await one_by_one(debate, opens, replies)
    return (a, b)


def no_debate_because(answers: Sequence[Parsed], skip_if_agree: bool) -> str | None:
    """Why two first answers lead to no debate, or None if they do."""
    for answer in answers:
        if answer.status != Status.OK:
            return f"a first answer is {answer.status}"
    first, second = (answer.value for answer in answers)
    return "both answers agree" if skip_if_agree and first == second else None


def replay(debate: Recorder, earlier: DebateRecord) -> Sequence[Speaker]:
    """Take over a debate that an earlier run held, for other judges."""
    speakers = [p for p in earlier.participants if p.role != "judge"]
    debate.participants = list(speakers)
    debate.turns = reused_turns(earlier, "debate")
    debate.undebated_because = earlier.undebated_because
    return speakers
