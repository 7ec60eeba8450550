"""What a judge ruled on each answer, from the record alone."""

from collections.abc import Iterable, Sequence
from math import nan

from inspect_debate.core.record import DebateRecord, Order, Parsed, Status, Turn
from inspect_debate.core.voting import Outcome, majority

SEATS = ("debater_a", "debater_b")
"""Who may have put an answer to the judge."""

CORRECT = "correct"
"""The ruling on an answer that is held to be right; the other is `incorrect`."""

CLASSES = {
    (True, True): "win-win",
    (True, False): "A alone",
    (False, True): "B alone",
    (False, False): "loss-loss",
    (True,): "accepted",
    (False,): "rejected",
}
"""What rulings on both answers, or on the one, come to."""


def verdict_field(participant: str) -> str:
    """The field with the ruling on a participant's answer, or on a critic's stance."""
    return f"verdict_{participant}"


def confidence_field(participant: str) -> str:
    """The field with the probability that the ruling is right."""
    return f"confidence_{participant}"


def proposers(record: DebateRecord) -> list[str]:
    """The participants whose answers were put to the judge, in order."""
    answered = {turn.participant for turn in record.of_kind("answer")}
    return [seat for seat in SEATS if seat in answered]


def critic(record: DebateRecord) -> str | None:
    """The participant that spoke about another's answer, if there is one."""
    spoke = {turn.participant for turn in record.of_kind("speech")}
    silent = set(SEATS) - set(proposers(record))
    return next(iter(spoke & silent), None)


def last_stance(turns: Iterable[Turn]) -> str | None:
    """The stance that a critic took last, `agree` or `disagree`, if one was read."""
    stances = [turn.field("stance").value for turn in turns if turn.kind == "speech"]
    known = [str(stance) for stance in stances if stance is not None]
    return known[-1] if known else None


def deciding_order(record: DebateRecord) -> Order | None:
    """The order of the verdicts that decide: that of each judge's first."""
    return next((turn.order for turn in record.of_kind("verdict")), None)


def ruling(
    record: DebateRecord,
    participant: str,
    judge: str | None = None,
    order: Order | None = None,
) -> Outcome:
    """What was ruled on a participant's answer (or, of a critic, on its stance).

    Args:
        record: The debate.
        participant: Whose answer.
        judge: Count this judge's verdict only; that of most judges by default, where a
            tie is given to nobody.
        order: Count verdicts given in this order; by default those that decide.
    """
    field = verdict_field(participant)
    return majority(turn.field(field) for turn in _verdicts(record, judge, order))


def stated_confidence(
    record: DebateRecord, participant: str, order: Order | None = None
) -> float:
    """The mean confidence of the judges' rulings on an answer; NaN if none was read."""
    field = confidence_field(participant)
    stated = [turn.field(field).value for turn in _verdicts(record, None, order)]
    known = [float(value) for value in stated if value is not None]
    return sum(known) / len(known) if known else nan


def ruled(
    record: DebateRecord, judge: str | None = None, order: Order | None = None
) -> Outcome:
    """What the rulings on all answers come to, as one word of `CLASSES`.

    The judge's own answer, or why there is none, where no other was put to it.
    """
    found = [ruling(record, seat, judge, order) for seat in proposers(record)]
    if not found:
        return majority(turn.field("answer") for turn in record.of_kind("answer"))
    unread = next((one for one in found if one.answer is None), None)
    if unread is not None:
        return unread
    return Outcome(CLASSES[tuple(one.answer == CORRECT for one in found)], "ok")


def reward(scored: Turn, candidate: Turn) -> Parsed:
    """The reward of a candidate: how far the judge sides with its speaker, -1 to 1.

    The judge's confidence c that the speaker's answer (a critic's stance) is right
    counts as 2c - 1, and its confidence that it is not as -(2c - 1). There is none for
    a critic's candidate in which no stance could be read.

    Args:
        scored: The turn in which the candidate was ruled on.
        candidate: The candidate.
    """
    about, stance = str(scored.about), candidate.fields.get("stance")
    if stance is not None and stance.status != Status.OK:
        return Parsed(status=stance.status)
    verdict = scored.field(verdict_field(about))
    confidence = scored.field(confidence_field(about))
    for field in (verdict, confidence):
        if field.value is None:
            return Parsed(status=field.status)
    signed = 2 * float(confidence.value or 0) - 1
    return Parsed.ok(signed if verdict.value == CORRECT else -signed)


def best(rewards: Sequence[Parsed]) -> int:
    """The index of the highest reward; of several, and without any, the lowest."""
    values = [
        float(reward.value)
        if reward.status == Status.OK and reward.value is not None
        else -2.0
        for reward in rewards
    ]
    return values.index(max(values))


def _verdicts(
    record: DebateRecord, judge: str | None, order: Order | None
) -> list[Turn]:
    wanted = order or deciding_order(record)
    return [
        turn
        for turn in record.of_kind("verdict")
        if judge in (None, turn.participant) and turn.order == wanted
    ]
