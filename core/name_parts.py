"""Whether an answer gives a name of several parts, perhaps with more of them."""

import re
from collections.abc import Sequence

from inspect_debate.core.answer_text import unified

_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_TITLE = re.compile(
    "sir|dame|lord|lady|dr|doctor|mr|mrs|ms|miss|prof|professor|president|king|queen"
    "|prince|princess|emperor|empress|pope|general|colonel|captain|major|admiral"
    "|senator|governor|rev|reverend|justice",
    re.I,
)
_PARTICLE = re.compile("van|von|de|der|den|la|le|da|di|del|bin|al|el", re.I)
_MOST_MIDDLE_NAMES = 2


def fuller_name(given: str, name: str) -> bool:
    """Whether an answer is a name in another order, with a title or middle names.

    The name has at least two parts and no digit. The answer has all of them, in any
    order ("Tanaka Hiroshi"), or in the same order with initials, particles or at most
    two capitalised middle names between the first and the last ("Ulysses S. Grant" for
    "Ulysses Grant"). A title before either may be missing from the other, but not
    differ. "Grant", "Paris, Texas" for "Paris" and "Kansas City, Missouri" for "Kansas
    City" are not.
    """
    (title, parts), (other_title, asked) = _titled(given), _titled(name)
    if len(asked) < 2 or (title and other_title and title != other_title):
        return False
    lower, wanted = [p.lower() for p in parts], [p.lower() for p in asked]
    if sorted(lower) == sorted(wanted):
        return True
    if (lower[:1], lower[-1:]) != (wanted[:1], wanted[-1:]):
        return False
    middle = _left_over(parts, wanted)
    return middle is not None and _are_middle_names(middle)


def _titled(text: str) -> tuple[list[str], list[str]]:
    """The titles in front, and the parts of the name; no part of what has digits."""
    plain = unified(text)
    parts = [] if re.search("[0-9]", plain) else _PART.findall(plain)
    first = next(
        (i for i, part in enumerate(parts) if not _TITLE.fullmatch(part)), len(parts)
    )
    return [part.lower() for part in parts[:first]], parts[first:]


def _left_over(parts: Sequence[str], wanted: Sequence[str]) -> list[str] | None:
    """What the parts have besides those wanted, if these are there in their order."""
    left: list[str] = []
    awaited = list(reversed(wanted))
    for part in parts:
        if awaited and part.lower() == awaited[-1]:
            awaited.pop()
        else:
            left.append(part)
    return None if awaited else left


def _are_middle_names(parts: Sequence[str]) -> bool:
    names = [p for p in parts if len(p) > 1 and not _PARTICLE.fullmatch(p)]
    return len(names) <= _MOST_MIDDLE_NAMES and all(p[0].isupper() for p in names)
