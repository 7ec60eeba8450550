"""Seconds, CPU and memory that the report of a study takes.

    uv run python -m benchmarks.reports [--study debate] [--samples 10000] [--logs DIR]

Studies have the names of their reports. First simulated models make logs on made-up
data, four runs with a quarter of the samples each, which takes some minutes; or
`--logs` names a folder. Then `inspect-debate report` runs on them.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import NamedTuple

from benchmarks.studies import STUDIES, make_logs


class Cost(NamedTuple):
    """What a process took: seconds, of them the processors', and MiB at its peak."""

    seconds: float
    cpu: float
    peak: float


def cost(command: Sequence[str]) -> Cost:
    """Run a command; what it and its own processes took."""
    started = time.perf_counter()
    running = Popen(command, stdout=DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    seconds = time.perf_counter() - started
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, f"{' '.join(command)} failed"
    # Linux reports KiB.
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", choices=STUDIES, default="debate")
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--logs", type=Path)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        logs = arguments.logs
        if logs is None:
            logs = make_logs(arguments.study, Path(folder), arguments.samples)
        given = [arguments.study, str(logs), "--out", f"{folder}/report"]
        took = cost(["inspect-debate", "report", *given])
        size = sum(log.stat().st_size for log in logs.glob("*.eval")) / 2**20
    print(
        f"{arguments.study}, {size:.0f} MiB of logs: {took.seconds:.1f} s, "
        f"{took.cpu:.1f} s of CPU, {took.peak:.0f} MiB at the peak"
    )


if __name__ == "__main__":
    main()
