"""A task whose tests ask for a value of each plain kind, for programs that lie."""

from inspect_debate.grading.code import CodeProblem
from tests.grading.victim import victim

PROMPT = "import json\n\ndef task_func(kind):"
TEST = '''
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
RIGHT = """
RIGHT = {
    "int": 41, "float": 2.5, "str": "right", "bytes": b"right", "list": [1, 2, 3],
    "tuple": (1, 2), "set": {1, 2}, "dict": {"a": 1}, "holds": ["needle"],
    "large": 8, "count": [2, 1, 2], "size": "abc", "match": "right",
    "first": "first", "last": "last", "patched": None,
}
def answer(kind):
    if kind == "patched":
        json.dumps(1)
    return RIGHT[kind]
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
    return f"""{RIGHT}{before}
def task_func(kind):
    return {value} if kind == {kind!r} else answer(kind)
"""


def kinds(mocked: bool = True) -> CodeProblem:
    """The task; with a test that patches, for which it needs the program's process."""
    test = TEST.replace("import json\n", "import json\nimport unittest.mock\n")
    return victim(test + _MOCKED if mocked else TEST, PROMPT)
