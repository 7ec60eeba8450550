"""Logs of generative debates whose records were made by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import DebateRecord, write_record
from inspect_debate.evals.generative import VERSION
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.generative import GenerativeConfig
from inspect_debate.solvers.generative_debate import GenerativeParameters
from tests.support.runs import run


def logged_records(
    folder: Path,
    records: Mapping[str, DebateRecord],
    dataset: str = "bcb_plus",
    version: str = "v1.0.2",
    **metadata: Any,
) -> EvalLog:
    """The log of a run that had these debates, by task id.

    Args:
        folder: Where it is written.
        records: The debates, all of one format.
        dataset: The name of the tasks' data.
        version: Their version.
        metadata: More of the run's.
    """
    (protocol,) = {record.protocol for record in records.values()}
    parameters = GenerativeParameters().logged(protocol) | GenerativeConfig().logged()
    task = Task(
        dataset=MemoryDataset([_sample(id, dataset, version) for id in records]),
        solver=_given(records),
        scorer=verdicts(),
        metadata={
            "study": "generative",
            "task": "inspect_debate/generative",
            "version": VERSION,
            "protocol": protocol,
            "parameters": parameters | {"dataset": dataset},
            "data": {"source": "made", "version": version, "split": None},
            "prompts": load_prompts("generative").texts,
        }
        | metadata,
    )
    return run(task, folder)


def _sample(id: str, dataset: str, version: str) -> Sample:
    facts = {"dataset": dataset, "dataset_version": version, "question_id": id}
    return Sample(
        id=f"{dataset}-{id}",
        input="Write task_func.",
        target="def task_func(): ...",
        metadata={**facts, "answer_kind": "code"},
    )


@solver
def _given(records: Mapping[str, DebateRecord]) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        write_record(state.store, records[state.metadata["question_id"]])
        return state

    return solve
