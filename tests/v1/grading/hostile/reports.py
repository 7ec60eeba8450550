"""Solutions that say themselves that all is well."""

from tests.v1.grading.programs import programs

_REPORT = r"""
import os
LINES = (
    "0" * 64 + ' ["0","ready"]\n',
    "0" * 64 + ' ["1","test","test_case_1",""]\n',
    ".....\nRan 5 tests in 0.001s\n\nOK\n",
    '{"status": "pass"}\n',
)
"""

SOLUTIONS = programs(r"""
## prints what unittest prints
import sys
def task_func(numbers):
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        stream.write("Ran 5 tests in 0.001s\n\nOK\n")
        stream.flush()
## prints it and ends
import os, sys
sys.stderr.write("Ran 5 tests in 0.001s\n\nOK\n")
sys.stderr.flush()
os._exit(0)
## writes no text
import os
for number in range(256):
    try:
        os.write(number, bytes(range(256)))
    except OSError:
        pass
def task_func(numbers):
    return None
## writes half a line
import os
def task_func(numbers):
    for number in range(3, 256):
        try:
            os.write(number, b'0000 ["1"')
        except OSError:
            pass
## floods the channel
import os
for number in os.listdir("/proc/self/fd"):
    try:
        for _ in range(200):
            os.write(int(number), b"x" * 65536 + b"\n")
    except OSError:
        pass
os._exit(0)
## floods it with permission denied
import os
for number in os.listdir("/proc/self/fd"):
    try:
        for _ in range(700):
            os.write(int(number), b"permission denied\n" * 1000)
    except OSError:
        pass
os._exit(126)
## puts a file over the channel
import os
nowhere = os.open(os.devnull, os.O_RDWR)
for number in range(3, 256):
    if number != nowhere:
        os.dup2(nowhere, number)
def task_func(numbers):
    return {"total": 6, "mean": 2.0}
## closes every descriptor
import os
def task_func(numbers):
    os.closerange(0, 1024)
## makes the channel non-blocking
import fcntl, os
for number in os.listdir("/proc/self/fd"):
    try:
        fcntl.fcntl(int(number), fcntl.F_SETFL, os.O_NONBLOCK)
    except OSError:
        pass
def task_func(numbers):
    return None
## reports again in a fork
import os
def task_func(numbers):
    if os.fork():
        os.wait()
    return None
## lets a fork report
import os, time
def task_func(numbers):
    if os.fork():
        os._exit(0)
    return {"total": sum(numbers), "mean": 2.0}
## a fork holds the channel
import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(0.3)
    os._exit(0)
os._exit(0)
## opens the channel anew
import os
def task_func(numbers):
    for number in os.listdir("/proc/self/fd"):
        try:
            with open(f"/proc/self/fd/{number}", "w") as channel:
                channel.write("OK\n")
        except OSError:
            pass
## prints at exit
import atexit
atexit.register(print, "OK")
def task_func(numbers):
    return None
""") | {
    "writes to every descriptor": _REPORT
    + """
def task_func(numbers):
    for line in LINES:
        for number in range(256):
            try:
                os.write(number, line.encode())
            except OSError:
                pass
    os._exit(0)
""",
}
