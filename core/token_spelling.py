"""What a list of tokens spells, in bytes: a character may be split between tokens."""

import re
from collections.abc import Iterator, Sequence

from inspect_ai.model import Logprob

from inspect_debate.core.tags import repaired

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

    `</think>` does not: what stands before it is no message.
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
