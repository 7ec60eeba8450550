"""Debates' records as logs hold them: in the samples' stores or, without, in events.

A run that was killed goes on from what Inspect had set aside of it: samples whole, but
for their stores. Their records still stand in the transcript, as changes of the store.
"""

from inspect_ai.log import (
    EvalSample,
    read_eval_log_sample,
    read_eval_log_sample_async,
    transcript,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import Store, store_from_events

from inspect_debate.core.record import DebateRecord, read_record


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
