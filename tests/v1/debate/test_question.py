"""The question of a sample, and which samples are none."""

import re
from random import Random
from string import ascii_uppercase
from typing import Any

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    ModelName,
)
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.question import (
    choice_question,
    error_detection_question,
    question_of,
)
from inspect_debate.v1.debate.seeds import fingerprint

USER, ASSISTANT = ChatMessageUser(content="Add."), ChatMessageAssistant(content="4")


def state(given: str | list[ChatMessage]) -> TaskState:
    return TaskState(
        model=ModelName("scripted/x"),
        sample_id=7,
        epoch=2,
        input=given,
        messages=[],
        target=Target("SECRET label"),
        metadata={"explanation": "SECRET explanation"},
    )


def test_the_question_of_a_sample_has_no_label() -> None:
    question = error_detection_question(state([USER, ASSISTANT]))
    assert (question.id, question.epoch) == ("7", 2)
    assert question.choices == ("error", "no_error")
    assert question.sources == {"input": "Add.", "response": "4"}
    assert question.fingerprint == fingerprint("Add.", "4")
    assert "SECRET" not in repr(question)


@pytest.mark.parametrize(
    "given",
    [
        "Add.",
        [],
        [USER],
        [USER, USER],
        [ASSISTANT, USER],
        [USER, ASSISTANT, USER],
        [ChatMessageSystem(content="s"), USER, ASSISTANT],
    ],
)
def test_another_input_is_refused(given: str | list[ChatMessage]) -> None:
    with pytest.raises(InputError, match=r"7.*user message and an assistant"):
        error_detection_question(state(given))


def test_fingerprint_is_stable_and_knows_the_borders() -> None:
    # Pinned: earlier logs are matched by it.
    assert fingerprint("Add.", "4") == "dd5f42a81c923500"
    texts = [("ab", ""), ("a", "b"), ("", "ab"), ("ab",), ("a, b",), ('a", "b',)]
    texts += [("b", "a"), ("A", "b"), ("a ", "b")]
    assert len({fingerprint(*text) for text in texts}) == len(texts)


@pytest.mark.parametrize("text", ["", "naïve ≤ 日本", "\ud800", "\x00"])
def test_fingerprint_of_any_text(text: str) -> None:
    assert re.fullmatch("[0-9a-f]{16}", fingerprint(text))


OPTIONS = ["Rome", "Paris", "Bern"]
PICTURE = ContentImage(image="data:image/png;base64,AAAA")


def state_with_options(
    given: str | list[ChatMessage] = "Which?", **changes: Any
) -> TaskState:
    values: dict[str, Any] = {
        "model": ModelName("scripted/x"),
        "sample_id": 7,
        "epoch": 2,
        "input": given,
        "messages": [],
        "choices": OPTIONS,
        "target": Target("B"),
        "metadata": {"explanation": "SECRET"},
    }
    return TaskState(**values | changes)


def test_options_have_letters() -> None:
    question = question_of(state_with_options())
    assert (question.id, question.epoch) == ("7", 2)
    assert question.choices == ("A", "B", "C")
    assert question.options == {"A": "Rome", "B": "Paris", "C": "Bern"}
    assert question.sources == {
        "question": "Which?",
        "options": "A) Rome\nB) Paris\nC) Bern",
    }
    assert question.fingerprint == fingerprint("Which?", *OPTIONS)
    assert question.prompt_set == "choices"
    assert "SECRET" not in repr(question)


def test_a_response_to_a_task_needs_no_options() -> None:
    given: list[ChatMessage] = [
        ChatMessageUser(content="Add."),
        ChatMessageAssistant(content="4"),
    ]
    question = question_of(state_with_options(given, choices=[]))
    assert question.choices == ("error", "no_error")
    assert question.prompt_set == "colmad"
    assert not question.options


@pytest.mark.parametrize("target", ["A", "B", "C"])
def test_nothing_of_a_question_tells_what_is_right(target: str) -> None:
    assert choice_question(
        state_with_options(target=Target(target))
    ) == choice_question(state_with_options())


def test_the_order_of_options_is_part_of_the_question() -> None:
    one, other = (
        question_of(state_with_options(choices=c)) for c in (OPTIONS, OPTIONS[::-1])
    )
    assert one.fingerprint != other.fingerprint
    assert other.options["A"] == "Bern"


@pytest.mark.parametrize("count", [2, 3, 26])
def test_two_to_twenty_six_options(count: int) -> None:
    options = [f"option {n}" for n in range(count)]
    question = question_of(state_with_options(choices=options))
    assert question.choices == tuple(ascii_uppercase[:count])
    assert [*question.options.values()] == options


@pytest.mark.parametrize("count", [1, 27, 100])
def test_other_numbers_of_options_are_refused(count: int) -> None:
    with pytest.raises(InputError, match=rf"2 to 26 options; sample 7 has {count}\."):
        question_of(state_with_options(choices=[f"option {n}" for n in range(count)]))


@pytest.mark.parametrize(
    ("target", "count"),
    [(["A", "C"], 2), ("AC", 2), ("A, C", 2), ("A,B,C", 3), (["A", "B", "C"], 3)],
)
def test_several_right_answers_are_refused(target: str | list[str], count: int) -> None:
    with pytest.raises(InputError, match=rf"one answer; sample 7 has {count} right"):
        question_of(state_with_options(target=Target(target)))


@pytest.mark.parametrize("target", [["A"], "B", "C", "", "Rome", "D", "AD"])
def test_the_target_does_not_matter(target: str | list[str]) -> None:
    assert question_of(state_with_options(target=Target(target))) == question_of(
        state_with_options()
    )


def test_options_that_were_shuffled_on_the_way_are_refused() -> None:
    shuffled = state_with_options()
    shuffled.choices.shuffle(Random(1))
    assert [choice.original_position for choice in shuffled.choices] != [0, 1, 2]
    with pytest.raises(InputError, match=r"shuffled the options of sample 7"):
        question_of(shuffled)


def test_a_conversation_says_who_says_what() -> None:
    given: list[ChatMessage] = [
        ChatMessageSystem(content="Be exact."),
        ChatMessageUser(content="And this one?"),
        ChatMessageAssistant(content="A"),
        ChatMessageUser(content=[ContentText(text="Which"), ContentText(text="one?")]),
    ]
    assert question_of(state_with_options(given)).sources["question"] == (
        "System: Be exact.\n\nUser: And this one?\n\nAssistant: A\n\nUser: Which\none?"
    )


SOUND = ContentAudio(audio="data:audio/wav;base64,AAAA", format="wav")


def test_images_and_sounds_are_part_of_a_question() -> None:
    content: list[Content] = [ContentText(text="Which?"), PICTURE, SOUND]
    given: list[ChatMessage] = [
        ChatMessageUser(content=content),
        ChatMessageUser(content=[PICTURE]),
    ]
    asked = question_of(state_with_options(given))
    assert asked.media == (PICTURE, SOUND, PICTURE)
    assert asked.sources["question"] == (
        "User: Which?\n[image 1]\n[audio 2]\n\nUser: [image 3]"
    )
    given[1] = ChatMessageUser(content=[SOUND])
    assert question_of(state_with_options(given)).fingerprint != asked.fingerprint


def test_tool_calls_are_refused() -> None:
    call = ToolCall(id="1", function="look", arguments={})
    given: list[ChatMessage] = [ChatMessageAssistant(content="", tool_calls=[call])]
    with pytest.raises(InputError, match="read no tool calls; sample 7 has tool calls"):
        question_of(state_with_options(given))


@pytest.mark.parametrize("given", ["Which?", [ChatMessageUser(content="Which?")], []])
def test_neither_options_nor_a_response(given: str | list[ChatMessage]) -> None:
    with pytest.raises(InputError, match=r"Sample 7 .*give -S config\.answers=free\."):
        question_of(state_with_options(given, choices=[]))
