"""What a grade says of programs, of tests, and of sandboxes that fail."""

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from inspect_ai.util import ExecResult, LimitExceededError

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.bubblewrap import BubblewrapConfig, BubblewrapSandbox
from inspect_debate.grading.code import Problem
from inspect_debate.grading.grade import (
    Grade,
    Limits,
    Status,
    check_sandbox,
    grade,
)
from tests.grading.victim import RIGHT, VICTIM, graded, needs_bubblewrap

CASES = "import unittest\nclass TestCases(unittest.TestCase):\n"


def one(program: str, problem: Problem = VICTIM, **limits: int) -> Grade:
    return graded({"": program}, problem, Limits(**limits) if limits else None)[""]


def problem(tests: str, prompt: str = "def task_func():") -> Problem:
    return Problem(prompt, "task_func", tests)


# Methods of a class of tests, and whether a program that returns 1 passes.
TESTS = {
    "def test_a(self): self.assertEqual(task_func(), 1)": "pass",
    "@unittest.skip('here')\n    def test_a(self): 1 / 0": "pass",
    "def test_a(self): self.skipTest('here')": "fail",
    "async def test_a(self): self.assertEqual(task_func(), 1)": "fail",
    "def test_a(self):\n        with self.subTest(): self.fail()": "fail",
    "def test_a(self): self.assertEqual(__name__, '__test__')": "pass",
    "def setUp(self): 1 / 0\n    def test_a(self): pass": "fail",
    "def tearDown(self): 1 / 0\n    def test_a(self): pass": "fail",
    "@classmethod\n    def tearDownClass(c): 1 / 0\n    def test_a(self): 1": "fail",
    "def test_a(self): pass\n    def test_b(self): self.fail()": "fail",
    "def test_a(self): no_such_name": "fail",
}


@needs_bubblewrap
@pytest.mark.parametrize(("methods", "status"), TESTS.items())
def test_methods_of_tests(methods: str, status: Status) -> None:
    found = one("def task_func(): return 1", problem(f"{CASES}    {methods}\n"))
    assert (found.status, found.marks) == (status, [])
    assert found.tests == methods.count("def test_")


SHARED = {
    "a constant of the head": (
        "LIMIT = 3\ndef task_func():",
        "    def test_a(self): self.assertEqual(task_func(), LIMIT)\n",
        "LIMIT = 4\ndef task_func():\n    return 3\n",
    ),
    "a class of the head, from the program": (
        "class Thing:\n    pass\ndef task_func(thing):",
        "    def test_a(self): self.assertTrue(task_func(Thing()))\n",
        "class Thing:\n    pass\n"
        "def task_func(thing):\n    return isinstance(thing, Thing)\n",
    ),
    "a name of the module, patched": (
        "from random import randint\ndef task_func():",
        "    from unittest.mock import patch\n"
        "    @patch(__name__ + '.randint', return_value=5)\n"
        "    def test_a(self, _): self.assertEqual(task_func(), 5)\n",
        "def task_func():\n    return randint(0, 1)\n",
    ),
    "a database": (
        "import sqlite3\ndef task_func(cursor):",
        "    def test_a(self):\n"
        "        with sqlite3.connect(':memory:') as opened:\n"
        "            self.assertEqual(task_func(opened.cursor()), 1)\n",
        "def task_func(cursor):\n    return cursor.execute('select 1').fetchone()[0]\n",
    ),
    "exceptions": (
        "def task_func(error):",
        "    def test_a(self):\n"
        "        for error in (SystemExit(2), KeyboardInterrupt(), StopIteration()):\n"
        "            with self.assertRaises(type(error)):\n"
        "                task_func(error)\n",
        "def task_func(error):\n    raise error\n",
    ),
}


@needs_bubblewrap
@pytest.mark.parametrize("what", SHARED)
def test_what_tests_and_programs_share(what: str) -> None:
    prompt, tests, program = SHARED[what]
    found = one(program, problem(CASES + tests, prompt))
    assert (found.status, found.note) == ("pass", "")


@needs_bubblewrap
def test_a_program_sees_what_the_tests_import_and_not_what_they_define() -> None:
    tests = f"from string import punctuation\nEXPECTED = 1\n{CASES}"
    tests += "    def test_a(self): self.assertEqual(task_func(), 32)\n"
    program = "def task_func():\n    return len(punctuation)\n"
    assert one(program, problem(tests)).status == "pass"
    program = "def task_func():\n    return EXPECTED\n"
    assert "EXPECTED" in one(program, problem(tests)).note


NOTES = {
    "def task_func(n)\n": ("fail", "SyntaxError"),
    "import no_such": ("fail", "ModuleNotFoundError"),
    "import os\nos._exit(3)": ("fail", "code 3"),
    "raise ValueError('\\ud800' + 'x' * 10**6)": ("fail", "ValueError"),
    "def task_func(n): return {'total': 0}": ("fail", "test_case_1"),
    "def task_func(n):\n    while True: pass": ("timeout", "out of"),
    "x = bytearray(10**9)": ("fail", "MemoryError"),
}


@needs_bubblewrap
@pytest.mark.parametrize(("program", "expected"), NOTES.items())
def test_notes_say_why(program: str, expected: tuple[Status, str]) -> None:
    found = one(program, cpu_seconds=2, memory_mb=200)
    assert found.status == expected[0]
    assert expected[1] in found.note
    assert len(found.note) <= 500
    assert found.note.encode()


@needs_bubblewrap
def test_a_large_file_cannot_be_written() -> None:
    program = "open('x', 'wb').write(bytes(3 * 2**20))\n" + RIGHT
    assert one(program).status == "pass"
    assert one(program, file_mb=2).status == "fail"


@needs_bubblewrap
@pytest.mark.parametrize(
    "tests", ["x = 1 / 0\n" + VICTIM.test, "import no_such\n" + CASES]
)
def test_tests_that_cannot_be_loaded_are_no_grade(tests: str) -> None:
    assert one(RIGHT, problem(tests, VICTIM.code_prompt)).status == "error"


@needs_bubblewrap
def test_check_sandbox() -> None:
    box = BubblewrapSandbox(BubblewrapConfig())
    anyio.run(check_sandbox, box)
    box.close()
    with pytest.raises(InputError, match="cannot grade"):
        anyio.run(check_sandbox, Scripted(lambda job: said()))


# --- Sandboxes that are made up -------------------------------------------------------


def said(stdout: str = "", code: int = 0, stderr: str = "") -> ExecResult[str]:
    return ExecResult(code == 0, code, stdout, stderr)


class Scripted(BubblewrapSandbox):
    """Answers as it is told, and keeps what it was asked."""

    def __init__(self, answer: Callable[[dict[str, Any]], ExecResult[str]]) -> None:
        self.answer = answer
        self.calls: list[tuple[list[str], dict[str, Any]]] = []

    async def exec(self, cmd: list[str], *_: Any, **given: Any) -> ExecResult[str]:
        self.calls.append((cmd, given))
        return self.answer(json.loads(given["input"]))


def report(job: dict[str, Any], *lines: str, nonce: str = "") -> str:
    return "".join(f"\n({nonce or job['nonce']!r}, {line})\n" for line in lines)


def in_scripted(answer: Callable[[dict[str, Any]], ExecResult[str]]) -> Grade:
    async def graded() -> Grade:
        return await grade(RIGHT, VICTIM, box=Scripted(answer))

    return anyio.run(graded)


READY = "'ready', 0, '', ()"
REPORTS: dict[str, tuple[list[str], int, Status]] = {
    "all passed": ([READY, "'done', 5, '', ()"], 0, "pass"),
    "all passed, whatever the end": ([READY, "'done', 5, '', ()"], 9, "pass"),
    "too few": ([READY, "'done', 4, '', ()"], 0, "fail"),
    "too many": ([READY, "'done', 6, '', ()"], 0, "fail"),
    "all passed, and an error": ([READY, "'done', 5, 'tearDownClass', ()"], 0, "fail"),
    "patched": ([READY, "'done', 5, '', ('math.isclose',)"], 0, "suspicious"),
    "no end": ([READY], 0, "fail"),
    "killed": ([READY], 137, "fail"),
    "out of processor time": ([READY], 152, "timeout"),
    "tests that do not load": (["'broken', 0, 'no_such', ()"], 0, "error"),
}


@pytest.mark.parametrize("what", REPORTS)
def test_what_a_report_makes_of_it(what: str) -> None:
    lines, code, status = REPORTS[what]
    found = in_scripted(lambda job: said(report(job, *lines), code))
    assert found.status == status


def test_only_lines_with_the_nonce_count() -> None:
    forged = report({}, READY, "'done', 5, '', ()", nonce="0" * 32)
    for noise in (forged, "('", "\udcff", forged * 3):

        def answer(job: dict[str, Any], noise: str = noise) -> ExecResult[str]:
            return said(noise + report(job, READY) + noise)

        assert in_scripted(answer).status == "fail"


def test_no_report_is_an_error_only_if_a_right_program_leaves_none_either() -> None:
    def breaks(job: dict[str, Any]) -> ExecResult[str]:
        if job["program"] == RIGHT:
            return said("x", 126)
        return said(report(job, READY, "'done', 1, '', ()"))

    assert in_scripted(breaks).status == "fail"
    broken = in_scripted(lambda job: said("", 126, "permission denied"))
    assert (broken.status, broken.passed) == ("error", 0)
    assert "permission denied" in broken.note


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TimeoutError(), "timeout"),
        (OSError("no"), "error"),
        (ValueError("no"), "error"),
    ],
)
def test_errors_of_the_sandbox(error: Exception, status: Status) -> None:
    def fails(job: dict[str, Any]) -> ExecResult[str]:
        raise error

    assert in_scripted(fails).status == status


def test_limits_of_inspect_pass_through() -> None:
    def ends(job: dict[str, Any]) -> ExecResult[str]:
        raise LimitExceededError("time", value=2, limit=1)

    with pytest.raises(LimitExceededError):
        in_scripted(ends)


def test_tests_and_nonce_are_sent_as_bytes_and_in_no_argument() -> None:
    box = Scripted(lambda job: said(report(job, READY, "'done', 5, '', ()")))

    async def twice() -> None:
        for _ in range(2):
            await grade(RIGHT, VICTIM, box=box)

    anyio.run(twice)
    jobs = [json.loads(given["input"]) for _, given in box.calls]
    assert len({job["nonce"] for job in jobs}) == 2
    for command, given in box.calls:
        assert isinstance(given["input"], bytes)
        assert given["timeout_retry"] is False
        assert not any("TestCases(" in word for word in command)
        assert given.get("env") is None
