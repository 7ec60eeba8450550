"""Asking a scripted model for a turn, with a form that is easy to follow."""

from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
)

from inspect_debate.debate.calls import Form, Reading, Request, ask
from inspect_debate.debate.record import Parsed, Quote, Turn
from tests.support.made import description
from tests.support.models import Call, scripted

REMINDER = "Write OK."


def read(text: str) -> Reading:
    """`required` is read where the text says OK, `extra` where it says MORE."""
    return Reading(
        public=text.upper(),
        private=f"private {text}",
        quotes=(Quote(text=text, verified=False),),
        fields={
            "required": Parsed.ok("yes") if "OK" in text else Parsed.unparsed(),
            "extra": Parsed.ok(1.0) if "MORE" in text else Parsed.unparsed(),
            "unasked": Parsed(),
        },
    )


def replies(*reply: str | ModelOutput, **config: Any) -> Model:
    left = list(reply)
    return scripted(lambda messages, description: left.pop(0), name="x", **config)


def output(
    text: str, stop_reason: StopReason = "stop", usage: ModelUsage | None = None
) -> ModelOutput:
    made = ModelOutput.from_content("served-x", text, stop_reason)
    made.usage = usage
    return made


def request(model: Model, **changes: Any) -> Request:
    values: dict[str, Any] = {
        "model": model,
        "role": "debater_a",
        "config": GenerateConfig(temperature=0.5),
        "messages": [ChatMessageSystem(content="sys"), ChatMessageUser(content="Q")],
        "description": description(),
        "form": Form(read, "required", lambda: REMINDER),
    }
    return Request(**values | changes)


def asked(model: Model, **changes: Any) -> Turn:
    return anyio.run(ask, request(model, **changes))


def texts_of(call: Call) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in call.messages]
