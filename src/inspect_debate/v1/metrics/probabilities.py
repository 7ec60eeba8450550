"""How well judges' probabilities tell right from wrong, with intervals and comparisons.

Rows are probabilities of answers, of which a verdict may give several. What a row
depends on is its question: intervals are clustered by it, and comparisons are made
within it. Measures that are means of rows have their intervals from `clustered_mean`;
others from a bootstrap that draws whole questions.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.intervals import (
    NO_INTERVAL,
    Array,
    Interval,
    Share,
    check_lengths,
    checked,
    checked_shares,
)
from inspect_debate.v1.metrics.means import (
    FEWEST,
    Labels,
    cluster_means,
    known_rows,
    pooled_mean,
)
from inspect_debate.v1.metrics.paired import PairedDifference, cluster_sign_flip

RESAMPLES = 2000
"""Number of resamples of a bootstrap."""

MOVED = 0.05
"""From which change on a belief has moved."""

_BATCH = 200
"""The number of resamples in memory at a time."""

_ROUNDING = 1e-9
"""By how much what is equal may differ by rounding."""

_DECIMALS = 12
"""To which p and 1 - (1 - p) are the same."""


def auroc(stated: ArrayLike, right: ArrayLike) -> float:
    """The area under the receiver operating characteristic of probabilities.

    How often what is right has the higher probability of two rows, one of which is
    right and one wrong; ties count one half (Hanley and McNeil 1982).

    Args:
        stated: flat; NaN where there is none.
        right: 1 right, 0 wrong, NaN unscored.

    Returns:
        From 0 to 1, 0.5 for an uninformed judge; NaN where nothing is right, or nothing
        wrong.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    known, outcomes, _ = _known(stated, right, range(np.size(stated)))
    return float(_areas(known, outcomes, np.ones((1, known.size)))[0])


def auroc_interval(
    stated: ArrayLike,
    right: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Share:
    """`auroc` with the percentile interval of a bootstrap of clusters.

    Resamples that lack a class are left out. Where they are more than a share of 1 -
    `level`, where no two resamples differ, as of a perfect judge, and with fewer than
    three clusters there is no interval. In simulations of 60, 15 and 8 questions with
    three answers, 95 % intervals hold the area in 94, 95 and 89 % of the runs
    (`tests/recovery/test_probabilities.py`).

    Args:
        stated: as for `auroc`.
        right: as for `auroc`.
        clusters: per row what its dependent ones share, say the question.
        seed: of the resampling.
        resamples: number of resamples.
        level: confidence level, between 0 and 1.

    Returns:
        The area and the number of rows that count.

    Raises:
        ValueError: as for `auroc`.
    """
    known, outcomes, names = _known(stated, right, clusters)
    value = auroc(known, outcomes)
    drawn = _resampled(
        names, lambda w: _areas(known, outcomes, w[:, names]), seed, resamples
    )
    return Share(value, *_percentiles(drawn, level), known.size)


def sharpness(stated: ArrayLike) -> float:
    """The variance of probabilities: how far a judge commits itself, right or wrong.

    0 where all rows have the same probability, and 0.25 where half are 0 and half 1.
    The mean distance from one half would call a judge sharp that gives each of five
    answers one fifth. And the variance is by how much calibrated probabilities have a
    better Brier score than always stating the share that is right.

    Args:
        stated: flat, from 0 to 1; NaN ones are left out.

    Raises:
        ValueError: a value is none of those above.
    """
    values = checked_shares("stated", stated)
    known = values[~np.isnan(values)]
    return float(known.var()) if known.size else nan


# Two conditions on the same questions.


def paired_scores(
    a: ArrayLike,
    clusters_a: Iterable[Hashable],
    b: ArrayLike,
    clusters_b: Iterable[Hashable],
    bounds: tuple[float, float],
    *,
    seed: int,
    resamples: int = 9999,
) -> PairedDifference:
    """The mean of a score in b less that in a, on the clusters that both have.

    A cluster's scores are averaged first, and clusters weigh the same. The interval is
    that of `MeanEstimate.interval`, the p-value that of `cluster_sign_flip`.

    Args:
        a: the scores of a's rows, such as `squared_errors`; NaN ones are left out.
        clusters_a: per row what its dependent ones share, say the question.
        b: the scores of b's rows.
        clusters_b: the same of b.
        bounds: the smallest and largest possible score.
        seed: of the sign flips.
        resamples: how many of them are drawn.

    Returns:
        NaN without a shared cluster; no interval and p with fewer than three.

    Raises:
        ValueError: lengths differ.
    """
    means = [_by_cluster(a, clusters_a), _by_cluster(b, clusters_b)]
    shared = [name for name in means[0] if name in means[1]]
    differences = np.array([means[1][name] - means[0][name] for name in shared])
    estimate = pooled_mean(differences)
    if len(shared) < FEWEST:
        return PairedDifference(estimate.value, *[nan] * 3)
    span = bounds[1] - bounds[0]
    ends = estimate.interval(bounds=(-span, span))
    p = cluster_sign_flip(differences, shared, seed=seed, resamples=resamples)
    return PairedDifference(estimate.value, *ends, p)


class ClusteredRows(NamedTuple):
    """The rows of a condition, flat and of one length, as for `auroc_interval`."""

    stated: ArrayLike
    right: ArrayLike
    clusters: Iterable[Hashable]


def paired_auroc(
    a: ClusteredRows,
    b: ClusteredRows,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> PairedDifference:
    """The `auroc` of b less that of a, on the clusters that both have.

    Both are drawn together: a resample has the same clusters of either. The interval
    is as for `auroc_interval`. The p-value is that of a permutation test, which swaps
    the two within whole clusters at random, as `cluster_sign_flip` does for means.

    Args:
        a: the rows of a.
        b: those of b.
        seed: of the resampling.
        resamples: number of resamples.
        level: confidence level, between 0 and 1.

    Returns:
        NaN where either has no area; no interval and p where resamples do not differ.

    Raises:
        ValueError: as for `auroc`.
    """
    index: dict[Hashable, int] = {}
    rows = []
    for stated, right, clusters in (a, b):
        named = list(clusters)
        numbers = [index.setdefault(name, len(index)) for name in named]
        known, outcomes, places = _known(stated, right, range(len(numbers)))
        rows.append((known, outcomes, np.array(numbers, np.intp)[places]))
    shared = np.intersect1d(rows[0][2], rows[1][2])
    kept = []
    for probabilities, outcomes, names in rows:
        here = np.isin(names, shared)
        places = np.searchsorted(shared, names[here])
        kept.append((probabilities[here], outcomes[here], places))

    def differences(weights: Array) -> Array:
        first, second = (
            _areas(stated, right, weights[:, names]) for stated, right, names in kept
        )
        return second - first

    value = float(differences(np.ones((1, shared.size)))[0])
    drawn = _resampled(np.arange(shared.size), differences, seed, resamples)
    low, high = _percentiles(drawn, level)
    if np.isnan(low):
        return PairedDifference(value, *[nan] * 3)
    p = _swapped(value, kept, shared.size, seed, resamples)
    return PairedDifference(value, low, high, p)


def _swapped(
    value: float,
    both: Sequence[tuple[Array, Array, Labels]],
    clusters: int,
    seed: int,
    resamples: int,
) -> float:
    """How often a difference is as large where clusters are swapped at random.

    Two-sided; the observed difference is counted as one more, so that it is never 0.
    """
    stated, right, names = (np.concatenate(parts) for parts in zip(*both, strict=True))
    in_b = np.arange(stated.size) >= both[0][0].size
    draw = np.random.default_rng(seed)
    beyond = 0
    for start in range(0, resamples, _BATCH):
        size = (min(_BATCH, resamples - start), clusters)
        of_b = (in_b ^ (draw.random(size) < 0.5)[:, names]).astype(np.float64)
        found = _areas(stated, right, of_b) - _areas(stated, right, 1 - of_b)
        beyond += int((abs(found) >= abs(value) - _ROUNDING).sum())
    return (beyond + 1) / (resamples + 1)


# How beliefs move from round to round.


class Moves(NamedTuple):
    """Per change of a belief 1 where it moved towards the truth, or away, else 0."""

    towards: Array
    away: Array


def moves(before: ArrayLike, after: ArrayLike, least: float = MOVED) -> Moves:
    """Which beliefs in the right answer moved by more than `least`, and where to.

    Args:
        before: the probability of the right answer, from 0 to 1; NaN where there is
            none.
        after: the same after a round.
        least: what a change must be above.

    Returns:
        NaN where either probability is.

    Raises:
        ValueError: lengths differ, or a value is none of those above.
    """
    first, second = checked_shares("before", before), checked_shares("after", after)
    check_lengths(before=first, after=second)
    change = second - first
    unknown = np.isnan(change)
    return Moves(
        np.where(unknown, nan, change > least + _ROUNDING),
        np.where(unknown, nan, change < -least - _ROUNDING),
    )


def _known(
    stated: ArrayLike, right: ArrayLike, clusters: Iterable[Hashable]
) -> tuple[Array, Array, Labels]:
    """Rows without a NaN: probabilities, outcomes, and clusters numbered from 0."""
    probabilities, outcomes = checked_shares("stated", stated), checked("right", right)
    check_lengths(stated=probabilities, right=outcomes)
    both = np.where(np.isnan(outcomes), nan, probabilities)
    known, (names,) = known_rows(both, clusters)
    return known, outcomes[~np.isnan(both)], names


def _areas(stated: Array, right: Array, weights: Array) -> Array:
    """The areas of rows that count as often as `weights` (resamples, rows) say."""
    if not stated.size:
        return np.full(len(weights), nan)
    stated = stated.round(_DECIMALS)
    order = np.argsort(stated, kind="stable")
    _, starts = np.unique(stated[order], return_index=True)
    # By distinct probability, of which wrong ones below count, and equal ones by half.
    ones, zeros = (
        np.add.reduceat((weights * of)[:, order], starts, axis=1)
        for of in (right, 1 - right)
    )
    below = zeros.cumsum(axis=1) - zeros / 2
    pairs = ones.sum(axis=1) * zeros.sum(axis=1)
    areas = (ones * below).sum(axis=1) / np.where(pairs, pairs, nan)
    return np.asarray(areas, dtype=np.float64)


def _resampled(
    names: Labels, statistic: Callable[[Array], Array], seed: int, resamples: int
) -> Array:
    """A statistic of how often clusters are drawn (resamples, clusters)."""
    clusters = int(names.max(initial=-1)) + 1
    if clusters < FEWEST:
        return np.full(resamples, nan)
    draw, share = np.random.default_rng(seed), np.full(clusters, 1 / clusters)
    return np.concatenate(
        [
            statistic(
                draw.multinomial(
                    clusters, share, size=min(_BATCH, resamples - start)
                ).astype(np.float64)
            )
            for start in range(0, resamples, _BATCH)
        ]
    )


def _percentiles(drawn: Array, level: float) -> Interval:
    """The ends of the middle of the resamples; NaN where they say nothing."""
    known = drawn[~np.isnan(drawn)]
    if not known.size or 1 - known.size / drawn.size > 1 - level:
        return NO_INTERVAL
    if np.ptp(known) < _ROUNDING:
        return NO_INTERVAL
    outside = (1 - level) / 2
    low, high = np.quantile(known, (outside, 1 - outside))
    return Interval(float(low), float(high))


def _by_cluster(
    values: ArrayLike, clusters: Iterable[Hashable]
) -> dict[Hashable, float]:
    """The mean of each cluster with a value, by its name."""
    array, named = np.asarray(values, dtype=np.float64), list(clusters)
    means = cluster_means(array, named)
    kept = (
        name for name, value in zip(named, array, strict=True) if not np.isnan(value)
    )
    return dict(zip(dict.fromkeys(kept), means.tolist(), strict=True))
