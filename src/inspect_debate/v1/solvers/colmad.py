"""ColMAD, and CopMAD: two models debate with or against each other, a judge decides.

Algorithm 1 of ColMAD; in CopMAD each is to convince the judge of its own answer.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import model_validator

from inspect_debate.v1.debate.engine import Parameters, TurnKind, parameter, protocol
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.participants import (
    Debater,
    ModelParticipant,
    assigned_answers,
    debaters,
    defended_answers,
    judges,
    warn_of_shared_models,
    with_sides,
)
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Parsed, Status
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.debate.reuse import Until
from inspect_debate.v1.debate.seeds import mirrored
from inspect_debate.v1.solvers.question_answering import (
    ANSWER,
    COLLABORATIVE,
    COMPETITIVE,
    STUDY,
    VERDICT,
    OrderSetting,
    between_answers,
    first_answers,
    judged,
    speech,
)

Sides = Literal["free", "assigned"]


class ColMAD(Parameters):
    """ColMAD."""

    rounds: int = parameter(
        2,
        "Rounds of speeches after the first answers; with 0 the judge decides on the "
        "first answers.",
        shapes="debate",
        ge=0,
        strict=True,
    )
    sides: Sides = parameter(
        "free",
        "`free`: both answer first and defend their answers; `assigned`: nobody "
        "answers first, and sides are drawn, mirrored in every second epoch.",
        shapes="debate",
    )
    skip_if_agree: bool = parameter(
        True,
        "Return an answer on which both models agree, without a debate (lines 4, 13 "
        "and 14).",
        shapes="debate",
        strict=True,
    )
    turn_order: Literal["simultaneous", "sequential"] = parameter(
        "simultaneous",
        "`simultaneous`: both have read the earlier rounds (lines 7 and 8); "
        "`sequential`: the second has also read the first's speech of this round.",
        shapes="debate",
    )
    order: OrderSetting = parameter(
        "ab",
        "Which answer and which debater the judge is shown first: `ab` answer 1, `ba` "
        "answer 2; `both` asks twice.",
    )
    show_openings: bool = parameter(
        True,
        "The other debater and the judge read the first answers (lines 5 and 11).",
        shapes="debate",
        strict=True,
    )
    judge_sees_problem: bool = parameter(
        True,
        "The judge reads the item (Appendix C); otherwise the transcript alone.",
        strict=True,
    )

    @model_validator(mode="after")
    def _something_to_read(self) -> "ColMAD":
        if self.rounds == 0 and (not self.show_openings or self.sides == "assigned"):
            free = self.sides == "free"
            without = "show_openings=false" if free else "sides=assigned"
            raise ValueError(
                f"rounds=0 with {without} leaves the judge nothing to read; use "
                "protocol=judge_alone for a judge without a debate, or sides=free with "
                "show_openings=true for one who reads first answers."
            )
        return self

    def check_reuse(self, until: Until) -> None:
        """See `check_sides`."""
        check_sides(self.sides, until)


@protocol(
    STUDY,
    ColMAD,
    turns=(ANSWER, COLLABORATIVE, VERDICT),
    shares={"answers": "first_answers", "debate": "colmad"},
    until="debate",
)
async def colmad(debate: Debate[ColMAD, Question]) -> None:
    """Collaborative debate between two models that answered first (Algorithm 1).

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`.
    """
    await algorithm_1(debate, COLLABORATIVE)


async def algorithm_1(debate: Debate[Any, Question], turn: TurnKind) -> None:
    """First answers, rounds of speeches of a kind, and a verdict (Algorithm 1)."""
    p, panel = debate.parameters, judges("debater_a")  # as in the paper, if unbound
    if debate.replays("debate"):
        sides: Sequence[Debater] = debate.replay()
    else:
        sides = await held(debate, turn, panel)
    await judged(debate, panel, sides, p.order)  # lines 11 and 12


async def held(
    debate: Debate[Any, Question],
    turn: TurnKind,
    panel: Sequence[ModelParticipant],
) -> Sequence[Debater]:
    """First answers and rounds of speeches (lines 1 to 10).

    Returns:
        Who debated; nobody if the first answers lead to no debate.
    """
    p = debate.parameters
    sides = await opposed(debate, panel, turn)  # lines 1 to 4, 13, 14
    if not sides:
        return ()
    a, b = sides
    # Alice speaks first where speaking first matters, Bob in every second epoch.
    first, second = sorted((a, b), key=lambda participant: participant.name)
    if mirrored(debate.question.epoch):
        first, second = second, first
    for round in range(1, p.rounds + 1):  # lines 5 to 10
        if p.turn_order == "simultaneous":
            await debate.together(
                speech(debate, turn, a, b, round),
                speech(debate, turn, b, a, round),
            )
        else:
            await debate.together(speech(debate, turn, first, second, round))
            await debate.together(speech(debate, turn, second, first, round))
    return (a, b)


async def opposed(
    debate: Debate[Any, Question],
    panel: Sequence[ModelParticipant],
    *speaking: TurnKind,
) -> list[ModelParticipant]:
    """Give two debaters answers to defend, which they gave first or are assigned.

    Args:
        debate: A debate whose parameters have `sides` and `skip_if_agree`.
        panel: Who judges.
        speaking: What debaters are asked for, beside first answers.

    Returns:
        The debaters; none if there is to be no debate, as the skip reason then says.
    """
    two, free = debaters(), debate.parameters.sides == "free"
    warn_of_shared_models(debate, two, panel, answering=free)
    for participant in two:
        debate.takes_part(participant, *((ANSWER,) if free else ()), *speaking)
    if free:
        answers = await first_answers(debate, *two)  # lines 1 to 3
        # If answers in words agree, there is no other answer to defend.
        skip = debate.parameters.skip_if_agree or debate.question.free
        debate.skip_reason = skip_reason_of(answers, skip)  # lines 4, 13, 14
        if debate.skip_reason is not None:
            return []
        between_answers(debate)
        given = [str(answer.value) for answer in answers]
        defended = defended_answers(given, debate.question, debate.seed)
    else:
        defended = assigned_answers(debate.question, debate.seed)
    sides = with_sides(two, defended, debate.question)
    debate.know_as(*sides)
    return sides


def check_sides(sides: Sides, until: Until) -> None:
    """Check that the way sides are assigned fits the stage that is reused.

    Raises:
        InputError: If not.
    """
    if sides == "assigned" and until == "answers":
        raise InputError(
            "reuse_until=answers has nothing to use again: with sides=assigned nobody "
            "answers first."
        )


def skip_reason_of(answers: Sequence[Parsed], skip_if_agree: bool) -> str | None:
    """Why two first answers lead to no debate, or None if they do."""
    for answer in answers:
        if answer.status != Status.OK:
            return f"a first answer is {answer.status}"
    first, second = (answer.value for answer in answers)
    return "both answers agree" if skip_if_agree and first == second else None


class CopMAD(ColMAD):
    """CopMAD: two defaults are others than ColMAD's.

    10 of the 12 published CopMAD rows are only possible if items on which both agreed
    were debated, too; so the published difference between the two is also one of this
    rule. And a judge who reads that both gave the same answer has their consensus
    before it, which published CopMAD overturned. To compare the two debates alone, run
    both with both.
    """

    skip_if_agree: bool = parameter(
        False,
        "Return an answer on which both models agree.",
        shapes="debate",
        strict=True,
    )
    show_openings: bool = parameter(
        False,
        "Whether the first answers are part of the transcript.",
        shapes="debate",
        strict=True,
    )


@protocol(
    STUDY,
    CopMAD,
    turns=(ANSWER, COMPETITIVE, VERDICT),
    shares={"answers": "first_answers", "debate": "copmad"},
    until="debate",
)
async def copmad(debate: Debate[CopMAD, Question]) -> None:
    """Competitive debate between two models that answered first (ColMAD's CopMAD).

    Each is to convince the judge of its own answer. Scaffold, tags, quotes, rounds and
    judge are ColMAD's; the paper prints no prompts, so their wording is this suite's.

    Returns:
        A solver; roles `debater_a`, `debater_b` and `judge`.
    """
    await algorithm_1(debate, COMPETITIVE)
