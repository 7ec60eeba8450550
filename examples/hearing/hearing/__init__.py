"""A hearing: both sides are questioned, by each other and by the judge.

After openings both question each other; then the judge asks, both answer and close.
"""

from dataclasses import replace
from pathlib import Path

from inspect_debate.debate import participants
from inspect_debate.debate.engine import TurnKind, parameter, protocol
from inspect_debate.debate.question import Question
from inspect_debate.debate.recording import Debate
from inspect_debate.solvers.question_answering import (
    COMPETITIVE,
    STUDY,
    VERDICT,
    OrderSetting,
    Plain,
    judge_turn,
    judged,
    speech,
)


class Hearing(Plain):
    """The parameters."""

    rounds: int = parameter(
        1, "Rounds of questions to each other.", shapes="debate", ge=0, strict=True
    )
    order: OrderSetting = parameter(
        "ab", "Which answer and defender a judge is shown first."
    )


# Written and read like speeches.
OPENING = replace(
    COMPETITIVE,
    kind="opening",
    prompt="opening",
    system="side_system",
    reminder="competitor_reminder",
    spoken=True,
)
QUESTION = replace(OPENING, kind="cross_question", prompt="cross_question")
ANSWER = replace(OPENING, kind="cross_answer", prompt="cross_answer")
ASKED = replace(
    OPENING, kind="judge_question", prompt="judge_question", system="asking_system"
)
ANSWERED = replace(OPENING, kind="answer_to_judge", prompt="answer_to_judge")
CLOSING = replace(OPENING, kind="closing", prompt="closing")
SPOKEN = (OPENING, QUESTION, ANSWER, ANSWERED, CLOSING)


@protocol(
    STUDY,
    Hearing,
    turns=(*SPOKEN, ASKED, VERDICT),
    shares={"debate": "hearing"},
    until="debate",
    texts=Path(__file__).with_name("prompts.yaml"),
)
async def hearing(debate: Debate[Hearing, Question]) -> None:
    """Openings, questions of both sides and of the judge, closings, and a verdict."""
    p, panel = debate.parameters, participants.judges("debater_a")
    if debate.replays("debate"):
        await judged(debate, panel, debate.replay(), p.order)
        return
    drawn = participants.assigned_answers(debate.question, debate.seed)
    a, b = participants.with_sides(participants.debaters(), drawn, debate.question)
    for debater in (a, b):
        debate.takes_part(debater, *SPOKEN)
    for judge in panel:
        debate.takes_part(judge, ASKED)

    async def both(kind: TurnKind, round: int) -> None:
        turns = (speech(debate, kind, *who, round) for who in ((a, b), (b, a)))
        await debate.together(*turns)

    await both(OPENING, 1)
    for round in range(1, p.rounds + 1):
        await both(QUESTION, round)
        await both(ANSWER, round)
    last = p.rounds + 1
    asked = (judge_turn(debate, ASKED, judge, (a, b), last) for judge in panel)
    await debate.together(*asked)
    await both(ANSWERED, last)
    await both(CLOSING, last)
    await judged(debate, panel, (a, b), p.order)
