"""Numbers in an answer, by their value: with units, as times, in words."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from inspect_debate.core.units import SCALES, SMALL_NUMBERS, TENS, UNITS, Unit

# Few enough digits for Decimal's arithmetic to be exact; longer numbers stay as words.
_NUMBER = (
    r"(?:(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,8})?|\.[0-9]{1,8})"
)
_ENDS = r"(?!\w|[.,:/][0-9])"
_WORD_ENDS = r"(?![^\W\d_])"


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_HOURS, _MINUTES, _SECONDS = (
    rf"{_NUMBER}[\s-]?(?:{units}){_WORD_ENDS}"
    for units in ("h|hrs?|hours?", "m|mins?|minutes?", "s|secs?|seconds?")
)
_PART = re.compile(rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>[hms])")
_AND = r",?\s?(?:and\s)?"
_ITEM = re.compile(
    rf"""(?P<decade>\b[0-9]{{3}}0s\b)
    |(?P<clock>\b[0-9]{{1,3}}(?::[0-5][0-9]){{1,2}}(?:\.[0-9]{{1,8}})?{_ENDS})
    |(?P<duration>(?:{_HOURS}{_AND}{_MINUTES}(?:{_AND}{_SECONDS})?
                    |{_HOURS}{_AND}{_SECONDS}|{_MINUTES}{_AND}{_SECONDS}){_ENDS})
    |(?P<quantity>
        (?P<sign>(?<!\w)(?:[+-]|minus\s|negative\s))?
        (?:(?P<before>(?:us)?\$|[€£])\s?)?
        (?P<number>{_NUMBER})
        (?P<scales>(?:[\s-]?(?:{_any(SCALES)}){_WORD_ENDS}){{0,2}})
        (?(before)(?:\s?(?P<short>[kmb]){_WORD_ENDS})?)
        (?:[\s-]?(?P<unit>per\s?cent|{_any(UNITS)}){_WORD_ENDS})?
        (?P<per>(?:\s?(?:/|\bper\s)\s?[^\W\d_]+){{0,3}}){_ENDS})
    |(?P<literal>[0-9]\w*+(?:[.,:/]\w++)*+)
    |(?P<word>\w++)
    |(?P<symbol>[^\w\s])""",
    re.X,
)
_SHORT_SCALES = {"k": 3, "m": 6, "b": 9}
_SECONDS_IN = {"h": 3600, "m": 60, "s": 1}
_MEANINGFUL = {"Sm", "Sc", "So"}
_IN_WORDS = re.compile(
    rf"\b(?:(?P<tens>{_any(TENS)})(?:[\s-](?P<one>{_any(SMALL_NUMBERS)})\b)?"
    rf"|(?P<small>{_any(SMALL_NUMBERS)}))\b"
)
_RANGE = re.compile(r"(?<=[0-9])(?:-|\s-\s)(?=[0-9])")


class Quantity(NamedTuple):
    """A number as it is written, with its unit: 4 g, 10 mg/kg, $5 million, 62.

    Attributes:
        value: The number; that of a time of several parts ("2:01:09") is in seconds.
        unit: What it counts, if that is said and known.
        per: What it is per, as symbols of units or words.
    """

    value: Decimal
    unit: Unit | None = None
    per: tuple[str, ...] = ()

    @property
    def bare(self) -> bool:
        """Whether it is a number without a unit."""
        return self.unit is None and not self.per

    def __str__(self) -> str:
        """The number in the base of its unit: equal quantities are written alike."""
        factor = self.unit.factor if self.unit else Decimal(1)
        value = self.value * factor
        number = f"{value.normalize():f}" if value else "0"
        base = [self.unit.base] if self.unit else []
        return " ".join([number, *base, *(f"per {symbol}" for symbol in self.per)])


def items(text: str) -> Iterator[Quantity | str]:
    """The quantities, words and symbols of an answer in order, without punctuation.

    Args:
        text: An answer as `unified` gives it; case does not matter.
    """
    digits = _RANGE.sub(" to ", _IN_WORDS.sub(_digits, text.lower()))
    for item in _ITEM.finditer(digits):
        if item["clock"]:
            yield Quantity(_clock(item["clock"]), UNITS["s"])
        elif item["duration"]:
            yield Quantity(_duration(item["duration"]), UNITS["s"])
        elif item["quantity"]:
            yield _quantity(item)
        elif not item["symbol"] or unicodedata.category(item[0]) in _MEANINGFUL:
            yield item[0]


def _digits(words: re.Match[str]) -> str:
    if words["small"]:
        return str(SMALL_NUMBERS[words["small"]])
    return str(TENS[words["tens"]] + SMALL_NUMBERS.get(words["one"] or "", 0))


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))


def _clock(time: str) -> Decimal:
    """The seconds of h:mm:ss or m:ss."""
    seconds = Decimal(0)
    for part in time.split(":"):
        seconds = seconds * 60 + Decimal(part)
    return seconds


def _duration(time: str) -> Decimal:
    parts = _PART.finditer(time)
    values = (_value(part["number"]) * _SECONDS_IN[part["unit"]] for part in parts)
    return sum(values, Decimal(0))


def _quantity(item: re.Match[str]) -> Quantity:
    scales = item["scales"].replace("-", " ").split()
    places = sum(SCALES[word] for word in scales) + _SHORT_SCALES.get(
        item["short"] or "", 0
    )
    sign = -1 if item["sign"] and item["sign"] != "+" else 1
    value = (_value(item["number"]) * sign).scaleb(places)
    written = item["unit"] or item["before"]
    percent = written is not None and written.startswith("per")
    unit = UNITS["%" if percent else written] if written else None
    per = re.findall(r"[^\W\d_]+", item["per"].replace("per ", "/"))
    return Quantity(value, unit, tuple(_symbol(word) for word in per))


def _symbol(word: str) -> str:
    return UNITS[word].symbol if word in UNITS else word
