"""Judges' probabilities through Inspect's own client, in the forms of providers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import Model, get_model
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from inspect_debate.debate.probabilities import judged_probabilities
from inspect_debate.debate.record import DebateRecord
from inspect_debate.solvers.baselines import judge_alone
from tests.support.runs import item, records, run_solver
from tests.support.wire.hosting import Host

Token = str | Mapping[str, float]
"""A token, or with alternatives: the taken one first, each with its probability."""

ASKED: list[dict[str, Any]] = []


def _listed(token: Token, most: int) -> dict[str, Any]:
    options = {token: 1.0} if isinstance(token, str) else dict(token)
    spelt = [
        {"token": text, "logprob": math.log(p), "bytes": list(text.encode())}
        for text, p in options.items()
    ]
    return spelt[0] | {"top_logprobs": [] if isinstance(token, str) else spelt[:most]}


def _reply(tokens: Sequence[Token], asked: Mapping[str, Any]) -> dict[str, Any]:
    most = asked.get("top_logprobs", 0)
    listed = [_listed(token, most) for token in tokens]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "".join(one["token"] for one in listed),
                },
                "finish_reason": "stop",
                "logprobs": {"content": listed} if asked.get("logprobs") else None,
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


@contextmanager
def judge(
    tokens: Sequence[Token], refused: str = "", most: int = 20
) -> Iterator[Model]:
    """A judge behind Inspect's client who always replies so.

    Args:
        tokens: What it replies.
        refused: What the server says to a request for log-probabilities.
        most: How many alternatives it gives; it refuses a request for more.
    """
    ASKED.clear()

    async def chat(request: Request) -> JSONResponse:
        asked = await request.json()
        ASKED.append(asked)
        error = ""
        if refused and asked.get("logprobs"):
            error = refused
        elif asked.get("top_logprobs", 0) > most:
            error = f"Invalid value for top_logprobs: must be at most {most}"
        if error:
            body = {"error": {"message": error, "type": "invalid_request_error"}}
            return JSONResponse(body, status_code=400)
        return JSONResponse(_reply(tokens, asked))

    host = Host(
        Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"])])
    )
    host.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("no_proxy", "127.0.0.1")
            yield get_model(
                "openai-api/loopback/judge",
                base_url=f"{host.url}/v1",
                api_key="none",
                memoize=False,
                max_retries=0,
            )
    finally:
        host.stop()


def judged(model: Model, log_dir: Path, **verdict: Any) -> DebateRecord:
    config = {"verdict": {"probability": "both"} | verdict}
    solver = judge_alone(config=config)
    (record,) = records(run_solver(solver, item(), log_dir, model))
    return record


def token_channel(record: DebateRecord) -> tuple[str, str | None, dict[str, float]]:
    rows = [r for r in judged_probabilities(record) if r.channel == "token"]
    (status,), (place,) = ({r.status for r in rows}, {r.place for r in rows})
    return status, place, {r.claim: r.p for r in rows if r.p is not None}


YES: Mapping[str, float] = {" 1": 0.7, " 2": 0.3}
FORMS: dict[str, tuple[Sequence[Token], dict[str, float]]] = {
    "one token with a space": (["Answer", ":", YES], {"error": 0.7, "no_error": 0.3}),
    "a label that is split": (
        ["Ans", "wer", ":", " ", {"1": 0.7, "2": 0.2, "3": 0.1}],
        {"error": 7 / 9, "no_error": 2 / 9},
    ),
    "glued to the colon": (
        ["Answer", {": 1": 0.6, ": 2": 0.4}],
        {"error": 0.6, "no_error": 0.4},
    ),
    "several spellings": (
        ["Answer:", {" 1": 0.5, "1": 0.1, " error": 0.1, " 2": 0.3}],
        {"error": 0.7, "no_error": 0.3},
    ),
    "in markdown": (
        ["**", "Answer", ":**", {" 2": 0.8, " **": 0.1, " 1": 0.1}],
        {"error": 1 / 9, "no_error": 8 / 9},
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reasons_first", [False, True])
def test_the_forms_of_providers(form: str, reasons_first: bool, tmp_path: Path) -> None:
    tokens, expected = FORMS[form]
    stated = ["\n", "Probability", ":", " 65", "%"]
    reply = (
        ["It says 52.", "\n", *tokens, *stated] if reasons_first else [*tokens, *stated]
    )
    with judge(reply) as model:
        record = judged(model, tmp_path)
    status, place, found = token_channel(record)
    assert status == "ok"
    assert place == ("after_reasons" if reasons_first else "before_reasons")
    assert found == pytest.approx(expected)
    (verdict,) = record.of_kind("verdict")
    assert verdict.field("probability").value == 0.65
    assert [a["top_logprobs"] for a in ASKED] == [20]


def test_an_alternative_that_is_not_listed(tmp_path: Path) -> None:
    with judge(["Answer:", {" 1": 0.7, " The": 0.1}]) as model:
        assert token_channel(judged(model, tmp_path))[0] == "missing"


def test_no_alternatives_are_sent(tmp_path: Path) -> None:
    with judge(["Answer:", " 1"]) as model:
        assert token_channel(judged(model, tmp_path))[0] == "missing"


def test_a_server_that_gives_five_is_asked_for_five(
    tmp_path: Path,
) -> None:
    with judge(["Answer:", YES], most=5) as model:
        status, _, found = token_channel(judged(model, tmp_path))
    assert status == "ok"
    assert found == pytest.approx({"error": 0.7, "no_error": 0.3})
    assert [a["top_logprobs"] for a in ASKED] == [20, 5]


@pytest.mark.parametrize(
    "words",
    ["'logprobs' is not supported with this model.", "You are not allowed to."],
)
def test_log_probabilities_that_are_refused(words: str, tmp_path: Path) -> None:
    with judge(["Answer:", YES, "\nProbability: 80%"], refused=words) as model:
        record = judged(model, tmp_path)
    assert token_channel(record)[0] == "refused"
    (verdict,) = record.of_kind("verdict")
    assert verdict.field("probability").value == 0.8
    assert "logprobs" not in ASKED[-1]
    assert "top_logprobs" not in ASKED[-1]


def test_nothing_is_asked_for_by_default(tmp_path: Path) -> None:
    with judge(["Answer:", YES]) as model:
        solver = judge_alone()
        (record,) = records(run_solver(solver, item(), tmp_path, model))
    assert judged_probabilities(record) == []
    assert "logprobs" not in ASKED[-1]
    assert "Probability" not in str(ASKED[-1]["messages"])


def test_further_draws_are_a_probability_of_their_own(tmp_path: Path) -> None:
    with judge(["Answer:", YES]) as model:
        record = judged(model, tmp_path, samples=3, probability="none")
    assert [(r.channel, r.claim, r.p) for r in judged_probabilities(record)] == [
        ("sampled", "error", 1.0),
        ("sampled", "no_error", 0.0),
    ]
    assert [a["temperature"] for a in ASKED].count(1.0) == 3
    assert len(record.of_kind("verdict")) == 1
