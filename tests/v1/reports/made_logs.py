"""Logs of small runs, made once for all tests that read them."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.solver import generate

from inspect_debate.v1.debate.calls import TurnDescription
from tests.v1.support.models import scripted
from tests.v1.support.runs import dataset, item, run

JUDGES = ["simulated/balanced", "simulated/first_speaker"]


def logged(log: EvalLog) -> Path:
    """Where a log was written."""
    return Path(log.location.removeprefix("file://"))


def said(description: TurnDescription) -> str:
    """A plain completion of what is asked for."""
    label = "an" if description.participant == "debater_a" else "no"
    return {
        "answer": f"Therefore, the model response contains {label} error.",
        "speech": "<argument>It was added up.</argument>\nFinal: 1 error\nConf: 0.5",
        "verdict": "Answer: 1",
    }[description.kind]


@cache
def foreign() -> Path:
    """The log of a task that has nothing to do with debates."""
    task = Task(dataset=dataset(item()), solver=generate())
    return logged(run(task, Path(mkdtemp()), model=scripted()))


def changed(log: Path, folder: Path, **changes: Any) -> Path:
    """A copy of a log with other values in its header."""
    read = read_eval_log(str(log))
    for name, value in changes.items():
        setattr(read.eval if hasattr(read.eval, name) else read, name, value)
    path = folder / f"{len(list(folder.iterdir()))}_{log.name}"
    write_eval_log(read, str(path))
    return path


def copied(folder: Path, *logs: Path) -> Path:
    """A folder with copies of logs."""
    folder.mkdir(exist_ok=True)
    for log in logs:
        shutil.copy(log, folder)
    return folder


def sharded(log: Path, folder: Path) -> Path:
    """A log as two machines would have written it, each with half of the samples."""
    for number in (1, 2):
        part = read_eval_log(str(log))
        samples = part.samples or []
        part.samples = samples[number - 1 :: 2]
        part.eval.task_id = part.eval.eval_id = f"{log.stem}{number}"
        part.eval.dataset.sample_ids = [sample.id for sample in part.samples]
        shard = {"shard": {"number": number, "of": 2}}
        part.eval.metadata = {**(part.eval.metadata or {}), **shard}
        path = folder / f"{number}_of_2" / f"{log.stem}{number}.eval"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_eval_log(part, str(path))
    return folder
