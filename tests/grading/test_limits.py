"""What a program may use is bounded, and nothing of it is left."""

import os
import shutil
import signal
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.grading.box import temporary_folder
from inspect_debate.grading.bubblewrap import BubblewrapSandbox
from inspect_debate.grading.supervise import Ended
from inspect_debate.grading.watch import Usage, Watch, measure, open_proc
from tests.grading.served import request
from tests.grading.users import (
    Child,
    User,
    ordinary_child,
    own_child,
    running,
    wait_until,
)

SMALL = {"memory_mb": 120, "disk_mb": 8, "file_mb": 4, "processes": 24}


class Marked:
    """Runs programs that can be distinguished from all others on the host."""

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
    wait_until(lambda: marked.left() == [])


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


BOMB = "import os\nwhile True:\n try: os.fork()\n except OSError: pass"


def test_a_fork_bomb(run: Marked) -> None:
    assert run(BOMB, seconds=0.7).reason == "time"


LARGE = """
file = open("/tmp/x", "wb", 0)
try:
    for written in range(9):
        file.write(bytes(2**20))
except OSError as error:
    print(written, error.strerror)
"""
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


def test_disk_files_and_threads(run: Marked) -> None:
    assert run(FULL).stdout.split() == [b"8", b"ENOSPC"] * 4
    assert run(LARGE).stdout == b"4 File too large\n"
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
    """Nothing of it is left, which the fixture waits for."""
    ended = run(code, seconds=0.3)
    assert (ended.reason, ended.returncode) == ("time", 137)


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


@pytest.mark.parametrize(("written", "reason"), [(69_999, "exit"), (70_000, "output")])
def test_a_byte_more_is_too_much_even_at_the_end(
    run: Marked, written: int, reason: str
) -> None:
    ended = run(f"print('x' * {written})", output=70_000)
    assert (ended.reason, len(ended.stdout)) == (reason, 70_000)


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


MB = 1024


def status(anonymous: int, shared: int, swapped: int = 0, threads: int = 1) -> str:
    """As the kernel writes it, with fields that must not count."""
    return (
        f"Name:\tx\nVmPeak:\t999999 kB\nVmRSS:\t{anonymous + shared + 7} kB\n"
        f"RssAnon:\t{anonymous} kB\nRssFile:\t7000000 kB\nRssShmem:\t{shared} kB\n"
        f"VmSwap:\t{swapped} kB\nThreads:\t{threads}\nSigQ:\t0/96365\n"
    )


def rollup(anonymous: int, shared: int, swapped: int = 0) -> str:
    return (
        "00400000-7ffe0000 ---p 00000000 00:00 0 [rollup]\nRss: 999999 kB\n"
        f"Pss: 888888 kB\nPss_Anon: {anonymous} kB\nPss_File: 777777 kB\n"
        f"Pss_Shmem: {shared} kB\nSwapPss: {swapped} kB\n"
    )


class Proc:
    """A folder as /proc is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "self").mkdir()
        (folder / "meminfo").write_text("MemTotal: 5 kB\n")
        self.file = os.open(folder, os.O_RDONLY)

    def add(self, number: int, status: str, rollup: str | None = None) -> None:
        place = self.folder / str(number)
        place.mkdir()
        (place / "status").write_text(status, errors="surrogateescape")
        if rollup is not None:
            (place / "smaps_rollup").write_text(rollup)


@pytest.fixture
def proc(tmp_path: Path) -> Iterator[Proc]:
    made = Proc(tmp_path)
    yield made
    os.close(made.file)


Process = tuple[str, str | None]
ONE = status(MB, 0), rollup(MB, 0)
SHARING = status(100 * MB, 0), rollup(25 * MB, 1 * MB, 2 * MB)
TABLES = f"VmPTE:\t{3 * MB} kB\n{status(9 * MB, 0)}", ONE[1]
LARGE_AND_MANY = (
    (status(10 * MB, 20 * MB, 30 * MB, 2), None),
    (status(MB, 0, 0, 5), None),
)
# Processes, and up to how much a rough figure will do, which counts what is shared for
# each of them; else it counts once, but for one that keeps it to itself.
MEASURED: list[tuple[list[Process], float, Usage]] = [
    ([], 0, Usage(0, 0)),
    ([*LARGE_AND_MANY], 100, Usage(61, 7)),
    ([SHARING] * 4, 400, Usage(400, 4)),
    ([SHARING] * 4, 399, Usage(4 * 28, 4)),
    ([(SHARING[0], rollup(50 * MB, 0)), (SHARING[0], None)], 0, Usage(150, 2)),
    ([TABLES], 12, Usage(12, 1)),
    ([TABLES], 11, Usage(4, 1)),
    # A process may call itself anything.
    ([(f"Name:\t²\n{ONE[0]}", ONE[1])], 0, Usage(1, 1)),
    ([(f"Name:\t٣\n{ONE[0]}", ONE[1])], 0, Usage(1, 1)),
    ([(f"Name:\t\udcff\n{ONE[0]}", ONE[1])], 0, Usage(1, 1)),
    ([(f"Name:\tVmSwap:\\n9\n{ONE[0]}", ONE[1])], 0, Usage(1, 1)),
]


@pytest.mark.parametrize(
    ("processes", "enough_mb", "usage"), MEASURED, ids=range(len(MEASURED))
)
def test_usage_of_processes(
    proc: Proc, processes: list[Process], enough_mb: float, usage: Usage
) -> None:
    for number, texts in enumerate(processes, start=1):
        proc.add(number, *texts)
    assert measure(proc.file, enough_mb=enough_mb) == usage


def test_a_process_that_ended_meanwhile_uses_nothing(proc: Proc) -> None:
    (proc.folder / "7").mkdir()
    proc.add(8, *ONE)
    assert measure(proc.file) == Usage(1, 2)


def test_without_time_the_others_are_taken_to_be_alike(proc: Proc) -> None:
    for number in range(1, 11):
        proc.add(number, status(MB, 0, threads=3), ONE[1])
    assert measure(proc.file, enough_mb=100, seconds=-1) == Usage(10, 10)


@pytest.mark.parametrize(("sockets", "memory_mb"), [(64, 1), (65, 3), (164, 201)])
def test_sockets_beyond_the_usual_count(
    proc: Proc, sockets: int, memory_mb: float
) -> None:
    proc.add(1, *ONE)
    (proc.folder / "1" / "net").mkdir()
    listed = f"sockets: used {sockets}\nTCP: inuse 7 orphan 0 tw 0 alloc 9 mem 0\n"
    (proc.folder / "1" / "net" / "sockstat").write_text(listed)
    assert measure(proc.file).memory_mb == memory_mb


def test_the_proc_of_the_host_and_of_nobody_are_not_a_sandboxs() -> None:
    assert open_proc(f"/proc/{os.getpid()}") is None
    assert open_proc(f"/proc/{2**22 + 1}") is None


WATCHED = [
    (Usage(99.9, 5), None),
    (Usage(100.1, 5), "memory"),
    (Usage(99.9, 6), "processes"),
    (Usage(100.1, 6), "memory"),
]


@pytest.mark.parametrize(("used", "excess"), WATCHED)
def test_the_watch_says_what_is_too_much(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, used: Usage, excess: str | None
) -> None:
    module = "inspect_debate.grading.watch"
    opened = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.setattr(f"{module}.open_proc", lambda first: opened)
    monkeypatch.setattr(f"{module}.measure", lambda proc, enough_mb: used)
    with Watch(memory_mb=100, processes=5) as watch:
        assert watch.excess("/proc/1") == excess
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(opened)


def test_a_run_that_cannot_be_watched_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with Watch(memory_mb=100, processes=5) as watch:
        assert watch.excess(None) is None
        monkeypatch.setattr("inspect_debate.grading.watch._BLIND", -1)
        assert watch.excess(None) == "blind"


def sent(child: Child, code: str) -> None:
    assert child.stdin is not None
    child.stdin.write(request(code, b""))
    child.stdin.flush()


def only_child(process: int) -> int:
    return int(Path(f"/proc/{process}/task/{process}/children").read_text())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing")
@pytest.mark.parametrize("start", [own_child, ordinary_child])
def test_no_process_outlives_us(tmp_path: Path, start: Callable[[Path], Child]) -> None:
    if start is ordinary_child and os.geteuid() != 0:
        pytest.skip("only root can start one as another user")
    mark = uuid4().hex

    def inside() -> bool:
        return any("python" in name for name in running(mark))

    with start(tmp_path) as child:
        sent(child, f"# {mark}\nimport time; time.sleep(60)")
        wait_until(inside)
        ours = only_child(child.pid) if start is ordinary_child else child.pid
        os.kill(ours, signal.SIGKILL)
        wait_until(lambda: not running(mark))


def test_folders_of_processes_that_are_gone_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone, other = 2**22 + 1, tmp_path / "other"
    kept = {other.name, f"inspect-debate-{gone}-link", "inspect-debate-x-y"}
    for name in (f"inspect-debate-{gone}-a1_b", "inspect-debate-x-y", other.name):
        (tmp_path / name / "files").mkdir(parents=True)
    (tmp_path / f"inspect-debate-{gone}-link").symlink_to(other)
    with temporary_folder() as ours:
        anyio.run(BubblewrapSandbox.cli_cleanup, None)
        assert {path.name for path in tmp_path.iterdir()} == {*kept, Path(ours).name}
    assert (other / "files").exists()


def test_without_a_place_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/does/not/exist")
    with pytest.raises(InputError, match=r"/does/not/exist.* set TMPDIR"):
        temporary_folder()
