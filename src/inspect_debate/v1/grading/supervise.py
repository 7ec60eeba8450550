"""Run one sandboxed command from outside: feed it, read it, watch it, end it.

Synchronous and without an event loop, so that it does the same in a thread beside any
loop. Bubblewrap ends with the thread that started it, so a run takes one thread, from
its beginning to its end.
"""

import json
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Literal, Self

from inspect_debate.v1.grading.bubblewrap_command import Channels
from inspect_debate.v1.grading.watch import Excess, Watch

# Pipes that are read and written side by side, as each becomes ready.

_CHUNK = 1 << 16


@dataclass
class Collected:
    """What came through a pipe.

    Attributes:
        data: Its front, up to the limit.
        over: Whether there was more.
        open: Whether there may come more.
    """

    data: bytearray = field(default_factory=bytearray)
    over: bool = False
    open: bool = True


class Pipes:
    """A set of pipes, none of which can block another."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._selector.close()

    def collect(self, file: int, limit: int) -> Collected:
        """Read a pipe to its end, and return at most so many bytes of it."""
        collected = Collected()

        def read() -> None:
            chunk = os.read(file, _CHUNK)
            if not chunk:
                collected.open = False
                self._selector.unregister(file)
            room = limit - len(collected.data)
            collected.over |= len(chunk) > room
            collected.data += chunk[:room]

        self._selector.register(file, selectors.EVENT_READ, read)
        return collected

    def feed(self, file: int, data: bytes, done: Callable[[], None]) -> None:
        """Write data to a pipe as fast as it is read there, then call `done`."""
        rest = memoryview(data)
        os.set_blocking(file, False)

        def write() -> None:
            nonlocal rest
            try:
                rest = rest[os.write(file, rest[:_CHUNK]) :]
            except BlockingIOError:
                return
            except BrokenPipeError:
                # Whoever does not want it need not read it.
                rest = rest[:0]
            if not rest:
                self._selector.unregister(file)
                done()

        self._selector.register(file, selectors.EVENT_WRITE, write)

    def serve(self, seconds: float) -> None:
        """Wait for pipes to become ready, at most so long, and serve those."""
        for key, _ in self._selector.select(max(seconds, 0)):
            with suppress(KeyError):
                key.data()


Reason = Literal["exit", "time", "output", "stopped"] | Excess
"""Why a run ended: by itself; at its limit of time or of output; as it was
asked to stop; or for what the watch saw."""

_CLEARING = 60.0
"""Seconds that the kernel gets to clear away what was killed."""
_STATUS = 1 << 12
_KILLED = 128 + signal.SIGKILL

Build = Callable[[Channels], list[str]]


@dataclass(frozen=True)
class Ended:
    """How a run ended.

    Attributes:
        reason: Why.
        returncode: As bubblewrap gives it, 128 and the signal's number if a signal
            ended the command; 137 (a kill) if we did.
        stdout: What it wrote, up to the limit of output.
        stderr: Likewise.
        started: Whether the command began at all; if not, stderr has bubblewrap's
            reasons.
        processor_seconds: Processor time that it had, where time ended it.
    """

    reason: Reason
    returncode: int
    stdout: bytes
    stderr: bytes
    started: bool
    processor_seconds: float = 0.0


def supervise(
    build: Build,
    *,
    watch: Watch,
    seconds: float | None,
    output: int,
    input: bytes = b"",
    filter: bytes | None = None,
    stop: threading.Event | None = None,
) -> Ended:
    """Run a command in a sandbox until it ends, by itself or by us.

    Whatever the reason, no process of it is left.

    Args:
        build: Gives the command line for the channels that bubblewrap inherits.
        watch: Ends it if its processes together exceed a limit.
        seconds: Time by the clock that it may take; None for no limit.
        output: Bytes that it may write on each of its two streams.
        input: What it can read on its standard input.
        filter: The filter of system calls; None for none.
        stop: Set from elsewhere, it ends the run.

    Raises:
        OSError: If bubblewrap cannot be started, as with too long a command line.
    """
    with ExitStack() as stack:
        run = _Run(stack, build, filter, input, output)
        reason = run.attend(watch, seconds, stop or threading.Event())
        had = watch.processor_seconds() if reason == "time" else 0.0
        if reason != "exit":
            run.kill()
        return replace(run.ended(reason), processor_seconds=had)


class _Run:
    """A process with its pipes, and what came through them."""

    def __init__(
        self,
        stack: ExitStack,
        build: Build,
        filter: bytes | None,
        input: bytes,
        output: int,
    ) -> None:
        status, report = os.pipe()
        stack.callback(os.close, status)
        self._pipes = stack.enter_context(Pipes())
        self._process = _start(build, report, filter)
        stack.callback(self._clear)
        self._status = self._pipes.collect(status, _STATUS)
        self._outputs = [
            self._pipes.collect(file.fileno(), output)
            for file in (self._process.stdout, self._process.stderr)
            if file is not None
        ]
        if (stdin := self._process.stdin) is not None:
            self._pipes.feed(stdin.fileno(), input, stdin.close)

    def attend(
        self, watch: Watch, seconds: float | None, stop: threading.Event
    ) -> Reason:
        """Serve the process until there is a reason to end."""
        end = float("inf") if seconds is None else time.monotonic() + seconds
        look = time.monotonic() + watch.interval
        while self._open():
            now = time.monotonic()
            if stop.is_set():
                return "stopped"
            if self._over():
                return "output"
            if now >= end:
                return "time"
            if now >= look:
                if (excess := watch.excess(self._first())) is not None:
                    return excess
                look = time.monotonic() + watch.interval
            self._pipes.serve(min(end, look) - time.monotonic())
        return "output" if self._over() else "exit"

    def kill(self) -> None:
        """End bubblewrap, and with its first process all in the sandbox."""
        number = self._process.pid
        # Stopped, it makes no more children, and the number of one is not given anew.
        os.kill(number, signal.SIGSTOP)
        # A child may just have left the group, not yet bound to its parent's life.
        for child in _children(number):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        os.killpg(number, signal.SIGKILL)

    def ended(self, reason: Reason) -> Ended:
        """What came of it, once it ends or was ended."""
        end = time.monotonic() + _CLEARING
        while self._open(self._status) and time.monotonic() < end:
            self._pipes.serve(end - time.monotonic())
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0, end - time.monotonic()))
        stdout, stderr = (bytes(output.data) for output in self._outputs)
        code = self._process.returncode
        return Ended(
            reason=reason,
            returncode=_KILLED if code is None or reason != "exit" else code,
            stdout=stdout,
            stderr=stderr,
            started=b'"exit-code"' in self._status.data,
        )

    def _open(self, *more: Collected) -> bool:
        # Bubblewrap itself holds both streams open until the command has ended.
        return any(pipe.open for pipe in (*self._outputs, *more))

    def _over(self) -> bool:
        return any(output.over for output in self._outputs)

    def _first(self) -> str | None:
        """Where the first process inside is found, after bubblewrap's report.

        That is a number in bubblewrap's own process namespace, not always the host's.
        """
        line, ended, _ = self._status.data.partition(b"\n")
        if not ended:
            return None
        return f"/proc/{self._process.pid}/root/proc/{json.loads(line)['child-pid']}"

    def _clear(self) -> None:
        if self._process.poll() is None:
            self.kill()
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            if file is not None:
                file.close()


def _children(process: int) -> list[int]:
    with suppress(OSError), open(f"/proc/{process}/task/{process}/children") as file:
        return [int(number) for number in file.read().split()]
    return []


def _start(
    build: Build, report: int, filter: bytes | None
) -> "subprocess.Popen[bytes]":
    """Start bubblewrap, with the ends of the channels that are its own."""
    inherited = [report]
    try:
        if filter is not None:
            inherited.append(_pipe_with(filter))
        return subprocess.Popen(
            build(Channels(*inherited)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            # Inside, the first process shows the environment that bubblewrap had.
            env={},
            cwd="/",
            start_new_session=True,
            pass_fds=inherited,
        )
    finally:
        for file in inherited:
            os.close(file)


def _pipe_with(data: bytes) -> int:
    """A pipe from which some data can be read, small enough to fit in it."""
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return read
