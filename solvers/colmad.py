"""ColMAD: two models examine a response together, a judge decides (Algorithm 1)."""

from collections.abc import Sequence
from typing import Literal

from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.core.config import DebateConfig, load_config
from inspect_debate.core.conversation import show
from inspect_debate.core.errors import (
    InputError,
    check_choice,
    check_flag,
    check_whole_number,
)
from inspect_debate.core.prompts import load_prompts
from inspect_debate.core.question import error_detection_question
from inspect_debate.core.record import DebateRecord, Parsed, Status
from inspect_debate.core.recording import Recorder, recording
from inspect_debate.core.reuse import (
    check_models,
    earlier_record,
    open_source,
    reused_turns,
    with_earlier_settings,
)
from inspect_debate.core.seeds import mirrored
from inspect_debate.core.sides import defended_answers, orders
from inspect_debate.solvers.detection import Detection
from inspect_debate.solvers.seats import (
    Seat,
    Speaker,
    debaters,
    judges,
    warn_of_shared_models,
)

Order = Literal["ab", "ba", "both"]
TurnOrder = Literal["simultaneous", "sequential"]


@solver
def colmad(
    rounds: int = 2,
    skip_if_agree: bool = True,
    turn_order: TurnOrder = "simultaneous",
    order: Order = "ab",
    show_openings: bool = True,
    judge_sees_problem: bool = True,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] = "debate",
    seed: int = 0,
    prompts: str | None = None,
    config: dict[str, object] | None = None,
) -> Solver:
    """Collaborative debate between two models that answered first (Algorithm 1).

    Args:
        rounds: Rounds of speeches after the first answers; 0 lets the judge decide on
            the first answers alone.
        skip_if_agree: Return an answer on which both models agree, without a debate
            and without a judge (lines 4, 13 and 14).
        turn_order: `simultaneous`: both speak knowing the rounds before (lines 7 and
            8); `sequential`: the second speaker of a round has read the first.
        order: Which answer and defender the judge is shown first.
        show_openings: Whether the first answers are part of the transcript, for the
            other debater and the judge (lines 5 and 11).
        judge_sees_problem: Whether the judge is shown the item (Appendix C).
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `DebateConfig`.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_whole_number("rounds", rounds, at_least=0)
    check_choice("turn_order", turn_order, ("simultaneous", "sequential"))
    check_choice("order", order, ("ab", "ba", "both"))
    check_choice("reuse_until", reuse_until, ("answers", "debate"))
    check_flag("skip_if_agree", skip_if_agree)
    check_flag("show_openings", show_openings)
    check_flag("judge_sees_problem", judge_sees_problem)
    if rounds == 0 and not show_openings:
        raise InputError(
            "rounds=0 with show_openings=false leaves the judge nothing to read; "
            "use protocol=judge_alone for a judge without a debate."
        )
    texts = load_prompts("colmad", prompts)
    settings = load_config(DebateConfig, config)
    source = None if reuse is None else open_source(reuse, reuse_until)
    parameters = {
        "rounds": rounds,
        "skip_if_agree": skip_if_agree,
        "turn_order": turn_order,
        "order": order,
        "show_openings": show_openings,
        "judge_sees_problem": judge_sees_problem,
    }

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = error_detection_question(state)
        detection = Detection(
            question, texts, settings, seed, rounds, show_openings, judge_sees_problem
        )
        earlier = None if source is None else await earlier_record(source, question)
        async with recording(
            state,
            study="colmad",
            protocol="colmad",
            parameters=parameters | settings.model_dump(mode="json"),
            prompts=texts,
            question=question,
            seed=seed,
            reused_from=None if source is None else source.run,
        ) as debate:
            bench = judges()
            if source is not None and earlier is None:
                debate.ended_by = f"a failure of this sample in {source.typed}"
                return state
            speakers: Sequence[Speaker]
            if source is not None and source.until == "debate" and earlier is not None:
                speakers = replay(debate, earlier)
            else:
                speakers = await hold_debate(
                    detection, debate, earlier, bench, skip_if_agree, turn_order
                )
            debate.participants += [detection.participant(j, "verdict") for j in bench]
            if debate.undebated_because is None:
                await debate.together(
                    *(
                        detection.verdict(judge, shown, speakers, debate.turns)
                        for judge in bench
                        for shown in orders(order, question.epoch)
                    )
                )
        return show(state)

    return solve


async def hold_debate(
    detection: Detection,
    debate: Recorder,
    earlier: DebateRecord | None,
    bench: Sequence[Seat],
    skip_if_agree: bool,
    turn_order: TurnOrder,
) -> Sequence[Speaker]:
    """The first answers and the rounds; returns the debaters with their sides."""
    a, b = debaters()
    warn_of_shared_models(debate, (a, b), bench)
    debate.participants = [
        detection.participant(seat, "answer", "speech") for seat in (a, b)
    ]
    answers = await first_answers(detection, debate, earlier, (a, b))
    debate.undebated_because = no_debate_because(answers, skip_if_agree)
    if debate.undebated_because is not None:
        return ()

    labels = [str(answer.value) for answer in answers]
    side_a, side_b = defended_answers(labels, detection.question, detection.seed)
    a, b = a.defending(side_a), b.defending(side_b)
    debate.participants = [
        p.model_copy(update={"name": seat.name, "defends": seat.defends})
        for p, seat in zip(debate.participants, (a, b), strict=True)
    ]

    # Alice speaks first where speaking first matters, Bob in every second epoch.
    first, second = sorted((a, b), key=lambda seat: seat.name)
    if mirrored(detection.question.epoch):
        first, second = second, first
    for round in range(1, detection.rounds + 1):
        before = tuple(debate.turns)
        if turn_order == "simultaneous":
            await debate.together(
                detection.speech(a, b, round, before),
                detection.speech(b, a, round, before),
            )
        else:
            await debate.together(detection.speech(first, second, round, before))
            heard = tuple(debate.turns)
            await debate.together(detection.speech(second, first, round, heard))
    return (a, b)


async def first_answers(
    detection: Detection,
    debate: Recorder,
    earlier: DebateRecord | None,
    seats: Sequence[Seat],
) -> list[Parsed]:
    """Both debaters' own answers (line 1); asks for those that no earlier run has."""
    if earlier is not None:
        check_models(earlier, {seat.id: str(seat.model) for seat in seats})
        debate.turns += reused_turns(earlier, "answers")
        # Their settings are those with which they were asked for.
        debate.participants = [
            with_earlier_settings(p, earlier) for p in debate.participants
        ]
    there = {turn.participant: turn for turn in debate.turns}
    asked = await debate.together(
        *(detection.answer(seat) for seat in seats if seat.id not in there)
    )
    given = there | {turn.participant: turn for turn in asked}
    return [given[seat.id].field("answer") for seat in seats]


def no_debate_because(answers: Sequence[Parsed], skip_if_agree: bool) -> str | None:
    """Why two first answers lead to no debate, or None if they do."""
    for answer in answers:
        if answer.status != Status.OK:
            return f"a first answer is {answer.status}"
    first, second = (answer.value for answer in answers)
    return "both answers agree" if skip_if_agree and first == second else None


def replay(debate: Recorder, earlier: DebateRecord) -> Sequence[Speaker]:
    """Take over a debate that an earlier run held, for other judges."""
    debaters = [p for p in earlier.participants if p.role != "judge"]
    debate.participants = debaters
    debate.turns = reused_turns(earlier, "debate")
    debate.undebated_because = earlier.undebated_because
    return debaters
