"""Runs that stop at a budget or because too much cannot be read; prices."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task, eval, eval_retry, eval_set
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelCost, ModelInfo, set_model_info

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.evals.tasks import Caps, caps, read_prices
from inspect_debate.reports.frames import scores_df
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.notices import run_notices
from tests.support.generative_world import BOUND, JUDGE, World, calls_of, roles, task_of
from tests.support.runs import QUIET, run, samples
from tests.support.wire.client import wire_model
from tests.support.wire.faults import first
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


TASKS = len(the_world().samples)


@pytest.fixture(autouse=True)
def prices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found_again(monkeypatch)
    for model in MODELS:
        set_price(model, PRICE)
    yield
    forget_prices()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "at_once"),
    [((100,), 1), ((40, 100, 20, 70, 160), 1), ((40, 100, 20, 70, 160), 4)],
    ids=["equal", "unequal", "unequal, four at once"],
)
def test_budget_of_a_run(tmp_path: Path, words: tuple[int, ...], at_once: int) -> None:
    budget = 8.0
    file = tmp_path / "prices.yaml"
    file.write_text(yaml.safe_dump({model: PRICE.model_dump() for model in MODELS}))
    with WireServer(wordy(*words)) as server:
        forget_prices()
        parameters = ALONE | {"budget_usd": budget, "prices": str(file)}
        log = capped(server, tmp_path / "a", parameters, max_samples=at_once)
        costs = cost_of_samples(log)
        assert sum(costs.values()) == pytest.approx(spent(log))
        assert abs(spent(log) - budget) < max(costs.values())
        assert len(server.requests) == len(costs) < TASKS
        assert message(log) == (
            f"budget_usd=8 is reached: ${spent(log):.4g} was spent, and another sample "
            f"may cost ${max(costs.values()):.4g}, the most that one has cost. "
            f"{len(costs)} of {TASKS} samples are done. Go on with "
            "`inspect eval-retry LOG`: it asks nothing again that is done, and has the "
            "caps of this run anew."
        )
        assert all(sample.scores for sample in samples(log))
        while log.status == "error":
            forget_prices()
            log = resumed(log, tmp_path / "a")
        assert (log.status, len(samples(log))) == ("success", TASKS)
        assert log.results is not None
        assert log.results.completed_samples == TASKS
        check_asked_once(server, TASKS)


def test_debates_under_way_are_completed(tmp_path: Path) -> None:
    with WireServer(the_world().brain) as server:
        parameters = DEBATES | {"budget_usd": 12.0}
        log = capped(server, tmp_path, parameters, limit=8, max_samples=3, epochs=2)
        assert message(log).startswith("budget_usd=12 is reached")
        done = len(samples(log))
        assert f"{done} of 16 samples are done" in message(log)
        assert 3 < done < 16
        # Of its prices the task knows nothing here.
        assert "Go on with `eval_retry` in Python, where prices are set" in message(log)
        assert len(server.requests) == done * CALLS
        assert all(sample.scores for sample in samples(log))
        assert abs(spent(log) - 12) < max(cost_of_samples(log).values())


def test_partial_runs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with WireServer(the_world().brain) as server:
        log = capped(server, tmp_path, ALONE | {"budget_usd": 5.0})
    partial = r"has status 'error' \(budget_usd=5 is reached: "
    with pytest.raises(InputError, match=partial):
        scores_df(log.location)
    scores = scores_df(log.location, allow_partial=True)
    assert len(scores) == len(samples(log)) > 0
    assert "(budget_usd=5 is reached: " in caplog.text
    (notice,) = run_notices(open_logs(log.location))
    assert "status 'error' (budget_usd=5 is reached: $" in notice.text
    assert "the most that one has cost)." in notice.text


def test_an_evaluation_set_spends_its_budget_once(tmp_path: Path) -> None:
    """Its further attempts at the task call nothing; the same set run anew goes on."""

    def attempt() -> tuple[bool, list[EvalLog]]:
        return eval_set(
            generative(**ALONE, budget_usd=12.0),
            log_dir=str(tmp_path),
            model="none/none",
            model_roles=roles(server),
            retry_attempts=2,
            **QUIET,
        )

    with WireServer(wordy(100)) as server:
        done, (log,) = copy_context().run(attempt)  # which leaves its roles bound
        assert (done, log.status) == (False, "error")
        before = len(server.requests)
        costs = cost_of_samples(read_eval_log(log.location))
        assert len(costs) == before
        assert (
            12 - max(costs.values()) < sum(costs.values()) <= 12 + max(costs.values())
        )
        while not done:
            done, (log,) = copy_context().run(attempt)
            assert len(server.requests) > before
            before = len(server.requests)
        assert log.status == "success"
        check_asked_once(server, TASKS)


def test_runs_beside_each_other_are_kept_apart(tmp_path: Path) -> None:
    """One task on two models, one of them dearer; and one without a cap."""
    cheap, dear = (BOUND[role] for role in ("debater_a", "debater_b"))
    set_price(
        f"openai-api/loopback/{dear}",
        PRICE.model_copy(update={"output": 3 * PRICE.output}),
    )
    with WireServer(wordy(100)) as server:
        models = [wire_model(server, name) for name in (cheap, dear)]
        tasks = [generative(**ALONE, budget_usd=12.0), generative(**ALONE)]
        logs = eval(tasks, model=models, log_dir=str(tmp_path), max_tasks=4, **QUIET)
    ended = {
        (log.eval.model.split("/")[-1], log.status): cost_of_samples(log)
        for log in logs
    }
    kinds = [
        (name, status) for status in ("error", "success") for name in (cheap, dear)
    ]
    assert sorted(ended) == sorted(kinds)
    for (name, status), costs in ended.items():
        if status == "success":
            assert len(costs) == TASKS
        else:
            each = max(costs.values())
            assert 12 - each < sum(costs.values()) <= 12 + each
            assert each * (3 if name == cheap else 1) > 3 * CENT * 100
    assert len(ended[cheap, "error"]) > len(ended[dear, "error"])


def test_cached_calls_are_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    with WireServer(wordy(100)) as server:
        first_run = capped(server, tmp_path / "a", ALONE, limit=10, cache=True)
        log = capped(server, tmp_path / "b", ALONE | {"budget_usd": 12.0}, cache=True)
    assert (first_run.status, log.status) == ("success", "success")
    assert log.results is not None
    assert log.results.early_stopping is not None
    found = log.results.early_stopping.metadata
    assert found["spent_usd"] == pytest.approx(spent(log))
    assert 4 * CENT * 100 < spent(log) < 12 < spent(first_run)


def test_inspects_own_limit_for_a_sample_counts_too(tmp_path: Path) -> None:
    """The call that exceeds the limit is counted, though Inspect tells of it late."""
    with WireServer(wordy(100)) as server:
        parameters = DEBATES | {"budget_usd": 9.0}
        main = wire_model(server, JUDGE)  # of which Inspect wants the price, too
        log = capped(server, tmp_path, parameters, main, cost_limit=2.0)
        assert {sample.limit.type for sample in samples(log) if sample.limit} == {
            "cost"
        }
        assert f"${spent(log):.4g} was spent" in message(log)
        assert abs(spent(log) - 9) < max(cost_of_samples(log).values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "errors",
    [{"fail_on_error": False}, {"retry_on_error": 1, "continue_on_fail": True}],
)
def test_samples_that_fail(tmp_path: Path, errors: dict[str, Any]) -> None:
    with WireServer(wordy(100)) as server:
        server.fault(
            "logprobs_refused", when=first(3)
        )  # a status that no client retries
        log = capped(
            server, tmp_path, ALONE | {"budget_usd": 30.0}, max_samples=2, **errors
        )
    failed = [sample for sample in samples(log) if sample.error]
    retried = sum(len(sample.error_retries or []) for sample in samples(log))
    assert len(failed) + retried == 3
    assert len(samples(log)) == TASKS


# --- prices --------------------------------------------------------------------------


def test_a_model_without_a_price_is_named_before_any_call(tmp_path: Path) -> None:
    logged = (
        f"budget_usd=5 needs the price of every model, and there is none of "
        f"openai-api/loopback/{JUDGE}; give it with -T prices=FILE (see "
        "docs/budget.md)."
    )
    made_before = generative(**ALONE, budget_usd=5)
    set_price(f"openai-api/loopback/{JUDGE}", None)
    with WireServer(the_world().brain) as server:
        with pytest.raises(InputError) as error:
            capped(server, tmp_path, ALONE | {"budget_usd": 5})
        assert error.value.message == logged
        log = run(made_before, tmp_path, "none/none", roles(server), success=False)
        assert message(log) == logged
        assert not server.requests


def test_simulated_models_need_no_price(tmp_path: Path) -> None:
    log = run(generative(**ALONE, budget_usd=0.01), tmp_path)
    assert log.results is not None
    assert log.results.early_stopping is not None
    assert log.results.early_stopping.metadata["spent_usd"] == 0


OFFLINE: list[Callable[..., Task]] = [
    partial(colmad, source="sample"),
    confidence,
    partial(srdcr, source="sample", questions=2),
    partial(generative, **ALONE),
]


@pytest.mark.parametrize("task", OFFLINE)
def test_every_task_takes_caps(task: Callable[..., Task]) -> None:
    assert task().early_stopping is None
    found = task(budget_usd=5, max_unparsed=1).early_stopping
    assert isinstance(found, Caps)
    assert (found.budget_usd, found.max_unparsed) == (5, 1)
    with pytest.raises(InputError, match="budget_usd=0 is not allowed"):
        task(budget_usd=0)


@pytest.fixture(autouse=True)
def models_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found_again(monkeypatch)


def garbage(request: ChatRequest) -> Reply:
    return Reply("Well, well.")


@pytest.mark.slow
def test_garbage_stops_a_run_and_a_better_model_goes_on(tmp_path: Path) -> None:
    brain: list[Brain] = [garbage]
    with WireServer(lambda request: brain[0](request)) as server:
        parameters = ALONE | {"max_unparsed": 0.1}
        log = capped(server, tmp_path, parameters, epochs=3, max_samples=2)
        done = len(samples(log))
        assert 20 <= done <= 21
        assert message(log).startswith(
            f"max_unparsed=0.1 is passed: {done} of {done} fields that were asked for "
            f"could not be read ({done} unparsed). {done} of 42 samples are done."
        )
        assert len(server.requests) == 2 * done  # each is asked for once more
        brain[0] = the_world().brain
        log = resumed(log, tmp_path)
        assert (log.status, len(samples(log))) == ("success", 42)
        assert len(server.requests) == 2 * done + 42 - done


def test_the_message_says_why_nothing_could_be_read(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> Reply:
        ends = ("length", "length", "content_filter", "stop")[request.number % 4]
        return (
            the_world().brain(request)
            if ends == "stop"
            else Reply("", finish_reason=ends)
        )

    with WireServer(answer) as server:
        parameters = ALONE | {"max_unparsed": 0.05}
        log = capped(server, tmp_path, parameters, epochs=2, max_samples=1)
    assert "15 of 20 fields that were" in message(log)
    assert "(5 refused, 10 truncated)" in message(log)


def test_one_bad_reply_at_the_start_stops_nothing(tmp_path: Path) -> None:
    with WireServer(wordy(60)) as server:
        server.fault("cut_off", when=first(1))
        log = capped(server, tmp_path, ALONE | {"max_unparsed": 0.05}, epochs=2)
    assert log.status == "success"
    assert log.results is not None
    assert log.results.early_stopping is not None
    found = log.results.early_stopping.metadata
    assert (found["fields"], found["unread"]) == (28, 1)


def test_both_caps_at_once(tmp_path: Path) -> None:
    prices = {model: PRICE.model_dump() for model in MODELS}
    parameters = ALONE | {"max_unparsed": 0.1, "budget_usd": 1.0, "prices": prices}
    with WireServer(garbage) as server:
        log = capped(server, tmp_path, parameters, epochs=2)
    forget_prices()
    assert message(log).startswith("budget_usd=1 is reached")


COST: dict[str, Any] = {
    "input": 0.15,
    "output": 0.6,
    "input_cache_write": 0,
    "input_cache_read": 0.075,
}
FILE = """
openai/gpt-4o-mini: {input: 0.15, output: 0.6, input_cache_write: 0,
                     input_cache_read: 0.075}
"""


def test_a_file_and_its_content_are_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(FILE)
    expected = {"openai/gpt-4o-mini": ModelCost(**COST)}
    assert read_prices(str(file)) == expected
    assert read_prices({"openai/gpt-4o-mini": COST}) == expected
    assert read_prices(None) == {}


def test_prices_are_for_a_budget() -> None:
    with pytest.raises(InputError, match="has no meaning without budget_usd"):
        caps(None, 0.1, {"m": COST})


def test_a_misspelled_price_is_named() -> None:
    with pytest.raises(InputError, match="Did you mean 'input_cache_read'"):
        read_prices({"m": {**COST, "input_cache_reed": 1}})
