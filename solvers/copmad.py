"""CopMAD: two models debate against each other, a judge decides."""

from inspect_debate.debate.engine import Debate, parameter, protocol
from inspect_debate.debate.question import Question
from inspect_debate.solvers.colmad import ColMAD, algorithm_1
from inspect_debate.solvers.question_answering import (
    ANSWER,
    COMPETITIVE,
    STUDY,
    VERDICT,
)


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
