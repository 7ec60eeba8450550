"""Statistics of binary error detection; the positive class is "error".

Every statistic is a function of counts, so that one definition serves a single
run, a bootstrap and a gradient. Two conventions say what a prediction that could
not be read is:

* `parsed`: nothing. Only items with a parsed prediction count, and a ratio over
  no items is NaN.
* `realmistake` (Kamoi et al. 2024, ReaLMistake, from the authors' code): the
  prediction "no error", except for accuracy, where it is wrong whatever the gold
  label. A ratio over no items is 0.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.v1.metrics.intervals import (
    check_lengths,
    checked_shares,
    cluster_sums,
    zeros_and_ones,
)

Values = float | NDArray[np.float64]
"""A number, or an array of numbers that are treated alike."""

Convention = Literal["parsed", "realmistake"]

_EMPTY_RATIO: Mapping[Convention, float] = {"parsed": np.nan, "realmistake": 0.0}


class Counts(NamedTuple):
    """Numbers of items by gold label and prediction; expected counts may be fractions.

    `unparsed_error` and `unparsed_no_error` are items with that gold label whose
    prediction could not be parsed. Fields are numbers or arrays of one shape.
    """

    tp: Values
    fp: Values
    fn: Values
    tn: Values
    unparsed_error: Values = 0.0
    unparsed_no_error: Values = 0.0


Statistic = Callable[[Counts, Convention], Values]


def item_counts(gold: ArrayLike, predicted: ArrayLike) -> NDArray[np.float64]:
    """One row per item, of its share of each field of `Counts`.

    A prediction is the probability with which the item is called an error: 1 or 0 puts
    a single 1 into a row, a probability between them gives expected counts, the 0.5 of
    a fair coin half an item to either cell. A statistic of expected counts is close to
    the statistic's expectation, but not equal to it.

    Args:
        gold: 1.0 for error, 0.0 for no error, one per item.
        predicted: From 0.0 to 1.0, or NaN for a prediction that could not be parsed.

    Returns:
        Array of shape (items, 6), columns in the order of the fields of `Counts`.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    truth = zeros_and_ones("gold", gold)
    guess = checked_shares("predicted", predicted)
    check_lengths(gold=truth, predicted=guess)
    unparsed = np.isnan(guess)
    error, other = truth, 1 - truth
    flagged = np.where(unparsed, 0.0, guess)
    passed = np.where(unparsed, 0.0, 1 - guess)
    cells = Counts(
        tp=error * flagged,
        fp=other * flagged,
        fn=error * passed,
        tn=other * passed,
        unparsed_error=error * unparsed,
        unparsed_no_error=other * unparsed,
    )
    return np.stack(cells, axis=-1)


def count(gold: ArrayLike, predicted: ArrayLike) -> Counts:
    """Count the items of a run; arguments and errors as for `item_counts`."""
    return Counts(*item_counts(gold, predicted).sum(axis=0).tolist())


def cluster_counts(
    gold: ArrayLike, predicted: ArrayLike, cluster: Sequence[Hashable]
) -> NDArray[np.float64]:
    """Sum the rows of `item_counts` within clusters, for `cluster_interval`.

    Args:
        gold: as for `item_counts`.
        predicted: as for `item_counts`.
        cluster: per row what its dependent rows share, say the sample id of its epochs.

    Returns:
        Array of shape (clusters, 6), clusters in the order of their first row.

    Raises:
        ValueError: as for `item_counts`, or `cluster` is of another length.
    """
    return cluster_sums(item_counts(gold, predicted), cluster)


def precision(counts: Counts, convention: Convention = "parsed") -> Values:
    """Share of gold errors among the items predicted to be errors."""
    return _ratio(counts.tp, counts.tp + counts.fp, convention)


def recall(counts: Counts, convention: Convention = "parsed") -> Values:
    """Share of the gold errors that are predicted to be errors."""
    cells = _cells(counts, convention)
    return _ratio(cells.tp, cells.tp + cells.fn, convention)


def specificity(counts: Counts, convention: Convention = "parsed") -> Values:
    """Share of the gold non-errors that are predicted to be free of error."""
    cells = _cells(counts, convention)
    return _ratio(cells.tn, cells.tn + cells.fp, convention)


def f_beta(counts: Counts, beta: float, convention: Convention = "parsed") -> Values:
    """F score that weighs recall `beta` times as much as precision.

    Taken from counts, not from rounded precision and recall; defined wherever
    there is a gold or a predicted error.
    """
    cells = _cells(counts, convention)
    hits = (1 + beta**2) * cells.tp
    return _ratio(hits, hits + beta**2 * cells.fn + cells.fp, convention)


def f1(counts: Counts, convention: Convention = "parsed") -> Values:
    """Harmonic mean of precision and recall."""
    return f_beta(counts, 1.0, convention)


def f2(counts: Counts, convention: Convention = "parsed") -> Values:
    """F score of ColMAD's tables, which weighs recall over precision."""
    return f_beta(counts, 2.0, convention)


def accuracy(counts: Counts, convention: Convention = "parsed") -> Values:
    """Share of right predictions; under `realmistake` an unparsed one is wrong."""
    total = _parsed(counts)
    if convention == "realmistake":
        total = total + counts.unparsed_error + counts.unparsed_no_error
    return _ratio(counts.tp + counts.tn, total, convention)


def balanced_accuracy(counts: Counts, convention: Convention = "parsed") -> Values:
    """Mean of recall and specificity, and so 0.5 for any constant prediction.

    Under `realmistake` it keeps to the reading of its two parts, where an unparsed
    prediction says "no error"; Kamoi et al. do not report it.
    """
    return (recall(counts, convention) + specificity(counts, convention)) / 2


def mcc(counts: Counts, convention: Convention = "parsed") -> Values:
    """Matthews correlation of prediction and gold label, from -1 to 1.

    Undefined (NaN, or 0 under `realmistake`) where only one label is predicted or
    only one is in the gold labels.
    """
    tp, fp, fn, tn, *_ = _cells(counts, convention)
    margins = (tp + fp, tp + fn, tn + fp, tn + fn)
    product = math.prod(np.maximum(margin, 0.0) for margin in margins)
    value = _ratio(tp * tn - fp * fn, np.sqrt(product), convention)
    # Rounding of the root may lead a last digit beyond 1.
    return np.clip(value, -1.0, 1.0)


def predicted_error_rate(counts: Counts, convention: Convention = "parsed") -> Values:
    """Share of items predicted to be errors."""
    cells = _cells(counts, convention)
    return _ratio(cells.tp + cells.fp, _parsed(cells), convention)


STATISTICS: Mapping[str, Statistic] = {
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "f2": f2,
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "mcc": mcc,
    "predicted_error_rate": predicted_error_rate,
}
"""What is reported of every detector and every baseline, by its name."""

BOUNDS: Mapping[str, tuple[float, float]] = {
    name: (-1.0, 1.0) if name == "mcc" else (0.0, 1.0) for name in STATISTICS
}
"""Smallest and largest value of each of `STATISTICS`."""


def _cells(counts: Counts, convention: Convention) -> Counts:
    """The four cells that the convention sees in every statistic but accuracy."""
    if convention == "parsed":
        return counts
    fn, tn = counts.fn + counts.unparsed_error, counts.tn + counts.unparsed_no_error
    return Counts(counts.tp, counts.fp, fn, tn)


def _parsed(counts: Counts) -> Values:
    return counts.tp + counts.fp + counts.fn + counts.tn


def _ratio(part: Values, whole: Values, convention: Convention) -> Values:
    """Divide element by element, with the convention's value for division by 0."""
    empty = np.equal(whole, 0)
    divided = np.asarray(part) / np.where(empty, 1.0, whole)
    result: Values = np.where(empty, _EMPTY_RATIO[convention], divided)[()]
    return result


# The Ensemble baseline: two detectors' common label, or a fair coin.
#
# One draw of the coins may lie several points away from another, so the baseline is the
# expectation over all of them.
