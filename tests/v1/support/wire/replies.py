"""What a brain answers, and the chat completion that is made of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import log
from typing import Any

from tests.v1.support.wire.logprobs import Style, Token, listed
from tests.v1.support.wire.requests import ChatRequest


@dataclass(frozen=True)
class Stretch:
    """Characters `start` to `end` of a text, whose tokens have a probability."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True)
class Reply:
    """A completion.

    Each token that has a character of a stretch has that stretch's probability, all
    others have `probability`.
    """

    text: str
    probability: float = 0.5
    stretches: tuple[Stretch, ...] = ()
    finish_reason: str = "stop"
    refusal: str | None = None


Brain = Callable[[ChatRequest], Reply]
"""Answers a request, once for each choice; runs in the server's thread."""


@dataclass(frozen=True)
class Choice:
    """A choice before it is sent, which faults change.

    `tokens` is None where log-probabilities are not listed.
    """

    text: str | None
    tokens: tuple[Token, ...] | None
    finish_reason: str
    refusal: str | None = None

    def cut(self, length: int) -> "Choice":
        """The choice where at most so many tokens were to be written."""
        assert self.tokens is not None
        if len(self.tokens) <= length:
            return self
        kept = self.tokens[:length]
        text = b"".join(token.piece for token in kept).decode(errors="ignore")
        return replace(self, text=text, tokens=kept, finish_reason="length")


def choice_of(reply: Reply, style: Style, max_tokens: int | None) -> Choice:
    """A reply cut into tokens, no more than asked for."""
    pieces = style.split(reply.text)
    assert b"".join(pieces) == reply.text.encode(), "the style loses text"
    ends = list(accumulate(map(len, pieces)))
    tokens = tuple(
        Token(piece, log(_probability(reply, end - len(piece), end)))
        for piece, end in zip(pieces, ends, strict=True)
    )
    choice = Choice(reply.text, tokens, reply.finish_reason, reply.refusal)
    if max_tokens is not None:
        choice = choice.cut(max_tokens)
    if style.stop is not None and choice.finish_reason == "stop":
        stop = Token(style.stop.encode(), log(reply.probability))
        return replace(choice, tokens=(*tokens, stop))
    return choice


def _probability(reply: Reply, start: int, end: int) -> float:
    for stretch in reply.stretches:
        before, within = (
            len(reply.text[:place].encode()) for place in (stretch.start, stretch.end)
        )
        if start < within and before < end:
            return stretch.probability
    return reply.probability


def completion(
    request: ChatRequest,
    choices: Sequence[Choice],
    style: Style,
    served: str,
    written: int,
) -> dict[str, Any]:
    """A chat completion in OpenAI's schema.

    Args:
        request: What was asked.
        choices: The choices that are sent.
        style: How tokens are counted and spelt.
        served: The name of the model in the response.
        written: How many tokens were written.
    """
    # Four more for each message, as OpenAI counts.
    read = sum(len(style.split(m.text)) + 4 for m in request.messages)
    return {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": 1_700_000_000 + request.number,
        "model": served,
        "choices": [
            {
                "index": index,
                "message": {
                    "role": "assistant",
                    "content": choice.text,
                    "refusal": choice.refusal,
                },
                "finish_reason": choice.finish_reason,
                "logprobs": listed(choice.tokens, style, request.top_logprobs)
                if request.logprobs and choice.tokens is not None
                else None,
            }
            for index, choice in enumerate(choices)
        ],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
        },
    }
