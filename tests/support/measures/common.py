"""Shares of what scores count, with intervals."""

from collections.abc import Sequence

import numpy as np
from inspect_ai.scorer import SampleScore
from numpy.typing import NDArray

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.intervals import cluster_interval
from inspect_debate.scorers.common import NAN, clusters, column


def with_ends(name: str, found: Share) -> dict[str, float]:
    """A share under its name, and the ends of its interval."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


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
