"""One model alone: the baseline of every protocol."""

from inspect_debate.debate.engine import Debate, protocol
from inspect_debate.debate.question import Question
from inspect_debate.debate.seats import answerer
from inspect_debate.solvers.questions import ANSWER, STUDY, Plain, answer


@protocol(
    STUDY, Plain, turns=(ANSWER,), shares={"answers": "first_answers"}, reuses=False
)
async def single(debate: Debate[Plain, Question]) -> None:
    """One model answers the item by itself.

    Returns:
        A solver; role `debater_a` answers, or the main model where it is unbound.
    """
    seat = answerer()
    debate.takes_part(seat, ANSWER)
    await debate.together(answer(debate, seat))
