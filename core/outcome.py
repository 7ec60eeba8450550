"""What a debate decided, as a pure function of its record."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from inspect_debate.core.record import DebateRecord, Order, Parsed, Status

Decision = Literal["ok", "tied", "unparsed", "refused", "truncated", "missing"]


class Outcome(NamedTuple):
    """The answer that a debate ended with, or why there is none."""

    answer: str | None
    status: Decision


def outcome(
    record: DebateRecord, judge: str | None = None, order: Order | None = None
) -> Outcome:
    """The answer that a debate ended with.

    Args:
        record: A complete record.
        judge: Count this judge's verdicts only; all judges' by default.
        order: Count verdicts given in this order only; all orders' by default.

    Returns:
        With verdicts, the answer of most of those that could be read (one verdict is
        a majority of one; a tie is said and given to nobody). Without, the answer of
        most first answers, all of which have to be readable.
    """
    verdicts = record.of_kind("verdict")
    if verdicts:
        return majority(
            turn.field("answer")
            for turn in verdicts
            if judge in (None, turn.participant) and order in (None, turn.order)
        )
    answers = [turn.field("answer") for turn in record.of_kind("answer")]
    unread = next((a for a in answers if a.status != Status.OK), None)
    return majority(answers) if unread is None else Outcome(None, unread.status.value)


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


def judges_of(record: DebateRecord) -> list[str]:
    """The ids of the judges that were bound, in order."""
    return [p.id for p in record.participants if p.role == "judge"]
