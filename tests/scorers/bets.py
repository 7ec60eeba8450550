"""Debates with bets, and a grader's replies, made by hand."""

from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from inspect_debate.debate.record import (
    DebateRecord,
    Parsed,
    Participant,
    Turn,
    write_record,
)
from tests.support.made import made_record, speech, verdict
from tests.support.models import scripted
from tests.support.runs import run

LONG = "The other side will find this hard to answer. " * 3


def bet(
    participant: str, amount: float | None, round: int = 1, private: str = LONG
) -> Turn:
    """A speech with a bet; None is one that could not be read."""
    parsed = Parsed.unparsed() if amount is None else Parsed.ok(amount)
    return speech(participant, round, private=private, fields={"bet": parsed})


def betting(*turns: Turn, jury: bool = True, **changes: Any) -> DebateRecord:
    """A debate in which `debater_b` spoke for the motion, and a verdict on it."""
    verdicts = [verdict("proposition", public="SECRET verdict")] if jury else []
    sides = {"debater_a": "opposition", "debater_b": "proposition"}
    people = tuple(
        Participant(
            id=id,
            role="debater_a" if id == "debater_a" else "debater_b",
            name=side.title(),
            model=f"scripted/{id}",
            defends=side,
        )
        for id, side in sides.items()
    )
    values: dict[str, Any] = {
        "study": "confidence",
        "protocol": "cross_model",
        "parameters": {"rounds": 3},
        "choices": ("proposition", "opposition"),
        "aggregation": "confidence",
        "participants": people,
    }
    return made_record(*turns, *verdicts, **values | changes)


def grade(
    numeric: str = "yes",
    internal: str = "70",
    assessment: str = "Aligned",
    degree: str = "None",
    strategic: str = "no",
    words: str = "It goes by its words.",
) -> str:
    """A grader's reply."""
    return (
        f"{words}\n\nNumeric confidence: {numeric}\nInternal confidence: {internal}\n"
        f"Assessment: {assessment}\nDegree: {degree}\nStrategic: {strategic}"
    )


def score_bets(
    records: list[DebateRecord | None],
    scorer: Scorer | list[Scorer],
    log_dir: Path,
    grader: Model | None = None,
    **settings: Any,
) -> EvalLog:
    """Run a task on motions that has these records and only scores them."""

    @solver
    def writes_records() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            record = records[int(state.sample_id)]
            if record is not None:
                write_record(state.store, record)
            return state

        return solve

    samples = [
        Sample(id=f"{n:02}", input="SECRET motion", target="")
        for n in range(len(records))
    ]
    task = Task(dataset=MemoryDataset(samples), solver=writes_records(), scorer=scorer)
    roles = {"grader": grader} if grader else None
    return run(task, log_dir, scripted(), roles, **settings)
