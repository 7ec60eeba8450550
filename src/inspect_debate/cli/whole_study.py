"""Whole studies: runs in their order, of which later ones use logs of earlier ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import click
from inspect_ai import eval_set
from inspect_ai.util import registry_create

from inspect_debate.cli.options import (
    Bound,
    bound_models,
    generate_settings,
    model_options,
    run_options,
    task_arguments,
)
from inspect_debate.debate.errors import InputError, check_name, check_whole_number


@dataclass(frozen=True)
class LogOf:
    """In place of a path: the log of an earlier run of the study."""

    run: str


@dataclass(frozen=True)
class Run:
    """One run of a study's task.

    Attributes:
        arguments: The task's arguments that this run differs in.
        roles: Roles with the model of another role in this run, such as
            `{"debater_a": "debater_b"}`.
    """

    arguments: Mapping[str, Any]
    roles: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs(self) -> frozenset[str]:
        """The runs whose logs it uses."""
        return frozenset(
            value.run for value in self.arguments.values() if isinstance(value, LogOf)
        )


@dataclass(frozen=True)
class Cast:
    """Models of a published study.

    Attributes:
        model: The main model.
        roles: The models of roles; several with commas between them.
        arguments: Arguments of the task that go with them in all runs.
    """

    model: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """A study: its runs, in an order in which each finds the logs that it uses.

    Attributes:
        name: As the suite's task and its report are called.
        recommended: The runs that the suite recommends, by name.
        paper: Those of the paper, by name; empty where there is no paper.
        casts: The paper's models, by name.
        epochs: How often the recommended runs go through the samples.
    """

    name: str
    recommended: Mapping[str, Run]
    paper: Mapping[str, Run] = field(default_factory=dict)
    casts: Mapping[str, Cast] = field(default_factory=dict)
    epochs: int = 1

    def __post_init__(self) -> None:
        for runs in (self.recommended, self.paper):
            _check_order(runs)

    @property
    def task(self) -> str:
        """The task, as it is registered."""
        return f"inspect_debate/{self.name}"

    def runs(self, *, paper: bool) -> Mapping[str, Run]:
        """The runs of the paper, or the recommended ones.

        Raises:
            InputError: If there is no paper.
        """
        if paper and not self.paper:
            raise InputError(f"--paper: there is no paper on {self.name}.")
        return self.paper if paper else self.recommended

    def chosen_casts(self, typed: Iterable[str]) -> dict[str, Cast]:
        """Some of the casts, or with `all` every one.

        Raises:
            InputError: If one is not known.
        """
        names = list(typed)
        for name in names:
            check_name("--cast", name, ("all", *self.casts))
        return {k: c for k, c in self.casts.items() if {k, "all"} & {*names}}


def varied(runs: Mapping[str, Run]) -> set[str]:
    """The arguments in which runs differ from each other: what the study varies."""
    names = {name for run in runs.values() for name in run.arguments}
    return {
        name
        for name in names
        if len({str(r.arguments[name]) for r in runs.values() if name in r.arguments})
        > 1
    }


def run(**arguments: Any) -> Run:
    """A run with the task's arguments, in which each model plays its own role."""
    return Run(arguments)


def as_typed(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Arguments as they are typed, with names for logs that are still to come."""
    for name, value in arguments.items():
        shown = f"<log of {value.run}>" if isinstance(value, LogOf) else value
        yield f"{name}={str(shown).lower() if isinstance(shown, bool) else shown}"


def _check_order(runs: Mapping[str, Run]) -> None:
    earlier: set[str] = set()
    for name, each in runs.items():
        if not each.needs <= earlier:
            missing = ", ".join(sorted(each.needs - earlier))
            raise ValueError(
                f"{name} uses the log of {missing}, which is not before it"
            )
        earlier.add(name)


# The command of a whole study: lists its runs, or makes those that are not there.

_OF_LOGS = ("reuse_until", "match_on")
"""What has a meaning only beside a log."""


class _Part(NamedTuple):
    """All runs with one set of models, whose logs are in one folder.

    `bound` makes the models anew, as each run closes those it had.
    """

    log_dir: str
    bound: Callable[[], Bound]
    arguments: Mapping[str, Any]


class _Settings(NamedTuple):
    """Of every run: `generate` are Inspect's generation settings."""

    limit: int | None
    epochs: int
    generate: Mapping[str, Any]


def whole_study(study: Study) -> click.Command:
    """The command that runs a study.

    Every run is an eval set of Inspect's: what is finished is not run again, and what
    was stopped goes on.

    Args:
        study: The study.
    """

    @click.command(help=f"Run the study {study.name}, one run after the other.")
    @click.option("--paper", is_flag=True, help="The paper's runs.")
    @click.option(
        "--cast",
        "casts",
        multiple=True,
        metavar="NAME",
        help="Models of the paper, by name (--cast all: all of them). Repeatable.",
    )
    @model_options
    @run_options
    @click.option(
        "--log-dir",
        default=f"logs/{study.name}",
        show_default=True,
        metavar="DIR",
        help="Where logs are written, and found again.",
    )
    @click.option(
        "--cache/--no-cache",
        default=True,
        show_default=True,
        help="Take replies that any earlier run got from Inspect's cache.",
    )
    @click.option(
        "--list", "listed", is_flag=True, help="Print what would run, and stop."
    )
    def command(
        paper: bool,
        casts: tuple[str, ...],
        model: str | None,
        model_args: tuple[str, ...],
        model_roles: tuple[str, ...],
        task_args: tuple[str, ...],
        limit: int | None,
        epochs: int | None,
        generate_config: str | None,
        log_dir: str,
        cache: bool,
        listed: bool,
    ) -> None:
        for option, number in {"--limit": limit, "--epochs": epochs}.items():
            if number is not None:
                check_whole_number(option, number, at_least=1)
        typed = task_arguments(task_args)
        _check_models(study, casts, named=bool(model or model_roles), listed=listed)
        parts = [
            _Part(
                f"{log_dir}/{name}", _bound(cast, listed), {**cast.arguments, **typed}
            )
            for name, cast in study.chosen_casts(casts).items()
        ] or [
            _Part(log_dir, lambda: bound_models(model, model_args, model_roles), typed)
        ]
        settings = _Settings(
            limit,
            epochs or (1 if paper else study.epochs),
            generate_settings(generate_config) | ({"cache": True} if cache else {}),
        )
        runs = study.runs(paper=paper)
        _check_typed(study, runs, typed)
        if listed:
            for part in parts:
                _list(study, runs, part, settings)
            return
        for part in parts:
            _check_arguments(study, runs, part)
        for part in parts:
            _run(study, runs, part, settings)
        click.echo(
            f"All {len(runs) * len(parts)} runs are in {log_dir}. The report: "
            f"inspect-debate report {study.name} {log_dir} --out DIR"
        )

    return command


def _check_typed(
    study: Study, runs: Mapping[str, Run], typed: Mapping[str, Any]
) -> None:
    """Check that no typed argument is one in which the runs differ."""
    if same := sorted(varied(runs) & typed.keys()):
        raise InputError(
            f"-T {same[0]}={typed[same[0]]} would make all runs alike, which differ in "
            f"{same[0]}; for a single run use inspect eval {study.task}."
        )


def _check_models(
    study: Study, casts: Sequence[str], *, named: bool, listed: bool
) -> None:
    """Check that models are named, and once."""
    if casts and named:
        raise InputError("--cast names the models; leave out --model and --model-role.")
    if not (casts or named or listed):
        known = f", or --cast {', '.join(('all', *study.casts))}" if study.casts else ""
        raise InputError(f"No model is named. Give --model, --model-role{known}.")


def _bound(cast: Cast, listed: bool) -> Callable[[], Bound]:
    """What makes the models; to list runs, mock models, which need no keys."""
    provider = "mockllm/" if listed else ""

    def named(names: str) -> str:
        return ",".join(f"{provider}{name}" for name in names.split(","))

    roles = [f"{role}={named(names)}" for role, names in cast.roles.items()]
    return lambda: bound_models(cast.model and named(cast.model), (), roles)


def _list(
    study: Study, runs: Mapping[str, Run], part: _Part, settings: _Settings
) -> None:
    """Print the runs with their samples; the data are loaded, and nothing is called."""
    # Seconds of import time, which runs should not pay.
    from inspect_debate.cli import estimate_runs

    lines = [f"{part.log_dir}: {len(runs)} runs of {study.task}"]
    for name, run in runs.items():
        bound = partial(_seated, run, part)
        loaded = estimate_runs.load_task(
            estimate_runs.Run(study.task, _alone(run, part), bound, {})
        )
        number = len(loaded.task.dataset[: settings.limit])
        times = f" x {settings.epochs} epochs" if settings.epochs > 1 else ""
        lines.append(
            f"  {name}: {number} samples{times}; "
            f"{' '.join(as_typed({**run.arguments, **part.arguments}))}"
        )
    click.echo("\n".join(lines))


def _alone(run: Run, part: _Part) -> dict[str, Any]:
    """A run's arguments without those that need the log of another."""
    return {
        name: value
        for name, value in {**run.arguments, **part.arguments}.items()
        if not isinstance(value, LogOf) and name not in _OF_LOGS
    }


def _check_arguments(study: Study, runs: Mapping[str, Run], part: _Part) -> None:
    """Check that every run takes its arguments, before the first of them is paid for.

    Raises:
        InputError: If one does not.
    """
    for name, run in runs.items():
        try:
            registry_create("task", study.task, **_alone(run, part))
        except InputError as error:
            raise InputError(f"{name}: {error}") from error


def _run(
    study: Study, runs: Mapping[str, Run], part: _Part, settings: _Settings
) -> None:
    """Make the logs that are not there."""
    logs: dict[str, str] = {}
    for name, run in runs.items():
        click.echo(f"{name}: {' '.join(as_typed({**run.arguments, **part.arguments}))}")
        bound = _seated(run, part)
        success, (log,) = eval_set(
            study.task,
            task_args={**dict(_found(run, logs)), **part.arguments},
            model=bound.main or "none",
            model_roles=dict(bound.roles),
            # One folder for all, so that `inspect view` shows them together.
            log_dir=part.log_dir,
            log_dir_allow_dirty=True,
            limit=settings.limit,
            epochs=settings.epochs,
            tags=[name],
            **settings.generate,
        )
        # As typed: the next run's log tells the path, and it is no secret of a machine.
        logs[name] = f"{part.log_dir}/{PurePosixPath(log.location).name}"
        if not success:
            raise InputError(
                f"{name} did not finish; see {logs[name]}. Run the same command again."
            )


def _found(run: Run, logs: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """A run's arguments, with paths for logs."""
    for name, value in run.arguments.items():
        yield name, logs[value.run] if isinstance(value, LogOf) else value


def _seated(run: Run, part: _Part) -> Bound:
    """The models by the roles that they play in a run."""
    bound = part.bound()
    moved = {
        role: bound.roles[other]
        for role, other in run.roles.items()
        if other in bound.roles
    }
    return Bound(bound.main, {**bound.roles, **moved})
