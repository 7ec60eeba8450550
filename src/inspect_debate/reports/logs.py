"""Finding and opening logs; what is left out of an analysis is said, not hidden."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from inspect_ai.model import GenerateConfig, ModelConfig
from upath import UPath

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.paths import AnyPath, user_path
from inspect_debate.debate.record import upgraded_metadata

logger = getLogger(__name__)

LogPaths = str | AnyPath | Sequence[str | AnyPath]
"""Log files, or folders that are searched for logs with all that is in them."""


@dataclass(frozen=True)
class Log:
    """A log whose header was read.

    `typed` is its path for errors, `named` whether the user typed it, and not a folder.
    `values` is what scorers know of its samples, by id, epoch and scorer, as far as
    they were read.
    """

    path: AnyPath
    typed: str
    named: bool
    header: EvalLog
    values: dict[tuple[str, int], Mapping[str, Mapping[str, float]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def metadata(self) -> dict[str, Any]:
        """The task's metadata, as this version writes them."""
        return upgraded_metadata(self.header.eval.metadata)

    @cached_property
    def summaries(self) -> list[EvalSampleSummary]:
        """The summaries of its samples, read once, each input as a hash of its text.

        Inputs and usage by role are the most of a summary, and no report reads them.
        """
        return [
            summary.model_copy(update={"input": _hashed(summary), "role_usage": {}})
            for summary in read_eval_log_sample_summaries(str(self.path))
        ]

    @property
    def unfinished(self) -> str | None:
        """How a run ended, and why, that did not finish; None for one that did."""
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


def _hashed(summary: EvalSampleSummary) -> str:
    given = summary.input
    text = given if isinstance(given, str) else "\n".join(m.text for m in given)
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


TRIALS = ("examples", "check", "rehearsals")
"""Folders in `logs` of shipped logs, and of what `check` and `estimate` ran."""


def open_logs(logs: LogPaths) -> list[Log]:
    """Read the headers of logs, the oldest first.

    Args:
        logs: Files or folders, relative to where the command was typed. In a folder
            every `.eval` counts and every `.json` that is a log, but not those in
            `TRIALS` below it.

    Returns:
        One log per run: of several of one task (retried, or scored again) the newest.
        What is left out is said.

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
    return sorted(runs.values(), key=_age)


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
    if not allow_partial:
        raise InputError(
            f"{log.typed} has {log.unfinished}, so samples may be missing; finish it "
            "with `inspect eval-retry`, or give --allow-partial (allow_partial=True)."
        )
    logger.warning(f"{log.typed} has {log.unfinished}: samples may be missing.")
