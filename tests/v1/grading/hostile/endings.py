"""Solutions that end the run before the tests could."""

from tests.v1.grading.programs import programs

SOLUTIONS = programs("""
## sys.exit at load
import sys
sys.exit(0)
## SystemExit at load
raise SystemExit(0)
## quit at load
import site
site.setquit()
quit()
## os._exit at load
import os
os._exit(0)
## os.abort at load
import os
os.abort()
## KeyboardInterrupt at load
raise KeyboardInterrupt
## GeneratorExit at load
raise GeneratorExit
## sys.exit when called
import sys
def task_func(numbers):
    sys.exit(0)
## os._exit when called
import os
def task_func(numbers):
    os._exit(0)
## SkipTest when called
import unittest
def task_func(numbers):
    raise unittest.SkipTest("not today")
## SkipTest at load
import unittest
raise unittest.SkipTest("not today")
## GeneratorExit when called
def task_func(numbers):
    raise GeneratorExit
## StopIteration when called
def task_func(numbers):
    raise StopIteration
## kills itself
import os, signal
def task_func(numbers):
    os.kill(os.getpid(), signal.SIGKILL)
## terminates itself
import os, signal
def task_func(numbers):
    os.kill(os.getpid(), signal.SIGTERM)
## segmentation fault
import ctypes
def task_func(numbers):
    ctypes.string_at(0)
## stack overflow
import sys
def task_func(numbers):
    sys.setrecursionlimit(10**9)
    def down(n):
        return str.join("", map(down, [n + 1]))
    return down(0)
## exit handlers
import atexit, os
atexit.register(os._exit, 0)
raise SystemExit(0)
## exit from a thread
import os, threading, time
def later():
    time.sleep(0.01)
    os._exit(0)
threading.Thread(target=later).start()
def task_func(numbers):
    time.sleep(0.2)
## exit from a signal handler
import os, signal
signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
signal.setitimer(signal.ITIMER_REAL, 0.001)
def task_func(numbers):
    while True:
        pass
## replaces the process
import os
def task_func(numbers):
    os.execv("/bin/true", ["true"])
## replaces the process at load
import os, sys
os.execv(sys.executable, [sys.executable, "-c", "print('OK')"])
## exits while an exception is shown
import os
class Failed(Exception):
    def __str__(self):
        os._exit(0)
def task_func(numbers):
    raise Failed
""")
TIMEOUTS = programs("""
## loops
def task_func(numbers):
    while True:
        pass
## sleeps at load
import time
time.sleep(600)
## ignores every interruption
import signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
    signal.signal(number, signal.SIG_IGN)
def task_func(numbers):
    while True:
        try:
            time.sleep(600)
        except BaseException:
            pass
""")
