"""Protocols on other tasks: replies that are cut off, or say nothing."""

import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, StopReason

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.baselines import single
from inspect_debate.solvers.colmad import colmad
from inspect_debate.solvers.generative_debate import generative_debate
from tests.support.generative import solvable
from tests.support.models import calls_of, scripted
from tests.support.options import answers, cast, towns
from tests.support.runs import dataset, record, records, run, samples

MANY = [f"Rome {n:02}" for n in range(40)]


@pytest.mark.parametrize("roles", [True, False])
def test_a_tasks_own_limit_ends_a_run_before_any_call(
    roles: bool, tmp_path: Path
) -> None:
    task = towns("Italy", config=GenerateConfig(max_tokens=64))
    model = scripted(lambda messages, description: "ANSWER: B")
    bound = {"debater_a": model, "debater_b": model} if roles else None
    main = "none" if roles else model
    log = run(task, tmp_path, main, bound, solver=colmad(), success=False)
    assert log.error is not None
    assert log.error.message == (
        "The task limits replies to 64 tokens (its max_tokens), and debates take "
        "several hundred, so that every reply would be cut off: type --max-tokens 4096."
    )
    assert not calls_of(model)


@pytest.mark.parametrize(
    ("limit", "config"), [(64, {"answer": {"max_tokens": 64}}), (512, {}), (None, {})]
)
def test_a_limit_that_was_set_for_the_debate_is_kept(
    limit: int | None, config: dict[str, Any], tmp_path: Path
) -> None:
    task = towns("Italy", config=GenerateConfig(max_tokens=limit))
    run(task, tmp_path, "none", cast(answers(Italy="B")), solver=single(config=config))


def cut_off(
    messages: list[ChatMessage], description: TurnDescription | None
) -> ModelOutput:
    return reply("I think that", "max_tokens")


def reply(text: str, stop: StopReason) -> ModelOutput:
    return ModelOutput.from_content("x", text, stop_reason=stop)


def test_a_run_of_which_nothing_can_be_read_ends_early(tmp_path: Path) -> None:
    model = scripted(cut_off)
    log = run(
        *(towns(*MANY), tmp_path, model),
        solver=single(),
        max_samples=2,
        success=False,
    )
    assert log.error is not None
    assert re.fullmatch(
        r"max_unparsed=0\.5 is passed: (\d+) of \1 fields that were asked for could "
        r"not be read \(\1 truncated\)\. Read the replies in the log; type "
        r"--max-tokens 4096, or give -S config\.max_unparsed=1 to go on regardless\.",
        log.error.message,
    )
    assert len(calls_of(model)) <= 22


def test_a_run_whose_samples_all_start_together_ends_too(tmp_path: Path) -> None:
    log = run(
        *(towns(*MANY), tmp_path, scripted(cut_off)),
        solver=single(),
        max_samples=40,
        success=False,
    )
    assert log.error is not None
    assert log.error.message.startswith("max_unparsed=0.5 is passed")
    held = [s for s in samples(log) if s.error and "max_unparsed" in s.error.message]
    assert held
    for sample in held:
        assert record(sample).complete, "what was paid for is in the log"
        assert sample.output.completion == "(truncated)"


TOLD = (
    "{0} of {0} fields that were asked for could not be read ({0} truncated), a larger "
    "share than 0.5: scores may count them as wrong answers. Type --max-tokens 4096. "
    "Read the replies in the log."
)


@pytest.mark.parametrize("n", [1, 6, 15])
def test_a_small_run_of_which_nothing_can_be_read_is_warned_of(
    n: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run(towns(*MANY[:n]), tmp_path, scripted(cut_off), solver=single())
    assert [r.getMessage() for r in caplog.records].count(TOLD.format(n)) == 1


@pytest.mark.parametrize(
    ("share", "cap", "warned"),
    [(0.5, 0.5, False), (0.7, 0.5, True), (0.3, 0.2, True), (1, 1, False)],
)
def test_the_warning_is_of_the_share_that_was_set(
    share: float,
    cap: float,
    warned: bool,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    solver = single(config={"max_reasks": 0, "max_unparsed": cap})
    run(towns(*MANY[:10]), tmp_path, some(share), solver=solver)
    assert (f"a larger share than {cap:g}" in caplog.text) == warned


def test_generative_debate_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    task = Task(dataset=dataset(solvable()), scorer=verdicts())
    run(task, tmp_path, scripted(cut_off), solver=generative_debate("direct_qa"))
    assert TOLD.format(1) in caplog.text


def some(share: float) -> Any:
    """A model of whose replies a share says nothing."""
    asked: list[None] = []

    def script(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        asked.append(None)
        n = len(asked)
        return "Hm." if int(n * share) > int((n - 1) * share) else "ANSWER: B"

    return scripted(script)


def test_a_model_that_is_often_unread_goes_on(tmp_path: Path) -> None:
    solver = single(config={"max_reasks": 0})
    log = run(towns(*MANY), tmp_path, some(0.4), solver=solver)
    assert len(samples(log)) == 40


@pytest.mark.slow
@pytest.mark.parametrize(("cap", "stopped"), [(0.1, True), (None, False), (1, False)])
def test_the_cap_can_be_set(cap: float | None, stopped: bool, tmp_path: Path) -> None:
    share = 0.4 if stopped else 1.0
    given: dict[str, Any] = {"config.max_unparsed": cap}
    solver = single(config={"max_reasks": 0}, **given)
    log = run(
        *(towns(*MANY), tmp_path, some(share)),
        solver=solver,
        max_samples=2,
        success=not stopped,
    )
    assert (log.error is not None) == stopped
    if log.error is not None:
        assert log.error.message.startswith("max_unparsed=0.1 is passed")


def test_what_was_paid_for_outlives_a_retry(tmp_path: Path) -> None:
    log = run(
        *(towns(*MANY), tmp_path, scripted(cut_off)),
        solver=single(),
        max_samples=40,
        retry_on_error=1,
        fail_on_error=False,
        success=False,
    )
    assert len(records(log)) == 40
    assert all(r.complete for r in records(log))
