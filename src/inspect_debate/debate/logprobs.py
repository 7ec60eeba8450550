"""Log-probabilities of an answer's own tokens, and of the options in its place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp, fsum, isnan

from inspect_ai.model import Logprob, ModelOutput

from inspect_debate.debate.text import split_reasoning


def answer_tokens(
    output: ModelOutput, reply: str, start: int, end: int
) -> list[Logprob]:
    """The tokens of `reply[start:end]`, a reply being a completion without reasoning.

    All that hold a character of it other than white space; a token that glues it to
    what is around it cannot be divided and counts.

    Returns:
        The tokens; empty where the provider sent none, where they do not spell the
        reply (they may also spell reasoning that the completion lacks, and end early if
        they have the whole answer), or where one has no valid log-probability.
    """
    logprobs = output.choices[0].logprobs if output.choices else None
    sent = logprobs.content if logprobs else []
    for content in (sent, _without_end(sent)):
        for pieces in _spellings(content):
            if place := _place(b"".join(pieces), reply, start, end):
                held = [content[n] for n in _holding(pieces, *place)]
                valid = (float("-inf") < one.logprob <= _ROUNDING for one in held)
                return held if all(valid) else []
    return []


def option_probabilities(
    tokens: list[Logprob], names: Mapping[str, str]
) -> dict[str, float]:
    """The probability of each option at the first token of an answer.

    The names are what options are called in the reply, such as "1".

    Returns:
        Probabilities by option, which sum to 1 over the options; empty where no
        alternatives were sent, none of them names an option, or an option that is not
        among them may have more than 1 %.
    """
    if not tokens or not tokens[0].top_logprobs:
        return {}
    listed = [(one.token, one.logprob) for one in tokens[0].top_logprobs]
    if any(isnan(value) or value > _ROUNDING for _, value in listed):
        return {}
    mass: dict[str, list[float]] = {option: [] for option in names}
    lower = {option: name.lower() for option, name in names.items()}
    for token, logprob in listed:
        text = token.strip(_AROUND).lower()
        named = [option for option, name in lower.items() if name == text]
        begun = [option for option, name in lower.items() if name.startswith(text)]
        if len(found := named or begun) == 1:  # "in" of "incorrect" and "correct"
            mass[found[0]].append(exp(logprob))
    total = fsum(p for many in mass.values() for p in many)
    unseen = 1 - fsum(exp(logprob) for _, logprob in listed)
    if not total or (unseen > _UNSEEN and not all(mass.values())):
        return {}
    return {option: fsum(many) / total for option, many in mass.items()}


_ROUNDING = 1e-6
"""What a log-probability of 0 may become by rounding; some servers send 1e-9."""
_UNSEEN = 0.01
_AROUND = " \n*\"'()[]:.ĠĊ▁"


# --- Where the answer is --------------------------------------------------------------

_MARK = "\x00"
# Where a completion begins after reasoning that it lacks: a new line, or after a token
# such as <|message|>.
_OPENED = re.compile(r"[\n>][^\S\n]{0,8}\Z")


def _place(spelled: bytes, reply: str, start: int, end: int) -> tuple[int, int] | None:
    """Which bytes are `reply[start:end]`."""
    text = spelled.decode(errors="surrogateescape")
    public = split_reasoning(text).public
    extra = 0 if reply.startswith(public) else len(public) - len(reply)
    at_end = public.endswith(reply) and _OPENED.search(public[:extra])
    if extra and (not at_end or public.startswith(reply)):  # where both, which one?
        return None
    if extra + end > len(public):
        return None
    place = extra + start
    marked = public[:place] + _MARK + public[place:]
    # Counted from the text's start, or from its end where there is reasoning before it.
    starts = (len(text) - len(text.lstrip()), len(text.rstrip()) - len(public))
    for at in (first + place for first in starts):
        if split_reasoning(text[:at] + _MARK + text[at:]).public == marked:
            own = text[at : at + end - start]
            if own != reply[start:end]:
                return None
            first, size = (
                len(part.encode(errors="surrogateescape")) for part in (text[:at], own)
            )
            return first, first + size
    return None


def _holding(pieces: Sequence[bytes], start: int, end: int) -> Iterator[int]:
    """The numbers of the pieces with some of these bytes that are not blank."""
    for n, ends in enumerate(accumulate(map(len, pieces))):
        begins = ends - len(pieces[n])
        own = pieces[n][max(0, start - begins) : max(0, end - begins)]
        if own.decode(errors="replace").strip():
            yield n


# --- What tokens spell ----------------------------------------------------------------

# `</think>` ends no message: the text before it is none.
_END = re.compile(r"\s*+(?:<(?!\s*+/?\s*+think\b)[^<>]+>\s*)?", re.I)
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(0x100) if byte not in _PRINTABLE]
_BYTE_OF = {chr(byte): byte for byte in _PRINTABLE}
_BYTE_OF |= {chr(0x100 + n): byte for n, byte in enumerate(_OTHERS)}


def _without_end(content: Sequence[Logprob]) -> Sequence[Logprob]:
    """The tokens without those that end the message, such as "<|eot_id|>"."""
    size = len(content)
    while size and _END.fullmatch(content[size - 1].token):
        size -= 1
    return content[:size]


def _spellings(content: Sequence[Logprob]) -> Iterator[list[bytes]]:
    """The bytes of each token, in all ways in which providers send them.

    Which is the right one only the reply can tell: some send code points as `bytes`,
    and some the vocabulary's own spelling ("ĠParis", "▁Paris", "<0xC3>").
    """
    if all(0 <= b <= 0xFF for token in content for b in token.bytes or ()):
        yield [bytes(token.bytes or _encoded(token.token)) for token in content]
    yield [_encoded(token.token) for token in content]
    marked = any("▁" in token.token for token in content)
    spelled = _of_marks if marked else _of_alphabet
    yield [spelled(token.token) for token in content]


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _of_marks(token: str) -> bytes:
    """A SentencePiece token."""
    if byte := _BYTE.fullmatch(token):
        return bytes.fromhex(byte[1])
    return _encoded(token.replace("▁", " "))


def _of_alphabet(token: str) -> bytes:
    """A token of byte-level BPE, which has a printable character for every byte."""
    return b"".join(
        bytes([_BYTE_OF[c]]) if c in _BYTE_OF else _encoded(c) for c in token
    )
