"""Consultancy: one model argues for an answer, nobody against it; a judge decides."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from inspect_ai.solver import Solver, solver

from inspect_debate.debate.errors import check_choice, check_whole_number
from inspect_debate.debate.record import DebateRecord, Status
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.sides import assigned_answers
from inspect_debate.solvers.judged_debate import Sides, check_sides, replay
from inspect_debate.solvers.questions import (
    Asker,
    OrderSetting,
    first_answers,
    judged,
    protocol,
)
from inspect_debate.solvers.questions_wording import CONSULTING
from inspect_debate.solvers.seats import (
    Seat,
    Speaker,
    answerer,
    judges,
    seated,
    warn_of_judging_debaters,
)


@solver
def consultancy(
    rounds: int = 2,
    sides: Sides = "assigned",
    order: OrderSetting = "ab",
    judge_sees_problem: bool = True,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Solver:
    """One consultant speaks for an answer in every round, then the judge decides.

    The usual baseline of debate (Michael et al. 2023; Khan et al. 2024), without
    questions from the judge. Two epochs hear a consultant for each of two answers.

    Args:
        rounds: How often the consultant speaks.
        sides: `assigned`: which of two answers it is to argue for is drawn; `free`: it
            answers first and argues for that.
        order: In which order the answers are listed for the judge.
        judge_sees_problem: Whether the judge is shown the question.
        reuse: A log whose answers or consultancies are used again.
        reuse_until: The last stage to use again.
        seed: Seed of the run.
        prompts: A file laid over the prompts.
        config: Values of `DebateConfig`.
        rest: The `config.key=value` parameters, each of which sets one of these.

    Returns:
        A solver; roles `debater_a` (the consultant) and `judge`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_whole_number("rounds", rounds, at_least=1)
    check_sides(sides, reuse, reuse_until)
    check_choice("order", order, ("ab", "ba", "both"))
    check_choice("reuse_until", reuse_until, ("answers", "debate"))

    async def hold(
        asker: Asker, debate: Recorder, earlier: DebateRecord | None
    ) -> None:
        bench = judges("debater_a")
        speakers: Sequence[Speaker]
        if earlier is not None and reuse_until == "debate":
            speakers = replay(debate, earlier)
        else:
            seat = answerer()
            warn_of_judging_debaters(debate, [seat], bench)
            speakers = await hold_consultancy(asker, debate, earlier, seat, sides)
        await judged(asker, debate, bench, speakers, order)

    return protocol(
        "consultancy",
        hold,
        parameters={
            "rounds": rounds,
            "sides": sides,
            "order": order,
            "judge_sees_problem": judge_sees_problem,
            # A judge who read the first answer would read the consultant's own view.
            "show_openings": False,
        },
        seed=seed,
        prompts=prompts,
        config=config,
        rest=rest,
        manner=CONSULTING,
        reuse=reuse,
        reuse_until=reuse_until,
    )


async def hold_consultancy(
    asker: Asker,
    debate: Recorder,
    earlier: DebateRecord | None,
    seat: Seat,
    sides: Sides,
) -> Sequence[Seat]:
    """The first answer, if there is one, and the rounds; returns the consultant."""
    if sides == "assigned":
        debate.participants = [asker.participant(seat, "speech")]
        defended, _ = assigned_answers(asker.question, asker.seed)
    else:
        debate.participants = [asker.participant(seat, "answer", "speech")]
        (answer,) = await first_answers(asker, debate, earlier, [seat])
        if answer.status != Status.OK:
            debate.undebated_because = f"the first answer is {answer.status}"
            return ()
        defended = str(answer.value)
    consultant = replace(seat, defends=defended, called="Consultant")
    debate.participants = seated(debate.participants, [consultant])
    for round in range(1, asker.rounds + 1):
        await debate.together(asker.speech(consultant, None, round, debate.turns))
    return [consultant]
