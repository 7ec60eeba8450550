"""Function calls of a study's run over those of a plain task with the same calls.

Counted by cProfile in the thread of the event loop, so that neither the clock nor other
processes matter; what four samples take is subtracted from what twelve do, so that the
start and the end of a run do not count.
"""

import cProfile
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from inspect_ai.util import collect

from benchmarks.running import Bench
from benchmarks.studies import STUDIES
from benchmarks.table import Row

FEW, MANY = 4, 12


def rows(repeats: int) -> Iterator[Row]:
    """A row for each study; counts are not repeated."""
    for study in STUDIES:
        with tempfile.TemporaryDirectory() as folder:
            few, many = (Bench(study, n, Path(folder)) for n in (FEW, MANY))
            own = count(many.own) - count(few.own)
            plain = count(partial(many.plain, collect)) - count(
                partial(few.plain, collect)
            )
        each = MANY - FEW
        measure = f"function calls, {study}"
        yield Row(measure, own / each, plain / each, "a sample", "collect", "1.2")


def count(act: Callable[[], object]) -> int:
    """How many functions are called, once all is imported and cached."""
    act()
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(entry.callcount for entry in profile.getstats())
