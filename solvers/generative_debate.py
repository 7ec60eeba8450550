"""Inference-time generative debate: the seven formats of the study."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inspect_ai.solver import Solver, solver
from inspect_ai.util import span

from inspect_debate.debate.calls import best_of_name
from inspect_debate.debate.errors import check_choice
from inspect_debate.debate.generative import FORMATS
from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.rulings import best, reward
from inspect_debate.debate.seats import Seat
from inspect_debate.debate.seeds import mirrored
from inspect_debate.solvers.generative import (
    GenerativeAsker,
    GradeAnswer,
    generative_protocol,
    graded,
    put_answers,
    replay,
    take_seats,
)
from inspect_debate.solvers.generative_answers import INTERPRETER
from inspect_debate.solvers.generative_settings import (
    Answers,
    DebaterStyle,
    DisplayOrder,
    GenerativeParameters,
    GenerativeProtocol,
    JudgeStyle,
    TurnOrder,
    generative_parameters,
)


@solver
def generative_debate(
    protocol: GenerativeProtocol = "dual_debate",
    speech_rounds: int | None = None,
    best_of: int | None = None,
    turn_order: TurnOrder | None = None,
    order: DisplayOrder | None = None,
    judge_answer: bool | None = None,
    answers: Answers | None = None,
    judge_style: JudgeStyle | None = None,
    debater_style: DebaterStyle | None = None,
    reuse: str | None = None,
    reuse_until: Literal["answers", "debate"] | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
    unsafe_local: bool = False,
    grades: str | None = None,
    sandbox: str | None = None,
    interpreter: str = INTERPRETER,
) -> Solver:
    """One or two proposers answer and speak; a judge rules on each answer by itself.

    Answers come first, by a prompt that knows of no debate, and are frozen. In a debate
    the proposers, or the one proposer and a critic, then hear each other; in a
    consultancy each speaks for itself. Nobody is assigned a side, and all answers may
    be correct, or none. Answers are graded while the debate goes on.

    Args:
        protocol: `dual_debate`, `single_debate`, `dual_consultancy`,
            `single_consultancy`, `dual_no_transcript`, `single_no_transcript`, or
            `direct_qa`, in which the judge answers alone.
        speech_rounds: Rounds of speeches: 2.
        best_of: Of how many candidates each speech is chosen: 1.
        turn_order: `simultaneous`, or `sequential`.
        order: Which of two answers the judge is shown first: `hash`, `ab`, `ba`, or
            `both` in turn.
        judge_answer: Whether the judge also solves the task: false.
        answers: Whether answers are the same in all formats (`reuse`), or `fresh`.
        judge_style: `neutral`; or `verifying`: the judge is also told to check claims
            and to distrust confidence.
        debater_style: `neutral`; or `honest`: those who speak are told to say what they
            hold to be true, and what can be checked.
        reuse: A log whose answers or debates are used again.
        reuse_until: The last stage to use again: `answers`.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts.
        config: Values of `GenerativeConfig`.
        unsafe_local: Whether answers that are code may run in a `local` sandbox, which
            is none: false.
        grades: A folder in which grades of code are kept, and found again; one for each
            interpreter.
        sandbox: The kind of sandbox that such answers have to have; any if None.
        interpreter: The Python inside the sandbox that runs them, a path or a name.

    Returns:
        A solver for samples with an `answer_kind` in their metadata; roles `debater_a`,
        `debater_b` (a proposer or the critic, by default the same model), `judge`,
        which may be a list, and `reward` (by default the judge). Answers that are code
        are graded in the sample's sandbox.

    Raises:
        InputError: If a parameter is not allowed.
    """
    check_choice("protocol", protocol, tuple(FORMATS))
    given = {
        n: v for n, v in locals().items() if n in GenerativeParameters.model_fields
    }
    parameters = generative_parameters(protocol, given)

    until = reuse_until or "answers"
    check_choice("reuse_until", until, ("answers", "debate"))

    async def hold(
        asker: GenerativeAsker,
        debate: Recorder,
        earlier: DebateRecord | None,
        grade: GradeAnswer,
    ) -> None:
        take_seats(asker, debate)
        if not asker.proposers:
            async with graded(debate, grade):
                await debate.together(*(asker.answer(judge) for judge in asker.judges))
            return
        await put_answers(asker, debate, earlier)
        async with graded(debate, grade):
            if earlier is not None and until == "debate":
                replay(asker, debate, earlier)
            elif asker.format.interaction != "none":
                for round in range(1, parameters.speech_rounds + 1):
                    await hold_round(asker, debate, round)
            await judge(asker, debate)

    return generative_protocol(
        protocol,
        hold,
        parameters=parameters,
        seed=seed,
        prompts=prompts,
        config=config,
        reuse=reuse,
        reuse_until=until,
        unsafe_local=unsafe_local,
        grades=grades,
        sandbox=sandbox,
        interpreter=interpreter,
    )


async def hold_round(asker: GenerativeAsker, debate: Recorder, round: int) -> None:
    """A round of speeches: all at once, or one who has heard the other's."""
    if asker.parameters.turn_order == "simultaneous":
        await speak(asker, debate, round, asker.seats)
        return
    dual = asker.format.proposers == 2
    turned = dual and mirrored(asker.question.epoch)  # a critic always speaks last
    for seat in asker.seats[::-1] if turned else asker.seats:
        await speak(asker, debate, round, [seat])


async def speak(
    asker: GenerativeAsker, debate: Recorder, round: int, speakers: Sequence[Seat]
) -> None:
    """Speeches of some at once; where candidates are drawn, the best of each."""
    heard = tuple(debate.turns)
    best_of = asker.parameters.best_of
    if best_of == 1:
        await debate.together(*(asker.speech(s, round, heard) for s in speakers))
        return
    draws = range(1, best_of + 1)
    async with span(best_of_name(round), type="round"):
        drawn = await debate.together(
            *(asker.speech(s, round, heard, draw) for s in speakers for draw in draws)
        )
        scored = await debate.together(*(asker.reward(one, heard) for one in drawn))
    choose(debate, drawn, scored)


def choose(
    debate: Recorder, candidates: Sequence[Turn], scored: Sequence[Turn]
) -> None:
    """Make a speech of each speaker's candidate with the highest reward."""
    places = {id(turn): n for n, turn in enumerate(debate.turns)}
    rewards = [reward(*both) for both in zip(scored, candidates, strict=True)]
    for speaker in dict.fromkeys(turn.participant for turn in candidates):
        own = [n for n, c in enumerate(candidates) if c.participant == speaker]
        chosen = own[best([rewards[n] for n in own])]
        for n in own:
            fields = {**candidates[n].fields, "reward": rewards[n]}
            kind = "speech" if n == chosen else "candidate"
            told = candidates[n].model_copy(update={"kind": kind, "fields": fields})
            debate.turns[places[id(candidates[n])]] = told


async def judge(asker: GenerativeAsker, debate: Recorder) -> None:
    """Every judge's verdict and, apart from it, its own answer where that is asked."""
    heard = tuple(debate.turns)
    verdicts = [
        asker.verdict(one, order, heard)
        for one in asker.judges
        for order in asker.display_orders
    ]
    solving = asker.judges if asker.parameters.judge_answer else ()
    await debate.together(*verdicts, *(asker.judge_answer(s, heard) for s in solving))
