"""CPU seconds of a study's run and of a plain run with its calls, taken in turn."""

import cProfile
import pstats
import time
from collections.abc import Mapping
from statistics import median

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model

from benchmarks.canned import Can, plain, plain_scorer
from benchmarks.studies import Study


def canned_models(study: Study, can: Can) -> dict[str, Model]:
    """The models of a study's participants, who replay a can."""
    return {
        name: get_model(f"canned/{profile}", can=can, memoize=False)
        for name, profile in study.profiles.items()
    }


def run(task: Task, models: Mapping[str, Model], log_dir: str) -> tuple[float, EvalLog]:
    """CPU seconds of this process for a run, and its log."""
    before = time.process_time()
    (log,) = eval(
        task,
        model=models["debater_a"],
        model_roles={n: m for n, m in models.items() if n != "debater_a"},
        display="none",
        log_dir=log_dir,
        log_level="error",
    )
    spent = time.process_time() - before
    assert log.status == "success", log.error
    return spent, log


def compare(
    name: str,
    study: Study,
    can: Can,
    models: Mapping[str, Model],
    repeats: int,
    log_dir: str,
) -> None:
    """Run the study and the plain task in turn, and print the ratio of the medians.

    Args:
        name: The study's.
        study: The study.
        can: Its calls, from an earlier run.
        models: By participant.
        repeats: How many pairs of runs.
        log_dir: Where logs go.
    """

    def bare() -> Task:
        dataset = study.debated().dataset
        return Task(dataset=dataset, solver=plain(can, models), scorer=plain_scorer())

    seconds: dict[str, list[float]] = {name: [], "plain": []}
    for _ in range(repeats):
        for kind, task in (("plain", bare()), (name, study.debated())):
            spent, log = run(task, models, log_dir)
            assert log.results is not None
            seconds[kind].append(spent)
            done = log.results.completed_samples
            print(f"{kind:7} {spent:6.2f} s CPU  {done} items", flush=True)
    pairs = zip(seconds[name], seconds["plain"], strict=True)
    print(f"pair by pair: {', '.join(f'{own / bare:.2f}' for own, bare in pairs)}")
    ratio = median(seconds[name]) / median(seconds["plain"])
    print(
        f"{len(can.stages)} items, {len(can.exchanges)} calls: "
        f"{name} / plain = {ratio:.2f}"
    )


def print_profile(study: Study, models: Mapping[str, Model], log_dir: str) -> None:
    """Print where one more run of a study spends its time."""
    profile = cProfile.Profile()
    profile.runcall(run, study.debated(), models, log_dir)
    for order in ("cumulative", "tottime"):
        pstats.Stats(profile).sort_stats(order).print_stats(60)
