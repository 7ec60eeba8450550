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
from inspect_debate.v1.debate.record import DebateRecord
from tests.v1.support.generative_world import (
    ALICE,
    JUDGE,
    SCORER,
    World,
    calls_of,
    roles,
    task_of,
)
from tests.v1.support.runs import record, run, samples, values
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
