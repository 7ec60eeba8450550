"""The ensemble of two models: no debate, and a coin where they differ."""

from inspect_debate.debate.engine import Debate, protocol
from inspect_debate.debate.participants import (
    debaters,
    random_tie_break,
    warn_of_shared_models,
)
from inspect_debate.debate.question import Question
from inspect_debate.solvers.question_answering import (
    ANSWER,
    STUDY,
    Plain,
    first_answers,
)


@protocol(STUDY, Plain, turns=(ANSWER,), shares={"answers": "first_answers"})
async def ensemble(debate: Debate[Plain, Question]) -> None:
    """Two models answer; an answer on which they differ is left to a coin.

    The coin is recorded and so can be drawn again, but scores take its expectation.

    Returns:
        A solver; roles `debater_a` and `debater_b`.
    """
    participants = debaters()
    warn_of_shared_models(debate, participants)
    for participant in participants:
        debate.takes_part(participant, ANSWER)
    debate.aggregation = "coin"
    answers = await first_answers(debate, *participants)
    debate.drawn = random_tie_break(answers, debate.question, debate.seed)
