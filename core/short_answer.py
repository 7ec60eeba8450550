"""Readers of answers in words, and of a judge's verdict on a passage.

What is not read with certainty is `unparsed`; no reader has a default answer. Every
pattern is linear in the text, because the text is written by a model.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from inspect_debate.core.answer_marks import CONTROL, Span, trimmed
from inspect_debate.core.parsing import looks_refused
from inspect_debate.core.record import Parsed

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
_DECORATION = str.maketrans("", "", "*_`\"'“”„‟‘’‚‛«»‹›\u00ad\u200b\u2060\ufeff")
_REASON = (
    r"(?:[)\]]?+[.,;:]?+\s*+\Z"
    r"|\s*+(?:[)\].,;:–-]++\s++|—\s*+)(?!(?:or|and|nor|not?|but|if|unless|maybe|perhaps"
    r"|wait|un|(?:un-?)?reasonable)\b)[^\W\d_]"
    r"|\s++because\b|\s++(?:since|as)\s++(?![0-9]|well\b|of\b))"
)
_REASONABLE = re.compile(rf"[(\[]?+((?:un)?reasonable){_REASON}", re.I)
_PICKED = re.compile(
    rf"(?:(?:answer|option|number|no\.)\s++)?+[(\[]?+([12]){_REASON}", re.I
)


def find_answer(text: str) -> Span | None:
    """Where a completion gives its answer.

    The last line that begins with `Answer:` or `Final answer:` counts (markdown and a
    list's mark may stand before it); after a bare one, the next line with a letter or
    digit. Where no line does, the last "The answer is:" does, or an `Answer:` after a
    sentence. A line quoted by ">" or by its speaker's name ("Critic: ...") does not
    count. Without any of these, the only line with a letter or digit is the answer if
    it is short; it may begin with "The answer is". A line with another label
    ("Sub-question:"), a question and a refusal are not.

    Args:
        text: A completion without its reasoning.

    Returns:
        The answer's place, without quotation marks, markdown, control tokens and a
        sentence's stop (`core/answer_marks.py`); None where there is none, only a
        template ("<answer>", "your answer here", "..."), or one of more than 300
        characters, which is no short answer.
    """
    lines = _lines(text)
    span = _labelled(text, lines, _ANSWER, _ANSWER_IS) or _bare(text, lines)
    if span is None or span.end - span.start > _LONGEST:
        return None
    return None if _is_template(text[slice(*span)]) else span


def short_answer(text: str) -> Parsed:
    """Read an answer in words, as it is written, from the place of `find_answer`."""
    span = find_answer(text)
    return Parsed.unparsed() if span is None else Parsed.ok(text[slice(*span)])


def line_after(text: str, label: str) -> str | None:
    """What follows the last `<label>:`, on its line or, if bare, the next one.

    Lines that begin with it come before those that have it after a sentence.

    Args:
        text: A completion.
        label: What stands before the colon; case does not matter.

    Returns:
        The text as it is written, trimmed like an answer; None where there is none.
    """
    label = re.escape(label)
    span = _labelled(text, _lines(text), label, label)
    return text[slice(*span)] or None if span else None


def reasonable(text: str) -> Parsed:
    """Read "reasonable" or "unreasonable" from the last `Verdict:` line, or a word.

    The word comes first on it; "because", or a stop, comma or dash with a reason may
    follow. All else is unparsed: both words, a negated one ("not reasonable"), another
    sentence ("reasonable to doubt"), a template. The word alone, without a line of that
    form, is a verdict too.
    """
    return _choice(text, "Verdict", _REASONABLE)


def picked(text: str) -> Parsed:
    """Read "1" or "2" from the last `Answer:` line, or a completion of that number.

    What may follow it is as in `reasonable`; a reason never begins with a number. "2
    mg", "1:40", "1 January" and "-1" are answers in words, not the number of one.
    """
    return _choice(text, "Answer", _PICKED)


def _choice(text: str, label: str, form: re.Pattern[str]) -> Parsed:
    said = line_after(text, label) or ""
    lines = _lines(text)
    if not said and len(lines) == 1 and len(text.split()) == 1:
        said = text[slice(*trimmed(text, *lines[0]))]
    match = form.match(unicodedata.normalize("NFKC", said).translate(_DECORATION))
    return Parsed.ok(match[1].lower()) if match else Parsed.unparsed()


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
