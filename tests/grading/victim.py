"""A small task, its tests, and answers to it."""

from inspect_debate.grading.code import CodeProblem, code_problem

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
