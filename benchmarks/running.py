"""Runs of studies and of plain tasks with their calls, from cans."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model

from benchmarks.canned import Can, Together, plain_task
from benchmarks.studies import STUDIES


def run(task: Task, models: Mapping[str, Any], **options: Any) -> EvalLog:
    """Run a task, with models by role; `debater_a` is also the main one."""
    with tempfile.TemporaryDirectory() as folder:
        (log,) = eval(
            task,
            model=models["debater_a"],
            model_roles=dict(models),
            display="none",
            **{"log_dir": folder, "log_level": "error"} | options,
        )
    assert log.status == "success", log.error
    return log


@dataclass
class Bench:
    """A study on so many made-up samples, and plain tasks with the same calls."""

    study: str
    samples: int
    folder: Path

    @cached_property
    def data(self) -> Mapping[str, Any]:
        home = self.folder / f"{self.study}{self.samples}"
        home.mkdir()
        return STUDIES[self.study].made(self.samples, home)

    @cached_property
    def can(self) -> Can:
        """The calls, from a first run, which also imports what is imported late."""
        can = Can()
        run(self.task(), self.canned(can))
        return can

    def task(self) -> Task:
        first = next(STUDIES[self.study].runs(self.data))
        return first.task(None)

    def canned(self, can: Can) -> dict[str, Any]:
        first = next(STUDIES[self.study].runs(self.data))
        return {
            role: [_canned(name, can) for name in names]
            if isinstance(names, list)
            else _canned(str(names), can)
            for role, names in first.roles.items()
        }

    def own(self) -> None:
        run(self.task(), self.canned(self.can))

    def plain(self, together: Together) -> None:
        model = _canned("simulated/balanced", self.can)
        run(plain_task(self.task(), self.can, model, together), {"debater_a": model})


def _canned(name: str, can: Can) -> Model:
    profile = name.removeprefix("simulated/")
    return get_model(f"canned/{profile}", can=can, memoize=False)
