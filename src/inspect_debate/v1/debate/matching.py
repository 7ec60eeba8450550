"""Whether two answers in words are the same, and whether one is right.

SR-DCR scores by equality of strings, which is what "strict" means in this suite.
"Normalised" is what this module does. It follows SQuAD's normalisation and, like
ClashEval's code, takes numbers by value, times in seconds and names by their parts.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

# Units as they are written after a number, and what they are converted to.


class Unit(NamedTuple):
    """A unit by its symbol: so many (`factor`) of its `base`."""

    symbol: str
    base: str
    factor: Decimal


def _units(base: str, *rows: str) -> list[tuple[str, Unit]]:
    """Rows of a factor and the unit's spellings, of which the first is its symbol."""
    found = []
    for row in rows:
        factor, symbol, *others = row.split()
        unit = Unit(symbol, base, Decimal(factor))
        found += [(spelling, unit) for spelling in (symbol, *others)]
    return found


UNITS: dict[str, Unit] = dict(
    [
        *_units(
            "g",
            "1e-6 mcg microgram micrograms μg ug",
            "1e-3 mg milligram milligrams milligramme milligrammes",
            "1 g gram grams gramme grammes",
            "1e3 kg kilogram kilograms kilo kilos",
        ),
        *_units(
            "l",
            "1e-3 ml millilitre millilitres milliliter milliliters cc",
            "1 l litre litres liter liters",
        ),
        *_units(
            "m",
            "1e-3 mm millimetre millimetres millimeter millimeters",
            "1e-2 cm centimetre centimetres centimeter centimeters",
            "1 m metre metres meter meters",
            "1e3 km kilometre kilometres kilometer kilometers",
        ),
        *_units(
            "s",
            "1 s sec secs second seconds",
            "60 min mins minute minutes",
            "3600 h hr hrs hour hours",
            "86400 day days",
        ),
        *(
            entry
            for row in (
                "% percent pct",
                "week weeks wk wks",
                "month months",
                "year years yr yrs",
                "mile miles mi",
                "ft foot feet",
                "inch inches",
                "yard yards yd yds",
                "lb lbs",
                "oz ounce ounces",
                "iu",
                "unit units",
                "$ us$ dollar dollars usd",
                "€ euro euros eur",
                "£ pound pounds gbp",
                "point points pt pts",
                "goal goals",
                "person people persons",
                "vote votes",
                "seat seats",
                "time times",
            )
            for entry in _units(row.split()[0], f"1 {row}")
        ),
    ]
)
"""The unit of every spelling (lower case). Mass, volume, length and time convert."""

SCALES = {
    "hundred": 2,
    "thousand": 3,
    "million": 6,
    "mn": 6,
    "mln": 6,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
}
"""Words that multiply a number, as powers of ten."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

SMALL_NUMBERS = {word: n for n, word in enumerate(_ONES.split())}
TENS = {word: 10 * n for n, word in enumerate(_TENS.split(), start=2)}


# Numbers in an answer, by their value: with units, as times, in words.

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
_CLOCK_PART = re.compile(rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>[hms])")
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
        unit: What it counts, if the text names a known unit.
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
    parts = _CLOCK_PART.finditer(time)
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


@lru_cache(maxsize=4096)  # an answer is compared with those of all draws and questions
def canonical(answer: str) -> str:
    """The form in which answers are compared; those that are the same have the same.

    - Text as by `unified` (accents, initials, articles), in lower case, without
      punctuation: "The Beatles!" is "beatles". Symbols stay: "<5" is not "5".
    - Numbers by value: "1,000" is "1000.0"; up to ninety-nine in words: "four" is "4";
      with hundred to trillion: "$2.5 million" is "2,500,000 dollars". A minus counts
      ("-5", "minus 5"), "10-15" is "10 to 15". What is no plain number stays as it is
      ("1,5", "1/2", "1.2.3", "21st", the "1980s").
    - Units: "4g" is "4 grams", "62%" is "62 per cent", "10 mg/kg" is "10 mg per kg";
      mass, volume, length and time convert: "400 mg" is "0.4 g". "m" is metres. A
      number without its unit is another answer ("9.58", "9.58 s"), see `right_answer`.
    - Times are seconds: "2:01:09" is "2 h 1 min 9 s" is "7269 seconds". Two parts are
      minutes and seconds, as ClashEval reads them.
    """
    plain = unified(answer)
    return " ".join(map(str, items(plain))) or plain.lower()


def same_answer(a: str, b: str) -> bool:
    """Whether two answers are the same but for how they are written.

    An equivalence: it is the equality of their canonical forms.
    """
    return canonical(a) == canonical(b)


def right_answer(given: str, gold: str) -> bool:
    """Whether an answer agrees with the right one; lenient where that is safe.

    It does if it is the same answer; if both are one number of the same value, as they
    are written, and only one of them has a unit ("400" or "400 mg" for "400 mg" or
    "400": ClashEval's questions name the unit, and its answers leave it out); or if it
    is the name with a title, in another order or with middle names (`fuller_name`).
    """
    return (
        same_answer(given, gold)
        or _same_number(given, gold)
        or fuller_name(given, gold)
    )


def _same_number(given: str, gold: str) -> bool:
    one, other = _number(given), _number(gold)
    if one is None or other is None:
        return False
    return one.value == other.value and one.bare != other.bare


@lru_cache(maxsize=4096)
def _number(answer: str) -> Quantity | None:
    """The quantity that is all of the answer, if one is."""
    match list(islice(items(unified(answer)), 2)):
        case [Quantity() as alone]:
            return alone
    return None


# Whether an answer gives a name of several parts, perhaps with more of them.

_NAME_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
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
    parts = [] if re.search("[0-9]", plain) else _NAME_PART.findall(plain)
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


# An answer's text without differences of spelling that make no other answer.

_SPECIAL = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad"),
        **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"},
        **{"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D"},
        **{"þ": "th", "Þ": "Th", "ß": "ss", "×": "x", "⁄": "/", "&": " and ", "_": " "},
    }
)
_ACCENT = re.compile("[\u0300-\u036f]")
# NFKC makes them plain digits: 2½ and 10² would be 21/2 and 102.
_RAISED = re.compile("(?<=[0-9])(?=[⁰¹²³⁴-⁹₀-₉½¼¾⅐-⅞])")
_GROUPS = re.compile(
    "(?<![0-9.,:])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3}){1,4}+(?![0-9])"
)
_DOTTED = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_])")
_INITIALS = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.\s?+){2,}+")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_ARTICLE = re.compile(r"(?<![^\s'\"(])(?:[Tt]he|THE|an?|\AAn?)\s(?=[^\W_])")


@lru_cache(maxsize=4096)
def unified(answer: str) -> str:
    """An answer with what does not tell answers apart made one; its case stays.

    - compatibility characters are plain ones (NFKC: "５" is "5"), as are quotation
      marks, dashes, the minus sign and "×"; "&" is "and"; a run of white space is one
      space, and none between a number's groups of three digits ("10 000");
    - Latin, Greek and Cyrillic letters have no accents ("Sandström" is "Sandstrom",
      "Łódź" is "Lodz"); other scripts keep their marks ("が" is not "か");
    - initials are one word ("J. R. R. Tolkien" is "JRR Tolkien", "U.S." is "US"), and
      apostrophes inside words are gone ("O'Brien" is "OBrien");
    - articles before a word are gone: "the", and "a" or "an" in lower case or as the
      answer's first word (SQuAD). "A. Milne", "Vitamin A" and "plan A works" keep them.
    """
    text = _RAISED.sub(" ", _GROUPS.sub(lambda n: "".join(n[0].split()), answer))
    text = unicodedata.normalize("NFKC", text).translate(_SPECIAL)
    text = _ACCENT.sub("", unicodedata.normalize("NFD", text))
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = _INITIALS.sub(_joined, _DOTTED.sub("", text))
    return _ARTICLE.sub("", _APOSTROPHE.sub("", text))


def _joined(initials: re.Match[str]) -> str:
    return "".join(c for c in initials[0] if c.isalpha()) + " "
