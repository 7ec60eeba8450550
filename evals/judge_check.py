"""Does a judge of debates change its mind where it should not?"""

from pathlib import PurePath
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric

from inspect_debate.datasets.logged import logged
from inspect_debate.debate.errors import validated
from inspect_debate.evals.common import protocol_metadata, viewer
from inspect_debate.scorers.judge_check import judge_check as judge_check_scorer
from inspect_debate.solvers.judge_check import CHECKS, of_two
from inspect_debate.solvers.judge_check import judge_check as judge_check_solver


@task
@validated
def judge_check(
    debates: str, seed: int = 0, prompts: str | None = None, **parameters: Any
) -> Task:
    """Does this judge change its mind when sides are swapped, or a speech is padded?

    Role: `judge`, one model; the main model where it is not bound. It reads each debate
    as it was, once more, and with one thing changed at a time: five calls.

    Args:
        debates: A log of `colmad`, `copmad` or `debate`.
        seed: Draws whose speech is made longer; in every second epoch the other's.
        prompts: A YAML file that replaces some of the prompts.
        parameters: There are no others; misspelt ones are refused.
    """
    given: dict[str, Any] = {"debates": debates, "seed": seed, "prompts": prompts}
    solver = judge_check_solver(**given, **parameters)
    log = logged(debates)
    found = of_two(log)
    samples = [sample for sample in log.samples if sample.id in found]
    data = {
        "source": PurePath(debates).name,
        "dataset": log.log.eval.task_id,
        "debates": sum(map(len, found.values())),
        "of": len(log.debates),
    }
    return Task(
        dataset=MemoryDataset(samples, name="judge_check"),
        solver=solver,
        scorer=judge_check_scorer(),
        epochs=max(map(len, found.values())),
        version="3-A",
        headline_metric=HeadlineMetric(scorer="judge_check", metric="unchanged"),
        viewer=viewer("Debates", *(f"judge_check.{check}" for check in CHECKS)),
        metadata=protocol_metadata(
            "judge_check", "judge_check", {"debates": debates}, given, data
        ),
    )
