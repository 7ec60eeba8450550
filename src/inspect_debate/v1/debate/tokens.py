"""The log-probabilities of an answer's own tokens, and of other answers' there."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from inspect_ai.model import Logprob, ModelOutput, TopLogprob

from inspect_debate.v1.debate.answers import Decision, Span, find_answer
from inspect_debate.v1.debate.parsing import repaired, split_reasoning
from inspect_debate.v1.debate.record import (
    AnswerTokens,
    Parsed,
    Place,
    Status,
    TokenProbabilities,
    TokensStatus,
)

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


# How probable each of some answers was where a completion decides between them.

UNSEEN = 0.01
"""How likely an answer may be at most that is not among a token's alternatives.

It counts as impossible then; where it may be likelier, nothing is known of it.
"""


def decision_probabilities(
    output: ModelOutput,
    decision: Decision | None,
    read: Parsed,
    *,
    reasoned: bool = False,
) -> TokenProbabilities:
    """How probable each answer was at the token that decides.

    The token is the first with which the completion tells the answers apart: "B" in
    "Answer: B", "in" in "incorrect". The alternatives at that place are read likewise,
    after what was written before ("1", " 1" and "**1" are spellings of one answer), and
    one that names no answer, or may be the beginning of several, counts for none.

    Args:
        output: What the model returned; its first completion counts.
        decision: Where it decides; None where that could not be found.
        read: How the decision was read.
        reasoned: Whether there are reasons elsewhere: the model's own reasoning, or an
            earlier completion of the turn.

    Returns:
        The probabilities, or why there are none.
    """
    if read.value is None or decision is None:
        cut = read.status in (Status.TRUNCATED, Status.CAPPED)
        return TokenProbabilities(status="truncated" if cut else "no_answer")
    completion = split_reasoning(output.completion).visible.strip()
    after = reasoned or _WORDS.search(completion[: decision.opens])
    place: Place = "after_reasons" if after else "before_reasons"
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content:
        return TokenProbabilities(status="missing", place=place)
    answer = str(read.value)
    span = _name_in(completion, decision, answer)
    if span is None:
        return TokenProbabilities(status="invalid", place=place)
    cut = False
    for content in (logprobs.content, without_end(logprobs.content)):
        for spell in spellers(content):
            pieces = [spell(token) for token in content]
            found = _place(pieces, completion, span)
            if isinstance(found, Span):
                at = _deciding(content, pieces, found, spell, decision.names)
                return _normalised(at, answer, list(decision.names), place)
            cut = cut or found == "cut"
    return TokenProbabilities(status="truncated" if cut else "invalid", place=place)


_WORDS = re.compile(r"[^\W_]")


def _name_in(completion: str, decision: Decision, answer: str) -> Span | None:
    """The first of the answer's names in the words of a decision."""
    names = sorted(decision.names[answer], key=len, reverse=True)
    form = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.I)
    match = form.search(completion, *decision.text)
    return Span(*match.span()) if match else None


class _Alternatives(NamedTuple):
    """What the tokens at one place name: the probabilities by answer, and of all."""

    by_answer: Mapping[str, float]
    listed: float
    valid: bool
    compared: bool


def _deciding(
    content: Sequence[Logprob],
    pieces: Sequence[bytes],
    place: Span,
    spell: Callable[[Logprob | TopLogprob], bytes],
    names: Mapping[str, Sequence[str]],
) -> _Alternatives | None:
    """The alternatives at the first token of a name that tells the answers apart."""
    whole = b"".join(pieces)
    ends = list(accumulate(map(len, pieces)))
    for i in _overlapping(pieces, place):
        start = ends[i] - len(pieces[i])
        before = _text(whole[place.start : max(start, place.start)])
        own = _text(whole[max(start, place.start) : min(ends[i], place.end)])
        glued = _text(whole[start : place.start])
        if _named(before + own, names) is None:
            continue
        token = content[i]
        options = {spell(token): token.logprob}
        options |= {spell(one): one.logprob for one in token.top_logprobs or ()}
        values = list(options.values())
        by_answer = dict.fromkeys(names, 0.0)
        for piece, logprob in options.items():
            text = _text(piece).removeprefix(glued)
            named = _named(before + text if before else text, names)
            if named is not None:
                by_answer[named] += math.exp(min(logprob, 0.0))
        listed = sum(math.exp(min(value, 0.0)) for value in values)
        valid = all(math.isfinite(v) and v <= _ROUNDING for v in values)
        return _Alternatives(
            by_answer, listed, valid and listed < 1 + UNSEEN, bool(token.top_logprobs)
        )
    return None


def _text(piece: bytes) -> str:
    return piece.decode(errors="replace")


def _named(text: str, names: Mapping[str, Sequence[str]]) -> str | None:
    """The only answer that a beginning of its name, or more, may be meant for."""
    start = _WORDS.search(text)
    if start is None:
        return None
    text = " ".join(text[start.start() :].casefold().split())
    exact, begun = set(), set()
    for answer, called in names.items():
        for name in (one.casefold() for one in called):
            rest = text[len(name) :]
            if text.startswith(name) and not _WORDS.match(rest):
                exact.add(answer)
            elif name.startswith(text):
                begun.add(answer)
    found = exact or begun
    return found.pop() if len(found) == 1 else None


def _normalised(
    at: _Alternatives | None, answer: str, answers: Sequence[str], place: Place
) -> TokenProbabilities:
    if at is None or not at.valid:
        return TokenProbabilities(status="invalid", place=place)
    unseen = any(at.by_answer[other] == 0 for other in answers)
    if not at.compared or (unseen and 1 - at.listed > UNSEEN):
        return TokenProbabilities(status="missing", place=place)
    mass = sum(at.by_answer.values())
    if not mass or not at.by_answer[answer]:
        return TokenProbabilities(status="invalid", place=place)
    return TokenProbabilities(
        status="ok",
        place=place,
        by_answer={name: p / mass for name, p in at.by_answer.items()},
        mass=min(mass, 1.0),
    )


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
    for spell in spellers(content):
        yield [spell(token) for token in content]


def spellers(
    content: Sequence[Logprob],
) -> Iterator[Callable[[Logprob | TopLogprob], bytes]]:
    """What gives the bytes of a token, in every way in which providers send them."""
    if all(_has_bytes(token) for token in content):
        yield lambda token: bytes(token.bytes) if token.bytes else _encoded(token.token)
    yield lambda token: _encoded(token.token)
    with_marks = any(_SPACE_MARK in token.token for token in content)
    spell = _from_marks if with_marks else _from_alphabet
    yield lambda token: spell(token.token)


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
