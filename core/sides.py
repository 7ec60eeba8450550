"""Who defends which answer, and in which order a debate is shown."""

from collections.abc import Sequence
from typing import Literal

from inspect_debate.core.question import Question
from inspect_debate.core.record import Order
from inspect_debate.core.seeds import mirrored, seeded


def defended_answers(
    answers: Sequence[str], question: Question, seed: int
) -> tuple[str, str]:
    """The answer that each of two debaters defends.

    Args:
        answers: Their own first answers.
        question: What is debated; it has two choices.
        seed: The run's seed.

    Returns:
        Their own answers where those differ. Where they agree, debater A's side is
        drawn by the sample's id, and mirrored in every second epoch.
    """
    first, second = answers
    if first != second:
        return first, second
    heads = seeded(seed, "sides", question.id).random() < 0.5
    one, other = question.choices
    return (one, other) if heads != mirrored(question.epoch) else (other, one)


def orders(order: Literal["ab", "ba", "both"], epoch: int) -> list[Order]:
    """The orders in which every judge is shown a debate.

    Args:
        order: `ab` lists and shows the first answer first, `ba` last, `both` asks for
            two verdicts.
        epoch: Every second epoch mirrors the order.

    Returns:
        One order, or both.
    """
    if order == "both":
        return ["ab", "ba"]
    return ["ab"] if (order == "ab") != mirrored(epoch) else ["ba"]
