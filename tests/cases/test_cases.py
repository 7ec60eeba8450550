"""Replies, providers and files that misled other evaluations.

Most of these cases are in the tables of the readers' own tests. Here are the others,
and those in which a provider fails, by its own client and a server on this machine.
"""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import isnan
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from inspect_ai.model import get_model
from inspect_ai.scorer import match

from inspect_debate.datasets.matching import right_answer
from inspect_debate.scorers.knowledge_conflict import knowledge_conflict
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.confidence import confidence
from inspect_debate.solvers.generative import generative
from inspect_debate.solvers.rulings import read_rulings
from inspect_debate.solvers.srdcr import read_answer, srdcr
from inspect_debate.solvers.srdcr_baselines import few_shot
from tests.solvers.test_confidence import FILLER, motions, ruled, tags
from tests.solvers.test_foreign import asks, chose
from tests.solvers.test_generative import grid, grids, rulings
from tests.solvers.test_srdcr import questions
from tests.support import ROLES, Run, labelled, run, speech

# --- A server, and what goes wrong there ----------------------------------------------


FORMS = {
    "<winnerName>": ruled("P"),
    "<bet_amount>": f"{FILLER}\n{tags(70)}",
    "JSON object": rulings(),
    "REASONABLE": "Verdict: REASONABLE",
    "You are the judge": "Answer: 1",
    "<argument>": speech(),
    "Therefore, the model response": labelled("error"),
    "fenced code block": grid(),
    "<passage>": "Answer: London",
}


def said(request: dict[str, Any]) -> str:
    """A reply in the form that a prompt asks for."""
    text = "\n".join(str(message["content"]) for message in request["messages"])
    return next((FORMS[mark] for mark in FORMS if mark in text), "Answer: Paris")


Reply = tuple[int, dict[str, Any]]  # a status and a body
Behaviour = Callable[[dict[str, Any]], Reply]


def completion(text: str, usage: bool = True, thought: str = "") -> Reply:
    message = {"role": "assistant", "content": text, "reasoning_content": thought}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    used = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "model"}
    return 200, body | {"choices": [choice], "usage": used if usage else None}


def refusal(**error: str) -> Reply:
    return 400, {"error": {"type": "invalid_request_error"} | error}


class Server(NamedTuple):
    """A server of OpenAI's interface, its behaviour, and the requests that it got."""

    url: str
    behaviour: list[Behaviour]
    requests: list[dict[str, Any]]

    def held(self, where: Path, study: str, behaviour: Behaviour, **how: Any) -> Run:
        """A run in which all roles are a model of that behaviour."""
        self.behaviour[:] = [behaviour]
        self.requests.clear()
        model = get_model(
            "openai-api/loopback/model", base_url=self.url, api_key="-", memoize=False
        )
        solver, options = STUDIES[study]
        roles = ("debater_a", "judge") if study == "confidence" else ROLES
        bound = dict.fromkeys(roles, model)
        return run(where, solver, roles=bound, **options, **how)

    def reads(self, text: str) -> bool:
        """Whether a request has a text in it."""
        return any(text in json.dumps(one["messages"]) for one in self.requests)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    behaviour: list[Behaviour] = []
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            requests.append(json.loads(self.rfile.read(size)))
            status, body = behaviour[0](requests[-1])
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield Server(f"http://127.0.0.1:{serving.server_port}/v1", behaviour, requests)
        serving.shutdown()


STUDIES: dict[str, tuple[Any, dict[str, Any]]] = {
    "colmad": (colmad(skip_if_agree=False), {}),
    "srdcr": (srdcr(rounds=2, confidence_from="logprobs"), {"samples": questions()}),
    "confidence": (confidence("public", jury_passes=1), {"samples": motions()}),
    "generative": (generative(), {"samples": grids()}),
}


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("There is no more room.", {"code": "context_length_exceeded"}),
        ("Requested tokens exceed the model's maximum context length of 9 tokens.", {}),
        ("Input is too long for requested model.", {}),
    ],
)
def test_a_context_error_is_nobodys_speech(
    tmp_path: Path, server: Server, study: str, words: str, code: dict[str, str]
) -> None:
    """The window is full as soon as there is something to read of others."""

    def overflows(request: dict[str, Any]) -> Reply:
        full = any("<turn " in str(one["content"]) for one in request["messages"])
        return refusal(message=words, **code) if full else completion(said(request))

    done = server.held(tmp_path, study, overflows)
    assert done.log.status == "success"
    assert "truncated" in {turn.status for turn in done.debate.turns}
    for turn in done.debate.turns:
        assert (turn.status == "truncated") == (words in turn.error)
        assert not (turn.error and (turn.public or turn.fields))
    assert not server.reads(words)
    assert done.debate.answer is None
    assert done.debate.skip_reason


def test_a_temperature_is_refused_in_any_words(tmp_path: Path, server: Server) -> None:
    def refuses(request: dict[str, Any]) -> Reply:
        if request.get("temperature") is not None:
            return refusal(message="temperature must be strictly positive")
        return completion(said(request))

    done = server.held(tmp_path, "colmad", refuses)
    assert {turn.status for turn in done.debate.turns} == {"ok"}
    assert done.debate.of("verdict")[0].omitted == ["temperature"]


CHANNELS = "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final"
MARKS = ("[THINK]{}[/THINK]", f"{CHANNELS}<|message|>", "")


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("mark", MARKS)
def test_reasoning_in_any_marks_is_read_by_nobody(
    tmp_path: Path, server: Server, study: str, mark: str
) -> None:
    def thinks(request: dict[str, Any]) -> Reply:
        """Without marks, the provider has a field for it."""
        text = mark.format("SECRET") + said(request)
        return completion(text, thought="" if mark else "SECRET")

    done = server.held(tmp_path, study, thinks)
    assert {turn.status for turn in done.debate.turns} == {"ok"}
    assert not server.reads("SECRET")
    assert all("SECRET" in turn.private for turn in done.debate.turns)


@pytest.mark.parametrize("usage", [True, False])
def test_without_usage_tokens_are_unknown(
    tmp_path: Path, server: Server, usage: bool
) -> None:
    def answers(request: dict[str, Any]) -> Reply:
        return completion(said(request), usage)

    done = server.held(tmp_path, "srdcr", answers, scorer=knowledge_conflict())
    values = done.values("knowledge_conflict")
    assert values["calls"] > 0
    assert isnan(values["tokens"]) != usage


# --- Answers in TeX, HTML and tags ----------------------------------------------------


@pytest.mark.parametrize(
    ("written", "answer"),
    [("\\boxed{\\text{Paris}}", "Paris"), ("<b>15&nbsp;mg</b>", "15 mg")],
)
def test_decoration_makes_no_other_answer(
    tmp_path: Path, written: str, answer: str
) -> None:
    """It is no reason for a debate, and is not wrong for it."""
    both = chose(written, answer)
    done = run(tmp_path, colmad(), both, samples=[asks(answer)], scorer=match())
    assert done.kinds() == ["answer", "answer"]
    for reply in (f"Answer: {written}", f"<answer>{written}</answer>"):
        assert right_answer(read_answer(reply).fields["answer"], answer)


# --- A refusal said every time is no sure memory --------------------------------------


@pytest.mark.parametrize(
    "nothing", ["I'm sorry, but I can't help with that.", "I don't know.", "Unknown"]
)
def test_no_answer_is_no_certainty(tmp_path: Path, nothing: str) -> None:
    solver = few_shot(confidence_from="self_consistency", consistency_samples=3)
    how: Any = {"samples": questions(), "scorer": knowledge_conflict()}
    done = run(tmp_path, solver, lambda call: f"Answer: {nothing}", **how)
    values = done.values("knowledge_conflict")
    assert all(isnan(values[name]) for name in ("confidence", "correct", "prior"))
    assert {turn.status for turn in done.debate.turns} <= {"refused", "unparsed"}


# --- Rulings --------------------------------------------------------------------------

YES, NO = (
    '"verdict": "correct", "confidence": 1',
    '"verdict": "wrong", "confidence": 1',
)


@pytest.mark.parametrize("form", ['"{}\'s answer": {{{}}}', '{{"name": "{}", {}}}'])
def test_rulings_in_other_shapes(form: str) -> None:
    both = f"{form.format('Alice', YES)}, {form.format('Bob', NO)}"
    reply = f"[{both}]" if "name" in form else f"{{{both}}}"
    found = read_rulings(reply, ["Alice", "Bob"]).values()
    assert [one[:2] for one in found] == [("correct", 1), ("incorrect", 1)]
