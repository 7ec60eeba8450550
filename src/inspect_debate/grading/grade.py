"""Grade a program by the unit tests of its task, in one of Inspect's sandboxes.

Nothing of the program runs in this process. Tests and program share a process in the
sandbox, so one that is written for it can still pass without being right; what such
programs are made of is marked (`suspicions`), and a marked pass is `suspicious`.
"""

import ast
import json
import os
import secrets
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from inspect_ai.util import LimitExceededError, SandboxEnvironment, concurrency, sandbox

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.code import Problem
from inspect_debate.grading.suspicions import suspicions

Status = Literal["pass", "fail", "timeout", "suspicious", "error"]

WALL = 3  # times the processor time, for programs that sleep or share a core
RUNNER = Path(__file__).with_name("runner.py").read_text(encoding="utf-8")
_OUT_OF_TIME = (128 + 24, -24)  # SIGXCPU, as shells and as Python give it
_LONGEST_NOTE = 500


@dataclass(frozen=True)
class Limits:
    """What a program may use.

    Attributes:
        cpu_seconds: Processor time, which unlike time by the clock does not make right
            programs wrong on a busy machine; by the clock it may take `WALL` times as
            long, which is the four minutes of BigCodeBench.
        memory_mb: The most memory that a process may reserve. Sandboxes limit what all
            processes use together.
        file_mb: The most that it may write to one file.
    """

    cpu_seconds: int = 80
    memory_mb: int = 2048
    file_mb: int = 256


@dataclass(frozen=True)
class Grade:
    """What came of a program.

    Attributes:
        status: `fail` and `timeout` are wrong answers. `suspicious` passed every test,
            but may have reached them in another way than by being right (`marks`).
            `error` means that the sandbox or the tests failed: it is no grade.
        tests: How many tests there are.
        passed: How many of them it passed.
        note: Why it did not pass.
        marks: What in it could reach its tests.
    """

    status: Status
    tests: int
    passed: int = 0
    note: str = ""
    marks: list[str] = field(default_factory=list)


async def grade(
    program: str,
    problem: Problem,
    *,
    box: SandboxEnvironment | None = None,
    limits: Limits | None = None,
) -> Grade:
    """Run the tests of a task on a program, in a fresh process.

    Where the sandbox gives no report, a program that is known to be right tells whether
    the sandbox is broken or the program breaks it.

    Args:
        program: The source of the program, such as `code.program` reads it.
        problem: The task.
        box: Where the program runs; the sample's sandbox if None. It has to have Python
            3.8 or later as `python3`.
        limits: What the program may use.
    """
    where, most = box or sandbox(), limits or Limits()
    async with concurrency("grading", os.cpu_count() or 1):  # waiting is no time
        graded, reported = await _once(program, problem, where, most)
        if not reported and (await _once(_RIGHT, _CONTROL, where, most))[1]:
            graded, reported = await _once(program, problem, where, most)
            if not reported:
                graded = replace(graded, status="fail")
        return graded


COMPOSE = Path(__file__).parent / "docker" / "compose.yaml"


def available_sandbox() -> tuple[str, str] | str | None:
    """Docker, bubblewrap where there is no Docker, or None if neither works."""
    with suppress(OSError, subprocess.TimeoutExpired):
        if not subprocess.run(
            ["docker", "info"], capture_output=True, timeout=10
        ).returncode:
            return "docker", str(COMPOSE)
    return "bubblewrap" if shutil.which("bwrap") else None


async def check_sandbox(box: SandboxEnvironment | None = None) -> None:
    """Grade a right and a wrong program, before models are asked for any.

    Raises:
        InputError: If the sandbox does not tell them apart.
    """
    for source, expected in ((_RIGHT, "pass"), ("", "fail")):
        graded, _ = await _once(source, _CONTROL, box or sandbox(), Limits())
        if graded.status != expected:
            raise InputError(
                f"The sandbox cannot grade programs: one that has to {expected} was "
                f"given the status {graded.status!r} ({graded.note or 'no note'}); it "
                "has to have Python 3.8 or later as python3."
            )


_CONTROL = Problem(
    code_prompt="def task_func():",
    entry_point="task_func",
    test="import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_one(self): self.assertEqual(task_func(), 1)\n",
)
_RIGHT = "def task_func(): return 1"


async def _once(
    program: str, problem: Problem, box: SandboxEnvironment, limits: Limits
) -> tuple[Grade, bool]:
    """A grade, and whether the runner reported or the program ran out of time."""
    nonce, count = secrets.token_hex(16), problem.count
    source = program.lstrip("\ufeff")
    job = {
        "nonce": nonce,
        "limits": vars(limits),
        "prompt": problem.code_prompt,
        "program": source,
        "tests": problem.test,
        "entry_point": problem.entry_point,
    }
    try:
        result = await box.exec(
            ["python3", "-I", "-c", RUNNER],
            input=json.dumps(job).encode(),  # bytes, which Inspect's log does not show
            timeout=WALL * limits.cpu_seconds,
            timeout_retry=False,  # a program that ran out of time is not run again
            concurrency=False,
        )
    except LimitExceededError:
        raise
    except TimeoutError:
        return Grade("timeout", count, note="out of time by the clock"), True
    except Exception as error:  # every provider of sandboxes has its own types
        why = f"{type(error).__name__}: {error}"
        return Grade("error", count, note=_short(why)), False
    lines = (n for n in result.stdout.split("\n") if n.startswith(f"('{nonce}', "))
    match {what: rest for _, what, *rest in map(ast.literal_eval, lines)}:
        case {"done": (passed, why, patched)}:
            status: Status = "pass" if passed == count and not why else "fail"
            marks = suspicions(source, problem.code_prompt)
            marks += [f"patched {name}" for name in patched]
            if status == "pass" and marks:
                status = "suspicious"
            return Grade(status, count, passed, note=_short(why), marks=marks), True
        case {"broken": (_, why, _)}:
            return Grade("error", count, note=_short(why)), True
        case {"ready": _} if result.returncode in _OUT_OF_TIME:
            return Grade("timeout", count, note="out of processor time"), True
        case {"ready": _}:
            said = result.stderr.strip().rpartition("\n")[2]  # closed to the program
            why = f"ended with code {result.returncode} {said and f'({said})'}"
            return Grade("fail", count, note=_short(why)), True
    why = result.stderr[-_LONGEST_NOTE:].strip() or f"code {result.returncode}"
    return Grade("error", count, note=_short(f"no report: {why}")), False


def _short(note: str) -> str:
    """A note that a log can store; a program may raise what it likes."""
    words = " ".join(note.split())[:_LONGEST_NOTE]
    return words.encode(errors="replace").decode()
