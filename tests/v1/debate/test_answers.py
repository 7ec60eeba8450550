"""Answers that are read from completions: letters of options, and short answers."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.answers import (
    Span,
    find_answer,
    letter_line,
    line_after,
)
from inspect_debate.v1.debate.record import Parsed
from tests.v1.support.growth import check_linear
from tests.v1.support.tables import cells, rows

ALL = "ABCD"


def read_letter(text: str, letters: str = ALL, keyword: str = "answer") -> str | None:
    found = letter_line(text, keyword, tuple(letters))
    assert found == (
        Parsed.unparsed() if found.value is None else Parsed.ok(found.value)
    )
    return None if found.value is None else str(found.value)


def table(payloads: str) -> list[str]:
    """Payloads of lines "ANSWER: ...", with three blanks between them."""
    return re.split(r"   |\n", payloads.strip())


@pytest.mark.parametrize(
    "line",
    [
        *cells("""
            Answer: B   answer: b   ANSWER:B   ANSWER : B   **ANSWER:** B
            **ANSWER: B**   __ANSWER__: B   > ANSWER: B   ### ANSWER: B   - ANSWER: B
            1. ANSWER: B   Final answer: B   ANSWER：Ｂ   [ANSWER]: B
        """),
        "  ANSWER: B  ",
        "ANSWER:\nB",
        "ANSWER:\n\n(B)",
        "ANSWER: B\u200b",
        "ANSWER: B\n\nI am sure.",
        "ANSWER: B\n",
        "ANSWER: A\nANSWER: B",
        "ANSWER: A or B\nANSWER: B",
        "Answer: none\nAnswer: B",
        "The ANSWER: is not here\nANSWER: B",
    ],
)
def test_one_letter_is_read(line: str) -> None:
    assert read_letter(line) == "B"
    assert read_letter(f"Reasons, and A or C.\n{line}") == "B"
    assert read_letter(line, letters="AC") is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        *cells("""
            B   (B)   The answer is B.   I answer B   ANSWER B   ANSWER - B   ANSWER:
            MYANSWER: B   ANSWERS: B   Final: B   Аnswer: B   ANSWEŔ: B   ANSWER: В
            ANSWER: А
        """),
        "ANSWER: ",
        "ANSWER: B\nANSWER: A or B",
        "ANSWER: B\nANSWER: unsure",
        "ANSWER: B\nANSWER: E",
        "ANSWER: \x00",
        "ANSWER: \ud800",
        'the word ANSWER, a colon and one letter, A or B: "ANSWER: A or B"',
    ],
)
def test_anything_else_is_unparsed(line: str) -> None:
    assert read_letter(line) is None


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
    assert read_letter(f"ANSWER: {payload}") == "B"
    assert read_letter(f"ANSWER: **{payload}**", letters="BC") == "B"
    assert read_letter(f"ANSWER: {payload}", letters="AC") is None


@pytest.mark.parametrize("payload", NAMES_NONE_OR_MORE)
def test_no_option_or_more_than_one_is_named(payload: str) -> None:
    for letters in ("ABCD", "AB", "BC", "A"):
        assert read_letter(f"ANSWER: {payload}", letters=letters) is None


@pytest.mark.parametrize(
    ("line", "letter"),
    [
        *rows(
            "A",
            """
            ANSWER: a   ANSWER: A   ANSWER: A.   ANSWER: A) A sum   ANSWER: A, the first
            ANSWER: A because it is   ANSWER: A - the first
        """,
        ),
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
    assert read_letter(line, letters="ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letter


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
    assert read_letter(text, letters="CD", keyword="final") == letter


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.sampled_from(ALL))
def test_the_last_line_decides(before: str, letter: str) -> None:
    assert read_letter(f"{before}\nANSWER: {letter}") == letter
    assert read_letter(f"ANSWER: {letter}\nANSWER: {before}?") in (None, *ALL)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*" ()[].,/|:-\n", "ANSWER:", "A", "B", "or", "E"])))
def test_only_letters_that_may_be_chosen(pieces: list[str]) -> None:
    assert read_letter("".join(pieces), letters="AB") in (None, "A", "B")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*",.;:()[]-/?", "or", "option", "Paris", "42", "is"])))
def test_two_letters_without_a_reason_are_never_read(between: list[str]) -> None:
    assert read_letter(f"ANSWER: A {' '.join(between)} B") is None


@pytest.mark.parametrize("before", ["", "ANSWER:", "ANSWER: A", "ANSWER: (", "x\n"])
@pytest.mark.parametrize(
    "unit",
    [
        *("ANSWER:", "ANSWER: ", "ANSWER\n", "ANSWER:\n", "answer: B or ", "or ", "("),
        *("[", "the ", "the option ", "A", "A ", "A,", ", ", "/ (", "or (", " ", "\n"),
        *("1. ", "\\boxed", "\\boxed{", "*", "`", "final ", "because ", ") ", "\u200b"),
        *("：", "B", "B a ", "B i.", "B as well ", "B not ", "B or / ", "B rather "),
        "B, not A ",
    ],
)
def test_reading_is_linear(before: str, unit: str) -> None:
    def read_both(size: int) -> None:
        text = before + unit * (size // len(unit))
        read_letter(text)
        read_letter(f"{text}\nANSWER: A or ({' ' * (size // 4)}")

    check_linear(read_both)


def _parsed(value: str | None) -> Parsed:
    return Parsed.unparsed() if value is None else Parsed.ok(value)


def test_the_place_is_one_in_the_text_as_it_is() -> None:
    text = "Ｗｅ say:\r\n\r\n **Answer:** “Café ½” \r\nBye"
    place = find_answer(text)
    assert place == Span(text.index("Café"), text.index("”"))
    assert text[slice(*place)] == "Café ½"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('Sub-question: What\'s "x"?\nSub-answer: y.', 'What\'s "x"?'),
        ("**sub-question:**\nWhat?\nAnswer: 3", "What?"),
        ("Sub-question: A?\nSub-question: B?", "B?"),
        ("Sub-question:\n", None),
        ("Question: A?", None),
        ("", None),
    ],
)
def test_line_after(text: str, line: str | None) -> None:
    assert line_after(text, "Sub-question") == line


UNITS = [
    *("a", "1", " ", "\n", ".", "!", ":", "-", "*", "_", "`", '"', "'", "“", "<", "["),
    *("a.", "1. ", ". ", ": ", "- ", "> ", "'a", '"a', "a' ", "so ", "the ", "\u2028"),
    *("answer", "Answer:", "Answer: ", "Answer:\n", "The answer is ", "Verdict: "),
    *("reasonable ", "unreasonable or ", "1 or ", "Question: ", "```\n", "Jr. ", "é"),
    *("<|a|>", "</s>", "<|", "1)", "Critic: ", "Critic", "answer: a. ", "1 because "),
]


def test_lines_that_begin_with_a_label_come_first() -> None:
    text = "Sub-question: A?\nWhy not. Sub-question: B?"
    assert line_after(text, "Sub-question") == "A?"
    assert line_after("Why not. Sub-question: B?", "Sub-question") == "B?"


@pytest.mark.parametrize("opening", ["", "Answer: "])
@pytest.mark.parametrize("end", ["x", ""])
@pytest.mark.parametrize("unit", UNITS)
def test_long_hostile_texts_take_linear_time(unit: str, end: str, opening: str) -> None:
    def read_all(size: int) -> None:
        text = opening + unit * (size // len(unit)) + end
        find_answer(text)
        line_after(text, "Sub-question")

    check_linear(read_all)


def test_readers_take_any_text() -> None:
    draw = random.Random(0)
    for _ in range(2_000):
        text = "".join(draw.choices([*UNITS, "\x00", "１", "\ud800", "Paris"], k=12))
        place = find_answer(text)
        assert place is None or text[slice(*place)].strip() == text[slice(*place)] != ""
