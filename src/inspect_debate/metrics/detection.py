"""Statistics of binary error detection; the positive class is "error".

A prediction is 1 (error), 0 (no error), a probability where a random tie-break decides
(0.5 for a fair coin), or NaN where none could be read. What an unread prediction counts
as is the argument `unread` of every function here:

* `left_out` (default): the item does not count, and a ratio over nothing is NaN;
* `realmistake` (the rule of Kamoi et al. 2024): the prediction "no error", but always
  wrong in accuracy; a ratio over nothing is 0.

Constant detectors need no functions of their own: `expected("f1", gold, ones)` is the
F1 of a detector that answers "error" to every item.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.metrics import intervals
from inspect_debate.metrics.intervals import Array, Estimate

Unread = Literal["left_out", "realmistake"]

OUTCOMES = ("tp", "fp", "fn", "tn", "unread_error", "unread_no_error")
"""The last axis of all counts: four cells, then items without a prediction."""

_NEGLIGIBLE = 1e-15


def outcomes(gold: ArrayLike, prediction: ArrayLike) -> Array:
    """One row per item with its share of each of `OUTCOMES`; the sum is their counts.

    Args:
        gold: 1 for error, 0 for no error.
        prediction: From 0 to 1, or NaN.

    Raises:
        ValueError: A value is none of those above, or lengths differ.
    """
    truth, guess = (np.asarray(one, dtype=np.float64) for one in (gold, prediction))
    if truth.shape != guess.shape or truth.ndim != 1:
        raise ValueError(f"Shapes {truth.shape} and {guess.shape} are not one length.")
    if not np.isin(truth, (0, 1)).all():
        raise ValueError("gold holds a value that is neither 0 nor 1.")
    if ((guess < 0) | (guess > 1)).any():
        raise ValueError("prediction holds a value that is not from 0 to 1.")
    unread = np.isnan(guess)
    error, passed = np.where(unread, 0.0, guess), np.where(unread, 0.0, 1 - guess)
    by_gold = [(truth * one, (1 - truth) * one) for one in (error, passed, unread)]
    return np.stack([cell for pair in by_gold for cell in pair], axis=-1)


def precision(counts: Array, unread: Unread = "left_out") -> Array:
    """Share of gold errors among the items predicted to be errors."""
    tp, fp, _, _ = _cells(counts, unread)
    return _ratio(tp, tp + fp, unread)


def recall(counts: Array, unread: Unread = "left_out") -> Array:
    """Share of the gold errors that are predicted to be errors."""
    tp, _, fn, _ = _cells(counts, unread)
    return _ratio(tp, tp + fn, unread)


def f1(counts: Array, unread: Unread = "left_out") -> Array:
    """Harmonic mean of precision and recall."""
    return _f_beta(counts, 1, unread)


def f2(counts: Array, unread: Unread = "left_out") -> Array:
    """F score that weighs recall twice as much as precision."""
    return _f_beta(counts, 2, unread)


def accuracy(counts: Array, unread: Unread = "left_out") -> Array:
    """Share of right predictions."""
    tp, fp, fn, tn = _cells(counts, unread)
    right = counts[..., 0] + counts[..., 3]
    return _ratio(right, tp + fp + fn + tn, unread)


def balanced_accuracy(counts: Array, unread: Unread = "left_out") -> Array:
    """Mean of recall and specificity; 0.5 for a constant prediction."""
    _, fp, _, tn = _cells(counts, unread)
    return (recall(counts, unread) + _ratio(tn, tn + fp, unread)) / 2


def mcc(counts: Array, unread: Unread = "left_out") -> Array:
    """Matthews correlation of prediction and gold label, from -1 to 1."""
    tp, fp, fn, tn = _cells(counts, unread)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    root = np.sqrt(np.maximum(product, 0))
    return np.clip(_ratio(tp * tn - fp * fn, root, unread), -1, 1)


def predicted_error_rate(counts: Array, unread: Unread = "left_out") -> Array:
    """Share of items predicted to be errors."""
    tp, fp, fn, tn = _cells(counts, unread)
    return _ratio(tp + fp, tp + fp + fn + tn, unread)


STATISTICS: Mapping[str, Callable[[Array, Unread], Array]] = {
    one.__name__: one
    for one in (
        *(f1, f2, precision, recall, accuracy, balanced_accuracy, mcc),
        predicted_error_rate,
    )
}
"""The statistics by name: functions of counts (`OUTCOMES` on the last axis)."""


def bounds(statistic: str) -> tuple[float, float]:
    """Smallest and largest possible value of a statistic."""
    return (-1.0, 1.0) if statistic == "mcc" else (0.0, 1.0)


def expected(
    statistic: str,
    gold: ArrayLike,
    prediction: ArrayLike,
    *,
    stratum: Iterable[Hashable] | None = None,
    unread: Unread = "left_out",
) -> float:
    """Value of a statistic, in exact expectation over random tie-breaks.

    The number of tie-breaks that say "error" is (Poisson) binomial among the gold
    errors and, independently, among the other items; the statistic is taken at every
    pair of numbers. Draws for which it is undefined are left out. This is close, but
    not equal, to the statistic at expected counts.

    Args:
        statistic: A name from `STATISTICS`.
        gold: 1 for error, 0 for no error.
        prediction: From 0 to 1, or NaN.
        stratum: Per item its group, such as the task. The result is then the unweighted
            mean over groups, as in the paper's averages; NaN if one of them has none.
        unread: What an unread prediction counts as.
    """
    rows, guess = outcomes(gold, prediction), np.asarray(prediction, dtype=np.float64)
    groups = _groups(stratum, len(rows))
    values = [_expected(statistic, rows[one], guess[one], unread) for one in groups.T]
    return float(np.mean(values))


def estimate(
    statistic: str,
    gold: ArrayLike,
    prediction: ArrayLike,
    cluster: Iterable[Hashable],
    *,
    stratum: Iterable[Hashable] | None = None,
    unread: Unread = "left_out",
    level: float = 0.95,
) -> Estimate:
    """The value of `expected` with its clustered standard error and interval.

    Args:
        statistic: As in `expected`.
        gold: As in `expected`.
        prediction: As in `expected`.
        cluster: Per item what its dependent items share: the input or question, so that
            repeated epochs add no certainty.
        stratum: As in `expected`.
        unread: As in `expected`.
        level: Confidence level.
    """
    groups = None if stratum is None else list(stratum)
    value = expected(statistic, gold, prediction, stratum=groups, unread=unread)
    return intervals.estimate(
        of_totals(statistic, unread),
        stratified(outcomes(gold, prediction), groups),
        cluster,
        value=value,
        bounds=bounds(statistic),
        level=level,
    )


def stratified(rows: Array, stratum: Iterable[Hashable] | None) -> Array:
    """Spread rows of outcomes over columns of their own for each stratum."""
    groups = _groups(stratum, len(rows))
    columns = groups.shape[1] * len(OUTCOMES)
    return (rows[:, None, :] * groups[:, :, None]).reshape(len(rows), columns)


def of_totals(statistic: str, unread: Unread) -> intervals.Statistic:
    """The statistic as a function of totals of `stratified` rows."""

    def mean_over_strata(totals: Array) -> Array:
        counts = totals.reshape(*totals.shape[:-1], -1, len(OUTCOMES))
        found: Array = STATISTICS[statistic](counts, unread).mean(axis=-1)
        return found

    return mean_over_strata


def _groups(stratum: Iterable[Hashable] | None, n: int) -> NDArray[np.bool_]:
    """Membership (items, groups); one group of all items without strata."""
    names = np.zeros(n) if stratum is None else np.array(list(stratum))
    members: NDArray[np.bool_] = names[:, None] == np.unique(names)
    return members if n else np.ones((0, 1), dtype=bool)


def _expected(statistic: str, rows: Array, guess: Array, unread: Unread) -> float:
    drawn = (guess > 0) & (guess < 1)
    error = rows[:, 0] + rows[:, 2] > 0
    hits, of_hits = _heads(guess[drawn & error])
    alarms, of_alarms = _heads(guess[drawn & ~error])
    counts = np.zeros((len(hits), len(alarms), len(OUTCOMES)))
    counts += rows[~drawn].sum(axis=0)
    counts[..., 0] += hits[:, None]
    counts[..., 2] += (drawn & error).sum() - hits[:, None]
    counts[..., 1] += alarms
    counts[..., 3] += (drawn & ~error).sum() - alarms
    values, weights = (
        STATISTICS[statistic](counts, unread),
        np.outer(of_hits, of_alarms),
    )
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    return float(np.average(values[known], weights=weights[known]))


def _heads(probabilities: Array) -> tuple[Array, Array]:
    """Numbers of independent draws that say "error", and their probabilities."""
    n = len(probabilities)
    kinds, number = np.unique(probabilities, return_counts=True)
    # The generating function at roots of unity is the distribution's transform.
    roots = np.exp(-2j * np.pi * np.arange(n + 1) / (n + 1))[:, None]
    generated = ((1 - kinds + kinds * roots) ** number).prod(axis=-1)
    chance = np.fft.ifft(generated).real
    heads = np.flatnonzero(chance > _NEGLIGIBLE)
    return heads.astype(np.float64), chance[heads]


def _cells(counts: Array, unread: Unread) -> tuple[Array, Array, Array, Array]:
    tp, fp, fn, tn, unread_error, unread_no_error = np.moveaxis(counts, -1, 0)
    if unread == "realmistake":
        fn, tn = fn + unread_error, tn + unread_no_error
    return tp, fp, fn, tn


def _f_beta(counts: Array, beta: int, unread: Unread) -> Array:
    tp, fp, fn, _ = _cells(counts, unread)
    hits = (1 + beta**2) * tp
    return _ratio(hits, hits + beta**2 * fn + fp, unread)


def _ratio(part: Array, whole: Array, unread: Unread) -> Array:
    empty = np.equal(whole, 0)
    nothing = 0.0 if unread == "realmistake" else np.nan
    return np.where(empty, nothing, part / np.where(empty, 1.0, whole))
