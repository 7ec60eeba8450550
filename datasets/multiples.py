"""Answers with another number: as they are written, but multiplied."""

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_TIME = r"(?P<time>\d+(?::\d\d){1,2}(?:\.\d+)?)"
_NUMBER = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)"
_QUANTITY = re.compile(f"{_TIME}|{_NUMBER}")
_MOST_ROUNDING = Decimal("0.1")
"""As a share of the exact product: beyond it another multiple would be as true."""


def multiplied(text: str, factor: Decimal, finer: bool = False) -> str | None:
    """A text whose one number or time is multiplied, written as it was.

    Args:
        text: E.g. `1,390 people` or `1:40.91`. A time is multiplied in seconds.
        factor: By how much.
        finer: Whether one decimal place more may be used than the number has, as in
            `5 mg`, 0.5 of which is `2.5 mg`. Other products are rounded.

    Returns:
        The text; None if it has no number or several, or if the product is so small
        that rounding takes or adds more than a tenth of it.
    """
    found = _only(text)
    if found is None:
        return None
    exact = _value(found) * factor
    product = _rounded(exact, _places(found), finer and not found["time"])
    if not product or abs(product - exact) > exact * _MOST_ROUNDING:
        return None
    return text[: found.start()] + _written(product, found) + text[found.end() :]


def _only(text: str) -> re.Match[str] | None:
    found = list(_QUANTITY.finditer(text))
    return found[0] if len(found) == 1 else None


def _value(found: re.Match[str]) -> Decimal:
    if found["number"]:
        return Decimal(found["number"].replace(",", ""))
    return _seconds(found["time"].split(":"))


def _seconds(fields: Iterable[str]) -> Decimal:
    seconds = Decimal(0)
    for field in fields:
        seconds = seconds * 60 + Decimal(field)
    return seconds


def _places(found: re.Match[str]) -> int:
    return len(found.group().partition(".")[2])


def _rounded(exact: Decimal, places: int, finer: bool) -> Decimal:
    """To `places` decimal places, or to one more if finer and if that is closer."""
    rounded = exact
    for digits in range(places, places + finer + 1):
        rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
        if rounded == exact:
            break
    return rounded


def _written(product: Decimal, like: re.Match[str]) -> str:
    """A product in the way of what was multiplied: separators, fields, places."""
    if like["time"]:
        return _time(product, like["time"])
    return f"{product:,f}" if "," in like["number"] else f"{product:f}"


def _time(seconds: Decimal, like: str) -> str:
    places = len(like.partition(".")[2])
    width = 3 + places if places else 2
    minutes, rest = divmod(seconds, 60)
    written = f"{rest:0{width}.{places}f}"
    first, *others = like.split(":")
    if len(others) == 1 and (minutes < 60 or int(first) >= 60):
        return f"{minutes:.0f}:{written}"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:.0f}:{minutes:02.0f}:{written}"
