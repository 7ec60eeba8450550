"""Whether two short answers are the same, and whether one is right.

`exact` is the paper's exact match. The normalised comparison follows SQuAD, and like
ClashEval's own code it compares numbers by value, times in seconds and names by parts.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple


def exact(given: str, gold: str) -> bool:
    """Whether two answers are the same string."""
    return given == gold


def same_answer(a: str, b: str) -> bool:
    """Whether two answers differ in nothing but spelling; an equivalence relation."""
    return canonical(a) == canonical(b)


def right_answer(given: str, gold: str) -> bool:
    """Whether an answer is right: wider than `same_answer`, and not symmetric.

    Also right are the same number where only one of the two has a unit ("400" for
    "400 mg": ClashEval's questions name the unit), and a name in another order, with or
    without a title, or with middle names ("Ulysses S. Grant" for "Ulysses Grant").
    """
    return (
        same_answer(given, gold)
        or _same_number(given, gold)
        or _fuller_name(given, gold)
    )


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The form in which answers are compared.

    Letters are lower case and without accents; articles and punctuation are gone.
    Numbers are written by value ("1,000" and "one thousand" are "1000"), with mass,
    volume, length and time in one unit each ("400 mg" is "0.4 g", "2:01:09" is
    "7269 s"). What is no plain number stays a word: "1,5", "1/2", "1.2.3", "21st".
    """
    folded = _folded(text)
    return " ".join(map(str, _items(folded))) or folded.lower()


# --- Numbers --------------------------------------------------------------------------


class _Unit(NamedTuple):
    base: str
    factor: Decimal
    symbol: str


# What converts: the base unit, what one is worth in it, the symbol, other spellings.
_CONVERTED = """
    g 1e-6 mcg microgram μg ug
    g 1e-3 mg milligram milligramme
    g 1 g gram gramme
    g 1e3 kg kilogram kilo
    l 1e-3 ml millilitre milliliter cc
    l 1 l litre liter
    m 1e-3 mm millimetre millimeter
    m 1e-2 cm centimetre centimeter
    m 1 m metre meter
    m 1e3 km kilometre kilometer
    s 1 s sec second
    s 60 min minute
    s 3600 h hr hrs hour
    s 86400 day"""
_OTHERS = """
    % percent pct|week wk|month|year yr yrs|mile mi|ft foot feet|inch inches|yard yd
    |lb lbs|oz ounce|iu|unit|$ us$ dollar usd|€ euro eur|£ pound gbp|point pt pts|goal
    |person people|vote|seat|time"""
_ROWS = [
    *(row.split() for row in _CONVERTED.strip().split("\n")),
    *([row.split()[0], "1", *row.split()] for row in _OTHERS.split("|")),
]
_UNITS = {
    name: _Unit(base, Decimal(factor), names[0])
    for base, factor, *names in _ROWS
    for word in names
    for name in (word, f"{word}s" if len(word) > 2 else word)
}
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALES |= {"mn": 6, "mln": 6, "bn": 9}
_OF_MONEY = {"k": 3, "m": 6, "b": 9}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: n for n, word in enumerate(_ONES.split())}
_TIMES_TEN = {word: 10 * n for n, word in enumerate(_TENS.split(), start=2)}


class _Quantity(NamedTuple):
    value: Decimal  # as written; a time of several parts is in seconds
    unit: _Unit | None = None
    per: tuple[str, ...] = ()

    def __str__(self) -> str:
        value = self.value * (self.unit.factor if self.unit else 1)
        number = f"{value.normalize():f}" if value else "0"
        base = [self.unit.base] if self.unit else []
        return " ".join([number, *base, *(f"per {symbol}" for symbol in self.per)])


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# So few digits that Decimal's arithmetic is exact. Longer numbers stay words.
_NUMBER = (
    r"(?:(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?:\.[0-9]{1,8})?|\.[0-9]{1,8})"
)
_END = r"(?!\w|[.,:/][0-9])"
_WORD_END = r"(?![^\W\d_])"
_H, _M, _S = (
    rf"{_NUMBER}[\s-]?(?:{units}){_WORD_END}"
    for units in ("h|hrs?|hours?", "m|mins?|minutes?", "s|secs?|seconds?")
)
_AND = r",?\s?(?:and\s)?"
_ITEM = re.compile(
    rf"""(?P<decade>\b[0-9]{{3}}0s\b)
    |(?P<clock>\b[0-9]{{1,3}}(?::[0-5][0-9]){{1,2}}(?:\.[0-9]{{1,8}})?{_END})
    |(?P<duration>(?:{_H}{_AND}{_M}(?:{_AND}{_S})?|{_H}{_AND}{_S}|{_M}{_AND}{_S}){_END})
    |(?P<quantity>
        (?P<sign>(?<!\w)(?:[+-]|minus\s|negative\s))?
        (?:(?P<currency>(?:us)?\$|[€£])\s?)?
        (?P<number>{_NUMBER})
        (?P<scales>(?:[\s-]?(?:{_any(_SCALES)}){_WORD_END}){{0,2}})
        (?(currency)(?:\s?(?P<short>[kmb]){_WORD_END})?)
        (?:[\s-]?(?P<unit>per\s?cent|{_any(_UNITS)}){_WORD_END})?
        (?P<per>(?:\s?(?:/|\bper\s)\s?[^\W\d_]+){{0,3}}){_END})
    |(?P<literal>[0-9]\w*+(?:[.,:/]\w++)*+)
    |(?P<word>\w++)
    |(?P<symbol>[^\w\s])""",
    re.X,
)
_PART = re.compile(rf"(?P<number>{_NUMBER})[\s-]?(?P<unit>[hms])")
_IN_WORDS = re.compile(
    rf"\b(?:(?P<tens>{_any(_TIMES_TEN)})(?:[\s-](?P<one>{_any(_SMALL)})\b)?"
    rf"|(?P<small>{_any(_SMALL)}))\b"
)
_RANGE = re.compile(r"(?<=[0-9])(?:-|\s-\s)(?=[0-9])")
_PART_SECONDS = {"h": 3600, "m": 60, "s": 1}


def _items(folded: str) -> Iterator[_Quantity | str]:
    """Quantities, words and meaningful symbols, in order."""
    text = _RANGE.sub(" to ", _IN_WORDS.sub(_digits, folded.lower()))
    for item in _ITEM.finditer(text):
        if item["clock"]:
            seconds = Decimal(0)
            for part in item["clock"].split(":"):  # two parts are minutes and seconds
                seconds = seconds * 60 + Decimal(part)
            yield _Quantity(seconds, _UNITS["s"])
        elif item["duration"]:
            parts = _PART.finditer(item["duration"])
            values = [_value(p["number"]) * _PART_SECONDS[p["unit"]] for p in parts]
            yield _Quantity(sum(values, Decimal(0)), _UNITS["s"])
        elif item["quantity"]:
            yield _quantity(item)
        elif not item["symbol"] or unicodedata.category(item[0]) in ("Sm", "Sc", "So"):
            yield item[0]


def _digits(words: re.Match[str]) -> str:
    tens, ones = _TIMES_TEN.get(words["tens"], 0), words["one"] or words["small"]
    return str(tens + _SMALL.get(ones, 0))


def _value(number: str) -> Decimal:
    return Decimal(number.replace(",", ""))


def _quantity(item: re.Match[str]) -> _Quantity:
    scales = item["scales"].replace("-", " ").split()
    places = sum(_SCALES[word] for word in scales) + _OF_MONEY.get(item["short"], 0)
    value = _value(item["number"]).scaleb(places)
    if item["sign"] and item["sign"] != "+":
        value = -value
    written = re.sub(r"per\scent", "percent", item["unit"] or item["currency"] or "")
    per = re.findall(r"[^\W\d_]+", item["per"].replace("per ", "/"))
    symbols = (_UNITS[word].symbol if word in _UNITS else word for word in per)
    return _Quantity(value, _UNITS.get(written), tuple(symbols))


def _same_number(given: str, gold: str) -> bool:
    """Whether both are one number of equal value, of which one alone has a unit."""
    match [*_items(_folded(given))], [*_items(_folded(gold))]:
        case [[_Quantity() as one], [_Quantity() as other]]:
            bare = [not (number.unit or number.per) for number in (one, other)]
            return one.value == other.value and bare[0] != bare[1]
    return False


# --- Names ----------------------------------------------------------------------------

_NAME_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_TITLE = re.compile(
    "sir|dame|lord|lady|dr|doctor|mr|mrs|ms|miss|prof|professor|president|king|queen"
    "|prince|princess|emperor|empress|pope|general|colonel|captain|major|admiral"
    "|senator|governor|rev|reverend|justice",
    re.I,
)
_PARTICLE = re.compile("van|von|de|der|den|la|le|da|di|del|bin|al|el", re.I)


def _fuller_name(given: str, name: str) -> bool:
    """Whether an answer is a name in another order, or with parts in its middle.

    The name has two parts or more and no digits. A title may be missing from either,
    but two titles must agree. In the middle may be initials, particles and at most two
    further names: "Kansas City, Missouri" is not "Kansas City".
    """
    (title, parts), (other_title, asked) = _titled(given), _titled(name)
    if len(asked) < 2 or (title and other_title and title != other_title):
        return False
    lower, wanted = [part.lower() for part in parts], [part.lower() for part in asked]
    if sorted(lower) == sorted(wanted):
        return True
    ends = lower[:1] == wanted[:1] and lower[-1:] == wanted[-1:]
    middle = [p for p in parts if p.lower() not in wanted and len(p) > 1]
    names = [part for part in middle if not _PARTICLE.fullmatch(part)]
    capitalised = all(part[0].isupper() for part in names)
    return (
        ends and Counter(wanted) <= Counter(lower) and len(names) <= 2 and capitalised
    )


def _titled(text: str) -> tuple[list[str], list[str]]:
    """The titles in front, and the other parts; none of what has digits."""
    folded = _folded(text)
    parts = [] if re.search("[0-9]", folded) else _NAME_PART.findall(folded)
    titles = [part.lower() for part in takewhile(_TITLE.fullmatch, parts)]
    return titles, parts[len(titles) :]


# --- Spelling -------------------------------------------------------------------------

_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad"),
        **{"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"},
        **{"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ð": "d", "Ð": "D"},
        **{"þ": "th", "Þ": "Th", "ß": "ss", "×": "x", "⁄": "/", "&": " and ", "_": " "},
    }
)
# Of Latin, Greek and Cyrillic letters. Other scripts' marks make other letters.
_ACCENT = re.compile("[\u0300-\u036f]")
# NFKC would make 2½ and 10² 21/2 and 102.
_RAISED = re.compile("(?<=[0-9])(?=[⁰¹²³⁴-⁹₀-₉½¼¾⅐-⅞])")
_GROUPS = re.compile(
    "(?<![0-9.,:])[0-9]{1,3}(?:[ \u00a0\u2009\u202f][0-9]{3}){1,4}+(?![0-9])"
)
_DOTTED = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_])")
_INITIALS = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.\s?+){2,}+")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
# "A. Milne" and "Vitamin A" keep theirs: "A" goes at the start and before a word only.
_ARTICLE = re.compile(r"(?<![^\s'\"(])(?:[Tt]he|THE|an?|\AAn?)\s(?=[^\W_])")


@lru_cache(maxsize=4096)
def _folded(answer: str) -> str:
    """An answer without differences that make no other answer, in its own case.

    NFKC; quotation marks, dashes and blanks of one kind; no blanks between groups of
    three digits, no accents, no articles, initials as one word ("JRR", "US").
    """
    text = _RAISED.sub(" ", _GROUPS.sub(lambda n: "".join(n[0].split()), answer))
    text = unicodedata.normalize("NFKC", text).translate(_SPELLINGS)
    text = _ACCENT.sub("", unicodedata.normalize("NFD", text))
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = _INITIALS.sub(_joined, _DOTTED.sub("", text))
    return _ARTICLE.sub("", _APOSTROPHE.sub("", text))


def _joined(initials: re.Match[str]) -> str:
    return "".join(c for c in initials[0] if c.isalpha()) + " "
