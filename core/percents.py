"""A number from 0 to 100, as models write it between tags or after a label."""

import re

from inspect_debate.core.record import Parsed

_PERCENT = re.compile(
    r"""[\s*_`"'\[({]*+ \+?+ (?P<number>[0-9]{1,9}+(?:\.[0-9]{1,9}+)?+) \s*+
    (?P<unit>(?:%|percent\b|(?:/|out\s+of\b)\s*+100\b(?!\.[0-9]))? \s*+
             (?:tokens?\b|points?\b)?+)
    [\s*_`"'\])}.]*+""",
    re.I | re.X,
)


def percent(text: str) -> Parsed:
    """Read a text that is one number from 0 to 100 and nothing else.

    Markdown and quotation marks, a plus sign and a unit (%, percent, /100, out of 100,
    tokens, points) may stand with it. Words, two numbers, a range, another unit, a
    minus sign or a value outside 0 to 100 are unparsed, never clipped; so is a bare
    number between 0 and 1, which may as well be a share.
    """
    match = _PERCENT.fullmatch(text)
    if match is None:
        return Parsed.unparsed()
    value = float(match["number"])
    is_share = 0 < value < 1 and not match["unit"].strip()
    return Parsed.unparsed() if value > 100 or is_share else Parsed.ok(value)
