"""Debates as data frames: a row per debate and a row per turn, with their texts."""

import math
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from logging import getLogger
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast
from zipfile import ZipFile

import pandas as pd
from inspect_ai.log import (
    EvalSample,
    read_eval_log,
    read_eval_log_sample,
    resolve_sample_attachments,
)
from inspect_ai.model import ModelName
from inspect_ai.solver import TaskState
from pydantic import BaseModel, ValidationError

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.progress import counted
from inspect_debate.debate.record import DebateRecord, Turn
from inspect_debate.debate.reuse import logged_record
from inspect_debate.reports.frames import (
    PARAMETERS,
    SAMPLE_METADATA,
    models_told,
    run_columns,
    word,
)
from inspect_debate.reports.logs import Log, LogPaths, check_finished, open_logs

# The samples of a log, one after the other, without events and messages.

_UNREAD = {"events", "messages"}
_MEMBER = re.compile(r"samples/(?P<id>.+)_epoch_(?P<epoch>\d+)\.json", re.DOTALL)


ALL = slice(None)
"""All samples of a log."""


class _Kept(BaseModel):
    """What is taken of a sample's JSON: what analyses read, and what it refers to.

    No object is made of the rest, which is most of it.
    """

    id: Any
    epoch: Any
    input: Any
    choices: Any = None
    target: Any
    scores: Any = None
    metadata: Any = None
    store: Any = None
    attachments: Any = None
    role_usage: Any = None
    total_time: Any = None
    error: Any = None
    limit: Any = None


def each_sample(path: Path, part: slice = ALL) -> Iterator[EvalSample]:
    """Read a log's samples, of which no more than one is held at a time.

    Args:
        path: A log; one in JSON is read as a whole.
        part: Which of the samples, in the order of their ids and epochs.

    Yields:
        The samples by id and epoch, attachments resolved. They have the fields of
        `_Kept`, and may lack all others.
    """
    # Inspect's own readers take three to ten times as long, as they go through each
    # word of every event to leave it out. They still read what lies otherwise than
    # in the archives of today.
    if path.suffix == ".eval" and (members := _members(path)):
        with ZipFile(path) as archive:
            for id, epoch, name in members[part]:
                yield _parsed(archive.read(name)) or _read(path, id, epoch)
    else:
        log = read_eval_log(
            str(path), exclude_fields=_UNREAD, resolve_attachments="full"
        )
        read = sorted(log.samples or [], key=lambda s: (str(s.id), s.epoch))
        yield from read[part]


def archived(path: Path) -> int:
    """How many samples an archive holds; 0 of a log in JSON."""
    return len(_members(path)) if path.suffix == ".eval" else 0


def _members(path: Path) -> list[tuple[str, int, str]]:
    """Ids, epochs and names of the samples in an archive, in this order."""
    with ZipFile(path) as archive:
        found = [_MEMBER.fullmatch(name) for name in set(archive.namelist())]
    return sorted((m["id"], int(m["epoch"]), m[0]) for m in found if m is not None)


def _parsed(text: bytes) -> EvalSample | None:
    """The sample in a member; None where it is not as expected."""
    try:
        kept = _Kept.model_validate_json(text)
        told = {name: getattr(kept, name) for name in kept.model_fields_set}
        return resolve_sample_attachments(EvalSample.model_validate(told), "full")
    except ValidationError:
        return None


def _read(path: Path, id: str, epoch: int) -> EvalSample:
    return read_eval_log_sample(
        str(path), id, epoch, exclude_fields=_UNREAD, resolve_attachments="full"
    )


logger = getLogger(__name__)

_REUSED = "a failure of this sample in "
_FOLDERS = re.compile(r"(?<![\w/:.])~?/(?:[^\s/]+/)*(?=[^\s/])")


class Held(NamedTuple):
    """A sample and the debate that was held on it; None where none began."""

    log: Log
    sample: EvalSample
    record: DebateRecord | None


def read_debates(logs: LogPaths) -> Iterator[Held]:
    """Read the samples of logs with their records, without events and messages.

    Any task's logs will do whose solver is a protocol of ours. Unfinished runs are
    read as far as they went, and that is said.

    Args:
        logs: Files or folders, as in `open_logs`.

    Raises:
        InputError: As `open_logs`; if a log that was named has no record of a debate,
            or none in a folder has; if a record is of another version.
    """
    none_yet = True
    for log in open_logs(logs):
        every = read_samples(log)
        held = list(counted(every, f"Reading {log.path.name}", archived(log.path)))
        if any(debate.record is not None for debate in held):
            none_yet = False
            check_finished(log, allow_partial=True)
            yield from held
        elif log.named:
            raise InputError(f"{log.typed} has no record of a debate.")
        else:
            logger.warning(f"{log.typed} has no record of a debate: it is left out.")
    if none_yet:
        raise InputError("None of the logs has a record of a debate.")


def state_of(sample: EvalSample) -> TaskState:
    """A sample as protocols were given it."""
    return TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id,
        epoch=sample.epoch,
        input=sample.input,
        messages=[],
        choices=sample.choices,
        metadata=sample.metadata,
    )


def debates_df(logs: LogPaths) -> pd.DataFrame:
    """One row per debate, with the columns of `debate_row`.

    Args:
        logs: As in `read_debates`, which says what it raises.
    """
    return pd.DataFrame([debate_row(held) for held in read_debates(logs)])


def turns_df(logs: LogPaths) -> pd.DataFrame:
    """One row per turn, in the protocols' order, with the columns of `turn_rows`.

    Args:
        logs: As in `read_debates`, which says what it raises.
    """
    return pd.DataFrame([row for held in read_debates(logs) for row in turn_rows(held)])


def debate_row(held: Held) -> dict[str, Any]:
    """The facts of one debate.

    Returns:
        Its run (as in `scores_df`) and sample (`target`, `error`, `limit`, `seconds` of
        wall time, ...), and the record's facts: `outcome`, the answer, and its
        `status`, of a complete record; whether it `debated` and is `complete`;
        `participants` with their models and sides; `question`, a hash of its content.
        `calls`, `tokens` (input and output) and `cost` are this run's, `reused_calls`
        and `reused_tokens` those of an earlier one. A sample without a record has only
        its run and its error.
    """
    log, sample, record = held
    models = models_told((sample.scores or {}).values())
    models |= {p.id: p.model for p in record.participants} if record else {}
    target, metadata = sample.target, sample.metadata
    row = run_columns(log, models) | {
        "id": str(sample.id),
        "epoch": sample.epoch,
        "target": target if isinstance(target, str) else ", ".join(target),
        **{name: word(metadata.get(name)) for name in SAMPLE_METADATA},
        "error": sample.error.message if sample.error else None,
        "limit": sample.limit.type if sample.limit else None,
        "seconds": sample.total_time,
    }
    return row if record is None else row | _facts(record)


def turn_rows(held: Held) -> Iterator[dict[str, Any]]:
    """A row per turn of a debate.

    Yields:
        What identifies it (`log`, `run`, `protocol`, `id`, `epoch` and `index`, from
        0), who spoke as which model and for which side (`defends`), the `grade` of an
        answer that was graded at once, the `public`, `private` and `reasoning` text,
        the completions that a re-ask replaced (`superseded`), every field as `<field>`
        and `<field>_status` (only where it was asked for), counts of quotes, and what
        it cost: `calls`, `seconds`, tokens (`input_tokens` without those read from a
        cache or written to it) and `cost`.
    """
    if held.record is None:
        return
    defends = {p.id: p.defends for p in held.record.participants}
    grades = {grade.participant: grade.status for grade in held.record.grades}
    for index, turn in enumerate(held.record.turns):
        key = {
            "log": held.log.path.name,
            "run": held.log.header.eval.eval_id,
            "protocol": held.record.protocol,
            "id": str(held.sample.id),
            "epoch": held.sample.epoch,
            "index": index,
            "defends": defends.get(turn.participant),
            "grade": grades.get(turn.participant) if turn.kind == "answer" else None,
        }
        plain = turn.model_dump(
            include={
                *("participant", "role", "kind", "round", "draw", "about"),
                *("order", "listed_first", "shown_first", "model", "served", "public"),
                *("private", "reasoning", "stop_reason", "seconds", "calls", "reused"),
            }
        )
        yield key | plain | _readings(turn) | _usage(turn)


def read_samples(log: Log, part: slice = ALL) -> Iterator[Held]:
    """Read the samples of one log with their records, as from `each_sample`.

    Args:
        log: The log.
        part: Which of its samples.

    Raises:
        InputError: If a record is of another version.
    """
    for sample in each_sample(log.path, part):
        try:
            yield Held(log, sample, logged_record(str(log.path), sample))
        except ValidationError as error:
            raise InputError(
                f"{log.typed}: the record of sample {sample.id} was written by another "
                f"version of this package ({error.error_count()} of its keys differ)."
            ) from error


def _facts(record: DebateRecord) -> dict[str, Any]:
    answer, status = outcome(record) if record.complete else (None, None)
    new = [turn for turn in record.turns if not turn.reused]
    old = [turn for turn in record.turns if turn.reused]
    return {
        "protocol": record.protocol,
        "parameters": record.parameters,
        **{name: record.parameters.get(name) for name in PARAMETERS},
        "seed": record.seed,
        "prompts": record.prompts.hash,
        "question": record.question,
        "choices": list(record.choices),
        "outcome": answer,
        "status": status,
        "aggregation": record.aggregation,
        "drawn": record.drawn,
        "debated": record.debated,
        "undebated_because": record.undebated_because,
        "complete": record.complete,
        "ended_by": record.ended_by and named_only(record.ended_by),
        "reused_from": record.reused_from,
        "warnings": [named_only(warning) for warning in record.warnings],
        "participants": [
            p.model_dump(include={"id", "role", "name", "model", "defends"})
            for p in record.participants
        ],
        "grades": [grade.model_dump() for grade in record.grades],
        "turns": len(record.turns),
        "calls": sum(turn.calls for turn in new),
        "tokens": sum(turn.usage.total_tokens for turn in new),
        "cost": price(new),
        "reused_calls": sum(turn.calls for turn in old),
        "reused_tokens": sum(turn.usage.total_tokens for turn in old),
    }


def price(turns: Iterable[Turn]) -> float:
    """What turns cost in US dollars; NaN where a price is unknown."""
    prices = [turn.usage.total_cost for turn in turns]
    return sum(math.nan if price is None else price for price in prices)


def named_only(told: str) -> str:
    """A sentence with files named without their folders."""
    before, reused, path = told.partition(_REUSED)
    return before + reused + Path(path).name if reused else _FOLDERS.sub("", told)


def _readings(turn: Turn) -> dict[str, Any]:
    """What was read from a turn: its fields, quotes and replaced completions."""
    columns: dict[str, Any] = {}
    for name, field in turn.fields.items():
        columns |= {name: field.value, f"{name}_status": field.status.value}
    said = [quote for quote in turn.quotes if not quote.empty]
    verified = sum(quote.verified for quote in said)
    return columns | {
        "quotes_verified": verified,
        "quotes_typography": sum(quote.typography for quote in said),
        "quotes_unverified": len(said) - verified,
        "superseded": list(turn.superseded),
    }


def _usage(turn: Turn) -> dict[str, Any]:
    used = turn.usage
    return {
        "input_tokens": used.input_tokens,
        "cache_read_tokens": used.input_tokens_cache_read or 0,
        "cache_write_tokens": used.input_tokens_cache_write or 0,
        "output_tokens": used.output_tokens,
        "reasoning_tokens": used.reasoning_tokens or 0,
        "total_tokens": used.total_tokens,
        "cost": used.total_cost,
    }


# Looking at every sample of logs: in two processes, where there are many.

_Seen = TypeVar("_Seen")

# Below, a second process takes longer to start than it saves.
_MANY = 4_000
# One of these parts is the second process's.
_PARTS = 2
# Not `multiprocessing`, which would run a user's own script again.
_HELPER = (
    "import sys; given = sys.stdin.buffer.read(); "
    "from inspect_debate.reports.debates import help_to_look; help_to_look(given)"
)


class _Part(NamedTuple):
    """What is seen in every second sample of logs.

    A log with a record that cannot be read has the reason in its place.
    """

    logs: Sequence[Sequence[object] | str]


def look_through(
    logs: Sequence[Log], look: Callable[[Held], _Seen]
) -> tuple[list[_Seen], list[str]]:
    """Take something of every debate, none of which is kept itself.

    Args:
        logs: The logs.
        look: What is taken of a debate: a function of a module, or a `partial` of one,
            as another process may call it, too. What it takes can be pickled.

    Returns:
        What was taken, log by log, and the reasons why logs could not be read; of such
        a log nothing is taken.
    """
    if sum(archived(log.path) for log in logs) < _MANY or (os.cpu_count() or 1) < 2:
        parts = [_look(logs, look, 0, of=1)]
    else:
        parts = _in_two_processes(logs, look)
    seen: list[_Seen] = []
    unread: list[str] = []
    for of_log in zip(*(part.logs for part in parts), strict=True):
        if messages := [found for found in of_log if isinstance(found, str)]:
            unread.append(messages[0])
        else:
            seen += cast("Iterator[_Seen]", _in_turn(*of_log))
    return seen, unread


def help_to_look(given: bytes) -> None:
    """What the second process does: write its part to its standard output.

    Args:
        given: Logs and function of `look_through`, pickled.
    """
    logs, look = pickle.loads(given)
    out, sys.stdout = sys.stdout, sys.stderr  # for whatever is printed on the way
    pickle.dump(_look(logs, look, _PARTS - 1, of=_PARTS), out.buffer)


def _in_two_processes(
    logs: Sequence[Log], look: Callable[[Held], object]
) -> list[_Part]:
    # Without what was read of them so far.
    told = pickle.dumps(([replace(log) for log in logs], look))
    with subprocess.Popen(
        [sys.executable, "-c", _HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as helper:
        assert helper.stdin is not None
        helper.stdin.write(told)
        helper.stdin.close()
        for log in logs:  # while the other process starts
            _ = log.summaries
        own = [_look(logs, look, place, of=_PARTS) for place in range(_PARTS - 1)]
        assert helper.stdout is not None
        found = helper.stdout.read()
    if helper.returncode:
        logger.warning("The second process that reads logs failed: reading with one.")
        return [*own, _look(logs, look, _PARTS - 1, of=_PARTS)]
    return [*own, cast("_Part", pickle.loads(found))]


def _look(
    logs: Sequence[Log], look: Callable[[Held], object], place: int, *, of: int
) -> _Part:
    shown = place == 0
    return _Part([_look_at(log, look, slice(place, None, of), shown) for log in logs])


def _look_at(
    log: Log, look: Callable[[Held], object], part: slice, shown: bool
) -> Sequence[object] | str:
    every = read_samples(log, part)
    if shown:
        number = len(range(archived(log.path))[part])
        every = counted(every, f"Reading {log.path.name}", number)
    try:
        return [look(held) for held in every]
    except InputError as error:
        return error.message


def _in_turn(*parts: Sequence[object] | str) -> Iterator[object]:
    """The elements of sequences in turn: the first of each, then the second."""
    for place in range(max(map(len, parts), default=0)):
        yield from (part[place] for part in parts if place < len(part))
