"""Items whose debates were written by hand, to be scored like those of a run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from inspect_ai import Task
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.v1.debate.record import DebateRecord, write_record
from tests.v1.support.models import scripted
from tests.v1.support.runs import dataset, item, run


class Recorded(NamedTuple):
    """An item: gold label, the record of each epoch, and what its metadata adds.

    Epochs beyond the records have the last one; None is an item without a record.
    """

    gold: str
    records: Sequence[DebateRecord | None]
    metadata: Mapping[str, Any] = MappingProxyType({})


def score_records(
    given: Sequence[Recorded | DebateRecord | None],
    scorer: Scorer | list[Scorer],
    log_dir: Path,
    grader: Model | None = None,
    **settings: Any,
) -> EvalLog:
    """Run a task that has these records and nothing else to do but to be scored.

    A record alone has no gold label.
    """
    recorded = [r if isinstance(r, Recorded) else Recorded("", [r]) for r in given]
    items = []
    for number, one in enumerate(recorded):
        made = item(
            f"{number:02}", response=f"Response {number}.", label=one.gold, task="Task."
        )
        assert made.metadata is not None
        made.metadata |= {"input_group": str(number), **one.metadata}
        items.append(made)

    @solver
    def writes_records() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            of_item = recorded[int(state.sample_id)].records
            record = of_item[min(state.epoch, len(of_item)) - 1]
            if record is not None:
                write_record(state.store, record)
            return state

        return solve

    task = Task(dataset=dataset(*items), solver=writes_records(), scorer=scorer)
    roles = {"grader": grader} if grader else None
    return run(task, log_dir, scripted(), roles, **settings)
