"""Means of bets and ratios over debates, with intervals that know what depends on what."""

import numpy as np
import pandas as pd

from inspect_debate.analysis.confidence.frames import DEBATE
from inspect_debate.analysis.confidence.study import model_name
from inspect_debate.analysis.estimates import Estimate
from inspect_debate.core.betting import SIDES
from inspect_debate.core.measures.dependence import clustered_mean, dyadic_mean
from inspect_debate.core.measures.means import pooled_mean


def mean(rows: pd.DataFrame, column: str) -> Estimate:
    """The mean of a column of bets and the like, with its 95 % interval.

    Rows of one debate or of one model may depend on each other; where all are of one
    model, only those of one debate.

    Args:
        rows: What tells debate and `model`, and the column; NaN is left out.
        column: Its name.
    """
    models, debates = rows["model"], list(rows[DEBATE].itertuples(index=False))
    ways = [models, debates] if models.nunique() > 1 else [debates]
    found = clustered_mean(rows[column], *ways)
    return Estimate(found.value, *found.interval())


def ratio(
    debates: pd.DataFrame,
    part: str,
    whole: str,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """A ratio of sums, such as a share of bets, with its 95 % interval.

    Every debate is replaced by what it adds to the ratio (linearisation), and debates
    that share a model may depend on each other; where all are of the same models, each
    stands for itself.

    Args:
        debates: A row per debate, with its `sides`, models by side.
        part: The column of what is counted; NaN counts nothing.
        whole: That of what it is counted among.
        bounds: What the ratio lies between; the interval ends there.
    """
    known = debates[debates[whole] > 0]
    parts, wholes = (known[name].fillna(0.0).to_numpy(float) for name in (part, whole))
    if not wholes.size:
        return Estimate(np.nan, np.nan, np.nan)
    value = float(parts.sum() / wholes.sum())
    added = value + (parts - value * wholes) / wholes.mean()
    one, other = ([model_name(s[side]) for s in known["sides"]] for side in SIDES)
    alike = len({frozenset(pair) for pair in zip(one, other, strict=True)}) == 1
    mean = pooled_mean(added) if alike else dyadic_mean(added, one, other)
    low, high = np.clip(mean.interval(), *bounds)
    return Estimate(value, float(low), float(high))
