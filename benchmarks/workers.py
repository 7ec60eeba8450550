"""Wall and CPU time of a study whose programs are graded, by one and by two workers.

    uv run python -m benchmarks.workers [--limit 18] [--epochs 4] [--repeats 3]
        [--engine ray]

Simulated models write the answers to the shipped programming tasks, so grading takes
most of the time; who comes first alternates. It also compares all tables of the report.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import click

from inspect_debate.reports.elements import Table
from inspect_debate.reports.generative.report import REPORT


def spent(
    workers: int, logs: Path, engine: str, limit: int, epochs: int
) -> list[float]:
    """Wall and CPU seconds of the study; Ray's processes are not among the latter."""
    program = str(Path(sys.executable).with_name("inspect-debate"))
    command = [program, "run", "generative"]
    settings = ["-T", "dataset=bcb_plus", "-T", "source=sample", "--no-cache"]
    size = [f"--workers={workers}", f"--limit={limit}", f"--epochs={epochs}"]
    where = [f"--engine={engine}", f"--log-dir={logs}", "--model=simulated/balanced"]
    before, begun = getrusage(RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [*command, *where, *settings, *size], check=True, capture_output=True
    )
    after, wall = getrusage(RUSAGE_CHILDREN), time.monotonic() - begun
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return [wall, user + system]


def tables(logs: Path) -> dict[str, str]:
    """The report's tables, without the names of logs and the seconds of gradings."""
    found = [item for part in REPORT(str(logs)).sections for item in part.items]
    return {
        table.name: re.sub(
            r"[-\w]+\.eval",
            "LOG",
            table.frame.drop(columns="Seconds", errors="ignore").to_csv(),
        )
        for table in found
        if isinstance(table, Table) and table.name != "runs"
    }


@click.command()
@click.option("--limit", default=18, show_default=True, help="Of 19 tasks.")
@click.option("--epochs", default=4, show_default=True)
@click.option("--repeats", default=3, show_default=True)
@click.option("--engine", default="local", show_default=True)
def main(limit: int, epochs: int, repeats: int, engine: str) -> None:
    for repeat in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            for workers in ((1, 2), (2, 1))[repeat % 2]:
                logs = Path(folder, str(workers))
                wall, cpu = spent(workers, logs, engine, limit, epochs)
                print(f"{workers} workers: {wall:.0f} s, CPU {cpu:.0f} s", flush=True)
            one, two = (tables(Path(folder, str(workers))) for workers in (1, 2))
            differ = [name for name in one if one[name] != two.get(name)]
            print(f"{len(one)} tables, of which differ: {', '.join(differ) or 'none'}")


if __name__ == "__main__":
    main()
