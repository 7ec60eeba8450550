"""What a protocol is given: a question without label, gold answer or explanation."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser
from inspect_ai.solver import TaskState

from inspect_debate.core.errors import InputError


@dataclass(frozen=True)
class Question:
    """One item as participants may know it.

    `sources` are the texts that quotes are checked against, by name; `choices` are
    the values that an answer can take, in the order of their numbers.
    """

    id: str
    epoch: int
    fingerprint: str
    choices: tuple[str, ...]
    sources: Mapping[str, str]


def fingerprint(*texts: str) -> str:
    """The hash of a question's content: 16 hexadecimal digits of its sha256."""
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]


def error_detection_question(state: TaskState) -> Question:
    """The question of an error-detection sample.

    Args:
        state: A sample whose input is a conversation: the task given to the model
            under test (user) and its response (assistant).

    Returns:
        The question whether the response contains an error, with the sources
        `input` and `response`.

    Raises:
        InputError: If the sample's input is not such a conversation.
    """
    match state.input:
        case [ChatMessageUser() as task, ChatMessageAssistant() as response]:
            texts = (task.text, response.text)
        case _:
            raise InputError(
                "This protocol judges a response: the sample's input has to be a user "
                f"message and an assistant message, sample {state.sample_id!r} has not."
            )
    return Question(
        id=str(state.sample_id),
        epoch=state.epoch,
        fingerprint=fingerprint(*texts),
        choices=("error", "no_error"),
        sources={"input": texts[0], "response": texts[1]},
    )
