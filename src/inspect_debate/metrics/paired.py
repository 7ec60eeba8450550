"""Two conditions on the same items: paired differences, and what an oracle could gain.

A condition is a data frame with a row per sample and epoch: `id`, `epoch`, what is
measured, and `cluster`, which names what dependent samples share.

The interval and p-value of a difference come from one distribution: the difference
within random halves of the clusters (typical values, Hartigan 1969). For a mean this
is the test that flips the signs of clusters, and for right or wrong answers to
independent items McNemar's, both with the mid-p-value. For ratios such as F1 it is
approximate. As both are read off one curve, 0 lies outside of the 95 % interval if and
only if p is below 0.05.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inspect_debate.metrics import intervals
from inspect_debate.metrics.detection import expected, of_totals, outcomes, stratified
from inspect_debate.metrics.intervals import Array, cluster_sums, ratio

if TYPE_CHECKING:
    import pandas as pd

_KEYS = ["id", "epoch"]
_EXACT = 14
"""The most clusters of which all subsets are gone through."""
_DRAWS = 2**_EXACT
_BATCH = 2048


class PairedDifference(NamedTuple):
    """A statistic of the treatment minus that of the baseline, on shared items.

    Attributes:
        estimate: The difference.
        low: Lower end of its interval; NaN without one (too few clusters, or none that
            differs from the others).
        high: Upper end.
        p: Two-sided p-value; NaN below two clusters.
        pairs: Number of (id, epoch) pairs compared.
        clusters: Number of clusters among them.
    """

    estimate: float
    low: float
    high: float
    p: float
    pairs: int
    clusters: int


class OracleReduction(NamedTuple):
    """Errors that an oracle over two detectors would save the better one.

    Attributes:
        items: Number of (id, epoch) pairs that both answered.
        better_errors: Errors of the better detector.
        reduction: Errors of the better detector less items on which both are wrong
            (ColMAD, Eq. 4).
        independent: The reduction to be expected if the two erred independently given
            the gold label. Opposite biases alone make the reduction large; only what
            exceeds this says that they know different things.
    """

    items: int
    better_errors: float
    reduction: float
    independent: float

    @property
    def ratio(self) -> float:
        """The reduction as a share of the better one's errors; NaN without errors."""
        return self.reduction / self.better_errors if self.better_errors else math.nan

    @property
    def independent_ratio(self) -> float:
        """The same of the reduction to be expected."""
        return self.independent / self.better_errors if self.better_errors else math.nan


def detection_difference(
    baseline: "pd.DataFrame",
    treatment: "pd.DataFrame",
    statistic: str,
    stratum: str | None = None,
) -> PairedDifference:
    """Compare a statistic of `gold` and `prediction` where both conditions have one.

    It is averaged over the values of the column `stratum`.
    """
    same = ["gold", "cluster", *([stratum] if stratum else [])]
    pairs = _pair(baseline, treatment, "prediction", same)
    strata = pairs.same[stratum].tolist() if stratum else None
    before, after = (
        expected(statistic, pairs.same["gold"], side, stratum=strata)
        for side in pairs.sides
    )
    rows = [
        stratified(outcomes(pairs.same["gold"], one), strata) for one in pairs.sides
    ]
    return _difference(after - before, of_totals(statistic), rows, pairs)


def mean_difference(
    baseline: "pd.DataFrame", treatment: "pd.DataFrame", column: str
) -> PairedDifference:
    """Compare the mean of a column, such as `correct`, where both have a value."""
    pairs = _pair(baseline, treatment, column, ["cluster"])
    before, after = pairs.sides
    change = float((after - before).mean()) if len(after) else math.nan
    rows = [np.stack((side, np.ones(len(side))), axis=-1) for side in pairs.sides]
    return _difference(change, ratio, rows, pairs)


def oracle_reduction(first: "pd.DataFrame", second: "pd.DataFrame") -> OracleReduction:
    """Count the errors an oracle over two detectors would save (ColMAD, Eq. 4).

    An unread prediction is wrong.
    """
    pairs = _pair(first, second, "prediction", ["gold"], keep_unread=True)
    gold = pairs.same["gold"].to_numpy(float)
    one, other = (np.nan_to_num(abs(side - gold), nan=1) for side in pairs.sides)
    better = min(one.sum(), other.sum())
    both_wrong = sum(
        one[gold == label].sum() * other[gold == label].sum() / (gold == label).sum()
        for label in np.unique(gold)
    )
    saved, independent = float(better - one @ other), float(better - both_wrong)
    return OracleReduction(len(gold), float(better), saved, independent)


class _Pairs(NamedTuple):
    same: "pd.DataFrame"  # what the two rows of a pair have in common
    sides: list[Array]


def _pair(
    baseline: "pd.DataFrame",
    treatment: "pd.DataFrame",
    value: str,
    same: Iterable[str],
    keep_unread: bool = False,
) -> _Pairs:
    """Merge two conditions on (id, epoch), where label and cluster are the same."""
    fixed = sorted({*same} - {*_KEYS})
    columns = [*_KEYS, *fixed, value]
    both = baseline[columns].merge(
        treatment[columns],
        on=_KEYS,
        suffixes=("_baseline", "_treatment"),
        validate="one_to_one",
    )
    alike = np.ones(len(both), dtype=bool)
    for name in fixed:
        alike &= (both[f"{name}_baseline"] == both[f"{name}_treatment"]).to_numpy()
    read = both[[f"{value}_baseline", f"{value}_treatment"]].notna().all(axis=1)
    kept = both[alike & (read.to_numpy() | keep_unread)]
    kept = kept.rename(columns={f"{name}_baseline": name for name in fixed})
    before, after = kept[f"{value}_baseline"], kept[f"{value}_treatment"]
    return _Pairs(kept, [before.to_numpy(float), after.to_numpy(float)])


def _difference(
    estimate: float,
    statistic: intervals.Statistic,
    sides: Sequence[Array],
    pairs: _Pairs,
) -> PairedDifference:
    low = high = p = math.nan
    width, n = sides[0].shape[1], len(sides[0])
    rows = cluster_sums(np.concatenate(sides, axis=1), pairs.same["cluster"])
    if len(rows) > 1 and not math.isnan(estimate):
        values = [
            statistic(totals[:, width:]) - statistic(totals[:, :width])
            for totals in _halves(rows)
        ]
        low, high, p = _read_off(np.concatenate(values))
    return PairedDifference(estimate, low, high, p, n, len(rows))


def _halves(rows: Array) -> Iterator[Array]:
    """Totals of subsets of the clusters, in batches.

    Every cluster is in half of them, at random. Where there are few clusters, or few in
    which the conditions differ, each subset of these occurs equally often, which makes
    the test of a mean exact.
    """
    m, width = len(rows), rows.shape[1] // 2
    differs = (rows[:, :width] != rows[:, width:]).any(axis=1)
    listed = np.arange(m) if m <= _EXACT else np.flatnonzero(differs)
    if len(listed) > _EXACT:
        listed = listed[:0]
        yield np.zeros((1, 2 * width))  # no p-value of 0
    rng = np.random.default_rng(0)
    for start in range(0, _DRAWS, _BATCH):
        chosen = rng.integers(0, 2, size=(_BATCH, m), dtype=np.int8).astype(np.float64)
        numbers = np.arange(start, start + _BATCH)[:, None]
        chosen[:, listed] = numbers >> np.arange(len(listed)) & 1
        yield chosen @ rows


def _read_off(values: Array) -> tuple[float, float, float]:
    """Interval and p-value from differences in subsets.

    Read off the mid-distribution function, in which a tie counts half below and half
    above, and interpolated between values. Subsets without a value (the empty one) tie
    with every hypothesis.
    """
    known = np.sort(values[~np.isnan(values)].round(12))
    if not len(known):
        return math.nan, math.nan, math.nan
    points = np.unique(np.append(known, np.clip(0, known[0], known[-1])))
    ties = len(values) - len(known)
    lower, upper = (np.searchsorted(known, points, side) for side in ("left", "right"))
    below = (ties + lower + upper) / 2 / len(values)
    end = ties / 2 / len(values)
    at_zero = float(np.interp(0, points, below, left=end, right=1 - end))
    p = min(1.0, 2 * min(at_zero, 1 - at_zero))
    if known[0] == known[-1] or end > 0.025:
        return math.nan, math.nan, p
    low, high = np.interp((0.025, 0.975), below, points)
    return float(low), float(high), p
