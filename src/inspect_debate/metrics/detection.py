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

from collections.abc import Hashable, Iterable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.metrics import intervals
from inspect_debate.metrics.intervals import Array, Estimate

Unread = Literal["left_out", "realmistake"]

OUTCOMES = ("tp", "fp", "fn", "tn", "unread_error", "unread_no_error")
"""The last axis of all counts: four cells, then items without a prediction."""
STATISTICS = (
    *("f1", "f2", "precision", "recall", "accuracy", "balanced_accuracy"),
    "predicted_error_rate",
)


def outcomes(gold: ArrayLike, prediction: ArrayLike) -> Array:
    """One row per item with its share of each of `OUTCOMES`, which add up to counts."""
    truth, guess = np.array([gold, prediction], dtype=np.float64)
    if not np.isin(truth, (0, 1)).all():
        raise ValueError("gold holds a value that is neither 0 nor 1.")
    if ((guess < 0) | (guess > 1)).any():
        raise ValueError("prediction holds a value that is not from 0 to 1.")
    unread = np.isnan(guess)
    said = np.stack([np.nan_to_num(guess), np.nan_to_num(1 - guess), unread], axis=-1)
    cells: Array = said[:, :, None] * np.stack([truth, 1 - truth], axis=-1)[:, None]
    return cells.reshape(len(truth), len(OUTCOMES))


def value(statistic: str, counts: Array, unread: Unread = "left_out") -> Array:
    """Value of one of `STATISTICS`, given counts with `OUTCOMES` on the last axis.

    F2 weighs recall twice as much as precision; balanced accuracy is 0.5 for a constant
    prediction. Counts need not be whole.
    """
    tp, fp, fn, tn, unread_error, unread_no_error = np.moveaxis(counts, -1, 0)
    right = tp + tn
    if unread == "realmistake":
        fn, tn = fn + unread_error, tn + unread_no_error
    items = tp + fp + fn + tn
    ratios: dict[str, list[tuple[Array, Array]]] = {
        "f1": [(2 * tp, 2 * tp + fn + fp)],
        "f2": [(5 * tp, 5 * tp + 4 * fn + fp)],
        "precision": [(tp, tp + fp)],
        "recall": [(tp, tp + fn)],
        "accuracy": [(right, items)],
        "balanced_accuracy": [(tp, tp + fn), (tn, tn + fp)],
        "predicted_error_rate": [(tp + fp, items)],
    }
    nothing = 0.0 if unread == "realmistake" else np.nan
    found = [
        np.where(whole == 0, nothing, part / np.where(whole == 0, 1.0, whole))
        for part, whole in ratios[statistic]
    ]
    return np.asarray(np.mean(found, axis=0))


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

    With strata, such as the task of each item, it is the unweighted mean over groups,
    as in the paper's averages; NaN if one of them has none.
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
) -> Estimate:
    """The value of `expected` with its clustered standard error and interval.

    A cluster is what dependent items share: the input or question, so that repeated
    epochs add no certainty. Unread predictions are left out.
    """
    groups = None if stratum is None else list(stratum)
    rows = stratified(outcomes(gold, prediction), groups)
    exact = expected(statistic, gold, prediction, stratum=groups)
    return intervals.estimate(of_totals(statistic), rows, cluster, value=exact)


def stratified(rows: Array, stratum: Iterable[Hashable] | None) -> Array:
    """Spread rows of outcomes over columns of their own for each stratum."""
    groups = _groups(stratum, len(rows))
    columns = groups.shape[1] * len(OUTCOMES)
    return (rows[:, None, :] * groups[:, :, None]).reshape(len(rows), columns)


def of_totals(statistic: str) -> intervals.Statistic:
    """The statistic as a function of totals of `stratified` rows."""

    def mean_over_strata(totals: Array) -> Array:
        counts = totals.reshape(*totals.shape[:-1], -1, len(OUTCOMES))
        return np.asarray(value(statistic, counts).mean(axis=-1))

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
    values, weights = value(statistic, counts, unread), np.outer(of_hits, of_alarms)
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    return float(np.average(values[known], weights=weights[known]))


def _heads(probabilities: Array) -> tuple[Array, Array]:
    """Numbers of independent draws that say "error", and their probabilities."""
    chance = np.ones(1)
    for p in probabilities:
        chance = np.convolve(chance, (1 - p, p))
    heads = np.flatnonzero(chance > 1e-15)  # or memory grows with the square
    return heads.astype(np.float64), chance[heads]
