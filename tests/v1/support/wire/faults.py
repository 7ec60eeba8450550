"""What can go wrong on the wire, and when.

Three sorts of kinds: those that answer in the place of the brain, those that change
what it answered, and `slow`, which goes before either.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal, cast

from starlette.responses import HTMLResponse, JSONResponse, Response

from tests.v1.support.wire.logprobs import Token
from tests.v1.support.wire.replies import Choice
from tests.v1.support.wire.requests import ChatRequest

Kind = Literal[
    "rate_limit",
    "server_error",
    "dropped",
    "slow",
    "malformed",
    "error_page",
    "error_object",
    "no_message",
    "empty_choice",
    "no_content",
    "logprobs_refused",
    "logprobs_null",
    "rejected",
    "logprobs_absent",
    "logprobs_cut",
    "logprobs_misaligned",
    "cut_off",
]
When = Callable[[ChatRequest], bool]


@dataclass
class Rule:
    """A fault, and the requests that it meets.

    `applied` counts those it met; it meets no more than `times` (None: no limit).
    `delay` is the seconds a slow request takes longer, `retry_after` what a rate limit
    says in its header; `status` and `body` are what `rejected` answers.
    """

    kind: Kind
    when: When
    times: int | None
    delay: float
    retry_after: float
    applied: int = 0
    status: int = 400
    body: Any = None

    def meets(self, request: ChatRequest) -> bool:
        """Whether the fault meets a request; it is counted if so."""
        spent = self.times is not None and self.applied >= self.times
        met = not spent and self.when(request)
        self.applied += met
        return met


def always(request: ChatRequest) -> bool:
    """Every request."""
    return True


def first(number: int) -> When:
    """The requests that arrive first, so many."""
    return lambda request: request.number < number


def every(step: int) -> When:
    """Each so-manieth of the requests that a rule looks at."""
    looked_at = count(1)
    return lambda request: next(looked_at) % step == 0


def error(
    status: int, message: str, kind: str, headers: dict[str, str] | None = None
) -> Response:
    """An answer that says what went wrong, in OpenAI's schema."""
    body = {"message": message, "type": kind, "param": None, "code": None}
    return JSONResponse({"error": body}, status, headers)


def _rate_limit(rule: Rule) -> Response:
    headers = {"retry-after": f"{rule.retry_after:g}"}
    return error(429, "Too many requests.", "rate_limit_exceeded", headers)


INSTEAD: dict[Kind, Callable[[Rule], Response]] = {
    "rate_limit": _rate_limit,
    "server_error": lambda rule: error(500, "It broke.", "server_error"),
    "malformed": lambda rule: Response(
        '{"id": "chatcmpl-1", "choices": [', media_type="application/json"
    ),
    "error_page": lambda rule: HTMLResponse("<html>Please try again.</html>"),
    "error_object": lambda rule: error(200, "Overloaded.", "overloaded"),
    "no_message": lambda rule: JSONResponse({"choices": [{"message": None}]}),
    "logprobs_refused": lambda rule: error(
        400, "This model does not support logprobs.", "invalid_request_error"
    ),
    "rejected": lambda rule: JSONResponse(rule.body, rule.status),
}
"""What is answered in the place of the brain."""


def _each(change: Callable[[Choice], Choice]) -> Callable[..., list[Choice]]:
    return lambda choices: [change(choice) for choice in choices]


def _halved(choice: Choice) -> Choice:
    tokens = choice.tokens or ()
    return replace(choice, tokens=tokens[: len(tokens) // 2])


def _of_another_text(choice: Choice) -> Choice:
    tokens = choice.tokens or ()
    return replace(
        choice, tokens=tuple(Token(b" else", token.logprob) for token in tokens)
    )


def _without_values(choice: Choice) -> Choice:
    """Tokens whose log-probabilities are null, as some servers list them."""
    nothing = cast(float, None)
    tokens = [replace(token, logprob=nothing) for token in choice.tokens or ()]
    return replace(choice, tokens=tuple(tokens))


AFTERWARDS: dict[Kind, Callable[[Sequence[Choice]], list[Choice]]] = {
    "empty_choice": lambda choices: [],
    "no_content": _each(lambda choice: replace(choice, text=None)),
    "logprobs_absent": _each(lambda choice: replace(choice, tokens=None)),
    "logprobs_cut": _each(_halved),
    "logprobs_null": _each(_without_values),
    "logprobs_misaligned": _each(_of_another_text),
    "cut_off": _each(lambda choice: choice.cut(len(choice.tokens or ()) // 2)),
}
"""What becomes of the choices that the brain made."""
