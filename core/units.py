"""Units as they are written after a number, and what they are converted to."""

from decimal import Decimal
from typing import NamedTuple


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
