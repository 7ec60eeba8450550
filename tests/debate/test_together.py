import anyio
import pytest

from inspect_debate.debate.calls import together
from inspect_debate.debate.record import Turn
from tests.support.made import answer


async def after(seconds: float, turn: Turn | Exception, log: list[str]) -> Turn:
    try:
        await anyio.sleep(seconds)
    except anyio.get_cancelled_exc_class():
        log.append("cancelled")
        raise
    log.append("done")
    if isinstance(turn, Exception):
        raise turn
    return turn


A, B, C = (answer(f"debater_{id}", role="judge") for id in "abc")


def test_results_come_in_the_order_of_the_arguments() -> None:
    log: list[str] = []

    async def main() -> list[Turn | Exception]:
        return await together(
            after(0.03, A, log), after(0.01, B, log), after(0, C, log)
        )

    assert anyio.run(main) == [A, B, C]


def test_calls_run_at_once() -> None:
    met = anyio.Event

    async def main() -> list[Turn | Exception]:
        first, second = met(), met()

        async def meet(mine: anyio.Event, other: anyio.Event, turn: Turn) -> Turn:
            mine.set()
            await other.wait()
            return turn

        with anyio.fail_after(5):
            return await together(meet(first, second, A), meet(second, first, B))

    assert anyio.run(main) == [A, B]


def test_a_call_that_fails_neither_cancels_nor_hides_its_siblings() -> None:
    log: list[str] = []
    broken, late = RuntimeError("down"), ExceptionGroup("two", [ValueError("x")])

    async def main() -> list[Turn | Exception]:
        return await together(
            after(0, broken, log), after(0.02, B, log), after(0.03, late, log)
        )

    assert anyio.run(main) == [broken, B, late]
    assert log == ["done"] * 3


def test_nothing_together() -> None:
    assert anyio.run(together) == []


def test_a_cancellation_goes_through() -> None:
    log: list[str] = []

    async def main() -> bool:
        with anyio.move_on_after(0.02) as scope:
            await together(after(60, A, log), after(0, B, log), after(60, C, log))
            log.append("went on")
        return scope.cancelled_caught

    assert anyio.run(main)
    assert sorted(log) == ["cancelled", "cancelled", "done"]


def test_only_exceptions_are_kept_as_results() -> None:
    class Stop(BaseException):
        """What ends a program rather than a call."""

    async def stops() -> Turn:
        raise Stop

    async def main() -> None:
        await together(stops(), after(0, A, []))

    with pytest.raises(BaseExceptionGroup) as caught:
        anyio.run(main)
    assert caught.group_contains(Stop)
