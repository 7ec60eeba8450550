import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.debate.matching import canonical, right_answer, same_answer
from tests.v1.support.growth import check_linear

# The same answer within a line, different ones between any two lines.
CLASSES = [
    # Case, white space, punctuation, articles, compatibility characters.
    ["Paris", "paris", " PARIS. ", "“Paris”", "the Paris", "Ｐａｒｉｓ", "Pa\u200bris"],
    ["Paris, Texas", "paris texas", "Paris (Texas)"],
    ["Texas"],
    ["New York", "new  york", "New\u00a0York", "New-York"],
    ["Newyork"],
    ["The Beatles", "Beatles", "the beatles!"],
    ["A Beautiful Mind", "a beautiful mind", "Beautiful Mind"],
    ["Vitamin A", "vitamin a"],
    ["Vitamin"],
    ["Plan A works"],
    ["Plan works", "the plan works"],
    ["Vitamin B"],
    ["Rock & Roll", "rock and roll"],
    # Names: accents, apostrophes, hyphens, initials.
    ["Nils Sandström", "Nils Sandstrom", "NILS SANDSTRO\u0308M"],
    ["Łódź", "Lodz"],
    ["Søren Ærø", "Soren Aero"],
    ["Grosse Strasse", "Große Straße"],
    ["O'Brien", "O’Brien", "OBrien"],
    ["Jean-Paul Sartre", "Jean Paul Sartre", "Jean–Paul Sartre"],
    ["J. R. R. Tolkien", "J.R.R. Tolkien", "JRR Tolkien", "J.R.R Tolkien"],
    ["John Tolkien"],
    ["Tolkien"],
    ["A. A. Milne", "A.A. Milne"],
    ["A. Milne"],
    ["Milne"],
    ["Washington, D.C.", "Washington DC", "Washington, D. C."],
    ["Washington"],
    ["Washington State"],
    ["U.S.", "US", "the U.S."],
    ["が"],
    ["か"],
    # Numbers by value.
    [
        "1000",
        "1,000",
        "1000.0",
        "1 000",
        "1\u202f000",
        "１０００",
        "01000",
        "one thousand",
    ],
    ["1001"],
    ["10000", "10,000", "ten thousand"],
    ["100", "one hundred"],
    ["4", "four", "Four.", "+4", "4.00"],
    ["-4", "−4", "minus four", "negative 4"],
    ["40", "forty"],
    ["14", "fourteen"],
    ["41", "forty-one", "forty one"],
    ["1905"],
    ["1950"],
    ["1.5", "1.50", "01.5"],
    ["15", "fifteen"],
    ["1,5"],
    ["0.5", ".5", "0.50"],
    ["5", "five"],
    ["0", "zero", "-0", "0.0"],
    ["2500000", "2.5 million", "2,500,000", "2.5mn"],
    ["2.5 billion", "2,500 million", "2.5bn"],
    ["1/2", "½"],
    ["2 1/2", "2½"],
    ["21/2"],
    ["10 2", "10²"],
    ["102"],
    ["1.2.3"],
    ["123"],
    ["<15"],
    ["15+"],
    ["1234567890123456789"],
    ["1234567890123456788"],
    ["0.1234567890123"],
    ["0.1234567890124"],
    ["10-15", "10–15", "10 to 15", "10 - 15", "ten to fifteen"],
    ["1015"],
    ["21st"],
    ["1980s", "the 1980s"],
    ["1980"],
    ["1980 s"],
    ["COVID-19", "covid 19"],
    # Units.
    ["4 g", "4g", "4 grams", "4-gram", "four grams", "4,000 mg", "0.004 kg"],
    ["4 mg", "4mg", "4 milligrams", "0.004 g", "4000 mcg", "4000 µg", "4000 μg"],
    ["4 kg"],
    ["4 ml", "4 millilitres", "4 mL", "0.004 l"],
    ["4 m", "4 metres", "4 meters", "400 cm"],
    ["4 km", "4 kilometres", "4000 m"],
    ["4 miles"],
    ["4 m2", "4 m²"],
    ["10 mg/kg", "10 mg per kg", "10 mg per kilogram"],
    ["10 mg"],
    ["10 mg/kg/day", "10 mg per kg per day"],
    ["10 mg/day"],
    ["10"],
    ["10%", "10 %", "10 percent", "10 per cent", "ten percent"],
    ["10 percentage points"],
    ["62%", "62 percent", "62 per cent"],
    ["62"],
    ["$5 million", "5 million dollars", "US$5 million", "$5m", "5,000,000 USD"],
    ["€5 million", "5 million euros"],
    ["5 million"],
    ["-$5", "-5 dollars", "minus $5"],
    ["$5", "5 dollars"],
    # Times.
    ["2:01:09", "2 h 1 min 9 s", "2h1m9s", "7269 seconds", "02:01:09"],
    ["2:01:10"],
    ["2 hours, 1 minute and 10.5 seconds", "2:01:10.5"],
    ["1:43.5", "103.5 s", "1 min 43.5 s", "0:01:43.50"],
    ["103.5"],
    ["9.58", "9.580"],
    ["9.58 s", "9.58 seconds", "9.58s"],
    ["9:58", "598 s"],
    ["2 hours", "120 minutes", "120 min", "2 hrs"],
    ["3 days", "72 hours"],
    ["3:1"],
    # Dates.
    ["May 5", "may 5", "May five"],
    ["May 15"],
    ["5 May"],
    ["May 5, 1905", "May 5 1905"],
    # Nothing but marks.
    ["!"],
    ["?"],
    [""],
]
SPELLINGS = [(n, text) for n, texts in enumerate(CLASSES) for text in texts]


def test_equal_answers_and_near_misses() -> None:
    wrong = [
        (a, b)
        for (m, a), (n, b) in itertools.combinations(SPELLINGS, 2)
        if same_answer(a, b) != (m == n)
    ]
    assert wrong == []


def test_the_strict_score_tells_the_spellings_apart() -> None:
    texts = [text for _, text in SPELLINGS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("The Beatles!", "beatles"),
        ("400 mg", "0.4 g"),
        ("$2.5 million", "2500000 $"),
        ("2:01:09", "7269 s"),
        ("10 mg/kg per day", "0.01 g per kg per day"),
        ("J. R. R. Tolkien, 1,000", "jrr tolkien 1000"),
        ("The", "the"),
        ("...", "..."),
    ],
)
def test_canonical(answer: str, form: str) -> None:
    assert canonical(answer) == form


@pytest.mark.parametrize(
    ("given", "gold", "right"),
    [
        ("paris", "Paris", True),
        ("Rome", "Paris", False),
        # One number, whose unit only one of them names.
        ("400", "400 mg", True),
        ("400 mg", "400", True),
        ("four hundred", "400 mg", True),
        ("400 g", "400 mg", False),
        ("0.4", "400 mg", False),
        ("4", "400 mg", False),
        ("40", "400", False),
        ("9.58 s", "9.58", True),
        ("9.85 s", "9.58", False),
        ("10", "10%", True),
        ("10%", "10", True),
        ("0.1", "10%", False),
        ("10", "10 mg/kg", True),
        ("10 mg", "10 mg/kg", False),
        ("5 million", "$5 million", True),
        ("5", "$5 million", False),
        ("5", "5 million", False),
        ("2", "2 hours", True),
        ("2:00", "2 hours", False),
        ("103.5", "1:43.5", True),
        ("-400", "400 mg", False),
        ("about 400", "400 mg", False),
        ("400 to 500", "400 mg", False),
        ("5 May", "5", False),
        # Names of several parts.
        ("Ulysses S. Grant", "Ulysses Grant", True),
        ("Ulysses Simpson Grant", "Ulysses Grant", True),
        ("Grant, Ulysses", "Ulysses Grant", True),
        ("Abe Shinzo", "Shinzo Abe", True),
        ("Sir Isaac Newton", "Isaac Newton", True),
        ("Isaac Newton", "Sir Isaac Newton", True),
        ("Sir Isaac M. Newton", "Sir Isaac Newton", True),
        ("Sir Newton", "Newton", False),
        ("Dr. Isaac Newton", "Sir Isaac Newton", False),
        ("Ludwig van Beethoven", "Ludwig Beethoven", True),
        ("George H. W. Bush", "George Bush", True),
        ("Maria Anna Luisa Rosa Rossi", "Maria Rossi", False),
        ("Grant", "Ulysses Grant", False),
        ("Ulysses", "Ulysses Grant", False),
        ("Ulysses Grant", "Ulysses S. Grant", False),
        ("Ulysses Grant Jr.", "Ulysses Grant", False),
        ("Ulysses Grant and Robert Lee", "Ulysses Grant", False),
        ("not Ulysses Grant", "Ulysses Grant", False),
        ("Julia Grant", "Ulysses Grant", False),
        ("South and North Korea", "South Korea", False),
        ("South Korea not North Korea", "South Korea", False),
        ("Paris, Texas", "Paris", False),
        ("Paris", "Paris, Texas", False),
        ("Kansas City, Missouri", "Kansas City", False),
        ("New York", "York", False),
        ("Boeing 747 Max", "Boeing Max", False),
        ("", "Ulysses Grant", False),
        ("Sir", "Ulysses Grant", False),
    ],
)
def test_right_answer(given: str, gold: str, right: bool) -> None:
    assert right_answer(given, gold) is right


PIECES = st.sampled_from(
    [*"aé-.,:/'\" $%(1", "The ", "12", "1,000", "four", " mg", " h ", "2:01:09", "A. "]
)
ANSWERS = st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=12)


@given(ANSWERS, ANSWERS)
def test_the_same_answer_is_right_whatever_else(given: str, gold: str) -> None:
    assert same_answer(given, gold) is same_answer(gold, given)
    assert right_answer(given, gold) or not same_answer(given, gold)
    assert right_answer(gold, gold)


@given(st.decimals(0, 10**9, places=4, allow_nan=False))
def test_numbers_by_value(number: object) -> None:
    plain = f"{number:.4f}"
    assert same_answer(f"{number:,.4f}", plain)
    assert same_answer(plain.rstrip("0").rstrip("."), plain)
    assert not same_answer(plain + "1", plain)
    assert not same_answer(f"-1{plain}", f"1{plain}")


UNITS = [
    *("a", "1", " ", "1,", "1 ", "111 ", "1:", "1-", "5/", "A. ", "the ", "twenty-"),
    *("1 million ", "$", "minus ", "1 per a ", "½", "\u0301", "Grant ", "2 h 1 ", "_"),
]


@pytest.mark.parametrize("unit", UNITS)
def test_long_hostile_answers_take_linear_time(unit: str) -> None:
    def match(size: int) -> None:
        right_answer("1" + unit * (size // len(unit)) + "x", "Ulysses Grant")

    check_linear(match)
