"""Verdicts as a data frame: who judged which debate, what for, and was it right?"""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
from inspect_ai.log import EvalSample

from inspect_debate.v1.debate.outcome import right_forms, votes_missing
from inspect_debate.v1.debate.record import DebateRecord, Turn
from inspect_debate.v1.debate.seeds import fingerprint
from inspect_debate.v1.reports.debates import read_debates
from inspect_debate.v1.reports.logs import LogPaths
from inspect_debate.v1.reports.samples import Held

COLUMNS = (
    *("log", "run", "condition", "protocol"),
    *("id", "epoch", "group", "question", "debate"),
    *("judge", "model", "round", "order", "answer", "status"),
    *("right", "first", "right_first", "parameters", "prompts", "settings"),
)
"""The columns of `verdicts_df`."""

DEBATE = ["id", "epoch", "debate"]
"""The columns that say which debate a verdict is about."""

ORIGINS = ("reuse", "reuse_until", "matched")
"""Parameters that say where earlier stages came from, which is part of no condition."""

_AFTERWARDS = (
    *("belief", "verdict", "verdict_sample", "challenge", "second_verdict", "grade"),
)
"""Turns of judges and of who reads their verdicts: no part of what was judged."""


def verdicts_df(logs: LogPaths) -> pd.DataFrame:
    """One row per verdict, in the protocols' order, of any study that asks for answers.

    Args:
        logs: As in `read_debates`, which says what it raises.

    Returns:
        The columns of `COLUMNS`: those of `verdict_rows`.
    """
    return verdict_frame(
        row for logged in read_debates(logs) for row in verdict_rows(logged)
    )


def verdict_frame(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """Rows as from `verdict_rows` as a frame with all columns, even without a row."""
    return pd.DataFrame(rows, columns=pd.Index(COLUMNS))


def verdict_rows(logged: Held) -> Iterator[dict[str, Any]]:
    """A row per verdict of a debate that was not stopped.

    Verdicts without a field `answer`, such as those on each answer by itself, have
    none; nor has a debate of which some were not asked for because of the others.

    Yields:
        Its run (`log`, `run`, `protocol`, and `condition`, a hash of all that was asked
        for, the same for the parts of a run in several logs) and sample (`id`, `epoch`;
        `group`, which names dependent samples); `question` and `debate`, hashes of what
        was asked and of all that was said before, the same where a debate was used
        again; `judge` and its `model`; the `round` and `order` of the verdict; its
        `answer` and `status`.
        `right` is 1 where the answer is the sample's target, `first` where it is the
        one shown first (or, without two debaters, listed first), `right_first` where
        the one shown first is the target; each 0 where not and NaN where not known.
        `parameters`, `prompts` (a hash) and `settings` (of the judge) say how it was
        asked for.
    """
    log, sample, record = logged
    if record is None or not record.complete or votes_missing(record):
        return
    verdicts = [turn for turn in record.of_kind("verdict") if "answer" in turn.fields]
    if not verdicts:
        return
    of_debate = {
        "log": log.path.name,
        "run": log.header.eval.eval_id,
        "condition": condition_of(logged),
        "protocol": record.protocol,
        "id": str(sample.id),
        "epoch": sample.epoch,
        "group": group_of(sample),
        "question": record.question,
        "debate": _said(record),
        "parameters": record.parameters,
        "prompts": record.prompts.hash,
    }
    right = right_answers(sample.target, record)
    settings = {p.id: p.settings.get("verdict", {}) for p in record.participants}
    for turn in verdicts:
        yield of_debate | {
            "judge": turn.participant,
            "model": turn.model,
            "round": turn.round,
            "settings": settings.get(turn.participant, {}),
            **_reading(turn, record, right),
        }


def condition_of(logged: Held) -> str:
    """A hash of the task, its data, and who took part how; not of which samples."""
    log, _, record = logged
    assert record is not None
    asked = log.header.eval
    identity = {
        "task": asked.task,
        "data": asked.dataset.name,
        "seed": log.metadata.get("seed"),
        "protocol": record.protocol,
        "parameters": {k: v for k, v in record.parameters.items() if k not in ORIGINS},
        "prompts": record.prompts.hash,
        "participants": [(p.id, p.model, p.settings) for p in record.participants],
    }
    return fingerprint(json.dumps(identity, sort_keys=True, default=str))


def _reading(turn: Turn, record: DebateRecord, right: set[str]) -> dict[str, Any]:
    """What a verdict says, and how that lies to the truth and to what was shown."""
    field = turn.field("answer")
    answer = None if field.value is None else str(field.value)
    first = _shown_first(turn, record)
    return {
        "order": turn.order,
        "answer": answer,
        "status": field.status.value,
        "right": _is(answer, right),
        "first": _is(answer, set() if first is None else {first}),
        "right_first": _is(first, right),
    }


def _shown_first(turn: Turn, record: DebateRecord) -> str | None:
    """The answer whose defender a judge saw first, or else the one listed first."""
    if turn.shown_first is None:
        return turn.listed_first
    return record.participant(turn.shown_first).defends or turn.listed_first


def _is(answer: str | None, others: set[str]) -> float:
    return math.nan if answer is None or not others else float(answer in others)


def right_answers(target: str | list[str], record: DebateRecord) -> set[str]:
    """The right answer as the record has it; empty where that is not known."""
    accepted = [target] if isinstance(target, str) else target
    # An arbitration is between sources of answers, whatever these are.
    if not accepted or record.aggregation == "arbitration":
        return set()
    right = right_forms(record, accepted)
    return right if record.answers_free else right & set(record.choices)


def group_of(sample: EvalSample) -> str:
    """What makes verdicts dependent: the input, or else the question."""
    known = sample.metadata
    return str(known.get("input_group", known.get("question_id", sample.id)))


def _said(record: DebateRecord) -> str:
    """A hash of the question and of all that was said for a judge to read."""
    turns = [turn for turn in record.turns if turn.kind not in _AFTERWARDS]
    words = (
        text
        for turn in turns
        for text in (turn.participant, turn.kind, str(turn.round), turn.public)
    )
    return fingerprint(record.question, *words)
