"""Debates with bets: "When Two LLMs Debate, Both Think They'll Win" (section 3)."""

from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, get_args

from inspect_ai.model import GenerateConfig
from pydantic import Field, model_validator

from inspect_debate.v1.debate.calls import SPEECH_LENGTH
from inspect_debate.v1.debate.engine import AskerConfig, Parameters, TurnKind, parameter
from inspect_debate.v1.debate.engine import protocol as bet_protocol
from inspect_debate.v1.debate.participants import ModelParticipant, orders
from inspect_debate.v1.debate.probabilities import as_drawn
from inspect_debate.v1.debate.record import Order, Turn
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.settings import Judging, Sampling, judging_without
from inspect_debate.v1.debate.study import Study
from inspect_debate.v1.solvers.bet_records import (
    SIDES,
    bets_card,
    speech_name,
    speech_of,
    speech_type,
)
from inspect_debate.v1.solvers.bet_text import winner_in
from inspect_debate.v1.solvers.bets import (
    Motion,
    added,
    asked_for,
    debate_values,
    debaters,
    jury,
    kept,
    motion_of,
    read_bet_alone,
    read_speech,
    read_verdict,
    show_round,
    warn_of_shared_models,
)

# --- Parameters, and the conditions of the study --------------------------------------

Condition = Literal[
    "cross_model",
    "self",
    "informed_self",
    "public",
    "redteam",
    "redteam_v2",
    "deceptive",
    "four_round",
]
CONDITIONS: tuple[str, ...] = get_args(Condition)


class BetParameters(Parameters):
    """Parameters of a debate with bets; each condition of the study is a preset."""

    opponent: Literal["other", "self"] = parameter(
        "self", "`other`: two models; `self`: a model and its copy."
    )
    opponent_note: Literal["none", "self", "skilled"] = parameter(
        "self",
        "What debaters read about the other side: nothing, that it is a copy of "
        "themselves (`self`), or a highly skilled debater (`skilled`).",
    )
    win_probability: int | None = parameter(
        None,
        "The chance to win that debaters read, in percent.",
        ge=0,
        le=100,
        strict=True,
    )
    bet_visibility: Literal["private", "public"] = parameter(
        "private",
        "`public`: the other side reads the amount of a bet in the next round, never "
        "its reasoning.",
    )
    own_bets_shown: bool = parameter(
        True,
        "Debaters read their own earlier bets again, with the reasoning.",
        strict=True,
    )
    bet_reasoning: Literal["standard", "redteam", "perspectives"] = parameter(
        "standard",
        "Before a bet: `standard` reflection; `redteam`, also the other side's best "
        "case; `perspectives`, the views of several people.",
    )
    bet_as: Literal["probability", "stake", "both", "apart"] = parameter(
        "both",
        "What the number is: the `probability` of winning; the `stake`; `both` in one "
        "number, as in the paper; `apart`, two numbers.",
    )
    stakes: bool = parameter(
        True,
        "Explain the rules of the bet: 100 tokens, the winner takes both stakes. Off "
        "by default with `bet_as=probability`.",
        strict=True,
    )
    bet_call: Literal["speech", "separate"] = parameter(
        "speech",
        "A bet is asked for in the `speech`'s completion, or in a `separate` call "
        "after it.",
    )
    rounds: int = parameter(
        3, "Speeches of each side: an opening, rebuttals, a closing.", ge=1, strict=True
    )
    turn_order: Literal["simultaneous", "sequential"] = parameter(
        "simultaneous",
        "Both sides speak at once, or the proposition first (`sequential`).",
    )
    jury_passes: int = parameter(
        0,
        "How often each juror judges; 0 for no jury. With `reuse`, 2 if a `judge` is "
        "bound.",
        ge=0,
        strict=True,
    )
    order: Literal["ab", "ba", "both"] = parameter(
        "ab",
        "Which side jurors read first in every round: the proposition (`ab`), the "
        "opposition (`ba`), or once each (`both`).",
    )

    @classmethod
    def implied(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Where a probability alone is asked for there is nothing at stake."""
        return {"stakes": False} if given.get("bet_as") == "probability" else {}

    @model_validator(mode="after")
    def _check(self) -> "BetParameters":
        if self.bet_as in ("stake", "apart") and not self.stakes:
            raise ValueError(
                f"bet_as={self.bet_as} asks for a stake, which stakes=false leaves "
                "unexplained; give stakes=true, or bet_as=probability."
            )
        return self


# What differs between the released conditions is here in full, also what the paper does
# not say: whether debaters are shown their own earlier bets again differs in two of
# them, which confounds every comparison with these two.
PRESETS: dict[str, BetParameters] = {
    "cross_model": BetParameters(opponent="other", opponent_note="none", jury_passes=2),
    "self": BetParameters(),
    "informed_self": BetParameters(win_probability=50, own_bets_shown=False),
    "public": BetParameters(bet_visibility="public"),
    "redteam": BetParameters(bet_reasoning="redteam", own_bets_shown=False),
    # Printed without a word on the rest: taken to be the red team's.
    "redteam_v2": BetParameters(bet_reasoning="perspectives", own_bets_shown=False),
    "deceptive": BetParameters(opponent_note="skilled"),
    "four_round": BetParameters(
        own_bets_shown=False, bet_as="stake", rounds=4, turn_order="sequential"
    ),
}


class BetConfig(AskerConfig):
    """What is rarely changed in a debate with bets.

    Attributes:
        shortest: Characters below which a completion is asked for again: 200, and 50
            in `four_round`, as in the study.
        structure_in: Where the speech's structure is explained: in the `system` prompt,
            as in the study; or in the `instruction` at the end, so that providers can
            cache the system prompt with the debate so far.
        juror_sees_motion: Jurors read the motion; in the study the speeches alone.
        speech: Generation settings of speeches. The study sends none.
        bet: Generation settings of bets that are asked for apart.
        verdict: Generation settings of verdicts. The study sends none. Jurors state a
            confidence in any case; `probability=token` asks for log-probabilities, too.
    """

    shortest: int | None = Field(default=None, ge=0, strict=True)
    structure_in: Literal["system", "instruction"] = "system"
    juror_sees_motion: bool = Field(default=False, strict=True)
    speech: Sampling = Sampling()
    bet: Sampling = Sampling()
    verdict: Annotated[Judging, judging_without("first")] = Judging()

    @property
    def extra_prompts(self) -> tuple[str, ...]:
        """None: all jurors state a confidence."""
        return ()

    def shortest_in(self, condition: str) -> int:
        """The fewest characters of a completion that are accepted."""
        if self.shortest is not None:
            return self.shortest
        return 50 if condition == "four_round" else 200


STUDY = Study(
    name="confidence",
    prompts=("confidence",),
    config=BetConfig,
    question=lambda state, config: motion_of(state),
    # The study sends a model and messages only.
    default=lambda protocol, kind, parameters: GenerateConfig(),
    fixed=lambda config, kind: config.verdict.fixed(kind),
    card=bets_card,
    speech=speech_of,
    aggregation="confidence",
    judged_anew=("jury_passes", "order", "verdict", "juror_sees_motion"),
)

# --- Kinds of turn --------------------------------------------------------------------


def speech_with(asks: Sequence[str]) -> TurnKind:
    """A speech, with a bet of these numbers if there are any."""
    return TurnKind(
        "speech",
        prompt="give_speech",
        system="system",
        form="bet_speech" if asks else "plain_speech",
        read=partial(read_speech, asks=asks, shortest=0),
        required=(SPEECH_LENGTH, *asks),
        reminder="speech_reminder",
        combined=kept,
        speech=SPEECH_LENGTH,
        stage="debate",
    )


def bet_of(asks: Sequence[str]) -> TurnKind:
    """A bet of these numbers, asked for apart."""
    return TurnKind(
        "bet",
        prompt="give_bet",
        system="system",
        form="bet",
        read=partial(read_bet_alone, asks=asks),
        required=tuple(asks),
        reminder="bet_reminder",
        combined=kept,
        stage="debate",
    )


VERDICT = TurnKind(
    "verdict",
    prompt="give_verdict",
    system="juror_system",
    form="jury",
    read=read_verdict,
    required=("answer", "confidence"),
    reminder="juror_reminder",
    combined=added,
)

# --- The protocol ---------------------------------------------------------------------


BetDebate = Debate[BetParameters, Motion]


@bet_protocol(
    STUDY,
    BetParameters,
    *CONDITIONS,
    turns=(speech_with(()), bet_of(asked_for("both")), VERDICT),
    shares={"debate": "confidence"},
    until="debate",
    presets=PRESETS,
)
async def confidence(debate: BetDebate) -> None:
    """A debate for and against a motion, in which both sides bet on winning.

    The input of a sample is the motion. Its metadata may say what each side has to show
    (`proposition_burden`, `opposition_burden`) and which models of a pool debate
    (`debater_a`, `debater_b`). The condition is given as `protocol`; its parameters
    hold where none is given.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`, which may be a list.
    """
    p, panel = debate.parameters, jury(debate.parameters.jury_passes)
    if debate.replays("debate"):
        debate.replay()
    else:
        await hold_rounds(debate)
    # Section 3.4: every juror judges as often as it is to, and the surer votes prevail.
    warn_of_shared_models(debate, panel, paired=p.opponent == "other")
    draws = debate.config.verdict.draws
    for juror in panel:
        debate.takes_part(juror, *(as_drawn(VERDICT, draw) for draw in draws))
    numbers = range(1, p.jury_passes + 1) if p.jury_passes > 1 else (0,)
    verdicts = [(VERDICT, number) for number in numbers]
    verdicts += [(as_drawn(VERDICT, draw), draw) for draw in draws[1:]]
    await debate.together(
        *(
            judge(debate, juror, shown, kind, number)
            for juror in panel
            for kind, number in verdicts
            for shown in orders(p.order, debate.question.epoch)
        )
    )


async def hold_rounds(debate: BetDebate) -> None:
    """Section 3.1: in every round both sides speak and bet on winning the debate."""
    p = debate.parameters
    participants = debaters(debate.question, itself=p.opponent == "self")
    kinds = [speech_with(()), *([bet_of(())] if p.bet_call == "separate" else ())]
    for participant in participants:
        debate.takes_part(participant, *kinds)
    first, second = sorted(
        participants, key=lambda participant: SIDES.index(participant.defends)
    )
    for round in range(1, p.rounds + 1):
        if p.turn_order == "simultaneous":
            await debate.together(
                speak(debate, first, round), speak(debate, second, round)
            )
        else:
            await debate.together(speak(debate, first, round))
            await debate.together(speak(debate, second, round))
        if p.bet_call == "separate":
            await debate.together(bet(debate, first, round), bet(debate, second, round))
        await show_round(debate, round, p.rounds)


def speak(
    debate: BetDebate, participant: ModelParticipant, round: int
) -> Awaitable[Turn]:
    """A side's speech in a round, with its bet unless that is asked for apart."""
    p = debate.parameters
    asks = asked_for(p.bet_as) if p.bet_call == "speech" else ()
    shortest = debate.config.shortest_in(debate.protocol)
    return debate.ask(
        participant,
        speech_with(asks),
        round=round,
        description={"asks": asks},
        read=partial(read_speech, asks=asks, shortest=shortest),
        **values_of(debate, participant, round),
    )


def bet(
    debate: BetDebate, participant: ModelParticipant, round: int
) -> Awaitable[Turn]:
    """A side's bet in a round, after the speech that it gave there."""
    asks = asked_for(debate.parameters.bet_as)
    values = values_of(debate, participant, round) | {"asked": "bet"}
    return debate.ask(
        participant, bet_of(asks), round=round, description={"asks": asks}, **values
    )


def judge(
    debate: BetDebate,
    juror: ModelParticipant,
    order: Order,
    kind: TurnKind,
    number: int,
) -> Awaitable[Turn]:
    """A juror's verdict on the speeches; it learns of no model and of no bet.

    Args:
        debate: The debate.
        juror: Who judges.
        order: Which side it is shown first in every round: the proposition for `ab`.
        kind: Its verdict, or a further draw of it.
        number: Which of its passes or draws, from 1; 0 where there is one pass.
    """
    p, sides, shown = debate.parameters, sides_in(debate), as_shown_in(order)
    return debate.ask(
        juror,
        kind,
        apart=number if kind is not VERDICT else 0,
        decided=winner_in,
        order=order,
        draw=number,
        shown_first={side: who for who, side in sides.items()}[shown[0]],
        description={"draw": f"{order} {number}" if number else order, "shown": shown},
        **juror_values(order, sides, debate.turns, debate.question, p, debate.config),
    )


def as_shown_in(order: Order) -> tuple[str, ...]:
    """The sides in the order in which a juror is shown every round."""
    return SIDES if order == "ab" else SIDES[::-1]


# --- What prompts show ----------------------------------------------------------------


def values_of(
    debate: BetDebate, participant: ModelParticipant, round: int
) -> dict[str, Any]:
    """What a side's prompts show in a round of what has been said so far.

    Of the round itself a side knows its own speech, and that of a side before it.
    """
    p, sides = debate.parameters, sides_in(debate)
    before = p.turn_order == "sequential" and sides[participant.id] == SIDES[1]
    known = [
        turn
        for turn in debate.turns
        if turn.round < round or turn.participant == participant.id or before
    ]
    return side_values(
        participant.id, sides, round, known, debate.question, p, debate.config
    )


def side_values(
    participant: str,
    sides: Mapping[str, str],
    round: int,
    known: Sequence[Turn],
    motion: Motion,
    p: BetParameters,
    config: BetConfig,
) -> dict[str, Any]:
    """What the prompts of a side show, in a debate here or in a published one.

    Args:
        participant: Who is about to speak or to bet.
        sides: The sides that participants speak for.
        round: The round, from 1.
        known: The turns that it may know of.
        motion: The motion.
        p: The parameters.
        config: The rarer settings.
    """
    return {
        **motion.shown,
        "side": sides[participant],
        "first": round == 1,
        "rounds": p.rounds,
        "stage": speech_type(round, p.rounds),
        "speech": speech_name(round, p.rounds),
        "asked": "speech",
        "together": p.bet_call == "speech",
        "constant": config.structure_in == "instruction",
        "heard": debate_values(
            known,
            sides,
            p.rounds,
            reader=participant,
            own_bets=p.own_bets_shown,
            other_bets=p.bet_visibility == "public",
        ),
        "opponent_note": p.opponent_note,
        "percent": p.win_probability,
        "bet_visibility": p.bet_visibility,
        "bet_as": p.bet_as,
        "bet_reasoning": p.bet_reasoning,
        "stakes": p.stakes,
    }


def juror_values(
    order: Order,
    sides: Mapping[str, str],
    turns: Sequence[Turn],
    motion: Motion,
    p: BetParameters,
    config: BetConfig,
) -> dict[str, Any]:
    """What the prompts of a juror show; the arguments are like `side_values`'s."""
    return {
        "juror_sees_motion": config.juror_sees_motion,
        "motion": motion.shown["motion"],
        "heard": debate_values(turns, sides, p.rounds, first=as_shown_in(order)),
    }


def sides_in(debate: BetDebate) -> dict[str, str]:
    """The sides that participants speak for."""
    return {p.id: p.defends for p in debate.participants if p.defends is not None}
