"""Logs of small runs, made once for all tests that read them."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from inspect_debate.v1.debate.calls import TurnDescription


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


def changed(log: Path, folder: Path, **changes: Any) -> Path:
    """A copy of a log with other values in its header."""
    read = read_eval_log(str(log))
    for name, value in changes.items():
        setattr(read.eval if hasattr(read.eval, name) else read, name, value)
    path = folder / f"{len(list(folder.iterdir()))}_{log.name}"
    write_eval_log(read, str(path))
    return path
