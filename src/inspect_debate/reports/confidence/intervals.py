"""Means of bets and ratios over debates, with intervals that respect dependence."""

import pandas as pd

from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean
from inspect_debate.metrics.intervals import NO_INTERVAL, proportion_interval
from inspect_debate.metrics.means import FEWEST, MeanEstimate, pooled_mean
from inspect_debate.reports.confidence.frames import numbered
from inspect_debate.reports.confidence.study import model_name
from inspect_debate.reports.estimates import Estimate, of_counts, of_mean
from inspect_debate.solvers.bet_records import SIDES

Bounds = tuple[float, float]

BETS: Bounds = (0.0, 100.0)
"""Where bets are, and distances between them."""
CHANGES: Bounds = (-100.0, 100.0)
"""Where differences of bets are, and by how much two exceed 100."""
SHARES: Bounds = (0.0, 1.0)


def mean(rows: pd.DataFrame, column: str, bounds: Bounds) -> Estimate:
    """The mean of a column of bets and the like, with its 95 % interval.

    Rows of one debate or of one model may depend on each other; where all are of one
    model, only those of one debate.

    Args:
        rows: What tells debate and `model`, and the column; NaN is left out.
        column: Its name.
        bounds: The smallest and largest possible value.
    """
    return of_mean(clustered(rows[column], rows), bounds)


def clustered(values: "pd.Series[float]", rows: pd.DataFrame) -> MeanEstimate:
    """A mean by model and debate; where all rows are of one model, by debate alone.

    Args:
        values: NaN is left out.
        rows: What tells debate and `model`.
    """
    several = rows["model"].nunique() > 1
    ways = [numbered(rows, ["model"])] * several + [numbered(rows)]
    return clustered_mean(values, *ways)


def ratio(debates: pd.DataFrame, part: str, whole: str, bounds: Bounds) -> Estimate:
    """A ratio of sums, such as a mean over bets, with its 95 % interval.

    Debates that share a model may depend on each other; where all are of the same
    models, each stands for itself.

    Args:
        debates: A row per debate, with its `sides`, models by side.
        part: The column of what is counted; NaN counts nothing.
        whole: That of what it is counted among.
        bounds: The smallest and largest possible ratio.
    """
    return of_mean(_linearised(debates, part, whole), bounds)


def share(debates: pd.DataFrame, part: str, whole: str) -> Estimate:
    """As `ratio`, of a part of the whole.

    Where nothing varies, models count as independent observations, or debates where
    all are of the same models.
    """
    found = _linearised(debates, part, whole)
    clusters = _clusters(debates[debates[whole] > 0])
    if not found.reason:
        return of_mean(found, SHARES)
    if clusters < FEWEST:
        return of_counts(found.value, NO_INTERVAL)
    size = float(clusters)
    return Estimate(found.value, *proportion_interval(found.value * size, size))


def _linearised(debates: pd.DataFrame, part: str, whole: str) -> MeanEstimate:
    """A ratio as the mean of what every debate adds to it."""
    known = debates[debates[whole] > 0]
    parts, wholes = (known[name].fillna(0.0).to_numpy(float) for name in (part, whole))
    if not wholes.size:
        return pooled_mean([])
    value = float(parts.sum() / wholes.sum())
    added = value + (parts - value * wholes) / wholes.mean()
    pairs = _pairs(known)
    return (
        pooled_mean(added)
        if _alike(pairs)
        else dyadic_mean(added, *zip(*pairs, strict=True))
    )


def _pairs(debates: pd.DataFrame) -> list[tuple[str, ...]]:
    return [tuple(model_name(s[side]) for side in SIDES) for s in debates["sides"]]


def _alike(pairs: list[tuple[str, ...]]) -> bool:
    return len({frozenset(pair) for pair in pairs}) == 1


def _clusters(debates: pd.DataFrame) -> int:
    pairs = _pairs(debates)
    return len(pairs) if _alike(pairs) else len({m for pair in pairs for m in pair})
