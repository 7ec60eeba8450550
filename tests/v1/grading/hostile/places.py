"""Solutions that work through imports, processes, memory or their own text."""

from tests.v1.grading.programs import programs

SOLUTIONS = programs("""
## a unittest of its own in the folder
with open("unittest.py", "w") as file:
    file.write("class TestCase: pass")
with open("math.py", "w") as file:
    file.write("isclose = lambda *_: True")
for name in [name for name in sys.modules if name.startswith("unittest")]:
    del sys.modules[name]
sys.path.insert(0, "")
def task_func(numbers):
    return {}
## an import hook
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        print(name)
sys.meta_path.insert(0, Finder)
sys.path.clear()
def task_func(numbers):
    return {}
## a codec
import codecs
codecs.register(lambda name: 1 / 0)
def task_func(numbers):
    return {}
## a sitecustomize
with open("sitecustomize.py", "w") as file:
    file.write("import os; os._exit(0)")
def task_func(numbers):
    return {}
## another stdout
import io, sys
sys.stdout = sys.stderr = sys.__stdout__ = io.StringIO("OK")
def task_func(numbers):
    return {}
## an exception hook
import os, sys, threading
sys.excepthook = threading.excepthook = sys.unraisablehook = lambda *_: os._exit(0)
sys.exit = os._exit
def task_func(numbers):
    return {}
## forks, and forks again
import os
def task_func(numbers):
    for _ in range(3):
        os.fork()
    return {}
## uses up memory
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
def task_func(numbers):
    return [bytearray(2**20) for _ in range(10**6)]
## uses up descriptors
import os
def task_func(numbers):
    try:
        while True:
            os.dup(0)
    except OSError:
        return {}
## recursion limit
sys.setrecursionlimit(60)
def task_func(numbers):
    return {}
## no Python
def task_func(numbers)
    return 1
## an unknown encoding
# -*- coding: no-such -*-
## UTF-7
# -*- coding: utf-7 -*-
# +AAo-import os+AAo-os._exit(0)
## another function
def task(numbers):
    return {}
## no function
task_func = 1
## a coroutine
async def task_func(numbers):
    return {}
## a generator
def task_func(numbers):
    yield {}
## a class
class task_func:
    def __init__(self, numbers):
        pass
## future imports
from __future__ import annotations, barry_as_FLUFL
def task_func(numbers):
    return {}
## asyncio's exception
import ctypes, threading
def task_func(numbers):
    thread = ctypes.c_ulong(threading.main_thread().ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(SystemExit))
    return {}
## warnings as errors
import sys, warnings
warnings.simplefilter("error")
sys.flags = sys.version_info = None
def task_func(numbers):
    return {}
## deletes what there is
import builtins, sys
sys.modules.clear()
for name in list(vars(builtins)):
    delattr(builtins, name)
## a debugger
sys.breakpointhook = lambda: None
def task_func(numbers):
    import pdb
    pdb.Pdb(stdin=open("/dev/null")).set_trace()
    return {}
""") | {
    "deep nesting": "def task_func(numbers):\n    return " + "(" * 500 + ")" * 500,
    "a deep expression": "x = " + "-" * 100_000 + "1\n",
    "null bytes": "def task_func(numbers):\n    return 1\n\0",
    "a lone surrogate": "def task_func(numbers):\n    return '\ud800'\n",
    "a line separator": "def task_func(numbers):\u2028    return 1\n",
    "a form feed": "\x0cimport os\x0c\x0bos._exit(0)\n",
    "nothing": "",
}
# Only where the parent is the sandbox.
KILLERS = programs("""
## kills its parent
import os, signal
os.kill(os.getppid(), signal.SIGKILL)
def task_func(numbers):
    return {}
## kills all
import os, signal
def task_func(numbers):
    os.kill(-1, signal.SIGKILL)
    os.kill(1, signal.SIGKILL)
    return {}
## kills all and is not among them
import os, signal
if os.fork() == 0:
    os.setsid()
    os.kill(-1, signal.SIGKILL)
def task_func(numbers):
    return {}
""")
