"""Debates with bets: "When Two LLMs Debate, Both Think They'll Win" (section 3)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from inspect_ai.log import transcript
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import span

from inspect_debate.debate.bets import (
    SIDES,
    SOURCES,
    bets_card,
    round_card,
    speech_name,
)
from inspect_debate.debate.config import load_config
from inspect_debate.debate.conversation import show
from inspect_debate.debate.models import check_roles
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.question import Question, fingerprint, text_asked
from inspect_debate.debate.record import DebateRecord, Kind
from inspect_debate.debate.recording import Recorder
from inspect_debate.debate.reuse import earlier_record, open_source, reused_turns
from inspect_debate.debate.seats import Seat, Speaker
from inspect_debate.debate.sides import orders
from inspect_debate.solvers.asking import hold_recorded
from inspect_debate.solvers.bets import (
    STUDY_DEFAULT,
    BetAsker,
    jury,
    speakers,
    warn_of_shared_models,
)
from inspect_debate.solvers.bets_settings import (
    CONDITIONS,
    BetAs,
    BetConfig,
    BetParameters,
    Condition,
    Reasoning,
    ShownOrder,
    TurnOrder,
    Visibility,
    bet_parameters,
    judged_anew,
    judged_with,
)


@solver
def confidence(
    protocol: Condition = "cross_model",
    opponent: Literal["other", "self"] | None = None,
    opponent_note: Literal["none", "self", "skilled"] | None = None,
    win_probability: int | None = None,
    bet_visibility: Visibility | None = None,
    own_bets_shown: bool | None = None,
    bet_reasoning: Reasoning | None = None,
    bet_as: BetAs | None = None,
    stakes: bool | None = None,
    bet_call: Literal["speech", "separate"] | None = None,
    rounds: int | None = None,
    turn_order: TurnOrder | None = None,
    jury_passes: int | None = None,
    order: ShownOrder | None = None,
    reuse: str | None = None,
    seed: int = 0,
    prompts: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> Solver:
    """A debate for and against a motion, in which both sides bet on winning.

    The input of a sample is the motion. Its metadata may say what each side has to show
    (`proposition_burden`, `opposition_burden`) and which models of a pool debate
    (`debater_a`, `debater_b`).

    Args:
        protocol: The condition, whose parameters hold where none is given; they are
            explained in `BetParameters`.
        opponent: As there, and so are the others that are not explained here.
        opponent_note: What debaters are told of the other side.
        win_probability: The chance to win that they are told, in percent.
        bet_visibility: Whether the other side is shown bets.
        own_bets_shown: Whether debaters are shown their own earlier bets.
        bet_reasoning: What is asked for before a bet.
        bet_as: What the number is said to be.
        stakes: Whether the rules of the bet are told.
        bet_call: Whether bets are asked for within speeches, or apart.
        rounds: Speeches of each side.
        turn_order: Whether both sides speak at once.
        jury_passes: How often each juror judges; 0 for no jury.
        order: Which side the jurors are shown first.
        reuse: A log whose debates are used again, with its parameters, for another
            jury or for none.
        seed: Seed of the run.
        prompts: A file laid over the study's prompts; also the authors' own.
        config: Values of `BetConfig`.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`, which may be a list.

    Raises:
        InputError: If a parameter is not allowed.
    """
    given = {n: v for n, v in locals().items() if n in BetParameters.model_fields}
    parameters = bet_parameters(protocol, given, reused=reuse is not None)
    check_roles()
    settings = load_config(BetConfig, config)
    texts = load_prompts("confidence", prompts)
    source = None if reuse is None else open_source(reuse, "debate")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        motion = motion_of(state)
        earlier, held = None, parameters
        condition: str = protocol
        if source is not None:
            earlier = await earlier_record(
                source, motion, protocols=CONDITIONS, parameters={}
            )
        if earlier is not None:
            held, condition = judged_anew(parameters, earlier), earlier.protocol

        async def hold(debate: Recorder) -> None:
            bench = jury(held)
            seats = speakers(state, held) if earlier is None else ()
            speaking = seats if earlier is None else replay(debate, earlier)
            asker = BetAsker(
                motion,
                texts,
                settings,
                seed,
                default=STUDY_DEFAULT,
                rounds=held.rounds,
                parameters=held,
                shortest=settings.shortest_in(condition),
                sides={each.id: str(each.defends) for each in speaking},
            )
            if seats:
                await hold_rounds(asker, debate, *seats)
            await hold_jury(asker, debate, bench)

        told = held.model_dump() | settings.model_dump(mode="json")
        if earlier is not None:
            told = earlier.parameters | judged_with(held, settings, texts)
        await hold_recorded(
            state,
            hold,
            study="confidence",
            protocol=condition,
            parameters=told,
            prompts=texts.used() if earlier is None else earlier.prompts,
            question=motion,
            seed=seed,
            source=source,
            available=earlier is not None,
        )
        return show(state, bets_card)

    return solve


async def hold_rounds(asker: BetAsker, debate: Recorder, *seats: Seat) -> None:
    """The rounds: both sides speak and bet, at once or the proposition first."""
    held = asker.parameters
    together, apart = held.turn_order == "simultaneous", held.bet_call == "separate"
    kinds: tuple[Kind, ...] = ("speech", "bet") if apart else ("speech",)
    debate.participants = [asker.participant(seat, *kinds) for seat in seats]
    first, second = sorted(seats, key=lambda seat: SIDES.index(seat.defends))
    for round in range(1, held.rounds + 1):
        before = tuple(debate.turns)
        if together:
            spoken = await debate.together(
                asker.speech(first, round, before), asker.speech(second, round, before)
            )
        else:
            spoken = await debate.together(asker.speech(first, round, before))
            heard = tuple(debate.turns)
            spoken += await debate.together(asker.speech(second, round, heard))
        if apart:
            own, other = spoken
            known = (before, before) if together else (before, (*before, own))
            await debate.together(
                asker.bet(first, round, (*known[0], own)),
                asker.bet(second, round, (*known[1], other)),
            )
        card = round_card(debate.turns, asker.sides, round, held.rounds)
        name = speech_name(round, held.rounds)
        async with span(f"{name}: both sides", type="round"):
            transcript().info(card, source=name)


async def hold_jury(asker: BetAsker, debate: Recorder, bench: Sequence[Seat]) -> None:
    """All jurors judge at once, as often as they are to, and the confident prevail."""
    held, epoch = asker.parameters, asker.question.epoch
    debate.aggregation = "confidence"
    warn_of_shared_models(debate, bench, held)
    debate.participants += [asker.participant(juror, "verdict") for juror in bench]
    numbers = range(1, held.jury_passes + 1) if held.jury_passes > 1 else (0,)
    await debate.together(
        *(
            asker.verdict(juror, shown, number, debate.turns)
            for juror in bench
            for number in numbers
            for shown in orders(held.order, epoch)
        )
    )


def replay(debate: Recorder, earlier: DebateRecord) -> Sequence[Speaker]:
    """Take over a debate that an earlier run held, for another jury."""
    debate.participants = [p for p in earlier.participants if p.role != "judge"]
    debate.turns = reused_turns(earlier, "debate")
    return tuple(debate.participants)


def motion_of(state: TaskState) -> Question:
    """The motion that a sample is about.

    Raises:
        InputError: If the sample's input is not a text.
    """
    burdens = [str(state.metadata.get(name) or "") for name in SOURCES[1:]]
    texts = (text_asked(state), *burdens)
    return Question(
        id=str(state.sample_id),
        epoch=state.epoch,
        fingerprint=fingerprint(*texts),
        choices=SIDES,
        sources=dict(zip(SOURCES, texts, strict=True)),
    )
