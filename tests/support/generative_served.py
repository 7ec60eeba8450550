"""Debates over a wire on which a test lets things go wrong, and what comes out."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.log import EvalLog

from inspect_debate.evals.generative import generative
from tests.support.generative_world import JUDGE, SCORER, World, calls_of, roles
from tests.support.runs import run, samples, values
from tests.support.wire.faults import When
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer

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
