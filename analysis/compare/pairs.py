"""Two arms on the same samples: the difference, its test, and its equivalence to 0."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspect_debate.analysis.compare.pairing import Paired
from inspect_debate.analysis.comparisons import SEED
from inspect_debate.core.measures.arrays import cluster_sums
from inspect_debate.core.measures.endorsement import ratio_difference
from inspect_debate.core.measures.equivalence import Equivalence, equivalence
from inspect_debate.core.measures.paired import (
    McNemar,
    PairedDifference,
    holm,
    mcnemar,
)

MCNEMAR, SIGN_FLIP = "McNemar", "sign flip"

_MANY = 5000
"""From so many samples on resamples are fewer, for the sake of memory."""


class Scale(NamedTuple):
    """The range of a metric, which measures are told as 0 to 1."""

    low: float
    span: float

    def unit(self, values: Sequence[float]) -> NDArray[np.float64]:
        """Values from 0 to 1."""
        return (np.asarray(values, dtype=np.float64) - self.low) / self.span


@dataclass(frozen=True)
class Compared:
    """Arm b less arm a.

    Attributes:
        a: Position of the one arm.
        b: Position of the other.
        mean_a: Its mean over the shared samples.
        mean_b: That of the other.
        difference: Of the means, with the ends of its 95 % interval.
        test: Which test the p-value is of.
        discordant: Samples that only the one or the other has right, where each is
            right or wrong.
        p_holm: The p-value, corrected over all comparisons.
        equivalence: Whether the difference is small for certain, where a margin says
            what small is.
    """

    a: int
    b: int
    mean_a: float
    mean_b: float
    difference: PairedDifference
    test: str
    discordant: McNemar | None
    p_holm: float
    equivalence: Equivalence | None

    @property
    def p(self) -> float:
        """The p-value."""
        return self.difference.p


def scale_of(paired: Paired) -> Scale:
    """The range of a metric over all arms: from 0 to 1, or what goes beyond it."""
    values = [row.value for arm in paired.rows for row in arm]
    low = min(0.0, *values)
    return Scale(low, max(1.0, *values) - low)


def compare_pairs(
    paired: Paired, pairs: Sequence[tuple[int, int]], margin: float | None
) -> list[Compared]:
    """Compare pairs of arms, and correct the p-values over all of them.

    McNemar's mid-p test, where every value is the least or the greatest and no two
    samples share a cluster; else sign flips of whole clusters. The interval is that of
    the paired bootstrap, which draws whole clusters.

    Args:
        paired: The samples of all arms.
        pairs: Positions of the arms: the second less the first.
        margin: The smallest difference that would matter, in the metric's unit.
    """
    found = [_compare(paired, a, b, margin) for a, b in pairs]
    adjusted = holm({n: one.p for n, one in enumerate(found)})
    return [replace(one, p_holm=adjusted[n]) for n, one in enumerate(found)]


def _compare(paired: Paired, a: int, b: int, margin: float | None) -> Compared:
    scale, values = scale_of(paired), (paired.values(a), paired.values(b))
    unit_a, unit_b = map(scale.unit, values)
    difference = _difference(unit_a, unit_b, paired.clusters)
    discordant = None
    if np.isin((unit_a, unit_b), (0, 1)).all():
        discordant = mcnemar(unit_a, unit_b)
    independent = len(set(paired.clusters)) == len(paired.clusters)
    test = SIGN_FLIP
    if discordant is not None and independent:
        test, difference = MCNEMAR, difference._replace(p=discordant.p)
    equal = None
    if margin is not None:
        equal = _equivalence(unit_b - unit_a, paired.clusters, margin, scale.span)
    low, high = (end * scale.span for end in (difference.low, difference.high))
    mean_a, mean_b = (float(np.mean(of)) for of in values)
    return Compared(
        a=a,
        b=b,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=PairedDifference(mean_b - mean_a, low, high, difference.p),
        test=test,
        discordant=discordant,
        p_holm=nan,
        equivalence=equal,
    )


def _difference(
    a: NDArray[np.float64], b: NDArray[np.float64], clusters: Sequence[str]
) -> PairedDifference:
    # What is drawn depends on the order of the arms, and the result must not.
    if a.tolist() > b.tolist():
        found = _difference(b, a, clusters)
        return PairedDifference(-found.difference, -found.high, -found.low, found.p)
    ones = np.ones(len(a))
    resamples = 9999 if len(a) <= _MANY else 1999
    return ratio_difference(a, ones, b, ones, clusters, seed=SEED, resamples=resamples)


def _equivalence(
    differences: NDArray[np.float64],
    clusters: Sequence[str],
    margin: float,
    span: float,
) -> Equivalence:
    """The test of the mean over samples, in the metric's unit.

    A cluster's sum, times clusters per sample, has the mean over samples as its own
    mean, however many samples clusters have.
    """
    sums = cluster_sums(differences, clusters)
    scaled = sums * (len(sums) / len(differences))
    found = equivalence(scaled, range(len(scaled)), margin / span)
    return found._replace(
        difference=found.difference * span,
        low90=found.low90 * span,
        high90=found.high90 * span,
    )
