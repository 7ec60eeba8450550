"""Labels, choices, confidences, refusals and tags in completions."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.debate.parsing import (
    choice_line,
    declines_to_speak,
    label_sentence,
    looks_refused,
    realmistake_label,
    split_argument,
    split_reasoning,
    stated_confidence,
    verdict,
)
from inspect_debate.v1.debate.record import Parsed, Status
from tests.v1.support.growth import check_linear
from tests.v1.support.tables import rows

CHOICES = {
    "error": ["1", "error", "an error", "contains an error"],
    "no_error": ["2", "no_error", "no error", "contains no error"],
}


def _parsed(value: str | None) -> Parsed:
    return Parsed.unparsed() if value is None else Parsed.ok(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Therefore, the model response contains an error.", "error"),
        ("Therefore, the model response contains no error.", "no_error"),
        ("the response CONTAINS **an error**", "error"),
        ("the response contains *no* __error__", "no_error"),
        ("the response “contains no error”.", "no_error"),
        ("it contains `no_error`", "no_error"),
        ("contains\nan error", "error"),
        ("It contains errors.", "error"),
        ("It contains no errors", "no_error"),
        ("It does not contain an error.", "no_error"),
        ("It doesn’t contain any errors.", "no_error"),
        ("It doesn't contain errors.", "no_error"),
        ("It never contains an error.", "no_error"),
        ("Therefore, the response is valid.", "no_error"),
        ("Therefore, the response is **not valid**.", "error"),
        ("The response isn't valid.", "error"),
        ("The response is invalid.", "error"),
        ("Step 1 contains no error.\nThe response contains an error.\nBye", "error"),
        ("Step 1 contains no error\nthe response contains an error", "error"),
        ("It contains an error. Should it be fixed or not?", "error"),
        ("Step 1 contains an error. Yet the response contains no error.", "no_error"),
        ("The first claim is correct; the response contains an error", "error"),
        ("It contains an error or contains no error.", None),
        ("It contains an error / contains no error", None),
        ("It contains [an error|no error]", None),
        ("It contains {no error} / {an error}.", None),
        ('"It contains an error." or "it contains no error."', None),
        ('"It contains no error." / "It contains an error."', None),
        ("The response is valid or not valid.", None),
        ("The response is valid / invalid.", None),
        ("It contains an error or not.", None),
        ("It contains an error OR NO ERROR.", None),
        ("Step 1 contains an error, the rest contains no error", None),
        ("It contains no error.\nIt contains an error or no error.", None),
        # Hypothetical and negated mentions are not verdicts.
        ("I cannot say whether the response contains an error.", None),
        ("If the response contains no error, fine.", None),
        ("It contains no error.\nI wonder if it contains an error.", None),
        ("I do not believe that the response contains an error.", None),
        ("It is not true that the response is valid.", None),
        # Known limits: irony and attribution are read at their word.
        ("Bob says the response contains an error.", "error"),
        ("It contains error-free work", None),
        ("It contains no error-prone step", None),
        ("It does not contain error-prone steps", None),
        ("There is an error.", None),
        ("The response is correct.", None),
        ("", None),
    ],
)
def test_label_sentence(text: str, value: str | None) -> None:
    assert label_sentence(text) == _parsed(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("contains no error", "no_error"),
        ("response is valid", "no_error"),
        ("response is correct", "no_error"),
        ("contains an error", "error"),
        ("response is not valid", "error"),
        # The rule's bias: a passing remark outweighs the conclusion.
        ("One response is correct. So it contains an error.", "no_error"),
        ("It contains an error. It contains no error.", "no_error"),
        ("Contains No Error", None),
        ("contains **an error**", None),
        ("", None),
    ],
)
def test_realmistake_label(text: str, value: str | None) -> None:
    assert realmistake_label(text) == _parsed(value)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        *rows(
            "error",
            """
            Answer: 1   **Answer:** 1   **Answer: 1**   - Answer: [1]   2. Answer: 1
            [Answer]: 1   Answer:1   Answer: The model response contains an error.
            Answer: 1 error   Answer: 1 (error)
        """,
        ),
        *rows(
            "no_error",
            """
            answer:2   ### Answer: 2   • __Answer__: (2)   **Final Answer:** 2
            Answer: `no_error`   Answer: *no* error   Answer: contains no error
            Answer: option 2   Answer: 2. no_error
        """,
        ),
        ('> Answer: "1"', "error"),
        ("Answer:\n1", "error"),
        ("**Answer:**\n\n  **2 no_error**\n", "no_error"),
        ("Answer: 2\nAnswer: 1\nbye", "error"),
        # A reason is not a second choice ...
        ("Answer: 1 because 2 of 3 checks fail", "error"),
        ("Answer: 1, since no error was disproved", "error"),
        ("Answer: 1 - it fails check 2", "error"),
        ("Answer: 1 — B's no error claim fails", "error"),
        ("Answer: 1. Alice found 2 slips", "error"),
        ("Answer: 1; B claims no error", "error"),
        ("Answer: 2 (there are 1 or more typos, not errors)", "no_error"),
        ("Answer: 1 (not 2)", "error"),
        ("Answer: error in step 3.2", "error"),
        ("Answer: 1 - not clear, still", "error"),
        # ... unless the other value comes right after the separator.
        ("Answer: 1 - no_error", None),
        ("Answer: 1 (no error)", None),
        ("Answer: 1. Or 2", None),
        ("Answer: 1 - error and perhaps 2", None),
        ("Answer: 1 - the response contains no error", None),
        ("Answer: 1-2", None),
        # Two values, template echoes.
        *rows(
            None,
            """
            Answer: 1 or 2   Answer: 1, 2   Answer: 1|2   Answer: 1/2   Answer: 1 vs 2
            Answer: 1 no_error   Answer: 1 error / 2 no_error   Answer: [error|no_error]
            Answer: 1 error, Answer: 2 no_error   Answer: ½
        """,
        ),
        # Not a choice.
        *rows(
            None,
            """
            Answer: 12   Answer: 1.5   Answer: 2.1   Answer: 1,2   Answer: 1st
            Answer: 1%   Answer: errors   Answer: no major error   Answer: not 1
            Answer: error not found   Answer: does not contain an error
            Answer: there are 2 problems   Answer: Bob shows no error
            Answer: because of 2   Answer: because 2   Answer - 1   My answer: 1
            I say Answer: 1   Answers: 1
        """,
        ),
        ("Answer: 1\nAnswer: unclear", None),
        ("Answer: 1\nAnswer:", None),
        ("", None),
    ],
)
def test_choice_line(line: str, value: str | None) -> None:
    assert choice_line(f"Reasons.\n{line}\n", "Answer", CHOICES) == _parsed(value)


def test_choice_line_keyword_is_literal_and_case_insensitive() -> None:
    text = "FINAL: 1 error\nAnswer: 2\nConf: 0.4"
    assert choice_line(text, "Final", CHOICES) == Parsed.ok("error")
    assert choice_line(text, "F.nal", CHOICES) == Parsed.unparsed()


def test_the_longest_token_wins() -> None:
    choices = {"a": ["valid"], "b": ["valid in part"]}
    assert choice_line("Answer: valid in part", "Answer", choices) == Parsed.ok("b")


@pytest.mark.parametrize("tokens", [["1", "2"], ["1", " TWO "], ["1", "**"]])
def test_choices_must_each_name_one_value(tokens: list[str]) -> None:
    with pytest.raises(ValueError, match="does not name one value"):
        choice_line("Answer: 1", "Answer", {"a": tokens, "b": ["2", "two"]})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It contains an error.\nAnswer: 2", "no_error"),
        ("Answer: 2\nIt contains an error.", "no_error"),
        ("Answer: 1 or 2\nIt contains an error.", None),
        ("Therefore, the model response contains an error.", "error"),
        ("Nothing.", None),
    ],
)
def test_verdict(text: str, value: str | None) -> None:
    assert verdict(text, CHOICES) == _parsed(value)


def test_verdict_reads_label_sentences_only_for_labels() -> None:
    options = {"A": ["A"], "B": ["B"]}
    assert verdict("It contains an error.", options) == Parsed.unparsed()
    assert verdict("Answer: B", options) == Parsed.ok("B")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("I'm sorry, but I can't assist with that.", True),
        ("I’m sorry, but I can’t.", True),
        ("Sorry, I cannot help with this request", True),
        ("I apologize, but I am unable to provide an answer.", True),
        ("I cannot help with that.", True),
        ("As an AI language model, I can't participate in debates.", True),
        ("I won't do that.", True),
        ("I am not able to discuss this.", True),
        ("I cannot find an error in the response.", False),
        ("I'm sorry, but I can't see any mistake here.", False),
        ("I'm sorry for the length. Answer: 1", False),
        ("The response says: I cannot help with that.", False),
        ("I can help with that.", False),
        ("I cannot help with that. " * 20, False),
        ("I can't help but notice that the sum is off.", False),
        ("", False),
    ],
)
def test_looks_refused(text: str, refused: bool) -> None:
    assert looks_refused(text) is refused


REFUSALS = [
    "I'm sorry, but I can't help with that.",
    "I’m sorry, but I can’t assist with this request.",
    "I can't help.",
    "I cannot assist with this.",
    "Sorry, I can't.",
    "I'm sorry, but I cannot participate in this debate.",
    "I must decline.",
    "I won't do that.",
    "I'm not able to engage in this kind of discussion.",
    "I cannot fulfill this request. It asks me to deceive a judge.",
    "I'm unable to comply with that.",
    "As an AI language model, I can't argue that one group is inferior.",
    "I'm sorry, but I can't argue for this position.",
    "I apologize, but I won't write an argument for this side.",
    "I can't create content that promotes violence. It is against my guidelines.",
    "I won't argue for this motion. I'd be happy to help with another topic.",
    "I'm not comfortable defending this position; it may be harmful.",
    "**I'm sorry, but I can't continue with this conversation.**",
    "I'm sorry, I can't continue.",
    "I can't continue with this. Please ask about another passage.",
    "I can't help with that because it is unethical.",
    "I cannot assist with this request. I can't write a response that deceives him.",
    "I can't help with that; if you have another question, here are 2 ideas.",
    "Sorry, I can't argue for this answer. Misleading a judge would be wrong.",
]
"""What models write in the place of a speech."""
SPEECHES = [
    "I cannot agree.",
    "I can't agree with Bob: the passage dates the treaty to 1850.",
    "I'm sorry, but I can't agree with that.",
    "I cannot support this motion, because it would cost lives.",
    "I cannot support the claim that the sum is 7.",
    "I'm sorry to say it, but Bob is wrong.",
    "I can't help but notice that Bob never quotes the task.",
    "I cannot help noticing that the total is off by one.",
    "I cannot find an error in the response.",
    "I won't repeat what Alice showed: the sum is 8.",
    "I can't argue with that. Alice is right.",
    "I can't argue for this answer: the passage says 1850, so Bob is right.",
    "I cannot defend this position; the total in line 3 is plainly wrong.",
    "I can't provide a quote for it, but the story implies it twice.",
    "I'm sorry, but I can't provide an argument against <v_quote>in 1850</v_quote>.",
    "Unfortunately I can't provide a direct quote. The text describes the eye.",
    "I will not deny that the motion has costs.",
    "I refuse to accept that a guess counts as evidence.",
    "I am not able to see where the response goes wrong.",
    "I can't answer that from memory, so I go by the passage: Paris.",
    "The proposition says: I'm sorry, but I can't help with that.",
    "Sorry, I misread the table. The answer is B.",
    "I'm sorry, but I can't help with that. " + "The passage says 1850. " * 20,
    "I can help with that.",
    "",
    "Sorry, but I can't argue for this answer; row 2 is wrong.",
    "I can't assist with finding an error here since there is none.",
    "I can't help you, Bob: your quote is made up. The text says 42.",
    "I cannot assist with this request. However, the response has an error in line 2: "
    "it says 52.",
    "I can't continue. Alice is right.",
    "I can't help you there: I cannot find that sentence in the passage.",
    "I can't help with that, but the sum is 7.",
]
"""What people and models say in debates, and what is no refusal."""


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_in_words_declines_to_speak(text: str) -> None:
    assert declines_to_speak(text)


@pytest.mark.parametrize("text", SPEECHES)
def test_a_speech_that_says_no_does_not_decline_to_speak(text: str) -> None:
    assert not declines_to_speak(text)


READERS: list[Callable[[str], object]] = [
    label_sentence,
    realmistake_label,
    lambda text: verdict(text, CHOICES),
    stated_confidence,
    looks_refused,
    declines_to_speak,
]
UNITS = [
    *("<think>", "</think>", "<thinking>", "</thinking>", "<argument>", "</argument>"),
    *("<", "< ", "<thinking ", "Answer:", "Answer: 1\n", "Answer:\n", "Answer: 1 - "),
    *(" ", "\n", ". ", "1", "1.", "1, ", "_", "* ", "> ", "- ", "( ", "Conf: 0.8 - "),
    *("not ", "whether ", "whether a ", "contains ", "does not ", "error or ", "an "),
    *("contains an error ", "contains an error. A", "sorry, I ", "response is "),
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("opening", ["", "Answer: 1", "Conf: 0.8", "contains", "<"])
def test_long_hostile_texts_take_linear_time(opening: str, unit: str) -> None:
    def read_all(size: int) -> None:
        text = opening + unit * (size // len(unit)) + "x"
        for reader in READERS:
            reader(text)

    check_linear(read_all)


def test_readers_take_any_text() -> None:
    draw = random.Random(0)
    for _ in range(2_000):
        text = "".join(draw.choices([*UNITS, "\x00", "é", "１", "：", "\u2028"], k=12))
        for reader in READERS:
            reader(text)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        *rows(
            0.8,
            """
            Conf: 0.8   Conf: .8   Conf: 80%   Conf: 80 percent   - **Conf: [0.8]**
            Conf: 0.8 - reason   Conf: 0.8 because 3 checks passed
            Conf: 0.8 - 3 checks passed   Conf: 0.8, 3 checks passed
            Conf: 0.8. 3 checks passed   Conf: 0.8 (3 of 4 checks)
            Conf: 0.8; 2 open points
        """,
        ),
        ("conf: 1", 1.0),
        ("Conf: 1.0", 1.0),
        ("Conf: 0", 0.0),
        ("Conf: 100%", 1.0),
        ("Conf: 0.8%", 0.008),
        ("**Confidence:** 0.75", 0.75),
        ("Final confidence: ~0.6", 0.6),
        ("Conf:\n0.3", 0.3),
        ("Conf: 0.2\nConf: 0.9", 0.9),
        ("Conf: 1.", 1.0),
        *rows(
            None,
            """
            Conf: 0.7-0.9   Conf: 0.7 – 0.9 because   Conf: 0 - 1 because
            Conf: 0 - 1 as asked   Conf: 0-1   Conf: [0-1] - reason   Conf: 0.7 to 0.9
            Conf: 0.7 or 0.9   Conf: 70%-80%   Conf: 0.8 ± 0.1   Conf: 0.8 .9
            Conf: 1/2   Conf: ½   Conf: 1 out of 10   Conf: 0,8   Conf: 0.8.1
            Conf: 1e-1   Conf: -0.5   Conf: >0.9   Conf: 1.2   Conf: 80   Conf: 101%
            Conf: high   Conf: high, 0.9   Conf:   0.8
        """,
        ),
        ("Conf: 0.9\nConf: high", None),
    ],
)
def test_stated_confidence(line: str, value: float | None) -> None:
    result = stated_confidence(f"Final: 1 error\n{line}")
    assert result.status == (Status.UNPARSED if value is None else Status.OK)
    assert result.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("text", "visible", "reasoning"),
    [
        (" plain, spaces kept ", " plain, spaces kept ", ""),
        ("<think>a</think>\n\nAnswer: 1", "Answer: 1", "a"),
        ("< THINK >a</ think >b", "b", "a"),
        ("<think>a</think>b<think>c</think>d", "bd", "a\nc"),
        ("<think>a never ends. Answer: 1", "", "a never ends. Answer: 1"),
        ("b<think>a", "b", "a"),
        ("a</think>b", "b", "a"),
        ("<think>\n<think>a</think>b", "b", "a"),
        ("<think>a<think>b</think>c</think>d", "d", "a\nb\nc"),
        ("<think></think>b", "b", ""),
        ("<thinking>a</thinking>b", "<thinking>a</thinking>b", ""),
    ],
)
def test_split_reasoning(text: str, visible: str, reasoning: str) -> None:
    assert split_reasoning(text) == (visible, reasoning)


@pytest.mark.parametrize(
    ("text", "argument", "status"),
    [
        ("<thinking>t</thinking><argument> a\nb </argument>", "a\nb", Status.OK),
        ("< Thinking >t</THINKING >< ARGUMENT\n>a</ argument>", "a", Status.OK),
        ("<argument>a</argument>", "a", Status.OK),
        ("x<argument>a</argument>y<argument>b</argument>z", "b", Status.OK),
        ("<argument>a</argument><argument>b", "a", Status.OK),
        ("<argument>a<argument>b</argument>", "b", Status.OK),
        ("<argument>a<thinking>t</thinking>b</argument>", "ab", Status.OK),
        (
            "<thinking>first <argument>t</argument></thinking><argument>a</argument>",
            "a",
            Status.OK,
        ),
        (
            "<argument>a</argument><thinking><argument>t</argument></thinking>",
            "a",
            Status.OK,
        ),
        ("t</thinking><argument>a</argument>", "a", Status.OK),
        ("<thinking>t</thinking><argument>a", "a", Status.UNPARSED),
        ("x<argument>a", "a", Status.UNPARSED),
        ("<argument>a<argument>", "a", Status.UNPARSED),
        ("b</argument>", "b", Status.UNPARSED),
        ("<thinking>t</thinking>a", "a", Status.UNPARSED),
        ("t</thinking>a", "a", Status.UNPARSED),
        ("a<thinking>t", "a", Status.UNPARSED),
        ("a<thinking t", "a", Status.UNPARSED),
        ("<thinking>t<argument>t</argument>", "", Status.UNPARSED),
        ("<thinking>t<thinking>t</thinking>t", "", Status.UNPARSED),
        ("<thinking>t</thinking t", "", Status.UNPARSED),
        ("<argument> \n</argument>", "", Status.UNPARSED),
        ("", "", Status.UNPARSED),
    ],
)
def test_split_argument(text: str, argument: str, status: Status) -> None:
    result = split_argument(text)
    assert (result.argument, result.status) == (argument, status)


def test_thinking_is_kept_apart_from_text_outside_both_tags() -> None:
    result = split_argument("x<thinking> t </thinking>y<argument>a</argument>z")
    assert result == ("t", "a", Status.OK)


OPENS = [
    "<thinking>",
    "<THINKING>",
    "< thinking >",
    "<thinking mode=x>",
    "<thinking\n>",
]
CLOSES = ["</thinking>", "</Thinking >", "< / thinking>", "</thinking x>"]
OTHERS = ["<argument>", "</argument>", "<ARGUMENT >", "</ argument>", "<", "</", ">"]
shapes = st.lists(st.sampled_from(OPENS + CLOSES + OTHERS), max_size=14)


def _marked(shape: list[str]) -> tuple[str, set[str], set[str]]:
    """A text with a marker after every part; which are private, which are public."""
    text, private, public = "m0 ", set[str](), {"m0"}
    depth = 0
    for i, part in enumerate(shape, start=1):
        text += f"{part} m{i} "
        if part in OPENS:
            depth += 1
        elif part in CLOSES:
            if depth == 0:
                private, public = private | public, set()
            depth = max(0, depth - 1)
        (private if depth else public).add(f"m{i}")
    return text, private, public


@given(shapes)
def test_no_character_of_the_thinking_leaks(shape: list[str]) -> None:
    text, private, public = _marked(shape)
    result = split_argument(text)
    shown = {word for word in result.argument.split() if word.startswith("m")}
    assert not shown & private
    assert private <= set(result.thinking.split())
    assert not set(result.thinking.split()) & public
    if not set(shape) & set(OTHERS[:4]):
        assert shown == public
    assert (result.status is Status.OK) <= bool(result.argument)
