"""CPU of a study's run over that of plain tasks with the same calls."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from inspect_ai.util import collect

from benchmarks.canned import in_group
from benchmarks.running import Bench
from benchmarks.table import Row, in_turn

SAMPLES = {"colmad": 150, "confidence": 50}


def rows(repeats: int) -> Iterator[Row]:
    """Over `collect`, and over a task group without its spans."""
    for study, samples in SAMPLES.items():
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(study, samples, Path(folder))
            bench.own()
            own, collected, grouped = in_turn(
                repeats,
                cpu(bench.own),
                cpu(partial(bench.plain, collect)),
                cpu(partial(bench.plain, in_group)),
            )
        measure = f"CPU, {study}, {samples} samples"
        yield Row(measure, own, collected, "s", "collect", "1.15")
        yield Row(measure, own, grouped, "s", "task group", "1.3")


def cpu(act: Callable[[], object]) -> Callable[[], float]:
    """Measures the CPU seconds of this process."""

    def measure() -> float:
        before = time.process_time()
        act()
        return time.process_time() - before

    return measure
