"""A task, answers to it, and where the tests of grading run them."""

import asyncio
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from inspect_debate.grading.bubblewrap import BubblewrapConfig, BubblewrapSandbox
from inspect_debate.grading.code import Problem
from inspect_debate.grading.grade import Grade, Limits, grade

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)

# Each of the three values is tested in its own way.
VICTIM = Problem(
    code_prompt="import json\nimport math\nimport os\n\ndef task_func(numbers):",
    entry_point="task_func",
    test='''
import json
import math
import unittest
from unittest import mock


class TestCases(unittest.TestCase):
    """Totals, means and spreads."""

    def setUp(self):
        self.names = {"total", "mean", "spread"}

    def test_case_1(self):
        expected = {"total": 6, "mean": 2.0, "spread": 1.0}
        result = task_func([1, 2, 3])
        self.assertEqual(result["total"], 6)
        self.assertEqual(result, expected)

    def test_case_2(self):
        expected = 2.5
        result = task_func([2, 3])
        self.assertIsInstance(result, dict)
        self.assertTrue(result["mean"] == expected)
        self.assertEqual(set(result), self.names)

    def test_case_3(self):
        with self.assertRaises(ValueError):
            task_func([])

    def test_case_4(self):
        expected = 0.5
        result = task_func([3, 2])
        self.assertTrue(math.isclose(result["spread"], expected))

    def test_case_5(self):
        with mock.patch("json.dumps") as dumps:
            task_func([1])
        dumps.assert_called_once_with([1])
''',
)
RIGHT = """
def task_func(numbers):
    if not numbers:
        raise ValueError("no numbers")
    json.dumps(numbers)
    total = sum(numbers)
    spread = (max(numbers) - min(numbers)) / 2
    return {"total": total, "mean": total / len(numbers), "spread": spread}
"""
TOTAL_WRONG = RIGHT.replace('"total": total', '"total": 0')
SPREAD_WRONG = RIGHT.replace("max(numbers) - min(numbers)", "numbers[-1] - numbers[0]")
_BLOCKS = {
    "RIGHT": RIGHT,
    "ONE TOTAL WRONG": TOTAL_WRONG,
    "ONE SPREAD WRONG": SPREAD_WRONG,
    "ANSWER, TOTAL WRONG": TOTAL_WRONG.replace("task_func", "answer"),
    "ANSWER, SPREAD WRONG": SPREAD_WRONG.replace("task_func", "answer"),
    "NO ERROR": RIGHT.replace('raise ValueError("no numbers")', "raise KeyError(1)"),
    "NO DUMP": RIGHT.replace("json.dumps(numbers)", "pass"),
}
ENDLESS = ("loops", "sleeps at load", "ignores every interruption")


def hostile() -> dict[str, str]:
    """Programs that want to pass without being right, by what they try."""
    text = Path(__file__).with_name("hostile.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.M)
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    blocks = _BLOCKS | {n[2:-2]: code for n, code in pairs if n.startswith("<<")}
    named = [(name, code) for name, code in pairs if not name.startswith("<<")]
    return dict(each for pair in named for each in _programs(*pair, blocks)) | {
        "deep nesting": f"def task_func(numbers):\n    return {'(' * 500}{')' * 500}",
        "a deep expression": f"x = {'-' * 100_000}1\n",
        "null bytes": "def task_func(numbers):\n    return 1\n\0",
        "a lone surrogate": "def task_func(numbers):\n    return '\ud800'\n",
        "a line separator": "def task_func(numbers):\u2028    return 1\n",
        "a form feed": "\x0cimport os\x0c\x0bos._exit(0)\n",
        "nothing": "",
    }


def _programs(
    heading: str, code: str, blocks: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    name, _, includes = heading.partition(" <<")
    text = f"<<{includes}\n{code}" if includes else code
    variants = re.search(r"<<([^<>]+\|[^<>]+)>>", text)
    for one in variants[1].split("|") if variants else [""]:
        chosen = text.replace(variants[0], f"<<{one}>>") if variants else text
        whole = re.sub(r"<<([^<>]+)>>", lambda m: f"\n{blocks[m[1]]}\n", chosen)
        yield f"{name} {one}".strip(), whole


def graded(
    programs: Mapping[str, str],
    problem: Problem = VICTIM,
    limits: Limits | None = None,
    config: BubblewrapConfig | None = None,
) -> dict[str, Grade]:
    """What came of each program, in a bubblewrap sandbox."""
    box = BubblewrapSandbox(config or BubblewrapConfig())

    async def all_of_them() -> dict[str, Grade]:
        one = [
            grade(each, problem, box=box, limits=limits) for each in programs.values()
        ]
        return dict(zip(programs, await asyncio.gather(*one), strict=True))

    try:
        return asyncio.run(all_of_them())
    finally:
        box.close()
