"""Verification of quoted passages (Khan et al. 2024; ColMAD, Appendix C).

A speaker marks a quotation with quote tags; the suite replaces them by `<v_quote>` or
`<u_quote>`, so that readers know which passages really occur in the material.
"""

import re
import string
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from inspect_debate.core.record import Quote

# With end: a tag, of whoever's making. Without: the start of one, which text rewritten
# after it could complete.
_TAG = re.compile(
    r"<\s*+(?P<close>/\s*+)?(?:[vu]\s*+[_-]?+\s*+)?quote\b(?P<end>[^<>]*+>)?",
    re.I,
)
_PLAIN = re.compile(r"<(?P<close>/?)quote>")
_MARKS = str.maketrans("“”„‟«»‘’‚‛‹›", "\"\"\"\"\"\"''''''")


class Verified(NamedTuple):
    """A text with its quotations tagged anew, and the quotations in reading order."""

    text: str
    quotes: tuple[Quote, ...]


@lru_cache(maxsize=512)
def normalise_quote(text: str) -> str:
    """The form in which passages are compared.

    Unicode NFC, one kind of double and one of single quotation mark, every run of white
    space (no-break spaces too) one space, none at the ends. Case, punctuation and
    operators stay as they are.
    """
    unified = unicodedata.normalize("NFC", text).translate(_MARKS)
    return " ".join(unified.split())


def _reset(match: re.Match[str]) -> str:
    if match["end"]:
        return "</quote>" if match["close"] else "<quote>"
    return "&lt;" + match[0][1:]


def _check(
    passage: str,
    key: str,
    sources: Mapping[str, str],
    seen: set[str],
    *,
    empty_verifies: bool = False,
) -> tuple[str, Quote]:
    """Look the normalised passage, `key`, up in the normalised sources."""
    empty = not any(c.isalnum() for c in key)
    found = next((name for name, body in sources.items() if key in body), None)
    source = None if empty and not empty_verifies else found
    quote = Quote(
        text=passage,
        verified=source is not None,
        empty=empty,
        duplicate=key in seen,
        source=source,
    )
    seen.add(key)
    tag = "v_quote" if quote.verified else "u_quote"
    return f"<{tag}>{passage}</{tag}>", quote


def verify_quotes(
    text: str, sources: Mapping[str, str], earlier: Iterable[str] = ()
) -> Verified:
    """Check every innermost quotation of a speech against the sources.

    Tags that the speaker wrote as verified or unverified count as plain ones. A passage
    is verified when its normalised form is a substring of one normalised source and
    holds a letter or digit; `Quote.source` is the first such source. Quote tags that
    enclose no innermost span are escaped: the v_quote and u_quote tags of the result
    are those set here, and verifying the result again changes nothing.

    Args:
        text: The speech.
        sources: Texts that may be quoted, by name, each searched separately.
        earlier: Passages quoted before in the debate; a repeat is a `duplicate`.

    Returns:
        The speech with its tags replaced, and one `Quote` per span.
    """
    plain = _TAG.sub(_reset, text)
    bodies = {name: normalise_quote(body) for name, body in sources.items()}
    seen = {normalise_quote(passage) for passage in earlier}
    tags = list(_PLAIN.finditer(plain))
    parts: list[str] = []
    quotes: list[Quote] = []
    position = 0
    opened = False
    for i, tag in enumerate(tags):
        between = plain[position : tag.start()]
        position = tag.end()
        if opened:  # the last tag opened a span that this one closes
            part, quote = _check(between, normalise_quote(between), bodies, seen)
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


def _khan_normalise(text: str) -> str:
    straight = text.translate(_MARKS).translate(_NO_PUNCTUATION)
    return " ".join(straight.lower().split())


def khan_verify(text: str, context: str) -> Verified:
    """Verify quotations as the code of Khan et al. (2024) does, for replication only.

    Blind to case and ASCII punctuation, so "x < 5" verifies against "x > 5" and "35"
    against "3.5"; an empty quotation always verifies; one with a line break, or with
    other than lower-case tags, is left alone. The source is named "context".
    """
    plain = re.sub(r"<(/?)[vu]_quote>", r"<\1quote>", text)
    body = {"context": _khan_normalise(context)}
    seen: set[str] = set()
    quotes: list[Quote] = []

    def check(match: re.Match[str]) -> str:
        key = _khan_normalise(match[1])
        part, quote = _check(match[1], key, body, seen, empty_verifies=True)
        quotes.append(quote)
        return part

    lines: list[str] = []
    for line in plain.split("\n"):
        # Past the last closing tag nothing can match, only be searched again and again.
        head, tag, tail = line.rpartition("</quote>")
        lines.append(_KHAN_SPAN.sub(check, head + tag) + tail)
    return Verified("\n".join(lines), tuple(quotes))
