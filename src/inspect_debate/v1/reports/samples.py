"""The samples of logs with the records of their debates, one after the other."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from logging import getLogger
from typing import NamedTuple, TypeVar, cast

from inspect_ai.log import EvalSample, EvalSampleSummary
from inspect_ai.scorer import Target
from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.progress import counted
from inspect_debate.v1.debate.record import DebateRecord
from inspect_debate.v1.debate.reuse import logged_record
from inspect_debate.v1.debate.stored import ALL, archived, each_sample
from inspect_debate.v1.reports.logs import Log, Packed, packed
from inspect_debate.v1.scorers.values import SCORERS, values_of

logger = getLogger(__name__)


class Held(NamedTuple):
    """A sample and the debate that was held on it; None where none began."""

    log: Log
    sample: EvalSample
    record: DebateRecord | None


def read_samples(log: Log, part: slice = ALL) -> Iterator[Held]:
    """Read the samples of one log with their records, as from `each_sample`.

    Args:
        log: The log.
        part: Which of its samples.

    Raises:
        InputError: If a record is of another version.
    """
    for sample in each_sample(*log.paths, part=part):
        try:
            # The file only matters where a sample has no store.
            path = log.path if sample.store else log.path_of(sample.id, sample.epoch)
            yield Held(log, sample, logged_record(str(path), sample))
        except ValidationError as error:
            raise InputError(
                f"{log.typed}: the record of sample {sample.id} was written by another "
                f"version of this package ({error.error_count()} of its keys differ)."
            ) from error


# Looking at every sample of logs: in two processes, where there are many.

_Seen = TypeVar("_Seen")

# Below, a second process takes longer to start than it saves.
_MANY = 4_000
# One of these parts is the second process's.
_PARTS = 2
# Not `multiprocessing`, which would run a user's own script again.
_HELPER = (
    "import sys; given = sys.stdin.buffer.read(); "
    "from inspect_debate.v1.reports.samples import help_to_look; help_to_look(given)"
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

    What scorers know of the samples is taken on the way, so that `full_summaries` need
    not read them again.

    Args:
        logs: The logs.
        look: What is taken of a debate: a function of a module, or a `partial` of one,
            as another process may call it, too. What it takes can be pickled.

    Returns:
        What was taken, log by log, and the reasons why logs could not be read; of such
        a log nothing is taken.
    """
    both = partial(_with_values, look)
    if sum(archived(*log.paths) for log in logs) < _MANY or (os.cpu_count() or 1) < 2:
        parts = [_look(logs, both, 0, of=1)]
    else:
        parts = _in_two_processes(logs, both)
    seen: list[_Seen] = []
    unread: list[str] = []
    for log, *of_log in zip(logs, *(part.logs for part in parts), strict=True):
        if messages := [found for found in of_log if isinstance(found, str)]:
            unread.append(messages[0])
            continue
        found = list(cast("Iterator[tuple[_Seen, _Valued]]", _in_turn(*of_log)))
        log.values.update(values for _, values in found)
        seen += [one for one, _ in found]
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
    told = pickle.dumps(([replace(log, values={}) for log in logs], look))
    with subprocess.Popen(
        [sys.executable, "-c", _HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as helper:
        assert helper.stdin is not None
        helper.stdin.write(told)
        helper.stdin.close()
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
        number = len(range(archived(*log.paths))[part])
        every = counted(every, f"Reading {log.path.name}", number)
    try:
        return [look(held) for held in every]
    except InputError as error:
        return error.message


def _in_turn(*parts: Sequence[object] | str) -> Iterator[object]:
    """The elements of sequences in turn: the first of each, then the second."""
    for place in range(max(map(len, parts), default=0)):
        yield from (part[place] for part in parts if place < len(part))


# What scores do not say of a sample, and its record does.


def full_summaries(
    logs: Sequence[Log],
) -> Iterator[Iterator[list[EvalSampleSummary]]]:
    """The summaries of logs' samples, their scores with all that their scorers know.

    A score has few values; those of this suite's scorers are computed from the record.
    Of other logs no sample is read.

    Args:
        logs: The logs.

    Returns:
        For each log those of each of its files, which are read when their turn comes.

    Raises:
        InputError: If a record was written by another version.
    """
    unseen = [log for log in logs if not log.values and _is_scored_here(log)]
    _, unread = look_through(unseen, nothing)
    if unread:
        raise InputError(unread[0])
    return map(_of_files, logs)


def _of_files(log: Log) -> Iterator[list[EvalSampleSummary]]:
    for file in log.shards or [log]:
        yield [_full(log, summary) for summary in file.summaries]


def _is_scored_here(log: Log) -> bool:
    names = {name for summary in log.summaries for name in summary.scores or {}}
    return any(name.rpartition("/")[2] in SCORERS for name in names)


def nothing(held: Held) -> None:
    """Takes nothing of a debate but what scorers know of it, for `look_through`."""


_Valued = tuple[tuple[str, int], Mapping[str, Packed]]
"""A sample, by id and epoch, and all its values by scorer."""


def _with_values(look: Callable[[Held], _Seen], held: Held) -> tuple[_Seen, _Valued]:
    sample, target = held.sample, Target(held.sample.target)
    values = {
        name: values_of(name, score, held.record, target, sample.metadata)
        for name, score in (sample.scores or {}).items()
    }
    known = {name: packed(found) for name, found in values.items() if found is not None}
    return look(held), ((str(sample.id), sample.epoch), known)


def _full(log: Log, summary: EvalSampleSummary) -> EvalSampleSummary:
    values = log.values.get((str(summary.id), summary.epoch))
    if not values or summary.scores is None:
        return summary
    scores = {
        name: score.model_copy(update={"value": values[name].unpacked()})
        if name in values
        else score
        for name, score in summary.scores.items()
    }
    return summary.model_copy(update={"scores": scores})
