"""Statistics of error detection over a frame of scores, with intervals.

A frame has a row per sample and epoch, with the values of the scorer
`error_detection` as columns and `input_group`, which names the cluster.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from inspect_debate.v1.metrics.detection import (
    BOUNDS,
    STATISTICS,
    Counts,
    Statistic,
    cluster_counts,
)
from inspect_debate.v1.metrics.intervals import cluster_interval
from inspect_debate.v1.metrics.means import MeanEstimate

Array = NDArray[np.float64]


class Estimate(NamedTuple):
    """A value with the ends of its 95 % interval.

    Ends are infinite where there are too few clusters to say anything, which reports
    show as "n too small", and NaN where there is no interval for another reason.
    """

    value: float
    low: float
    high: float

    def columns(self, name: str) -> dict[str, float]:
        """As the three columns that a table shows in one."""
        return {name: self.value, f"{name} low": self.low, f"{name} high": self.high}


def of_counts(value: float, interval: tuple[float, float]) -> Estimate:
    """A value with an interval as from `cluster_interval`.

    Without one a value, if there is any, is of fewer than two clusters.
    """
    known = np.isfinite(interval[0]) or np.isnan(value)
    return Estimate(value, *(interval if known else _NO_END))


def of_mean(found: MeanEstimate, bounds: tuple[float, float] | None = None) -> Estimate:
    """A mean with its interval.

    Args:
        found: The mean.
        bounds: The smallest and largest possible value.
    """
    ends = _NO_END if found.too_few else found.interval(bounds=bounds)
    return Estimate(found.value, *ends)


_NO_END = (-np.inf, np.inf)


def clusters(frame: pd.DataFrame) -> pd.Series:
    """What makes rows dependent: the item's input, or else the sample itself."""
    if "input_group" not in frame:
        return frame["id"]
    return frame["input_group"].fillna(frame["id"])


def by_cluster(frame: pd.DataFrame, key: str = "prediction") -> Array:
    """Counts of the predictions under a key: (clusters, fields of `Counts`)."""
    if frame.empty:
        return np.zeros((0, len(Counts._fields)))
    return cluster_counts(frame["gold"], frame[key], list(clusters(frame)))


def estimate(frame: pd.DataFrame, name: str, key: str = "prediction") -> Estimate:
    """One of `STATISTICS` over rows with a prediction, clustered by input.

    The same as the metric of that name in a run's log.
    """
    counts = by_cluster(frame, key)
    statistic = partial(_of_sums, STATISTICS[name])
    found = cluster_interval(statistic, counts, bounds=BOUNDS[name])
    return of_counts(statistic(counts.sum(axis=0)), found)


def ratio(
    frame: pd.DataFrame, part: str | pd.Series, whole: str | pd.Series
) -> Estimate:
    """A ratio of sums, of what a column counts to what it could be, clustered.

    Args:
        frame: The rows.
        part: A column, or its values; NaN counts nothing.
        whole: As `part`, nowhere smaller.
    """
    parts, wholes = (
        frame[given] if isinstance(given, str) else given for given in (part, whole)
    )
    counts = pd.DataFrame({"yes": parts, "no": wholes - parts}).fillna(0.0)
    sums = counts.groupby(clusters(frame), sort=False).sum().to_numpy(dtype=float)
    return of_counts(_share(sums.sum(axis=0)), cluster_interval(_share, sums))


def share(frame: pd.DataFrame, column: str) -> Estimate:
    """The mean of a column of zeros and ones over rows that have it, clustered."""
    return ratio(frame, column, frame[column].notna().astype(float))


def _of_sums(statistic: Statistic, sums: Array) -> float:
    return float(statistic(Counts(*sums), "parsed"))


def _share(sums: Array) -> float:
    yes, no = sums
    return float(yes / (yes + no)) if yes + no else float("nan")
