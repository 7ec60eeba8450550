"""Answers that are read from completions: letters of options, and short answers."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.answers import (
    Span,
    find_answer,
    letter_line,
    line_after,
    picked,
    reasonable,
    short_answer,
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


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # The line that is asked for, and how models write it.
        *rows(
            "Paris",
            """
            Answer: Paris   answer:Paris   Answer：Paris   **Answer:** Paris
            **Answer: Paris**   **Answer**: _Paris_   ### Answer: Paris
            - Answer: Paris   - 3. **Answer:** Paris   -> Answer: Paris
            [Answer]: Paris   Final answer: Paris   **Final Answer:** Paris
            So the final answer is: Paris   Answer: Final answer: Paris
            The passage says so. Answer: Paris   Because it says so. **Answer:** Paris
        """,
        ),
        ("ANSWER : Paris\n", "Paris"),
        ("Sub-question: When?\nSub-answer: 1969\nAnswer: 1970", "1970"),
        # The answer on the next line.
        ("Answer:\nParis", "Paris"),
        ("**Answer:**\n\n  - **Paris**\nbye", "Paris"),
        ("Answer:\n```\nParis\n```", "Paris"),
        ("## Answer:\n## 42", "42"),
        ("Answer:\n-5", "-5"),
        ("Answer:\n- 5", "- 5"),
        # The last line of the form wins, whatever it says.
        ("Answer: Rome\nNo, wait.\nAnswer: Paris", "Paris"),
        ("Answer: Paris\nI am sure.", "Paris"),
        ("Answer: Paris\r\nAnswer: Rome\r\n", "Rome"),
        ("Answer: Paris\nAnswer:", None),
        ("Answer: Paris\nAnswer: <answer>", None),
        ("The answer to this: Paris\nIt is.", None),
        ("My answers: Paris\nIt is.", None),
        # Lines that begin with the label come before other forms of it.
        ("Answer: 5\n\nThe answer: is based on the passage", "5"),
        ("Answer: 5\nReasoning: The answer is: in line two.", "5"),
        ("Answer: 5\nHence it is so. Answer: 6", "5"),
        ("**Final answer:** 5\nMy answer: is short", "5"),
        ("Answer: 5\nThe final answer is: 6\nAnswer: 7\nBye", "7"),
        ("It is old. Answer: 5\nThe answer: 6", "6"),
        ("Answer: 5. Final answer: 6", "6"),
        # What another said.
        ("Answer: 5\n> Answer: 6", "5"),
        ("Answer: 5\nCritic: Answer: 6", "5"),
        ("Answer: 5\n**The Critic (round 2):** No. Answer: 6", "5"),
        ("> Answer: 6", None),
        ("- > 3. Answer: 6", None),
        ("Defender: Answer: 6", None),
        ("The Critic: Rome", None),
        ("Bob: Answer: 6", None),
        # What ends a message.
        ("Answer: 7<|eot_id|>", "7"),
        ("Answer: Paris. <|im_end|>\n<|im_end|>", "Paris"),
        ('Answer: **"Paris"**</s></s>', "Paris"),
        ("Answer: Paris<｜end▁of▁sentence｜>", "Paris"),
        ("Paris\n<|im_end|>", "Paris"),
        ("Answer:\nParis<end_of_turn>", "Paris"),
        ("Answer: a <b> c", "a <b> c"),
        ("Answer: <|im_end|>", None),
        ("Answer: <|im_end|>\nuser", None),
        ("Answer:\n</s>", None),
        ("Answer: " + "<|eot_id|> " * 20, None),
        ("<|im_end|>", None),
        # How long it is.
        ("Answer: " + "x" * 300, "x" * 300),
        ("Answer: " + "x" * 301, None),
        ("Answer: 5\nAnswer: " + "x " * 200, None),
        # A short completion without such a line is the answer as a whole.
        ("Paris", "Paris"),
        ("\n  **Paris.**\n\n", "Paris"),
        ("```\nParis\n```", "Paris"),
        ("The answer is Paris.", "Paris"),
        ("So the final answer is 1969.", "1969"),
        ("- Paris", "Paris"),
        ("3.", "3"),
        ("x" * 120, "x" * 120),
        ("\n" * 120 + "Paris", "Paris"),
        (">\nParis", "Paris"),
        ("x" * 121, None),
        ("Paris\nRome", None),
        ("Sub-question: When was it", None),
        ("Verdict: REASONABLE", None),
        ("Do you mean Paris?", None),
        ("I'm sorry, but I can't answer this question.", None),
        # Templates, and nothing.
        *rows(
            None,
            """
            Answer: <answer>   Answer: [your answer]   Answer: the exact answer alone
            Answer: ...   Answer: ___   Answer: ``   Answer:   <your answer here>
        """,
        ),
        ("Answer: \n\n", None),
        ("", None),
        (" \n\t\u00a0\u200b", None),
    ],
)
def test_place_of_the_answer(text: str, answer: str | None) -> None:
    assert short_answer(text) == _parsed(answer)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        # Quotation marks and brackets that enclose all of it.
        ('"Paris"', "Paris"),
        *rows(
            "Paris",
            """
            'Paris'   `Paris`   “Paris”   „Paris“   ‘Paris’   <Paris>   [Paris]
            **"`Paris`"**   "Paris   “Paris
        """,
        ),
        ("«\u00a0Paris\u00a0»", "Paris"),
        ("'O'Brien'", "O'Brien"),
        ("'s-Hertogenbosch", "'s-Hertogenbosch"),
        ("the Rangers'", "the Rangers'"),
        ("'Swan Lake' and 'Giselle'", "'Swan Lake' and 'Giselle'"),
        ("“Hey” and “Jude”", "“Hey” and “Jude”"),
        ('the "Iron Lady"', 'the "Iron Lady"'),
        ("[1] to [2]", "[1] to [2]"),
        ('Paris"', "Paris"),
        ('"ab""', '"ab""'),
        ('"5', "5"),
        ('12"', '12"'),
        ("6'2\"", "6'2\""),
        # Blanks and markdown.
        ("  Paris \t", "Paris"),
        ("\u200bParis\ufeff", "Paris"),
        ("__Paris__", "Paris"),
        ("***Paris***", "Paris"),
        # The stop of a sentence.
        ("Paris.", "Paris"),
        ("Paris .", "Paris"),
        ('"Paris".', "Paris"),
        ('"Paris."', "Paris"),
        ("**Paris**.", "Paris"),
        ("パリ。", "パリ"),
        ("1969.", "1969"),
        ("3.", "3"),
        ("12.", "12"),
        ("9.58.", "9.58"),
        ("10 mg.", "10 mg"),
        ("-5.", "-5"),
        ("Malcolm X.", "Malcolm X"),
        ("Johann S. Bach.", "Johann S. Bach"),
        ("Saint Lo.", "Saint Lo"),
        ("the 1st.", "the 1st"),
        # Not the stop of a sentence.
        ("10 a.m.", "10 a.m."),
        ("the U.S.", "the U.S."),
        ("Washington D.C.", "Washington D.C."),
        ("Washington, D. C.", "Washington, D. C."),
        ("a Ph.D.", "a Ph.D."),
        ("Sammy Davis Jr.", "Sammy Davis Jr."),
        ("Apple Inc.", "Apple Inc."),
        ("and so on..", "and so on.."),
        # All else is part of it.
        ("Paris!", "Paris!"),
        ("Paris, France", "Paris, France"),
        ("Paris (France)", "Paris (France)"),
        ("$5 million", "$5 million"),
        ("(5)", "(5)"),
        ("~5", "~5"),
        ("- 5", "- 5"),
        ("- Paris", "- Paris"),
        ("1,000", "1,000"),
        ("2:01:09", "2:01:09"),
        ("new  york", "new  york"),
        ("The Answer My Friend", "The Answer My Friend"),
    ],
)
def test_what_belongs_to_the_answer(written: str, answer: str) -> None:
    assert short_answer(f"Why not.\nAnswer: {written}\n").value == answer


def test_the_place_is_one_in_the_text_as_it_is() -> None:
    text = "Ｗｅ say:\r\n\r\n **Answer:** “Café ½” \r\nBye"
    place = find_answer(text)
    assert place == Span(text.index("Café"), text.index("”"))
    assert text[slice(*place)] == "Café ½"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It fits.\nVerdict: REASONABLE", "reasonable"),
        ("Verdict: UNREASONABLE", "unreasonable"),
        ("**Verdict:** Unreasonable.", "unreasonable"),
        ("### Final verdict: `REASONABLE`", "reasonable"),
        ("Verdict:\n**UNREASONABLE**", "unreasonable"),
        ("It fits. Verdict: REASONABLE", "reasonable"),
        ("Verdict: REASONABLE\nNo.\nVerdict: UNREASONABLE", "unreasonable"),
        ("Verdict: REASONABLE\nIt would be UNREASONABLE to doubt it.", "reasonable"),
        ("Verdict: REASONABLE because the doubts are unreasonable", "reasonable"),
        ("Verdict: REASONABLE, as it is what the passage says", "reasonable"),
        ("Verdict: REASONABLE. It fits what is known.", "reasonable"),
        ("Verdict: **UNREASONABLE** - the date is off", "unreasonable"),
        ("Verdict: UNREASONABLE—the date is off", "unreasonable"),
        ("Verdict: [REASONABLE]", "reasonable"),
        ("Verdict: un\u00adreasonable", "unreasonable"),
        ("Verdict: REASONABLE<|im_end|>", "reasonable"),
        ("Verdict: REASONABLE\n> Critic: Verdict: UNREASONABLE", "reasonable"),
        ("Verdict: REASONABLE\nCritic: Verdict: UNREASONABLE", "reasonable"),
        ("Verdict: REASONABLE\nHe said so. Verdict: UNREASONABLE", "reasonable"),
        ("REASONABLE", "reasonable"),
        ("REASONABLE</s>", "reasonable"),
        (" **Unreasonable.** ", "unreasonable"),
        *rows(
            None,
            """
            Verdict: REASONABLE or UNREASONABLE   Verdict: REASONABLE/UNREASONABLE
            Verdict: <REASONABLE|UNREASONABLE>   > Verdict: REASONABLE
            Critic: It is off. Verdict: UNREASONABLE
            The Critic wrote "No. Verdict: UNREASONABLE" but no.
            Verdict: REASONABLE to doubt the passage   Verdict: REASONABLE doubt remains
            Verdict: REASONABLE? No.   Verdict: REASONABLE. No.
            Verdict: REASONABLE. UNREASONABLE   Verdict: REASONABLE, if one trusts it
            Verdict: REASONABLE is not the word   Verdict: hardly REASONABLE
            Verdict: UN REASONABLE   Verdict: not reasonable   Verdict: not UNREASONABLE
            Verdict: un-reasonable   Verdict: reasonably sure
            Verdict: the Defender is right   not reasonable
            It is reasonable to rely on it.   REASONABLE/UNREASONABLE
            REASONABLE because it fits
        """,
        ),
        ("Verdict: REASONABLE\nVerdict: <verdict>", None),
        ("Verdict: REASONABLE\nVerdict:", None),
        ("", None),
    ],
)
def test_reasonable(text: str, value: str | None) -> None:
    assert reasonable(text) == _parsed(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Because.\nAnswer: 1", "1"),
        *rows(
            "2",
            """
            **Answer: 2**   Answer: Answer 2   Answer: option 2   Answer: No. 2
            Answer: [number 2]   Answer: 2<|eot_id|>   Answer: 2 because 1 is wrong
            Answer: 2, as the passage says   Answer: 2 since the passage says so   **2**
        """,
        ),
        ("Answer:\n1.", "1"),
        ("Answer: 1) Paris", "1"),
        ("Answer: 1. The passage says so.", "1"),
        ("Answer: **1**; it fits", "1"),
        ("Answer: 1: it fits", "1"),
        ("Answer: 1 - it fits", "1"),
        ("Answer: 1 — it fits", "1"),
        ("Answer: 1\nAnswer: 2", "2"),
        ("Answer: 2\nBecause 1 is wrong.", "2"),
        ("Final answer: 2\n\nAlice's answer is 1911, which is wrong.", "2"),
        ("Final answer: 1\nAnswer 2 was: 1902. Bob's answer: 1902.", "1"),
        # Both, neither, or something else.
        *rows(
            None,
            """
            Answer: 1 or 2   Answer: 1, or 2   Answer: 1, 2   Answer: 1. No, 2.
            Answer: 1 and not 2   Answer: 1/2   Answer: <1|2>   Answer: not 1
            Answer: 1 is wrong   Answer: 1?   Answer: 3   Answer: 12   Answer: Paris
            > Answer: 2   12
        """,
        ),
        ("Answer 2: Paris\nis right", None),
        ("", None),
        # Answers in words that begin with such a number.
        *rows(
            None,
            """
            Answer: 2 mg   2 mg   Answer: $2   Answer: $2 million   Answer: 2 million
            Answer: 2%   Answer: -1   Answer: +1   Answer: −1   Answer: ~1   Answer: 1.5
            Answer: 1,5   Answer: 1, 500   Answer: 2-1   Answer: 1 - 2   Answer: 1–2
            Answer: 1—2   Answer: 1:40.91   Answer: 2:01:09   Answer: 1 January 1966
            Answer: 1 World Trade Center   Answer: 2nd   Answer: 2 as of 1966
            Answer: 1 as well as 2   Answer: 2 since 1966   Answer: 1 (1871)
            Answer: 2²
        """,
        ),
        ("Answer: 2\u00a0mg", None),
        ("Answer:\n- 1", None),
    ],
)
def test_picked(text: str, value: str | None) -> None:
    assert picked(text) == _parsed(value)


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


READERS: list[Callable[[str], object]] = [find_answer, reasonable, picked]
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
        for reader in READERS:
            reader(text)
        line_after(text, "Sub-question")

    check_linear(read_all)


def test_readers_take_any_text() -> None:
    draw = random.Random(0)
    for _ in range(2_000):
        text = "".join(draw.choices([*UNITS, "\x00", "１", "\ud800", "Paris"], k=12))
        place = find_answer(text)
        assert place is None or text[slice(*place)].strip() == text[slice(*place)] != ""
        for reader in READERS:
            reader(text)
