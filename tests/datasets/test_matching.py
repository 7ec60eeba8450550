import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.datasets.matching import (
    canonical,
    exact,
    right_answer,
    same_answer,
)

# The same answer within a line, different ones in any two lines.
CLASSES = [
    # Case, blanks, punctuation, articles, compatibility characters.
    ["Paris", " PARIS. ", "“Paris”", "the Paris", "Ｐａｒｉｓ", "Pa\u200bris"],
    ["Paris, Texas", "paris texas", "Paris (Texas)"],
    ["New York", "new  york", "New\u00a0York", "New-York"],
    ["Newyork"],
    ["A Beautiful Mind", "a beautiful mind", "Beautiful Mind"],
    ["Vitamin A", "vitamin a"],
    ["Vitamin"],
    ["Plan A works"],
    ["Plan works", "the plan works"],
    ["Rock & Roll", "rock and roll"],
    # Accents go in Latin, Greek and Cyrillic only; initials, apostrophes, hyphens.
    ["Nils Sandström", "Nils Sandstrom", "NILS SANDSTRO\u0308M"],
    ["Łódź", "Lodz"],
    ["Αθήνα", "Αθηνα"],
    ["Королёв", "Королев"],
    ["が"],
    ["か"],
    ["O'Brien", "O’Brien", "OBrien"],
    ["Jean-Paul Sartre", "Jean Paul Sartre", "Jean–Paul Sartre"],
    ["J. R. R. Tolkien", "J.R.R. Tolkien", "JRR Tolkien", "J.R.R Tolkien"],
    ["A. A. Milne", "A.A. Milne"],
    ["A. Milne"],
    ["Milne"],
    ["Washington, D.C.", "Washington DC", "Washington, D. C."],
    ["Washington"],
    ["U.S.", "US", "the U.S."],
    # Numbers by value.
    ["1000", "1,000", "1000.0", "1 000", "1\u202f000", "１０００", "one thousand"],
    ["10000", "10,000", "ten thousand"],
    ["4", "four", "Four.", "+4", "4.00"],
    ["-4", "−4", "minus four", "negative 4"],
    ["14", "fourteen"],
    ["41", "forty-one", "forty one"],
    ["40", "forty"],
    ["1.5", "1.50", "01.5"],
    ["15", "fifteen"],
    ["1,5"],
    ["0.5", ".5", "0.50"],
    ["0", "zero", "-0", "0.0"],
    ["2500000", "2.5 million", "2,500,000", "2.5mn"],
    ["2.5 billion", "2,500 million", "2.5bn"],
    ["1/2", "½"],
    ["2 1/2", "2½"],
    ["21/2"],
    ["10 2", "10²"],
    ["102"],
    ["1.2.3"],
    ["<15"],
    ["1234567890123456789"],
    ["10-15", "10–15", "10 to 15", "10 - 15", "ten to fifteen"],
    ["1015"],
    ["21st"],
    ["21"],
    ["1980s", "the 1980s"],
    ["1980"],
    ["1980 s"],
    ["COVID-19", "covid 19"],
    # Units; mass, volume, length and time convert.
    ["4 g", "4g", "4 grams", "4-gram", "four grams", "4,000 mg", "0.004 kg"],
    ["4 mg", "4mg", "4 milligrams", "0.004 g", "4000 mcg", "4000 µg", "4000 μg"],
    ["4 ml", "4 millilitres", "4 mL", "0.004 l"],
    ["4 m", "4 metres", "4 meters", "400 cm"],
    ["4 miles", "4 mi"],
    ["4 m2", "4 m²"],
    ["10 mg/kg", "10 mg per kg", "10 mg per kilogram"],
    ["10 mg"],
    ["10 mg/day"],
    ["10"],
    ["10%", "10 %", "10 percent", "10 per cent", "ten percent"],
    ["$5 million", "5 million dollars", "US$5 million", "$5m", "5,000,000 USD"],
    ["€5 million", "5 million euros"],
    ["5 million"],
    ["-$5", "-5 dollars", "minus $5"],
    # Times; two parts are minutes and seconds.
    ["2:01:09", "2 h 1 min 9 s", "2h1m9s", "7269 seconds", "02:01:09"],
    ["2:01:10"],
    ["1:43.5", "103.5 s", "1 min 43.5 s", "0:01:43.50"],
    ["103.5"],
    ["9.58"],
    ["9.58 s", "9.58 seconds", "9.58s"],
    ["9:58", "598 s"],
    ["2 hours", "120 minutes", "2 hrs"],
    ["3 days", "72 hours"],
    ["3:1"],
    # Nothing but marks.
    ["!"],
    ["?"],
    [""],
]


def test_the_same_answer_and_near_misses() -> None:
    texts = [(line, text) for line, texts in enumerate(CLASSES) for text in texts]
    pairs = itertools.combinations(texts, 2)
    wrong = [(a, b) for (m, a), (n, b) in pairs if same_answer(a, b) != (m == n)]
    assert wrong == []
    assert not any(exact(a, b) for (_, a), (_, b) in itertools.combinations(texts, 2))


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("The Beatles!", "beatles"),
        ("400 mg", "0.4 g"),
        ("$2.5 million", "2500000 $"),
        ("2:01:09", "7269 s"),
        ("10 mg/kg per day", "0.01 g per kg per day"),
        ("The", "the"),
        ("...", "..."),
    ],
)
def test_canonical_forms(answer: str, form: str) -> None:
    assert canonical(answer) == form


# By the right answer.
RIGHT = {
    "Paris": ["paris"],
    # One number of which one alone has a unit.
    "400 mg": ["400", "four hundred"],
    "400": ["400 mg"],
    "10 mg/kg": ["10"],
    "10": ["10%"],
    "1:43.5": ["103.5"],
    # A name with more parts, with a title or without, in another order.
    "Ulysses Grant": ["Ulysses S. Grant", "Ulysses Simpson Grant", "Grant, Ulysses"],
    "Shinzo Abe": ["Abe Shinzo"],
    "Isaac Newton": ["Sir Isaac Newton"],
    "Sir Isaac Newton": ["Isaac Newton"],
    "Ludwig Beethoven": ["Ludwig van Beethoven"],
    "George Bush": ["George H. W. Bush"],
}
WRONG = {
    "Paris": ["Rome", "Paris, Texas"],
    "400 mg": ["400 g", "0.4", "40", "-400", "about 400", "400 to 500"],
    "10%": ["0.1"],
    "10 mg/kg": ["10 mg"],
    "$5 million": ["5"],
    "2 hours": ["2:00"],
    "5": ["5 May"],
    "Ulysses Grant": [
        *("Grant", "Ulysses Grant Jr.", "not Ulysses Grant", "Sir", ""),
        "Ulysses Grant and Robert Lee",
    ],
    "Ulysses S. Grant": ["Ulysses Grant"],  # not symmetric
    "Sir Isaac Newton": ["Dr. Isaac Newton"],
    "Newton": ["Sir Newton"],
    "Duran Duran": ["Duran"],
    "Maria Rossi": ["Maria Anna Luisa Rosa Rossi"],
    "South Korea": ["South and North Korea", "South Korea not North Korea"],
    "Kansas City": ["Kansas City, Missouri"],
    "Boeing Max": ["Boeing 747 Max"],
}


def test_right_answers() -> None:
    for gold, answers in RIGHT.items():
        assert [answer for answer in answers if not right_answer(answer, gold)] == []
    for gold, answers in WRONG.items():
        assert [answer for answer in answers if right_answer(answer, gold)] == []


PIECES = st.sampled_from(
    [*"aé-.,:/'\" $%(1", "The ", "12", "1,000", "four", " mg", " h ", "2:01:09", "A. "]
)
ANSWERS = st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=12)


@given(ANSWERS, ANSWERS, ANSWERS)
def test_sameness_is_an_equivalence_and_implies_right(a: str, b: str, c: str) -> None:
    assert same_answer(a, a)
    assert same_answer(a, b) is same_answer(b, a)
    assert same_answer(a, c) or not (same_answer(a, b) and same_answer(b, c))
    assert right_answer(a, b) or not same_answer(a, b)
    assert same_answer(a, b) or not exact(a, b)


@given(st.decimals(0, 10**9, places=4, allow_nan=False))
def test_numbers_are_compared_by_value(number: object) -> None:
    plain = f"{number:.4f}"
    assert same_answer(f"{number:,.4f}", plain)
    assert same_answer(plain.rstrip("0").rstrip("."), plain)
    assert not same_answer(plain + "1", plain)
    assert not same_answer(f"-1{plain}", f"1{plain}")


@pytest.mark.parametrize(
    "piece",
    ["1,", "1 ", "1:", "A. ", "twenty-", "1 million ", "Grant ", "2 h 1 ", "1/a "],
)
def test_long_answers_are_compared_in_time(piece: str) -> None:
    """With quadratic matching the test would take minutes."""
    assert not right_answer("1" + piece * 20_000 + "x", "Ulysses Grant")
