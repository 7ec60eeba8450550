"""What all scorers share: the record, the common keys, scores as columns."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.debate.free_answers import given_answers, graded
from inspect_debate.debate.outcome import outcome, probability
from inspect_debate.debate.record import DebateRecord
from inspect_debate.debate.reuse import scored_record
from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.intervals import cluster_interval

NAN = float("nan")

Metrics = Sequence[Metric | dict[str, list[Metric]]]

Values = dict[str, float]
"""A score's value: numbers only, the same keys on every sample, NaN if undefined."""


class Cost(NamedTuple):
    """Calls and tokens; `reused` ones were paid for by an earlier run."""

    calls: int
    tokens: int
    reused_calls: int
    reused_tokens: int


def cost(record: DebateRecord) -> Cost:
    """What a debate cost: all calls with their re-asks, input and output tokens."""
    new = [turn for turn in record.turns if not turn.reused]
    old = [turn for turn in record.turns if turn.reused]
    return Cost(
        calls=sum(turn.calls for turn in new),
        tokens=sum(turn.usage.total_tokens for turn in new),
        reused_calls=sum(turn.calls for turn in old),
        reused_tokens=sum(turn.usage.total_tokens for turn in old),
    )


def common_values(record: DebateRecord, target: str) -> Values:
    """The keys that every scorer of the suite has beside its own.

    `correct` is the probability that the outcome is right: 0 or 1, but for a coin; NaN
    where there is no outcome, or the target is none of the choices.
    """
    spent = cost(record)
    right = probability(record, target)
    known = target in record.choices or record.answers_free
    return {
        "correct": NAN if right is None or not known else right,
        "debated": float(record.debated),
        "calls": spent.calls,
        # Published transcripts do not tell what a call took.
        "tokens": NAN if spent.calls and not spent.tokens else spent.tokens,
    }


def score_record(
    state: TaskState,
    target: Target,
    *values: Callable[[DebateRecord, str], Values],
    explain: Callable[[DebateRecord, str], str] | None = None,
) -> Score:
    """Score a sample by its record.

    Args:
        state: The sample.
        target: Its gold answer.
        values: Make the scorer's own values from the record and the gold answer.
        explain: Says why, in Markdown, from the same.

    Returns:
        The score: the common keys and the scorer's own. Unscored, with the reason,
        where no protocol ran or the debate stopped early.
    """
    record = complete_record(state)
    if isinstance(record, Score):
        return record
    record, gold = graded(record, target)
    return score_of(
        record,
        target,
        {k: v for make in values for k, v in make(record, gold).items()},
        explanation=explain(record, gold) if explain else None,
    )


def complete_record(state: TaskState) -> DebateRecord | Score:
    """A sample's record if it can be scored, or else the score that says why not."""
    record = scored_record(state)
    if record is None:
        return Score.unscored(
            reason="scoring_failed",
            explanation="This sample has no record of a debate: none of the suite's "
            "protocols ran, or it failed before its first call.",
        )
    if not record.complete:
        return Score.unscored(
            reason="scoring_failed",
            explanation=f"The debate was stopped by {record.ended_by}.",
            metadata={"ended_by": record.ended_by},
        )
    return record


def score_of(
    record: DebateRecord,
    target: Target,
    values: Values,
    explanation: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Score:
    """A complete debate's score: the common keys before the scorer's own.

    Args:
        record: The debate.
        target: Its gold answer.
        values: The scorer's own values.
        explanation: Why they are what they are, in Markdown.
        metadata: Facts beside the models of the participants.
    """
    record, gold = graded(record, target)
    decided = outcome(record)
    return Score(
        value=common_values(record, gold) | values,
        answer=decided.answer or f"({decided.status})",
        explanation=explanation,
        metadata={
            "models": {p.id: p.model for p in record.participants},
            **(metadata or {}),
        },
    )


def by_bare_name(name: str, make: Callable[..., Scorer], metrics: Metrics) -> None:
    """Let Inspect find a scorer by the bare name that it writes into logs.

    A log holds the name without the package, and `inspect score LOG` looks for just
    that; a package's scorers are registered with it.
    """

    @wraps(make)
    def bare(**options: Any) -> Scorer:
        return make(**options)

    bare.__name__, bare.__module__ = name, "logged"
    scorer(metrics=metrics)(bare)


def column(scores: Sequence[SampleScore], key: str) -> NDArray[np.float64]:
    """One key of dict-valued scores as an array; NaN where a score lacks it."""
    return np.array([_value(score, key) for score in scores], dtype=float)


def keys(
    scores: Sequence[SampleScore], prefix: str = "", suffix: str = ""
) -> list[str]:
    """The keys of dict-valued scores that begin and end with texts, in order."""
    value = scores[0].score.value if scores else {}
    names = value if isinstance(value, Mapping) else {}
    return [n for n in names if n.startswith(prefix) and n.endswith(suffix)]


def with_ends(name: str, found: Share) -> dict[str, float]:
    """A share under its name, and the ends of its interval."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def clusters(scores: Sequence[SampleScore]) -> list[str]:
    """What makes scores dependent: the item's input, or else the sample itself.

    The input may be named by `input_group`, or by `question_id`.
    """
    return [_group(score) for score in scores]


def _group(score: SampleScore) -> str:
    known = score.sample_metadata or {}
    return str(known.get("input_group", known.get("question_id", score.sample_id)))


def _value(score: SampleScore, key: str) -> float:
    value = score.score.value
    found = value.get(key) if isinstance(value, Mapping) else None
    return float(found) if isinstance(found, int | float) else math.nan


# Shares of counts that scores hold, with intervals.


def total(scores: Sequence[SampleScore], key: str) -> float:
    """The sum of a key's values; NaN ones are left out."""
    return float(np.nansum(column(scores, key)))


def share_with_interval(
    name: str, scores: Sequence[SampleScore], part: str, whole: str
) -> dict[str, float]:
    """A ratio of sums with its 95 % interval, clustered by item.

    Args:
        name: What it is called.
        scores: Unreduced scores.
        part: The key of what is counted.
        whole: The key of what it is a share of, not below `part` in any score.

    Returns:
        The share under `name`, its ends under `<name>_low` and `<name>_high`; NaN where
        the whole is empty.
    """
    return _with_interval(name, scores, column(scores, part), column(scores, whole))


def mean_with_interval(
    name: str, scores: Sequence[SampleScore], key: str
) -> dict[str, float]:
    """The mean of probabilities with its 95 % interval, clustered by item.

    Args:
        name: What it is called.
        scores: Unreduced scores.
        key: The key of values between 0 and 1; NaN ones are left out.

    Returns:
        As `share_with_interval`.
    """
    values = column(scores, key)
    return _with_interval(name, scores, values, (~np.isnan(values)).astype(float))


def _with_interval(
    name: str,
    scores: Sequence[SampleScore],
    counted: NDArray[np.float64],
    among: NDArray[np.float64],
) -> dict[str, float]:
    rows = np.nan_to_num(np.stack((counted, among - counted), axis=-1))
    index: dict[str, int] = {}
    position = [index.setdefault(cluster, len(index)) for cluster in clusters(scores)]
    sums = np.zeros((len(index), 2))
    np.add.at(sums, position, rows)
    low, high = cluster_interval(_share, sums)
    return {name: _share(sums.sum(axis=0)), f"{name}_low": low, f"{name}_high": high}


def _share(totals: NDArray[np.float64]) -> float:
    return float(totals[0] / totals.sum()) if totals.sum() else NAN


# Why a score is what it is, for people: what was right, and what was decided.


def decision_told(record: DebateRecord, gold_is: str, gold: str) -> str:
    """The right answer, the outcome, and what the judges said, as Markdown.

    Args:
        record: A complete record.
        gold_is: What the right answer is called, e.g. `Gold label`.
        gold: The right answer.
    """
    decided = outcome(record)
    said = given_answers(record.turns) if record.answers_free else {}
    ended = said.get(str(decided.answer), decided.answer) or decided.status
    summary = [
        f"**{gold_is}:** {said.get(gold, gold)}",
        f"**Outcome:** {ended}{' (by a coin)' if decided.status == 'coin' else ''}",
    ]
    if record.undebated_because:
        summary.append(f"**No debate:** {record.undebated_because}")
    reasons = [
        f"### {record.participant(turn.participant).name}"
        f"{f', shown {turn.order}' if turn.order else ''}\n\n{turn.public}"
        for turn in record.of_kind("verdict")
    ]
    return "\n\n".join(["  \n".join(summary), *reasons])
