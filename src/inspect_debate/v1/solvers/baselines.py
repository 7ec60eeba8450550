"""Without a debate: one model alone, an ensemble of two, a judge alone."""

from inspect_debate.v1.debate.engine import parameter, protocol
from inspect_debate.v1.debate.participants import (
    answerer,
    debaters,
    judges,
    random_tie_break,
    warn_of_shared_models,
)
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.recording import Debate
from inspect_debate.v1.solvers.question_answering import (
    ANSWER,
    STUDY,
    VERDICT,
    OrderSetting,
    Plain,
    answer,
    first_answers,
    judged,
)


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


class JudgeAlone(Plain):
    """A judge without a debate."""

    order: OrderSetting = parameter(
        "ab",
        "Whether the answers are listed in their order, reversed, or both in turn.",
    )


@protocol(STUDY, JudgeAlone, turns=(VERDICT,))
async def judge_alone(debate: Debate[JudgeAlone, Question]) -> None:
    """Every judge decides on the item alone.

    Returns:
        A solver; the models of role `judge` decide, or those of `debater_a`, or the
        main model, where it is unbound.
    """
    await judged(debate, judges("debater_a"), (), debate.parameters.order)
