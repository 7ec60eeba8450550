"""Runs with caps, over a wire, on models that cost a cent for each token they write."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelCost, ModelInfo, set_model_info

from inspect_debate.evals.generative import generative
from tests.support.generative_world import BOUND, World, calls_of, roles, task_of
from tests.support.runs import QUIET, run, samples
from tests.support.wire.replies import Brain, Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import KEY, WireServer

CENT = 0.01
PRICE = ModelCost(input=0, output=CENT * 1e6, input_cache_write=0, input_cache_read=0)
ALONE: dict[str, Any] = {"source": "sample", "protocol": "direct_qa"}
"""One call for each sample."""
DEBATES: dict[str, Any] = {"source": "sample", "rounds": 1}
MODELS = [f"openai-api/loopback/{name}" for name in BOUND.values()]
CALLS = calls_of("dual_debate", 1, rounds=1)
"""Of each of the debates."""


@cache
def the_world() -> World:
    """The shipped tasks and who solves them."""
    return World.of(generative(**ALONE).dataset)


def found_again(patch: pytest.MonkeyPatch) -> None:
    """A log tells of its models all but the key."""
    patch.setenv("LOOPBACK_API_KEY", KEY)
    patch.setenv("no_proxy", "127.0.0.1")


def set_price(model: str, cost: ModelCost | None) -> None:
    """Give a model of the server a price, or take it away."""
    set_model_info(model, ModelInfo(cost=cost))


def forget_prices() -> None:
    """No model of the server has a price any more."""
    for model in MODELS:
        set_price(model, None)


def wordy(*words: int) -> Brain:
    """Models that say so many words before an answer, by the number of the task."""

    world = the_world()

    def answer(request: ChatRequest) -> Reply:
        reply = world.brain(request)
        number = world.number(task_of(request.messages[-1].text))
        content = "word " * words[number % len(words)]
        return replace(reply, text=f"{content}\n\n{reply.text}")

    return answer


def capped(
    server: WireServer,
    log_dir: Path,
    parameters: dict[str, Any],
    main: str | Model = "none/none",
    **settings: Any,
) -> EvalLog:
    """A run that may end at a cap."""
    return run(
        generative,
        log_dir,
        main,
        roles(server),
        task_args=parameters,
        success=False,
        **settings,
    )


def spent(*logs: EvalLog) -> float:
    """Dollars that were spent, by Inspect's own count."""
    usages = [u for log in logs for u in log.stats.model_usage.values()]
    return sum(usage.total_cost or 0.0 for usage in usages)


def cost_of_samples(log: EvalLog) -> dict[tuple[Any, int], float]:
    """Dollars that each sample cost."""
    return {
        (sample.id, sample.epoch): sum(
            usage.total_cost or 0.0 for usage in sample.model_usage.values()
        )
        for sample in samples(log)
    }


def message(log: EvalLog) -> str:
    """Why a run failed."""
    assert (log.status, log.results) == ("error", None)
    assert log.error is not None
    return log.error.message


def resumed(log: EvalLog, log_dir: Path, **settings: Any) -> EvalLog:
    """The same run, started again."""
    (last,) = eval_retry(log, log_dir=str(log_dir), **QUIET | settings)
    return last


def check_asked_once(server: WireServer, calls: int) -> None:
    """Everything was asked, and nothing twice."""
    made = Counter(request.identity for request in server.requests)
    assert (len(made), {*made.values()}) == (calls, {1})
