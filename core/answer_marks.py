"""What stands around an answer and is no part of it: quotation marks, markdown, a stop.

Positions are those of the whole text, so that an answer's tokens can be found by them.
"""

import re
from typing import NamedTuple


class Span(NamedTuple):
    """The characters `text[start:end]`."""

    start: int
    end: int


_WHITE = "".join(c for c in map(chr, range(0x3001)) if c.isspace())
_MARKDOWN = _WHITE + "\u200b\u2060\ufeff*_`"
_CONTROL = r"<[|｜][^<>|｜]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>"
_CONTROL_LONGEST = 44
CONTROL = re.compile(_CONTROL)
"""A token of a chat template that a provider left in a completion ("<|eot_id|>")."""
_LAST_CONTROL = re.compile(rf"(?:{_CONTROL})\Z")
_LIST_MARK = re.compile(r"\s*+(?:(?:#{1,6}|[>•*])\s+|[-–—+]\s+(?![\s0-9]))")

_CLOSED_BY = {
    '"': '"',
    "'": "'",
    "“": "”",
    "”": "”",
    "„": "“”",
    "‘": "’",
    "‚": "‘’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "<": ">",
    "[": "]",
}
_DOUBLE = re.compile('["“”„«»‹›]')
_APOSTROPHE = re.compile(r"(?<=[^\W_])['’](?=[^\W_])")
_LAYERS = 8

_ABBREVIATED = re.compile(
    r"(?<![^\W_])(?:(?:[^\W\d_]\.\s?){1,6}[^\W\d_]"
    r"|(?:[^\W\d_]{1,2}\.){1,6}[^\W\d_]{1,2}"
    r"|jr|sr|inc|ltd|co|corp|bros|esq|st|ave|blvd|etc)\Z",
    re.I,
)


def trimmed(text: str, start: int, end: int, listed: bool = False) -> Span:
    """The part of `text[start:end]` that is an answer, without what only marks it.

    Not part of it are, at its ends: white space; `*`, `_` and backticks; a pair of
    quotation marks, `<>` or `[]` that encloses all of it; a double quotation mark
    without a partner (but `12"` are inches); control tokens that end a message; and a
    sentence's full stop.

    A stop stays after initials ("a.m.", "Washington, D. C."), a few abbreviations
    ("Jr.", "Inc.") and another stop; "1969.", "3.", "9.58." and "Vitamin C." lose it.
    All else stays as it is written, apostrophes at an end too ("'s-Hertogenbosch").

    Args:
        text: A completion.
        start: Where to start.
        end: Where to end.
        listed: Whether a list's or heading's mark may open it.
    """
    if listed and (mark := _LIST_MARK.match(text, start, end)):
        start = mark.end()
    span = Span(start, end)
    for _ in range(_LAYERS):
        peeled = _peeled(text, span)
        if peeled == span:
            break
        span = peeled
    return span


def _peeled(text: str, span: Span) -> Span:
    """One layer less: blanks and markdown, control tokens, a stop, a pair of marks."""
    inner = text[span.start : span.end]
    start = span.end - len(inner.lstrip(_MARKDOWN))
    inner = inner.strip(_MARKDOWN)
    end = _before_control(text, start, start + len(inner))
    if end < start + len(inner):
        return Span(start, end)
    if _ends_sentence(inner):
        inner = inner[:-1]
    left, right = _marks(inner)
    return Span(start + left, start + len(inner) - right)


def _before_control(text: str, start: int, end: int) -> int:
    while last := _LAST_CONTROL.search(text, max(start, end - _CONTROL_LONGEST), end):
        end = last.start()
    return end


def _ends_sentence(answer: str) -> bool:
    if answer.endswith("。"):
        return True
    said = answer[:-1]
    return (
        answer.endswith(".")
        and not said.endswith(".")
        and not _ABBREVIATED.search(said[-40:])
    )


def _marks(answer: str) -> tuple[int, int]:
    """How many quotation marks or brackets enclose all of it, left and right."""
    if len(answer) < 2:
        return 0, 0
    first, last, inside = answer[0], answer[-1], answer[1:-1]
    closers = _CLOSED_BY.get(first, "")
    if last in closers:
        plain = _APOSTROPHE.sub("", inside)
        alone = not any(mark in plain for mark in first + closers)
        return (1, 1) if alone else (0, 0)
    if _DOUBLE.search(inside):
        return 0, 0
    inches = last == '"' and answer[-2].isdigit()
    return (
        int(_DOUBLE.match(first) is not None),
        int(_DOUBLE.match(last) is not None and not inches),
    )
