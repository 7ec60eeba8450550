"""Which of our files and functions one ColMAD sample goes through.

Making the task and running the sample are traced after they were done once, so that
imports do not count. Models are canned; scorers are left out.
"""

import cProfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tabulate import tabulate

from benchmarks.running import Bench, run

_ROOT = Path(__file__).parents[1]
_LEFT_OUT = {".venv", "scorers", "metrics", "simulator", "benchmarks", "tests"}


def main() -> None:
    """Print both counts with the files."""
    bench = Bench("colmad", 1, {"source": "sample", "skip_if_agree": False})
    models = bench.models(bench.canned)
    sample = partial(run, bench.task(), models, score=False, limit=1)
    stages: list[tuple[str, Callable[[], object]]]
    stages = [("task", bench.task), ("run", sample)]
    rows = []
    for name, act in stages:
        functions = called(act)
        files = sorted({file for file, _ in functions})
        rows.append((name, len(files), len(functions), "\n".join(files)))
    print(tabulate(rows, ("", "files", "functions", "which"), tablefmt="grid"))


def called(act: Callable[[], object]) -> set[tuple[str, str]]:
    """Our functions that are called, with their files."""
    act()
    profile = cProfile.Profile()
    profile.runcall(act)
    found = set()
    for entry in profile.getstats():
        if isinstance(entry.code, str) or entry.code.co_filename.startswith("<"):
            continue
        path, name = Path(entry.code.co_filename).resolve(), entry.code.co_qualname
        if path.is_relative_to(_ROOT) and not name.endswith(">"):
            found.add((str(path.relative_to(_ROOT)), name))
    return {(file, name) for file, name in found if not _LEFT_OUT & {*Path(file).parts}}


if __name__ == "__main__":
    main()
