"""The log-probabilities of an answer's own tokens."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from inspect_ai.model import Logprob, ModelOutput

from inspect_debate.core.answer_marks import Span
from inspect_debate.core.record import AnswerTokens, TokensStatus
from inspect_debate.core.short_answer import find_answer
from inspect_debate.core.tags import repaired, split_reasoning
from inspect_debate.core.token_spelling import spellings, without_end

_ROUNDING = 1e-6
_MARK = "\x00"
_OPENED = re.compile(r"[\n>][^\S\n]{0,8}\Z")
_CUT_CHARACTER = "".join(map(chr, range(0xDC80, 0xDD00)))


def answer_tokens(output: ModelOutput, answer: str | None) -> AnswerTokens:
    """The tokens that hold the answer, with the logarithms of their probabilities.

    Each token that holds at least one of the answer's characters other than white
    space, and no other: not the label, quotation marks, the end of the line or of the
    message. A token that glues the answer to one of these cannot be divided and counts.

    The tokens have to spell the completion (both without their reasoning and what ends
    a message), or to end with it on a line of its own or after a control token: some
    lists hold the tokens of reasoning that the completion lacks. One that ends too
    early gives the answer's tokens if it has all of them.

    Args:
        output: What the model returned; its first completion counts.
        answer: What was read from that completion, by `short_answer`.

    Returns:
        The tokens in order, or why there are none (`TokensStatus`); `misaligned` also
        where the completion stands at the list's start and again at its end. A
        log-probability up to 1e-6 counts as a rounded 0.
    """
    if answer is None:
        return AnswerTokens(status="no_answer")
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content:
        return AnswerTokens(status="absent")
    said = split_reasoning(output.completion).visible.strip()
    span = find_answer(said)
    status: TokensStatus = "misaligned"
    if span is None or said[slice(*span)] != answer:
        return AnswerTokens(status=status)
    for content in (logprobs.content, without_end(logprobs.content)):
        for pieces in spellings(content):
            place = _place(pieces, said, span)
            if isinstance(place, Span):
                return _checked([content[i] for i in _overlapping(pieces, place)])
            status = "cut" if "cut" in (status, place) else status
    return AnswerTokens(status=status)


def mean_probability(tokens: AnswerTokens) -> float | None:
    """exp of the mean log-probability of an answer's tokens (SR-DCR, section 2.3).

    Returns:
        From 0 to 1; None unless the tokens' status is `ok`.
    """
    if tokens.status != "ok":
        return None
    return math.exp(math.fsum(tokens.logprobs) / len(tokens.logprobs))


def _place(pieces: Sequence[bytes], said: str, span: Span) -> Span | TokensStatus:
    """Which of the bytes are the answer `said[span]`, or why that cannot be told."""
    spelt = b"".join(pieces).decode(errors="surrogateescape").rstrip(_CUT_CHARACTER)
    visible = split_reasoning(spelt).visible.strip()
    before = _before(said, visible)
    if before is None:
        return "misaligned"
    if before + span.end > len(visible):
        return "cut"
    start = _unhidden(spelt, visible, before + span.start)
    if start is None:
        return "misaligned"
    end = start + span.end - span.start
    if repaired(spelt[start:end]) != said[slice(*span)]:
        return "misaligned"
    return Span(_bytes(spelt[:start]), _bytes(spelt[:end]))


def _before(said: str, visible: str) -> int | None:
    """How much the tokens spell before what was said; None if it is not their end."""
    if said.startswith(visible):
        return 0
    before = len(visible) - len(said)
    ends = visible.endswith(said) and _OPENED.search(visible[:before]) is not None
    return before if ends and not visible.startswith(said) else None


def _unhidden(text: str, visible: str, n: int) -> int | None:
    """Where in a text the character `n` of its visible part stands.

    None where reasoning stands both before and after it: only the places counted from
    the text's start and from its end are tried.
    """
    marked = visible[:n] + _MARK + visible[n:]
    first = len(text) - len(text.lstrip())
    for place in (first + n, len(text.rstrip()) - len(visible) + n):
        at_place = text[:place] + _MARK + text[place:]
        if split_reasoning(at_place).visible.strip() == marked:
            return place
    return None


def _bytes(text: str) -> int:
    return len(text.encode(errors="surrogateescape"))


def _overlapping(pieces: Sequence[bytes], span: Span) -> Iterator[int]:
    """The numbers of the tokens that hold some of the span besides white space."""
    ends = accumulate(len(piece) for piece in pieces)
    for i, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
        start = end - len(piece)
        own = piece[max(0, span.start - start) : max(0, span.end - start)]
        if own.decode(errors="replace").strip():
            yield i


def _checked(tokens: Sequence[Logprob]) -> AnswerTokens:
    values = [token.logprob for token in tokens]
    if not all(math.isfinite(value) and value <= _ROUNDING for value in values):
        return AnswerTokens(status="invalid")
    return AnswerTokens(
        status="ok",
        tokens=tuple(repaired(token.token) for token in tokens),
        logprobs=tuple(min(value, 0.0) for value in values),
    )
