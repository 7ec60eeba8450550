"""Tasks, and the programs that replies give."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.code import Problem, program

REPLIES = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text("utf-8"))
TEST = """
class Helper:
    def test_other(self): ...
class TestCases(unittest.TestCase):
    def setUp(self): ...
    def test_b(self): ...
    async def test_a(self): ...
    def test_b(self): ...
    def helper(self):
        def test_inner(): ...
def test_outside(): ...
"""
METADATA = {"code_prompt": "def f(x):", "test": TEST, "entry_point": "f", "other": 1}


def test_the_tests_of_the_one_class_count() -> None:
    assert Problem.of("t", METADATA).count == 2


NO_TESTS = [
    "class TestCases:\n    def check(self): ...",
    "class TestCases(:",
    "x = 1\0",
]


@pytest.mark.parametrize(
    "fault",
    [
        {name: v}
        for name in ("code_prompt", "test", "entry_point")
        for v in (None, " ", 3)
    ]
    + [{"test": test} for test in NO_TESTS],
)
def test_a_sample_that_cannot_be_graded_is_named(fault: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="'t'"):
        Problem.of("t", {**METADATA, **fault})


@pytest.mark.parametrize(("reply", "expected"), REPLIES["program"])
def test_the_program_of_a_reply(reply: str, expected: str) -> None:
    assert program(reply, "f") == expected


NONE = ["", "I cannot tell.", "Use `f = 1`.", "```python\ndef ff(x): 1\n```"]
NONE += ["```python\nf(x=1)\n```", "```python\nf == (1\n```", "```\ndef gf(:\n```"]
NONE += ["<think>\n```python\ndef f(x): 1\n```", "```python\nfrom g import f\n```"]


@pytest.mark.parametrize("reply", NONE)
def test_no_program(reply: str) -> None:
    assert program(reply, "f") is None


def test_the_entry_point_is_a_name_and_no_pattern() -> None:
    assert program("```python\ndef f(x): 1\n```", ".") is None
    assert program("```python\ndef f(\n```", "(") is None


PIECES = ["```\n", "```python\n", "    ```\n", "```\n'''\n", "> ```\n", "'''", "("]
PIECES += [
    "```python\ndef f(:\n'''\n",
    "```py\n'''\n)\n```\n",
    "f=",
    "def f(:\n",
    "\xa0",
]


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text_and_not_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        long = piece * (size // len(piece))
        start = time.process_time()
        for text in (f"```python\nf = {long}\n```", f"```\n'''{long}", f"{long}x"):
            program(text, "f")
        return time.process_time() - start

    # What grows with the square takes 16 times as long; machines may be busy.
    assert any(seconds(8_000) < 10 * seconds(2_000) + 0.1 for _ in range(3))


DATA = Path(os.environ.get("INSPECT_DEBATE_DATA", "."), "bigcodebench_plus")


@pytest.mark.skipif(not DATA.exists(), reason="needs the released data")
def test_every_released_program_is_read_back() -> None:
    for line in (DATA / "problems.jsonl").read_text("utf-8").splitlines():
        task = json.loads(line)["content"]
        whole = f"{task['code_prompt']}\n{task['canonical_solution']}".strip(
            "\n"
        ).rstrip()
        for reply in (whole, f"So:\n```python\n{whole}\n```\nDone", f"```\n{whole}\n"):
            assert program(reply, "task_func") == whole
