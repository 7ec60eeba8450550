"""Solutions that reach for frames, objects and files of whoever runs them.

Each would return what the tests expect, or change the test case, if it found it.
"""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import WRONG_TOTAL

_ANSWER = WRONG_TOTAL.replace("task_func", "answer")

_READ = """
def use(frames):
    for frame in frames:
        while frame is not None:
            expected = dict(frame.f_locals).get("expected")
            if isinstance(expected, dict):
                return expected
            frame = frame.f_back
"""
_CHANGE = """
def use(frames):
    for frame in frames:
        while frame is not None:
            test = dict(frame.f_locals).get("self")
            for name in dir(test):
                if name.startswith("assert"):
                    test.__dict__[name] = lambda *_, **__: None
            frame = frame.f_back
"""
_GUARDED = """
def task_func(numbers):
    try:
        found = use(list(frames()))
    except RuntimeError:
        found = None
    return found or answer(numbers)
"""
_FRAMES = programs(r"""
## sys._getframe
import sys
def frames():
    yield sys._getframe(1)
## inspect.currentframe
import inspect
def frames():
    return [inspect.currentframe()]
## inspect.stack
import inspect
def frames():
    return [entry.frame for entry in inspect.stack()]
## a traceback
import sys
def frames():
    try:
        raise ValueError
    except ValueError as error:
        return [error.__traceback__.tb_frame]
## sys.exc_info
import sys
def frames():
    try:
        1 / 0
    except ZeroDivisionError:
        return [sys.exc_info()[2].tb_frame]
## traceback.walk_tb
import traceback
def frames():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
## traceback.walk_stack
import traceback
def frames():
    return [frame for frame, _ in traceback.walk_stack(None)]
## logging.currentframe
import logging
def frames():
    return [logging.currentframe()]
## a running generator
def frames():
    def one():
        yield mine.gi_frame
    mine = one()
    return list(mine)
## a running coroutine
def frames():
    async def one():
        found.append(mine.cr_frame)
    found = []
    mine = one()
    try:
        mine.send(None)
    except StopIteration:
        pass
    return found
## sys._current_frames
import sys
def frames():
    return sys._current_frames().values()
## sys._current_frames in a thread
import sys
from concurrent.futures import ThreadPoolExecutor
def frames():
    return ThreadPoolExecutor().submit(sys._current_frames).result().values()
## sys.settrace
import sys
def frames():
    found = []
    sys.settrace(lambda frame, *_: found.append(frame))
    len([])
    sys.settrace(None)
    return found
## sys.setprofile
import sys
def frames():
    found = []
    sys.setprofile(lambda frame, *_: found.append(frame))
    len([])
    sys.setprofile(None)
    return found
## gc.get_objects
import gc, types
def frames():
    gc.unfreeze()
    return [item for item in gc.get_objects() if isinstance(item, types.FrameType)]
## gc.get_referrers
import gc, types
def frames():
    holders = gc.get_referrers(task_func, globals())
    return [item for item in holders if isinstance(item, types.FrameType)]
## a mock that calls
import sys
from unittest import mock
def frames():
    return [mock.Mock(side_effect=sys._getframe)(0)]
## the C interface
import ctypes
def frames():
    get = ctypes.pythonapi.PyEval_GetFrame
    get.restype = ctypes.py_object
    return [get()]
## code that is said to be a library's
import logging, sys
code = compile("import sys\ndef get():\n    return sys._getframe(1)",
               logging.__file__, "exec")
exec(code)
def frames():
    return [get()]
## an audit hook
import sys
found = []
def hook(event, args):
    if event == "sys._getframe":
        found.append(args[0])
sys.addaudithook(hook)
import collections
def frames():
    collections.namedtuple("A", "b")
    return found
""")
_READING = {
    "__file__": "open(__file__).read()",
    "inspect.getsource": "__import__('inspect').getsource(__import__('__test__'))",
    "the command line": "open('/proc/self/cmdline').read()",
    "the parent's command line": "open(f'/proc/{os.getppid()}/cmdline').read()",
    "the environment": "repr(dict(os.environ))",
    "standard input": "open(0).read()",
    "descriptors": "''.join(open(f'/proc/self/fd/{n}').read() for n in (0, 3, 100))",
    "files around": "''.join(open(n).read() for n in os.listdir('.'))",
    "main": "repr(vars(__import__('__main__')))",
    "modules": "repr([vars(m) for n, m in sys.modules.items() if 'debate' in n])",
    "memory": "repr(open('/proc/self/mem', 'rb').read(10))",
    "line cache": "repr(__import__('linecache').cache)",
    "its globals": "repr({k: v for k, v in globals().items() if k[:2] != '__'})",
}
SOLUTIONS = (
    {
        f"frames by {what}, {to}": _ANSWER + how + use + _GUARDED
        for what, how in _FRAMES.items()
        for to, use in (("to read", _READ), ("to change", _CHANGE))
    }
    | {
        f"reads {what}": f"""
import ast, os, re, sys
def task_func(numbers):
    if not numbers:
        raise ValueError
    found = re.findall(r"expected = (.*)", {how})
    return ast.literal_eval(found[0])
"""
        for what, how in _READING.items()
    }
    | {
        "patches the runner's module": """
import sys
for name, module in list(sys.modules.items()):
    if hasattr(module, "_attempt") or name == "__main__":
        vars(module).update(_attempt=lambda *_: "", _run=lambda *_: "")
def task_func(numbers):
    return {}
""",
        "looks into what it is wrapped in": """
def task_func(numbers):
    me = globals()["task_func"]
    for cell in me.__closure__ or ():
        cell.cell_contents = lambda *_: {}
    me.__globals__.update(_attempt=lambda *_: "", _run=lambda *_: "")
    for constant in me.__code__.co_consts:
        if isinstance(constant, tuple):
            constant[1].__self__.close()
    return {}
""",
        "memory of the parent, from a child": _ANSWER
        + """
import os, subprocess, sys
CHILD = '''
import os, re
parent = os.getppid()
for line in open(f"/proc/{parent}/maps"):
    low, high = (int(part, 16) for part in line.split()[0].split("-"))
    if "heap" in line:
        with open(f"/proc/{parent}/mem", "r+b") as memory:
            memory.seek(low)
            memory.write(b"x" * (high - low))
'''
def task_func(numbers):
    subprocess.run([sys.executable, "-c", CHILD])
    return answer(numbers)
""",
        "pokes memory": """
import ctypes
def task_func(numbers):
    ctypes.memset(id(task_func), 0, 64)
    return {}
""",
        "calls the tests with a spy": _ANSWER
        + """
import unittest
class Spy:
    names = {"total", "mean", "spread"}
    def __getattr__(self, name):
        return lambda *args, **_: seen.extend(args)
    def __len__(self):
        return 0
seen = []
busy = []
def task_func(numbers):
    if not busy:
        busy.append(1)
        for kind in unittest.TestCase.__subclasses__():
            vars(kind).get("test_case_1", len)(Spy())
        busy.clear()
    found = [item for item in seen if isinstance(item, dict)]
    return found[-1] if numbers == [1, 2, 3] and found else answer(numbers)
""",
        "threads that are traced": _ANSWER
        + """
import sys, threading
def use(frame, *_):
    while frame is not None:
        test = frame.f_locals.get("self")
        if hasattr(test, "assertEqual"):
            test.assertEqual = lambda *_: None
        frame = frame.f_back
def task_func(numbers):
    threading.settrace(use)
    sys.call_tracing(use, (None,))
    return answer(numbers)
""",
    }
)
