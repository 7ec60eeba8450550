"""Finding and opening logs; what is left out of an analysis is said, not hidden."""

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain
from logging import getLogger
from pathlib import Path
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog, EvalSampleSummary, read_eval_log
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage
from upath import UPath

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import AnyPath, user_path
from inspect_debate.v1.debate.record import upgraded_metadata
from inspect_debate.v1.debate.shards import Shard
from inspect_debate.v1.debate.stored import sample_summaries

logger = getLogger(__name__)

LogPaths = str | AnyPath | Sequence[str | AnyPath]
"""Log files, or folders that are searched for logs with all that is in them."""


@dataclass(frozen=True)
class Log:
    """A log whose header was read, or all logs of a run in shards.

    `typed` is its path for errors, `named` whether the user typed it, and not a folder.
    `values` is what scorers know of its samples, by id, epoch and scorer, as far as
    they were read. `shards` has the logs of a run in shards, `missing` the shards
    without one; path and header are then the first one's, the header for all of them.
    """

    path: AnyPath
    typed: str
    named: bool
    header: EvalLog
    values: dict[tuple[str, int], Mapping[str, "Packed"]] = field(
        default_factory=dict, compare=False, repr=False
    )
    shards: Sequence["Log"] = ()
    missing: Sequence[Shard] = ()

    @property
    def paths(self) -> list[AnyPath]:
        """Its file, or those of its shards."""
        return [shard.path for shard in self.shards] or [self.path]

    def path_of(self, id: str | int, epoch: int) -> AnyPath:
        """The file that has a sample."""
        return self._files[id, epoch] if self.shards else self.path

    @cached_property
    def _files(self) -> dict[tuple[str | int, int], AnyPath]:
        every = (
            (shard, summary) for shard in self.shards for summary in shard.summaries
        )
        return {(summary.id, summary.epoch): shard.path for shard, summary in every}

    @property
    def metadata(self) -> dict[str, Any]:
        """The task's metadata, as this version writes them."""
        return upgraded_metadata(self.header.eval.metadata)

    @property
    def summaries(self) -> list[EvalSampleSummary]:
        """The summaries of its samples, as from `sample_summaries`, read anew.

        They take much more memory than what reports make of them.
        """
        if self.shards:
            return [summary for shard in self.shards for summary in shard.summaries]
        return sample_summaries(self.path)

    @property
    def unfinished(self) -> str | None:
        """How a run ended, and why, that did not finish; None for one that did."""
        if self.shards:
            gone = [str(shard) for shard in self.missing]
            some = "shards are" if len(gone) > 1 else "a shard is"
            parts = [f"{some} missing ({', '.join(gone)})"] * bool(gone)
            parts += [
                f"shard {_shard(shard)} has {shard.unfinished}"
                for shard in self.shards
                if shard.unfinished
            ]
            return "; ".join(parts) or None
        if self.header.invalidated:
            return "status 'invalidated'"
        if self.header.status == "success":
            return None
        error = self.header.error
        why = error.message.partition("\n")[0].partition(". ")[0] if error else ""
        return f"status {self.header.status!r}" + f" ({why.rstrip('.')})" * bool(why)

    @property
    def settings(self) -> GenerateConfig:
        """What was set for the run; where all models are roles, only its plan knows."""
        own = self.header.eval.model_generate_config
        return own.merge(self.header.plan.config)

    @property
    def roles(self) -> dict[str, list[ModelConfig]]:
        """The models that were bound to each role."""
        bound = self.header.eval.model_roles or {}
        return {
            role: models if isinstance(models, list) else [models]
            for role, models in bound.items()
        }


class Packed(NamedTuple):
    """Numbers by name, in an eighth of the memory of a dict."""

    names: tuple[str, ...]
    numbers: "array[float]"

    def unpacked(self) -> dict[str, float]:
        """As a dict again."""
        return dict(zip(self.names, self.numbers, strict=True))


def packed(values: Mapping[str, float]) -> Packed:
    """Numbers by name, the names once for all samples that have the same ones."""
    return Packed(_once(tuple(values)), array("d", values.values()))


@cache
def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    return names


TRIALS = ("examples", "check", "rehearsals")
"""Folders in `logs` of shipped logs, and of what `check` and `estimate` ran."""


def open_logs(logs: LogPaths) -> list[Log]:
    """Read the headers of logs, the oldest first.

    Args:
        logs: Files or folders, relative to where the command was typed. In a folder
            every `.eval` counts and every `.json` that is a log, but not those in
            `TRIALS` below it.

    Returns:
        One log per run: of several of one task (retried, or scored again) the newest,
        and the shards of a run as one. What is left out is said.

    Raises:
        InputError: If there is no such path, no log in it, or a file is not a log.
    """
    paths = [logs] if isinstance(logs, str | Path | UPath) else list(logs)
    found = {log.path.resolve(): log for typed in paths for log in _opened(typed)}
    if not found:
        raise InputError(f"There is no log in {', '.join(map(str, paths)) or 'none'}.")
    runs: dict[str, Log] = {}
    for log in sorted(found.values(), key=_age):
        earlier = runs.get(log.header.eval.task_id)
        if earlier is not None:
            logger.warning(
                f"{log.path.name} is a newer log of the same run as "
                f"{earlier.path.name}, which is left out."
            )
        runs[log.header.eval.task_id] = log
    return _in_order(_joined(sorted(runs.values(), key=_age)))


def _in_order(logs: Iterable[Log]) -> list[Log]:
    """Logs, the oldest first; those of one whole study in the study's order."""
    aged = sorted(logs, key=_age)
    begun: dict[AnyPath, str] = {}
    for log in aged:
        if _RUN_NUMBER in log.metadata:
            begun.setdefault(log.path.parent, log.header.eval.created)

    def place(log: Log) -> tuple[str, int]:
        created, number = log.header.eval.created, log.metadata.get(_RUN_NUMBER)
        if number is None:
            return created, 0
        return begun[log.path.parent], number

    return sorted(aged, key=place)


_RUN_NUMBER = "run_number"
"""The metadata with a run's place among those of a study, many of which run at once."""


# Runs in shards.

_OF_LOGS = ("reuse", "match", "debates")
_OWN = ("shard", *_OF_LOGS)
"""Arguments in which the shards of one run differ."""


def _shard(log: Log) -> Shard | None:
    own = log.metadata.get("shard")
    return own and Shard(**own)


def _joined(logs: Iterable[Log]) -> Iterator[Log]:
    """Logs, the oldest first, with the shards of each run as one."""
    runs: dict[str, dict[Shard, Log]] = {}
    for log in logs:
        shard = _shard(log)
        if shard is None:
            yield log
            continue
        others = runs.setdefault(_run_of(log), {})
        if shard in others:
            logger.warning(
                f"{log.path.name} is a newer log of the same shard as "
                f"{others[shard].path.name}, which is left out."
            )
        others[shard] = log
    for found in runs.values():
        shards = [found[shard] for shard in sorted(found)]
        of = next(iter(found)).of
        every = [Shard(index, of) for index in range(1, of + 1)]
        yield replace(
            shards[0],
            header=_header_of_all([shard.header for shard in shards]),
            shards=shards,
            missing=[shard for shard in every if shard not in found],
        )


def _run_of(log: Log) -> str:
    """What all shards of a run have in common, and no other run has."""
    spec, shard = log.header.eval, _shard(log)
    arguments = {k: v for k, v in spec.task_args.items() if k not in _OWN}
    roles = {
        role: [m.model_dump(exclude={"base_url"}) for m in models]
        for role, models in log.roles.items()
    }
    told = [spec.task, spec.task_version, spec.tags, spec.model, spec.model_args]
    settings = [roles, log.settings.model_dump(), spec.config.epochs, arguments]
    prompts = log.metadata.get("prompts")
    return json.dumps([shard and shard.of, told, settings, prompts], default=str)


def _header_of_all(headers: Sequence[EvalLog]) -> EvalLog:
    """The header of a run in shards, as if it had run as a whole."""
    first = headers[0].model_copy(deep=True)
    spec, of_all = first.eval, [header.eval for header in headers]
    spec.dataset.samples = sum(each.dataset.samples or 0 for each in of_all)
    spec.dataset.sample_ids = [
        id for each in of_all for id in each.dataset.sample_ids or []
    ]
    if spec.config.limit is not None:  # with it a whole run would have other samples
        spec.config.limit = None
        spec.config.sample_id = list(spec.dataset.sample_ids)
    for arguments in (spec.task_args, spec.task_args_passed):
        arguments.pop("shard", None)
        if arguments.get("budget_usd") is not None:
            arguments["budget_usd"] *= len(headers)
    for name in _OF_LOGS:  # the whole run has those of all shards
        named = [each.task_args_passed.get(name) for each in of_all]
        if any(logs != named[0] for logs in named):
            lists = [logs if isinstance(logs, list) else [logs] for logs in named]
            spec.task_args_passed[name] = list(dict.fromkeys(chain(*lists)))
    spec.metadata = {k: v for k, v in (spec.metadata or {}).items() if k != "shard"}
    stats = [header.stats for header in headers]
    first.stats.started_at = min(each.started_at for each in stats)
    first.stats.completed_at = max(each.completed_at for each in stats)
    for name in ("model_usage", "role_usage"):
        used: dict[str, ModelUsage] = {}
        for each in stats:
            for model, usage in getattr(each, name).items():
                used[model] = used[model] + usage if model in used else usage
        setattr(first.stats, name, used)
    return first


_NAMED = 3
"""How many of the logs that are left out are named."""


def study_logs(
    logs: LogPaths, study: str | None = None, *, allow_partial: bool = False
) -> list[Log]:
    """The finished logs of the suite's own tasks.

    Args:
        logs: As in `open_logs`.
        study: Only logs of this study; those of others in a folder are left out, and
            that is said.
        allow_partial: Whether to take logs of runs that failed, were cancelled or still
            run, with the samples that they have.

    Raises:
        InputError: As `open_logs`; if a log that was named is not of the suite or the
            study, or nothing remains; if a run did not finish.
    """
    kept: list[Log] = []
    others: list[str] = []
    for log in open_logs(logs):
        if _belongs(log, study):
            kept.append(log)
        else:
            others.append(log.path.name)
    what = "the suite's tasks" if study is None else f"study {study!r}"
    if not kept:
        raise InputError(f"None of the logs is of {what}.")
    if others:
        named = ", ".join(others[:_NAMED])
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        logs_are = "log is" if len(others) == 1 else "logs are"
        logger.warning(
            f"{len(others)} {logs_are} not of {what} and left out: {named}{more}."
        )
    for log in kept:
        check_finished(log, allow_partial=allow_partial)
    return kept


def _age(log: Log) -> tuple[str, float]:
    return log.header.eval.created, log.path.stat().st_mtime


def _opened(typed: str | AnyPath) -> Iterator[Log]:
    path = user_path(typed)
    if path.is_dir():
        for file in sorted(_log_files(path)):
            try:
                yield _open(file, f"{typed}/{file.relative_to(str(path))}", named=False)
            except InputError:
                if file.suffix == ".eval":
                    raise
    elif path.is_file():
        yield _open(path, str(typed), named=True)
    else:
        raise InputError(f"{typed}: there is no log or folder at {path}.")


def _log_files(folder: AnyPath) -> Iterable[AnyPath]:
    for kind in ("eval", "json"):
        for file in folder.rglob(f"*.{kind}"):
            if file.relative_to(str(folder)).parts[0] not in TRIALS:
                yield file


def _open(path: AnyPath, typed: str, *, named: bool) -> Log:
    try:
        return Log(path, typed, named, read_eval_log(str(path), header_only=True))
    except (ValueError, KeyError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{typed} is not an Inspect log: {reason}") from error


def _belongs(log: Log, study: str | None) -> bool:
    """Whether a log is of a study; raises where it is not and was named."""
    of = log.metadata.get("study")
    if of is not None and study in (None, of):
        return True
    if log.named:
        whose = f"of study {of!r}" if of else "not the log of one of this suite's tasks"
        wanted = f", and not of {study!r}" if of else ""
        raise InputError(f"{log.typed} is {whose}{wanted}.")
    return False


def check_finished(log: Log, *, allow_partial: bool) -> None:
    """Check that a run ended as it should; a partial one that is allowed is said.

    Raises:
        InputError: If it did not, and partial logs are not allowed.
    """
    if log.unfinished is None:
        return
    what, how = (
        f"{log.typed} has {log.unfinished}",
        "finish it with `inspect eval-retry`",
    )
    if log.shards:
        name = (log.header.eval.tags or [log.typed])[0]
        what, how = f"{name}: {log.unfinished}", "run the command of each again"
    if not allow_partial:
        raise InputError(
            f"{what}, so samples may be missing; {how}, or give --allow-partial "
            "(allow_partial=True)."
        )
    logger.warning(f"{what}: samples may be missing.")
