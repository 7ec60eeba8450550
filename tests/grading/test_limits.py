"""What a program may use is bounded, and nothing of it is left."""

import time
import zlib
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from inspect_debate.grading.supervise import Ended
from tests.grading.users import User, running

SMALL = {"memory_mb": 120, "disk_mb": 8, "file_mb": 4, "processes": 24}


class Marked:
    """Runs programs that can be told from all others on the host."""

    def __init__(self, user: User) -> None:
        self._user = user
        self._mark = uuid4().hex

    def __call__(self, code: str, **settings: Any) -> Ended:
        return self._user.run(f"# {self._mark}\n{code}", **{**SMALL, **settings})

    def left(self) -> list[str]:
        """The processes on the host that still run any of it."""
        return running(self._mark)


@pytest.fixture
def run(user: User) -> Iterator[Marked]:
    marked = Marked(user)
    yield marked
    # What a command leaves running ends just after it.
    end = time.monotonic() + 10
    while marked.left() and time.monotonic() < end:
        pass
    assert marked.left() == []


FORKED = """
import os, time
def fork(times, work):
    for _ in range(times):
        if os.fork() == 0:
            work()
            os._exit(0)
"""

TOO_MUCH_MEMORY = {
    "of many processes": FORKED
    + "def hold():\n block = b'x' * (40 * 2**20); time.sleep(20)\n"
    + "fork(5, hold); time.sleep(20)",
    "of many sockets": FORKED
    + "import socket\npairs = [socket.socketpair() for _ in range(90)]\n"
    + "time.sleep(20)",
    "of sessions of their own": FORKED
    + "def hold():\n os.setsid(); block = b'x' * (40 * 2**20); time.sleep(20)\n"
    + "fork(5, hold); os.close(1); os.close(2); time.sleep(20)",
}


@pytest.mark.parametrize("code", TOO_MUCH_MEMORY.values(), ids=TOO_MUCH_MEMORY.keys())
def test_memory_of_all_together(run: Marked, code: str) -> None:
    ended = run(code)
    assert (ended.reason, ended.returncode) == ("memory", 137)


def test_files_without_contents_are_memory_too(run: Marked) -> None:
    code = "import os, time\nfor n in range(34_000): os.mknod(f'/tmp/{n}')\n"
    assert run(f"{code}time.sleep(20)", memory_mb=32).reason == "memory"


def test_memory_of_one_process(run: Marked) -> None:
    ended = run("block = bytearray(130 * 2**20)")
    assert (ended.reason, ended.returncode) == ("exit", 1)
    assert ended.stderr.endswith(b"MemoryError\n")


def test_memory_that_is_shared_counts_once(run: Marked) -> None:
    code = FORKED + "block = b'x' * (60 * 2**20)\nfork(4, lambda: time.sleep(0.3))\n"
    ended = run(f"{code}for _ in range(4): os.wait()\nprint('done')")
    assert (ended.reason, ended.stdout) == ("exit", b"done\n")


FULL = """
import errno, os
for place in ("/tmp", "/dev/shm", os.path.expanduser("~"), "."):
    try:
        for number in range(20):
            with open(f"{place}/{number}", "wb") as file:
                file.write(bytes(2**20))
    except OSError as error:
        print(number, errno.errorcode[error.errno])
    for name in os.listdir(place):
        if name.isdigit(): os.unlink(f"{place}/{name}")
"""


def test_disk(run: Marked) -> None:
    assert run(FULL).stdout.split() == [b"8", b"ENOSPC"] * 4


LARGE = """
file = open("/tmp/x", "wb", 0)
try:
    for written in range(9):
        file.write(bytes(2**20))
except OSError as error:
    print(written, error.strerror)
"""


def test_file_size(run: Marked) -> None:
    assert run(LARGE).stdout == b"4 File too large\n"


BOMB = "import os\nwhile True:\n try: os.fork()\n except OSError: pass"


def test_a_fork_bomb(run: Marked) -> None:
    assert run(BOMB, seconds=0.7).reason == "time"


THREADS = """
import threading
done = threading.Event()
try:
    for started in range(99):
        threading.Thread(target=done.wait).start()
except RuntimeError:
    print(started < 24)
done.set()
"""


def test_threads_are_processes_too(run: Marked) -> None:
    assert run(THREADS).stdout == b"True\n"


def test_processor_time(run: Marked) -> None:
    ended = run("while True: pass", cpu_seconds=1)
    assert (ended.reason, ended.returncode) == ("exit", 128 + 24)


OUTLIVING = {
    "asleep": "import time; time.sleep(60)",
    "deaf": "import signal, time\nfor n in range(1, 32):\n"
    " try: signal.signal(n, signal.SIG_IGN)\n except (OSError, ValueError): pass\n"
    "time.sleep(60)",
    "in a session of its own": FORKED
    + "def leave():\n os.setsid(); fork(1, lambda: time.sleep(60)); time.sleep(60)\n"
    + "fork(2, leave); time.sleep(60)",
    "without its streams": "import os, time\n"
    "for n in range(3): os.close(n)\ntime.sleep(60)",
    "stopped": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("code", OUTLIVING.values(), ids=OUTLIVING.keys())
def test_time(run: Marked, code: str) -> None:
    began = time.monotonic()
    ended = run(code, seconds=0.3)
    assert (ended.reason, ended.returncode) == ("time", 137)
    assert time.monotonic() - began < 60  # what they sleep


def test_children_that_hold_the_pipe_end_with_their_parent(run: Marked) -> None:
    code = FORKED + "def leave():\n os.setsid(); fork(1, lambda: time.sleep(60))\n"
    ended = run(f"{code} time.sleep(60)\nfork(2, leave); print('done')")
    assert (ended.reason, ended.stdout) == ("exit", b"done\n")


@pytest.mark.parametrize("stream", [1, 2])
def test_output(run: Marked, stream: int) -> None:
    code = f"import os\nwhile True: os.write({stream}, b'ab' * 2**15)"
    ended = run(code, output=70_001)
    kept = (ended.stdout, ended.stderr)[stream - 1]
    assert ended.reason == "output"
    assert kept == (b"ab" * 40_000)[:70_001]


def test_as_much_as_is_allowed_is_all_kept(run: Marked) -> None:
    ended = run("print('x' * 69_999)", output=70_000)
    assert (ended.reason, len(ended.stdout)) == ("exit", 70_000)


def test_a_byte_more_is_too_much_even_at_the_end(run: Marked) -> None:
    ended = run("print('x' * 70_000)", output=70_000)
    assert (ended.reason, len(ended.stdout)) == ("output", 70_000)


PAYLOAD = bytes(range(256)) * 20_000
READERS = {
    "import sys, zlib; print(zlib.crc32(sys.stdin.buffer.read()))": zlib.crc32(PAYLOAD),
    "import sys; print(sys.stdin.buffer.read(1000)[-1])": 999 % 256,
    "import os, time; os.close(0); time.sleep(0.1); print(5)": 5,
    "print(6)": 6,
}


@pytest.mark.parametrize(("code", "printed"), READERS.items())
def test_input(run: Marked, code: str, printed: int) -> None:
    ended = run(code, input=PAYLOAD)
    assert (ended.reason, int(ended.stdout)) == ("exit", printed)
