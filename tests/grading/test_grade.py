"""How answers are graded: what comes out, and whose fault it is when nothing does."""

import ast
import asyncio
import json
import sys
from typing import Any

import pytest
from inspect_ai.util import ExecResult, LimitExceededError, OutputLimitExceededError

from inspect_debate.grading import grade as grade_module
from inspect_debate.grading.grade import BOOT, Graded, grade_code
from tests.grading.boxes import PlainBox
from tests.grading.running import grade
from tests.grading.victim import PROMPT, RIGHT, TEST, WRONG_TOTAL, victim

CASES = "import unittest\nclass TestCases(unittest.TestCase):\n"


class Watched(PlainBox):
    """Keeps what it is asked, and answers some of it itself."""

    def __init__(self, *answers: ExecResult[str] | Exception | None) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked: list[tuple[list[str], Any, dict[str, Any]]] = []

    async def exec(
        self, cmd: list[str], input: Any = None, *args: Any, **settings: Any
    ) -> ExecResult[str]:
        self.asked.append((cmd, input, settings))
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer or await super().exec(cmd, input, *args, **settings)


def graded_in(
    box: PlainBox, answer: str = RIGHT, interpreter: str = sys.executable
) -> Graded:
    return asyncio.run(
        grade_code(box, victim(), answer, interpreter=interpreter, seconds=30)
    )


def sent(given: bytes) -> list[Any]:
    """The parts of what is sent: sources, what is known first, and the rest."""
    parts = []
    for _ in range(2):
        end = 8 + int(given[:8])
        parts.append(json.loads(given[8:end]))
        given = given[end:]
    return [*parts, json.loads(given)]


def graded_with(tests: str, answer: str = "def task_func():\n    return 1\n") -> Graded:
    return grade(answer, victim(CASES + tests, "def task_func():"))


def test_a_right_and_a_wrong_answer() -> None:
    right = grade(RIGHT)
    assert (right.status, right.tests, right.passed, right.note) == ("pass", 5, 5, "")
    assert 0 < right.seconds < 30
    wrong = grade(WRONG_TOTAL)
    assert (wrong.status, wrong.tests, wrong.passed) == ("fail", 5, 4)
    assert wrong.note == ("1 of 5 tests failed: test_case_1: AssertionError: 0 != 6")


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("def task_func(n)\n", "does not compile: SyntaxError: expected ':'"),
        ("import no_such", "when loaded: ModuleNotFoundError: No module named"),
        ("len = 1\nimport builtins\nbuiltins.len = 1", "changed builtins.len"),
        ("import os\nos._exit(0)", "ended after 0 of 5 tests"),
    ],
)
def test_notes_say_why(answer: str, note: str) -> None:
    graded = grade(answer)
    assert graded.status == "fail"
    assert graded.note.startswith(note)


def test_a_pass_says_what_it_reaches_for() -> None:
    assert grade("import gc\n" + RIGHT).note == "reaches for gc"


@pytest.mark.parametrize(
    ("tests", "status"),
    [
        ("    def test_a(self): self.assertEqual(task_func(), 1)\n", "pass"),
        ("    def test_a(self): self.assertEqual(task_func(), 2)\n", "fail"),
        ("    def test_a(self): assert task_func() == 2\n", "fail"),
        ("    def test_a(self): self.skipTest('')\n", "fail"),
        ("    @unittest.skip('here')\n    def test_a(self): 1 / 0\n", "pass"),
        ("    async def test_a(self): pass\n", "fail"),
        ("    def setUp(self): 1 / 0\n    def test_a(self): pass\n", "fail"),
        ("    def tearDown(self): 1 / 0\n    def test_a(self): pass\n", "fail"),
        (
            "    def test_a(self):\n"
            "        for i in (1, 2):\n"
            "            with self.subTest(i=i): self.assertEqual(i, task_func())\n",
            "fail",
        ),
        (
            "    def test_a(self):\n"
            "        with self.subTest(): self.assertEqual(1, task_func())\n",
            "pass",
        ),
        ("    def test_a(self): self.addCleanup(len)\n", "fail"),
        ("    def test_a(self): self.addCleanup(len, '')\n", "pass"),
        (
            "    @classmethod\n    def setUpClass(cls): cls.value = 1\n"
            "    def test_a(self): self.assertEqual(self.value, task_func())\n",
            "pass",
        ),
        (
            "    @classmethod\n    def setUpClass(cls): 1 / 0\n"
            "    def test_a(self): pass\n",
            "fail",
        ),
        (
            "    @classmethod\n    def tearDownClass(cls): 1 / 0\n"
            "    def test_a(self): pass\n",
            "fail",
        ),
        ("    def test_a(self): self.assertEqual(__name__, '__test__')\n", "pass"),
        (
            "    def assertEqual(self, *_): pass\n"
            "    def test_a(self): self.assertEqual(task_func(), 2)\n",
            "fail",  # for its canaries
        ),
        (
            "    def assertSame(self, a, b): self.assertEqual(a, b)\n"
            "    def test_a(self): self.assertSame(task_func(), 1)\n",
            "pass",
        ),
        ("    def test_a(self): pass\n1 / 0\n", "fail"),
        ("    def test_a(self): pass\nif __name__ == '__main__': 1 / 0\n", "pass"),
    ],
)
def test_what_tests_may_do(tests: str, status: str) -> None:
    graded = graded_with(tests)
    assert graded.status == status, graded.note


def test_tests_that_do_not_compile_are_told_from_answers() -> None:
    problem = victim(TEST, PROMPT)
    broken = victim(TEST + "\nreturn\n", PROMPT)
    assert broken.tests == problem.tests
    note = grade(RIGHT, broken).note
    assert note.startswith("the tests do not compile: SyntaxError")


def test_tests_that_need_a_solution_to_be_loaded() -> None:
    problem = victim("VALUE = task_func()\n" + TEST, PROMPT)
    note = grade(RIGHT, problem).note
    assert note.startswith("the tests cannot be loaded: NameError: name 'task_func'")


def test_what_is_run_and_what_is_sent() -> None:
    box = Watched()
    graded_in(box)
    (command, given, settings), *others = box.asked
    assert others == []
    assert command == [sys.executable, "-I", "-c", BOOT]
    assert settings == {"timeout": 30, "timeout_retry": False, "concurrency": False}
    assert isinstance(given, bytes)  # or Inspect's log would show it
    payload = sent(given)[2]
    assert payload["prompt"] == f"{PROMPT}\n    pass\n"
    assert payload["program"] == f"{PROMPT}\n    pass\n{RIGHT}\n"
    assert sent(given)[1]["way"] == "in_process"
    assert {*victim().tests} < {*payload["names"]}
    assert payload["modules"][:4] == ["json", "math", "unittest", "unittest.mock"]
    assert {"math.isclose", ".assertIsInstance"} < {*payload["modules"]}


def test_the_runner_is_for_old_interpreters_too() -> None:
    sources = grade_module._sources()
    assert len(sources) == 11
    for name, source in sources:
        ast.parse(source, name, feature_version=(3, 8))


def test_keys_and_canaries_are_new_each_time() -> None:
    box = Watched()
    graded_in(box)
    graded_in(box)
    first, second = (sent(given)[2] for _, given, _ in box.asked)
    assert first["key"] != second["key"]
    assert first["names"] != second["names"]


SILENT = ExecResult(False, 127, "", "python: not found\n")


@pytest.mark.parametrize(
    ("answers", "note"),
    [
        ([SILENT, SILENT], "left no report: python: not found"),
        ([PermissionError("no"), PermissionError("no")], "PermissionError: no"),
        ([RuntimeError("gone"), SILENT], "RuntimeError: gone"),
        ([ExecResult(True, 0, "OK", "")] * 2, "left no report: exit code 0"),
    ],
)
def test_a_sandbox_that_does_not_work_is_an_error(
    answers: list[ExecResult[str] | Exception], note: str
) -> None:
    graded = graded_in(Watched(*answers))
    assert (graded.status, graded.passed, graded.note) == ("error", 0, note)


def test_a_missing_interpreter_is_an_error() -> None:
    graded = graded_in(PlainBox(), interpreter="/no/such/python")
    assert graded.status == "error"
    assert "/no/such/python" in graded.note


@pytest.mark.parametrize(
    "left",
    [
        SILENT,
        PermissionError("permission denied"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"),
        OutputLimitExceededError("10 MiB", None),
    ],
)
def test_who_leaves_no_report_where_others_do_fails(
    left: ExecResult[str] | Exception,
) -> None:
    """A solution must not be able to make its failure look like the sandbox's."""
    box = Watched(left, None, left)
    assert graded_in(box).status == "fail"
    assert len(box.asked) == 3


def test_a_hiccup_of_the_sandbox_is_nobodys_fault() -> None:
    assert graded_in(Watched(RuntimeError("gone"))).status == "pass"


def test_time_is_up_with_what_is_known() -> None:
    error: Any = TimeoutError("too long")
    error.truncated_output = "noise"
    for given in (TimeoutError("too long"), error):
        graded = graded_in(Watched(given, given))
        assert (graded.status, graded.passed) == ("timeout", 0)
        assert graded.note == "not done after 30 seconds"


def test_limits_of_the_sample_are_not_caught() -> None:
    with pytest.raises(LimitExceededError):
        graded_in(Watched(LimitExceededError("time", value=2, limit=1)))


def test_what_the_sandbox_says_stands_in_the_note() -> None:
    class Ending(PlainBox):
        async def exec(self, *args: Any, **settings: Any) -> ExecResult[str]:
            done = await super().exec(*args, **settings)
            return ExecResult(False, 137, done.stdout, "sandbox: ended: memory\n")

    graded = graded_in(Ending(), "import os\nos._exit(1)\n")
    assert graded.note == "ended after 0 of 5 tests (sandbox: ended: memory)"
