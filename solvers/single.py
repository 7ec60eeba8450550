"""One model alone: the baseline of every protocol."""

from inspect_debate.debate.engine import Debate, protocol
from inspect_debate.debate.participants import answerer
from inspect_debate.debate.question import Question
from inspect_debate.solvers.question_answering import ANSWER, STUDY, Plain, answer


@protocol(
    STUDY, Plain, turns=(ANSWER,), shares={"answers": "first_answers"}, reuses=False
)
async def single(debate: Debate[Plain, Question]) -> None:
    """One model answers the item by itself.

    Returns:
        A solver; role `debater_a` answers, or the main model where it is unbound.
    """
    participant = answerer()
    debate.takes_part(participant, ANSWER)
    await debate.together(answer(debate, participant))
