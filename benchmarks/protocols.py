"""Every protocol of SR-DCR on 600 generated items, through Inspect's real client.

    uv run python -m benchmarks.protocols [--questions 300] [PROTOCOL ...]

The items are a parquet file of ClashEval's published schema; a server on loopback
answers by the text of the prompts. Prints a line for each, and exits with 1 if an
item was lost or calls were counted wrongly.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import get_args

from inspect_debate.evals.srdcr import SrdcrProtocol, srdcr
from tests.datasets.made_clasheval import made_rows, saved
from tests.support.clash_world import World
from tests.support.runs import run, samples, values
from tests.support.wire.client import wire_model
from tests.support.wire.server import WireServer

PROTOCOLS: tuple[SrdcrProtocol, ...] = get_args(SrdcrProtocol)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("protocols", nargs="*", metavar="PROTOCOL")
    parser.add_argument("--questions", type=int, default=300)
    arguments = parser.parse_args()
    chosen = [p for p in PROTOCOLS if p in (arguments.protocols or PROTOCOLS)]
    with tempfile.TemporaryDirectory() as folder:
        data = saved(made_rows(60), Path(folder) / "clasheval.parquet")
        fine = [check(each, data, arguments.questions, Path(folder)) for each in chosen]
    sys.exit(not all(fine))


def check(protocol: SrdcrProtocol, data: str, questions: int, folder: Path) -> bool:
    """Run a protocol; whether every item was scored and every call counted."""
    task = srdcr(protocol=protocol, source=data, questions=questions)
    world = World.of(task.dataset)
    with WireServer(world.brain) as server:
        log = run(task, folder, model=wire_model(server))
    found = samples(log)
    scored = [sample for sample in found if sample.scores and not sample.error]
    calls = sum(values(sample, "clash")["calls"] for sample in scored)
    asked = len(server.requests)
    print(
        f"{protocol}: {log.status}, {len(scored)} of {len(task.dataset)} items scored, "
        f"{calls:.0f} calls counted, {asked} at the server",
        flush=True,
    )
    return len(scored) == len(task.dataset) and calls == asked


if __name__ == "__main__":
    main()
