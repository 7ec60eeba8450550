"""How often wrong answers that are put to a judge are endorsed, and right ones refused.

Of the wrong answers put to the judge the share that it calls correct is the false
positive rate of the study of generative debates, of the right ones the share that it
calls incorrect the false negative rate. A debate has several answers, so that either is
a ratio of sums over debates, never a mean of their rates.
"""

from collections.abc import Hashable, Iterable
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.agreement import Share
from inspect_debate.v1.metrics.detection import Counts, recall
from inspect_debate.v1.metrics.intervals import (
    Array,
    check_lengths,
    cluster_interval,
    cluster_sums,
    with_dimensions,
)
from inspect_debate.v1.metrics.paired import (
    PairedDifference,
    cluster_sign_flip,
    paired_bootstrap,
)


def endorsement_rate(
    endorsed_counts: ArrayLike, totals: ArrayLike, clusters: Iterable[Hashable]
) -> Share:
    """The sum of the endorsed among the sum of all, with that of `cluster_interval`.

    Args:
        endorsed_counts: per debate the number of its wrong answers that the judge
            calls correct (of its right ones that it calls incorrect).
        totals: per debate the number of its wrong (right) answers with a verdict.
        clusters: per debate what its dependent ones share, say the question.

    Returns:
        The share, and the number of all such answers. A debate with a NaN is left out;
        without an answer the share is NaN.

    Raises:
        ValueError: a number is not within 0 and its total, or lengths differ.
    """
    counts = cluster_sums(_in_and_out(endorsed_counts, totals), clusters)
    hits, misses = counts.sum(axis=0).tolist()
    number = hits + misses
    if not number:
        return Share(nan, nan, nan, 0)
    interval = cluster_interval(lambda sums: float(sums[0] / sums.sum()), counts)
    return Share(hits / number, *interval, round(number))


def ratio_difference(
    part_a: ArrayLike,
    whole_a: ArrayLike,
    part_b: ArrayLike,
    whole_b: ArrayLike,
    clusters: Iterable[Hashable],
    *,
    seed: int,
    resamples: int = 9999,
) -> PairedDifference:
    """Difference of two conditions' ratios of sums, with a bootstrap interval.

    Where the wholes are the same row by row, as where both conditions judge the same
    answers, the p-value is that of `cluster_sign_flip` of the parts, which is valid
    however few and however alike clusters are; else it is the bootstrap's.

    Args:
        part_a: per debate of the first condition its part of the numerator.
        whole_a: its part of the denominator.
        part_b: those of the second condition, on the same answers row by row.
        whole_b: as `whole_a`.
        clusters: per row what its dependent ones share, say the question.
        seed: of the resampling.
        resamples: number of resamples, and of draws of signs.

    Returns:
        The ratio of b less that of a, with its 95 % interval and p-value, NaN where
        they do not exist. A row with a NaN is left out of the condition that has it.

    Raises:
        ValueError: a part is not within 0 and its whole, or lengths differ.
    """
    a, b = _in_and_out(part_a, whole_a), _in_and_out(part_b, whole_b)
    check_lengths(part_a=a, part_b=b)
    names = list(clusters)
    sums = cluster_sums(np.stack((a, b), axis=1), names)
    found = paired_bootstrap(
        recall, _table(sums[:, 0]), _table(sums[:, 1]), seed=seed, resamples=resamples
    )
    testable = not isnan(found.difference) and len(sums) > 1
    if not testable or (a.sum(axis=1) != b.sum(axis=1)).any():
        return found
    less = b[:, 0] - a[:, 0]
    p = cluster_sign_flip(less, names, seed=seed, resamples=resamples)
    return found._replace(p=p)


def _in_and_out(parts: ArrayLike, wholes: ArrayLike) -> Array:
    """Numbers (rows, 2) of what is in the part and of what is not; 0 where unknown."""
    part, whole = with_dimensions("parts", parts), with_dimensions("wholes", wholes)
    check_lengths(parts=part, wholes=whole)
    both = np.stack((part, whole - part), axis=1)
    both[np.isnan(both).any(axis=1)] = 0
    bad = ~(np.isfinite(both) & (both >= 0)).all(axis=1)
    if bad.any():
        raise ValueError(
            f"{part[bad][0]:g} of {whole[bad][0]:g} is no share; a part is a number "
            "from 0 to its whole."
        )
    return both


def _table(in_and_out: Array) -> Array:
    """Rows of `Counts` of which `recall` is the ratio of the part to the whole."""
    table = np.zeros((len(in_and_out), len(Counts._fields)))
    table[:, Counts._fields.index("tp")] = in_and_out[:, 0]
    table[:, Counts._fields.index("fn")] = in_and_out[:, 1]
    return table
