"""Years shifted in passages and answers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.datasets.clasheval_questions import (
    Perturbed,
    Refusal,
    perturb_year,
    shift_year,
)


@pytest.mark.parametrize(
    ("text", "shifted"),
    [
        ("In 2006.", "In 1966."),
        ("2006", "1966"),
        ("2006, then 2006; (2006)\n2006!", "1966, then 1966; (1966)\n1966!"),
        ("12,2006 2006,2007", "12,1966 1966,2007"),
        # Longer runs of digits, and decimal numbers, are no years.
        ("12006 20065 120065 020062006", "12006 20065 120065 020062006"),
        ("2006.5 km, 3.2006 and 0.2006.", "2006.5 km, 3.2006 and 0.2006."),
        ("٣2006", "٣2006"),
        # The dots of dates are no decimal points.
        ("1.12.2006, 01.2.2006 and 2006.12.01", "1.12.1966, 01.2.1966 and 1966.12.01"),
        ("2006-07-15 2006/07/15 15/07/2006", "1966-07-15 1966/07/15 15/07/1966"),
        # A short end of a range moves along; a month stays.
        ("2006-07", "1966-67"),
        ("the 2006–07 season", "the 1966–67 season"),
        ("2006/07.", "1966/67."),
        ("2006-7", "1966-7"),
        ("2006-03 and 2006-06", "1966-03 and 1966-06"),
        ("2006-2007 and 2004–2006", "1966-2007 and 2004–1966"),
        ("2006-0715", "1966-0715"),
        # Letters may touch it.
        ("the 2006s, c2006, AD2006, 2006th", "the 1966s, c1966, AD1966, 1966th"),
        ("_2006_ [2006] $2006", "_1966_ [1966] $1966"),
        ("2,006 and 206 and 2007", "2,006 and 206 and 2007"),
        ("", ""),
    ],
)
def test_shift(text: str, shifted: str) -> None:
    assert shift_year(text, 2006, -40) == shifted


@pytest.mark.parametrize(
    ("text", "year", "offset", "shifted"),
    [
        ("the 1990s", 1990, 20, "the 2010s"),
        ("1999-00", 1999, 20, "2019-20"),
        ("1939-45", 1939, 60, "1999-05"),
        ("1914–18", 1914, -100, "1814–18"),
        ("980 and 1980", 980, 40, "1020 and 1980"),
        ("1020", 1020, -40, "980"),
        ("2001", 2001, 200, "2201"),
    ],
)
def test_shift_by_other_offsets(
    text: str, year: int, offset: int, shifted: str
) -> None:
    assert shift_year(text, year, offset) == shifted


@pytest.mark.parametrize(
    ("context", "answer", "offset", "expected"),
    [
        ("Built in 1859.", "1859", 60, ("Built in 1919.", "1919", 60)),
        ("On 16 May 1859.", "May 1859", -20, ("On 16 May 1839.", "May 1839", -20)),
        ("In 1200.", "1200 AD", 100, ("In 1300.", "1300 AD", 100)),
        ("From 2006-07.", "2006-07", 40, ("From 2046-47.", "2046-47", 40)),
        # The other sign where the first leaves 1 to 2999, whose ends are allowed.
        ("In 101.", "101", -100, ("In 1.", "1", -100)),
        ("In 100.", "100", -100, ("In 200.", "200", 100)),
        ("In 2799.", "2799", 200, ("In 2999.", "2999", 200)),
        ("In 2800.", "2800", 200, ("In 2600.", "2600", -200)),
        ("In 3050.", "3050", 100, ("In 2950.", "2950", -100)),
    ],
)
def test_perturb(
    context: str, answer: str, offset: int, expected: tuple[str, str, int]
) -> None:
    assert perturb_year(context, answer, offset) == Perturbed(*expected)


@pytest.mark.parametrize(
    ("context", "answer", "offset", "refusal"),
    [
        ("In 2006.", "1966", 20, Refusal.ABSENT),
        ("In 12006 and 2006.5.", "2006", 20, Refusal.ABSENT),
        ("", "2006", 20, Refusal.ABSENT),
        ("In 1500.", "1500", 1500, Refusal.OUT_OF_RANGE),
        ("In 9999.", "9999", 200, Refusal.OUT_OF_RANGE),
        ("In 0.", "0", 20, Refusal.NO_YEAR),
        ("In 0079.", "0079", 20, Refusal.NO_YEAR),
        ("In 12006.", "12006", 20, Refusal.NO_YEAR),
        ("In 2006.5.", "2006.5", 20, Refusal.NO_YEAR),
        ("1990 or 2006", "1990 or 2006", 20, Refusal.NO_YEAR),
        ("the war", "the war", 20, Refusal.NO_YEAR),
        ("", "", 20, Refusal.NO_YEAR),
    ],
)
def test_refusals(context: str, answer: str, offset: int, refusal: Refusal) -> None:
    assert perturb_year(context, answer, offset) is refusal


WORDS = st.lists(
    st.sampled_from(["in", "2006", "12006", "2006.5", "2006-07", "1966", "(2006)", "5"])
)


@given(words=WORDS, offset=st.sampled_from([20, -40, 60, -100, 200]))
def test_nothing_else_changes(words: list[str], offset: int) -> None:
    """Shifting back restores the text; no year is left, and no other digits change."""
    text = " ".join(word for word in words if word != str(2006 + offset))
    shifted = shift_year(text, 2006, offset)
    assert shift_year(shifted, 2006 + offset, -offset) == text
    assert not re.search(r"(?<!\d)2006(?!\d|\.\d)", shifted)
    assert re.sub(r"\d", "", shifted) == re.sub(r"\d", "", text)
