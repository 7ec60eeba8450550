"""What is read of a programming task."""

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.code import code_problem
from inspect_debate.grading.code import test_names as names_of

TEST = """
import unittest

class Helper(unittest.TestCase):
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
METADATA = {"code_prompt": "def f(x):", "test": TEST, "entry_point": "f"}


def test_the_tests_of_the_one_class_count_in_their_order() -> None:
    assert names_of(TEST) == ("test_a", "test_b")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class Testcases:\n    def test(self): ...", "no class TestCases"),
        ("class TestCases:\n    def check(self): ...", "no class TestCases"),
        ("class TestCases(:", "no Python"),
        ("x = 1\0", "no Python"),
        ("", "no class TestCases"),
    ],
)
def test_a_source_without_tests_is_told(source: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        names_of(source)


def test_the_head_of_the_task_stands_before_the_answer() -> None:
    problem = code_problem("t", METADATA)
    assert problem.tests == ("test_a", "test_b")
    scope: dict[str, object] = {}
    exec(problem.program("def f(x):\n    return x + 1"), scope)
    function = scope["f"]
    assert callable(function)
    assert function(1) == 2


@pytest.mark.parametrize("name", ["code_prompt", "test", "entry_point"])
@pytest.mark.parametrize("value", [None, "", " ", 3])
def test_what_is_missing_is_named(name: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"Sample.*need {name}"):
        code_problem("t", {**METADATA, name: value})


def test_tests_that_are_none_are_told_with_the_sample() -> None:
    with pytest.raises(InputError, match=r"'t'.*no class TestCases"):
        code_problem("t", {**METADATA, "test": "x = 1"})


@pytest.mark.parametrize(
    "answer",
    [
        "from __future__ import annotations\ndef f(x: Later):\n    return 2",
        '"""What it does."""\nfrom __future__ import annotations\ndef f(x: Later):\n'
        "    return 2",
        "from __future__ import (\n    annotations,\n    division,\n)\n\n"
        "def f(x: Later):\n    return 2",
        "from __future__ import division\nfrom __future__ import annotations  # all\n"
        "def f(x: Later):\n    return 2",
    ],
)
def test_imports_from_the_future_come_first(answer: str) -> None:
    problem = code_problem("t", {**METADATA, "code_prompt": "import os\ndef f(x):"})
    scope: dict[str, object] = {}
    exec(problem.program(answer), scope)
    function = scope["f"]
    assert callable(function)
    assert function(1) == 2


@pytest.mark.parametrize(
    "answer", ["from __future__ import annotations; x = 1", "def f(:", "x\0", "(" * 999]
)
def test_what_cannot_be_moved_stays(answer: str) -> None:
    problem = code_problem("t", METADATA)
    assert problem.program(answer) == f"def f(x):\n    pass\n{answer}\n"
