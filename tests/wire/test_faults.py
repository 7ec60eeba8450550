"""What Inspect's client of OpenAI-compatible providers makes of each fault."""

import json
from collections.abc import Awaitable, Callable

import anyio
import pytest
from inspect_ai.model import GenerateConfig, Model, ModelOutput
from openai import APIConnectionError, APITimeoutError, InternalServerError
from openai import RateLimitError as TooMany

from tests.support.wire.client import wire_model
from tests.support.wire.faults import Kind, When, always, attempts, first
from tests.support.wire.replies import Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

TEXT = 'It is "Paris".\n'
TOKENS = ["It", " is", ' "', "Paris", '".', "\n"]


def brain(request: ChatRequest) -> Reply:
    return Reply(TEXT, probability=0.5)


def asking(
    model: Model, config: GenerateConfig | None = None
) -> Callable[[], Awaitable[ModelOutput]]:
    """One question to a model, which is done with afterwards."""

    async def ask() -> ModelOutput:
        try:
            settings = GenerateConfig(logprobs=True).merge(config or GenerateConfig())
            return await model.generate("Where?", config=settings)
        finally:
            await model.api.aclose()

    return ask


TWICE = attempts(2)


def met(kind: Kind, when: When = TWICE) -> tuple[ModelOutput, WireServer]:
    """What comes back where requests meet a fault."""
    with WireServer(brain) as server:
        server.fault(kind, when=when)
        output = anyio.run(asking(wire_model(server)))
    return output, server


def tokens(output: ModelOutput) -> list[str] | None:
    listed = output.choices[0].logprobs
    return None if listed is None else [item.token for item in listed.content]


def test_an_answer_comes_back_whole() -> None:
    with WireServer(brain, served="m-2024") as server:
        output = anyio.run(asking(wire_model(server)))
    assert (output.completion, output.model) == (TEXT, "m-2024")
    assert output.stop_reason == "stop"
    assert tokens(output) == TOKENS
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens) == (6, 6)
    assert server.counts == {"answered": 1}


def test_what_inspect_asks_with() -> None:
    config = GenerateConfig(
        temperature=0.5, max_tokens=9, seed=7, num_choices=2, top_logprobs=3
    )
    with WireServer(brain) as server:
        output = anyio.run(asking(wire_model(server, "some-name"), config))
    (asked,) = server.requests
    assert asked.body == {
        "model": "some-name",
        "messages": [{"role": "user", "content": "Where?"}],
        "temperature": 0.5,
        "max_tokens": 9,
        "seed": 7,
        "n": 2,
        "logprobs": True,
        "top_logprobs": 3,
    }
    assert len(output.choices) == 2


def test_loopback_is_asked_whatever_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with WireServer(brain) as server:
        anyio.run(asking(wire_model(server)))
    assert server.counts == {"answered": 1}


RETRIED: tuple[Kind, ...] = ("rate_limit", "server_error", "dropped", "error_page")


@pytest.mark.parametrize("kind", RETRIED)
def test_these_are_asked_again(kind: Kind) -> None:
    output, server = met(kind)
    assert output.completion == TEXT
    assert server.counts == {kind: 2, "answered": 1}
    assert [request.attempt for request in server.requests] == [1, 2, 3]


def test_what_takes_too_long_is_asked_again() -> None:
    with WireServer(brain) as server:
        server.fault("slow", when=first(1), delay=60)
        model = wire_model(server, client_timeout=1.0)
        output = anyio.run(asking(model))
    assert output.completion == TEXT
    assert server.counts == {"slow": 1, "answered": 1}


def test_what_is_slow_but_in_time_is_asked_once() -> None:
    output, server = met("slow", when=always)
    assert output.completion == TEXT
    assert server.counts == {"slow": 1}


@pytest.mark.parametrize(
    ("kind", "raised"),
    [
        ("rate_limit", TooMany),
        ("server_error", InternalServerError),
        ("dropped", APIConnectionError),
        ("error_page", Exception),
    ],
)
def test_what_stays_is_raised_after_the_last_attempt(
    kind: Kind, raised: type[Exception]
) -> None:
    with WireServer(brain) as server:
        server.fault(kind)
        ask = asking(wire_model(server, max_retries=2))
        with pytest.raises(Exception) as caught:  # noqa: PT011
            anyio.run(ask)
    assert isinstance(_cause(caught.value), raised)
    assert server.counts == {kind: 3}


def test_what_stays_slow_is_raised_after_the_last_attempt() -> None:
    with WireServer(brain) as server:
        server.fault("slow", delay=60)
        ask = asking(wire_model(server, max_retries=1, client_timeout=0.3))
        with pytest.raises(Exception) as caught:  # noqa: PT011
            anyio.run(ask)
    assert isinstance(_cause(caught.value), APITimeoutError)
    assert server.counts == {"slow": 2}


def _cause(error: BaseException) -> BaseException | None:
    """What was raised last, where tenacity has wrapped it."""
    attempt = getattr(error, "last_attempt", None)
    return attempt.exception() if attempt else error


def test_the_clients_below_asks_again_by_itself_if_told_to() -> None:
    """Those attempts are hidden from Inspect, which counts no retry."""
    with WireServer(brain) as server:
        server.fault("rate_limit", when=attempts(2))
        model = wire_model(server, max_retries=0, client_retries=2)
        assert anyio.run(asking(model)).completion == TEXT
    assert server.counts == {"rate_limit": 2, "answered": 1}


@pytest.mark.parametrize(
    ("kind", "raised"),
    [
        ("malformed", json.JSONDecodeError),
        ("logprobs_refused", RuntimeError),
    ],
)
def test_these_are_raised_at_once(kind: Kind, raised: type[Exception]) -> None:
    with WireServer(brain) as server:
        server.fault(kind, when=first(1))
        with pytest.raises(raised):
            anyio.run(asking(wire_model(server)))
    assert server.counts == {kind: 1}


@pytest.mark.parametrize(
    ("kind", "text", "reason", "listed"),
    [
        ("no_content", "", "stop", TOKENS),
        ("logprobs_absent", TEXT, "stop", None),
        ("logprobs_cut", TEXT, "stop", TOKENS[:3]),
        ("logprobs_misaligned", TEXT, "stop", [" else"] * 6),
        ("cut_off", 'It is "', "max_tokens", TOKENS[:3]),
    ],
)
def test_these_come_back_as_outputs(
    kind: Kind, text: str, reason: str, listed: list[str] | None
) -> None:
    output, server = met(kind)
    assert (output.completion, output.stop_reason) == (text, reason)
    assert tokens(output) == listed
    assert server.counts == {kind: 1}


def test_no_choice_comes_back_as_an_output_without_choices() -> None:
    output, server = met("empty_choice")
    assert output.choices == []
    assert server.counts == {"empty_choice": 1}


def test_faults_come_together() -> None:
    with WireServer(brain) as server:
        server.fault("slow", delay=0.01)
        server.fault("server_error", times=1)
        server.fault("logprobs_absent")
        output = anyio.run(asking(wire_model(server)))
    assert tokens(output) is None
    assert server.counts == {"slow": 2, "server_error": 1, "logprobs_absent": 2}
    assert [exchange.status for exchange in server.exchanges] == [500, 200]
