"""Solutions that act while the tests are loaded, or walk the frames that lead to them.

The first kind finds no tests when it is loaded, as they have been loaded before; the
second is called in a thread of its own.
"""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import RIGHT, WRONG_TOTAL

_ANSWER = WRONG_TOTAL.replace("task_func", "answer")
_NOTHING = "\ndef task_func(numbers):\n    return None\n"
_COLLECTED = """
import gc
def collected(phase, info):
    kind = globals().get("TestCases")
    for name, method in list(vars(kind).items()) if kind else ():
        if name.startswith("test") and "task_func" in method.__code__.co_names:
            {}
gc.callbacks.append(collected)
gc.set_threshold(1)
"""
_AT_LOAD = {
    "builtins of its own that make classes": """
import builtins
def build(function, name, *bases, **named):
    kind = builtins.__build_class__(function, name, *bases, **named)
    if name == "TestCases":
        for key, method in list(vars(kind).items()):
            if key.startswith("test") and "task_func" in method.__code__.co_names:
                setattr(kind, key, lambda self: None)
    return kind
__builtins__ = {**vars(builtins), "__build_class__": build}
"""
    + _NOTHING,
    "the collector replaces tests": _COLLECTED.format(
        "setattr(kind, name, lambda self: None)"
    )
    + _NOTHING,
    "the collector has tests skipped": _COLLECTED.format(
        "method.__unittest_skip__ = True"
    )
    + _NOTHING,
    "a thread that waits for the tests": """
import threading, time
def wait():
    while "TestCases" not in globals():
        time.sleep(0.001)
    for name, method in list(vars(TestCases).items()):
        if name.startswith("test") and "task_func" in method.__code__.co_names:
            setattr(TestCases, name, lambda self: None)
threading.Thread(target=wait, daemon=True).start()
"""
    + _NOTHING,
    "another ValueError": RIGHT.replace("ValueError", "KeyError")
    + "\nValueError = Exception\n",
    "another set": RIGHT.replace('"total": total, ', '"total": total, "more": 1, ')
    + "\nset = lambda value: {'total', 'mean', 'spread'}\n",
    "names put into the tests' namespace": RIGHT.replace("ValueError", "KeyError")
    + """
import unittest
for kind in unittest.TestCase.__subclasses__():
    if kind.__name__ == "TestCases":
        kind.setUp.__globals__["ValueError"] = KeyError
""",
    "a runner's object in a frame": _ANSWER
    + """
import traceback
def walk(frame):
    while frame is not None:
        cases = frame.f_locals.get("cases")
        for kind in {type(cases), frame.f_globals.get("Cases")} - {type(None), None}:
            kind.run = lambda self, name: "" if name[-1].isdigit() else "failed"
            kind.close = lambda self: ""
        frame = frame.f_back
    return iter(())
real, traceback.walk_stack = traceback.walk_stack, walk
traceback.extract_stack()
traceback.walk_stack = real
"""
    + _NOTHING,
}
_USE = """
found = []
def use(frame):
    while frame is not None:
        expected = frame.f_locals.get("expected")
        if isinstance(expected, dict):
            found.append(expected)
        frame = frame.f_back
"""
_GRABS = programs(r"""
## a signal handler
import signal
signal.signal(signal.SIGUSR1, lambda number, frame: use(frame))
def grab():
    signal.raise_signal(signal.SIGUSR1)
## a timer's signal
import signal, time
signal.signal(signal.SIGALRM, lambda number, frame: use(frame))
def grab():
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    time.sleep(0.01)
## another walk_stack
import traceback
def walk(frame):
    use(frame)
    return iter(())
def grab():
    real, traceback.walk_stack = traceback.walk_stack, walk
    try:
        traceback.extract_stack()
    finally:
        traceback.walk_stack = real
## what logging calls
import logging
def internal(frame):
    use(frame)
    return False
logging._is_internal_frame = internal
def grab():
    logging.warning("x")
## a tracer
import trace
def grab():
    tracer = trace.Trace(count=0, trace=1)
    tracer.globaltrace = lambda frame, *_: use(frame)
    tracer.runfunc(lambda: None)
## a mock of logging
import logging
from unittest import mock
def grab():
    use(mock.Mock(side_effect=logging.currentframe)())
## a finalizer
import logging, weakref
class Thing:
    pass
def grab():
    use(weakref.finalize(Thing(), logging.currentframe)())
## a traceback in memory
import ctypes
def grab():
    try:
        1 / 0
    except ZeroDivisionError as error:
        place = id(error.__traceback__) + 24
        pointer = ctypes.cast(place, ctypes.POINTER(ctypes.c_void_p))
        use(ctypes.cast(pointer[0], ctypes.py_object).value)
## code with another file name
import logging, marshal
name = logging.__file__
code = compile("import sys\ndef get():\n    return sys._getframe(1)\n",
               "X" * len(name), "exec")
exec(marshal.loads(marshal.dumps(code).replace(b"X" * len(name), name.encode())))
def grab():
    use(get())
""")
_CALL = """
def task_func(numbers):
    try:
        grab()
    except RuntimeError:
        pass
    return found[0] if numbers == [1, 2, 3] and found else answer(numbers)
"""
SOLUTIONS = {
    **{f"when loaded: {what}": text for what, text in _AT_LOAD.items()},
    **{
        f"the tests' frames by {what}": _ANSWER + _USE + how + _CALL
        for what, how in _GRABS.items()
    },
    "the same by a callable object": _ANSWER
    + _USE
    + _GRABS["a signal handler"]
    + """
class Function:
    def __call__(self, numbers):
        grab()
        return found[0] if numbers == [1, 2, 3] and found else answer(numbers)
task_func = Function()
""",
    "what the stack's locals are": _ANSWER
    + """
import ast, traceback
def task_func(numbers):
    stack = traceback.walk_stack(None)
    for entry in traceback.StackSummary.extract(stack, capture_locals=True):
        text = (entry.locals or {}).get("expected", "")
        if text.startswith("{"):
            return ast.literal_eval(text)
    return answer(numbers)
""",
}
