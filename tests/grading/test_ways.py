"""In which way tasks are graded, by what their tests do."""

import pytest

from inspect_debate.grading.grade import WAYS, Way, way_of, why_in_process
from tests.grading.running import grade
from tests.grading.victim import victim

CASES = "class TestCases(unittest.TestCase):\n    def test_a(self):\n"
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


def source(body: str) -> str:
    head = "import io, os, unittest\nimport unittest.mock\ndef helper(): pass\n"
    return head + CASES + body


@pytest.mark.parametrize("body", BY_VALUE)
def test_by_value(body: str) -> None:
    assert why_in_process(victim(source(body))) == ""
    assert way_of(victim(source(body))) == "by_value"


@pytest.mark.parametrize("body", IN_PROCESS)
def test_in_process(body: str) -> None:
    assert why_in_process(victim(source(body))) == IN_PROCESS[body]
    assert way_of(victim(source(body))) == "in_process"


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
    problem = victim(f"import unittest\n{imports}{CASES}{body}", "def task_func(n):")
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
    problem = victim(f"import unittest\n{CASES}{body}", "def task_func(n):")
    graded = grade(answer, problem)
    assert graded.status == "fail"
    assert ENDINGS[answer] in graded.note


def test_by_value_the_program_is_in_another_process() -> None:
    body = "        self.assertNotIn(os.getpid(), task_func(1))\n"
    answer = "import os\nloaded = os.getpid()\n" + (
        "def task_func(n):\n    return [loaded, os.getpid()]\n"
    )
    problem = victim(f"import os, unittest\n{CASES}{body}", "def task_func(n):")
    assert grade(answer, problem, way="by_value").status == "pass"
    assert grade(answer, problem, way="in_process").status == "fail"
