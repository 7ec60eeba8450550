"""Votes, and what a debate decided, as a pure function of its record."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from inspect_debate.v1.debate.matching import canonical, right_answer
from inspect_debate.v1.debate.record import DebateRecord, Order, Parsed, Status, Turn

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


def votes_missing(record: DebateRecord) -> bool:
    """Whether votes are missing because of what others said (`second_order_below`).

    The outcome needs none of them. But whoever was asked only where others disagreed
    disagrees more often than it would, so nothing else is computed of such votes.
    """
    return bool(record.parameters.get("second_order_below"))


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
        a majority of one; a tie is reported and has no winner). Without, what the last
        answers say by the record's rule of aggregation.
    """
    verdicts = [
        turn
        for turn in record.of_kind("verdict")
        if judge in (None, turn.participant) and order in (None, turn.order)
    ]
    if record.aggregation in ("arbitration", "rulings", "appeal"):
        return Outcome(None, "elsewhere")
    if record.aggregation == "first":
        verdicts = verdicts[:1]
    if record.of_kind("verdict"):
        return majority(turn.field("answer") for turn in verdicts)
    answers = [turn.field("answer") for turn in record.last_answers()]
    if record.aggregation == "majority":
        return majority(answers)
    unread = next((a for a in answers if a.status != Status.OK), None)
    if unread is not None:
        return Outcome(None, unread.status.value)
    if record.drawn is not None:
        return Outcome(record.drawn, "coin")
    return majority(answers)


def probability(record: DebateRecord, answer: str) -> float | None:
    """The probability that a debate ends with an answer; None if it ends with none.

    It is 0 or 1, except after a random tie-break between differing answers: there it is
    the share of them that say so.
    """
    decided = outcome(record)
    if decided.answer is None:
        return None
    if decided.status != "coin":
        return float(decided.answer == answer)
    answers = [turn.field("answer").value for turn in record.last_answers()]
    return answers.count(answer) / len(answers)


def judges_of(record: DebateRecord) -> list[str]:
    """The ids of the judges that were bound, in order."""
    return [p.id for p in record.participants if p.role == "judge"]


# Answers in words: how they were put, and which of them are right.

SAID = "said"
"""The field of an answer as it was put; `answer` has its canonical form."""


class Graded(NamedTuple):
    """A record in which all right answers are one, and that answer."""

    record: DebateRecord
    gold: str


def given_answers(turns: Iterable[Turn]) -> dict[str, str]:
    """The answers that turns gave, by canonical form, as each was put first."""
    given: dict[str, str] = {}
    for turn in turns:
        if (value := turn.field("answer").value) is not None:
            given.setdefault(str(value), str(turn.field(SAID).value or value))
    return given


def right_forms(record: DebateRecord, accepted: Sequence[str]) -> set[str]:
    """The forms of the right answer, of which free answers can have several.

    Args:
        record: The debate.
        accepted: The answers that count as right: one, unless answers are free.
    """
    if not record.answers_free:
        return {"".join(accepted)}
    return {canonical(accepted[0])} | {
        choice
        for choice, answer in given_answers(record.turns).items()
        if any(right_answer(answer, one) for one in accepted)
    }


def graded(record: DebateRecord, accepted: Sequence[str]) -> Graded:
    """A record as it is to be scored.

    Two answers in words can be right in different forms ("400", "400 mg"). Scores count
    them as one: neither is wrong, and judges who pick one each do not disagree.

    Args:
        record: The debate.
        accepted: The answers that count as right: one, unless answers are free.

    Returns:
        Where answers are free, the record with the form of the first accepted answer in
        place of all right ones; otherwise the record as it is.
    """
    if not record.answers_free:
        return Graded(record, "".join(accepted))
    gold = canonical(accepted[0])
    right = dict.fromkeys(right_forms(record, accepted), gold)
    return Graded(_with(record, right), gold)


def _with(record: DebateRecord, forms: Mapping[str, str]) -> DebateRecord:
    """A record with other forms in place of some answers."""
    if all(form == choice for choice, form in forms.items()):
        return record

    def other(choice: str | None) -> str | None:
        return None if choice is None else forms.get(choice, choice)

    def renamed(turn: Turn) -> Turn:
        fields = {
            name: Parsed.ok(forms.get(str(field.value), field.value))
            if name in ("answer", "final") and field.value is not None
            else field
            for name, field in turn.fields.items()
        }
        listed = other(turn.listed_first)
        return turn.model_copy(update={"fields": fields, "listed_first": listed})

    return record.model_copy(
        update={
            "choices": tuple(dict.fromkeys(forms.get(c, c) for c in record.choices)),
            "drawn": other(record.drawn),
            "turns": tuple(map(renamed, record.turns)),
            "participants": tuple(
                p.model_copy(update={"defends": other(p.defends)})
                for p in record.participants
            ),
        }
    )
