"""Debates as data frames: a row per debate and a row per turn, with their texts."""

import math
import re
from collections.abc import Iterator, Sequence
from logging import getLogger
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample
from inspect_ai.model import ModelName
from inspect_ai.solver import TaskState

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.outcome import outcome
from inspect_debate.v1.debate.progress import counted
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.debate.stored import archived
from inspect_debate.v1.reports.frames import (
    PARAMETERS,
    SAMPLE_METADATA,
    models_told,
    run_columns,
    word,
)
from inspect_debate.v1.reports.logs import LogPaths, check_finished, open_logs
from inspect_debate.v1.reports.samples import Held, read_samples

logger = getLogger(__name__)

_REUSED = "a failure of this sample in "
_FOLDERS = re.compile(r"(?<![\w/:.])~?/(?:[^\s/]+/)*(?=[^\s/])")


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
        held = list(counted(every, f"Reading {log.path.name}", archived(*log.paths)))
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
        "undebated_because": record.skip_reason,
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


def price(turns: Sequence[Turn]) -> float:
    """What turns cost in US dollars; NaN where a price is unknown.

    A draw that came with the reply to another is no call, and paid for there.
    """
    prices = [turn.usage.total_cost for turn in turns if turn.calls]
    if turns and not prices:
        return math.nan
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
