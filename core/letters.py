"""Reader of the line that names one of a question's options by its letter."""

import re
from collections.abc import Sequence

from inspect_debate.core.parsing import last_payload
from inspect_debate.core.record import Parsed

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
                said = item["letter"]
                told = said.isupper() or chosen.islower() or not labelled
                if told and said.upper() != chosen.upper():
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
        keyword: What stands before the colon.
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
