"""The scores of a run as columns, and shares of what they count."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from inspect_ai.scorer import SampleScore
from numpy.typing import NDArray

from inspect_debate.v1.metrics.intervals import cluster_interval
from inspect_debate.v1.scorers.common import NAN, clusters, column, keys

Numbers = NDArray[np.float64]
Measures = dict[str, float]


class Scores:
    """Unreduced scores of one scorer, whose values are columns by their keys."""

    def __init__(self, scores: Sequence[SampleScore]) -> None:
        self.scores = list(scores)
        self.items = clusters(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, key: str) -> Numbers:
        return column(self.scores, key)

    def names(self, prefix: str = "", suffix: str = "") -> list[str]:
        """The keys that begin and end with these texts."""
        return keys(self.scores, prefix, suffix)

    def where(self, rows: Iterable[bool | np.bool_ | float]) -> "Scores":
        """Some of the scores."""
        chosen = zip(self.scores, rows, strict=True)
        return Scores([score for score, taken in chosen if taken])

    def total(self, key: str) -> float:
        """The sum of a key's values, without those that are missing."""
        return float(np.nansum(self[key]))

    def totals(self, keys: Iterable[str]) -> Measures:
        """The sums of keys, under their names."""
        return {key: self.total(key) for key in keys}

    def mean(self, key: str) -> float:
        """The mean of a key's values, without those that are missing."""
        return mean(self[key])

    def means(self, keys: Iterable[str]) -> Measures:
        """The means of keys, under their names."""
        return {key: self.mean(key) for key in keys}

    def ratio(self, part: str, whole: str) -> float:
        """The ratio of two sums."""
        return ratio(self.total(part), self.total(whole))

    def share(self, name: str, part: str, whole: str) -> Measures:
        """A ratio of two sums, with its interval."""
        return self._with_interval(name, self[part], self[whole])

    def probability(self, name: str, key: str) -> Measures:
        """The mean of values from 0 to 1, with its interval."""
        values = self[key]
        return self._with_interval(name, values, (~np.isnan(values)).astype(float))

    def _with_interval(self, name: str, counted: Numbers, among: Numbers) -> Measures:
        rows = np.nan_to_num(np.stack((counted, among - counted), axis=-1))
        index: dict[str, int] = {}
        place = [index.setdefault(item, len(index)) for item in self.items]
        sums = np.zeros((len(index), 2))
        np.add.at(sums, place, rows)
        low, high = cluster_interval(_share, sums)
        return {
            name: _share(sums.sum(axis=0)),
            f"{name}_low": low,
            f"{name}_high": high,
        }


Measure = Callable[[Scores], Measures]


def mean(values: Numbers) -> float:
    """The mean of the values that are known."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else NAN


def ratio(part: float, whole: float) -> float:
    """A ratio, NaN of nothing."""
    return part / whole if whole else NAN


def _share(totals: Numbers) -> float:
    return float(totals[0] / totals.sum()) if totals.sum() else NAN
