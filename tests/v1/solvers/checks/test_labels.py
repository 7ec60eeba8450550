"""Letters and numbers that call answers: which are exchanged, and which words stay."""

import pytest

from inspect_debate.v1.solvers.judge_checks import relabelled

LETTERS = {"A": "B", "B": "A"}
NUMBERS = {"1": "2", "2": "1"}


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("Answer A is right.", "Answer B is right."),
        ("so it is answer B, not answer A", "so it is answer A, not answer B"),
        ("The correct answer is B.", "The correct answer is A."),
        ("Alice's answer is A", "Alice's answer is B"),
        ("I defend B. Choose B!", "I defend A. Choose A!"),
        ("answer (B), option [A], `B`", "answer (A), option [B], `A`"),
        ("Answer: **(B)** or _A_", "Answer: **(A)** or _B_"),
        ("B) Paris\nA) Rome", "A) Paris\nB) Rome"),
        ("B. Paris\nA. Rome", "A. Paris\nB. Rome"),
        ("answers A, B", "answers B, A"),
        ("options A/B and A & B", "options B/A and B & A"),
        ("answer A, not B", "answer B, not A"),
        ("the answer A is better than B", "the answer B is better than A"),
        ("A is wrong; B is right.", "B is wrong; A is right."),
        ("Wrong! A rests on nothing.", "Wrong! B rests on nothing."),
        ("No. A clearly states so.", "No. B clearly states so."),
        ("A and B differ. A, too.", "B and A differ. B, too."),
        ("It is settled: A wrong, B right.", "It is settled: B wrong, A right."),
        ("between A-B", "between B-A"),
        ("the answer\nB", "the answer\nA"),
        ("the answer\nA is", "the answer\nB is"),
        ("answer B's case", "answer A's case"),
        ("option “B”", "option “A”"),
        ("Final: A", "Final: B"),
        ("Final: A\nConf: 0.9", "Final: B\nConf: 0.9"),
        ("Final: A Conf: 0.9", "Final: B Conf: 0.9"),
        ("**Final:** B", "**Final:** A"),
        ("A Paris\nB Rome", "B Paris\nA Rome"),
    ],
)
def test_letters_that_are_words_are_exchanged(text: str, then: str) -> None:
    assert relabelled(text, LETTERS) == then
    assert relabelled(then, LETTERS) == text


@pytest.mark.parametrize(
    "text",
    [
        "A tower has an answer. A boat, too.",
        "A family is. A reply may be.",
        "A series of steps; A process; A serious mistake.",
        "My answer: A careful reader would see this",
        "He says “A careful reader would see this”.",
        "So it is. A German ship came first. A 5 % rise followed.",
        "- A reader\n1. A reader\n\n**A reader**",
        "A one-off. A European would know.",
        "Answers Are good",
        "the answer A-level, the B-complex, 44 B.C., the U.S.A.",
        "AB, A1, Abba, C++, a, b",
    ],
)
def test_words_stay(text: str) -> None:
    assert relabelled(text, LETTERS | {"C": "C"}) == text


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("Answer 1 is right, not answer 2.", "Answer 2 is right, not answer 1."),
        ("answers 1, 2", "answers 2, 1"),
        ("answers 1/2 and 1 & 2", "answers 2/1 and 2 & 1"),
        ("answers 1 and 2", "answers 2 and 1"),
        ("answers 1 & 2", "answers 2 & 1"),
        ("answer 1, not 2", "answer 2, not 1"),
        ("option (1) rather than (2)", "option (2) rather than (1)"),
        ("**Final:** 1 error", "**Final:** 2 error"),
        ("**Final**: 2", "**Final**: 1"),
        ("answer 1, 2 errors in all", "answer 2, 2 errors in all"),
    ],
)
def test_numbers_are_exchanged_where_an_answer_is_named(text: str, then: str) -> None:
    assert relabelled(text, NUMBERS) == then


@pytest.mark.parametrize(
    "text",
    [
        "There are 2 errors in 1 line.",
        "answer 1.5 or option 12, side 2 %",
        "My answer:\n\n1. The task asks for it.",
        "the final 2 steps",
        "The answer is 2.",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert relabelled(text, NUMBERS) == text
