"""How probable a judge held each answer: in words, by tokens, and by further draws.

The three are never pooled, nor are decisions before and after their reasons.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from inspect_debate.debate.record import (
    DebateRecord,
    Order,
    Parsed,
    Place,
    Status,
    Turn,
)

PROBABILITY = "probability"
"""The field of a verdict with the probability that it is right, from 0 to 1."""

QUESTION_ALONE = "question_alone"
"""What a belief is about that is asked for before there are answers or speeches."""

Channel = Literal["stated", "token", "sampled"]


class JudgedProbability(NamedTuple):
    """A judge's probability that a claim is true.

    Attributes:
        judge: The judge's id.
        kind: `verdict`, or `belief`.
        round: After which round; 0 for a verdict at the end, and before round 1.
        alone: Whether the judge knew the question alone.
        order: In which order it was shown the debate.
        channel: How the probability was given: stated in words, the probability of the
            decision's token, or the share of further draws.
        place: Whether the decision was written before its reasons or after them.
        claim: What is held to be true: an answer's being right; for rulings, the id of
            a participant, whose answer is correct.
        p: The probability, from 0 to 1; None unless `status` is `ok`.
        status: Whether there is one, or why not.
    """

    judge: str
    kind: str
    round: int
    alone: bool
    order: Order | None
    channel: Channel
    place: Place | None
    claim: str
    p: float | None
    status: str


def judged_probabilities(record: DebateRecord) -> list[JudgedProbability]:
    """All probabilities that judges gave in a debate.

    Args:
        record: The debate.

    Returns:
        For each verdict and belief, each channel that was asked for and each claim one
        row; of a claim that nothing was said about, none. A probability in words of an
        answer among more than two says nothing about each of the others.
    """
    rows: list[JudgedProbability] = []
    for turn in record.turns:
        if turn.kind in ("verdict", "belief") and turn.about in (None, QUESTION_ALONE):
            rows += _stated(record, turn)
            rows += _by_token(record, turn)
    return [*rows, *_sampled(record)]


def _row(
    turn: Turn,
    channel: Channel,
    claim: str,
    p: float | None,
    status: str,
    place: Place | None = None,
) -> JudgedProbability:
    return JudgedProbability(
        turn.participant,
        turn.kind,
        turn.round,
        turn.about == QUESTION_ALONE,
        turn.order,
        channel,
        place,
        claim,
        p,
        status,
    )


_CONFIDENCES = "confidence_"
_VERDICTS = "verdict_"
_REJECTED = "incorrect"


def _stated(record: DebateRecord, turn: Turn) -> Iterator[JudgedProbability]:
    """What a verdict says of its own answer, or of each that it rules on."""
    ruled = [name for name in turn.fields if name.startswith(_CONFIDENCES)]
    for name in ruled:
        id = name.removeprefix(_CONFIDENCES)
        verdict, sure = turn.field(_VERDICTS + id), turn.field(name)
        p = _number(sure)
        if p is not None and verdict.value is None:
            yield _row(turn, "stated", id, None, str(verdict.status))
        else:
            against = p is not None and verdict.value == _REJECTED
            yield _row(
                turn, "stated", id, 1 - (p or 0) if against else p, str(sure.status)
            )
    if PROBABILITY in turn.fields:
        yield from _of_answer(
            record, turn, "stated", turn.fields[PROBABILITY], turn.field("answer")
        )


def _of_answer(
    record: DebateRecord, turn: Turn, channel: Channel, sure: Parsed, answer: Parsed
) -> Iterator[JudgedProbability]:
    p, claims = _number(sure), _claims(record)
    if p is None or answer.value is None:
        status = sure.status if p is None else answer.status
        for claim in claims:
            yield _row(turn, channel, claim, None, str(status))
        return
    yield _row(turn, channel, str(answer.value), p, "ok")
    others = [claim for claim in claims if claim != answer.value]
    if len(others) == 1:
        yield _row(turn, channel, others[0], 1 - p, "ok")


def _number(parsed: Parsed) -> float | None:
    return float(parsed.value) if isinstance(parsed.value, float | int) else None


def _claims(record: DebateRecord) -> tuple[str, ...]:
    """The answers between which judges decide: those defended, or all."""
    defended = dict.fromkeys(p.defends for p in record.participants if p.defends)
    return tuple(map(str, defended)) if len(defended) == 2 else record.choices


def _by_token(record: DebateRecord, turn: Turn) -> Iterator[JudgedProbability]:
    for field, found in (turn.probabilities or {}).items():
        if field.startswith(_VERDICTS):
            p = 1 - found.by_answer[_REJECTED] if found.status == "ok" else None
            id = field.removeprefix(_VERDICTS)
            yield _row(turn, "token", id, p, found.status, found.place)
            continue
        for claim in found.by_answer or dict.fromkeys(_claims(record), 0.0):
            p = found.by_answer.get(claim)
            yield _row(turn, "token", claim, p, found.status, found.place)


def _sampled(record: DebateRecord) -> Iterator[JudgedProbability]:
    """The share of a judge's further draws that give each answer.

    None where fewer than half of them could be read.
    """
    drawn: dict[tuple[str, Order | None], list[Turn]] = {}
    for turn in record.of_kind("verdict_sample"):
        drawn.setdefault((turn.participant, turn.order), []).append(turn)
    for turns in drawn.values():
        first = turns[0].model_copy(update={"kind": "verdict"})
        answers = [turn.field("answer") for turn in turns]
        read = [a.value for a in answers if a.status == Status.OK]
        enough = 2 * len(read) >= len(answers)
        for claim in _claims(record):
            p = read.count(claim) / len(read) if enough else None
            yield _row(first, "sampled", claim, p, "ok" if enough else "unparsed")
