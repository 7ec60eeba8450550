"""Right answers to the task of `victim` in unusual ways and of unusual form."""

from tests.v1.grading.victim import RIGHT

_RIGHT = RIGHT.replace("task_func", "answer")
_CALLED = "\ndef task_func(numbers):\n    return answer(numbers)\n"

HONEST = {
    "plain": RIGHT,
    "prints much": _RIGHT
    + """
import sys
print("FAILED (failures=5)", file=sys.stderr)
def task_func(numbers):
    for _ in range(20000):
        print("x" * 100)
    return answer(numbers)
""",
    "prints undecodable bytes": "import os\nos.write(1, bytes(range(256)))\n" + RIGHT,
    "threads": _RIGHT
    + """
import threading
from concurrent.futures import ThreadPoolExecutor
threading.Thread(target=threading.Event().wait).start()
def task_func(numbers):
    with ThreadPoolExecutor() as pool:
        return pool.submit(answer, numbers).result()
""",
    "processes": _RIGHT
    + """
import multiprocessing, subprocess, sys
def task_func(numbers):
    if numbers:
        code = "import sys; print(sum(map(int, sys.argv[1:])))"
        command = [sys.executable, "-c", code, *map(str, numbers)]
        output = subprocess.run(command, capture_output=True, text=True).stdout
        context = multiprocessing.get_context("fork")
        with context.Pool(1) as pool:
            assert pool.map(abs, [int(output)]) == [abs(sum(numbers))]
    return answer(numbers)
""",
    "a process that stays": _RIGHT
    + """
import subprocess
def task_func(numbers):
    subprocess.Popen(["sleep", "60"])
    return answer(numbers)
""",
    "a dict with a sensible __eq__": _RIGHT
    + """
class Result(dict):
    def __eq__(self, other):
        return isinstance(other, dict) and dict(self) == dict(other)
    __hash__ = None
def task_func(numbers):
    return Result(answer(numbers))
""",
    "numbers of its own": _RIGHT
    + """
class Number(float):
    def __eq__(self, other):
        return math.isclose(self, other)
    def __sub__(self, other):
        return Number(float(self) - other)
    __hash__ = float.__hash__
def task_func(numbers):
    return {name: Number(value) for name, value in answer(numbers).items()}
""",
    "a dataclass": _RIGHT
    + """
from dataclasses import asdict, dataclass
@dataclass(frozen=True)
class Result:
    total: int
    mean: float
    spread: float
def task_func(numbers):
    return asdict(Result(**answer(numbers)))
""",
    "named tuples and enumerations": _RIGHT
    + """
import enum, typing
from collections import namedtuple
Result = namedtuple("Result", "total mean spread")
class Names(enum.Enum):
    TOTAL = "total"
class Other(typing.NamedTuple):
    total: int
def task_func(numbers):
    return Result(**answer(numbers))._asdict()
""",
    "memory between calls": """
seen = {}
def task_func(numbers):
    global seen
    seen = {**seen, len(seen): numbers}
"""
    + "".join(f"    {line}\n" for line in RIGHT.splitlines()[2:]).replace(
        "        ", "    "
    ),
    "logging and tracebacks": _RIGHT
    + """
import logging, traceback, warnings
logging.basicConfig(level=logging.DEBUG)
def task_func(numbers):
    logging.info("called with %s", numbers)
    warnings.warn("called")
    try:
        return answer(numbers)
    except ValueError:
        traceback.print_exc()
        traceback.print_stack()
        logging.exception("no numbers")
        raise
""",
    "a recursion limit, and depth": _RIGHT
    + """
import sys
sys.setrecursionlimit(20000)
def down(n):
    return n and down(n - 1)
def task_func(numbers):
    down(5000)
    return answer(numbers)
""",
    "recursion of the function itself": """
def task_func(numbers, depth=900):
    if depth:
        return task_func(numbers, depth - 1)
"""
    + "\n".join(RIGHT.splitlines()[2:]),
    "seeds": _RIGHT + "import random\nrandom.seed(0)" + _CALLED,
    "decorators": _RIGHT
    + """
import functools
@functools.lru_cache
def cached(numbers):
    return answer(list(numbers))
def task_func(numbers):
    return cached(tuple(numbers)) if len(numbers) > 1 else answer(numbers)
""",
    "a decorated function": """
import contextlib
@contextlib.contextmanager
def ready():
    yield
@ready()
"""
    + RIGHT.lstrip(),
    "a lambda": _RIGHT + "task_func = lambda numbers: answer(numbers)\n",
    "a callable object": _RIGHT
    + """
class Function:
    def __call__(self, numbers):
        return answer(numbers)
task_func = Function()
""",
    "asyncio": _RIGHT
    + """
import asyncio
async def later(numbers):
    await asyncio.sleep(0)
    return answer(numbers)
def task_func(numbers):
    return asyncio.run(later(numbers))
""",
    "a module of its own": _RIGHT
    + """
with open("helper_module.py", "w") as file:
    file.write("def same(value): return value")
import helper_module
def task_func(numbers):
    return helper_module.same(answer(numbers))
""",
    "an SSL context for all": "import ssl\n"
    "ssl._create_default_https_context = ssl._create_unverified_context\n" + RIGHT,
    "a signal handler": _RIGHT
    + """
import signal
def task_func(numbers):
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    return answer(numbers)
""",
    "closes its output": _RIGHT
    + """
import sys
def task_func(numbers):
    sys.stdout = None
    return answer(numbers)
""",
    "another folder": _RIGHT
    + """
import tempfile
def task_func(numbers):
    os.chdir(tempfile.mkdtemp())
    return answer(numbers)
""",
    "memory collected": _RIGHT + "import gc\ngc.collect()\ngc.disable()" + _CALLED,
    "exec": f"exec({RIGHT!r})\n",
    "a main block": RIGHT + "if __name__ == '__main__':\n    raise SystemExit(1)\n",
    "a profiler": _RIGHT
    + """
import cProfile, pstats
def task_func(numbers):
    profiler = cProfile.Profile()
    profiler.enable()
    result = profiler.runcall(answer, numbers)
    profiler.disable()
    with cProfile.Profile():
        pstats.Stats(profiler)
    return result
""",
    "warnings and plots that show nothing": _RIGHT
    + """
import json.decoder, logging, warnings
warnings.warn = logging.info = json.load = lambda *_, **__: None
"""
    + _CALLED,
    "code of its own": _RIGHT
    + """
import codeop, marshal, types
code = compile("def same(value): return value", "", "exec")
exec(marshal.loads(marshal.dumps(code)))
exec(codeop.compile_command("seven = 7"))
def own(value=1, *, by=2):
    return value
own.__defaults__, own.__kwdefaults__ = (3,), {"by": 4}
def task_func(numbers):
    return same(answer(numbers))
""",
    "an interval": _RIGHT
    + """
class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high
    def __contains__(self, number):
        return self.low <= number <= self.high
    def __eq__(self, other):
        return type(other) is Interval and vars(self) == vars(other)
class Total(int):
    def __contains__(self, number):
        return number in Interval(0, self)
    def __eq__(self, other):
        return int(self) == other
    __hash__ = int.__hash__
def task_func(numbers):
    result = answer(numbers)
    return {**result, "total": Total(result["total"])}
""",
    "a class pickled, and a process that unpickles it": _RIGHT
    + """
import multiprocessing, pickle
class Box:
    def __init__(self, numbers):
        self.numbers = numbers
def unpacked(box):
    return answer(box.numbers)
def task_func(numbers):
    box = pickle.loads(pickle.dumps(Box(numbers)))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.map(unpacked, [box])
    result = answer(numbers)
    assert not numbers or found == [result]
    return result
""",
    "an alarm in the main thread": _RIGHT
    + """
import signal, threading, time
class Late(Exception):
    pass
def late(number, frame):
    raise Late
def task_func(numbers):
    assert threading.current_thread() is threading.main_thread()
    assert threading.active_count() == 1
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        time.sleep(5)
    except Late:
        return answer(numbers)
""",
    "children that end, and that return": _RIGHT
    + """
import sys
def task_func(numbers):
    child = os.fork()
    if child == 0 and numbers:
        sys.exit(0)
    if child:
        os.waitpid(child, 0)
    return answer(numbers)
""",
    "names of built-in functions": "def set(value):\n    return value\n" + RIGHT,
}


_BODY = RIGHT.strip()

ODD = {
    "a Greek variable": RIGHT.replace("total", "τ").replace('"τ"', '"total"'),
    "a German function": _RIGHT.replace("answer", "größe")
    + _CALLED.replace("answer", "größe"),
    "a Chinese parameter": RIGHT.replace("numbers", "数"),
    "a class with an accent": _RIGHT
    + "class Résultat:\n    def calculé(self, n):\n        return answer(n)\n"
    + "def task_func(numbers):\n    return Résultat().calculé(numbers)\n",
    "an identifier that is normalized": _RIGHT
    + "ﬁle = 1\nassert file == 1\n"
    + _CALLED,
    "an attribute that is not ASCII": _RIGHT
    + "def task_func(numbers):\n    task_func.größe = 1\n    return answer(numbers)\n",
    "an f-string with one": _RIGHT + "é = 1\nassert f'{é}' == '1'\n" + _CALLED,
    "a byte-order mark": "\ufeff" + RIGHT,
    "a byte-order mark, and a future": (
        "\ufefffrom __future__ import annotations\n" + RIGHT
    ),
    "line ends of Windows": RIGHT.replace("\n", "\r\n"),
    "line ends of Windows, and a future": (
        "from __future__ import annotations\n" + RIGHT
    ).replace("\n", "\r\n"),
    "old line ends": RIGHT.replace("\n", "\r"),
    "line ends of both kinds": RIGHT.replace("\n", "\r\n", 3),
    "no line end": _BODY,
    "many line ends": "\n" * 50 + RIGHT + "\n" * 50,
    "spaces at its end": RIGHT + "    ",
    "a comment at its end": _BODY + "  # done",
    "form feeds": RIGHT.replace("\n    total", "\n\f\n    total"),
    "tabs": RIGHT.replace("        ", "\t\t").replace("    ", "\t"),
    "one space": RIGHT.replace("    ", " "),
    "semicolons": RIGHT.replace(
        "json.dumps(numbers)\n    total", "json.dumps(numbers); total"
    ),
    "lines that go on": RIGHT.replace(" / 2", " \\\n        / 2"),
    "a shebang and a cookie": "#!/usr/bin/python3\n# -*- coding: latin-1 -*-\n" + RIGHT,
    "a docstring": '"""Ein Modul für alle."""\n' + RIGHT,
    "a docstring and a future": '"""A."""\nfrom __future__ import annotations\n'
    + RIGHT,
    "a main block": RIGHT + "if __name__ == '__main__':\n    print(task_func([1]))\n",
    "a main function": RIGHT
    + "def main():\n    task_func([])\nif __name__ == '__main__':\n    main()\n",
    "prints": "print('begun')\n" + RIGHT + "print(task_func([1, 2]), flush=True)\n",
    "prints to stderr": "import sys\n" + RIGHT + "print('é', file=sys.stderr)\n",
    "writes": "import sys\nsys.stdout.write('é\\n')\nsys.stdout.flush()\n" + RIGHT,
    "an async helper": _RIGHT
    + "import asyncio\nasync def help_(n):\n    return answer(n)\n"
    + "def task_func(numbers):\n    return asyncio.run(help_(numbers))\n",
    "many async helpers": _RIGHT
    + "import asyncio\nasync def one(n):\n    await asyncio.sleep(0)\n    return n\n"
    + "async def all_(n):\n    return await asyncio.gather(*map(one, n))\n"
    + "def task_func(numbers):\n    return answer(asyncio.run(all_(numbers)))\n",
    "a loop of its own": _RIGHT
    + "import asyncio\nasync def help_(n):\n    return answer(n)\n"
    + "def task_func(numbers):\n    loop = asyncio.new_event_loop()\n"
    + "    try:\n        return loop.run_until_complete(help_(numbers))\n"
    + "    finally:\n        loop.close()\n",
    "an async generator": _RIGHT
    + "import asyncio\nasync def each(n):\n    for x in n:\n        yield x\n"
    + "async def all_(n):\n    return [x async for x in each(n)]\n"
    + "def task_func(numbers):\n    return answer(asyncio.run(all_(numbers)))\n",
    "type hints": RIGHT.replace("(numbers)", "(numbers: 'list[Number]') -> dict", 1),
    "a match statement": _RIGHT
    + "def task_func(numbers):\n    match numbers:\n        case [*all_]:\n"
    + "            return answer(all_)\n",
    "an assignment in an expression": RIGHT.replace(
        "total = sum(numbers)", "(total := sum(numbers))"
    ),
    "names of its own for all": "__all__ = ['task_func']\n__version__ = '1'\n" + RIGHT,
    "the function twice": "def task_func(numbers):\n    return None\n" + RIGHT,
    "imports again": "import json, math, os\nfrom math import *\n" + RIGHT,
    "a try around its imports": (
        "try:\n    import no_such_module\nexcept ImportError:\n    pass\n" + RIGHT
    ),
    "an assertion on itself": RIGHT + "assert task_func([1])['total'] == 1\n",
    "a decorator of its own": "import functools\ndef same(function):\n"
    "    @functools.wraps(function)\n    def inner(*args):\n"
    "        return function(*args)\n    return inner\n@same\n" + RIGHT.lstrip(),
    "functions in functions": "def outer():\n"
    + "\n".join(f"    {line}" for line in _BODY.splitlines())
    + "\n    return task_func\ntask_func = outer()\n",
    "looks at its own frame's name": _RIGHT
    + "def task_func(numbers):\n    name = task_func.__name__\n"
    + "    assert name == 'task_func'\n    return answer(numbers)\n",
}
