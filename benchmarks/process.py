"""What a process of its own takes."""

import os
import sys
import tempfile
import time
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

BIN = Path(sys.executable).parent


class Cost(NamedTuple):
    """What a process took: seconds, of them the processors', and MiB at its peak."""

    wall: float
    cpu: float
    peak: float


def cost(*command: str | Path) -> Cost:
    """Run a command of this environment; what it and its own processes took.

    Raises:
        RuntimeError: If it fails; its last lines say why.
    """
    program, *given = map(str, command)
    started = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        running = Popen([str(BIN / program), *given], stdout=said, stderr=said)
        _, status, used = os.wait4(running.pid, 0)
        wall = time.perf_counter() - started
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode:
            said.seek(0)
            raise RuntimeError(f"{program} {given} failed:\n{said.read()[-2000:]}")
    # Linux reports KiB.
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
