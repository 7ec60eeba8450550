"""Programs in a process of their own that reach for that of the tests, and lie."""

from tests.v1.grading.programs import programs
from tests.v1.grading.victim import lying

_SERVER = """
import sys
def server():
    frame = sys._getframe()
    while "question" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["self"]
def say(**answer):
    server()._pipe.send({"changed": [], "shared": {}, **answer})
    server()._pipe.receive()
    return None
"""
_FORGED = {
    "what equals everything, as a class": '["class", "unittest.mock", "_ANY"]',
    "what equals everything, as a handle": (
        '["handle", 1, [["unittest.mock", "_ANY"], ["builtins", "int"]]]'
    ),
    "what equals everything, as an object": (
        '["instance", "_ANY", []], ["namedtuple", "_ANY", [], []]'
    ),
    "a handle that is a number": '["handle", 1, [["builtins", "int"]]]',
    "a pickle": '["array", "|O", [1], "C", "cbuiltins\\nprint\\n."]',
    "a number of something else": '["=", 10**6]',
    "nothing that is known": '["no such word", 1]',
    "lists without end": "json.loads('[' * 900 + ']' * 900)",
    "no JSON of ours": "{'a': 1}",
}
_PLANTED = """
import os
code = '''
import unittest
for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, lambda *_, **__: None)
'''
places = [os.getcwd(), os.path.expanduser("~"), "/tmp"]
for place in places:
    for name in ("pprint", "difflib", "sitecustomize", "usercustomize", "_ssl", "json"):
        try:
            with open(os.path.join(place, name + ".py"), "w") as file:
                file.write(code)
        except OSError:
            pass
os.environ["PYTHONPATH"] = os.environ["PYTHONSTARTUP"] = places[0]
os.environ["PYTHONHOME"] = places[0]
"""
_PARENT = """
import os
def reach():
{how}
try:
    reach()
except (OSError, AttributeError, TypeError):
    pass
"""
_HOWS = programs("""
## its memory
    open(f'/proc/{os.getppid()}/mem', 'r+b').close()
    1 / 0
## its open files
    for name in os.listdir(f'/proc/{os.getppid()}/fd'):
        open(f'/proc/{os.getppid()}/fd/{name}', 'wb').write(b'x')
## its environment
    open(f'/proc/{os.getppid()}/environ').read()
    1 / 0
## it by ptrace
    import ctypes
    if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0: 1 / 0
## all that is open
    import fcntl
    for file in range(3, 1000):
        try: fcntl.fcntl(file, fcntl.F_GETFD)
        except OSError: continue
        if file < 100: os.write(file, b'["0","ready"]\\n')
""")
_RAISED = programs("""
## SkipTest
import unittest
error = unittest.SkipTest('no')
## unittest's own
import unittest.case as c
error = c._ShouldStop()
## the end of an iterator
error = StopIteration()
## the end of a generator
error = GeneratorExit()
## an end by the user
error = KeyboardInterrupt()
## an end
error = SystemExit(0)
## what cannot be made
error = UnicodeDecodeError('a', b'', 0, 1, 'b')
error.args = (1,)
""")
SOLUTIONS = (
    {
        f"sends {what}": lying("int", f"say(value={data})", _SERVER)
        if "], [" not in data
        else lying("int", f"say(value=[{data}])", _SERVER)
        for what, data in _FORGED.items()
    }
    | {
        "sends an exception that skips": lying(
            "last",
            "say(error=['error', [['unittest.case', 'SkipTest'], "
            "['builtins', 'Exception']], [], '', []])",
            _SERVER,
        ),
        "sends two answers": lying(
            "int", "(say(value=1), say(value=10**9))[0]", _SERVER
        ),
        "sends a state of random numbers that is none": lying(
            "int", "say(value=41, shared={'random': [3, ['x'], None]})", _SERVER
        ),
        "plants modules": lying("int", "10**9", _PLANTED),
        "plants modules, and changes the folder": lying(
            "dict", "{'b': 2}", _PLANTED + "os.chdir('/tmp')\n"
        ),
    }
    | {
        f"reaches for {what} of the tests' process": lying(
            "int", "10**9", _PARENT.format(how=how)
        )
        for what, how in _HOWS.items()
    }
    | {
        f"raises {what}": lying("last", "fail()", how + "def fail(): raise error\n")
        for what, how in _RAISED.items()
    }
)
