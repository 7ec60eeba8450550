"""Logs of small runs, made once for all tests that read them."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage
from inspect_ai.solver import generate

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.evals.colmad import colmad
from tests.support.models import Reply, scripted
from tests.support.runs import dataset, item, run

JUDGES = ["simulated/balanced", "simulated/first_speaker"]


def logged(log: EvalLog) -> Path:
    """Where a log was written."""
    return Path(log.location.removeprefix("file://"))


def ran(folder: Path, roles: Any = None, *, limit: int = 4, **arguments: Any) -> Path:
    """The log of a short run of the study."""
    settings = {name: arguments.pop(name) for name in ("epochs",) if name in arguments}
    task = colmad(source="sample", **arguments)
    return logged(run(task, folder, roles=roles, limit=limit, **settings))


@cache
def panel() -> Path:
    """Two judges, both orders, two epochs."""
    roles = {"debater_b": "simulated/hesitant", "judge": JUDGES}
    return ran(Path(mkdtemp()), roles, order="both", epochs=2, skip_if_agree=False)


@cache
def single() -> Path:
    """One model that answers alone."""
    return ran(Path(mkdtemp()), protocol="single")


@cache
def failing() -> Path:
    """Of six items the second fails, the third exceeds a limit, and on the fourth the
    judge refuses."""

    def say(messages: list[ChatMessage], description: TurnDescription | None) -> Reply:
        assert description is not None
        number = order.setdefault(description.sample, len(order))
        if number == 1 and description.kind == "speech":
            raise RuntimeError("the provider is down")
        if number == 2 and description.kind == "speech":
            output = ModelOutput.from_content("x", said(description))
            output.usage = ModelUsage(input_tokens=5000, total_tokens=5000)
            return output
        if number == 3 and description.kind == "verdict":
            return ModelOutput.from_content("x", "No.", "content_filter")
        return said(description)

    order: dict[str, int] = {}
    task = colmad(source="sample", skip_if_agree=False)
    model = scripted(say)
    log = run(
        task,
        Path(mkdtemp()),
        model=model,
        limit=6,
        max_samples=1,
        fail_on_error=False,
        token_limit=3000,
    )
    return logged(log)


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
