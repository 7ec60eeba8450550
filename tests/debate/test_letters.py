"""The letter of an option, read from a completion's last line that states one."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.debate.answers import letter_line
from inspect_debate.debate.record import Parsed
from tests.support.growth import check_linear

ALL = "ABCD"


def read(text: str, letters: str = ALL, keyword: str = "answer") -> str | None:
    found = letter_line(text, keyword, tuple(letters))
    assert found == (
        Parsed.unparsed() if found.value is None else Parsed.ok(found.value)
    )
    return None if found.value is None else str(found.value)


def table(payloads: str) -> list[str]:
    """What stands after "ANSWER: ", three blanks between one payload and the next."""
    return re.split(r"   |\n", payloads.strip())


@pytest.mark.parametrize(
    "line",
    [
        "Answer: B",
        "answer: b",
        "ANSWER:B",
        "ANSWER : B",
        "  ANSWER: B  ",
        "**ANSWER:** B",
        "**ANSWER: B**",
        "__ANSWER__: B",
        "> ANSWER: B",
        "### ANSWER: B",
        "- ANSWER: B",
        "1. ANSWER: B",
        "Final answer: B",
        "ANSWER：Ｂ",
        "ANSWER:\nB",
        "ANSWER:\n\n(B)",
        "ANSWER: B\u200b",
        "ANSWER: B\n\nI am sure.",
        "ANSWER: B\n",
        "ANSWER: A\nANSWER: B",
        "[ANSWER]: B",
        "ANSWER: A or B\nANSWER: B",
        "Answer: none\nAnswer: B",
        "The ANSWER: is not here\nANSWER: B",
    ],
)
def test_one_letter_is_read(line: str) -> None:
    assert read(line) == "B"
    assert read(f"Reasons, and A or C.\n{line}") == "B"
    assert read(line, letters="AC") is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "B",
        "(B)",
        "The answer is B.",
        "I answer B",
        "ANSWER B",
        "ANSWER - B",
        "ANSWER:",
        "ANSWER: ",
        "ANSWER: B\nANSWER: A or B",
        "ANSWER: B\nANSWER: unsure",
        "ANSWER: B\nANSWER: E",
        "MYANSWER: B",
        "ANSWERS: B",
        "Final: B",
        "Аnswer: B",
        "ANSWER\u0301: B",
        "ANSWER: В",
        "ANSWER: А",
        "ANSWER: \x00",
        "ANSWER: \ud800",
        'the word ANSWER, a colon and one letter, A or B: "ANSWER: A or B"',
    ],
)
def test_anything_else_is_unparsed(line: str) -> None:
    assert read(line) is None


NAMES_B = table(r"""
B   B.   B)   (B)   [B]   {B}   <B>   B:   ((B))   (b)   ( B )   **B**   `B`   "B"
“B”   'B'   «B»   option B   the option B   choice B.   \boxed{B}   Ⓑ   B) 42 km
B. 42 km.   B: 42 km   (B) 42   B - 42 km   B – 42   B, the sum   B (42 km)
B because A is wrong   B, since A or C would be too much   B; the others overlook 25
B and B   B, i.e. B   B 42 km   $\boxed{B}$   \boxed{\text{B}}
\boxed{\textbf{(B)}}   \boxed{B) 42}   $\boxed{\textbf{(B)}\ 42}$   \text{B}
\mathrm{B}   $B$   \(B\)   \[B\]   [[B]]   the answer is B
The correct answer is: B.   It is B   Answer B: 42   B Paris   B) Paris   B: x = 3 m
b) a sum   B. Salt and pepper   B. Salt or pepper   (B) Salt and pepper
(B) None of the above   B. None of the above   B. Not enough information
B) Cannot be determined   (B): It does not change   B. Is greater   B: No   B. 3/4
B. A decrease   (B) A decrease   B) Vitamin B   B. I only   B, a sum   B, I think
B, argued for by Bob   B because A and C fail   B, since A is wrong   B as A fails
B. Paris, given that A, C and D fail   B (not A)   B, not A   B and not A
B. Paris, not A   B rather than A   B instead of C   B is correct   (B) is the best
B seems right
""")

NAMES_NONE_OR_MORE = table(r"""
.   2   1)   β   E   Z   BB   AB   B2   É   A or B   A, B   A/B   A|B   A & B
A and B   A + B   [A/B/C/D]   (A or B)   A B   A, B, C or D   A or B or C or D
b, c   either A or B   both   none   neither A nor B   not B   none of the above
unsure   [A] or [B]   $LETTER   <letter>   [letter]   X   …   the letter
a colon and the letter   a number   I think B   A sum of 42   Because of B   Dog
Cannot tell   42 km   (A) or (B)   (A), (B)   A) or B)   A) 42 or B) 52
A) 42 B) 52   A (Rome) or B (Paris)   A (or B)   A or option B   A or maybe B
A - or B   A-B   A. B.   A.B.   A; B   A: B   A? B?   B A   B C   B I   b c
b) x or c) y   A, c   B vs. A   B versus Paris   B as well as A   B but A   B, A too
B A maybe   B. A maybe   B. A is wrong   B, A sum   B only if A   B, like A
B or 42   B. Or 42   B or neither   B) or neither   B or C or none
(B) or perhaps not   B/none   (B) Salt or pepper   \boxed{A} \boxed{B}
$\boxed{A}$ or $\boxed{B}$   [[A]][[B]]   A\text{ or }B   A or E   A, E   A / Z
the answer is not B   is it B?   B?   C is wrong   (C) is not right   (C) not right
B cannot be   B is unlikely   B fails   C? No.   C, wrong   C (wrong)   C - no
B, never   B, not B   B. Not B   B, not a   B (not A or C)   B, not A or C
B, not A nor C   B, neither   B) Vitamin A   B: 5 N
""")


@pytest.mark.parametrize("payload", NAMES_B)
def test_one_option_is_named(payload: str) -> None:
    assert read(f"ANSWER: {payload}") == "B"
    assert read(f"ANSWER: **{payload}**", letters="BC") == "B"
    assert read(f"ANSWER: {payload}", letters="AC") is None


@pytest.mark.parametrize("payload", NAMES_NONE_OR_MORE)
def test_no_option_or_more_than_one_is_named(payload: str) -> None:
    for letters in ("ABCD", "AB", "BC", "A"):
        assert read(f"ANSWER: {payload}", letters=letters) is None


@pytest.mark.parametrize(
    ("line", "letter"),
    [
        ("ANSWER: a", "A"),
        ("ANSWER: A", "A"),
        ("ANSWER: A.", "A"),
        ("ANSWER: A) A sum", "A"),
        ("ANSWER: A, the first", "A"),
        ("ANSWER: A because it is", "A"),
        ("ANSWER: A - the first", "A"),
        ("ANSWER: I", "I"),
        ("ANSWER: i", "I"),
        ("ANSWER: (I) the ninth", "I"),
        ("ANSWER: I believe A", None),
        ("ANSWER: A good one", None),
        ("ANSWER: Z", "Z"),
        ("ANSWER: x", "X"),
    ],
)
def test_letters_that_are_words(line: str, letter: str | None) -> None:
    assert read(line, letters="ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letter


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Final: C\nConf: 0.8 - A is worse", "C"),
        ("Answer: A\nFinal: C", "C"),
        ("Final: C\nAnswer: A", "C"),
        ("Final: A", None),
        ("Final: C or D", None),
        ("Final: C, whichever side you were given", "C"),
    ],
)
def test_another_keyword_among_two_letters(text: str, letter: str | None) -> None:
    assert read(text, letters="CD", keyword="final") == letter


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.sampled_from(ALL))
def test_the_last_line_decides(before: str, letter: str) -> None:
    assert read(f"{before}\nANSWER: {letter}") == letter
    assert read(f"ANSWER: {letter}\nANSWER: {before}?") in (None, *ALL)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*" ()[].,/|:-\n", "ANSWER:", "A", "B", "or", "E"])))
def test_only_letters_that_may_be_chosen(pieces: list[str]) -> None:
    assert read("".join(pieces), letters="AB") in (None, "A", "B")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*",.;:()[]-/?", "or", "option", "Paris", "42", "is"])))
def test_two_letters_without_a_reason_are_never_read(between: list[str]) -> None:
    assert read(f"ANSWER: A {' '.join(between)} B") is None


@pytest.mark.parametrize("before", ["", "ANSWER:", "ANSWER: A", "ANSWER: (", "x\n"])
@pytest.mark.parametrize(
    "unit",
    [
        *(
            "ANSWER:",
            "ANSWER: ",
            "ANSWER\n",
            "ANSWER:\n",
            "answer: B or ",
            "or ",
            "(",
            "[",
        ),
        *(
            "the ",
            "the option ",
            "A",
            "A ",
            "A,",
            ", ",
            "/ (",
            "or (",
            " ",
            "\n",
            "1. ",
        ),
        *(
            "\\boxed",
            "\\boxed{",
            "*",
            "`",
            "final ",
            "because ",
            ") ",
            "\u200b",
            "：",
            "B",
            "B a ",
            "B i.",
            "B as well ",
            "B not ",
            "B or / ",
            "B rather ",
            "B, not A ",
        ),
    ],
)
def test_reading_is_linear(before: str, unit: str) -> None:
    def read_both(size: int) -> None:
        text = before + unit * (size // len(unit))
        read(text)
        read(f"{text}\nANSWER: A or ({' ' * (size // 4)}")

    check_linear(read_both)
