"""Bets that stand in a speech, taken out of what others may read.

Every pattern is linear in the text, because the text is written by a model.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from inspect_debate.core.bet_blocks import amounts, reasons
from inspect_debate.core.bet_headings import (
    heads_bet,
    heads_speech,
    label,
    speaks_of_bet,
    states_chance,
)
from inspect_debate.core.bet_marks import folded, plain, tags

_NAMES = re.compile(r"(?<![a-z])bets?_(?:amount|logic)", re.I)


def bet_text_left(text: str) -> bool:
    """Whether a text has the name of a bet's tag in it, in any case and decoration."""
    return _NAMES.search(folded(text)) is not None


_MENTIONS = re.compile(
    r"""\bbets?[\W_]{0,4}(?:amount|logic)|(?:confidence|private)[\W_]{0,8}bets?\b
    |(?<![a-z])bets?\\?_[a-z]|[a-z]_bet\b
    |^[^\w\n]*+(?:final\ )?bet\b[^\w\n:=]*+(?:$|[:=])
    |\bI\b[^.!?\n]{0,40}?\bbet\b|<[^<>\n]{0,20}\bbets?\b
    |\b(?:I|my|identical)\b[^.!?\n]{0,80}?[0-9]\s?%\s
     (?:win\b|chance\ of\ (?:winning|success))
    """,
    re.I | re.X | re.M,
)


def mentions_bet(text: str) -> bool:
    """Whether a text may speak of its speaker's bet, by patterns of its own.

    For checks of what is left: it also catches idioms ("I bet that").
    """
    return _MENTIONS.search(folded(text)) is not None


@lru_cache(maxsize=512)  # a speech is shown in every prompt that follows it
def without_bets(text: str) -> str:
    """A speech without bet text: tags and what they hold, sections, lines, sentences.

    A section that is headed as a bet goes on to the next heading of the speech or to
    the end. Talk of betting as such stays, and a text without bet text comes back as it
    is; so does what this function returned.
    """
    kept = _without_lines(_without_tags(text))
    return text if kept == text else _tidied(kept)


def _without_tags(text: str) -> str:
    found = plain(text)
    marks = tags(found.text)
    if not marks:
        return text
    held = amounts(found.text, marks)
    blocks = reasons(found.text, marks, held)
    spans = [(mark.start, mark.end) for mark in marks]
    spans += [(element.start, element.end) for element in (*held, *blocks)]
    pieces, start = [], 0
    for cut, end in _merged(spans, found.text):
        pieces.append(text[found.at[start] : found.at[cut]])
        start = end
    pieces.append(text[found.at[start] :])
    return _joined(piece for piece in pieces if not _only_heads_bets(piece))


def _only_heads_bets(piece: str) -> bool:
    lines = filter(str.strip, piece.splitlines())
    return all(heads_bet(label(folded(line))) or _is_crumb(line) for line in lines)


def _merged(spans: Iterable[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """Spans in order, those with nothing between them as one, with their decoration."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and not text[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    for start, end in merged:
        while start > 0 and end < len(text) and text[start - 1] == text[end] in "*_`":
            start, end = start - 1, end + 1
        yield start, end


def _without_lines(text: str) -> str:
    """A text without the sections, lines and sentences that speak of a bet."""
    pieces: list[list[str]] = [[]]
    left, inside, spoken = len(text), False, False
    for line in text.splitlines(keepends=True):
        left -= len(line)
        shown = folded(line)
        rest = _without_sentences(line)
        labels = label(shown), label(folded(rest))
        headed = next(filter(heads_bet, labels), None)
        if headed:
            # A number alone has no text of its own, before or in the midst of a speech.
            inside = not headed.states_number or (spoken and left <= _LONGEST_REASONING)
            pieces.append([])
        elif (inside and not heads_speech(shown)) or any(map(states_chance, labels)):
            pieces.append([])
        else:
            inside = False
            pieces[-1].append(rest)
            spoken = spoken or not _is_crumb(rest)
    whole = "".join(pieces[0])
    return text if len(pieces) == 1 and whole == text else _joined(map("".join, pieces))


_LONGEST_REASONING = 1500
_SENTENCE = re.compile(r"(?:[^.!?]|[.!?](?![\s\"')*]))*+[.!?]*+[\"')*]*+\s*+")


def _without_sentences(line: str) -> str:
    """A line without its sentences about a bet, without which it may be blank."""
    if not speaks_of_bet(folded(line)):
        return line
    sentences = _SENTENCE.findall(line)
    kept = "".join(s for s in sentences if not speaks_of_bet(folded(s)))
    return f"{kept.rstrip()}\n"


_CRUMBS = frozenset("-*_=#` \t\r\n")


def _is_crumb(line: str) -> bool:
    return _CRUMBS.issuperset(line) and "```" not in line


def _joined(pieces: Iterable[str]) -> str:
    """What is left around cuts, as paragraphs, without rules and marks at the cuts."""
    return "\n\n".join(filter(None, map(_trimmed, pieces)))


def _trimmed(piece: str) -> str:
    lines = piece.strip().splitlines(keepends=True)
    first, last = 0, len(lines)
    while first < last and _is_crumb(lines[first]):
        first += 1
    while last > first and _is_crumb(lines[last - 1]):
        last -= 1
    return "".join(lines[first:last]).strip()


def _tidied(text: str) -> str:
    """A text without code fences that have become empty."""
    lines: list[str] = []
    opened: int | None = None
    for line in text.splitlines():
        lines.append(line)
        if not line.lstrip().startswith("```"):
            continue
        if opened is None:
            opened = len(lines) - 1
        else:
            if not any(inner.strip() for inner in lines[opened + 1 : -1]):
                del lines[opened:]
            opened = None
    if opened is not None and not any(line.strip() for line in lines[opened + 1 :]):
        del lines[opened:]
    return _trimmed("\n".join(lines))
