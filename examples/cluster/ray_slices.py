"""Run a task in slices of SIZE samples on a Ray cluster.

    uv run --with ray python examples/cluster/ray_slices.py LOGS SAMPLES SIZE TASK \
        --model MODEL [-T NAME=VALUE] [--model-role ROLE=MODEL]

LOGS is a folder that all nodes share, or s3://bucket/folder. Each slice is an eval set
in a folder of its own in LOGS: one that is complete is not run again, and one whose
worker died is resumed by another worker, which Ray starts.
"""

import argparse
import os
import sys
from typing import Any

import yaml
from inspect_ai import eval_set


def run_slice(first: int, last: int, options: argparse.Namespace) -> bool:
    """Run samples FIRST to LAST, counted from 1; return whether all are complete."""
    complete, _ = eval_set(
        options.task,
        f"{options.logs}/{first}-{last}",
        task_args=dict(options.task_args),
        model=options.model,
        model_roles=dict(options.model_role),
        limit=(first - 1, last),
        display="log",
    )
    return complete


def pair(given: str) -> tuple[str, Any]:
    """A name and a value, which may be a list as in `judge=[J1, J2]`."""
    name, value = given.split("=", 1)
    return name, yaml.safe_load(value)


def main() -> int:
    """Run all slices; the exit code says whether all are complete."""
    parser = argparse.ArgumentParser(description="Run a task in slices on Ray.")
    parser.add_argument("logs")
    parser.add_argument("samples", type=int)
    parser.add_argument("size", type=int)
    parser.add_argument("task")
    parser.add_argument("--model", required=True)
    parser.add_argument("-T", dest="task_args", type=pair, action="append", default=[])
    parser.add_argument("--model-role", type=pair, action="append", default=[])
    options = parser.parse_args()
    if "://" not in options.logs:
        options.logs = os.path.abspath(options.logs)

    # Ray would otherwise install the environment anew for its workers.
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    import ray  # type: ignore[import-not-found]  # not needed by the suite

    ray.init()
    # A process for each slice: an eval set is not made to follow another.
    remote = ray.remote(max_calls=1, max_retries=3)(run_slice)
    starts = range(1, options.samples + 1, options.size)
    slices = [(n, min(n + options.size - 1, options.samples)) for n in starts]
    running = {remote.remote(*one, options): one for one in slices}
    failed = 0
    while running:
        (ended,), _ = ray.wait([*running])
        first, last = running.pop(ended)
        try:
            complete, why = ray.get(ended), ""
        except ray.exceptions.RayError as error:
            complete, why = False, f": {error}"
        print(f"{first}-{last} {'complete' if complete else 'not complete'}{why}")
        failed += not complete
    return failed and 1


if __name__ == "__main__":
    sys.exit(main())
