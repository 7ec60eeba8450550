"""How answers are graded: what comes out, in which way, and what is believed."""

import ast
import asyncio
import hashlib
import hmac
import json
import sys
from textwrap import indent
from typing import Any

import pytest
from inspect_ai.util import ExecResult, LimitExceededError, OutputLimitExceededError

from inspect_debate.v1.grading import grade as grade_module
from inspect_debate.v1.grading.grade import (
    BOOT,
    WAYS,
    Graded,
    Verdict,
    Way,
    grade_code,
    judge,
    read_report,
    way_of,
    why_in_process,
)
from tests.v1.grading.running import PlainBox, grade
from tests.v1.grading.victim import PROMPT, RIGHT, TEST, WRONG_TOTAL, victim

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


def test_a_right_and_a_wrong_answer() -> None:
    right = grade(RIGHT)
    assert (right.status, right.tests, right.passed, right.note) == ("pass", 5, 5, "")
    assert right.seconds > 0
    wrong = grade(WRONG_TOTAL)
    assert (wrong.status, wrong.tests, wrong.passed) == ("fail", 5, 4)
    assert wrong.note == "1 of 5 tests failed: test_case_1: AssertionError: 0 != 6"
    assert grade("import gc\n" + RIGHT).note == "reaches for gc"


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


# Methods of a class of tests, and what comes of a program that returns 1.
PASSING = """\
def test_a(self): self.assertEqual(task_func(), 1)

@unittest.skip('here')
def test_a(self): 1 / 0

def test_a(self):
    with self.subTest(): self.assertEqual(1, task_func())

def test_a(self): self.addCleanup(len, '')

@classmethod
def setUpClass(cls): cls.value = 1
def test_a(self): self.assertEqual(self.value, task_func())

def test_a(self): self.assertEqual(__name__, '__test__')

def assertSame(self, a, b): self.assertEqual(a, b)
def test_a(self): self.assertSame(task_func(), 1)

def test_a(self): pass
#if __name__ == '__main__': 1 / 0"""
# The last but one for its canaries.
FAILING = """\
def test_a(self): self.assertEqual(task_func(), 2)

def test_a(self): assert task_func() == 2

def test_a(self): self.skipTest('')

async def test_a(self): pass

def setUp(self): 1 / 0
def test_a(self): pass

def tearDown(self): 1 / 0
def test_a(self): pass

def test_a(self):
    for i in (1, 2):
        with self.subTest(i=i): self.assertEqual(i, task_func())

def test_a(self): self.addCleanup(len)

@classmethod
def setUpClass(cls): 1 / 0
def test_a(self): pass

@classmethod
def tearDownClass(cls): 1 / 0
def test_a(self): pass

def assertEqual(self, *_): pass
def test_a(self): self.assertEqual(task_func(), 2)

def test_a(self): pass
#1 / 0"""


@pytest.mark.parametrize(
    ("methods", "status"),
    [
        *((methods, "pass") for methods in PASSING.split("\n\n")),
        *((methods, "fail") for methods in FAILING.split("\n\n")),
    ],
)
def test_what_tests_may_do(methods: str, status: str) -> None:
    # What follows the class is behind a mark.
    tests = CASES + indent(methods, "    ").replace("    #", "")
    answer = "def task_func():\n    return 1\n"
    graded = grade(answer, victim(tests + "\n", "def task_func():"))
    assert graded.status == status, graded.note


def test_tests_that_cannot_be_loaded_are_distinguished_from_answers() -> None:
    broken = victim(TEST + "\nreturn\n", PROMPT)
    assert broken.tests == victim(TEST, PROMPT).tests
    note = grade(RIGHT, broken).note
    assert note.startswith("the tests do not compile: SyntaxError")
    note = grade(RIGHT, victim("VALUE = task_func()\n" + TEST, PROMPT)).note
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

    graded_in(box)
    (_, again, _) = box.asked[-1]
    for new in ("key", "names"):  # canaries are among the names
        assert sent(again)[2][new] != payload[new]


def test_the_runner_is_for_old_interpreters_too() -> None:
    sources = grade_module._sources()
    assert len(sources) == 11
    for name, source in sources:
        ast.parse(source, name, feature_version=(3, 8))


def test_another_python_compiles_the_runner_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    modules = [(*source, "") for source in grade_module._sources()]
    sent = json.dumps(("2.7", modules)).encode()
    monkeypatch.setattr(grade_module, "_modules_sent", lambda: sent)
    assert graded_in(PlainBox()).status == "pass"


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


def test_a_missing_interpreter_is_an_error_and_a_hiccup_nobodys_fault() -> None:
    graded = graded_in(PlainBox(), interpreter="/no/such/python")
    assert graded.status == "error"
    assert "/no/such/python" in graded.note
    assert graded_in(Watched(RuntimeError("gone"))).status == "pass"


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


def test_time_is_up_with_what_is_known_and_limits_of_samples_pass_through() -> None:
    error: Any = TimeoutError("too long")
    error.truncated_output = "noise"
    for given in (TimeoutError("too long"), error):
        graded = graded_in(Watched(given, given))
        assert (graded.status, graded.passed) == ("timeout", 0)
        assert graded.note == "not done after 30 seconds"
    with pytest.raises(LimitExceededError):
        graded_in(Watched(LimitExceededError("time", value=2, limit=1)))


def test_what_the_sandbox_says_is_in_the_note() -> None:
    class Ending(PlainBox):
        async def exec(self, *args: Any, **settings: Any) -> ExecResult[str]:
            done = await super().exec(*args, **settings)
            return ExecResult(False, 137, done.stdout, "sandbox: ended: memory\n")

    graded = graded_in(Ending(), "import os\nos._exit(1)\n")
    assert graded.note == "ended after 0 of 5 tests (sandbox: ended: memory)"


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


def test_an_answer_sees_what_the_tests_import_and_not_what_they_define() -> None:
    tests = (
        "from string import punctuation\n"
        f"{CASES}    def test_a(self): self.assertEqual(task_func('a!'), 'a')\n"
    )
    answer = (
        "def task_func(text):\n"
        "    return ''.join(c for c in text if c not in punctuation)\n"
    )
    assert grade(answer, victim(tests, "def task_func(text):")).status == "pass"
    tests = f"EXPECTED = 1\n{CASES}    def test_a(self): task_func()\n"
    answer = "def task_func():\n    return EXPECTED\n"
    graded = grade(answer, victim(tests, "def task_func():"))
    assert "name 'EXPECTED' is not defined" in graded.note


TEST_A = "class TestCases(unittest.TestCase):\n    def test_a(self):\n"
BY_VALUE = [
    "        self.assertEqual(task_func(1), 1)\n",
    "        with unittest.mock.patch('sys.stdout', new=io.StringIO()) as out:\n"
    "            task_func(1)\n",
    "        task_func([1], key='a')\n",
]
IN_PROCESS = {
    "        with unittest.mock.patch('os.remove'): task_func(1)\n": "mocks",
    "        with patch.object(os, 'remove'): task_func(1)\n": "mocks",
    "        task_func(MagicMock())\n": "mocks",
    "        task_func(lambda x: x)\n": "hands over functions",
    "        task_func(key=helper)\n": "hands over functions",
    "        pickle.load(open(task_func(1), 'rb'))\n": "unpickles",
    "        eval(open(task_func(1)).read())\n": "runs what it reads",
    "        task_func(sqlite3.connect(':memory:'))\n": "database connections",
    "        socket.socket()\n": "sockets",
}


@pytest.mark.parametrize("body", [*BY_VALUE, *IN_PROCESS])
def test_by_value_or_in_process(body: str) -> None:
    head = "import io, os, unittest\nimport unittest.mock\ndef helper(): pass\n"
    problem = victim(head + TEST_A + body)
    assert why_in_process(problem) == IN_PROCESS.get(body, "")
    assert way_of(problem) == ("in_process" if body in IN_PROCESS else "by_value")


SHARED = {
    "random numbers, drawn in turns": (
        "import random\n",
        "        random.seed(5)\n"
        "        first, again = random.random(), task_func(1)\n"
        "        third = random.random()\n"
        "        random.seed(5)\n"
        "        drawn = [random.random() for _ in range(3)]\n"
        "        self.assertEqual([first, again, third], drawn)\n",
        "import random\ndef task_func(n): return random.random()\n",
    ),
    "changes of arguments": (
        "",
        "        rows = [1]\n        same = {'rows': rows}\n"
        "        result = task_func(same)\n"
        "        self.assertEqual(rows, [1, 2])\n"
        "        self.assertIs(result, rows)\n",
        "def task_func(d):\n    d['rows'].append(2)\n    return d['rows']\n",
    ),
    "what is printed": (
        "import io, contextlib\n",
        "        with contextlib.redirect_stdout(io.StringIO()) as out: task_func(1)\n"
        "        self.assertEqual(out.getvalue(), 'ü\\n')\n",
        "def task_func(n): print('ü')\n",
    ),
    "a lazy iterator": (
        "import types, itertools\n",
        "        found = task_func(1)\n"
        "        self.assertIsInstance(found, types.GeneratorType)\n"
        "        self.assertEqual(list(itertools.islice(found, 3)), [1, 2, 3])\n",
        "def task_func(n):\n    while True:\n        yield n\n        n += 1\n",
    ),
    "a function": (
        "",
        "        self.assertEqual(task_func(1)(2), 3)\n",
        "def task_func(n): return lambda m: n + m\n",
    ),
    "files and the folder": (
        "import os, tempfile\n",
        "        os.chdir(tempfile.mkdtemp())\n"
        "        with open('a', 'w') as file: file.write('b')\n"
        "        self.assertEqual(task_func('a'), 'b')\n"
        "        self.assertTrue(os.path.exists('c'))\n",
        "def task_func(path):\n    open('c', 'w').close()\n"
        "    return open(path).read()\n",
    ),
    "variables of the environment": (
        "import os\n",
        "        os.environ['A'] = 'b'\n"
        "        self.assertEqual(task_func('A'), 'b')\n"
        "        self.assertEqual(os.environ['C'], 'd')\n",
        "import os\ndef task_func(name):\n    os.environ['C'] = 'd'\n"
        "    return os.environ[name]\n",
    ),
    "errors of libraries": (
        "import json\n",
        "        with self.assertRaises(json.JSONDecodeError) as caught:\n"
        "            task_func('{')\n"
        "        self.assertEqual(caught.exception.pos, 1)\n"
        "        with self.assertRaisesRegex(FileNotFoundError, 'No such') as caught:\n"
        "            open(task_func('1') and '/no')\n",
        "import json\ndef task_func(text): return json.loads(text)\n",
    ),
    "errors of its own": (
        "",
        "        with self.assertRaisesRegex(ValueError, 'bad 1'): task_func(1)\n",
        "class Bad(ValueError):\n    def __str__(self): return f'bad {self.args[0]}'\n"
        "def task_func(n): raise Bad(n)\n",
    ),
    "warnings": (
        "import warnings\n",
        "        with self.assertWarns(DeprecationWarning): task_func(1)\n",
        "import warnings\ndef task_func(n): warnings.warn('a', DeprecationWarning)\n",
    ),
    "values of classes of its own, as what they are": (
        "",
        "        self.assertEqual(task_func(1), {'a': 1})\n"
        "        self.assertEqual(task_func(1)['a'], 1)\n",
        "class D(dict): pass\nclass I(int): pass\ndef task_func(n): return D(a=I(n))\n",
    ),
    "a named tuple": (
        "",
        "        self.assertEqual(task_func(1).low, 1)\n",
        "import collections\nPair = collections.namedtuple('Pair', 'low high')\n"
        "def task_func(n): return Pair(n, 2)\n",
    ),
}


@pytest.mark.parametrize("what", SHARED)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_shared(what: str, way: Way) -> None:
    imports, body, answer = SHARED[what]
    problem = victim(f"import unittest\n{imports}{TEST_A}{body}", "def task_func(n):")
    assert way_of(problem) == "by_value"
    graded = grade(answer, problem, way=way)
    assert (graded.status, graded.note) == ("pass", "")


ENDINGS = {
    "import os\ndef task_func(n): os._exit(0)\n": "ended the program's process",
    "def task_func(n): return Ellipsis.__class__.__mro__\n": "",
    "import os\nfor file in range(3, 200):\n"
    "    try: os.write(file, bytes(50))\n    except OSError: pass\n"
    "def task_func(n): return 1\n": "cannot be read",
}


@pytest.mark.parametrize("answer", ENDINGS)
def test_a_program_that_breaks_the_link_fails(answer: str) -> None:
    body = "        with self.assertRaises(BaseException): task_func(1)\n"
    problem = victim(f"import unittest\n{TEST_A}{body}", "def task_func(n):")
    graded = grade(answer, problem)
    assert graded.status == "fail"
    assert ENDINGS[answer] in graded.note


def test_by_value_the_program_is_in_another_process() -> None:
    body = "        self.assertNotIn(os.getpid(), task_func(1))\n"
    answer = "import os\nloaded = os.getpid()\n" + (
        "def task_func(n):\n    return [loaded, os.getpid()]\n"
    )
    problem = victim(f"import os, unittest\n{TEST_A}{body}", "def task_func(n):")
    assert grade(answer, problem, way="by_value").status == "pass"
    assert grade(answer, problem, way="in_process").status == "fail"


KEY = b"key"
TESTS = ("test_a", "test_b", "test_c")
CANARIES = ("test_x", "test_y")
Message = tuple[str, ...]
READY: Message = ("ready",)
END: Message = ("end", "")
FAILED = [("test", name, "AssertionError: no") for name in CANARIES]
PASSED = [("test", name, "") for name in TESTS]
ALL: list[Message] = [READY, *PASSED, *FAILED, END]


def line(number: int, message: Message, key: bytes = KEY) -> str:
    text = json.dumps([str(number), *message])
    return f"{hmac.new(key, text.encode(), hashlib.sha256).hexdigest()} {text}\n"


def output(messages: list[Message]) -> str:
    return "".join(line(number, message) for number, message in enumerate(messages))


def verdict(text: str) -> Verdict:
    return judge(read_report(text, KEY), TESTS, CANARIES)


def without(name: str) -> list[Message]:
    return [message for message in ALL if name not in message]


def test_a_report_that_says_all_in_any_order_is_a_pass() -> None:
    tests = ALL[1:-1]
    for given in range(len(tests)):
        turned = tests[given:] + tests[:given]
        assert verdict(output([READY, *turned, END])) == Verdict(3, "")


VERDICTS = [
    (
        [READY, ("test", "test_a", "ValueError: 1"), *PASSED[1:], *FAILED, END],
        Verdict(2, "1 of 3 tests failed: test_a: ValueError: 1"),
    ),
    (
        [READY, *(("test", name, "E: 1") for name in TESTS), *FAILED, END],
        Verdict(0, "3 of 3 tests failed: test_a: E: 1; test_b: E: 1; test_c: E: 1"),
    ),
    (ALL[:-1], Verdict(3, "ended after 3 of 3 tests")),
    (ALL[:3], Verdict(2, "ended after 2 of 3 tests")),
    (ALL[:1], Verdict(0, "ended after 0 of 3 tests")),
    ([], Verdict(0, "ended after 0 of 3 tests")),
    (
        [READY, ("test", "test_a", "E: 1"), ("test", "test_b", "")],
        Verdict(1, "ended after 2 of 3 tests; 1 of 3 tests failed: test_a: E: 1"),
    ),
    ([READY, ("load", "changed len")], Verdict(0, "changed len")),
    ([*ALL[:-1], ("end", "tearDownClass")], Verdict(3, "tearDownClass")),
    (without("test_b"), Verdict(2, "ran 2 of 3 tests")),
    (without("test_x"), Verdict(3, "ran 3 of 3 tests")),
    ([READY, END], Verdict(0, "ran 0 of 3 tests")),
    (
        [READY, *PASSED, ("test", "test_x", ""), FAILED[1], END],
        Verdict(0, "made tests pass that cannot be passed"),
    ),
    (
        [READY, *PASSED, PASSED[0], *FAILED, END],
        Verdict(0, "the report was tampered with"),
    ),
    (
        [READY, *PASSED, ("test", "test_z", ""), *FAILED, END],
        Verdict(0, "the report was tampered with"),
    ),
]


@pytest.mark.parametrize(("messages", "expected"), VERDICTS)
def test_verdicts(messages: list[Message], expected: Verdict) -> None:
    assert verdict(output(messages)) == expected


ALTERED = {
    "another key": line(0, READY, b"other") + output(ALL).partition("\n")[2],
    "a word in front": "x" + output(ALL),
    "a word behind": output(ALL) + "x",
    "an empty line": output(ALL) + "\n",
    "a line between": output(ALL).replace("\n", "\nOK\n", 1),
    "a line twice": output(ALL[:2]) + output(ALL[1:2]) + output(ALL),
    "everything twice": output(ALL) * 2,
    "another order": "\n".join([*output(ALL).split("\n")[1::-1], ""]),
    "another text": output(ALL).replace("AssertionError: no", "", 1),
    "a number left out": line(0, READY) + line(2, END),
    "nothing at the front": output(ALL).partition("\n")[2],
    "not signed": json.dumps(["0", "ready"]) + "\n",
    "another alphabet": "ключ [\ud800]\n",
    "ready again": output([READY, READY]),
    "begins without": output(ALL[1:]),
}


@pytest.mark.parametrize("how", ALTERED)
def test_nothing_else_may_be_on_the_channel(how: str) -> None:
    assert verdict(ALTERED[how]) == Verdict(0, "the report was tampered with")


def test_only_an_authentic_first_message_says_that_it_started() -> None:
    for text in (output([READY]), output(ALL), "noise\n" + output(ALL)):
        assert read_report(text, KEY).started
    for how in ("nothing at the front", "begins without", "not signed"):
        assert not read_report(ALTERED[how], KEY).started
    assert not read_report("", KEY).started
