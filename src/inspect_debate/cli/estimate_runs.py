"""Rehearsing a task on some of its samples."""

import glob
import itertools
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import click
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info

from inspect_debate.cli.loading import QUIET, Loaded, Run
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath, any_path, local_path
from inspect_debate.debate.progress import samples_counted
from inspect_debate.debate.prompts import leaves
from inspect_debate.evals.tasks import read_prices
from inspect_debate.reports.logs import Log, open_logs
from inspect_debate.reports.prediction import spent, spread

_SAME, _FREE = ("task", "protocol", "data"), ("reuse", "reuse_until")


def set_prices(typed: str) -> Mapping[str, ModelCost]:
    """Make the prices of a file known, also of models that Inspect does not know.

    Returns:
        The prices by model.

    Raises:
        InputError: If it cannot be read, or is no such file.
    """
    prices = read_prices(typed)
    for model, cost in prices.items():
        info = get_model_info(model) or ModelInfo()
        set_model_info(model, info.model_copy(update={"cost": cost}))
    return prices


def rehearse_in(
    log_dir: str, run: Run, loaded: Loaded, lengths: Mapping[str, int], number: int
) -> str:
    """Run a task on some of its samples, once each.

    Samples whose answers agree, and so are not debated, are debated in a second run
    with the same answers, so that each shows what a debate costs.

    Args:
        log_dir: Where the rehearsal gets a folder of its own.
        run: What to rehearse.
        loaded: Its task.
        lengths: Of all its items, by sample id.
        number: On how many.

    Returns:
        The folder with the logs.

    Raises:
        InputError: If a run failed.
    """
    folder = str(_new_folder(any_path(log_dir), loaded.name))
    ids = spread(lengths, number)
    click.echo(f"Rehearsing {len(ids)} of {len(lengths)} items in {folder}.", err=True)
    log = _rehearse(run, ids, folder)
    debates = spent(open_logs(log)).debates
    skipped = debates.loc[debates["may_skip"] & ~debates["went_on"], "id"].tolist()
    if skipped and _is_own(loaded) and "reuse" not in run.arguments:
        every = {"skip_if_agree": False, "reuse": str(log), "reuse_until": "answers"}
        click.echo(
            f"Debating {len(skipped)} of them on which the answers agree, too.",
            err=True,
        )
        _rehearse(run._replace(arguments={**run.arguments, **every}), skipped, folder)
    return folder


def _new_folder(log_dir: AnyPath, task: str) -> AnyPath:
    started = f"{task}-{datetime.now(UTC):%Y%m%dT%H%M%S}"
    for number in itertools.count(1):
        folder = log_dir / (started if number == 1 else f"{started}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:  # Another rehearsal began in the same second.
            continue
        return folder
    raise AssertionError("count() does not end")


def check_same(loaded: Loaded, logs: Sequence[Log]) -> None:
    """Check that logs are of a task as it is configured now.

    Raises:
        InputError: If one is of another, or was run with other parameters.
    """
    here = loaded.metadata
    for log in logs:
        there = log.metadata
        other = [f"{n}={there.get(n)}" for n in _SAME if there.get(n) != here.get(n)]
        ours, theirs = (dict(m.get("parameters") or {}) for m in (here, there))
        free = set(_FREE)
        if log.header.eval.task_args.get("reuse"):
            free.add("skip_if_agree")  # so that everything is debated
        other += [
            f"{name}={theirs.get(name)!r}"
            for name in sorted((ours.keys() | theirs.keys()) - free)
            if ours.get(name) != theirs.get(name)
        ]
        if leaves(here.get("prompts")) != leaves(there.get("prompts")):
            other.append("other prompts")
        if other:
            raise InputError(
                f"{log.typed} is of another run: {', '.join(other)} there."
            )


def _is_own(loaded: Loaded) -> bool:
    """Whether a task is a study's own, which takes the parameters of all studies."""
    return str(loaded.metadata.get("task")).rpartition("/")[2] == loaded.name


def _rehearse(run: Run, ids: Sequence[str], log_dir: str) -> AnyPath:
    bound = run.bound()
    with samples_counted("Rehearsing", len(ids)):
        (log,) = eval(
            _relative(run.task),
            task_args=dict(run.arguments),
            model=bound.main or "none",
            model_roles=dict(bound.roles),
            sample_id=[glob.escape(id) for id in ids],
            epochs=1,
            log_dir=log_dir,
            **QUIET,
            **run.settings,
        )
    path = any_path(log.location)
    if log.status != "success":
        raise InputError(f"The rehearsal failed: {_reason(log)} See {path}.")
    return path


def _relative(typed: str) -> str:
    """A task as Inspect takes it, which looks for no absolute path."""
    file, at, name = typed.partition("@")
    if not file.endswith(".py"):
        return typed
    return f"{os.path.relpath(local_path(file))}{at}{name}"


def _reason(log: EvalLog) -> str:
    message = log.error.message if log.error else f"its status is {log.status!r}"
    return re.sub(r"\.?$", ".", " ".join(message.split()))
