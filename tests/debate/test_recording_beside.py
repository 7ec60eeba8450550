"""Calls that run beside a debate, whose turns are recorded where it stood."""

from collections.abc import Awaitable, Callable

import anyio
import pytest
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.record import Turn, read_record
from inspect_debate.debate.recording import Recorder, recording
from tests.debate.test_recording import fails, said, state
from tests.support.made import WHAT, answer, speech, verdict

LIMIT = LimitExceededError("token", value=30, limit=20)
FIRST, SECOND, THIRD = (speech("debater_a", round) for round in (1, 2, 3))
AFTER_FIRST, ALSO, AFTER_SECOND = (verdict(judge=f"judge_{n}") for n in (1, 2, 3))


async def when(event: anyio.Event, turn: Turn) -> Turn:
    await event.wait()
    return turn


def test_turns_stand_where_their_calls_were_started() -> None:
    recorder = Recorder()

    async def main() -> None:
        last = anyio.Event()
        async with recorder.background() as start:
            await recorder.together(said(FIRST))
            # Two calls at one place: the first of them ends last of all.
            start(when(last, AFTER_FIRST), said(ALSO))
            await recorder.together(said(SECOND))
            start(said(AFTER_SECOND))
            await recorder.together(said(THIRD))
            await anyio.wait_all_tasks_blocked()
            assert recorder.turns == [FIRST, SECOND, THIRD], "only what the debate has"
            last.set()

    anyio.run(main)
    assert recorder.turns == [
        FIRST,
        AFTER_FIRST,
        ALSO,
        SECOND,
        AFTER_SECOND,
        THIRD,
    ]


@pytest.mark.parametrize("reverse", [True, False])
def test_calls_started_apart_at_one_place_keep_their_order(reverse: bool) -> None:
    recorder = Recorder(turns=[FIRST])
    judges = [AFTER_FIRST, ALSO, AFTER_SECOND]

    async def main() -> None:
        ended = [anyio.Event() for _ in judges]
        async with recorder.background() as start:
            for event, turn in zip(ended, judges, strict=True):
                start(when(event, turn))
            for event in ended[::-1] if reverse else ended:
                event.set()
                await anyio.wait_all_tasks_blocked()

    anyio.run(main)
    assert recorder.turns == [FIRST, *judges]


def test_nothing_beside_is_nothing() -> None:
    recorder = Recorder()

    async def main() -> None:
        async with recorder.background() as start:
            start()
            await recorder.together(said(FIRST))

    anyio.run(main)
    assert recorder.turns == [FIRST]


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
            await recorder.together(said(FIRST))
            start(*(fails(error) for error in beside), when(end, AFTER_FIRST))
            await anyio.wait_all_tasks_blocked()
            await recorder.together(said(SECOND))
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


def test_of_errors_beside_the_first_in_order_is_raised() -> None:
    async def main() -> None:
        gone = anyio.Event()

        async def later() -> Turn:
            await gone.wait()
            raise ValueError("first")

        async def sooner() -> Turn:
            gone.set()
            raise KeyError("second")

        async with Recorder().background() as start:
            start(later(), sooner())

    with pytest.raises(ValueError, match="first"):
        anyio.run(main)


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
            await debate.together(said(FIRST))
            start(said(AFTER_FIRST), when(anyio.Event(), ALSO))
            await debate.together(said(SECOND))
            start(said(AFTER_SECOND))
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            await debate.together(said(THIRD))

    assert cut_off(hold).turns == [FIRST, AFTER_FIRST, SECOND, AFTER_SECOND]


def test_a_debate_that_only_waits_for_calls_can_be_cancelled() -> None:
    async def hold(debate: Recorder, scope: anyio.CancelScope) -> None:
        async def cancels() -> Turn:
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            return ALSO

        async with debate.background() as start:
            await debate.together(said(FIRST))
            start(said(AFTER_FIRST), when(anyio.Event(), AFTER_SECOND), cancels())

    kept = cut_off(hold).turns
    assert kept[:2] == [FIRST, AFTER_FIRST]
    assert AFTER_SECOND not in kept


def test_an_error_beside_ends_the_recording_with_its_reason() -> None:
    sample = state()

    async def main() -> None:
        async with recording(sample, **WHAT) as debate, debate.background() as start:
            await debate.together(said(answer("debater_a")))
            start(fails(LIMIT), said(AFTER_FIRST))

    with pytest.raises(LimitExceededError):
        anyio.run(main)
    kept = read_record(sample.store)
    assert kept is not None
    assert kept.ended_by == "the token limit of 20"
    assert kept.turns == (answer("debater_a"), AFTER_FIRST)
