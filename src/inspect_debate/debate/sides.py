"""Who defends which answer, and in which order a debate is shown."""

from collections.abc import Sequence
from typing import Literal

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.question import Question
from inspect_debate.debate.record import Order, Parsed, Status
from inspect_debate.debate.seeds import heads, mirrored, seeded


def defended_answers(
    answers: Sequence[str], question: Question, seed: int
) -> tuple[str, str]:
    """The answer that each of two debaters defends.

    Args:
        answers: Their own first answers.
        question: What is debated.
        seed: The run's seed.

    Returns:
        Their own answers where those differ. Where they agree, the other answer is a
        distractor drawn among the other choices, and debater A's side is drawn; both by
        the sample's id, and the side is mirrored in every second epoch.

    Raises:
        InputError: If they agree, and there is no other choice.
    """
    first, second = answers
    if first != second:
        return first, second
    others = [choice for choice in question.choices if choice != first]
    if not others:
        raise InputError(
            f"Sample {question.id!r} has no other answer to defend than the one given; "
            "this protocol needs questions with options."
        )
    distractor = seeded(seed, "distractor", question.id).choice(others)
    one, other = question.in_order((first, distractor))
    as_drawn = heads(seed, "sides", question.id, question.rank)
    return (one, other) if as_drawn != mirrored(question.epoch) else (other, one)


def assigned_answers(question: Question, seed: int) -> tuple[str, str]:
    """The answers that two debaters are to defend without having answered before.

    Args:
        question: What is debated; its two answers are the sides.
        seed: The run's seed.

    Returns:
        What debater A defends, drawn by the sample's id and mirrored in every second
        epoch, and what debater B does.

    Raises:
        InputError: If the question has more answers than two.
    """
    if len(question.choices) != 2:
        raise InputError(
            "sides=assigned needs questions with two answers; sample "
            f"{question.id!r} has {len(question.choices)}. Give sides=free: who argues "
            "answers first, and argues for that answer."
        )
    one, other = question.choices
    as_drawn = heads(seed, "sides", question.id, question.rank)
    return (one, other) if as_drawn != mirrored(question.epoch) else (other, one)


def tossed(answers: Sequence[Parsed], question: Question, seed: int) -> str | None:
    """One of two answers that differ, by a fair coin.

    Args:
        answers: The answers, one of each participant.
        question: What they answer; every second epoch takes the other side of the coin
            of the epoch before.
        seed: The run's seed.

    Returns:
        The drawn answer; None where nothing is to be drawn, because the answers are the
        same or one could not be read.
    """
    values = [str(answer.value) for answer in answers if answer.status == Status.OK]
    if len(values) < len(answers) or len(set(values)) == 1:
        return None
    seeded(seed, "coin", question.id, (question.epoch - 1) // 2).shuffle(values)
    return values[-1] if mirrored(question.epoch) else values[0]


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


def display_orders(
    order: Literal["hash", "ab", "ba", "both"], question: Question
) -> list[Order]:
    """The orders in which a judge is shown two answers; the first one decides.

    Args:
        order: `hash` draws the order by the question, the same in every run, and
            balanced over any first questions of a ranking; `ab` and `ba` are that
            order; `both` asks for the drawn one and for the other.
        question: What is asked. Every second epoch mirrors the order of the epoch
            before.
    """
    epoch = question.epoch
    if order in ("ab", "ba"):
        return orders("ab" if order == "ab" else "ba", epoch)
    pair = (epoch - 1) // 2
    first = heads(0, "display order", question.id, question.rank, pair)
    (drawn,) = orders("ab" if first else "ba", epoch)
    other: Order = "ba" if drawn == "ab" else "ab"
    return [drawn, other] if order == "both" else [drawn]
