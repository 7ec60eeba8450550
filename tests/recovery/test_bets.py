"""Tests of mean bets reject 5 % of calibrated pools; intervals hold what is planted.

The paper's test of pooled bets rejects several times as many, as it takes bets of one
model and of one debate for independent.

    uv run python -m tests.recovery.test_bets

prints how many.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from statistics import fmean

import pytest
from scipy.stats import binom

from inspect_debate.metrics.dependence import clustered_mean, dyadic_mean, mixed_mean
from inspect_debate.metrics.means import MeanEstimate, pooled_mean
from tests.support.bet_pools import CROSS, SELF, Pool, draw_pool

pytestmark = pytest.mark.slow

REPETITIONS, REPETITIONS_PLANTED = 200, 100
ALPHA = 0.05
DESIGNS = {"self": SELF, "cross": CROSS}
CALIBRATED = {"opening": 50.0, "change": 0.0}
PLANTED = {"opening": 60.0, "change": 10.0}

Method = Callable[[Pool, str], MeanEstimate]


def pooled(pool: Pool, what: str) -> MeanEstimate:
    return pooled_mean(getattr(pool, what))


def clustered(pool: Pool, what: str) -> MeanEstimate:
    return clustered_mean(getattr(pool, what), pool.model, pool.debate)


def mixed(pool: Pool, what: str) -> MeanEstimate:
    return mixed_mean(getattr(pool, what), pool.model, pool.debate)


def dyadic(pool: Pool, what: str) -> MeanEstimate:
    """Of the mean of a debate's two bets, which a debate has once."""
    by_debate = getattr(pool, what).reshape(-1, 2).mean(axis=1)
    return dyadic_mean(by_debate, pool.model[::2], pool.model[1::2])


METHODS: dict[str, Method] = {
    "pooled": pooled,
    "clustered": clustered,
    "dyadic": dyadic,
    "mixed": mixed,
}
SOUND = [name for name in METHODS if name != "pooled"]


@cache
def pools(design: str, opening: float, change: float, repetitions: int) -> list[Pool]:
    return [
        draw_pool(DESIGNS[design], seed, opening=opening, change=change)
        for seed in range(repetitions)
    ]


def rejections(design: str, method: str, what: str) -> int:
    """Calibrated pools of which the paper's alternative is accepted: bets too high."""
    drawn = pools(design, *CALIBRATED.values(), REPETITIONS)
    estimates = [METHODS[method](pool, what) for pool in drawn]
    return sum(each.p(CALIBRATED[what], "greater") < ALPHA for each in estimates)


def coverage(design: str, method: str, what: str) -> float:
    """Share of pools whose 95 % interval holds the planted mean."""
    drawn = pools(design, *PLANTED.values(), REPETITIONS_PLANTED)
    intervals = [METHODS[method](pool, what).interval() for pool in drawn]
    return fmean(low <= PLANTED[what] <= high for low, high in intervals)


@pytest.mark.parametrize("what", CALIBRATED)
@pytest.mark.parametrize("method", SOUND)
@pytest.mark.parametrize("design", DESIGNS)
def test_calibrated_pools_are_rejected_as_often_as_stated(
    design: str, method: str, what: str
) -> None:
    low, high = binom.interval(0.99, REPETITIONS, ALPHA)
    assert low <= rejections(design, method, what) <= high


@pytest.mark.parametrize("what", CALIBRATED)
@pytest.mark.parametrize("design", DESIGNS)
def test_the_pooled_test_rejects_three_times_too_many(design: str, what: str) -> None:
    assert rejections(design, "pooled", what) > 3 * ALPHA * REPETITIONS


@pytest.mark.parametrize("what", PLANTED)
@pytest.mark.parametrize("method", SOUND)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_the_planted_mean(design: str, method: str, what: str) -> None:
    assert 0.90 <= coverage(design, method, what) <= 0.99


if __name__ == "__main__":
    low, high = binom.interval(0.99, REPETITIONS, ALPHA)
    print(f"rejections of {REPETITIONS} at {ALPHA}; {low:.0f} to {high:.0f} are right")
    for design, what, method in product(DESIGNS, CALIBRATED, METHODS):
        rejected, covered = (f(design, method, what) for f in (rejections, coverage))
        print(f"{design:6}{what:9}{method:10}{rejected:4}   coverage {covered:.1%}")
