import re

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentText,
    ModelName,
)
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.question import error_detection_question
from inspect_debate.debate.seeds import fingerprint

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


def test_content_in_parts_is_text() -> None:
    parts = ChatMessageUser(content=[ContentText(text="Add.")])
    assert (
        error_detection_question(state([parts, ASSISTANT])).sources["input"] == "Add."
    )


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
