"""Runs of SR-DCR over a wire on which things go wrong."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from inspect_debate.debate.settings import refuses
from inspect_debate.evals.srdcr import srdcr
from tests.support.clash_reader import clash_brain
from tests.support.clash_texts import question_of
from tests.support.clash_world import World
from tests.support.runs import run, samples, values
from tests.support.wire.client import wire_model
from tests.support.wire.faults import Kind, When, seeded
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

ITEMS = 8
SCORES = dict[str, dict[str, float | None]]


@contextmanager
def serving(**parameters: Any) -> Iterator[tuple[WireServer, World, Any]]:
    """A short debate about each of four questions, and who answers."""
    settings = {"rounds": 1, "consistency_samples": 4, **parameters}
    task = srdcr(source="sample", questions=ITEMS // 2, **settings)
    world = World.of(task.dataset)
    with WireServer(clash_brain(world.reader)) as server:
        yield server, world, task
    assert server.rejected == []


def told(log: EvalLog, scorer: str = "clash") -> SCORES:
    """The values of all items by their ids, None where there is none."""
    return {
        str(sample.id): {
            name: None if math.isnan(value) else value
            for name, value in values(sample, scorer).items()
        }
        for sample in samples(log)
    }


def total(scores: SCORES, name: str) -> float:
    return sum(values[name] or 0 for values in scores.values())


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> SCORES:
    """What comes out where nothing goes wrong."""
    with serving() as (server, _, task):
        log = run(task, tmp_path_factory.mktemp("clean"), model=wire_model(server))
    assert server.counts == {"answered": 5 * ITEMS}
    scores = told(log)
    outcomes = {(v["strict_srdcr"], v["answered_srdcr"]) for v in scores.values()}
    assert outcomes == {(1, 1), (0, 1), (0, 0)}
    return scores


PASSING: tuple[Kind, ...] = ("rate_limit", "server_error", "dropped", "error_page")


@pytest.mark.slow
def test_what_passes_leaves_no_trace(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, _, task):
        for number, kind in enumerate((*PASSING, "slow")):
            server.fault(kind, when=seeded(0.15, seed=number), delay=0.01)
        log = run(task, tmp_path, model=wire_model(server, max_retries=20))
    assert told(log) == clean
    met = server.counts
    assert all(met[kind] > 0 for kind in (*PASSING, "slow"))
    answered = [e for e in server.exchanges if not {*e.faults} & {*PASSING}]
    assert len(answered) == 5 * ITEMS


def test_a_broken_reply_is_asked_for_again_and_counted(
    clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, _, task):
        server.fault("malformed", times=1)
        server.fault(
            "empty_choice", when=lambda r: "You are the Critic" in r.prompt, times=1
        )
        log = run(task, tmp_path, model=wire_model(server))
    met, scores = server.counts, told(log)
    assert (met["malformed"], met["empty_choice"]) == (1, 1)
    assert total(scores, "calls") == len(server.requests) == 5 * ITEMS + 2
    assert without_calls(scores) == without_calls(clean)
    assert not any(s.error_retries for s in samples(log))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["malformed", "empty_choice"])
def test_what_ends_a_sample_is_made_good_by_another_attempt(
    kind: Kind, clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, _, task):
        first = asks_about(str(task.dataset[0].input))
        server.fault(kind, when=lambda r: first(r) and asks_first(r), times=4)
        log = run(
            task, tmp_path, model=wire_model(server), retry_on_error=3, max_samples=1
        )
    assert without_calls(told(log)) == without_calls(clean)
    assert server.counts[kind] == 4


def without_calls(scores: SCORES) -> SCORES:
    return {id: value | {"calls": 0} for id, value in scores.items()}


def first_asks(request: ChatRequest) -> bool:
    """All but those after a reminder of the form."""
    last = request.messages[-1].text
    return "could not be read" not in last and "was empty" not in last


@pytest.mark.slow
def test_what_has_no_content_is_asked_again(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, _, task):
        server.fault("no_content", when=first_asks)
        log = run(task, tmp_path, model=wire_model(server))
    twice = {id: v | {"calls": 10, "tokens": 0} for id, v in clean.items()}
    assert {id: v | {"tokens": 0} for id, v in told(log).items()} == twice
    assert server.counts == {"no_content": 5 * ITEMS, "answered": 5 * ITEMS}


def asks_judge(request: ChatRequest) -> bool:
    return "You judge a debate" in request.prompt


def asks_about(question: str) -> When:
    return lambda request: question_of(request.prompt) == question


def asks_first(request: ChatRequest) -> bool:
    return "Answer the last of these questions" in request.prompt


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "when", "counted", "calls"),
    [
        ("no_content", asks_first, "answers_unparsed", 4),
        ("cut_off", asks_first, "answers_truncated", 2),
        ("no_content", asks_judge, "verdicts_unparsed", 6),
        ("cut_off", asks_judge, "verdicts_truncated", 5),
    ],
)
def test_what_stays_unreadable_is_counted_and_not_scored(
    clean: SCORES, tmp_path: Path, kind: Kind, when: When, counted: str, calls: int
) -> None:
    with serving() as (server, _, task):
        server.fault(kind, when=when)
        scores = told(run(task, tmp_path, model=wire_model(server)))
    assert len(scores) == ITEMS
    assert total(scores, counted) == ITEMS * (2 if when is asks_first else 1)
    assert total(scores, "calls") == len(server.requests) == ITEMS * calls
    for id, value in scores.items():
        assert value["strict_srdcr"] is value["answered_srdcr"] is None
        few_shot = None if when is asks_first else clean[id]["strict_few_shot"]
        assert value["strict_few_shot"] == few_shot


LISTS: tuple[Kind, ...] = (
    "logprobs_absent",
    "logprobs_cut",
    "logprobs_misaligned",
)


def test_each_list_of_tokens_that_is_no_good_is_made_up_for(
    clean: SCORES, tmp_path: Path
) -> None:
    """One question each, and the fourth has its tokens.

    One sample after the other: the two about a question draw answers with one prompt.
    """
    with serving() as (server, world, task):
        questions = list(dict.fromkeys(str(s.input) for s in world.samples))
        for kind, question in zip(LISTS, questions, strict=False):
            server.fault(kind, when=asks_about(question))
        log = run(task, tmp_path, model=wire_model(server), max_samples=1)
    sure = told(log, "self_confidence")
    statuses = [*(kind.removeprefix("logprobs_") for kind in LISTS), "ok"]
    for sample in world.samples:
        number = questions.index(str(sample.input))
        value, made_up = sure[str(sample.id)], number < 3
        assert value[f"tokens_{statuses[number]}"] == 1
        assert (value["source"], value["draws"]) == ((2, 4) if made_up else (1, 0))
        assert (value["confidence_logprobs"] is None) == made_up
    scores = told(log)
    assert total(scores, "calls") == len(server.requests) == 5 * ITEMS + 4 * 6
    for id, value in scores.items():
        for name in ("strict_srdcr", "answered_srdcr", "strict_few_shot"):
            assert value[name] == clean[id][name]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["logprobs_absent", "logprobs_refused"])
def test_without_log_probabilities_it_falls_back_and_says_so(
    kind: Kind, clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, _, task):
        server.fault(kind, when=lambda request: request.logprobs)
        model = wire_model(server, f"fallback-{kind}")
        log = run(task, tmp_path, model=model, max_samples=1)
    scores, sure = told(log), told(log, "self_confidence")
    status = kind.removeprefix("logprobs_")
    for sample in samples(log):
        assert sample.scores is not None
        why = f"as its log-probabilities are {status}"
        assert why in str(sample.scores["self_confidence"].explanation)
        value = sure[str(sample.id)]
        assert (value["source"], value[f"tokens_{status}"]) == (2, 1)
        assert value["confidence"] != value["confidence_logprobs"] is None
        for name in ("strict_srdcr", "answered_srdcr"):
            assert scores[str(sample.id)][name] == clean[str(sample.id)][name]
    refused = server.counts["logprobs_refused"]
    assert total(scores, "calls") == len(server.requests) - refused == 9 * ITEMS
    drawn = [r for r in server.requests if asks_first(r) and r.temperature == 0.5]
    assert len(drawn) == 4 * ITEMS


def openai_error(message: str) -> dict[str, Any]:
    """A body in OpenAI's schema."""
    return {"error": {"message": message, "type": "invalid_request_error"}}


FORBIDDEN = {"loc": ["body", "logprobs"], "msg": "Extra inputs", "type": "extra"}
REJECTIONS = {
    "unrecognised": (400, openai_error("Unrecognized request argument: logprobs")),
    "unknown": (400, openai_error("Unknown parameter: 'logprobs'.")),
    "unavailable": (400, openai_error("logprobs is unavailable with this engine")),
    "disabled": (400, openai_error("Log probabilities are disabled.")),
    "cannot": (400, openai_error("Cannot return logprobs with speculative decoding")),
    "not implemented": (400, openai_error("logprobs: not implemented")),
    "no reason": (400, openai_error("Bad request")),
    "no schema": (400, {"detail": "invalid"}),
    "FastAPI": (422, {"detail": [FORBIDDEN]}),
}
"""How servers refuse log-probabilities: status and body."""


@pytest.mark.slow
@pytest.mark.parametrize("how", [*REJECTIONS, "null"])
def test_log_probabilities_may_be_refused_in_any_words(
    how: str, clean: SCORES, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving() as (server, _, task):
        if how == "null":
            server.fault("logprobs_null", when=lambda request: request.logprobs)
        else:
            status, body = REJECTIONS[how]
            server.fault(
                "rejected", when=lambda r: r.logprobs, status=status, body=body
            )
        model = wire_model(server, f"words-{how.replace(' ', '-')}")
        log = run(task, tmp_path, model=model, max_samples=1)
    scores, sure = told(log), told(log, "self_confidence")
    assert len(scores) == ITEMS
    assert total(sure, "tokens_refused") == ITEMS
    for id, value in scores.items():
        assert sure[id]["source"] == 2
        for name in ("strict_srdcr", "answered_srdcr"):
            assert value[name] == clean[id][name]
    said = [r.message for r in caplog.records if "log-probabilities" in r.message]
    assert len(said) == 1
    assert "runs without" in said[0]


def test_a_rejection_for_another_reason_is_not_taken_for_one(tmp_path: Path) -> None:
    body = openai_error("Unknown parameter: 'user'.")
    with serving() as (server, _, task):
        server.fault("rejected", status=400, body=body)
        model = wire_model(server, "rejects-all")
        log = run(task, tmp_path, model=model, success=False, limit=1)
    assert log.error is not None
    assert "BadRequestError" in log.error.message
    assert '"logprobs": true' in log.error.message, "the first of both errors"
    asked = [request.logprobs for request in server.requests]
    assert asked.count(True) == asked.count(False) == 2
    assert not refuses(model, "logprobs")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["logprobs_absent", "logprobs_refused"])
def test_a_run_that_needs_them_ends_before_the_second_sample(
    kind: Kind, tmp_path: Path
) -> None:
    with serving(confidence_from="logprobs") as (server, _, task):
        server.fault(kind, when=lambda request: request.logprobs)
        model = wire_model(server, f"needed-{kind}")
        log = run(task, tmp_path, model=model, success=False, limit=3)
    assert log.status == "error"
    assert log.error is not None
    assert "sends no log-probabilities; give" in log.error.message
    assert "confidence_from=self_consistency" in log.error.message
    answered = len(server.requests) - server.counts["logprobs_refused"]
    assert answered == 2


def test_one_bad_list_does_not_end_a_run_that_needs_them(
    clean: SCORES, tmp_path: Path
) -> None:
    with serving(confidence_from="logprobs") as (server, world, task):
        spared = str(world.samples[0].input)
        server.fault("logprobs_cut", when=lambda r: question_of(r.prompt) != spared)
        log = run(task, tmp_path, model=wire_model(server), max_samples=1)
    sure, scores = told(log, "self_confidence"), told(log)
    assert total(sure, "tokens_ok") == 2
    assert total(sure, "tokens_cut") == ITEMS - 2
    assert total(scores, "calls") == len(server.requests) == 5 * ITEMS
    for id, value in scores.items():
        # Without a confidence, what the judge does not trust is not decided.
        decided = sure[id]["tokens_ok"] or value["verdict_0"]
        for name in ("strict_srdcr", "answered_srdcr"):
            assert value[name] == (clean[id][name] if decided else None)
    assert {value["strict_srdcr"] for value in scores.values()} == {0, 1, None}
