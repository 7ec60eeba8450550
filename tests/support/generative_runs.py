"""Runs of the task `generative` on the shipped tasks, and what is graded in them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import Model
from inspect_ai.solver import TaskState

from inspect_debate.debate.record import Grade
from inspect_debate.evals.generative import generative
from inspect_debate.solvers.generative_answers import KINDS, GradingTerms
from tests.support.runs import run

SAMPLE: dict[str, Any] = {"source": "sample"}
TASKS = 5
"""How many tasks a run has by default."""

_SETTINGS = ("roles", "success", "limit", "epochs")


def run_on_tasks(
    log_dir: Path, model: str | Model = "simulated/balanced", **what: Any
) -> EvalLog:
    """A run; `what` are parameters of the task, and settings of the run."""
    settings = {"limit": TASKS} | {n: what.pop(n) for n in _SETTINGS if n in what}
    return run(generative(**(SAMPLE | what)), log_dir, model=model, **settings)


def who_is_graded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by a participant whenever an answer is graded."""
    asked: list[str] = []
    kind = KINDS["grids"]

    async def grade(
        state: TaskState, terms: GradingTerms, participant: str, answer: str
    ) -> Grade:
        asked.append(participant)
        return await kind.grade(state, terms, participant, answer)

    monkeypatch.setitem(KINDS, "grids", replace(kind, grade=grade))
    return asked


def identity(sample: EvalSample) -> tuple[str, dict[str, str]]:
    """Which answers were judged, all together and by seat."""
    assert sample.scores is not None
    metadata = sample.scores["verdicts"].metadata
    assert metadata is not None
    return metadata["answer_set_id"], metadata["answer_ids"]
