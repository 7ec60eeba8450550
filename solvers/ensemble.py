"""The ensemble of two models: no debate, and a coin where they differ."""

from inspect_debate.debate.engine import Debate, protocol
from inspect_debate.debate.question import Question
from inspect_debate.debate.seats import debaters, tossed, warn_of_shared_models
from inspect_debate.solvers.questions import ANSWER, STUDY, Plain, first_answers


@protocol(STUDY, Plain, turns=(ANSWER,), shares={"answers": "first_answers"})
async def ensemble(debate: Debate[Plain, Question]) -> None:
    """Two models answer; an answer on which they differ is left to a coin.

    The coin is recorded and so can be drawn again, but scores take its expectation.

    Returns:
        A solver; roles `debater_a` and `debater_b`.
    """
    seats = debaters()
    warn_of_shared_models(debate, seats)
    for seat in seats:
        debate.takes_part(seat, ANSWER)
    debate.aggregation = "coin"
    answers = await first_answers(debate, *seats)
    debate.drawn = tossed(answers, debate.question, debate.seed)
