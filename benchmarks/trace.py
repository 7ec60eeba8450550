"""Which of our files and functions one ColMAD sample goes through.

    uv run python -m benchmarks.trace

Making the task and running the sample are traced in a second run, so that imports do
not count. Simulated models, what they call, and scorers are left out.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import inspect_ai
from inspect_ai import Task
from tabulate import tabulate

from inspect_debate.evals.colmad import colmad

ROOT = Path(__file__).parents[1]
ROLES = {
    "debater_a": "simulated/balanced",
    "debater_b": "simulated/hesitant",
    "judge": "simulated/balanced",
}
LEFT_OUT = ("simulator", "scorers", "metrics", "benchmarks")


@cache
def _ours(file: str) -> str | None:
    """Where a file of ours is, if it is one that counts."""
    path = Path(file).resolve()
    if file.startswith("<"):  # code without a file
        return None
    if not path.is_relative_to(ROOT) or ".venv" in path.parts:
        return None
    place = path.relative_to(ROOT)
    return None if set(LEFT_OUT) & set(place.parts) else str(place)


@cache
def _simulates(file: str) -> bool:
    return "simulator" in Path(file).parts


@contextmanager
def traced() -> Iterator[set[tuple[str, str]]]:
    """Our functions that are called inside the block, with their files."""
    called: set[tuple[str, str]] = set()

    def see(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and (place := _ours(frame.f_code.co_filename)):
            if frame.f_back and _simulates(frame.f_back.f_code.co_filename):
                return
            name = frame.f_code.co_qualname
            if not name.rpartition(".")[2].startswith("<"):
                called.add((place, name))

    sys.setprofile(see)
    try:
        yield called
    finally:
        sys.setprofile(None)


def run_sample(task: Task, folder: str) -> None:
    """Run one sample of a task."""
    inspect_ai.eval(
        task,
        model="none",
        model_roles=ROLES,
        limit=1,
        log_dir=folder,
        display="none",
        score=False,
    )


def main() -> None:
    """Trace, and print both counts with the files."""
    with TemporaryDirectory() as folder:
        run_sample(colmad(source="sample", skip_if_agree=False), folder)
        with traced() as making:
            task = colmad(source="sample", skip_if_agree=False)
        with traced() as running:
            run_sample(task, folder)
    rows = []
    for name, called in (("task", making), ("run", running)):
        files = sorted({file for file, _ in called})
        rows.append([name, len(files), len(called), "\n".join(files)])
    print(tabulate(rows, ["", "files", "functions", "which"], tablefmt="grid"))


if __name__ == "__main__":
    main()
