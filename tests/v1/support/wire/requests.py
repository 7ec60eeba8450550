"""What a chat completion is asked with: checked strictly, then as brains read it."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Part(_Strict):
    type: Literal["text"]
    text: str


class _Message(_Strict):
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[_Part]


class _Body(_Strict):
    model: str = Field(min_length=1)
    messages: list[_Message] = Field(min_length=1)
    temperature: float | None = Field(None, ge=0, le=2)
    top_p: float | None = Field(None, ge=0, le=1)
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    seed: int | None = None
    n: int | None = Field(None, ge=1, le=128)
    logprobs: bool | None = None
    top_logprobs: int | None = Field(None, ge=0, le=20)
    stream: Literal[False] | None = None

    @model_validator(mode="after")
    def _alternatives_need_logprobs(self) -> "_Body":
        if self.top_logprobs is not None and not self.logprobs:
            raise ValueError("top_logprobs needs logprobs to be true")
        return self


class BadRequest(Exception):
    """A request that the server does not answer, and why."""


@dataclass(frozen=True)
class Message:
    """One message of a prompt."""

    role: str
    text: str


@dataclass(frozen=True)
class ChatRequest:
    """A request for a chat completion, as a brain reads it.

    `number` counts the requests in the order of their arrival, from 0; `attempt` those
    with this very body, from 1: a client's retry is the second attempt, and so is a
    draw that looks the same. `choice` is the index of the choice that is asked for,
    where `n` is more than one.
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    n: int
    logprobs: bool
    top_logprobs: int
    body: dict[str, Any]
    number: int = 0
    attempt: int = 1
    choice: int = 0

    @property
    def prompt(self) -> str:
        """The whole text of the prompt, message after message."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def identity(self) -> str:
        """What two requests have in common that are the same but for their arrival."""
        return json.dumps(self.body, sort_keys=True)


def read_request(raw: bytes) -> ChatRequest:
    """Read the body of a request.

    Raises:
        BadRequest: If it is no JSON, or has anything that the server does not know.
    """
    try:
        asked = _Body.model_validate_json(raw)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
        raise BadRequest("; ".join(wrong)) from error
    return ChatRequest(
        model=asked.model,
        messages=tuple(Message(m.role, _text(m.content)) for m in asked.messages),
        temperature=asked.temperature,
        max_tokens=asked.max_tokens or asked.max_completion_tokens,
        seed=asked.seed,
        n=asked.n or 1,
        logprobs=bool(asked.logprobs),
        top_logprobs=asked.top_logprobs or 0,
        body=json.loads(raw),
    )


def _text(content: str | list[_Part]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content)
