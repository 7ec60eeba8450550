"""Passages with another year: every mention of it shifted by an offset."""

import re
from enum import StrEnum
from typing import NamedTuple

FIRST, LAST = 1, 2999
"""The years that a shifted year may be."""

# Short forms are those of a later year in the same hundred: 1914-18, 2006–07, 1999/00.
# Followed by another hyphen and digits they are the month of a date, 2006-07-15.
_SHORT_END = r"(?:(?P<dash>[-–/])(?P<end>\d\d)(?![-–/.]?\d))?"
# A year stands outside longer runs of digits, and is no part of a decimal number; the
# dots of dates, as in 1.12.2006 and 2006.12.01, are no decimal points. What may stand
# before it comes after it in the pattern, as literals are found fast.
_YEAR = (
    r"{year}"
    r"(?<!\d{year})(?:(?<!\d\.{year})|(?<=\d\.\d\.{year})|(?<=\d\.\d\d\.{year}))"
    r"(?!\d)(?!\.\d+(?!\.?\d))" + _SHORT_END
)
_PLAIN_YEAR = re.compile(r"[1-9]\d{0,3}", re.ASCII)
_YEAR_AMONG_WORDS = re.compile(r"(?<!\d)[1-9]\d{2,3}(?!\d)", re.ASCII)


class Refusal(StrEnum):
    """Why a passage got no other year."""

    NO_YEAR = "the answer has no year, or several"
    ABSENT = "the year is not in the passage"
    OUT_OF_RANGE = f"the shifted year is not within {FIRST} to {LAST}"


class Perturbed(NamedTuple):
    """A passage with another year, the answer that it gives, and the signed offset."""

    context: str
    answer: str
    offset: int


def perturb_year(context: str, answer: str, offset: int) -> Perturbed | Refusal:
    """Shift the year of an answer, in a passage and in the answer itself.

    Wu et al. (2024) shift by up to 100 years; SR-DCR by 20, 40, 60, 100 and 200.

    Args:
        context: The passage.
        answer: A year (`2006`), or words with one year of three or four digits.
        offset: In years, with its sign. Where the result would leave 1..2999, the
            other sign is taken.

    Returns:
        The shifted passage and answer with the offset that was taken, or the reason
        why there are none.
    """
    year = _year_of(answer)
    if year is None:
        return Refusal.NO_YEAR
    if not _mentions(year).search(context):
        return Refusal.ABSENT
    for signed in (offset, -offset):
        if FIRST <= year + signed <= LAST:
            shifted = shift_year(context, year, signed)
            return Perturbed(shifted, shift_year(answer, year, signed), signed)
    return Refusal.OUT_OF_RANGE


def shift_year(text: str, year: int, offset: int) -> str:
    """A text in which every mention of a year is that year plus an offset.

    Letters may follow, as in `1990s`. Untouched stay longer runs of digits (`12006`)
    and decimal numbers (`2006.5`). A range whose end is short moves as a whole:
    `2006-07` becomes `1966-67`; a full end (`2006-2007`) is a year of its own.

    Args:
        text: Any text.
        year: The year to shift.
        offset: In years, with its sign.
    """

    def shifted(mention: re.Match[str]) -> str:
        moved = str(year + offset)
        dash, end = mention["dash"], mention["end"]
        if end is None:
            return moved
        length = (int(end) - year) % 100
        if not 0 < length < 50:  # as in 2006-06 and 2006-03, which are months
            return f"{moved}{dash}{end}"
        return f"{moved}{dash}{(year + offset + length) % 100:02d}"

    return _mentions(year).sub(shifted, text)


def _mentions(year: int) -> re.Pattern[str]:
    return re.compile(_YEAR.format(year=year))


def _year_of(answer: str) -> int | None:
    if _PLAIN_YEAR.fullmatch(answer):
        return int(answer)
    years = {int(found) for found in _YEAR_AMONG_WORDS.findall(answer)}
    mentioned = [year for year in years if _mentions(year).search(answer)]
    return mentioned[0] if len(years) == len(mentioned) == 1 else None
