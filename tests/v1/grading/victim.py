"""Two small tasks, their tests, and answers to them."""

from inspect_debate.v1.grading.code import CodeProblem, code_problem
from tests.v1.grading.programs import programs

PROMPT = "import json\nimport math\nimport os\n\ndef task_func(numbers):"
# Each of the three values is tested in its own way.
TEST = '''
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
'''
RIGHT = """
def task_func(numbers):
    if not numbers:
        raise ValueError("no numbers")
    json.dumps(numbers)
    total = sum(numbers)
    spread = (max(numbers) - min(numbers)) / 2
    return {"total": total, "mean": total / len(numbers), "spread": spread}
"""
# Right but for what `assertEqual` alone looks at.
WRONG_TOTAL = RIGHT.replace('"total": total', '"total": 0')
# Right but for what `math.isclose` alone looks at, where numbers fall.
WRONG_SPREAD = RIGHT.replace("max(numbers) - min(numbers)", "numbers[-1] - numbers[0]")


def victim(test: str = TEST, prompt: str = PROMPT) -> CodeProblem:
    fields = {"code_prompt": prompt, "test": test, "entry_point": "task_func"}
    return code_problem("victim", fields)


def without_mocks() -> CodeProblem:
    """The same, but for the test that mocks; it is graded by value."""
    tests = TEST[: TEST.index("    def test_case_5")]
    return victim(tests.replace("from unittest import mock\n", ""))


KINDS_PROMPT = "import json\n\ndef task_func(kind):"
KINDS_TEST = '''
import json
import unittest

LIMIT = 7
ENDS = ["first", "last"]


class TestCases(unittest.TestCase):
    """A value of each kind."""

    size = 3

    def setUp(self):
        self.limit = LIMIT

    def test_int(self):
        self.assertEqual(task_func("int"), 41)

    def test_float(self):
        self.assertAlmostEqual(task_func("float"), 2.5)

    def test_str(self):
        self.assertEqual(task_func("str"), "right")

    def test_bytes(self):
        self.assertEqual(task_func("bytes"), b"right")

    def test_list(self):
        self.assertEqual(task_func("list"), [1, 2, 3])

    def test_tuple(self):
        self.assertTrue(task_func("tuple") == (1, 2))

    def test_set(self):
        self.assertEqual(task_func("set"), {1, 2})

    def test_dict(self):
        result = task_func("dict")
        self.assertEqual(result, {"a": 1})
        self.assertEqual(result["a"], 1)

    def test_holds(self):
        self.assertIn("needle", task_func("holds"))

    def test_large(self):
        self.assertGreaterEqual(task_func("large"), self.limit)

    def test_count(self):
        self.assertCountEqual(task_func("count"), [1, 2, 2])

    def test_size(self):
        self.assertEqual(len(task_func("size")), self.size)

    def test_match(self):
        self.assertRegex(task_func("match"), "^r.*t$")

    def test_each(self):
        for end in ENDS:
            with self.subTest(end):
                self.assertEqual(task_func(end), end)
'''
_MOCKED = """
    def test_patched(self):
        with unittest.mock.patch("json.dumps") as dumps:
            task_func("patched")
        dumps.assert_called_once_with(1)
"""
KINDS_RIGHT = """
KINDS_RIGHT = {
    "int": 41, "float": 2.5, "str": "right", "bytes": b"right", "list": [1, 2, 3],
    "tuple": (1, 2), "set": {1, 2}, "dict": {"a": 1}, "holds": ["needle"],
    "large": 8, "count": [2, 1, 2], "size": "abc", "match": "right",
    "first": "first", "last": "last", "patched": None,
}
def answer(kind):
    if kind == "patched":
        json.dumps(1)
    return KINDS_RIGHT[kind]
"""
CALLED = "def task_func(kind):\n    return answer(kind)\n"
# No two of them are right of the same kind, and none is.
WRONG = {
    **{"int": "10**9", "float": "-7.5", "str": "'wrong'", "bytes": "b'wrong'"},
    **{"list": "[4]", "tuple": "(9, 9, 9)", "set": "{8}", "dict": "{'b': 2}"},
    **{"holds": "['hay']", "large": "-4", "count": "[5]", "size": "'abcdefgh'"},
    **{"match": "'wrong'", "first": "'wrong'", "last": "'wrong'"},
}


def lying(kind: str, value: str, before: str = "") -> str:
    """A program that is right but for one kind of value.

    Args:
        kind: Of which it gives something else.
        value: What it gives, as an expression.
        before: What is run before.
    """
    return f"""{KINDS_RIGHT}{before}
def task_func(kind):
    return {value} if kind == {kind!r} else answer(kind)
"""


def lies(text: str) -> dict[str, str]:
    """The same, of each program in a text, below a line `## NAME | KIND | VALUE`."""
    found = ((heading.split(" | "), code) for heading, code in programs(text).items())
    return {name: lying(kind, value, code) for (name, kind, value), code in found}


def kinds(mocked: bool = True) -> CodeProblem:
    """The task; with a test that patches, for which it needs the program's process."""
    test = KINDS_TEST.replace("import json\n", "import json\nimport unittest.mock\n")
    return victim(test + _MOCKED if mocked else KINDS_TEST, KINDS_PROMPT)
