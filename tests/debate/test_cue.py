import json
from typing import Any

import pytest
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser
from pydantic import ValidationError

from inspect_debate.debate.calls import TurnDescription, description_of
from tests.support.made import description

FULL = description(
    kind="verdict",
    format="verdict",
    round=2,
    rounds=3,
    draw="ba",
    defends="error",
    shown=("no_error", "error"),
    reask=1,
)


def user(metadata: dict[str, Any] | None) -> ChatMessage:
    return ChatMessageUser(content="?", metadata=metadata)


@pytest.mark.parametrize("sent", [description(), FULL])
def test_a_cue_comes_back(sent: TurnDescription) -> None:
    assert description_of([user(None), user(sent.attach())]) == sent
    # As the cache and the log see it: JSON.
    assert description_of([user(json.loads(json.dumps(sent.attach())))]) == sent


@pytest.mark.parametrize("metadata", [None, {}, {"other": 1}])
def test_messages_of_others_have_none(metadata: dict[str, Any] | None) -> None:
    assert description_of([user(metadata)]) is None


def test_only_the_last_message_counts() -> None:
    asked: list[ChatMessage] = [user(FULL.attach()), ChatMessageAssistant(content="!")]
    assert description_of(asked) is None


def test_roles_and_draws_have_other_metadata() -> None:
    variants = [
        description(),
        description("debater_b"),
        description(draw="2"),
        description(reask=1),
        description(epoch=2),
    ]
    assert len({json.dumps(variant.attach()) for variant in variants}) == len(variants)


def test_a_malformed_cue_is_an_error() -> None:
    data = description().attach()
    (key,) = data
    with pytest.raises(ValidationError):
        description_of([user({key: data[key] | {"hint": "the label"}})])
    with pytest.raises(ValidationError):
        description_of([user({key: {}})])
