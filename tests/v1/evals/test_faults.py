"""Runs over a wire on which things go wrong, or stay unreadable."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog

from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.debate.settings import refuses
from tests.v1.support.clash_world import World as ClashWorld
from tests.v1.support.clash_world import question_of
from tests.v1.support.generative_world import (
    ALICE,
    JUDGE,
    SCORER,
    World,
    calls_of,
    roles,
    task_of,
)
from tests.v1.support.runs import error_of, record, run, samples, score_of, values
from tests.v1.support.wire.client import wire_model
from tests.v1.support.wire.faults import Kind, When, seeded
from tests.v1.support.wire.replies import Reply
from tests.v1.support.wire.requests import ChatRequest
from tests.v1.support.wire.server import WireServer

TASKS, BEST_OF, ROUNDS = 4, 2, 1
CALLS = calls_of("dual_debate", BEST_OF, ROUNDS)
SCORES = dict[str, dict[str, float | None]]


@contextmanager
def serving(**parameters: Any) -> Iterator[tuple[WireServer, Task]]:
    """Short debates about some tasks, each speech the better of two, and who answers.

    Candidates have seeds, so that they are the same however often they are asked for.
    """
    settings: dict[str, Any] = {
        "best_of": BEST_OF,
        "rounds": ROUNDS,
        "config": {"speech": {"seed": 1}},
    }
    task = generative(source="sample", **settings | parameters)
    with WireServer(World.of(task.dataset).brain) as server:
        yield server, task
    assert server.rejected == []


def run_served(
    server: WireServer,
    task: Task,
    log_dir: Path,
    *,
    limit: int = TASKS,
    **settings: Any,
) -> EvalLog:
    """A run of some tasks, in which no sample is lost."""
    bound = roles(server, max_retries=20)
    log = run(task, log_dir, "none/none", bound, limit=limit, **settings)
    assert len(samples(log)) == limit
    return log


def values_by_item(log: EvalLog, scorer: str = "verdicts") -> SCORES:
    """The values of all items by their ids, None where there is none."""
    return {
        str(sample.id): {
            name: None if math.isnan(value) else value
            for name, value in values(sample, scorer).items()
            if name not in ("tokens", "grade_seconds")
        }
        for sample in samples(log)
    }


def total(scores: SCORES, name: str) -> float:
    """The sum of a value over all items."""
    return sum(values[name] or 0 for values in scores.values())


def without(scores: SCORES, *prefixes: str) -> SCORES:
    """All values but those whose names begin with something."""
    return {
        id: {n: v for n, v in value.items() if not n.startswith(prefixes)}
        for id, value in scores.items()
    }


def asks_answer(request: ChatRequest) -> bool:
    """Whether a proposer is asked to solve the task."""
    return request.messages[0].role == "user"


def asks_speech(request: ChatRequest) -> bool:
    """Whether somebody is asked for a speech."""
    return "You are " in request.messages[0].text


STAGES: dict[str, When] = {
    "answer": asks_answer,
    "speech": asks_speech,
    "reward": lambda request: request.model == SCORER,
    "verdict": lambda request: request.model == JUDGE,
}
"""What is asked at each stage."""
EACH = {"answer": 2, "speech": 4, "reward": 4, "verdict": 1}
"""Calls of an item at each stage."""
assert sum(EACH.values()) == CALLS


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> SCORES:
    """What comes out where nothing goes wrong."""
    with serving() as (server, task):
        log = run_served(server, task, tmp_path_factory.mktemp("clean"))
    assert server.counts == {"answered": TASKS * CALLS}
    scores = values_by_item(log)
    assert {value["verdict_correct"] for value in scores.values()} == {0, 1}
    assert {value["regime"] for value in scores.values()} == {0, 1, 2}
    return scores


# --- what passes ----------------------------------------------------------------------

PASSING: tuple[Kind, ...] = ("rate_limit", "server_error", "dropped", "error_page")


@pytest.mark.slow
def test_what_passes_leaves_no_trace(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        for number, kind in enumerate((*PASSING, "slow")):
            server.fault(kind, when=seeded(0.25, seed=number), delay=0.01)
        log = run_served(server, task, tmp_path)
    assert values_by_item(log) == clean
    for kind in (*PASSING, "slow"):
        assert server.counts[kind] > 0
    for when in STAGES.values():
        assert any(
            when(e.request) for e in server.exchanges if {*e.faults} & {*PASSING}
        )
    answered = [e for e in server.exchanges if not {*e.faults} & {*PASSING}]
    assert len(answered) == TASKS * CALLS


@pytest.mark.parametrize("kind", ["malformed", "empty_choice"])
def test_broken_replies(kind: Kind, clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        for when in STAGES.values():
            server.fault(kind, when=when, times=1)
        log = run_served(server, task, tmp_path)
    scores = values_by_item(log)
    assert server.counts[kind] == len(STAGES)
    assert len(server.requests) == TASKS * CALLS + len(STAGES)
    assert total(scores, "calls") == len(server.requests)
    assert without(scores, "calls") == without(clean, "calls")
    assert not any(sample.error_retries for sample in samples(log))


def first_asks(request: ChatRequest) -> bool:
    """All but those after a reminder of the form."""
    last = request.messages[-1].text
    return "could not be read" not in last and "was empty" not in last


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["dual_debate", "single_debate"])
def test_replies_without_content(protocol: Any, clean: SCORES, tmp_path: Path) -> None:
    with serving(protocol=protocol) as (server, task):
        server.fault("no_content", when=first_asks)
        log = run_served(server, task, tmp_path)
    calls = TASKS * calls_of(protocol, BEST_OF, ROUNDS)
    assert server.counts == {"no_content": calls, "answered": calls}
    scores = values_by_item(log)
    assert total(scores, "calls") == 2 * calls
    if protocol == "dual_debate":
        # What is asked for again is another draw.
        drawn = ("calls", "confidence", "reward_")
        assert without(scores, *drawn) == without(clean, *drawn)


# --- what ends a sample ---------------------------------------------------------------


def breaking(server: WireServer, task: Task, times: int | None = None) -> list[str]:
    """Let each stage break on a task of its own; gives their ids, stage by stage."""
    broken = list(task.dataset)[: len(STAGES)]
    for when, sample in zip(STAGES.values(), broken, strict=True):
        server.fault("malformed", when=_both(when, str(sample.input)), times=times)
    return [str(sample.id) for sample in broken]


def _both(when: When, text: str) -> When:
    return lambda request: when(request) and text in request.prompt


@pytest.mark.slow
def test_what_ends_a_sample(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        broken = breaking(server, task)
        log = run_served(server, task, tmp_path, limit=TASKS + 1, fail_on_error=False)
    (intact,) = [sample for sample in samples(log) if sample.scores]
    assert values(intact, "verdicts")["calls"] == CALLS
    lost = {str(sample.id): sample for sample in samples(log) if sample.error}
    assert {*lost} == {*broken}
    for stage, id in zip(STAGES, broken, strict=True):
        debate = record(lost[id])
        assert not debate.complete
        assert "RuntimeError" in str(debate.ended_by)
        # What was paid for is on record, and answers are graded.
        kinds = Counter(turn.kind for turn in debate.turns)
        answers = 0 if stage == "answer" else 2
        assert len(debate.grades) == kinds["answer"] == answers
        assert kinds["reward"] == EACH["reward"] * (stage == "verdict")


def test_another_attempt_makes_it_good(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        breaking(server, task, times=4)
        log = run_served(server, task, tmp_path, retry_on_error=2, max_samples=1)
    assert server.counts["malformed"] == 4 * len(STAGES)
    assert without(values_by_item(log), "calls") == without(clean, "calls")


REFUSAL = "I am sorry, but that is not something I can say."
GIBBERISH = "Well, who knows?"
UNREAD = (
    "(It is not in the form that was asked for, and stands here as it was written.)"
)


REPLIES = {
    "unparsed": Reply(GIBBERISH),
    "refused": Reply(REFUSAL, finish_reason="content_filter"),
    "truncated": Reply("Let me see. The first", finish_reason="length"),
}
"""What stays unreadable, and why."""


def of_alice(stage: str) -> When:
    """What is asked at a stage, of Alice's model alone where others are asked too."""
    shared = stage in ("answer", "speech")
    return lambda r: STAGES[stage](r) and (r.model == ALICE or not shared)


def saying(
    replies: Iterable[Reply], stage: str, server: WireServer, task: Task
) -> None:
    """Let a server give replies of its own at a stage: one to each of the tasks."""
    pairs = zip([str(sample.input) for sample in task.dataset], replies, strict=False)
    given, brain, when = dict(pairs), server.brain, of_alice(stage)

    def answer(request: ChatRequest) -> Reply:
        own = given.get(task_of(request.prompt)) if when(request) else None
        return own or brain(request)

    server.brain = answer


class Unread(NamedTuple):
    """An item of which one stage stayed unreadable, for a reason each.

    `before` are its values where everything could be read.
    """

    status: str
    value: dict[str, float | None]
    before: dict[str, float | None]
    debate: DebateRecord


def unread(stage: str, clean: SCORES, log_dir: Path) -> tuple[list[Unread], WireServer]:
    """A run in which a stage stays unreadable; every call is counted."""
    with serving() as (server, task):
        saying(REPLIES.values(), stage, server, task)
        log = run_served(server, task, log_dir)
    scores, debates = values_by_item(log), {str(s.id): record(s) for s in samples(log)}
    assert total(scores, "calls") == len(server.requests)
    ids = [str(sample.id) for sample in task.dataset[: len(REPLIES)]]
    (intact,) = {*scores} - {*ids}
    assert scores[intact] == clean[intact]
    return [
        Unread(status, scores[id], clean[id], debates[id])
        for status, id in zip(REPLIES, ids, strict=True)
    ], server


def test_unreadable_answers(clean: SCORES, tmp_path: Path) -> None:
    found, server = unread("answer", clean, tmp_path)
    for status, value, before, debate in found:
        assert value[f"answers_{status}"] == value["grades_unparsed"] == 1
        assert value["calls"] == CALLS + (status == "unparsed")
        assert (value["right_a"], value["parsed_a"], value["endorsed_a"]) == (0, 0, 0)
        assert (value["right_b"], value["parsed_b"]) == (before["right_b"], 1)
        assert value["regime"] == value["right_b"]
        assert (value["verdict_ok"], value["answers_identical"]) == (1, 0)
        assert value["verdict_correct"] == (value["right_b"] == value["endorsed_b"])
        shown = debate.of_kind("answer")[0].public
        assert shown == REPLIES[status].text
        block = f'{UNREAD}\n\n<answer by="Alice">\n{shown}\n</answer>'
        prompts = "".join(request.prompt for request in server.requests)
        headings = ("Your answer:", "The answer of Alice:")
        times = [prompts.count(f"{heading} {block}") for heading in headings]
        own = EACH["speech"] // 2  # Alice's candidates
        assert times == [own, CALLS - EACH["answer"] - own]


def test_unreadable_speeches(clean: SCORES, tmp_path: Path) -> None:
    for status, value, before, _ in unread("speech", clean, tmp_path)[0]:
        if status != "unparsed":  # no text is unreadable as a speech
            assert value[f"speeches_{status}"] == EACH["speech"] / 2
        assert value["calls"] == CALLS
        assert value["verdicts_ok"] == 1
        for name in ("regime", "n_wrong", "n_right", "verdict_ok"):
            assert value[name] == before[name]


def test_unreadable_rewards(clean: SCORES, tmp_path: Path) -> None:
    for status, value, before, debate in unread("reward", clean, tmp_path)[0]:
        assert value[f"rewards_{status}"] == EACH["reward"]
        assert value["calls"] == CALLS + EACH["reward"] * (status == "unparsed")
        assert value["reward_chosen"] is value["reward_mean"] is None
        assert {speech.draw for speech in debate.of_kind("speech")} == {1}
        # The verdict does not hang on which of the candidates is chosen.
        assert value["verdict_correct"] == before["verdict_correct"]


def test_unreadable_verdicts(clean: SCORES, tmp_path: Path) -> None:
    for status, value, before, _ in unread("verdict", clean, tmp_path)[0]:
        assert value[f"verdicts_{status}"] == 1
        assert value["calls"] == CALLS + (status == "unparsed")
        assert (value["verdict_ok"], value["verdict_correct_strict"]) == (0, 0)
        undecided = ("correct", "verdict_correct", "verdict_correct_mean")
        counts = ("fp", "fn", "n_wrong", "n_right", "wrong_round", "right_round")
        for name in (*undecided, *counts, "endorsed_a", "endorsed_b", "verdict_class"):
            assert value[name] is None
        for name in ("regime", "right_a", "right_b"):
            assert value[name] == before[name]


def test_half_a_verdict(clean: SCORES, tmp_path: Path) -> None:
    half = Reply('```json\n{"Alice": {"verdict": "correct", "confidence": 0.9}}\n```')
    sure = '{"verdict": "correct", "confidence": 95}'
    percents = Reply(f'```json\n{{"Alice": {sure}, "Bob": {sure}}}\n```')
    with serving() as (server, task):
        saying([half, percents, half, percents], "verdict", server, task)
        scores = values_by_item(run_served(server, task, tmp_path))
    ids = [str(sample.id) for sample in task.dataset[:TASKS]]
    for id in ids[::2]:
        value = scores[id]
        assert (value["verdicts_unparsed"], value["calls"]) == (1, CALLS + 1)
        assert (value["endorsed_a"], value["endorsed_b"]) == (1, None)
        for name in ("verdict_correct", "verdict_class", "fp", "n_wrong", "n_right"):
            assert value[name] is None
    # A confidence out of range does not touch the verdict.
    for id in ids[1::2]:
        value = scores[id]
        assert (value["verdict_class"], value["confidence_a"]) == (3, None)
        assert (value["calls"], value["fp"]) == (CALLS, value["n_wrong"])


def test_answers_before_a_cut(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        brain, when = server.brain, of_alice("answer")

        def longer(request: ChatRequest) -> Reply:
            reply = brain(request)
            more = replace(reply, text=f"{reply.text}\nSo", finish_reason="length")
            return more if when(request) else reply

        server.brain = longer
        assert values_by_item(run_served(server, task, tmp_path)) == clean


ITEMS = 8


@contextmanager
def serving_srdcr(**parameters: Any) -> Iterator[tuple[WireServer, ClashWorld, Any]]:
    """A short debate about each of four questions, and who answers."""
    settings = {"rounds": 1, "consistency_samples": 4, **parameters}
    task = srdcr(source="sample", questions=ITEMS // 2, **settings)
    world = ClashWorld.of(task.dataset)
    with WireServer(world.brain) as server:
        yield server, world, task
    assert server.rejected == []


def told_srdcr(log: EvalLog, scorer: str = "clash") -> SCORES:
    return values_by_item(log, scorer)


@pytest.fixture(scope="module")
def clean_srdcr(tmp_path_factory: pytest.TempPathFactory) -> SCORES:
    """What comes out where nothing goes wrong."""
    with serving_srdcr() as (server, _, task):
        log = run(task, tmp_path_factory.mktemp("clean"), wire_model(server))
    assert server.counts == {"answered": 5 * ITEMS}
    scores = told_srdcr(log)
    outcomes = {(v["strict_srdcr"], v["answered_srdcr"]) for v in scores.values()}
    assert outcomes == {(1, 1), (0, 1), (0, 0)}
    return scores


@pytest.mark.slow
def test_passing_faults_of_srdcr(clean_srdcr: SCORES, tmp_path: Path) -> None:
    with serving_srdcr() as (server, _, task):
        for number, kind in enumerate((*PASSING, "slow")):
            server.fault(kind, when=seeded(0.15, seed=number), delay=0.01)
        log = run(task, tmp_path, wire_model(server, max_retries=20))
    assert told_srdcr(log) == clean_srdcr
    met = server.counts
    assert all(met[kind] > 0 for kind in (*PASSING, "slow"))
    answered = [e for e in server.exchanges if not {*e.faults} & {*PASSING}]
    assert len(answered) == 5 * ITEMS


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
    clean_srdcr: SCORES,
    tmp_path: Path,
    kind: Kind,
    when: When,
    counted: str,
    calls: int,
) -> None:
    with serving_srdcr() as (server, _, task):
        server.fault(kind, when=when)
        scores = told_srdcr(run(task, tmp_path, wire_model(server)))
    assert len(scores) == ITEMS
    assert total(scores, counted) == ITEMS * (2 if when is asks_first else 1)
    assert total(scores, "calls") == len(server.requests) == ITEMS * calls
    for id, value in scores.items():
        assert value["strict_srdcr"] is value["answered_srdcr"] is None
        few_shot = None if when is asks_first else clean_srdcr[id]["strict_few_shot"]
        assert value["strict_few_shot"] == few_shot


LISTS: tuple[Kind, ...] = ("logprobs_absent", "logprobs_cut", "logprobs_misaligned")


def test_bad_lists_of_tokens(clean_srdcr: SCORES, tmp_path: Path) -> None:
    """One question each, and the fourth has its tokens.

    One sample after the other: the two about a question draw answers with one prompt.
    """
    with serving_srdcr() as (server, world, task):
        questions = list(dict.fromkeys(str(s.input) for s in world.samples))
        for kind, question in zip(LISTS, questions, strict=False):
            server.fault(kind, when=asks_about(question))
        log = run(task, tmp_path, wire_model(server), max_samples=1)
    sure = told_srdcr(log, "self_confidence")
    statuses = [*(kind.removeprefix("logprobs_") for kind in LISTS), "ok"]
    for sample in world.samples:
        number = questions.index(str(sample.input))
        value, made_up = sure[str(sample.id)], number < 3
        assert value[f"tokens_{statuses[number]}"] == 1
        assert (value["source"], value["draws"]) == ((2, 4) if made_up else (1, 0))
        assert (value["confidence_logprobs"] is None) == made_up
    scores = told_srdcr(log)
    assert total(scores, "calls") == len(server.requests) == 5 * ITEMS + 4 * 6
    for id, value in scores.items():
        for name in ("strict_srdcr", "answered_srdcr", "strict_few_shot"):
            assert value[name] == clean_srdcr[id][name]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["logprobs_absent", "logprobs_refused"])
def test_fallback(kind: Kind, clean_srdcr: SCORES, tmp_path: Path) -> None:
    with serving_srdcr() as (server, _, task):
        server.fault(kind, when=lambda request: request.logprobs)
        model = wire_model(server, f"fallback-{kind}")
        log = run(task, tmp_path, model, max_samples=1)
    scores, sure = told_srdcr(log), told_srdcr(log, "self_confidence")
    status = kind.removeprefix("logprobs_")
    for sample in samples(log):
        why = f"as its log-probabilities are {status}"
        assert why in str(score_of(sample, "self_confidence").explanation)
        value = sure[str(sample.id)]
        assert (value["source"], value[f"tokens_{status}"]) == (2, 1)
        assert value["confidence"] != value["confidence_logprobs"] is None
        for name in ("strict_srdcr", "answered_srdcr"):
            assert scores[str(sample.id)][name] == clean_srdcr[str(sample.id)][name]
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
    how: str,
    clean_srdcr: SCORES,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with serving_srdcr() as (server, _, task):
        if how == "null":
            server.fault("logprobs_null", when=lambda request: request.logprobs)
        else:
            status, body = REJECTIONS[how]
            server.fault(
                "rejected", when=lambda r: r.logprobs, status=status, body=body
            )
        model = wire_model(server, f"words-{how.replace(' ', '-')}")
        log = run(task, tmp_path, model, max_samples=1, limit=2)
    scores, sure = told_srdcr(log), told_srdcr(log, "self_confidence")
    assert len(scores) == 2
    assert total(sure, "tokens_refused") == 2
    for id, value in scores.items():
        assert sure[id]["source"] == 2
        for name in ("strict_srdcr", "answered_srdcr"):
            assert value[name] == clean_srdcr[id][name]
    content = [r.message for r in caplog.records if "log-probabilities" in r.message]
    assert len(content) == 1
    assert "runs without" in content[0]


def test_a_rejection_for_another_reason_is_not_taken_for_one(tmp_path: Path) -> None:
    body = openai_error("Unknown parameter: 'user'.")
    with serving_srdcr() as (server, _, task):
        server.fault("rejected", status=400, body=body)
        model = wire_model(server, "rejects-all")
        log = run(task, tmp_path, model, success=False, limit=1)
    assert "BadRequestError" in error_of(log)
    assert '"logprobs": true' in error_of(log), "the first of both errors"
    asked = [request.logprobs for request in server.requests]
    assert asked.count(True) == asked.count(False) == 2
    assert not refuses(model, "logprobs")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["logprobs_absent", "logprobs_refused"])
def test_log_probabilities_needed(kind: Kind, tmp_path: Path) -> None:
    with serving_srdcr(confidence_from="logprobs") as (server, _, task):
        server.fault(kind, when=lambda request: request.logprobs)
        model = wire_model(server, f"needed-{kind}")
        log = run(task, tmp_path, model, success=False, limit=3)
    assert "sends no log-probabilities; give" in error_of(log)
    assert "confidence_from=self_consistency" in error_of(log)
    answered = len(server.requests) - server.counts["logprobs_refused"]
    assert answered == 2


def test_one_bad_list_of_tokens(clean_srdcr: SCORES, tmp_path: Path) -> None:
    with serving_srdcr(confidence_from="logprobs") as (server, world, task):
        spared = str(world.samples[0].input)
        server.fault("logprobs_cut", when=lambda r: question_of(r.prompt) != spared)
        log = run(task, tmp_path, wire_model(server), max_samples=1)
    sure, scores = told_srdcr(log, "self_confidence"), told_srdcr(log)
    assert total(sure, "tokens_ok") == 2
    assert total(sure, "tokens_cut") == ITEMS - 2
    assert total(scores, "calls") == len(server.requests) == 5 * ITEMS
    for id, value in scores.items():
        # Without a confidence, what the judge does not trust is not decided.
        decided = sure[id]["tokens_ok"] or value["verdict_0"]
        for name in ("strict_srdcr", "answered_srdcr"):
            assert value[name] == (clean_srdcr[id][name] if decided else None)
    assert {value["strict_srdcr"] for value in scores.values()} == {0, 1, None}
