"""Right answers where one may abstain: of all items, and of those answered.

An abstention is neither right nor wrong. Accuracy among all items counts it as not
right, and selective accuracy leaves it out, so both are given, with the coverage.
"""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.intervals import (
    Array,
    check_lengths,
    checked,
    checked_shares,
)
from inspect_debate.v1.metrics.shares import (
    mean_of_shares,
    share,
)


class Answered(NamedTuple):
    """How often one is right, how often one answers, and both together.

    Attributes:
        accuracy: right answers among all scored items.
        coverage: answers among all scored items.
        selective: right answers among the answered items; NaN without any.
    """

    accuracy: Share
    coverage: Share
    selective: Share


class ByCondition(NamedTuple):
    """The shares with the right passage, with a perturbed one, and their mean.

    `overall` has the mean of the two conditions as accuracy and as coverage, NaN where
    one condition has no value. Its selective accuracy is the share of right ones among
    all answered items: the accuracy divided by the coverage where both conditions have
    as many scored items.
    """

    standard: Answered
    perturbed: Answered
    overall: Answered


def by_condition(
    correct: ArrayLike,
    answered: ArrayLike,
    standard: ArrayLike,
    clusters: Iterable[Hashable],
) -> ByCondition:
    """Accuracy, coverage and selective accuracy by passage, and their mean.

    The accuracies are what "When to Trust Context" calls standard (true positive rate),
    perturbed (true negative rate) and overall.

    Args:
        correct: 1 right, 0 wrong or abstained, 0.5 for a tie between a right and a
            wrong answer, NaN unscored.
        answered: 1 answered, 0 abstained, NaN unscored. An item counts if neither is
            NaN.
        standard: 1 with the right passage, 0 with a perturbed one.
        clusters: per item its question, the same in both halves: the interval of the
            mean depends on it.

    Raises:
        ValueError: a value is none of those above, an abstention is right, or lengths
            differ.
    """
    right_passage = checked("standard", standard)
    measures, names = _measures(correct, answered), list(clusters)
    check_lengths(correct=measures[0], standard=right_passage)
    halves = np.equal.outer(right_passage, (1, 0))
    tables = [np.where(halves, each[:, np.newaxis], np.nan) for each in measures]

    def mean_over(*columns: int) -> Answered:
        return Answered(*(mean_of_shares(t[:, columns], names) for t in tables))

    both = mean_over(0, 1)
    if not np.isnan(both.accuracy.value):
        pooled = np.where(halves.any(axis=1), measures[2], np.nan)
        both = both._replace(selective=share(pooled, names))
    return ByCondition(mean_over(0), mean_over(1), both)


def _measures(correct: ArrayLike, answered: ArrayLike) -> tuple[Array, Array, Array]:
    """Per item what each field of `Answered` is the share of; NaN where of none."""
    right = checked_shares("correct", correct)
    given = checked("answered", answered)
    check_lengths(correct=right, answered=given)
    if (impossible := np.flatnonzero((right > 0) & (given == 0))).size:
        raise ValueError(f"item {impossible[0]} is right although it is an abstention.")
    scored = ~(np.isnan(right) | np.isnan(given))
    right, given = np.where(scored, right, np.nan), np.where(scored, given, np.nan)
    return right, given, np.where(given == 1, right, np.nan)
