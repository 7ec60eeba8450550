"""Ends a sandbox if its processes together exceed a limit."""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Literal, NamedTuple, Self

from inspect_debate.v1.grading.bubblewrap_command import WRITABLE

Excess = Literal["memory", "processes", "blind"]
"""What was too much: memory or processes of all together; or nothing could be seen."""

_SHORTEST, _LONGEST = 0.05, 1.0
_IDLE = 10
"""Times the processor time of a look are passed without looking."""
_BLIND = 5.0
"""Seconds for which nothing need be seen, as while bubblewrap builds the sandbox."""


class Watch:
    """Looks at a run from time to time; used as a context, for one run.

    The kernel's own limits hold for each process alone.

    Attributes:
        interval: Seconds until it should look again.
    """

    def __init__(self, memory_mb: int, processes: int) -> None:
        self.interval = _SHORTEST
        self._memory_mb = memory_mb
        self._processes = processes
        self._began = time.monotonic()
        self._proc: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._proc is not None:
            os.close(self._proc)

    def processor_seconds(self) -> float:
        """Processor time that all processes have had so far; 0 if they are not seen."""
        return 0.0 if self._proc is None else processor_seconds(self._proc)

    def excess(self, first: str | None) -> Excess | None:
        """What is used too much of.

        Args:
            first: Where in a /proc the first process inside is found, once known.
        """
        began = time.thread_time()
        if self._proc is None and first is not None:
            self._proc = open_proc(first)
        if self._proc is None:
            return "blind" if time.monotonic() - self._began > _BLIND else None
        used = measure(self._proc, enough_mb=self._memory_mb)
        pause = _IDLE * (time.thread_time() - began)
        self.interval = min(max(pause, _SHORTEST), _LONGEST)
        if used.memory_mb > self._memory_mb:
            return "memory"
        return "processes" if used.processes > self._processes else None


# What the processes of a sandbox use together, measured from outside.
#
# They are found in the sandbox's own /proc, which lists no others; so it costs the same
# however much else runs on the host.

_RESIDENT = ("RssAnon", "RssShmem", "VmSwap")
_TABLES = "VmPTE"
_PROPORTIONAL = ("Pss_Anon", "Pss_Shmem", "SwapPss")


class Usage(NamedTuple):
    """What all processes use together.

    Attributes:
        memory_mb: Memory of their own, in MB; what several share counts once. What
            the kernel keeps for them is part of it, as far as it can be seen.
        processes: Processes and threads.
    """

    memory_mb: float
    processes: int


def open_proc(first: str) -> int | None:
    """Open a sandbox's own /proc.

    Args:
        first: The folder of the first process inside, in a /proc outside.

    Returns:
        The open folder; None where it cannot be seen, as before it is made.
    """
    try:
        folder = os.open(f"{first}/root/proc", os.O_RDONLY | os.O_DIRECTORY)
        # Before bubblewrap turns away from outside, this is the one outside.
        if os.fstat(folder).st_dev != os.stat(os.path.dirname(first)).st_dev:
            return folder
    except OSError:
        return None
    os.close(folder)
    return None


def measure(proc: int, enough_mb: float = 0, seconds: float = 0.2) -> Usage:
    """Measure what all processes in a sandbox use.

    Args:
        proc: The sandbox's /proc, opened.
        enough_mb: Up to this much memory a rough figure will do. It counts what is
            shared once for each process, so it is never too low, and is got quickly.
        seconds: The time after which the processes not yet looked at are taken to be
            like the others. Hundreds of them can keep us from the processor.
    """
    numbers = [name for name in os.listdir(proc) if name.isdigit()]
    # Whoever is looked at last may be left out, and it should not be always the same.
    random.shuffle(numbers)
    threads: list[int] = []
    tables: dict[str, int] = {}

    def resident(number: str) -> int:
        fields = _fields(proc, number, "status")
        threads.append(fields.get("Threads", 0))
        tables[number] = fields.get(_TABLES, 0)
        return _sum(fields, _RESIDENT) + tables[number]

    def shared_out(number: str) -> int:
        fields = _fields(proc, number, "smaps_rollup")
        # A process that keeps that to itself has all of its memory counted.
        if not fields:
            return resident(number)
        return _sum(fields, _PROPORTIONAL) + tables.get(number, 0)

    kernel = kernel_memory(proc)
    memory = kernel + _total(resident, numbers, seconds)
    running = max(sum(threads), len(numbers))
    if memory > enough_mb * 1024:
        memory = kernel + _total(shared_out, numbers, seconds)
    return Usage(memory / 1024, running)


def processor_seconds(proc: int) -> float:
    """Processor time that all processes in a sandbox have had, ended children too.

    Args:
        proc: The sandbox's /proc, opened.
    """
    ticks = 0
    for number in filter(str.isdigit, os.listdir(proc)):
        with suppress(OSError):  # it may just have ended
            file = os.open(f"{number}/stat", os.O_RDONLY, dir_fd=proc)
            with open(file, "rb") as opened:
                # After the name, which may hold anything: own and children's times.
                fields = opened.read().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _total(
    memory: Callable[[str], int], numbers: Sequence[str], seconds: float
) -> float:
    """The memory of all processes in KiB, from as many as there is time for."""
    end = time.monotonic() + seconds
    total = 0
    for done, number in enumerate(numbers, start=1):
        total += memory(number)
        if time.monotonic() > end:
            return total * len(numbers) / done
    return total


def _sum(fields: dict[str, int], names: tuple[str, ...]) -> int:
    return sum(fields.get(name, 0) for name in names)


def _fields(proc: int, number: str, name: str) -> dict[str, int]:
    """The whole numbers in a file of a process; none if the process has ended."""
    with suppress(OSError):
        file = os.open(f"{number}/{name}", os.O_RDONLY, dir_fd=proc)
        # A process may choose its name, with digits that are no numbers among them.
        with open(file, encoding="ascii", errors="replace") as opened:
            parts = (line.partition(":") for line in opened)
            words = ((part[0], part[2].split()) for part in parts)
            return {key: int(w[0]) for key, w in words if w and w[0].isdigit()}
    return {}


# What the kernel keeps for a sandbox and charges to no process, estimated.

_SOCKET = 2048
"""KiB that a socket's buffers can hold, about, without a program asking for more."""
_FREE_SOCKETS = 64
"""As many are taken to be in use as usual, with nothing in their buffers."""
_FILE = 1
"""KiB that a file takes without its contents."""


def kernel_memory(proc: int) -> int:
    """The memory of a sandbox's sockets and of its files' entries, in KiB.

    Args:
        proc: The sandbox's /proc, opened.
    """
    return _SOCKET * max(0, _sockets(proc) - _FREE_SOCKETS) + _FILE * _files(proc)


def _sockets(proc: int) -> int:
    with suppress(OSError), _opened(proc, "1/net/sockstat", os.O_RDONLY) as file:
        # sockets: used 5
        return int(os.read(file, 100).split()[2])
    return 0


def _files(proc: int) -> int:
    """Files and folders in the writable places, which are mounts of their own."""
    used = 0
    for place in WRITABLE:
        flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW
        with suppress(OSError), _opened(proc, f"1/root{place}", flags) as folder:
            found = os.statvfs(folder)
            used += found.f_files - found.f_ffree
    return used


@contextmanager
def _opened(proc: int, path: str, flags: int) -> Iterator[int]:
    file = os.open(path, flags, dir_fd=proc)
    try:
        yield file
    finally:
        os.close(file)
