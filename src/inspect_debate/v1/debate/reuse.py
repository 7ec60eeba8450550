"""Using an earlier run's answers or debates again, without asking for them again."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from logging import getLogger
from types import MappingProxyType
from typing import Any, Literal

from inspect_ai.dataset import Sample
from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log_sample,
    read_eval_log_sample_async,
    transcript,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import Store, store_from_events

from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.paths import existing_log, user_path
from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Participant,
    Turn,
    read_record,
    upgraded_metadata,
)
from inspect_debate.v1.debate.shards import Shard
from inspect_debate.v1.debate.stored import sample_summaries

logger = getLogger(__name__)

Until = Literal["answers", "debate"]

_ANSWERS = ("answer", "sample")
_KINDS = {
    "answers": _ANSWERS,
    "debate": (
        *(*_ANSWERS, "speech"),
        *("judge_question", "ready"),
    ),
}
_JUDGED = ("belief", "verdict", "second_verdict", "verdict_sample")
"""What no other judge may read, whatever a log says of it."""
_SHOWN = 3
NOT_NEEDED = {"events", "messages", "attachments"}
"""Large fields of a logged sample that its record does without."""


Logs = str | list[str]
"""A log, or those of all shards of one run."""


def opened(parameter: str, typed: Logs) -> dict[str, EvalLog]:
    """The headers of logs that a user named, by path, in the order of their shards.

    Args:
        parameter: The parameter that names them, for errors.
        typed: A log, or those of all shards of one run.

    Raises:
        InputError: If one is no log, or several are not all shards of a run.
    """
    names = typed if isinstance(typed, list) else [typed]
    logs = {name: existing_log(parameter, name) for name in names}
    if len(names) > 1:
        check_whole(parameter, logs)
    return dict(sorted(logs.items(), key=lambda named: shard_of(named[1]) or ()))


def check_whole(parameter: str, logs: Mapping[str, EvalLog]) -> None:
    """Check that logs are the one of a whole run, or those of all its shards.

    Raises:
        InputError: If not.
    """
    shards = [shard_of(log) for log in logs.values()]
    found = sorted(shard for shard in shards if shard)
    whole = [Shard(n + 1, found[0].of) for n in range(found[0].of)] if found else []
    if shards != [None] and (len(found) < len(shards) or found != whole):
        names = ", ".join(f"shard {s}" if s else "a whole run" for s in shards)
        raise InputError(
            f"{parameter}={','.join(logs)} is {names}, and a whole run is needed: give "
            "its log, or those of all its shards, with commas."
        )


def shard_of(log: EvalLog) -> Shard | None:
    """The shard that a log is of; None for a whole run."""
    own = (log.eval.metadata or {}).get("shard")
    return own and Shard(**own)


@dataclass(frozen=True)
class Source:
    """An earlier run: its logs as typed and as found, its id and number of epochs."""

    typed: str
    logs: Mapping[str, EvalLog] = field(repr=False)
    paths: tuple[str, ...]
    until: Until
    run: str
    epochs: int


def open_source(typed: Logs, until: str) -> Source:
    """Find an earlier run's log, or those of its shards.

    Raises:
        InputError: As `opened`, or if the stage is unknown.
    """
    check_choice("reuse_until", until, tuple(_KINDS))
    stage: Until = "answers" if until == "answers" else "debate"
    logs = opened("reuse", typed)
    first = next(iter(logs.values())).eval
    return Source(
        typed=",".join(logs),
        logs=logs,
        paths=tuple(str(user_path(name)) for name in logs),
        until=stage,
        run=first.eval_id,
        epochs=first.config.epochs or 1,
    )


def samples_to_reuse(
    typed: Logs,
    until: str,
    samples: list[Sample],
    *,
    protocols: Collection[str],
    parameters: Mapping[str, Any],
    prompts: Mapping[str, str],
    same: str,
    shipped: Mapping[str, str] = MappingProxyType({}),
    absent: Mapping[str, Any] = MappingProxyType({}),
) -> list[Sample]:
    """Check an earlier run against this one, before any call, by its summaries.

    Args:
        typed: The log, as the user typed it, or those of all shards of a run.
        until: The last stage to use again.
        samples: This run's samples, with a `fingerprint` in their metadata.
        protocols: The protocols that have the stages to be used again.
        parameters: What shaped the reused stages here; the source has to agree.
        prompts: The prompts of the reused stages, likewise.
        same: The parameters that decide which samples a run has, for the error.
        shipped: The suite's own prompts, which runs had before a key was made.
        absent: What parameters were that a log leaves out.

    Returns:
        The samples that this run will have: all, or those of the source where the
        source itself was limited (`--limit`, `--sample-id`, or by a source of its own).
        Samples that failed in the source are counted and kept: they end unscored,
        without a call.

    Raises:
        InputError: If the source misses samples, has other content under the same
            id, or ran with other parameters; with counts and the first few.
    """
    source = open_source(typed, until)
    for header in source.logs.values():
        _check_task(source, header, protocols, parameters, prompts, shipped, absent)
    found = {
        str(summary.id): summary
        for path in source.paths
        for summary in sample_summaries(user_path(path))
        if summary.epoch == 1
    }
    if any(_limited(header) for header in source.logs.values()):
        samples = [sample for sample in samples if str(sample.id) in found]
    missing = [str(s.id) for s in samples if str(s.id) not in found]
    other = [
        str(s.id)
        for s in samples
        if str(s.id) in found and not _same(s, found[str(s.id)])
    ]
    if not samples:
        raise InputError(
            f"reuse={source.typed} has none of the samples that are asked here."
        )
    if missing or other:
        raise InputError(
            f"reuse={source.typed} does not fit: {_count('missing', missing)}, "
            f"{_count('with other content', other)}, of {len(samples)} samples here. "
            f"Give the same {same} as that run."
        )
    here = {str(sample.id) for sample in samples}
    failed = [
        id
        for id, s in found.items()
        if id in here and (s.error or s.limit or not s.completed)
    ]
    if failed:
        logger.warning(
            f"reuse={source.typed}: {_count('failed there', failed)}; unscored here."
        )
    return samples


async def earlier_record(
    source: Source,
    question: Question,
    *,
    protocols: Collection[str],
    parameters: Mapping[str, Any],
    absent: Mapping[str, Any] = MappingProxyType({}),
) -> DebateRecord | None:
    """The earlier run's record of a question; None if its sample failed.

    Args:
        source: The earlier run.
        question: What is asked here.
        protocols: The protocols that have the stage to be used again.
        parameters: What shaped the reused stage here; the record has to agree.
        absent: What parameters were that a record leaves out.

    Raises:
        InputError: If the source does not have this sample, or several epochs, but not
            this one; another question under the same id, or a record of another
            protocol or with other parameters.
    """
    if question.epoch > source.epochs > 1:
        raise InputError(
            f"reuse={source.typed} has {source.epochs} epochs; this is epoch "
            f"{question.epoch}. A source has one epoch, or as many as the new run."
        )
    epoch = question.epoch if source.epochs > 1 else 1
    record = await record_of(source, question.id, epoch)
    if record is None or not record.complete:
        return None
    if record.question != question.fingerprint:
        raise InputError(
            f"reuse={source.typed}: sample {question.id} has other content there."
        )
    _check_protocol(source.typed, record.protocol, source.until, protocols)
    there = {**absent, **record.parameters}
    _check_same(source.typed, _differing(there, parameters))
    return record


async def record_of(source: Source, sample: str, epoch: int) -> DebateRecord | None:
    """The record of one of an earlier run's samples; None where no protocol ran.

    Raises:
        InputError: If the run does not have this sample.
    """
    for path in source.paths:
        with suppress(IndexError):
            found = await read_eval_log_sample_async(
                path,
                id=sample,
                epoch=epoch,
                exclude_fields=NOT_NEEDED,
                resolve_attachments="full",
            )
            return await logged_record_async(path, found)
    raise InputError(f"reuse={source.typed} has no sample {sample}.")


def check_models(record: DebateRecord, models: Mapping[str, str]) -> None:
    """Check that participants who go on speaking are the models that began.

    Args:
        record: The earlier run's record.
        models: Model by participant here.

    Raises:
        InputError: If a participant's model was another one there.
    """
    for participant in record.participants:
        here = models.get(participant.id, participant.model)
        if here != participant.model:
            raise InputError(
                f"reuse does not fit: {participant.id} was "
                f"{participant.model} there and is {here} here. Bind "
                f"--model-role {participant.id}={participant.model}."
            )


def with_earlier_settings(
    participant: Participant, record: DebateRecord
) -> Participant:
    """A participant with the settings that its reused answers were asked with."""
    before = {p.id: p.settings for p in record.participants}.get(participant.id, {})
    answers = {kind: s for kind, s in before.items() if kind in _ANSWERS}
    settings = participant.settings | answers
    return participant.model_copy(update={"settings": settings})


def reused_turns(record: DebateRecord, until: Until) -> list[Turn]:
    """The turns up to a stage, marked as reused."""
    return [
        turn.model_copy(update={"reused": True})
        for turn in record.turns
        if turn.kind in _KINDS[until]
        or (until == "debate" and turn.is_spoken and turn.kind not in _JUDGED)
    ]


def _limited(header: EvalLog) -> bool:
    """Whether a run was not asked for all samples of its data."""
    config, metadata = header.eval.config, upgraded_metadata(header.eval.metadata)
    reused = metadata.get("parameters", {}).get("reuse")
    limits = (config.limit, config.sample_id, metadata.get("shard"))
    return bool(reused) or any(limit is not None for limit in limits)


def _check_task(
    source: Source,
    header: EvalLog,
    protocols: Collection[str],
    parameters: Mapping[str, Any],
    prompts: Mapping[str, str],
    shipped: Mapping[str, str],
    absent: Mapping[str, Any],
) -> None:
    typed, there = source.typed, upgraded_metadata(header.eval.metadata)
    if not {"protocol", "parameters", "prompts"} <= there.keys():
        raise InputError(f"reuse={typed} is not the log of one of this suite's tasks.")
    _check_protocol(typed, there["protocol"], source.until, protocols)
    other_prompts = (
        []
        if there.get("imported")
        else [
            f"the prompt {key!r} is another one there"
            for key, text in prompts.items()
            if there["prompts"].get(key, shipped.get(key)) != text
        ]
    )
    ran_with = {**absent, **there["parameters"]}
    _check_same(typed, _differing(ran_with, parameters) + other_prompts)


def _check_protocol(
    typed: str, ran: str, until: Until, allowed: Collection[str]
) -> None:
    if ran not in allowed:
        hint = " reuse_until=answers uses first answers only." * (until == "debate")
        raise InputError(
            f"reuse={typed} ran protocol={ran}, which has nothing to use again here; "
            f"allowed: {', '.join(allowed)}.{hint}"
        )


def _differing(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} is {there[name]!r} there and {value!r} here"
        for name, value in here.items()
        if name in there and there[name] != value
    ]


def _check_same(typed: str, differing: Sequence[str]) -> None:
    if differing:
        raise InputError(f"reuse={typed} does not fit: {'; '.join(differing)}.")


def _same(sample: Sample, summary: EvalSampleSummary) -> bool:
    here = (sample.metadata or {}).get("fingerprint")
    return here is not None and summary.metadata.get("fingerprint") == here


def _count(what: str, ids: list[str]) -> str:
    listed = ", ".join(ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
    return f"{len(ids)} {what}" + (f" ({listed})" if ids else "")


# Debates' records as logs hold them: in the samples' stores or, without, in events.
#
# A run that was killed goes on from what Inspect had set aside of it: samples whole,
# but for their stores. Their records are still in the transcript, as changes of the
# store.


def logged_record(path: str, sample: EvalSample) -> DebateRecord | None:
    """The record of a sample that was read without its events.

    Args:
        path: The log that it was read from.
        sample: The sample. Only where it has no store at all is it read again.

    Returns:
        None where no protocol of ours ran.
    """
    if sample.store:
        return read_record(Store(sample.store))
    whole = read_eval_log_sample(
        path, sample.id, sample.epoch, resolve_attachments="full"
    )
    return read_record(store_from_events(whole.events))


async def logged_record_async(path: str, sample: EvalSample) -> DebateRecord | None:
    """As `logged_record`, within a run."""
    if sample.store:
        return read_record(Store(sample.store))
    whole = await read_eval_log_sample_async(
        path, sample.id, sample.epoch, resolve_attachments="full"
    )
    return read_record(store_from_events(whole.events))


def scored_record(state: TaskState) -> DebateRecord | None:
    """The record of a sample that is being scored, in its run or from a log.

    Returns:
        None where no protocol of ours ran.
    """
    record = read_record(state.store)
    return record or read_record(store_from_events(list(transcript().events)))
