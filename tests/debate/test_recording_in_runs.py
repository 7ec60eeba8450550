"""The record of a debate that runs in an evaluation."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.event import StoreEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.solver import TaskState

from inspect_debate.debate.calls import Form, Reading, Request, TurnDescription, ask
from inspect_debate.debate.participants import model_for
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import Parsed, Participant, Turn
from inspect_debate.debate.recording import recording
from tests.support.made import WHAT, Step, answer, description, question, step_task
from tests.support.models import calls_of, scripted
from tests.support.runs import record, run, samples

FORM = Form(lambda text: Reading(text, {"answer": Parsed.ok(text)}), "answer", "?")


async def call(model: Model, participant: str = "debater_a") -> Turn:
    return await ask(
        Request(
            model=model,
            role="debater_a",
            config=GenerateConfig(),
            messages=[ChatMessageUser(content="Q")],
            description=description(participant),
            form=FORM,
        )
    )


def one(log: EvalLog) -> EvalSample:
    (sample,) = samples(log)
    return sample


def written_once(sample: EvalSample) -> bool:
    """Whether the record was written in one go.

    Inspect reports a change of the store once in each span around it: two here, the
    solver's and the one of all solvers.
    """
    stores = [event for event in sample.events if isinstance(event, StoreEvent)]
    changes = [[(c.op, c.path) for c in event.changes] for event in stores]
    spans = {event.span_id for event in stores}
    once = [("add", "/Debate:text")]
    return changes == [once, once] and len(spans) == 2


def test_a_debate_that_is_held_to_its_end(tmp_path: Path) -> None:
    alice = Participant(id="debater_a", role="debater_a", name="Alice", model="m")

    async def step(state: TaskState) -> None:
        async with recording(state, reused_from="run-1", **WHAT) as debate:
            debate.participants = [alice]
            debate.turns.append(answer("debater_b", reused=True))
            model = model_for("debater_a")
            (first,) = await debate.together(call(model))
            assert debate.turns[-1] == first
            both = await debate.together(call(model), call(model, "debater_b"))
            assert [turn.participant for turn in both] == ["debater_a", "debater_b"]
            debate.warn("beware")
            debate.skip_reason = "it was a test"

    sample = one(run(step_task(step), tmp_path, scripted()))
    kept = record(sample)
    assert kept.complete
    assert kept.ended_by is None
    assert [turn.participant for turn in kept.turns] == [
        "debater_b",
        "debater_a",
        "debater_a",
        "debater_b",
    ]
    assert [turn.reused for turn in kept.turns] == [True, False, False, False]
    assert kept.participants == (alice,)
    assert (kept.study, kept.protocol, kept.parameters) == (
        "colmad",
        "colmad",
        {"rounds": 2},
    )
    assert (kept.seed, kept.epoch, kept.question) == (3, 1, question().fingerprint)
    assert kept.choices == ("error", "no_error")
    assert kept.prompts == load_prompts("colmad").used()
    assert kept.reused_from == "run-1"
    assert kept.warnings == ("beware",)
    assert kept.skip_reason == "it was a test"
    assert not kept.debated
    assert written_once(sample)


def stopped(step: Step, tmp_path: Path, model: Model, **limits: Any) -> EvalSample:
    log = run(step_task(step), tmp_path, model, success=False, **limits)
    sample = one(log)
    assert written_once(sample)
    kept = record(sample)
    assert not kept.complete
    return sample


async def three_turns(state: TaskState) -> None:
    async with recording(state, **WHAT) as debate:
        for _ in range(3):
            await debate.together(call(model_for("debater_a")))


def test_a_limit(tmp_path: Path) -> None:
    model = scripted()
    sample = stopped(three_turns, tmp_path, model, token_limit=20)
    assert sample.limit is not None
    assert record(sample).ended_by == "the token limit of 20"
    assert len(record(sample).turns) == 1
    assert len(calls_of(model)) == 2


def test_an_error(tmp_path: Path) -> None:
    left = iter(["fine"])

    def reply(messages: list[ChatMessage], description: TurnDescription | None) -> str:
        for text in left:
            return text
        raise RuntimeError("down: SECRET key")

    sample = stopped(three_turns, tmp_path, scripted(reply))
    assert sample.error is not None
    assert record(sample).ended_by == "an error: RuntimeError"
    assert [turn.public for turn in record(sample).turns] == ["fine"]


def test_a_time_limit_cancels(tmp_path: Path) -> None:
    async def reply(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str:
        if len(calls_of(model)) > 1:
            await anyio.sleep(60)
        return "fine"

    model = scripted(reply)
    sample = stopped(three_turns, tmp_path, model, time_limit=1)
    assert sample.limit is not None
    assert sample.limit.type == "time"
    assert record(sample).ended_by == "a time limit, or the run was cancelled"
    assert [turn.public for turn in record(sample).turns] == ["fine"]


def down() -> ModelOutput:
    raise RuntimeError("down")


@pytest.mark.parametrize(
    ("fail", "said", "calls"),
    [
        (down, "down", 3),
        # A reply that is none is asked for again, three times.
        (lambda: ModelOutput(model="x"), "scripted/x returned no completion", 6),
    ],
    ids=["error", "no completion"],
)
def test_siblings_of_a_call_that_fails_are_kept(
    fail: Callable[[], ModelOutput], said: str, calls: int, tmp_path: Path
) -> None:
    async def reply(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.participant == "debater_b":
            return fail()
        await anyio.sleep(0.02)
        return description.participant

    async def step(state: TaskState) -> None:
        async with recording(state, **WHAT) as debate:
            model = model_for("debater_a")
            names = ("debater_a", "debater_b", "debater_c")
            await debate.together(*(call(model, name) for name in names))

    model = scripted(reply)
    sample = stopped(step, tmp_path, model)
    assert sample.error is not None
    assert said in sample.error.message
    assert [turn.public for turn in record(sample).turns] == ["debater_a", "debater_c"]
    assert record(sample).ended_by == "an error: RuntimeError"
    assert len(calls_of(model)) == calls


def test_warnings_are_logged_once_in_a_run_and_kept_in_every_record(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def step(state: TaskState) -> None:
        async with recording(state, **WHAT) as debate:
            debate.warn("one model sits in two seats")

    for _ in range(2):
        log = run(step_task(step), tmp_path, scripted(), epochs=3)
        warned = [record(sample).warnings for sample in samples(log)]
        assert warned == [("one model sits in two seats",)] * 3
    assert caplog.text.count("one model sits in two seats") == 2
