"""How sure a model is of an answer: by log-probabilities, or by answering again."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from inspect_debate.v1.debate.matching import same_answer
from inspect_debate.v1.debate.record import (
    AnswerTokens,
    DebateRecord,
    Parsed,
    Status,
    first_answer,
)
from inspect_debate.v1.debate.tokens import mean_probability

ConfidenceFrom = Literal["logprobs", "self_consistency", "both", "auto"]
"""Where a confidence is taken from.

`logprobs`: the mean log-probability of the answer's tokens. `self_consistency`: the
share of further answers that are the same. `auto`: log-probabilities where they come
back, else further answers; `both` asks for both and uses them likewise.
"""

Source = Literal["logprobs", "self_consistency"]


class Estimate(NamedTuple):
    """How sure a model is of an answer.

    Attributes:
        value: The confidence that counts, from 0 to 1; None where there is none.
        source: What it was taken from.
        reason: Why from there, or why there is none.
        logprobs: exp of the mean log-probability of the answer's tokens, if known.
        consistency: Share of the further answers that are the same, of those that could
            be read; None where these are less than half.
        draws: How many could be read.
    """

    value: float | None
    source: Source | None
    reason: str
    logprobs: float | None = None
    consistency: float | None = None
    draws: int = 0


def answer_of(record: DebateRecord, participant: str) -> Parsed:
    """A participant's own first answer; `missing` where it was not asked."""
    turn = first_answer(record.turns, participant)
    return Parsed() if turn is None else turn.field("answer")


def estimate(record: DebateRecord, participant: str) -> Estimate:
    """How sure a participant was of its first answer (SR-DCR, section 2.3).

    Args:
        record: A record with that answer and, where asked for, its tokens and further
            answers to the same question (`sample`).
        participant: Whose answer.
    """
    turn = first_answer(record.turns, participant)
    answer = Parsed() if turn is None else turn.field("answer")
    if turn is None or answer.value is None:
        return Estimate(None, None, f"the answer is {answer.status}")
    tokens = turn.tokens
    logprobs = None if tokens is None else mean_probability(tokens)
    further = [
        t.field("answer")
        for t in record.of_kind("sample")
        if t.participant == participant
    ]
    consistency, draws = share_of(str(answer.value), further)
    wanted = record.parameters.get("confidence_from", "auto")
    if logprobs is not None and wanted != "self_consistency":
        source: Source | None = "logprobs"
        reason = "its tokens have log-probabilities"
    elif consistency is not None and wanted != "logprobs":
        source = "self_consistency"
        reason = f"{draws} further answers were compared" + (
            ""
            if wanted == "self_consistency" or tokens is None
            else f", as its log-probabilities are {tokens.status}"
        )
    else:
        source, reason = None, _why_none(wanted, tokens, further)
    value = {"logprobs": logprobs, "self_consistency": consistency, None: None}[source]
    return Estimate(value, source, reason, logprobs, consistency, draws)


def share_of(answer: str, given: Sequence[Parsed]) -> tuple[float | None, int]:
    """The share of answers that say the same, and of how many: those that were read."""
    read = readable(given)
    if not enough(read, given):
        return None, len(read)
    return sum(same_answer(answer, other) for other in read) / len(read), len(read)


def readable(given: Sequence[Parsed]) -> list[str]:
    """The answers among several draws that could be read."""
    return [str(other.value) for other in given if other.status == Status.OK]


def enough(read: Sequence[str], given: Sequence[Parsed]) -> bool:
    """Whether a share of draws says something: at least half of them could be read."""
    return bool(read) and 2 * len(read) >= len(given)


def on_one_scale(
    record: DebateRecord, *participants: str
) -> tuple[Source | None, list[float]]:
    """The confidences of several participants, all from one source.

    A token probability and a share of draws are no numbers to compare.

    Returns:
        The source, log-probabilities if all have them, and the confidences; None, and
        nothing, where no source has all.
    """
    found = [estimate(record, who) for who in participants]
    scales: dict[Source, list[float | None]] = {
        "logprobs": [each.logprobs for each in found],
        "self_consistency": [each.consistency for each in found],
    }
    if record.parameters.get("confidence_from") == "self_consistency":
        del scales["logprobs"]
    for source, values in scales.items():
        known = [value for value in values if value is not None]
        if len(known) == len(found):
            return source, known
    return None, []


def _why_none(
    wanted: str, tokens: AnswerTokens | None, further: Sequence[Parsed]
) -> str:
    why = []
    if tokens is not None and wanted != "self_consistency":
        why.append(f"its log-probabilities are {tokens.status}")
    if further and wanted != "logprobs":
        why.append(
            f"{len(readable(further))} of {len(further)} further answers could be read"
        )
    return ", and ".join(why) or "nothing was asked for"
