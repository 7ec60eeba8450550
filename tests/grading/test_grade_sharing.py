"""What tests and answers have in common, though they are loaded apart."""

import pytest

from tests.grading.running import grade
from tests.grading.victim import victim

CASES = "import unittest\nclass TestCases(unittest.TestCase):\n"


@pytest.mark.parametrize(
    ("prompt", "tests", "answer"),
    [
        (
            "LIMIT = 3\ndef task_func():",
            "    def test_a(self): self.assertEqual(task_func(), LIMIT)\n",
            "LIMIT = 4\ndef task_func():\n    return 3\n",
        ),
        (
            "class Thing:\n    pass\ndef task_func(thing):",
            "    def test_a(self): self.assertTrue(task_func(Thing()))\n",
            "class Thing:\n    pass\n"
            "def task_func(thing):\n    return isinstance(thing, Thing)\n",
        ),
        (
            "from random import randint\ndef task_func():",
            "    from unittest.mock import patch\n"
            "    @patch(__name__ + '.randint', return_value=5)\n"
            "    def test_a(self, _): self.assertEqual(task_func(), 5)\n",
            "def task_func():\n    return randint(0, 1)\n",
        ),
        (
            "import sqlite3\ndef task_func(cursor):",
            "    def test_a(self):\n"
            "        with sqlite3.connect(':memory:') as opened:\n"
            "            self.assertEqual(task_func(opened.cursor()), 1)\n",
            "def task_func(cursor):\n"
            "    return cursor.execute('select 1').fetchone()[0]\n",
        ),
        (
            "def task_func(call):",
            "    def test_a(self):\n"
            "        last = task_func(lambda: task_func(lambda: 3))\n"
            "        self.assertEqual(last, 3)\n",
            "def task_func(call):\n    return call()\n",
        ),
        (
            "import decimal\ndef task_func():",
            "    def test_a(self):\n"
            "        decimal.getcontext().prec = 5\n"
            "        self.assertEqual(task_func(), 5)\n"
            "        self.assertEqual(decimal.getcontext().prec, 7)\n",
            "def task_func():\n    before = decimal.getcontext().prec\n"
            "    decimal.setcontext(decimal.Context(prec=7))\n    return before\n",
        ),
        (
            "import threading\ndef task_func():",
            "    def test_a(self):\n"
            "        seen = []\n"
            "        def call(): seen.append(task_func())\n"
            "        calls = [threading.Thread(target=call) for _ in range(5)]\n"
            "        for call in calls: call.start()\n"
            "        for call in calls: call.join()\n"
            "        self.assertEqual(seen, [1] * 5)\n",
            "def task_func():\n    return 1\n",
        ),
        (
            "def task_func(error):",
            "    def test_a(self):\n"
            "        errors = SystemExit(2), KeyboardInterrupt(), StopIteration()\n"
            "        for error in errors:\n"
            "            with self.assertRaises(type(error)) as caught:\n"
            "                task_func(error)\n"
            "            self.assertIs(caught.exception, error)\n",
            "def task_func(error):\n    raise error\n",
        ),
    ],
)
def test_what_tests_and_answers_share(prompt: str, tests: str, answer: str) -> None:
    graded = grade(answer, victim(CASES + tests, prompt))
    assert graded.status == "pass", graded.note


def test_an_answer_may_rely_on_what_the_tests_import() -> None:
    tests = (
        "from string import punctuation\n"
        f"{CASES}    def test_a(self): self.assertEqual(task_func('a!'), 'a')\n"
    )
    answer = (
        "def task_func(text):\n"
        "    return ''.join(c for c in text if c not in punctuation)\n"
    )
    assert grade(answer, victim(tests, "def task_func(text):")).status == "pass"


def test_an_answer_does_not_see_what_the_tests_define() -> None:
    tests = f"EXPECTED = 1\n{CASES}    def test_a(self): task_func()\n"
    answer = "def task_func():\n    return EXPECTED\n"
    graded = grade(answer, victim(tests, "def task_func():"))
    assert "name 'EXPECTED' is not defined" in graded.note
