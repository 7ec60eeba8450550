"""Verification of quoted passages (Khan et al. 2024; ColMAD, Appendix C).

A speaker marks a quotation with quote tags; the suite replaces them by `<v_quote>` or
`<u_quote>`, so that readers know which passages really occur in the material.
"""

import re
import string
import unicodedata
from array import array
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from inspect_debate.v1.debate.record import Quote

Rule = Literal["typography_blind", "exact", "khan"]
"""How a quotation is compared with a source; `DebateConfig` describes the rules."""

# With end: a tag, of whoever's making. Without: the start of one, which text rewritten
# after it could complete.
_TAG = re.compile(
    r"<\s*+(?P<close>/\s*+)?(?:[vu]\s*+[_-]?+\s*+)?quote\b(?P<end>[^<>]*+>)?",
    re.I,
)
_PLAIN = re.compile(r"<(?P<close>/?)quote>")
_OURS = re.compile(r"</?[vu]_quote>")
_MARKS = str.maketrans("“”„‟«»‘’‚‛‹›", "\"\"\"\"\"\"''''''")


class Verified(NamedTuple):
    """A text with its quotations tagged anew, and the quotations in reading order."""

    text: str
    quotes: tuple[Quote, ...]


@lru_cache(maxsize=512)
def normalise_quote(text: str) -> str:
    """The form in which passages are compared by the rule `exact`.

    Unicode NFC, one kind of double and one of single quotation mark, every run of white
    space (no-break spaces too) one space, none at the ends. Case, punctuation and
    operators stay as they are.
    """
    unified = unicodedata.normalize("NFC", text).translate(_MARKS)
    return " ".join(unified.split())


class _Form(NamedTuple):
    """A text in the form in which it is compared, and where each character stood."""

    key: str
    starts: Sequence[int]
    ends: Sequence[int]

    def at(self, spans: Sequence[tuple[int, int]]) -> "_Form":
        """The characters in some spans."""
        return _Form(
            "".join(self.key[first:end] for first, end in spans),
            array("L", chain(*(self.starts[first:end] for first, end in spans))),
            array("L", chain(*(self.ends[first:end] for first, end in spans))),
        )

    def without(self, places: Collection[int]) -> "_Form":
        """All characters but those at some places."""
        if not places:
            return self
        gone = sorted(places)
        firsts, ends = [0, *(place + 1 for place in gone)], [*gone, len(self.key)]
        return self.at([*zip(firsts, ends, strict=True)])


_TYPES = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‘’‚‛‹›′ʼ`´＇", "'"),
        "…": "...",
        **{
            chr(code): unicodedata.normalize("NFKC", chr(code))
            for code in range(0xFB00, 0xFB07)
        },
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)


_QUOTATION = ("'", '"')
_AT_PUNCTUATION = re.compile(r"(?<=[^\w\s]) | (?=[^\w\s])")
_WORDS = re.compile(r"\S+(?:\s\S+)*")
_REPEATED = re.compile("-{2,}|''")


@lru_cache(maxsize=256)  # the sources of some debates, in which many quotes are found
def _form(text: str, blind: bool) -> _Form:
    """A text as it is compared, by the rule `exact` or blind to typography."""
    form = _spaced(_written(text, _TYPES if blind else _MARKS))
    return _without_loose_spaces(_single_marks(form)) if blind else form


def _written(text: str, table: Mapping[int, str] | Mapping[int, int]) -> _Form:
    """Characters with the combining marks that follow them, composed and translated."""
    if text.isascii():  # of which each stays one
        places = range(len(text) + 1)
        return _Form(text.translate(table), places, places[1:])
    cells: list[tuple[str, int, int]] = []
    written: dict[str, str] = {}  # most occur often
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _joins(text[end]):
            if (found := written.get(text[start:end])) is None:
                composed = unicodedata.normalize("NFC", text[start:end])
                found = written[text[start:end]] = composed.translate(table)
            cells += [(one, start, end) for one in found]
            start = end
    characters, starts, ends = zip(*cells, strict=True) if cells else ((), (), ())
    return _Form("".join(characters), starts, ends)


def _joins(character: str) -> bool:
    """Whether a character is one with those before it: a mark, or part of a Hangul."""
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"


def _spaced(form: _Form) -> _Form:
    """Every run of white space as one space, and none at the ends."""
    key = " ".join(form.key.split())
    if len(key) == len(form.key):
        return form._replace(key=key)
    # With the space after them, but for the last.
    spans = [(run.start(), run.end() + 1) for run in _WORDS.finditer(form.key)]
    spans[-1:] = [(first, end - 1) for first, end in spans[-1:]]
    return form.at(spans)._replace(key=key)


def _single_marks(form: _Form) -> _Form:
    """Several dashes as one, and two single quotation marks as a double one.

    Dashes between spaces, or with a letter on both sides: "i--" and "--i" are code.
    """
    key, ends, dropped = [*form.key], [*form.ends], set[int]()
    for run in _REPEATED.finditer(form.key):
        first, last = run.start(), run.end() - 1
        if key[first] == "-" and not _is_one_dash(form.key, first, last):
            continue
        key[first] = "-" if key[first] == "-" else '"'
        ends[first] = ends[last]
        dropped.update(range(first + 1, last + 1))
    return _Form("".join(key), form.starts, ends).without(dropped)


def _is_one_dash(key: str, first: int, last: int) -> bool:
    """Whether hyphens from `first` to `last` have spaces or letters on both sides."""
    before, after = key[max(first - 1, 0) : first], key[last + 1 : last + 2]
    before, after = before or " ", after or " "
    return before == after == " " or (before.isalpha() and after.isalpha())


def _without_loose_spaces(form: _Form) -> _Form:
    """All but the spaces at punctuation that mean nothing there."""
    spaces = [found.start() for found in _AT_PUNCTUATION.finditer(form.key)]
    return form.without([space for space in spaces if _loose(form.key, space)])


def _loose(key: str, at: int) -> bool:
    """Whether a space is next to punctuation and means nothing there.

    "1, 200" is not "1,200", nor "5 -7" "5-7"; but "5 - 7" is. Nor are a space between
    two quotation marks and one at `--`, both found in code, without meaning.
    """
    before, after = key[at - 1], key[at + 1]
    left, right = _is_punctuation(before), _is_punctuation(after)
    if not (left or right):
        return False
    beyond_left = key[at - 2] if at >= 2 else ""
    beyond_right = key[at + 2 : at + 3]
    if (before in _QUOTATION and after in _QUOTATION) or "--" in (
        beyond_left + before,
        after + beyond_right,
    ):
        return False
    if left and beyond_left.isdigit() and after.isdigit():
        return False
    if right and before.isdigit() and beyond_right.isdigit():
        return False
    spaced_out = beyond_left == " " if left else beyond_right == " "
    mark = before if left else after
    numbers = (after if left else before).isdigit()
    return not (spaced_out and numbers and mark in ",.:")


@lru_cache(maxsize=1024)
def _is_punctuation(character: str) -> bool:
    """Whether a character is punctuation; `_` is a part of names."""
    return character != "_" and unicodedata.category(character).startswith("P")


class _Found(NamedTuple):
    source: str
    typography: bool
    start: int | None = None
    end: int | None = None


def _find(passage: str, sources: Mapping[str, str], rule: Rule) -> _Found | None:
    """The first source that has a passage, before other typography is tried."""
    for blind in (False, True) if rule == "typography_blind" else (False,):
        key = _form(passage, blind).key
        for name, body in sources.items():
            form = _form(body, blind)
            at = form.key.find(key)
            if at >= 0 and key:
                last = at + len(key) - 1
                return _Found(name, blind, form.starts[at], form.ends[last])
    return None


def _tagged(
    passage: str, key: str, found: _Found | None, seen: set[str], *, empty: bool
) -> tuple[str, Quote]:
    """A quotation as others read it: tagged, or if it is empty in quotation marks."""
    quote = Quote(
        text=passage,
        verified=found is not None,
        empty=empty,
        duplicate=key in seen,
        **(found._asdict() if found else {}),
    )
    seen.add(key)
    if empty and not quote.verified:
        return f"“{passage}”", quote
    tag = "v_quote" if quote.verified else "u_quote"
    return f"<{tag}>{passage}</{tag}>", quote


def verify_quotes(
    text: str,
    sources: Mapping[str, str],
    earlier: Iterable[str] = (),
    rule: Rule = "typography_blind",
) -> Verified:
    """Check every innermost quotation of a speech against the sources.

    Tags that the speaker wrote as verified or unverified count as plain ones. A passage
    is verified when its form (`normalise_quote`) is a part of that of one source and
    holds a letter or digit; `Quote.source` is the first such source. By the rule
    `typography_blind` it is also verified, and marked so, where it differs in nothing
    but its dashes, quotation marks, ellipses, spaces at punctuation, soft hyphens or
    ligatures. A passage without a letter or digit is left without tags, in quotation
    marks. Quote tags that enclose no innermost span are escaped: the v_quote and
    u_quote tags of the result are those set here, and verifying the result again
    changes nothing of it.

    Args:
        text: The speech.
        sources: Texts that may be quoted, by name, each searched separately.
        earlier: Passages quoted before in the debate; a repeat is a `duplicate`.
        rule: How passages are compared; `khan` is `khan_verify`.

    Returns:
        The speech with its tags replaced, and one `Quote` per span.
    """
    if rule == "khan":
        checked = khan_verify(text, sources, earlier)
        return checked._replace(text=_TAG.sub(_not_ours, checked.text))
    blind = rule == "typography_blind"
    plain = _TAG.sub(_reset, text)
    seen = {_form(passage, blind).key for passage in earlier}

    def check(passage: str) -> tuple[str, Quote]:
        key = _form(passage, blind).key
        empty = not any(c.isalnum() for c in key)
        found = None if empty else _find(passage, sources, rule)
        return _tagged(passage, key, found, seen, empty=empty)

    return _rewritten(plain, check)


def _reset(match: re.Match[str]) -> str:
    if match["end"]:
        return "</quote>" if match["close"] else "<quote>"
    return "&lt;" + match[0][1:]


def _not_ours(match: re.Match[str]) -> str:
    """A tag that `khan_verify` has left alone, escaped; those that it set stay."""
    return match[0] if _OURS.fullmatch(match[0]) else "&lt;" + match[0][1:]


def _rewritten(plain: str, check: Callable[[str], tuple[str, Quote]]) -> Verified:
    """A text of plain quote tags, of which the innermost pairs were checked."""
    tags = list(_PLAIN.finditer(plain))
    parts: list[str] = []
    quotes: list[Quote] = []
    position = 0
    opened = False
    for i, tag in enumerate(tags):
        between = plain[position : tag.start()]
        position = tag.end()
        if opened:  # the last tag opened a span that this one closes
            part, quote = check(between)
            parts.append(part)
            quotes.append(quote)
            opened = False
            continue
        parts.append(between)
        opened = not tag["close"] and i + 1 < len(tags) and bool(tags[i + 1]["close"])
        if not opened:
            parts.append(f"&lt;{tag['close']}quote&gt;")
    parts.append(plain[position:])
    return Verified("".join(parts), tuple(quotes))


_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_KHAN_SPAN = re.compile(r"<quote>(.*?)</quote>")


@lru_cache(maxsize=64)
def _khan_normalise(text: str) -> str:
    straight = text.translate(_MARKS).translate(_NO_PUNCTUATION)
    return " ".join(straight.lower().split())


def khan_verify(
    text: str, sources: Mapping[str, str], earlier: Iterable[str] = ()
) -> Verified:
    """Verify quotations as the code of Khan et al. (2024) does, for replication only.

    Blind to case and ASCII punctuation, so "x < 5" verifies against "x > 5" and "35"
    against "3.5"; an empty quotation always verifies; one with a line break, or with
    other than lower-case tags, is left alone.
    """
    plain = re.sub(r"<(/?)[vu]_quote>", r"<\1quote>", text)
    seen = {_khan_normalise(passage) for passage in earlier}
    quotes: list[Quote] = []

    def check(match: re.Match[str]) -> str:
        key = _khan_normalise(match[1])
        empty = not any(c.isalnum() for c in key)
        names = (name for name, body in sources.items() if key in _khan_normalise(body))
        name = next(names, None)
        found = name and _Found(name, typography=False)
        part, quote = _tagged(match[1], key, found or None, seen, empty=empty)
        quotes.append(quote)
        return part

    lines: list[str] = []
    for line in plain.split("\n"):
        # Past the last closing tag nothing can match, only be searched again and again.
        head, tag, tail = line.rpartition("</quote>")
        lines.append(_KHAN_SPAN.sub(check, head + tag) + tail)
    return Verified("\n".join(lines), tuple(quotes))


# A speech whose quotes were checked, for people.

_CHECKED = re.compile(r"<(?P<tag>[vu])_quote>(?P<text>.*?)</(?P=tag)_quote>", re.S)


class Passage(NamedTuple):
    """Part of a speech: a quote that was found or not, or, with None, the rest."""

    text: str
    quote: Literal["verified", "unverified"] | None = None


def quoted(text: str) -> tuple[Passage, ...]:
    """A speech whose quotes were checked, cut at its quotes."""
    return tuple(_cut(text))


def _cut(text: str) -> Iterator[Passage]:
    position = 0
    for found in _CHECKED.finditer(text):
        if before := text[position : found.start()]:
            yield Passage(before)
        verified = found["tag"] == "v"
        yield Passage(found["text"], "verified" if verified else "unverified")
        position = found.end()
    if rest := text[position:]:
        yield Passage(rest)
