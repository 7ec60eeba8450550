"""What scorers share."""

from collections.abc import Awaitable, Callable, Iterable
from math import isnan, nan
from statistics import fmean

import numpy as np
from inspect_ai.scorer import SampleScore, Score, Scorer, Target
from inspect_ai.solver import TaskState

from inspect_debate.debate.record import Debate, stored
from inspect_debate.metrics.intervals import Estimate, mean, ratio

Values = dict[str, float]


def of_debate(
    score: Callable[[Debate, TaskState, Target], Awaitable[Score]],
) -> Scorer:
    """A scorer of records.

    A debate that a limit or an error stopped is never scored as a whole one.
    """

    async def of(state: TaskState, target: Target) -> Score:
        debate = stored()
        if debate.complete and debate.protocol:
            return await score(debate, state, target)
        why = "The solver of this task recorded no debate; use one of inspect_debate."
        if debate.protocol:
            why = "The debate was stopped before its end."
        return Score.unscored(reason="scoring_failed", explanation=why)

    return of


def scored(values: Values, shown: Iterable[str], answer: str, text: str = "") -> Score:
    """A score with the values that tell most; reports find the others as metadata."""
    value = {name: values[name] for name in shown if name in values}
    rest = {k: None if isnan(n) else n for k, n in values.items() if k not in value}
    return Score(
        value={**value}, answer=answer, explanation=text or None, metadata=rest
    )


def column(scores: list[SampleScore], name: str) -> list[float]:
    """A number of each score that `scored` made; NaN where it is not known."""
    given = [(one.score.value, one.score.metadata or {}) for one in scores]
    found = [{**m, **v}.get(name) if isinstance(v, dict) else None for v, m in given]
    return [float(n) if isinstance(n, int | float) else nan for n in found]


def clusters(scores: list[SampleScore]) -> list[str]:
    """What the samples are clustered by: their input where it recurs, else their id."""
    metadata = [score.sample_metadata or {} for score in scores]
    return [
        str(own.get("input_group") or own.get("question_id") or score.sample_id)
        for own, score in zip(metadata, scores, strict=True)
    ]


def mean_of(scores: list[SampleScore], name: str) -> Estimate:
    """The mean of a number from 0 to 1."""
    return mean(column(scores, name), clusters(scores))


def average(values: Iterable[float | None]) -> float:
    """The mean of the numbers that are known; NaN without any."""
    known = [value for value in values if value is not None and not isnan(value)]
    return fmean(known) if known else nan


def share(scores: list[SampleScore], part: str, whole: str) -> float:
    """The sum of a number by that of another; NaN where that is 0."""
    sums = np.nansum([column(scores, part), column(scores, whole)], axis=1)
    return float(ratio(sums))
