"""Runs of generative debate over a wire on which things go wrong for a while."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from tests.support.generative_served import (
    BEST_OF,
    CALLS,
    EACH,
    ROUNDS,
    SCORES,
    STAGES,
    TASKS,
    held,
    serving,
    told,
    total,
    without,
)
from tests.support.generative_world import calls_of
from tests.support.runs import record, samples, values
from tests.support.wire.faults import Kind, When, seeded
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> SCORES:
    """What comes out where nothing goes wrong."""
    with serving() as (server, task):
        log = held(server, task, tmp_path_factory.mktemp("clean"))
    assert server.counts == {"answered": TASKS * CALLS}
    scores = told(log)
    assert {value["verdict_correct"] for value in scores.values()} == {0, 1}
    assert {value["regime"] for value in scores.values()} == {0, 1, 2}
    return scores


# --- what passes ----------------------------------------------------------------------

PASSING: tuple[Kind, ...] = ("rate_limit", "server_error", "dropped", "error_page")


@pytest.mark.slow
def test_what_passes_leaves_no_trace(clean: SCORES, tmp_path: Path) -> None:
    with serving() as (server, task):
        for number, kind in enumerate((*PASSING, "slow")):
            server.fault(kind, when=seeded(0.15, seed=number), delay=0.01)
        log = held(server, task, tmp_path)
    assert told(log) == clean
    for kind in (*PASSING, "slow"):
        assert server.counts[kind] > 0
    for when in STAGES.values():
        assert any(
            when(e.request) for e in server.exchanges if {*e.faults} & {*PASSING}
        )
    answered = [e for e in server.exchanges if not {*e.faults} & {*PASSING}]
    assert len(answered) == TASKS * CALLS


@pytest.mark.parametrize("kind", ["malformed", "empty_choice"])
def test_a_broken_reply_is_asked_for_again_and_counted(
    kind: Kind, clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, task):
        for when in STAGES.values():
            server.fault(kind, when=when, times=1)
        log = held(server, task, tmp_path)
    scores = told(log)
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
def test_what_has_no_content_is_asked_for_again(
    protocol: Any, clean: SCORES, tmp_path: Path
) -> None:
    with serving(protocol=protocol) as (server, task):
        server.fault("no_content", when=first_asks)
        log = held(server, task, tmp_path)
    calls = TASKS * calls_of(protocol, BEST_OF, ROUNDS)
    assert server.counts == {"no_content": calls, "answered": calls}
    scores = told(log)
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
def test_what_ends_a_sample_is_told_and_leaves_the_others_alone(
    clean: SCORES, tmp_path: Path
) -> None:
    with serving() as (server, task):
        broken = breaking(server, task)
        log = held(server, task, tmp_path, limit=TASKS + 1, fail_on_error=False)
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
        log = held(server, task, tmp_path, retry_on_error=2, max_samples=1)
    assert server.counts["malformed"] == 4 * len(STAGES)
    assert without(told(log), "calls") == without(clean, "calls")
