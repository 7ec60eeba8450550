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


WORDS = Style(_words)
"""A word with the space before it; punctuation and line ends on their own."""


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
