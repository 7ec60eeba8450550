"""Function calls of a study's run over those of a plain task with the same calls.

Counted by cProfile in the thread of the event loop, so that neither the clock nor other
processes matter; what four samples take is subtracted from what twelve do, so that the
start and the end of a run do not count.
"""

import cProfile
from collections.abc import Callable, Iterator

from benchmarks.running import Bench
from benchmarks.studies import STUDIES
from benchmarks.table import Row

FEW, MANY = 4, 12


def rows(repeats: int) -> Iterator[Row]:
    """A row for each study; counts are not repeated."""
    for study in STUDIES:
        few, many = Bench(study, FEW), Bench(study, MANY)
        own = (count(many.own) - count(few.own)) / (MANY - FEW)
        plain = (count(many.plain) - count(few.plain)) / (MANY - FEW)
        measure = f"function calls, {study}"
        yield Row(measure, own, plain, "a sample", "collect", "1.2")


def count(act: Callable[[], object]) -> int:
    """How many functions are called, once all is imported and cached."""
    act()
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(entry.callcount for entry in profile.getstats())
