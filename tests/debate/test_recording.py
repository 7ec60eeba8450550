"""The record of a debate that is held by hand, without an evaluation."""

import anyio
import pytest
from inspect_ai.model import ModelName
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.record import Turn, read_record
from inspect_debate.debate.recording import Recorder, recording
from tests.support.made import WHAT, answer, speech


def state() -> TaskState:
    return TaskState(
        model=ModelName("scripted/x"), sample_id="item", epoch=1, input="", messages=[]
    )


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


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interruption_is_no_end(error: type[BaseException]) -> None:
    sample = state()

    async def interrupted() -> None:
        async with recording(sample, **WHAT) as debate:
            await debate.together(said(answer("debater_a")))
            raise error

    async def main() -> None:
        with pytest.raises(error):
            await interrupted()

    anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert (kept.complete, kept.ended_by) == (False, "an interruption")
    assert kept.turns == (answer("debater_a"),)


def test_nothing_is_written_before_the_end() -> None:
    sample = state()

    async def main() -> None:
        async with recording(sample, **WHAT) as debate:
            await debate.together(said(answer("debater_a")))
            assert list(sample.store.keys()) == []

    anyio.run(main)
    assert read_record(sample.store) is not None
