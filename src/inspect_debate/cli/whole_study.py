"""Whole studies: runs in their order, of which later ones use logs of earlier ones."""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
from inspect_ai import Task, eval_set, task_with
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.util import registry_create
from rich.text import Text

from inspect_debate.cli import loading, worker
from inspect_debate.cli.options import (
    Bound,
    bound_models,
    generate_settings,
    model_options,
    run_options,
    task_arguments,
)
from inspect_debate.cli.run import LEFT, WORKER
from inspect_debate.debate.errors import InputError, check_name, check_whole_number
from inspect_debate.debate.paths import user_path
from inspect_debate.debate.shards import Shard, read_shard


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

    `bound` makes the models anew, as each eval set closes those it had.
    """

    folder: str
    bound: Callable[[], Bound]
    arguments: Mapping[str, Any]
    shard: Shard | None

    @property
    def log_dir(self) -> str:
        """The folder of its logs; a shard has one of its own."""
        return self.folder_of(self.shard)

    def folder_of(self, shard: Shard | None) -> str:
        """The folder of a shard's logs."""
        return f"{self.folder}/{shard.number}_of_{shard.of}" if shard else self.folder


class _Settings(NamedTuple):
    """Of every run: `generate` are Inspect's generation settings."""

    limit: int | None
    epochs: int
    log_realtime: bool
    generate: Mapping[str, Any]


def whole_study(study: Study) -> click.Command:
    """The command that runs a study.

    Runs that need no log of each other are one eval set of Inspect's, and run at once:
    what is finished is not run again, and what was stopped goes on.

    Args:
        study: The study.
    """

    @click.command(help=f"Run the study {study.name}, stage by stage.")
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
        "--log-realtime",
        is_flag=True,
        help="Show the events of samples that run in inspect view; takes more CPU.",
    )
    @click.option(
        "--shard",
        metavar="I/K",
        help="Only the I-th of K equal parts of the samples, in a folder of its own; "
        "with K alone, I is a Kubernetes job's index; a Slurm array needs neither.",
    )
    @click.option(
        "--plan",
        metavar="FILE",
        help="Freeze what would run, with the primary measure and exclusions of FILE, "
        "beside the logs, and stop.",
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
        log_realtime: bool,
        shard: str | None,
        plan: str | None,
        listed: bool,
    ) -> None:
        for option, number in {"--limit": limit, "--epochs": epochs}.items():
            if number is not None:
                check_whole_number(option, number, at_least=1)
        worker.end_with_starter()
        typed = task_arguments(task_args)
        _check_models(
            study,
            casts,
            named=bool(model or model_roles),
            listed=listed and WORKER not in os.environ,
        )
        runs = study.runs(paper=paper)
        _check_typed(study, runs, typed)
        own = None if plan else _shard(shard, os.environ)
        given, limit = _of_shard(own, typed, log_dir, limit)
        parts = [
            _Part(
                f"{log_dir}/{name}",
                _bound(cast, listed),
                {**cast.arguments, **given},
                own,
            )
            for name, cast in study.chosen_casts(casts).items()
        ] or [
            _Part(
                log_dir,
                lambda: bound_models(model, model_args, model_roles),
                given,
                own,
            )
        ]
        settings = _Settings(
            limit,
            epochs or (1 if paper else study.epochs),
            log_realtime,
            generate_settings(generate_config) | ({"cache": True} if cache else {}),
        )
        if listed:
            for part in parts:
                _list(study, runs, part, settings)
            return
        for part in parts:
            _check_arguments(study, runs, part)
        if plan is not None:
            for part in parts:
                _plan(plan, study, runs, part, settings)
            return
        twins = sum(len(_twins(runs, part)) for part in parts)
        done = worker.Progress(len(runs) * len(parts) - twins)
        left = [_run(study, runs, part, settings, done) for part in parts]
        if any(left):
            names = ", ".join(dict.fromkeys(itertools.chain(*left)))
            click.echo(
                f"{LEFT}{names}, which needs the debates of all shards. Run the same "
                "command again once the others are finished."
            )
            return
        number, report = len(runs) * len(parts), f"report {study.name} {log_dir}"
        click.echo(
            f"All {number} runs are in {log_dir}. The report: inspect-debate {report} "
            "--out DIR"
            if own is None or WORKER in os.environ
            else f"Shard {own} has all its {number} runs in "
            f"{', '.join(part.log_dir for part in parts)}. Once all shards are "
            f"finished: inspect-debate {report} --out DIR"
        )

    return command


# Shards: machines that each run some of the samples.

_ARRAY = ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT")
_INDEX = "JOB_COMPLETION_INDEX"


def _shard(typed: str | None, environment: Mapping[str, str]) -> Shard | None:
    """The shard to run: as typed, or the task's of a Slurm array; None for the whole.

    Raises:
        InputError: If it cannot be known which one it is.
    """
    array = [int(environment[name]) for name in _ARRAY if name in environment]
    job = environment.get(_INDEX)
    if typed is None:
        if job is not None:
            raise InputError(
                f"{_INDEX}={job} does not tell of how many; give --shard K, where K "
                "are the job's completions (1 for the whole study)."
            )
        if _ARRAY[0] not in environment:
            return None
        if len(array) < len(_ARRAY):
            missing = " and ".join(n for n in _ARRAY if n not in environment)
            raise InputError(
                f"{_ARRAY[0]}={array[0]} is set without {missing}; give --shard I/K "
                "(1/1 for the whole study)."
            )
        index, first, count = array
        if first > 1 or not first <= index < first + count:
            raise InputError(
                f"Task {index} of a Slurm array of {count} that begins with {first} "
                "may be one of a larger array; give --shard I/K."
            )
        return Shard(index - first + 1, count)
    if not typed.isdecimal():
        return read_shard("--shard", typed)
    if job is None:
        raise InputError(
            f"--shard {typed} is one of {typed} only where {_INDEX} is set, as in an "
            f"Indexed Job of Kubernetes; give --shard I/{typed}."
        )
    return read_shard("--shard", f"{int(job) + 1}/{typed}")


def _of_shard(
    shard: Shard | None, typed: Mapping[str, Any], folder: str, limit: int | None
) -> tuple[Mapping[str, Any], int | None]:
    """A shard's arguments and its part of the limit; as they are without shards.

    Raises:
        InputError: If the folder has other shards, or the shard has no sample.
    """
    if shard is None:
        return typed, limit
    for other in user_path(folder).glob("**/[0-9]*_of_[0-9]*"):
        if other.is_dir() and not other.name.endswith(f"_of_{shard.of}"):
            raise InputError(
                f"--log-dir {folder} has {other.name}, which is no part of {shard.of} "
                "shards; give another folder."
            )
    own = None if limit is None else len(shard.places(limit))
    if own == 0:
        raise InputError(f"--shard {shard} has none of --limit {limit} samples.")
    click.echo(f"Shard {shard.number} of {shard.of}.")
    return {**typed, "shard": str(shard), **_share(shard, typed)}, own


def _share(shard: Shard, typed: Mapping[str, Any]) -> dict[str, Any]:
    """A shard's share of what a run may spend."""
    dollars = typed.get("budget_usd")
    if not isinstance(dollars, int | float):
        return {}
    click.echo(
        f"Each shard has ${dollars / shard.of:.4g} of budget_usd={dollars:g} for each "
        "run."
    )
    return {"budget_usd": dollars / shard.of}


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
    lines = [f"{part.log_dir}: {len(runs)} runs of {study.task}"]
    for name, run in runs.items():
        number = _samples(study, run, part, settings)
        times = f" x {settings.epochs} epochs" if settings.epochs > 1 else ""
        lines.append(
            f"  {name}: {number} samples{times}; "
            f"{' '.join(as_typed({**run.arguments, **part.arguments}))}"
        )
    click.echo("\n".join(lines))


def _samples(study: Study, run: Run, part: _Part, settings: _Settings) -> int:
    """On how many samples a run is; the data are loaded."""
    bound = partial(_seated, run, part)
    made = loading.load_task(loading.Run(study.task, _alone(run, part), bound, {}))
    return len(made.task.dataset[: settings.limit])


def _plan(
    given: str,
    study: Study,
    runs: Mapping[str, Run],
    part: _Part,
    settings: _Settings,
) -> None:
    """Freeze what would run, with what the researcher says of it."""
    # Seconds of import time, which runs should not pay.
    from inspect_debate.reports import plan

    intent, planned, twins = plan.read_intent(given), {}, _twins(runs, part)
    for name, run in runs.items():
        if name in twins:
            continue
        every = {**run.arguments, **part.arguments}
        planned[name] = plan.PlannedRun(
            arguments={k: v for k, v in every.items() if not isinstance(v, LogOf)},
            samples=_samples(study, run, part, settings),
            models={
                role: plan.named(models if isinstance(models, list) else [models])
                for role, models in _seated(run, part).roles.items()
            },
        )
    written = plan.write_plan(
        plan.Plan(
            **intent.model_dump(),
            study=study.name,
            frozen=datetime.now(UTC),
            seed=part.arguments.get("seed", 0),
            epochs=settings.epochs,
            runs=planned,
        ),
        part.folder,
    )
    click.echo(f"{len(planned)} runs are planned in {part.folder}/{written.name}.")


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
    study: Study,
    runs: Mapping[str, Run],
    part: _Part,
    settings: _Settings,
    progress: worker.Progress,
) -> list[str]:
    """Make the logs that are not there, one stage after the other.

    Returns:
        The runs that are left until other shards are finished.
    """
    # A runner of others' lists or picks tasks in one eval set, which ends the process.
    driven = any(os.environ.get(name) for name in _DRIVEN)
    twins = _twins(runs, part)
    logs = _with_twins(_finished(part.log_dir), twins) if driven else {}
    left: dict[str, Run] = {}
    for stage in [_ready(runs, logs)] if driven else _stages(runs):
        tasks: list[Task] = []
        for name, run in stage.items():
            if name in twins:
                click.echo(f"{name}: with these models the same as {twins[name]}")
                continue
            arguments = {**_found(run, logs, part), **part.arguments}
            if None in arguments.values():
                left[name] = run
                continue
            shown = {**run.arguments, **part.arguments}
            click.echo(f"{name}: {' '.join(as_typed(shown))}")
            bound = partial(_seated, run, part)
            made = loading.load_task(loading.Run(study.task, arguments, bound, {}))
            number = {"run_number": [*runs].index(name)}
            tasks.append(
                task_with(
                    made.task,
                    tags=[name],
                    model_roles=dict(bound().roles),
                    metadata=made.metadata | number,
                )
            )
        if not tasks:
            continue
        samples = {
            (task.tags or [""])[0]: len(task.dataset[: settings.limit])
            * settings.epochs
            for task in tasks
        }
        with progress.stage(part.log_dir, samples), _in_a_sentence():
            success, ended = eval_set(
                tasks,
                model=part.bound().main or "none",
                # One folder for all, so that `inspect view` shows them together.
                log_dir=part.log_dir,
                log_dir_allow_dirty=True,
                log_realtime=settings.log_realtime,
                limit=settings.limit,
                epochs=settings.epochs,
                **settings.generate,
            )
        by_name = {(log.eval.tags or [""])[0]: log for log in ended}
        if samples.keys() - by_name.keys():
            raise click.Abort  # after Ctrl+C Inspect returns no logs, as a success
        # As typed: the next run's log tells the path, and it is no secret of a machine.
        logs |= {
            name: f"{part.log_dir}/{Path(log.location).name}"
            for name, log in by_name.items()
        }
        logs = _with_twins(logs, twins)
        if not success:
            failed = [name for name, log in by_name.items() if log.status != "success"]
            raise InputError(
                f"{', '.join(failed)} did not finish; see {part.log_dir}. Run the same "
                "command again."
            )
    if driven:
        raise SystemExit(0)  # the runner knows which runs are left
    return [*left]


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what Inspect asks of an eval set; here its own way of saying it is mute."""
    try:
        yield
    except Exception as error:  # it has no public type
        if type(error).__name__ != "PrerequisiteError":
            raise
        raise InputError(Text.from_markup(str(error)).plain) from error


_DRIVEN = ("INSPECT_EVAL_SET_CAPTURE", "INSPECT_EVAL_SET_SELECTION")


def _stages(runs: Mapping[str, Run]) -> Iterator[dict[str, Run]]:
    """The runs in stages, each of which needs logs of those before it alone."""
    before: dict[str, Run] = {}
    while left := {name: run for name, run in runs.items() if name not in before}:
        stage = _ready(left, before)
        yield stage
        before |= stage


def _ready(runs: Mapping[str, Run], there: Iterable[str]) -> dict[str, Run]:
    """The runs of which all that they need is there."""
    return {name: run for name, run in runs.items() if run.needs <= {*there}}


def _finished(folder: str) -> dict[str, str]:
    """The finished logs in a folder, by the run's name."""
    if not user_path(folder).is_dir():
        return {}
    found = {}
    for each in list_eval_logs(str(user_path(folder)), descending=False):
        header = read_eval_log(each, header_only=True)
        if header.status == "success" and header.eval.tags:
            found[header.eval.tags[0]] = f"{folder}/{Path(each.name).name}"
    return found


def _found(run: Run, logs: Mapping[str, str], part: _Part) -> dict[str, Any]:
    """A run's arguments, with paths for logs; None for what other shards are to make.

    What is matched is a mean over all samples: then it takes the logs of all shards.
    """
    found = dict(run.arguments)
    for name, value in run.arguments.items():
        if isinstance(value, LogOf):
            found[name] = logs[value.run]
            if part.shard and name == "match":
                folders = [
                    part.folder_of(Shard(n + 1, part.shard.of))
                    for n in range(part.shard.of)
                ]
                of_all = [_finished(folder).get(value.run) for folder in folders]
                found[name] = None if None in of_all else of_all
    return found


def _twins(runs: Mapping[str, Run], part: _Part) -> dict[str, str]:
    """Runs that with these models are an earlier one again, by name, and which one."""

    def made(run: Run) -> str:
        models = [
            (role, [(str(m), m.config.model_dump(), m.model_args) for m in given])
            for role, one in sorted(_seated(run, part).roles.items())
            for given in [one if isinstance(one, list) else [one]]
        ]
        return repr((sorted(as_typed(run.arguments)), models))

    first: dict[str, str] = {}
    found = {name: first.setdefault(made(run), name) for name, run in runs.items()}
    return {name: earlier for name, earlier in found.items() if earlier != name}


def _with_twins(logs: Mapping[str, str], twins: Mapping[str, str]) -> dict[str, str]:
    """Logs by the run's name, those of runs that are made once by both names."""
    return {
        **logs,
        **{name: logs[first] for name, first in twins.items() if first in logs},
    }


def _seated(run: Run, part: _Part) -> Bound:
    """The models by the roles that they play in a run."""
    bound = part.bound()
    moved = {
        role: bound.roles[other]
        for role, other in run.roles.items()
        if other in bound.roles
    }
    return Bound(bound.main, {**bound.roles, **moved})
