"""The wire server by itself: what it accepts, answers and keeps."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from math import exp, log
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.wire.faults import Rule, attempts, every, first, seeded
from tests.support.wire.logprobs import BYTES, BYTES_REPLACED, STYLES, WORDS, Style
from tests.support.wire.replies import Brain, Reply, choice_of, sure_of
from tests.support.wire.requests import ChatRequest, read_request
from tests.support.wire.server import KEY, WireServer

ASKED = {"model": "m", "messages": [{"role": "user", "content": "Where is it?"}]}


def post(server: WireServer, body: Any, key: str = KEY) -> httpx.Response:
    return httpx.post(
        f"{server.url}/chat/completions",
        json=body,
        headers={"authorization": f"Bearer {key}"},
        trust_env=False,
    )


def saying(text: str) -> Brain:
    return lambda request: Reply(text)


def test_a_completion_has_the_published_shape() -> None:
    with WireServer(saying("In Paris."), served="m-2024") as server:
        response = post(server, ASKED)
    assert response.status_code == 200
    assert response.json() == {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m-2024",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "In Paris.",
                    "refusal": None,
                },
                "finish_reason": "stop",
                "logprobs": None,
            }
        ],
        # "Where", " is", " it", "?" and four for the message; "In", " Paris", ".".
        "usage": {"prompt_tokens": 8, "completion_tokens": 3, "total_tokens": 11},
    }


def test_log_probabilities_are_listed_when_they_are_asked_for() -> None:
    def brain(request: ChatRequest) -> Reply:
        return sure_of("Paris", 0.9, "In Paris.", otherwise=0.25)

    with WireServer(brain) as server:
        body = ASKED | {"logprobs": True, "top_logprobs": 2}
        choice = post(server, body).json()["choices"][0]
    content = choice["logprobs"]["content"]
    assert [item["token"] for item in content] == ["In", " Paris", "."]
    assert [item["logprob"] for item in content] == [log(0.25), log(0.9), log(0.25)]
    assert content[1]["bytes"] == list(b" Paris")
    taken, other = content[1]["top_logprobs"]
    assert taken == {k: content[1][k] for k in ("token", "logprob", "bytes")}
    assert exp(other["logprob"]) == pytest.approx(0.05)


def test_choices_are_asked_for_one_by_one() -> None:
    with WireServer(lambda request: Reply(f"No. {request.choice}")) as server:
        answered = post(server, ASKED | {"n": 3}).json()
    texts = [choice["message"]["content"] for choice in answered["choices"]]
    assert texts == ["No. 0", "No. 1", "No. 2"]
    assert [choice["index"] for choice in answered["choices"]] == [0, 1, 2]
    assert answered["usage"]["completion_tokens"] == 9
    assert len(server.requests) == 1


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
@pytest.mark.parametrize(
    ("most", "text", "reason"),
    [(1, "In", "length"), (2, "In Paris", "length"), (3, "In Paris.", "stop")],
)
def test_no_more_tokens_than_asked_for(
    limit: str, most: int, text: str, reason: str
) -> None:
    with WireServer(saying("In Paris."), WORDS.with_stop()) as server:
        answered = post(server, ASKED | {limit: most, "logprobs": True}).json()
    choice = answered["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (text, reason)
    tokens = [item["token"] for item in choice["logprobs"]["content"]]
    assert tokens == ["In", " Paris", "."][:most] + ["<|eot_id|>"] * (reason == "stop")
    assert answered["usage"]["completion_tokens"] == len(tokens)


def test_what_a_brain_reads() -> None:
    read: list[ChatRequest] = []

    def brain(request: ChatRequest) -> Reply:
        read.append(request)
        return Reply("x")

    body = {
        "model": "m",
        "messages": [
            {"role": "system", "content": "S"},
            {"role": "user", "content": [{"type": "text", "text": "U"}]},
        ],
        "temperature": 0.5,
        "max_tokens": 7,
        "seed": 3,
        "logprobs": True,
    }
    with WireServer(brain) as server:
        post(server, body)
        post(server, body)
        post(server, ASKED)
    asked = read[0]
    assert [(m.role, m.text) for m in asked.messages] == [
        ("system", "S"),
        ("user", "U"),
    ]
    assert (asked.temperature, asked.max_tokens, asked.seed) == (0.5, 7, 3)
    assert (asked.n, asked.logprobs, asked.body) == (1, True, body)
    assert asked.prompt == "S\n\nU"
    assert [(r.number, r.attempt) for r in read] == [(0, 1), (1, 2), (2, 1)]
    assert read == server.requests


@pytest.fixture(scope="module")
def strict() -> Iterator[WireServer]:
    with WireServer(saying("x")) as server:
        yield server


@pytest.mark.parametrize(
    "changes",
    [
        {"stream": True},
        {"tools": []},
        {"temprature": 0},
        {"messages": []},
        {"messages": [{"role": "tool", "content": "x"}]},
        {"messages": [{"role": "user", "content": None}]},
        {"messages": [{"role": "user", "content": "x", "name": "y"}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        {"temperature": "0"},
        {"temperature": 3},
        {"max_tokens": 0},
        {"seed": 1.5},
        {"n": 0},
        {"logprobs": 5},
        {"top_logprobs": 5},
        {"model": None},
    ],
    ids=str,
)
def test_what_it_does_not_know_is_rejected(
    strict: WireServer, changes: dict[str, Any]
) -> None:
    known = len(strict.rejected)
    response = post(strict, ASKED | changes)
    assert response.status_code == 400
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert next(iter(changes)) in response.json()["error"]["message"]
    assert strict.requests == []
    assert len(strict.rejected) == known + 1


def test_who_has_no_key_is_rejected() -> None:
    with WireServer(saying("x")) as server:
        assert post(server, ASKED, key="other").status_code == 401
    assert server.rejected == ["wrong key"]


def test_models_are_listed() -> None:
    with WireServer(saying("x"), served="m-2024") as server:
        listed = httpx.get(f"{server.url}/models", trust_env=False).json()
    assert [model["id"] for model in listed["data"]] == ["m-2024"]


def test_a_complaint_of_the_brain_comes_back_and_is_raised() -> None:
    def brain(request: ChatRequest) -> Reply:
        raise AssertionError("the prompt shows no question")

    server = WireServer(brain)
    with pytest.raises(AssertionError, match="shows no question"), server:
        response = post(server, ASKED)
    assert response.status_code == 400
    assert "shows no question" in response.json()["error"]["message"]


def test_it_is_on_loopback_only_and_gone_when_left() -> None:
    with WireServer(saying("x")) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert post(server, ASKED).status_code == 200
    with pytest.raises(httpx.ConnectError):
        post(server, ASKED)


def test_requests_under_way_are_counted() -> None:
    with WireServer(saying("x")) as server:
        server.fault("slow", delay=0.3)
        threads = [
            threading.Thread(target=post, args=(server, ASKED)) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.peak == 3
    assert server.counts == {"slow": 3}


def test_leaving_does_not_wait_for_what_is_under_way() -> None:
    answered: list[int] = []

    def ask() -> None:
        answered.append(post(server, ASKED).status_code)

    arrived = threading.Event()

    def arrives(request: ChatRequest) -> bool:
        arrived.set()
        return True

    with WireServer(saying("x")) as server:
        server.fault("slow", when=arrives, delay=60)
        thread = threading.Thread(target=ask, daemon=True)
        thread.start()
        assert arrived.wait(5)
    thread.join(5)
    assert answered == [500]


TEXTS = ['Answer: "Zürich".\n', "It is\n1966\n", "“Ōsaka” 🗼", "", "  x"]


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@settings(deadline=None)
@given(text=st.one_of(st.sampled_from(TEXTS), st.text()))
def test_no_style_loses_text(style: Style, text: str) -> None:
    assert b"".join(style.split(text)) == text.encode()


@pytest.mark.parametrize(
    ("style", "tokens"),
    [
        ("words", ["Answer", ":", ' "', "Zürich", '".', "\n"]),
        ("words and stop", ["Answer", ":", ' "', "Zürich", '".', "\n", "<|eot_id|>"]),
        ("quotes glued", ["Answer", ":", ' "Zürich".', "\n"]),
        ("newlines glued", ["Answer", ":", ' "', "Zürich", '".\n']),
        ("chunks", ["Answ", "er: ", '"Zür', 'ich"', ".\n"]),
        (
            "bytes",
            ["Answer", ":", ' "', "Z", "\\xc3", "\\xbc", "rich", '".', "\n"],
        ),
        (
            "bytes replaced",
            ["Answer", ":", ' "', "Z", "\ufffd", "\ufffd", "rich", '".', "\n"],
        ),
    ],
)
def test_the_styles(style: str, tokens: list[str]) -> None:
    with WireServer(saying(TEXTS[0]), STYLES[style]) as server:
        choice = post(server, ASKED | {"logprobs": True}).json()["choices"][0]
    content = choice["logprobs"]["content"]
    assert [item["token"] for item in content] == tokens
    if STYLES[style].has_bytes:
        said = bytes(byte for item in content for byte in item["bytes"]).decode()
        assert said.removesuffix("<|eot_id|>") == TEXTS[0]
    else:
        assert {item["bytes"] for item in content} == {None}


@pytest.mark.parametrize("style", [BYTES, BYTES_REPLACED], ids=["bytes", "replaced"])
def test_a_stretch_is_counted_in_characters(style: Style) -> None:
    reply = sure_of("Zürich", 0.9, "“Ö” or Zürich.", otherwise=0.5)
    tokens = choice_of(reply, style, None).tokens
    assert tokens is not None
    sure = [token.piece for token in tokens if token.logprob == log(0.9)]
    assert b"".join(sure).decode() == " Zürich"


def asked(text: str, number: int = 0, attempt: int = 1) -> ChatRequest:
    body = ASKED | {"messages": [{"role": "user", "content": text}]}
    return replace(
        read_request(json.dumps(body).encode()), number=number, attempt=attempt
    )


def test_when_faults_happen() -> None:
    requests = [asked(str(n), number=n, attempt=1 + n % 2) for n in range(6)]
    assert [first(2)(r) for r in requests] == [True] * 2 + [False] * 4
    assert [attempts(1)(r) for r in requests] == [True, False] * 3
    third = every(3)
    assert [third(r) for r in requests] == [False, False, True] * 2
    rule = Rule("dropped", attempts(1), times=2, delay=0, retry_after=0)
    assert [rule.meets(r) for r in requests] == [True, False, True] + [False] * 3
    assert rule.applied == 2


def test_a_seeded_share_does_not_hang_on_the_order() -> None:
    met = [seeded(0.3, seed=1)(asked(str(n), number=n)) for n in range(500)]
    again = [seeded(0.3, seed=1)(asked(str(n), number=-n)) for n in range(500)]
    other = [seeded(0.3, seed=2)(asked(str(n), number=n)) for n in range(500)]
    second = [seeded(0.3, seed=1)(asked(str(n), attempt=2)) for n in range(500)]
    assert met == again
    assert met not in (other, second)
    assert 110 < sum(met) < 190
