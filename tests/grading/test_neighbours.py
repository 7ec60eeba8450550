"""What runs beside a grading has no say in its result."""

import os
from typing import Any

import anyio
import pytest
from inspect_ai.util import ExecResult, SandboxEnvironment

from inspect_debate.grading.bubblewrap import BubblewrapSandbox, OutOfTime
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import Graded, grade_code
from inspect_debate.grading.interpreter import resolve_interpreter
from tests.grading.running import PlainBox
from tests.grading.victim import victim
from tests.support.code_runs import needs_bubblewrap

pytestmark = pytest.mark.slow

RIGHT = "def task_func():\n    return 1\n"
LATE = f"{RIGHT}# late\n"
ONE = """\
import unittest
class TestCases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(task_func(), 1)
"""


class Busy(PlainBox):
    """A sandbox in which one program runs out of time when it first comes.

    Attributes:
        had: The processor time that it had by then; None where nobody knows.
        beside: How many others ran as it was run, each time.
    """

    def __init__(self, had: float | None, late: int = 1) -> None:
        super().__init__()
        self.had, self.late = had, late
        self.running = 0
        self.beside: list[int] = []

    async def exec(self, cmd: list[str], *args: Any, **named: Any) -> ExecResult[str]:
        self.running += 1
        try:
            if b"# late" not in named["input"]:
                return await super().exec(cmd, *args, **named)
            before = self.running
            await anyio.sleep(0.2)
            self.beside.append(max(before, self.running) - 1)
            if len(self.beside) <= self.late:
                raise TimeoutError("late") if self.had is None else OutOfTime(self.had)
            return await super().exec(cmd, *args, **named)
        finally:
            self.running -= 1


def graded(box: SandboxEnvironment, *answers: str, seconds: int = 10) -> list[Graded]:
    """Answers that are graded at the same time, two of them at once."""
    found: dict[int, Graded] = {}

    async def one(number: int, answer: str) -> None:
        python = resolve_interpreter(None)
        if isinstance(box, BubblewrapSandbox):
            python = "python3"
        found[number] = await grade_code(
            box,
            victim(ONE, "def task_func():"),
            answer,
            interpreter=python,
            seconds=seconds,
            at_once=2,
        )

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number, answer in enumerate(answers):
                group.start_soon(one, number, answer)

    anyio.run(all_at_once)
    return [found[number] for number in range(len(answers))]


@pytest.mark.parametrize("had", [None, 0.0, 7.9])
def test_who_was_kept_waiting_is_graded_again_alone(had: float | None) -> None:
    box = Busy(had)
    found = graded(box, *[RIGHT] * 2, LATE, *[RIGHT] * 5)
    assert [one.status for one in found] == ["pass"] * 8
    assert len(box.beside) == 2
    assert box.beside[1] == 0, "alone, though others were waiting"


def test_who_had_the_processor_is_not_graded_again() -> None:
    box = Busy(8.1)
    first, late = graded(box, RIGHT, LATE)
    assert (first.status, late.status) == ("pass", "timeout")
    assert len(box.beside) == 1
    assert late.processor_seconds == 8.1


def test_who_is_late_alone_too_has_run_out_of_time() -> None:
    box = Busy(None, late=5)
    (late,) = graded(box, LATE)
    assert (late.status, len(box.beside)) == ("timeout", 2)
    assert late.note == "not done after 10 seconds"


SPINNER = """\
import os
def task_func():
    for _ in range(99):
        if os.fork() == 0:
            os.setsid()
            break
    while True:
        pass
"""
WORKER = """\
import time
def task_func():
    while time.process_time() < 0.5:
        pass
    return 1
"""


@needs_bubblewrap
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one processor")
def test_right_programs_beside_spinners_pass() -> None:
    box = BubblewrapSandbox(BubblewrapConfig())
    try:
        spun, *worked = graded(box, SPINNER, *[WORKER] * 3, seconds=5)
    finally:
        box._box.close()
    assert [one.status for one in worked] == ["pass"] * 3
    assert spun.status == "timeout"
    assert spun.processor_seconds > 1
