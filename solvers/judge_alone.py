"""The judge without a debate: what does it know by itself?"""

from inspect_debate.debate.engine import Debate, parameter, protocol
from inspect_debate.debate.participants import judges
from inspect_debate.debate.question import Question
from inspect_debate.solvers.question_answering import (
    STUDY,
    VERDICT,
    OrderSetting,
    Plain,
    judged,
)


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
