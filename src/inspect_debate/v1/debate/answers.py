"""Readers of answers in words, and of a judge's verdict on a passage.

What is not read with certainty is `unparsed`; no reader has a default answer. Every
pattern is linear in the text, because the text is written by a model.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from inspect_debate.v1.debate.parsing import last_payload, looks_refused
from inspect_debate.v1.debate.record import Parsed

# What surrounds an answer and is no part of it: quotation marks, markdown, a stop.
#
# Positions are those of the whole text, so that an answer's tokens can be found by
# them.


class Span(NamedTuple):
    """The characters `text[start:end]`."""

    start: int
    end: int


class Decision(NamedTuple):
    """Where a completion decides between answers.

    Attributes:
        text: The place of the decision's words, such as what follows `Answer:`.
        opens: Where the form of the decision begins, such as its line or object.
        names: What each answer may be called there.
    """

    text: Span
    opens: int
    names: Mapping[str, Sequence[str]]


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
    before = answer[:-1]
    return (
        answer.endswith(".")
        and not before.endswith(".")
        and not _ABBREVIATED.search(before[-40:])
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


_LONGEST, _LONGEST_BARE = 300, 120

_ANSWER = "answer"
_ANSWER_IS = (
    r"(?:(?:so|thus|therefore|hence)\b,?\s{1,3})?(?:(?:the|my)\s{1,3})?"
    r"(?:(?:final|correct|short)\s{1,3})?answer(?:\s{1,3}is)?"
)
_STATED = re.compile(
    r"(?:so,?\s)?the\s(?:(?:final|correct)\s)?answer\s(?:is|was)\s", re.I
)
_NO_ANSWER = re.compile(
    r"[\W_]*+(?:(?:sub-?|follow-?up\s)?question|sub-?answer|verdict|critique|thoughts?"
    r"|reason(?:s|ing)?|explanation|passage|context)[\W_]*?[:：]",
    re.I,
)
_ANY_LABEL = re.compile(r"(?:answer|verdict)[\W_]*?[:：]", re.I)
_QUOTED = re.compile(
    r"[\W_]*?(?<!\S)>|[\W_]*+(?:the\s)?(?:defender|critic)\b[^.!?:：]{0,20}[:：]", re.I
)
_WORD = re.compile(r"[^\W_]+")
_TEMPLATE = re.compile(
    r"(?:(?:an?|the|your|my|exact|short|final|correct|insert|write|only)\s)*"
    r"answer(?:\s(?:alone|only|here|goes|in|words))*",
    re.I,
)


def find_answer(text: str) -> Span | None:
    """Where a completion gives its answer.

    The last line that begins with `Answer:` or `Final answer:` counts (markdown and a
    list's mark may come before it); after a bare one, the next line with a letter or
    digit. Where no line does, the last "The answer is:" does, or an `Answer:` after a
    sentence. A line quoted by ">" or by its speaker's name ("Critic: ...") does not
    count. Without any of these, the only line with a letter or digit is the answer if
    it is short; it may begin with "The answer is". A line with another label
    ("Sub-question:"), a question and a refusal are not.

    Args:
        text: A completion without its reasoning.

    Returns:
        The answer's place, without quotation marks, markdown, control tokens and a
        sentence's stop (`debate/answers.py`); None where there is none, only a
        template ("<answer>", "your answer here", "..."), or one of more than 300
        characters, which is no short answer.
    """
    lines = _lines(text)
    span = _labelled(text, lines, _ANSWER, _ANSWER_IS) or _bare(text, lines)
    if span is None or span.end - span.start > _LONGEST:
        return None
    return None if _is_template(text[slice(*span)]) else span


def line_after(text: str, label: str) -> str | None:
    """What follows the last `<label>:`, on its line or, if bare, the next one.

    Lines that begin with it come before those that have it after a sentence.

    Args:
        text: A completion.
        label: The words before the colon; case does not matter.

    Returns:
        The text as it is written, trimmed like an answer; None where there is none.
    """
    label = re.escape(label)
    span = _labelled(text, _lines(text), label, label)
    return text[slice(*span)] or None if span else None


def decision_on_line(
    text: str, label: str, names: Mapping[str, Sequence[str]]
) -> Decision | None:
    """Where a completion decides: on its last line of the form `<label>: <answer>`.

    Args:
        text: A completion.
        label: The words before the colon; case does not matter.
        names: What each answer may be called.

    Returns:
        None where there is no such line.
    """
    span = _labelled(text, _lines(text), re.escape(label), re.escape(label))
    if span is None:
        return None
    line = text[: span.start].rstrip(_MARKDOWN)
    return Decision(span, line.rfind("\n") + 1, names)


def _form(label: str) -> re.Pattern[str]:
    """A label at the start of a line or after a sentence, up to its colon."""
    return re.compile(
        r"(?:\A[\W_]*+(?:[0-9]{1,2}[.)][\W_]*+)?+|(?<=[.!?;])[*_\"')\]]*+\s++)"
        rf"(?:[\s*_`\"'(\[]*+(?:final\s{{1,3}})?(?:{label})[\s*_`\"'\])]*+[:：])++",
        re.I,
    )


def _lines(text: str) -> list[Span]:
    """The lines that have a letter or digit besides control tokens."""
    lines = text.splitlines(keepends=True)
    ends = accumulate(len(line) for line in lines)
    return [
        Span(end - len(line), end)
        for line, end in zip(lines, ends, strict=True)
        if _WORD.search(CONTROL.sub("", line))
    ]


def _labelled(
    text: str, lines: Sequence[Span], label: str, elsewhere: str
) -> Span | None:
    """What follows the last label; an empty span where nothing does.

    Args:
        text: A completion.
        lines: Its lines.
        label: A pattern that begins a line.
        elsewhere: A pattern that counts where no line begins so, after a sentence too.
    """
    for form, begins in ((_form(label), True), (_form(elsewhere), False)):
        for i, (start, end) in reversed(list(enumerate(lines))):
            length = _label(text[start:end], form, begins)
            if length is not None:
                return _after(text, lines, i, start + length)
    return None


def _label(line: str, form: re.Pattern[str], begins: bool) -> int | None:
    """Where the last label of a line ends."""
    labels = list(form.finditer(line))
    if not labels or (begins and labels[0].start() > 0) or _QUOTED.match(line):
        return None
    return labels[-1].end()


def _after(text: str, lines: Sequence[Span], i: int, start: int) -> Span:
    """What follows a label on line `i`, or on the next one if nothing does."""
    end = lines[i].end
    span = trimmed(text, start, end)
    bare = span.start == span.end and not CONTROL.search(text, start, end)
    if bare and i + 1 < len(lines):
        return trimmed(text, *lines[i + 1], listed=True)
    return span


def _bare(text: str, lines: Sequence[Span]) -> Span | None:
    """The only line, where it may be an answer as a whole."""
    if len(lines) != 1 or _QUOTED.match(text, *lines[0]):
        return None
    start, end = trimmed(text, *lines[0], listed=True)
    if end - start > _LONGEST_BARE or _is_no_answer(text[start:end]):
        return None
    preface = _STATED.match(text, start, end)
    return trimmed(text, preface.end() if preface else start, end)


def _is_no_answer(line: str) -> bool:
    labelled = _NO_ANSWER.match(line) or _ANY_LABEL.search(line)
    return line.endswith("?") or labelled is not None or looks_refused(line)


def _is_template(answer: str) -> bool:
    words = _WORD.findall(CONTROL.sub("", answer))
    return not words or _TEMPLATE.fullmatch(" ".join(words)) is not None


# Reader of the line that names one of a question's options by its letter.

# In "a sum" and "I think" the letter is a word, as another word goes on from it.
_GOES_ON = (
    r"(?=\s(?!(?:or|and|nor|but|vs|versus|too|also|because|since|as|given|rather|instead"
    r"|not|cannot|is|isnt|was|can|could|may|might|maybe|perhaps|possibly)\b)[a-z]{2})"
)
_FIRST = re.compile(
    rf"""(?P<lead>(?:[\s$\\([{{<:]|(?:the|my|final|correct|option|choice|answer|letter
        |is|it|boxed|text(?:bf|rm)?|math(?:bf|rm))\b)*+)
    (?![ai]{_GOES_ON})(?P<letter>[a-z])(?!\w)
    (?P<close>[\s$\\)\]}}>]*+)(?P<label>[.:])?+\s*+""",
    re.I | re.X,
)
_AFTER = re.compile(
    rf"""\b(?P<reason>because|since|(?<!well\s)as(?!\swell\b)|given)\b
    |(?P<alternative>\?|\Aor\b
        |(?:\bor|[/|])\s*+(?:neither|none|both|either|not|maybe|perhaps|possibly)\b)
    |\b(?:not|rather\sthan|instead\sof)\s(?-i:(?P<rejected>[A-Z]))\b
    |\b(?P<denial>or|nor|vs|versus|no|not|never|neither|either|both|cannot|cant|isnt
        |doesnt|wrong|incorrect|false)\b
    |\A(?P<verb>is|was|can|could|would|should|must|may|might|does|has|fails|seems|looks
        )\b(?!\s(?:the\s)?(?:correct|right|best|answer)\b)
    |(?P<word>\Aa{_GOES_ON}|\b(?-i:[aiI]){_GOES_ON}|\b(?:i\.e|e\.g)\b)
    |\b(?P<letter>[a-z])\b""",
    re.I | re.X,
)


def _only(chosen: str, rest: str, labelled: bool) -> bool:
    """Whether the rest of a line leaves the chosen letter its only option."""
    for item in _AFTER.finditer(rest):
        match item.lastgroup:
            case "reason":
                return True
            case "alternative":
                return False
            case "denial" | "verb" if not labelled:
                return False
            case "rejected" if item["rejected"] == chosen.upper():
                return False
            case "letter":
                other = item["letter"]
                is_choice = other.isupper() or chosen.islower() or not labelled
                if is_choice and other.upper() != chosen.upper():
                    return False
    return True


def letter_line(text: str, keyword: str, letters: Sequence[str]) -> Parsed:
    """Read the option on the last line of the form `<keyword>: <letter>`.

    The letter comes first, bare, in brackets or in TeX, after at most "the answer is"
    or the like. What follows, up to "because" (since, as, given), may name no other
    single letter except as "not A", be it among `letters` or not, and no alternative
    ("or neither", "?"). After a label (`B.`, `B:`, `B)`) that is the option's text;
    without one it may hold no "or" or negation either, and a verb right after the
    letter only as in "B is correct".

    Everything else is unparsed, whatever an earlier line says: also texts with a letter
    of their own, as "B) Vitamin A", while "C. No" is read as C, whose text is "No".
    `A` and `I` before a plain word are words, but "B, A sum" names two options.

    Args:
        text: A completion.
        keyword: The word before the colon.
        letters: The capital letters of the options that may be chosen.
    """
    payload = last_payload(text, re.escape(keyword)) or ""
    first = _FIRST.match(payload)
    if first is None or first["letter"].upper() not in letters:
        return Parsed.unparsed()
    opened = any(bracket in first["lead"] for bracket in "([{<")
    closed = any(bracket in first["close"] for bracket in ")]}>")
    labelled = first["label"] is not None or (closed and not opened)
    if not _only(first["letter"], payload[first.end() :], labelled):
        return Parsed.unparsed()
    return Parsed.ok(first["letter"].upper())
