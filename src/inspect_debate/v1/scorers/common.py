"""What all scorers share: the record, the common keys, scores as columns."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from math import isnan
from typing import NamedTuple, ParamSpec

import numpy as np
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState
from numpy.typing import NDArray

from inspect_debate.v1.debate.conversation import (
    RIGHT,
    answer_in_words,
    outcome_in_words,
    with_marked_quotes,
)
from inspect_debate.v1.debate.outcome import (
    Outcome,
    judges_of,
    outcome,
    probability,
    votes_missing,
)
from inspect_debate.v1.debate.record import (
    DebateRecord,
    Turn,
    order_shown,
)
from inspect_debate.v1.debate.reuse import scored_record
from inspect_debate.v1.metrics.intervals import (
    TotalsStatistic,
    cluster_error,
    cluster_sums,
)

NAN = float("nan")

COUNTS = "counts"
"""Where the metadata of a score has what a grader found: reports cannot compute it."""

Values = dict[str, float]
"""Numbers by name, the same names on every sample of a run, NaN if undefined."""


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
    """What all scorers of the suite know of a debate.

    `correct` is the probability that the outcome is right: 0 or 1, but for a coin; NaN
    where there is no outcome, or the target is none of the choices.
    """
    spent = cost(record)
    right = probability(record, target)
    known = target in record.choices or record.answers_free
    untold = bool(record.turns) and not spent.tokens + spent.reused_tokens
    return {
        "correct": NAN if right is None or not known else right,
        "debated": float(record.debated),
        "calls": spent.calls,
        # Published transcripts do not tell what a call took, and people take no tokens.
        "tokens": NAN if untold else spent.tokens,
    }


P = ParamSpec("P")

RecordScorer = Callable[[DebateRecord, TaskState, Target], Score | Awaitable[Score]]
"""Scores a sample by the complete record of its debate."""


def over_scores(measure: Metric) -> Callable[[], Metric]:
    """A metric that counts every epoch as an attempt of its own."""

    def make() -> Metric:
        return measure

    make.__name__ = getattr(measure, "__name__")  # noqa: B009 (not of the protocol)
    make.__module__ = measure.__module__
    return metric(scores="unreduced")(make)


def record_scorer(
    measure: Callable[[], Metric], study: str | None = None
) -> Callable[[Callable[P, RecordScorer]], Callable[P, Scorer]]:
    """Register a scorer of records, with its metric.

    Args:
        measure: The metric.
        study: The study whose records it scores; None for those of all.

    Returns:
        A decorator. A sample without such a record, or whose debate stopped early, is
        unscored.
    """

    def register(make: Callable[P, RecordScorer]) -> Callable[P, Scorer]:
        @wraps(make)
        def made(*args: P.args, **kwargs: P.kwargs) -> Scorer:
            of_record = make(*args, **kwargs)

            async def score(state: TaskState, target: Target) -> Score:
                record = complete_record(state)
                if isinstance(record, Score):
                    return record
                if study not in (None, record.study):
                    return Score.unscored(
                        reason="scoring_failed",
                        explanation=f"This scorer is for records of the study {study}; "
                        f"this one is of {record.study} ({record.protocol}).",
                    )
                found = of_record(record, state, target)
                return found if isinstance(found, Score) else await found

            return score

        return registered([measure()])(made)

    return register


def registered(
    metrics: Sequence[Metric],
) -> Callable[[Callable[P, Scorer]], Callable[P, Scorer]]:
    """Register a scorer, also by the bare name that Inspect writes into logs.

    `inspect score LOG` looks for just that, and a package's scorers are registered with
    the package's name.

    Args:
        metrics: The scorer's metrics.
    """

    def register(make: Callable[P, Scorer]) -> Callable[P, Scorer]:
        @wraps(make)
        def bare(*args: P.args, **kwargs: P.kwargs) -> Scorer:
            return make(*args, **kwargs)

        bare.__module__ = "logged"
        scorer(metrics=metrics)(bare)
        return scorer(metrics=metrics)(make)

    return register


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


def first_answers(record: DebateRecord) -> dict[str, str | None]:
    """Each debater's own answer before it knew any other; None where it is unreadable.

    Who answered several times, as in self-consistency, has no first answer.
    """
    drawn: dict[str, list[str | None]] = {}
    for turn in record.of_kind("answer"):
        value = turn.field("answer").value
        answers = drawn.setdefault(turn.participant, [])
        answers.append(None if value is None else str(value))
    return {who: answers[0] for who, answers in drawn.items() if len(answers) == 1}


def agreed_before(record: DebateRecord) -> float:
    """Whether both first answers were the same, 0 or 1.

    NaN unless there were two that could be read.
    """
    answers = first_answers(record)
    if len(answers) != 2 or None in answers.values():
        return NAN
    return float(len(set(answers.values())) == 1)


WITHOUT_OUTCOME = ("tied", "unparsed", "refused", "truncated", "capped", "missing")
"""Why a debate may end without an answer."""


def decision_values(
    record: DebateRecord, name: str, value: Callable[[Outcome], float]
) -> Values:
    """How a debate was decided, and what each judge or order alone would have given.

    `agreed_before` tells whether both first answers were the same, NaN unless there
    were two that could be read; `outcome_<why>` why there is no outcome.

    Args:
        record: A complete record.
        name: What the value of an outcome is called, `<name>_<judge>` where several
            judges were bound, `<name>_ab` and `<name>_ba` where both orders were shown;
            none of these where votes are missing because of others.
        value: The value of an outcome.
    """
    decided, judges = outcome(record), judges_of(record)
    values: Values = {
        "agreed_before": agreed_before(record),
        "verdicts": len(record.of_kind("verdict")),
        **{f"outcome_{why}": float(decided.status == why) for why in WITHOUT_OUTCOME},
    }
    if votes_missing(record):
        return values
    for judge in judges if len(judges) > 1 else ():
        values[f"{name}_{judge}"] = value(outcome(record, judge=judge))
    if record.parameters.get("order") == "both":
        values[f"{name}_ab"] = value(outcome(record, order="ab"))
        values[f"{name}_ba"] = value(outcome(record, order="ba"))
    return values


def score_of(record: DebateRecord, values: Values, explanation: str) -> Score:
    """A complete debate's score.

    Args:
        record: The debate, its free answers graded.
        values: The few values that people read; reports compute all others from the
            record (`scorers/values.py`).
        explanation: Why they are what they are, in Markdown.
    """
    decided = outcome(record)
    return Score(
        value=values,
        answer=decided.answer or f"({decided.status})",
        explanation=explanation,
        metadata={
            "models": {p.id: p.model for p in record.participants},
            "status": decided.status,
        },
    )


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
    return float(found) if isinstance(found, int | float) else NAN


# The few numbers of a run that are shown where it ends; reports have all others.


def shown(name: str, value: float, error: float) -> dict[str, float]:
    """A number and its standard error, under `name` and `<name>_stderr`.

    What is not defined (NaN) is left out.
    """
    found = {name: value, f"{name}_stderr": error}
    return {} if isnan(value) else {k: v for k, v in found.items() if not isnan(v)}


def mean(
    name: str, scores: Sequence[SampleScore], values: NDArray[np.float64]
) -> dict[str, float]:
    """The mean of values that are not negative, one for each score; NaN left out.

    Returns:
        As `shown`; the standard error is clustered by item.
    """
    return ratio(name, scores, values, (~np.isnan(values)).astype(float))


def ratio(
    name: str,
    scores: Sequence[SampleScore],
    part: NDArray[np.float64],
    whole: NDArray[np.float64],
) -> dict[str, float]:
    """A ratio of sums over scores, of which none is negative.

    Args:
        name: What it is called.
        scores: Unreduced scores.
        part: What is counted in each; NaN counts nothing.
        whole: Among what, in each; NaN counts nothing.

    Returns:
        As `shown`; the standard error is clustered by item. Nothing where the whole is
        empty.
    """
    return estimate(name, scores, _ratio, part, whole)


def estimate(
    name: str,
    scores: Sequence[SampleScore],
    statistic: TotalsStatistic,
    *counts: NDArray[np.float64],
) -> dict[str, float]:
    """A statistic of sums over scores; NaN in a count counts nothing.

    Returns:
        As `shown`; the standard error is clustered by item. NaN without scores.
    """
    if not scores:  # Inspect asks before the first sample, and misses no headline then
        return {name: NAN}
    sums = cluster_sums(np.nan_to_num(np.stack(counts, axis=-1)), clusters(scores))
    return shown(name, statistic(sums.sum(axis=0)), cluster_error(statistic, sums))


def _ratio(totals: NDArray[np.float64]) -> float:
    return float(totals[0] / totals[1]) if totals[1] else NAN


# Why a score is what it is, for people: what was right, and what was decided.


def explain_decision(record: DebateRecord, gold_is: str, gold: str) -> str:
    """The right answer, the outcome, and what the judges said, as Markdown.

    Args:
        record: A complete record.
        gold_is: What the right answer is called, e.g. `Gold label`.
        gold: The right answer.
    """
    decided = outcome(record)
    right = None if decided.answer is None else decided.answer == gold
    summary = [
        f"**{gold_is}:** {answer_in_words(record, gold)}",
        f"**Outcome:** {outcome_in_words(record)}{RIGHT[right]}",
    ]
    if record.skip_reason:
        summary.append(f"**No debate:** {record.skip_reason}")
    return "\n\n".join(["  \n".join(summary), *reasons_told(record)])


def reasons_told(record: DebateRecord) -> list[str]:
    """What each judge said, under its name, as Markdown."""
    return [
        f"### {_judged(record, turn)}\n\n{with_marked_quotes(turn)}"
        for turn in record.turns
        if turn.kind in ("verdict", "second_verdict")
    ]


def _judged(record: DebateRecord, turn: Turn) -> str:
    order = order_shown(record, turn)
    name = record.participant(turn.participant).name
    return f"{name}, {order}" if order else name
