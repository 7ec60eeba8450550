import random
from collections.abc import Callable

import pytest

from inspect_debate.debate.answers import (
    Span,
    find_answer,
    line_after,
    picked,
    reasonable,
    short_answer,
)
from inspect_debate.debate.record import Parsed
from tests.support.growth import check_linear


def _parsed(value: str | None) -> Parsed:
    return Parsed.unparsed() if value is None else Parsed.ok(value)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # The line that is asked for, and how models write it.
        ("Answer: Paris", "Paris"),
        ("answer:Paris", "Paris"),
        ("ANSWER : Paris\n", "Paris"),
        ("Answer：Paris", "Paris"),
        ("**Answer:** Paris", "Paris"),
        ("**Answer: Paris**", "Paris"),
        ("**Answer**: _Paris_", "Paris"),
        ("### Answer: Paris", "Paris"),
        ("- Answer: Paris", "Paris"),
        ("- 3. **Answer:** Paris", "Paris"),
        ("-> Answer: Paris", "Paris"),
        ("[Answer]: Paris", "Paris"),
        ("Final answer: Paris", "Paris"),
        ("**Final Answer:** Paris", "Paris"),
        ("So the final answer is: Paris", "Paris"),
        ("Answer: Final answer: Paris", "Paris"),
        ("The passage says so. Answer: Paris", "Paris"),
        ("Because it says so. **Answer:** Paris", "Paris"),
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
        ("x" * 121, None),
        ("Paris\nRome", None),
        ("Sub-question: When was it", None),
        ("Verdict: REASONABLE", None),
        ("Do you mean Paris?", None),
        ("I'm sorry, but I can't answer this question.", None),
        # Templates, and nothing.
        ("Answer: <answer>", None),
        ("Answer: [your answer]", None),
        ("Answer: the exact answer alone", None),
        ("Answer: ...", None),
        ("Answer: ___", None),
        ("Answer: ``", None),
        ("Answer:", None),
        ("Answer: \n\n", None),
        ("<your answer here>", None),
        ("", None),
        (" \n\t\u00a0\u200b", None),
    ],
)
def test_where_the_answer_stands(text: str, answer: str | None) -> None:
    assert short_answer(text) == _parsed(answer)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        # Quotation marks and brackets that enclose all of it.
        ('"Paris"', "Paris"),
        ("'Paris'", "Paris"),
        ("`Paris`", "Paris"),
        ("“Paris”", "Paris"),
        ("„Paris“", "Paris"),
        ("‘Paris’", "Paris"),
        ("«\u00a0Paris\u00a0»", "Paris"),
        ("<Paris>", "Paris"),
        ("[Paris]", "Paris"),
        ('**"`Paris`"**', "Paris"),
        ("'O'Brien'", "O'Brien"),
        ("'s-Hertogenbosch", "'s-Hertogenbosch"),
        ("the Rangers'", "the Rangers'"),
        ("'Swan Lake' and 'Giselle'", "'Swan Lake' and 'Giselle'"),
        ("“Hey” and “Jude”", "“Hey” and “Jude”"),
        ('the "Iron Lady"', 'the "Iron Lady"'),
        ("[1] to [2]", "[1] to [2]"),
        ('"Paris', "Paris"),
        ('Paris"', "Paris"),
        ("“Paris", "Paris"),
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
        ("Verdict: REASONABLE or UNREASONABLE", None),
        ("Verdict: REASONABLE/UNREASONABLE", None),
        ("Verdict: <REASONABLE|UNREASONABLE>", None),
        ("> Verdict: REASONABLE", None),
        ("Critic: It is off. Verdict: UNREASONABLE", None),
        ('The Critic wrote "No. Verdict: UNREASONABLE" but no.', None),
        ("Verdict: REASONABLE to doubt the passage", None),
        ("Verdict: REASONABLE doubt remains", None),
        ("Verdict: REASONABLE? No.", None),
        ("Verdict: REASONABLE. No.", None),
        ("Verdict: REASONABLE. UNREASONABLE", None),
        ("Verdict: REASONABLE, if one trusts it", None),
        ("Verdict: REASONABLE is not the word", None),
        ("Verdict: hardly REASONABLE", None),
        ("Verdict: UN REASONABLE", None),
        ("Verdict: not reasonable", None),
        ("Verdict: not UNREASONABLE", None),
        ("Verdict: un-reasonable", None),
        ("Verdict: reasonably sure", None),
        ("Verdict: REASONABLE\nVerdict: <verdict>", None),
        ("Verdict: REASONABLE\nVerdict:", None),
        ("Verdict: the Defender is right", None),
        ("not reasonable", None),
        ("It is reasonable to rely on it.", None),
        ("REASONABLE/UNREASONABLE", None),
        ("", None),
    ],
)
def test_reasonable(text: str, value: str | None) -> None:
    assert reasonable(text) == _parsed(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Because.\nAnswer: 1", "1"),
        ("**Answer: 2**", "2"),
        ("Answer: Answer 2", "2"),
        ("Answer: option 2", "2"),
        ("Answer: No. 2", "2"),
        ("Answer: [number 2]", "2"),
        ("Answer:\n1.", "1"),
        ("Answer: 2<|eot_id|>", "2"),
        ("Answer: 2 because 1 is wrong", "2"),
        ("Answer: 2, as the passage says", "2"),
        ("Answer: 2 since the passage says so", "2"),
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
        ("**2**", "2"),
        # Both, neither, or something else.
        ("Answer: 1 or 2", None),
        ("Answer: 1, or 2", None),
        ("Answer: 1, 2", None),
        ("Answer: 1. No, 2.", None),
        ("Answer: 1 and not 2", None),
        ("Answer: 1/2", None),
        ("Answer: <1|2>", None),
        ("Answer: not 1", None),
        ("Answer: 1 is wrong", None),
        ("Answer: 1?", None),
        ("Answer: 3", None),
        ("Answer: 12", None),
        ("Answer: Paris", None),
        ("Answer 2: Paris\nis right", None),
        ("> Answer: 2", None),
        ("12", None),
        ("", None),
        # Answers in words that begin with such a number.
        ("Answer: 2 mg", None),
        ("Answer: 2\u00a0mg", None),
        ("2 mg", None),
        ("Answer: $2", None),
        ("Answer: $2 million", None),
        ("Answer: 2 million", None),
        ("Answer: 2%", None),
        ("Answer: -1", None),
        ("Answer: +1", None),
        ("Answer: −1", None),
        ("Answer: ~1", None),
        ("Answer:\n- 1", None),
        ("Answer: 1.5", None),
        ("Answer: 1,5", None),
        ("Answer: 1, 500", None),
        ("Answer: 2-1", None),
        ("Answer: 1 - 2", None),
        ("Answer: 1–2", None),
        ("Answer: 1—2", None),
        ("Answer: 1:40.91", None),
        ("Answer: 2:01:09", None),
        ("Answer: 1 January 1966", None),
        ("Answer: 1 World Trade Center", None),
        ("Answer: 2nd", None),
        ("Answer: 2 as of 1966", None),
        ("Answer: 1 as well as 2", None),
        ("Answer: 2 since 1966", None),
        ("Answer: 1 (1871)", None),
        ("Answer: 2²", None),
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
