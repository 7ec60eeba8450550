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
    ModelName,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.core.calls import Form, Reading, Request, ask
from inspect_debate.core.cue import Cue
from inspect_debate.core.models import model_for
from inspect_debate.core.prompts import load_prompts
from inspect_debate.core.record import Parsed, Participant, Turn, read_record
from inspect_debate.core.recording import Recorder, recording
from tests.support.made import Step, answer, cue, question, speech, step_task
from tests.support.models import calls_of, scripted
from tests.support.runs import record, run, samples

PROMPTS = load_prompts("colmad")
WHAT: dict[str, Any] = {
    "study": "colmad",
    "protocol": "colmad",
    "parameters": {"rounds": 2},
    "prompts": PROMPTS,
    "question": question(epoch=1),
    "seed": 3,
}
FORM = Form(lambda text: Reading(text, {"answer": Parsed.ok(text)}), "answer", "?")


async def call(model: Model, participant: str = "debater_a") -> Turn:
    return await ask(
        Request(
            model=model,
            role="debater_a",
            config=GenerateConfig(),
            messages=[ChatMessageUser(content="Q")],
            cue=cue(participant),
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
    once = [("add", "/Debate:record")]
    return changes == [once, once] and len(spans) == 2


def state() -> TaskState:
    return TaskState(
        model=ModelName("scripted/x"), sample_id="item", epoch=1, input="", messages=[]
    )


# --- in an evaluation -------------------------------------------------------------


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
            debate.undebated_because = "it was a test"

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
    assert kept.prompts == PROMPTS.used()
    assert kept.reused_from == "run-1"
    assert kept.warnings == ("beware",)
    assert kept.undebated_because == "it was a test"
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

    def reply(messages: list[ChatMessage], cue: Cue | None) -> str:
        for text in left:
            return text
        raise RuntimeError("down: SECRET key")

    sample = stopped(three_turns, tmp_path, scripted(reply))
    assert sample.error is not None
    assert record(sample).ended_by == "an error: RuntimeError"
    assert [turn.public for turn in record(sample).turns] == ["fine"]


def test_a_time_limit_cancels(tmp_path: Path) -> None:
    async def reply(messages: list[ChatMessage], cue: Cue | None) -> str:
        if len(calls_of(model)) > 1:
            await anyio.sleep(60)
        return "fine"

    model = scripted(reply)
    sample = stopped(three_turns, tmp_path, model, time_limit=1)
    assert sample.limit is not None
    assert sample.limit.type == "time"
    assert record(sample).ended_by == "a time limit, or the run was cancelled"
    assert [turn.public for turn in record(sample).turns] == ["fine"]


def test_siblings_of_a_call_that_fails_are_kept(tmp_path: Path) -> None:
    async def reply(messages: list[ChatMessage], cue: Cue | None) -> str:
        assert cue is not None
        if cue.participant == "debater_b":
            raise RuntimeError("down")
        await anyio.sleep(0.02)
        return cue.participant

    async def step(state: TaskState) -> None:
        async with recording(state, **WHAT) as debate:
            model = model_for("debater_a")
            names = ("debater_a", "debater_b", "debater_c")
            await debate.together(*(call(model, name) for name in names))

    model = scripted(reply)
    sample = stopped(step, tmp_path, model)
    assert [turn.public for turn in record(sample).turns] == ["debater_a", "debater_c"]
    assert record(sample).ended_by == "an error: RuntimeError"
    assert len(calls_of(model)) == 3


# --- by hand ----------------------------------------------------------------------


async def said(turn: Turn) -> Turn:
    return turn


async def fails(error: Exception, seconds: float = 0) -> Turn:
    await anyio.sleep(seconds)
    raise error


@pytest.mark.parametrize("limit_first", [True, False])
def test_a_limit_goes_before_other_errors(limit_first: bool) -> None:
    limit = LimitExceededError("token", value=30, limit=20)
    errors = [RuntimeError("down"), limit, ValueError("odd")]
    recorder = Recorder()

    async def main() -> None:
        calls = [fails(error) for error in (errors[::-1] if limit_first else errors)]
        await recorder.together(*calls, said(answer("debater_a")))

    with pytest.raises(LimitExceededError) as caught:
        anyio.run(main)
    assert caught.value is limit
    assert recorder.turns == [answer("debater_a")]


def test_of_other_errors_the_first_in_order_is_raised() -> None:
    async def main() -> None:
        await Recorder().together(fails(ValueError("1"), 0.02), fails(KeyError("2")))

    with pytest.raises(ValueError, match="1"):
        anyio.run(main)


def test_a_cancellation_by_hand_keeps_the_turns_so_far() -> None:
    sample = state()

    async def main() -> bool:
        with anyio.move_on_after(0.02) as scope:
            async with recording(sample, **WHAT) as debate:
                await debate.together(said(speech("debater_a")))
                await debate.together(said(speech("debater_b")), fails(OSError(), 60))
        return scope.cancelled_caught

    assert anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert kept.turns == (speech("debater_a"),)
    assert kept.ended_by == "a time limit, or the run was cancelled"
    assert not kept.complete
    assert kept.debated


def test_a_protocol_can_say_why_it_stopped() -> None:
    sample = state()

    async def main() -> None:
        async with recording(sample, **WHAT) as debate:
            debate.ended_by = "an answer could not be read"

    anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert (kept.complete, kept.ended_by) == (False, "an answer could not be read")


def test_nothing_is_written_before_the_end() -> None:
    sample = state()

    async def main() -> None:
        async with recording(sample, **WHAT) as debate:
            await debate.together(said(answer("debater_a")))
            assert list(sample.store.keys()) == []

    anyio.run(main)
    assert read_record(sample.store) is not None


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
