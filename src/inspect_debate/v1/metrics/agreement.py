"""How far the jurors of debates agree, with each other and with themselves.

Verdicts are a table (debates, jurors) of 1 for one side, 0 for the other, and NaN where
there is no verdict.
"""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inspect_debate.v1.metrics.intervals import Array, checked, cluster_interval


class Share(NamedTuple):
    """A share of `n` verdicts, with the ends of its 95 % interval; NaN without any."""

    value: float
    low: float
    high: float
    n: int


def dissents(verdicts: ArrayLike) -> dict[int, int]:
    """The number of debates by the number of jurors in the minority, 0 for unanimous.

    A tie has half of the jurors in the minority. Debates with fewer than two verdicts
    are left out.

    Args:
        verdicts: (debates, jurors).

    Returns:
        Numbers of debates, in the order of dissenting votes; no entry where there is
        no such debate.

    Raises:
        ValueError: it is no table of 1, 0 and NaN.
    """
    minority = np.min(_votes(verdicts), axis=1).astype(int).tolist()
    return dict(sorted(Counter(minority).items()))


def unanimity(verdicts: ArrayLike) -> float:
    """Share of unanimous debates among those with two verdicts or more.

    Args and errors as for `dissents`; NaN without such a debate.
    """
    counts = dissents(verdicts)
    debates = sum(counts.values())
    return counts.get(0, 0) / debates if debates else math.nan


def pairwise_agreement(verdicts: ArrayLike) -> float:
    """How often two jurors of a debate agree: over its pairs, then over debates.

    The observed agreement of Fleiss' kappa (1971). Args and errors as for `dissents`;
    NaN without a debate of two verdicts.
    """
    votes = _votes(verdicts)
    jurors = votes.sum(axis=1)
    agreeing = (votes * (votes - 1)).sum(axis=1) / (jurors * (jurors - 1))
    return float(agreeing.mean()) if agreeing.size else math.nan


def krippendorff_alpha(verdicts: ArrayLike) -> float:
    """Agreement beyond chance: Krippendorff's alpha for nominal data (2011).

    1 where all agree, 0 where they agree as often as chance would have it with these
    numbers of verdicts for each side. Debates with fewer than two verdicts are left
    out.

    Args:
        verdicts: (debates, jurors).

    Returns:
        A number up to 1. NaN where all verdicts are for one side, since nothing tells
        agreement from chance then; some programs say 1.

    Raises:
        ValueError: it is no table of 1, 0 and NaN.
    """
    votes = _votes(verdicts)
    jurors, sides = votes.sum(axis=1), votes.sum(axis=0)
    if not sides.all():
        return math.nan
    unlike = (votes.prod(axis=1) / (jurors - 1)).sum()
    return float(1 - unlike * (sides.sum() - 1) / sides.prod())


def side_share(verdicts: ArrayLike) -> Share:
    """The share of verdicts for the side of 1, with all jurors' verdicts together.

    The interval takes the verdicts of a debate as dependent. A side that arguments do
    not favour has one around 0.5; that of a single juror is its bias.

    Args:
        verdicts: (debates, jurors); a single juror is a table of one column.

    Raises:
        ValueError: it is no table of 1, 0 and NaN.
    """
    table = checked("verdicts", verdicts, dimensions=2)
    return _share(table == 1, table == 0)


def repeat_agreement(first: ArrayLike, second: ArrayLike) -> Share:
    """The share of verdicts that jurors repeat in a second pass over the same debates.

    Args:
        first: (debates, jurors); a single juror is a table of one column.
        second: the verdicts of the same jurors on the same debates in another pass.

    Returns:
        The share of those with a verdict in both; the interval takes the verdicts on a
        debate as dependent.

    Raises:
        ValueError: a table is none of 1, 0 and NaN, or they differ in shape.
    """
    one, other = (
        checked(name, each, dimensions=2)
        for name, each in (("first", first), ("second", second))
    )
    if one.shape != other.shape:
        raise ValueError(f"the passes differ in shape: {one.shape} and {other.shape}.")
    both = ~np.isnan(one) & ~np.isnan(other)
    return _share(both & (one == other), both & (one != other))


def _votes(verdicts: ArrayLike) -> Array:
    """Verdicts for 1 and for 0 (debates, 2), of debates with at least two of them."""
    table = checked("verdicts", verdicts, dimensions=2)
    sides = [(table == side).sum(axis=1, dtype=np.float64) for side in (1, 0)]
    votes = np.stack(sides, axis=1)
    several: Array = votes[votes.sum(axis=1) >= 2]
    return several


def _share(yes: NDArray[np.bool_], no: NDArray[np.bool_]) -> Share:
    counts = np.stack([yes.sum(axis=1), no.sum(axis=1)], axis=1)
    n = int(counts.sum())
    if not n:
        return Share(math.nan, math.nan, math.nan, 0)
    interval = cluster_interval(lambda sums: float(sums[0] / sums.sum()), counts)
    return Share(float(yes.sum() / n), *interval, n)


# How far two raters agree beyond chance.
