"""Intervals of bounded means: they hold the planted mean, and never leave the bounds.

`uv run python -m tests.recovery.test_bounded` prints the shares by number of clusters.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from inspect_debate.metrics.dependence import clustered_mean

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]

EACH = 12
"""Values of a cluster, as a model's bets."""


def bets(draw: Generator, clusters: int) -> Array:
    """Bets about 75 in steps of 5, with models that differ, from 0 to 1."""
    return np.round(_beta(draw, clusters, 15.0, 5.0) * 20) / 20


def sure(draw: Generator, clusters: int) -> Array:
    """Bets about 95: near the end of the range, and skewed."""
    return _beta(draw, clusters, 9.5, 0.5)


def errors(draw: Generator, clusters: int) -> Array:
    """Squared errors of bets about 75 against a fair coin."""
    stated = _beta(draw, clusters, 12.0, 4.0)
    return (stated - (draw.random(stated.shape) < 0.5)) ** 2


def shares(draw: Generator, clusters: int) -> Array:
    """Zeros and ones, nine in ten of them ones, with clusters that differ."""
    rates = draw.beta(6.3, 0.7, clusters)
    return (draw.random((clusters, EACH)) < rates[:, None]).astype(float)


KINDS: tuple[Callable[[Generator, int], Array], ...] = (bets, sure, errors, shares)


class Coverage(NamedTuple):
    """Of the runs with an interval, shares that hold the mean or leave the bounds."""

    bounded: float
    student: float
    student_outside: float


def coverage_of(
    kind: Callable[[Generator, int], Array], clusters: int, runs: int
) -> Coverage:
    """How often 95 % intervals hold the planted mean."""
    draw = default_rng(clusters)
    planted = float(np.mean([kind(draw, 400).mean() for _ in range(50)]))
    inside, outside = [], []
    for values in (kind(draw, clusters) for _ in range(runs)):
        names = np.repeat(np.arange(clusters), EACH)
        mean = clustered_mean(values.ravel(), names.tolist())
        if mean.reason:
            continue
        ends = mean.interval(bounds=(0, 1)), mean.interval()
        assert 0 <= ends[0].low <= mean.value <= ends[0].high <= 1
        inside.append([low <= planted <= high for low, high in ends])
        outside.append(ends[1].low < 0 or ends[1].high > 1)
    bounded, student = np.mean(inside, axis=0)
    return Coverage(float(bounded), float(student), float(np.mean(outside)))


@pytest.mark.parametrize("clusters", [3, 10])
@pytest.mark.parametrize("kind", KINDS)
def test_bounded_intervals_hold_the_mean(
    kind: Callable[[Generator, int], Array], clusters: int
) -> None:
    found = coverage_of(kind, clusters, 300)
    assert found.bounded >= (0.84 if kind is sure else 0.9)
    # Student's leave the bounds, and hold no more for it.
    assert found.bounded >= found.student - 0.02


def _beta(draw: Generator, clusters: int, a: float, b: float) -> Array:
    means = np.clip(draw.beta(a, b, clusters), 0.01, 0.99)[:, None]
    return draw.beta(means * 12, (1 - means) * 12, (clusters, EACH))


def _lines() -> Iterator[str]:
    for kind in KINDS:
        for clusters in (3, 4, 5, 6, 8, 10, 20):
            found = coverage_of(kind, clusters, 2000)
            yield (
                f"{kind.__name__:7} {clusters:3} clusters: {found.bounded:.3f}; "
                f"Student's {found.student:.3f}, outside in {found.student_outside:.3f}"
            )


if __name__ == "__main__":
    print("\n".join(_lines()))
