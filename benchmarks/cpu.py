"""CPU of a run over that of plain tasks with the same calls, and for its display."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from unittest.mock import patch

import rich
from rich.live import Live

from benchmarks.canned import in_group
from benchmarks.running import Bench
from benchmarks.table import Row, in_turn

SAMPLES = {"colmad": 120, "confidence": 40}


def rows(repeats: int) -> Iterator[Row]:
    """Over `collect`, and over a task group without its spans."""
    for study, samples in SAMPLES.items():
        bench = Bench(study, samples)
        kinds: list[Callable[[], object]] = [
            *(bench.own, bench.plain),
            partial(bench.plain, in_group),
        ]
        bench.own()  # fills the can
        own, collected, grouped = in_turn(repeats, *map(cpu, kinds))
        measure = f"CPU, {study}, samples: {samples}"
        yield Row(measure, own, collected, "s", "collect", "1.15")
        yield Row(measure, own, grouped, "s", "task group", "1.3")
    for samples in (1, 100):
        bench = Bench("colmad", samples)
        bench.own()
        own, plain = in_turn(
            repeats, partial(laying_out, bench.own), partial(laying_out, bench.plain)
        )
        measure = f"CPU, laying out metrics, ColMAD, samples: {samples}"
        yield Row(measure, own, plain, "s", "collect", "as the reference")


def laying_out(act: Callable[[], object]) -> float:
    """CPU seconds for what Inspect shows in a terminal."""
    rich.reconfigure(force_terminal=True, file=StringIO())
    taken, refresh = 0.0, Live.refresh

    def timed(live: Live) -> None:
        nonlocal taken
        taken += cpu(partial(refresh, live))()

    with patch.object(Live, "refresh", timed):
        act()
    return taken


def cpu(act: Callable[[], object]) -> Callable[[], float]:
    """Measures the CPU seconds of this process."""

    def measure() -> float:
        before = time.process_time()
        act()
        return time.process_time() - before

    return measure
