"""How a text is cut into tokens, and how tokens with log-probabilities are listed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any


@dataclass(frozen=True)
class Token:
    """A piece of a completion, perhaps a part of a character only."""

    piece: bytes
    logprob: float


@dataclass(frozen=True)
class Style:
    """A provider's way with tokens.

    Attributes:
        split: Cuts a text into pieces; put together again they are its UTF-8 bytes.
        stop: The stop token that is listed at the end of a completion that was not
            cut off; None where it is not listed.
        escapes: Whether a token that is no whole characters is spelt `\\xc3`, as OpenAI
            does; otherwise with the replacement character.
        has_bytes: Whether the bytes of each token are listed, or null.
    """

    split: Callable[[str], list[bytes]]
    stop: str | None = None
    escapes: bool = True
    has_bytes: bool = True

    def with_stop(self, stop: str = "<|eot_id|>") -> "Style":
        """The same with its stop token listed."""
        return replace(self, stop=stop)


def _matching(pattern: str) -> Callable[[str], list[bytes]]:
    pieces = re.compile(pattern)
    return lambda text: [piece.encode() for piece in pieces.findall(text)]


_words = _matching(r" ?\w+| ?[^\w\s]+|\s")


def _bytes_split(text: str) -> list[bytes]:
    """Words, where each byte of a character that is not ASCII is a token."""
    return [
        part
        for word in _words(text)
        for part in re.findall(rb"[\x00-\x7f]+|[\x80-\xff]", word)
    ]


WORDS = Style(_words)
"""A word with the space before it; punctuation and line ends on their own."""
QUOTES_GLUED = Style(_matching(r" ?[\"'“‘«]?\w+[\"'”’»]?[.,]?| ?[^\w\s]+|\s"))
"""Quotes and a full stop belong to the word that they stand at: `"Paris".`"""
NEWLINES_GLUED = Style(_matching(r"\s?\w+\n*|\s?[^\w\s]+\n*|\s"))
"""Line ends belong to the word that they stand at."""
CHUNKS = Style(_matching(r"(?s).{1,4}"))
"""Four characters each, whatever they are."""
BYTES = Style(_bytes_split)
"""Words, with one token for each byte of a character that is not ASCII."""
BYTES_REPLACED = Style(_bytes_split, escapes=False, has_bytes=False)
"""The same, spelt with replacement characters and without the bytes."""

STYLES = {
    "words": WORDS,
    "words and stop": WORDS.with_stop(),
    "quotes glued": QUOTES_GLUED,
    "newlines glued": NEWLINES_GLUED,
    "chunks": CHUNKS,
    "bytes": BYTES,
    "bytes replaced": BYTES_REPLACED,
}


def listed(tokens: tuple[Token, ...], style: Style, alternatives: int) -> Any:
    """Tokens as the log-probabilities of a choice.

    Args:
        tokens: The tokens of the completion.
        style: How they are spelt.
        alternatives: How many tokens `top_logprobs` lists at each position: first the
            one that was taken, then made-up ones that share what it leaves.
    """
    return {
        "content": [
            _spelt(token, style)
            | {"top_logprobs": _alternatives(token, style, alternatives)}
            for token in tokens
        ],
        "refusal": None,
    }


def _spelt(token: Token, style: Style) -> dict[str, Any]:
    try:
        spelling = token.piece.decode()
    except UnicodeDecodeError:
        escaped = "".join(f"\\x{byte:02x}" for byte in token.piece)
        replaced = token.piece.decode(errors="replace")
        spelling = escaped if style.escapes else replaced
    return {
        "token": spelling,
        "logprob": token.logprob,
        "bytes": list(token.piece) if style.has_bytes else None,
    }


def _alternatives(token: Token, style: Style, count: int) -> list[dict[str, Any]]:
    if not count:
        return []
    left = max(1 - exp(token.logprob), 1e-9) / count
    others = [Token(f"other{n}".encode(), log(left)) for n in range(1, count)]
    return [_spelt(other, style) for other in (token, *others)]
