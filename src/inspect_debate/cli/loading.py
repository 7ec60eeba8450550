"""Making tasks without a call, as Inspect makes them for a run."""

import importlib.util
from collections.abc import Callable, Mapping
from contextlib import chdir
from functools import partial
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from inspect_ai import Task, eval
from inspect_ai import task as task_function
from inspect_ai.util import registry_create, registry_info

from inspect_debate.cli.options import Bound
from inspect_debate.debate.errors import InputError, check_name
from inspect_debate.debate.paths import local_path

QUIET: dict[str, Any] = {"display": "none", "score_display": False}
"""Arguments of Inspect's for runs that print nothing."""


class Run(NamedTuple):
    """A run as it was typed.

    `task` is a file, `file@name` where it has several tasks, or a registered name;
    `settings` are generation settings. `bound` makes the models anew, as
    each run closes those it had.
    """

    task: str
    arguments: Mapping[str, Any]
    bound: Callable[[], Bound]
    settings: Mapping[str, Any]


class Loaded(NamedTuple):
    """A task and its name, as it was defined."""

    name: str
    task: Task

    @property
    def metadata(self) -> dict[str, Any]:
        """The task's metadata."""
        return self.task.metadata or {}


def load_task(run: Run) -> Loaded:
    """Make a task as Inspect would for a run, with its models known, but run nothing.

    Raises:
        InputError: If there is no such task, or it does not take the arguments.
    """
    (name, make), bound = _maker(run.task), run.bound()
    try:
        signature(make).bind(**run.arguments)
    except TypeError as error:
        raise InputError(f"{run.task} does not take -T: {error}.") from error
    loaded: list[Task] = []

    # Within a run, since whom a task pairs may depend on the models bound to roles.
    @task_function(name="estimate")
    def captured() -> Task:
        loaded.append(make(**run.arguments))
        return Task(loaded[0].dataset)  # the other one keeps its own name

    with TemporaryDirectory() as folder:
        eval(
            captured,
            model=bound.main or "none",
            model_roles=dict(bound.roles),
            run_samples=False,
            log_dir=folder,
            **QUIET,
        )
    return Loaded(name, loaded[0])


def _maker(typed: str) -> tuple[str, Callable[..., Task]]:
    """A task's name and what makes it: the function of a file, or of the registry."""
    file, _, name = typed.partition("@")
    if not file.endswith(".py"):
        return typed.rpartition("/")[2], partial(_registered, typed)
    path = local_path(file)
    if not path.is_file():
        raise InputError(f"{typed}: there is no file at {path}.")
    found = _tasks(path)
    if not name and len(found) != 1:
        raise InputError(
            f"{typed} has {len(found)} tasks ({', '.join(found) or 'none'}); name one, "
            f"as in {file}@NAME."
        )
    name = name or next(iter(found))
    check_name(f"{file}: task", name, found)
    return name, found[name]


def _registered(name: str, **arguments: Any) -> Task:
    try:
        return registry_create("task", name, **arguments)
    except LookupError as error:
        raise InputError(f"{error}.") from error


def _tasks(path: Path) -> dict[str, Callable[..., Task]]:
    """The tasks that a file defines, by name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # it ends with .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with chdir(path.parent):
        spec.loader.exec_module(module)
    own = [v for v in vars(module).values() if _is_of(v, module.__name__)]
    return {registry_info(task).name.rpartition("/")[2]: task for task in own}


def _is_of(value: object, module: str) -> bool:
    """Whether something is a task, and not one that the file only imports."""
    if getattr(value, "__module__", None) != module:
        return False
    try:
        return registry_info(value).type == "task"
    except ValueError:
        return False
