"""A study and plain tasks with the same calls, by canned models or a slow server."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, get_model
from inspect_ai.util import collect

from benchmarks.canned import Can, Together, plain_task
from benchmarks.studies import STUDIES, Given, Roles

# Logs read their samples when asked for them.
_LOGS = tempfile.TemporaryDirectory()


def run(task: Task, models: Mapping[str, Any], **options: Any) -> EvalLog:
    """Run a task, with models by role; `debater_a` is also the main one."""
    (log,) = eval(
        task,
        model=models["debater_a"],
        model_roles=dict(models),
        log_dir=_LOGS.name,
        display="none",
        log_level="error",
        **options,
    )
    assert log.status == "success", log.error
    return log


@dataclass
class Bench:
    """A study on so many made-up samples, and plain tasks with the same calls.

    Attributes:
        study: A name in `STUDIES`.
        samples: How many.
        given: Parameters of the task in place of those of the study's first run.
        roles: Models in place of those of that run.
    """

    study: str
    samples: int
    given: Given = field(default_factory=dict)
    roles: Roles = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    @cached_property
    def data(self) -> Given:
        return STUDIES[self.study].made(self.samples, Path(self._folder.name))

    @cached_property
    def can(self) -> Can:
        """The calls of a first run, which also imports what is imported late."""
        can = Can()
        model = partial(_canned, can)
        run(self.task(), self.models(model), log_realtime=False)
        return can

    def task(self) -> Task:
        study = STUDIES[self.study]
        first, _ = study.runs[0]
        return study.task(**{**self.data, **first, **(study.alone or {}), **self.given})

    def models(self, model: Callable[[str], Model]) -> dict[str, Any]:
        """By role, made from the names of simulated profiles."""
        roles = {**STUDIES[self.study].runs[0][1], **self.roles}
        return {
            role: [model(name.removeprefix("simulated/")) for name in names]
            if isinstance(names, list)
            else model(names.removeprefix("simulated/"))
            for role, names in roles.items()
        }

    def canned(self, profile: str) -> Model:
        """A model that replays the can."""
        return _canned(self.can, profile)

    def run(self, model: Callable[[str], Model], **options: Any) -> EvalLog:
        """Run the study with a model for each simulated profile."""
        return run(self.task(), self.models(model), **options)

    def own(self) -> EvalLog:
        """Run the study from the can."""
        return self.run(self.canned)

    def plain(self, together: Together = collect) -> EvalLog:
        """Run a plain task from the can."""
        return self.plain_run(self.canned, together)

    def plain_run(
        self,
        model: Callable[[str], Model],
        together: Together = collect,
        **options: Any,
    ) -> EvalLog:
        """Run a plain task with a model."""
        task = plain_task(self.task(), self.can, model, together)
        return run(task, {"debater_a": model("balanced")}, **options)


def _canned(can: Can, profile: str) -> Model:
    return get_model(f"canned/{profile}", can=can, memoize=False)
