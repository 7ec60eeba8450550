"""Votes, and what a debate decided, as a pure function of its record."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
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


def most_confident(verdicts: Sequence[Turn]) -> Outcome:
    """The answer with the greater sum of stated confidences; a tie has no winner.

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


def votes_missing(record: DebateRecord) -> bool:
    """Whether votes are missing because of what others said (`second_order_below`).

    The outcome needs none of them. But whoever was asked only where others disagreed
    disagrees more often than it would, so nothing else is computed of such votes.
    """
    return bool(record.parameters.get("second_order_below"))


Rule = Callable[[DebateRecord, str | None, Order | None], Outcome]
"""One way to decide a record, by one judge's verdicts or all, in one order or both."""

Rules = Callable[[DebateRecord], dict[str, Rule]]
"""The ways to decide a protocol's records, the same for all records of a run."""

_RULES: dict[tuple[str, str], Rules] = {}


def decides(study: str, *protocols: str) -> Callable[[Rules], Rules]:
    """Register how the records of some protocols are decided, beside the protocols."""

    def register(rules: Rules) -> Rules:
        for protocol in protocols:
            _RULES[study, protocol] = rules
        return rules

    return register


def rules_of(record: DebateRecord) -> dict[str, Rule]:
    """The ways to decide a record, by name; that of its protocol has its name."""
    if (record.study, record.protocol) not in _RULES:
        # Whoever reads logs has not imported the protocols.
        import_module("inspect_debate.v1.registry")
    return _RULES[record.study, record.protocol](record)


def own_condition(record: DebateRecord) -> str:
    """The name of the rule of a record's own protocol; of several that after the last
    round.
    """
    rules, protocol = rules_of(record), record.protocol
    own = [name for name in rules if name.startswith(f"{protocol}_")]
    return own[-1] if own and protocol not in rules else protocol


def elsewhere(*_: object) -> Outcome:
    """It takes more than the record to decide."""
    return Outcome(None, "elsewhere")


def own_rule(record: DebateRecord) -> Rule:
    """The rule of a record's own protocol."""
    return rules_of(record).get(own_condition(record), elsewhere)


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
        a majority of one; a tie is reported and has no winner), or, by the record's
        rule of aggregation, that with the greater sum of confidences. Without, what the
        last answers say by that rule.
    """
    verdicts = [
        turn
        for turn in record.of_kind("verdict")
        if judge in (None, turn.participant) and order in (None, turn.order)
    ]
    if record.aggregation in ("arbitration", "rulings", "appeal"):
        return own_rule(record)(record, judge, order)
    if record.aggregation == "first":
        verdicts = verdicts[:1]
    if verdicts and record.aggregation == "confidence":
        return most_confident(verdicts)
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
