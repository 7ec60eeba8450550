"""The log-probabilities of an answer's own tokens."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from inspect_ai.model import Logprob, ModelOutput

from inspect_debate.debate.answers import Span, find_answer
from inspect_debate.debate.parsing import repaired, split_reasoning
from inspect_debate.debate.record import AnswerTokens, TokensStatus

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
        where the list has the completion at its start and again at its end. A
        log-probability up to 1e-6 counts as a rounded 0.
    """
    if answer is None:
        return AnswerTokens(status="no_answer")
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content:
        return AnswerTokens(status="absent")
    completion = split_reasoning(output.completion).visible.strip()
    span = find_answer(completion)
    status: TokensStatus = "misaligned"
    if span is None or completion[slice(*span)] != answer:
        return AnswerTokens(status=status)
    for content in (logprobs.content, without_end(logprobs.content)):
        for pieces in spellings(content):
            place = _place(pieces, completion, span)
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


def _place(pieces: Sequence[bytes], completion: str, span: Span) -> Span | TokensStatus:
    """Which bytes are the answer `completion[span]`, or why that is not known."""
    spelt = b"".join(pieces).decode(errors="surrogateescape").rstrip(_CUT_CHARACTER)
    visible = split_reasoning(spelt).visible.strip()
    before = _before(completion, visible)
    if before is None:
        return "misaligned"
    if before + span.end > len(visible):
        return "cut"
    start = _unhidden(spelt, visible, before + span.start)
    if start is None:
        return "misaligned"
    end = start + span.end - span.start
    if repaired(spelt[start:end]) != completion[slice(*span)]:
        return "misaligned"
    return Span(_bytes(spelt[:start]), _bytes(spelt[:end]))


def _before(completion: str, visible: str) -> int | None:
    """How much the tokens spell before the completion; None if it is not their end."""
    if completion.startswith(visible):
        return 0
    before = len(visible) - len(completion)
    ends = visible.endswith(completion) and _OPENED.search(visible[:before]) is not None
    return before if ends and not visible.startswith(completion) else None


def _unhidden(text: str, visible: str, n: int) -> int | None:
    """Where in a text the character `n` of its visible part is.

    None where there is reasoning both before and after it: only the places counted from
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


# What a list of tokens spells, in bytes: a character may be split between tokens.

_END = re.compile(r"\s*+(?:<(?!\s*+/?\s*+think\b)[^<>]+>\s*)?", re.I)
_SPACE_MARK = "▁"
_BYTE_MARK = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_REST = [byte for byte in range(0x100) if byte not in _PRINTABLE]
_BYTE_OF = {chr(byte): byte for byte in _PRINTABLE} | {
    chr(0x100 + n): byte for n, byte in enumerate(_REST)
}


def without_end(content: Sequence[Logprob]) -> Sequence[Logprob]:
    """The tokens without those that end the message: "<|eot_id|>", "</s>", blanks.

    `</think>` does not: the text before it is no message.
    """
    end = len(content)
    while end and _END.fullmatch(content[end - 1].token):
        end -= 1
    return content[:end]


def spellings(content: Sequence[Logprob]) -> Iterator[list[bytes]]:
    """The bytes of each token, in every way in which providers send them.

    By their `bytes`, where all have them; by their text; by a vocabulary's own spelling
    ("ĠParis", "▁Paris", "<0xC3>"), which Inspect's `hf` provider gives. Some providers
    send code points as `bytes`, so which way is right only the completion can tell.
    """
    if all(_has_bytes(token) for token in content):
        yield [bytes(token.bytes or ()) for token in content]
    yield [_encoded(token.token) for token in content]
    with_marks = any(_SPACE_MARK in token.token for token in content)
    spell = _from_marks if with_marks else _from_alphabet
    yield [spell(token.token) for token in content]


def _has_bytes(token: Logprob) -> bool:
    if not token.bytes:
        return not token.token
    return all(0 <= byte <= 0xFF for byte in token.bytes)


def _encoded(text: str) -> bytes:
    return repaired(text).encode()


def _from_marks(token: str) -> bytes:
    """A SentencePiece token."""
    if byte := _BYTE_MARK.fullmatch(token):
        return bytes.fromhex(byte[1])
    return _encoded(token.replace(_SPACE_MARK, " "))


def _from_alphabet(token: str) -> bytes:
    """A token of byte-level BPE, which has a printable character for every byte."""
    return b"".join(
        bytes([_BYTE_OF[c]]) if c in _BYTE_OF else _encoded(c) for c in token
    )
