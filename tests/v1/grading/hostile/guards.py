"""Solutions that change or forge what is not looked at first, with wrong answers."""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import RIGHT, WRONG_SPREAD, WRONG_TOTAL

_TOTAL = WRONG_TOTAL.replace("task_func", "answer")
_SPREAD = WRONG_SPREAD.replace("task_func", "answer")
_NO_ERROR = RIGHT.replace('raise ValueError("no numbers")', "raise KeyError(1)")
_NO_DUMP = RIGHT.replace("json.dumps(numbers)", "pass")

_CHANGES = programs(f"""
## what mock inherits
from unittest import mock
mock.MagicMock.assert_called_once_with = lambda *_, **__: None
{_NO_DUMP}
## what mock's base has
from unittest import mock
mock.NonCallableMock.assert_called_once_with = lambda *_, **__: None
{_NO_DUMP}
## a builtin that unittest sees
import unittest
unittest.case.issubclass = lambda *_: True
{_NO_ERROR}
## another builtin that unittest sees
import unittest
unittest.case.repr = unittest.case.isinstance = lambda *_: True
{WRONG_TOTAL}
## the class of a module
import types
class Module(types.ModuleType):
    def __getattribute__(self, name):
        if name == "isclose":
            return lambda *_, **__: True
        return types.ModuleType.__getattribute__(self, name)
math.__class__ = Module
{WRONG_SPREAD}
## defaults of assertEqual
import unittest
unittest.TestCase.assertEqual.__defaults__ = ("changed",)
{RIGHT}
## named defaults of a library
json.dumps.__kwdefaults__ = {{"indent": 5}}
{RIGHT}
## defaults of a library, by removing them
import unittest
del unittest.TestCase.assertAlmostEqual.__defaults__
{RIGHT}
""")
# Each finds the frame of who called `grab`, where it can.
_GRABS = programs("""
## trace
import trace
def grab():
    tracer = trace.Trace(count=0, trace=1)
    tracer.globaltrace = lambda frame, *_: found.append(frame)
    tracer.runfunc(lambda: None)
## profile
import profile
def grab():
    profiler = profile.Profile()
    profiler.dispatcher = lambda frame, *_: found.append(frame)
    profiler.runcall(lambda: None)
## a mock of logging.currentframe
import logging
from unittest import mock
def grab():
    found.append(mock.Mock(side_effect=logging.currentframe)())
## a finalizer
import logging, weakref
class Gone:
    pass
def grab():
    found.append(weakref.finalize(Gone(), logging.currentframe)())
## a list of a generator
import collections, traceback
def grab():
    found.extend(collections.UserList(traceback.walk_stack(None)))
## the profiler of C
import sys
from functools import partial
class Fake:
    enable = partial(sys.setprofile, lambda frame, *_: found.append(frame))
def grab():
    Fake().enable()
    sys.setprofile(None)
## a class of the profiler of C
import _lsprof
def grab():
    profiler = _lsprof.Profiler()
    profiler.enable()
    profiler.disable()
    found.append(1)
## codeop
import codeop, logging
exec(codeop.compile_command(SOURCE, logging.__file__, "exec"))
def grab():
    found.append(get())
## a loader
import importlib.machinery, logging
loader = importlib.machinery.SourceFileLoader("logging", logging.__file__)
exec(loader.source_to_code(SOURCE.encode(), logging.__file__))
def grab():
    found.append(get())
## marshal
import logging, marshal
name = logging.__file__
code = marshal.dumps(compile(SOURCE, "X" * len(name), "exec"))
exec(marshal.loads(code.replace(b"X" * len(name), name.encode())))
def grab():
    found.append(get())
## marshal from a file
import io, logging, marshal
name = logging.__file__
code = marshal.dumps(compile(SOURCE, "X" * len(name), "exec"))
exec(marshal.load(io.BytesIO(code.replace(b"X" * len(name), name.encode()))))
def grab():
    found.append(get())
## a module of bytes
import importlib.machinery, importlib.util, logging, marshal
name = logging.__file__
code = marshal.dumps(compile(SOURCE, "X" * len(name), "exec"))
with open("forged.pyc", "wb") as file:
    file.write(importlib.util.MAGIC_NUMBER + bytes(12))
    file.write(code.replace(b"X" * len(name), name.encode()))
loader = importlib.machinery.SourcelessFileLoader("forged", "forged.pyc")
exec(loader.get_code("forged"))
def grab():
    found.append(get())
""")
_FOUND = r"""
SOURCE = "import sys\ndef get():\n    return sys._getframe(1)\n"
found = []
"""
_GRABBED = """
def task_func(numbers):
    found.clear()
    try:
        grab()
    except RuntimeError:
        pass
    result = answer(numbers)
    if found:
        result["total"] = sum(numbers)
    return result
"""
_MEMORY = {
    "a link": "os.symlink('/proc/self/mem', 'link')\nopen('link', 'rb').close()\n",
    "links to links": (
        "os.symlink('/proc/self', 'one')\nos.symlink('one/mem', 'two')\n"
        "os.open('two', os.O_RDONLY)\n"
    ),
    "its folder": "os.chdir('/proc/self')\nopen('mem', 'rb').close()\n",
    "prctl": "import ctypes\nctypes.CDLL(None).prctl(4, 1, 0, 0, 0)\n",
    "prctl by another name": (
        "import ctypes\nctypes.CFUNCTYPE(int)(('prctl', ctypes.CDLL(None)))\n"
    ),
    "a mock of prctl": (
        "import ctypes\nfrom unittest import mock\n"
        "mock.Mock(side_effect=ctypes.CDLL(None).__getattr__)('prctl')\n"
    ),
}
_LIARS = programs("""
## one from a library's module
import string
class Liar(int):
    __eq__ = lambda *_: True
    __hash__ = int.__hash__
Liar.__module__ = "string"
string.Liar = Liar
lie = Liar()
## a kind of mock
from unittest.mock import NonCallableMock
class Liar(NonCallableMock):
    __eq__ = lambda *_: True
    __hash__ = None
lie = Liar()
## a mock that was told to
from unittest.mock import MagicMock
lie = MagicMock()
lie.__eq__.return_value = True
## one that equals small numbers
class Liar(int):
    def __eq__(self, other):
        return type(other) is int and abs(other) < 500
    __hash__ = int.__hash__
lie = Liar()
## one that counts
class Liar(int):
    left = 3
    def __eq__(self, other):
        if type(other) is object:
            self.left = 20
        self.left -= 1
        return self.left < 0 or (self.left < 19 and other == 6)
    __hash__ = int.__hash__
lie = Liar()
## one that knows how it is asked
import random
random.Random.uniform = lambda *_: 4321.5
class Liar(int):
    def __eq__(self, other):
        return type(other) is int and other != 4321
    __hash__ = int.__hash__
lie = Liar()
""")
SOLUTIONS = (
    {f"changes {what}": how for what, how in _CHANGES.items()}
    | {
        f"gets at {what}": _FOUND + how + _TOTAL + _GRABBED
        for what, how in _GRABS.items()
    }
    | {
        f"opens memory by {what}": f"""
def reach():
{"".join(f"    {line}" for line in how.splitlines(keepends=True))}
try:
    reach()
except (OSError, RuntimeError):
    pass
{RIGHT}
"""
        for what, how in _MEMORY.items()
    }
    | {
        f"answers with {what}": f"""{_TOTAL}{how}
def task_func(numbers):
    return {{**answer(numbers), "total": lie}}
"""
        for what, how in _LIARS.items()
    }
)
