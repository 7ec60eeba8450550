"""Numbers and times in answers, multiplied."""

from decimal import Decimal

import pytest

from inspect_debate.datasets.clasheval import multiplied


@pytest.mark.parametrize(
    ("text", "factor", "product"),
    [
        ("30 mg", "0.1", "3 mg"),
        ("$1,390 a day", "2", "$2,780 a day"),
        ("1,390", "0.1", "139"),
        ("1,390", "10", "13,900"),
        ("850", "10", "8500"),
        ("2.40 m", "1.5", "3.60 m"),
        ("9.58", "0.1", "0.96"),
        ("139", "0.1", "14"),
        ("13", "1.5", "20"),
        # Rounding may not make it another multiple, or nothing.
        ("3", "0.1", None),
        ("2", "1.2", None),
        ("7", "0.4", "3"),
        ("0", "2", None),
        # Times are multiplied in seconds, and keep their fields and places.
        ("1:40.91", "10", "16:49.10"),
        ("1:40.91", "0.1", "0:10.09"),
        ("59:59.9", "1.2", "1:11:59.9"),
        ("90:30", "2", "181:00"),
        ("2:00:35", "0.4", "0:48:14"),
        ("2:00:35 h", "10", "20:05:50 h"),
        ("0:59.96", "1.2", "1:11.95"),
        ("5 to 10", "2", None),
        ("none", "2", None),
    ],
)
def test_multiplied(text: str, factor: str, product: str | None) -> None:
    assert multiplied(text, Decimal(factor)) == product


@pytest.mark.parametrize(
    ("text", "factor", "product"),
    [
        ("5 mg", "0.1", "0.5 mg"),
        ("5 mg", "2", "10 mg"),
        ("12.5 mg", "0.1", "1.25 mg"),
        ("12.5 mg", "0.8", "10.0 mg"),
        ("0.15 mg", "1.5", "0.225 mg"),
        ("4:05", "0.1", "0:25"),
    ],
)
def test_one_place_more(text: str, factor: str, product: str) -> None:
    assert multiplied(text, Decimal(factor), finer=True) == product
