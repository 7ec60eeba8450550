"""How probable a judge held each answer: in words, by tokens, and by further draws.

The three are never pooled, nor are decisions before and after their reasons.
"""

from collections.abc import (
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import replace
from math import fsum
from types import MappingProxyType
from typing import Literal, NamedTuple

from inspect_debate.v1.debate.calls import Reading
from inspect_debate.v1.debate.engine import TurnKind
from inspect_debate.v1.debate.parsing import stated_percent
from inspect_debate.v1.debate.record import (
    PROBABILITY_OF,
    DebateRecord,
    Order,
    Parsed,
    Place,
    Status,
    Turn,
)
from inspect_debate.v1.debate.settings import Judging

PROBABILITY = "probability"
"""The field of a verdict with the probability that it is right, from 0 to 1."""

QUESTION_ALONE = "question_alone"
"""What a belief is about that is asked for before there are answers or speeches."""

_STATED = "_stated"


def as_judged(
    turn: TurnKind, judging: Judging, *first: tuple[str, str], begins: bool = False
) -> TurnKind:
    """A verdict as the settings want it: with a probability, or before its reasons.

    Args:
        turn: The verdict as the study has it.
        judging: The settings.
        first: Keys of its prompts, with those of the prompts in their place where the
            verdict comes before its reasons.
        begins: Whether the study's verdict does so anyhow.
    """
    if judging.first and not begins:
        turn = replace(turn, instead=first, form=f"{turn.form}_first")
    if judging.stated:
        early = judging.first or begins
        also = "stated_probability_first" if early else "stated_probability"
        form = f"{turn.form}{_STATED}"
        turn = replace(turn, also=(also,), form=form, combined=_with_probability)
    return turn


def as_drawn(turn: TurnKind, draw: int) -> TurnKind:
    """A verdict, or a further draw of it, which decides nothing.

    Args:
        turn: The verdict.
        draw: The number of the draw; 0 for the verdict itself.
    """
    if not draw:
        return turn
    return replace(turn, kind="verdict_sample", asked_for_as=turn.settings_of)


def states_probability(turn: TurnKind) -> bool:
    """Whether a kind of turn asks for a probability in words."""
    return turn.form.endswith(_STATED) or turn.kind == "belief"


def with_probability(
    turn: TurnKind,
    reading: Reading,
    text: str,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Reading:
    """A verdict with the probability that it states, where it is asked for.

    Args:
        turn: The kind of verdict.
        reading: The verdict without it.
        text: The reply.
        names: What more than two answers are called, each of which has a probability.
    """
    if not states_probability(turn):
        return reading
    if not names:
        stated = {PROBABILITY: stated_percent(text, "Probability")}
    else:
        each = _each(text, names)
        chosen = str(reading.fields["answer"].value)
        stated = {PROBABILITY: each.get(chosen, Parsed.unparsed())}
        stated |= {PROBABILITY_OF + answer: p for answer, p in each.items()}
    return replace(reading, fields=reading.fields | stated)


_OFF = 0.05
"""By how much stated probabilities may miss a sum of 1, at which they are put."""


def _each(text: str, names: Mapping[str, str]) -> dict[str, Parsed]:
    """The stated probability of each answer; none where they do not sum to 1."""
    found = {a: stated_percent(text, f"Probability {n}") for a, n in names.items()}
    values = [_number(one) for one in found.values()]
    total = fsum(p for p in values if p is not None)
    if None in values or abs(total - 1) > _OFF:
        return dict.fromkeys(names, Parsed.unparsed())
    return {a: Parsed.ok(float(p.value or 0) / total) for a, p in found.items()}


def _with_probability(earlier: Reading, later: Reading) -> Reading:
    """The verdict of a re-ask, with the probability given before if it has none."""
    before = {n: p for n, p in earlier.fields.items() if n.startswith(PROBABILITY)}
    if before[PROBABILITY].value is None or later.fields[PROBABILITY].value is not None:
        return later
    return replace(later, fields=later.fields | before)


Channel = Literal["stated", "token", "sampled"]


class JudgedProbability(NamedTuple):
    """A judge's probability that a claim is true.

    Attributes:
        judge: The judge's id.
        kind: `verdict`, `second_verdict` (after a challenge) or `belief`.
        round: After which round; 0 for a verdict at the end, and before round 1.
        alone: Whether the judge knew the question alone.
        order: In which order it was shown the debate.
        channel: How the probability was given: stated in words, the probability of the
            decision's token, or the share of further draws.
        place: Whether the decision was written before its reasons or after them.
        claim: What is held to be true: an answer's being right.
        among: Of how many claims at most one is true.
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
    among: int
    p: float | None
    status: str


def judged_probabilities(record: DebateRecord) -> list[JudgedProbability]:
    """All probabilities that judges gave in a debate.

    Args:
        record: The debate.

    Returns:
        For each verdict and belief, each channel that was asked for and each claim one
        row; of a claim that nothing was said about, none.
    """
    rows: list[JudgedProbability] = []
    for turn in record.turns:
        if turn.kind in _JUDGED and turn.about in (None, QUESTION_ALONE):
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
    among: int = 1,
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
        among,
        p,
        status,
    )


_JUDGED = ("verdict", "second_verdict", "belief")


def _stated(record: DebateRecord, turn: Turn) -> Iterator[JudgedProbability]:
    """What a verdict says of its own answer, or of each."""
    each = {n: f for n, f in turn.fields.items() if n.startswith(PROBABILITY_OF)}
    for name, sure in each.items():
        claim, p = name.removeprefix(PROBABILITY_OF), _number(sure)
        yield _row(turn, "stated", claim, p, str(sure.status), among=len(each))
    if PROBABILITY in turn.fields and not each:
        yield from _of_answer(
            record, turn, "stated", turn.fields[PROBABILITY], decision(turn)
        )


def decision(turn: Turn) -> Parsed:
    """What a judge decided: its answer, or whether to rely on a passage."""
    return turn.fields.get("answer") or turn.field("verdict")


def _of_answer(
    record: DebateRecord, turn: Turn, channel: Channel, sure: Parsed, answer: Parsed
) -> Iterator[JudgedProbability]:
    p, claims = _number(sure), _claims(record, turn)
    among = len(claims)
    if p is None or answer.value is None:
        status = str(sure.status if p is None else answer.status)
        for claim in claims:
            yield _row(turn, channel, claim, None, status, among=among)
        return
    yield _row(turn, channel, str(answer.value), p, "ok", among=among)
    others = [claim for claim in claims if claim != answer.value]
    if len(others) == 1:
        yield _row(turn, channel, others[0], 1 - p, "ok", among=among)


def _number(parsed: Parsed) -> float | None:
    return float(parsed.value) if isinstance(parsed.value, float | int) else None


def _claims(record: DebateRecord, turn: Turn) -> tuple[str, ...]:
    """What a judge decides between: the answers that are defended, or all."""
    if "verdict" in turn.fields:
        return ("reasonable", "unreasonable")
    if turn.about == QUESTION_ALONE:  # nobody knows yet which answers are defended
        return record.choices
    defended = dict.fromkeys(p.defends for p in record.participants if p.defends)
    return tuple(map(str, defended)) if len(defended) == 2 else record.choices


def _by_token(record: DebateRecord, turn: Turn) -> Iterator[JudgedProbability]:
    given = turn.probabilities or {}
    for field in given.keys() & {"answer", "verdict"}:
        found = given[field]
        claims = [*found.by_answer] or _claims(record, turn)
        for claim in claims:
            p, status = found.by_answer.get(claim), found.status
            yield _row(turn, "token", claim, p, status, found.place, len(claims))


def _sampled(record: DebateRecord) -> Iterator[JudgedProbability]:
    """The share of a judge's further draws that give each answer.

    None where fewer than half of them could be read.
    """
    drawn: dict[tuple[str, int, Order | None], list[Turn]] = {}
    for turn in record.of_kind("verdict_sample"):
        key = (turn.participant, turn.round, turn.order)
        drawn.setdefault(key, []).append(turn)
    for turns in drawn.values():
        first = turns[0].model_copy(update={"kind": "verdict"})
        decisions = [decision(turn) for turn in turns]
        for claim in (claims := _claims(record, first)):
            p, status = _share(decisions, claim)
            yield _row(first, "sampled", claim, p, status, among=len(claims))


def _share(decisions: Sequence[Parsed], value: str) -> tuple[float | None, str]:
    read = [one.value for one in decisions if one.status == Status.OK]
    if not read or 2 * len(read) < len(decisions):
        return None, "unparsed"
    return read.count(value) / len(read), "ok"
