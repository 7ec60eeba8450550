"""Votes and what they decide."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from inspect_debate.debate.record import Parsed, Status, Turn

Decision = Literal[
    "ok",
    "coin",
    "tied",
    "abstained",
    "elsewhere",
    "unparsed",
    "refused",
    "truncated",
    "capped",
    "missing",
]


class Outcome(NamedTuple):
    """The answer that a debate ended with, or why there is none.

    With `coin` a fair coin gave the answer; `probability` has its expectation. With
    `elsewhere` it takes more than the record to decide.
    """

    answer: str | None
    status: Decision


def most_confident(verdicts: Sequence[Turn]) -> Outcome:
    """The answer with the greater sum of stated confidences; a tie is given to nobody.

    A verdict whose answer could not be read does not count. Where a vote's confidence
    could not be read there is no sum, and so no winner: it might have turned it.
    """
    voted = [turn for turn in verdicts if turn.field("answer").status == Status.OK]
    unsure = [turn.field("confidence") for turn in voted]
    if any(confidence.status != Status.OK for confidence in unsure):
        return majority(field for field in unsure if field.status != Status.OK)
    if not voted:
        return majority(turn.field("answer") for turn in verdicts)
    sums: dict[str, float] = {}
    for turn, confidence in zip(voted, unsure, strict=True):
        answer = str(turn.field("answer").value)
        sums[answer] = sums.get(answer, 0.0) + float(confidence.value or 0)
    (answer, most), *others = sorted(sums.items(), key=lambda entry: -entry[1])
    tied = bool(others) and others[0][1] == most
    return Outcome(None, "tied") if tied else Outcome(answer, "ok")


def majority(votes: Iterable[Parsed]) -> Outcome:
    """The answer of most votes that could be read; a tie, or why none could be."""
    votes = list(votes)
    counts = Counter(str(vote.value) for vote in votes if vote.status == Status.OK)
    match counts.most_common(2):
        case [(answer, _)]:
            return Outcome(answer, "ok")
        case [(answer, most), (_, second)] if most > second:
            return Outcome(answer, "ok")
        case [_, _]:
            return Outcome(None, "tied")
    return Outcome(None, votes[0].status.value if votes else "missing")
