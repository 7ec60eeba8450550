"""How turns are recorded: by hand, beside a debate, and in an evaluation."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.event import StoreEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelName,
    ModelOutput,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.calls import Form, Reading, Request, TurnDescription, ask
from inspect_debate.debate.participants import model_for
from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import Parsed, Participant, Turn, read_record
from inspect_debate.debate.recording import Recorder, recording
from tests.support.made import (
    WHAT,
    Step,
    answer,
    description,
    question,
    speech,
    step_task,
    verdict,
)
from tests.support.models import Messages, calls_of, scripted
from tests.support.runs import record, run, samples


def state() -> TaskState:
    return TaskState(
        model=ModelName("scripted/x"), sample_id="item", epoch=1, input="", messages=[]
    )


async def gives(turn: Turn) -> Turn:
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
        await recorder.together(*calls, gives(answer("debater_a")))

    with pytest.raises(LimitExceededError) as caught:
        anyio.run(main)
    assert caught.value is limit
    assert recorder.turns == [answer("debater_a")]


def test_a_cancellation_by_hand_keeps_the_turns_so_far() -> None:
    sample = state()

    async def main() -> bool:
        with anyio.move_on_after(0.02) as scope:
            async with recording(sample, **WHAT) as debate:
                await debate.together(gives(speech("debater_a")))
                await debate.together(gives(speech("debater_b")), fails(OSError(), 60))
        return scope.cancelled_caught

    assert anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert kept.turns == (speech("debater_a"),)
    assert kept.ended_by == "a time limit, or the run was cancelled"
    assert not kept.complete
    assert kept.debated


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interruption_is_no_end(error: type[BaseException]) -> None:
    sample = state()

    async def interrupted() -> None:
        async with recording(sample, **WHAT) as debate:
            await debate.together(gives(answer("debater_a")))
            raise error

    async def main() -> None:
        with pytest.raises(error):
            await interrupted()

    anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert (kept.complete, kept.ended_by) == (False, "an interruption")
    assert kept.turns == (answer("debater_a"),)


LIMIT = LimitExceededError("token", value=30, limit=20)
FIRST, SECOND, THIRD = (speech("debater_a", round) for round in (1, 2, 3))
AFTER_FIRST, ALSO, AFTER_SECOND = (verdict(judge=f"judge_{n}") for n in (1, 2, 3))


async def when(event: anyio.Event, turn: Turn) -> Turn:
    await event.wait()
    return turn


def test_turns_are_where_their_calls_were_started() -> None:
    recorder = Recorder()

    async def main() -> None:
        last = anyio.Event()
        async with recorder.background() as start:
            await recorder.together(gives(FIRST))
            # Two calls at one place: the first of them ends last of all.
            start(when(last, AFTER_FIRST), gives(ALSO))
            await recorder.together(gives(SECOND))
            start(gives(AFTER_SECOND))
            await recorder.together(gives(THIRD))
            await anyio.wait_all_tasks_blocked()
            assert recorder.turns == [FIRST, SECOND, THIRD], "only what the debate has"
            last.set()

    anyio.run(main)
    assert recorder.turns == [FIRST, AFTER_FIRST, ALSO, SECOND, AFTER_SECOND, THIRD]


ERRORS: dict[str, tuple[list[Exception], Exception | None, type[Exception]]] = {
    "beside": ([OSError("1")], None, OSError),
    "two beside": ([OSError("1"), ValueError("2")], None, OSError),
    "the block": ([], KeyError("block"), KeyError),
    "both": ([OSError("1")], KeyError("block"), KeyError),
    "a limit beside": ([OSError("1"), LIMIT], KeyError("block"), LimitExceededError),
    "a limit in the block": ([OSError("1")], LIMIT, LimitExceededError),
}


@pytest.mark.parametrize("where", ERRORS)
def test_an_error_ends_the_debate_when_all_calls_have_ended(where: str) -> None:
    beside, in_block, raised = ERRORS[where]
    recorder = Recorder()

    async def main() -> None:
        async with recorder.background() as start:
            end = anyio.Event()
            await recorder.together(gives(FIRST))
            start(*(fails(error) for error in beside), when(end, AFTER_FIRST))
            await anyio.wait_all_tasks_blocked()
            await recorder.together(gives(SECOND))
            start(when(end, AFTER_SECOND), sets(end, ALSO))
            if in_block is not None:
                raise in_block

    with pytest.raises(raised):
        anyio.run(main)
    # An error beside the debate does not stop it, and whatever was paid for is kept.
    assert recorder.turns == [FIRST, AFTER_FIRST, SECOND, AFTER_SECOND, ALSO]


async def sets(event: anyio.Event, turn: Turn) -> Turn:
    event.set()
    return turn


def cut_off(hold: Callable[[Recorder, anyio.CancelScope], Awaitable[None]]) -> Recorder:
    """A debate that is cancelled, in a recording that keeps what it can."""
    sample, recorders = state(), []

    async def main() -> bool:
        with anyio.CancelScope() as scope:
            async with recording(sample, **WHAT) as debate:
                recorders.append(debate)
                await hold(debate, scope)
        return scope.cancelled_caught

    assert anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert (kept.complete, kept.ended_by) == (
        False,
        "a time limit, or the run was cancelled",
    )
    assert list(kept.turns) == recorders[0].turns
    return recorders[0]


def test_a_cancelled_block_keeps_what_had_come_back() -> None:
    async def hold(debate: Recorder, scope: anyio.CancelScope) -> None:
        async with debate.background() as start:
            await debate.together(gives(FIRST))
            start(gives(AFTER_FIRST), when(anyio.Event(), ALSO))
            await debate.together(gives(SECOND))
            start(gives(AFTER_SECOND))
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            await debate.together(gives(THIRD))

    assert cut_off(hold).turns == [FIRST, AFTER_FIRST, SECOND, AFTER_SECOND]


def test_an_error_beside_ends_the_recording_with_its_reason() -> None:
    sample = state()

    async def main() -> None:
        async with recording(sample, **WHAT) as debate, debate.background() as start:
            await debate.together(gives(answer("debater_a")))
            start(fails(LIMIT), gives(AFTER_FIRST))

    with pytest.raises(LimitExceededError):
        anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert kept.ended_by == "the token limit of 20"
    assert kept.turns == (answer("debater_a"), AFTER_FIRST)


FORM = Form(
    lambda text: Reading(text, {"answer": Parsed.ok(text)}), "answer", lambda: "?"
)


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


def test_a_complete_debate(tmp_path: Path) -> None:
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

    def reply(messages: Messages, description: TurnDescription) -> str:
        for text in left:
            return text
        raise RuntimeError("down: SECRET key")

    sample = stopped(three_turns, tmp_path, scripted(reply))
    assert sample.error is not None
    assert record(sample).ended_by == "an error: RuntimeError"
    assert [turn.public for turn in record(sample).turns] == ["fine"]


def test_a_time_limit_cancels(tmp_path: Path) -> None:
    async def reply(messages: Messages, description: TurnDescription) -> str:
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


def test_warnings_once_a_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def step(state: TaskState) -> None:
        async with recording(state, **WHAT) as debate:
            debate.warn("one model has two roles")

    for _ in range(2):
        log = run(step_task(step), tmp_path, scripted(), epochs=3)
        warned = [record(sample).warnings for sample in samples(log)]
        assert warned == [("one model has two roles",)] * 3
    assert caplog.text.count("one model has two roles") == 2
