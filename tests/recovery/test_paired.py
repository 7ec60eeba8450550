"""Paired tests reject as often as theory says, with and without a planted difference.

Two judges see the same items. Both are right with the same chances, but the second
turns some of the first one's outcomes: it repairs some that were wrong, and spoils
some that were right.
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, norm

from inspect_debate.metrics.detection import Statistic, accuracy, cluster_counts, f1
from inspect_debate.metrics.paired import cluster_sign_flip, mcnemar, paired_bootstrap

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]

REPETITIONS = 400
ALPHA = 0.05
RESAMPLES = 499

ITEMS = 300
ERRORS = 0.62
RIGHT = {1: 0.7, 0: 0.6}  # the first judge's chance to be right, by gold label
REPAIRED = 0.5  # share of its wrong outcomes that the second one turns
PLANTED, NOTHING = 0.5, 1.0  # outcomes spoiled per outcome repaired

WRONG = ERRORS * (1 - RIGHT[1]) + (1 - ERRORS) * (1 - RIGHT[0])


class Outcomes(NamedTuple):
    """Gold labels and predictions of both judges, an item's epochs side by side."""

    gold: Array
    a: Array
    b: Array
    item: list[int]

    @property
    def differences(self) -> Array:
        """Right by the second judge less right by the first."""
        difference: Array = 1.0 * (self.b == self.gold) - (self.a == self.gold)
        return difference


def judges(rng: np.random.Generator, spoiled: float) -> Outcomes:
    """One epoch of independent items."""
    gold = (rng.random(ITEMS) < ERRORS).astype(float)
    chance = np.where(gold == 1, RIGHT[1], RIGHT[0])
    right = rng.random(ITEMS) < chance
    turned = np.where(right, spoiled * REPAIRED * (1 - chance) / chance, REPAIRED)
    right_b = right ^ (rng.random(ITEMS) < turned)
    a, b = (np.where(r, gold, 1 - gold) for r in (right, right_b))
    return Outcomes(gold, a, b, list(range(ITEMS)))


def epochs(rng: np.random.Generator, _: float) -> Outcomes:
    """Three epochs of 140 items; each judge has items that it mostly flags."""
    items, times = 140, 3
    error = rng.random(items) < ERRORS
    draws = []
    for _judge in range(2):
        flags = np.where(error, rng.beta(0.7, 0.3, items), rng.beta(0.4, 0.6, items))
        draws.append(rng.random((items, times)) < flags[:, None])
    a, b = (drawn.ravel().astype(float) for drawn in draws)
    gold = np.repeat(error, times).astype(float)
    return Outcomes(gold, a, b, np.repeat(np.arange(items), times).tolist())


Test = Callable[[Outcomes, int], float]
"""From outcomes and a seed to a p-value."""


def by_mcnemar(o: Outcomes, _: int) -> float:
    return mcnemar(o.a == o.gold, o.b == o.gold).p


def by_sign_flip(o: Outcomes, seed: int) -> float:
    return cluster_sign_flip(o.differences, o.item, seed=seed, resamples=RESAMPLES)


def by_bootstrap(statistic: Statistic) -> Test:
    def test(o: Outcomes, seed: int) -> float:
        a, b = (cluster_counts(o.gold, drawn, o.item) for drawn in (o.a, o.b))
        return paired_bootstrap(statistic, a, b, seed=seed, resamples=RESAMPLES).p

    return test


def rejections(
    test: Test, draw: Callable[[np.random.Generator, float], Outcomes], spoiled: float
) -> int:
    rng = np.random.default_rng(2024)
    p_values = [test(draw(rng, spoiled), seed) for seed in range(REPETITIONS)]
    return sum(p < ALPHA for p in p_values)


def within(rate: float, tolerance: float = 0.0) -> tuple[float, float]:
    """99 % interval of the number of rejections at a rate, wider by the tolerance."""
    low, high = binom.interval(0.99, REPETITIONS, rate)
    return low - tolerance * REPETITIONS, high + tolerance * REPETITIONS


def sign_test_power(only_a: float, only_b: float, weight_of_equal: float) -> float:
    """Exact power over all numbers of discordant items and of those among them.

    Args:
        only_a: chance that only the first judge is right on an item.
        only_b: chance that only the second one is.
        weight_of_equal: what results as far from balance as the observed one add to
            its p-value: 1 in the exact test, 1/2 in the mid-p test.
    """
    power = 0.0
    for n in range(ITEMS + 1):
        possible = np.arange(n + 1)
        chance = binom.pmf(possible, n, 0.5)
        distance = np.abs(possible - n / 2)
        p_values = np.array(
            [
                chance[distance > d].sum()
                + weight_of_equal * chance[distance == d].sum()
                for d in distance
            ]
        )
        rejected = binom.pmf(possible, n, only_b / (only_a + only_b))[p_values < ALPHA]
        power += binom.pmf(n, ITEMS, only_a + only_b) * rejected.sum()
    return float(power)


def normal_power(difference: float, standard_error: float) -> float:
    """Power of a two-sided test on a normal difference."""
    critical, shift = norm.ppf(1 - ALPHA / 2), difference / standard_error
    return float(norm.cdf(shift - critical) + norm.cdf(-shift - critical))


KINDS = np.array(list(product((0, 1), repeat=3)))
"""Gold label and the two judges' predictions."""


def kind_chance(gold: int, a: int, b: int) -> float:
    right = RIGHT[gold]
    spoiled = PLANTED * REPAIRED * (1 - right) / right
    turned = spoiled if a == gold else REPAIRED
    return (
        (ERRORS if gold else 1 - ERRORS)
        * (right if a == gold else 1 - right)
        * (turned if a != b else 1 - turned)
    )


def score(name: str, chances: Array, judge: int) -> float:
    gold, says = KINDS[:, 0], KINDS[:, judge]
    if name == "accuracy":
        return float(chances @ (gold == says) / chances.sum())
    return float(2 * chances @ (gold & says) / (chances @ (gold + says)))


def bootstrap_power(name: str) -> float:
    """Power by the delta method, from the chances of the eight kinds of item."""
    chances = np.array([kind_chance(*kind) for kind in KINDS.tolist()])

    def difference(shift: Array) -> float:
        return score(name, chances + shift, 2) - score(name, chances + shift, 1)

    # What one item adds sums to 0, as neither score depends on the scale.
    steps = 1e-5 * np.eye(len(chances))
    slopes = [(difference(step) - difference(-step)) / 2e-5 for step in steps]
    standard_error = np.sqrt(chances @ np.square(slopes) / ITEMS)
    return normal_power(difference(np.zeros(len(chances))), float(standard_error))


@pytest.mark.parametrize(
    ("test", "weight_of_equal"),
    [(by_mcnemar, 0.5), (by_sign_flip, 1.0)],
    ids=["mcnemar", "sign flip"],
)
def test_exact_power(test: Test, weight_of_equal: float) -> None:
    only_b = REPAIRED * WRONG
    power = sign_test_power(PLANTED * only_b, only_b, weight_of_equal)
    assert 0.6 < power < 0.95
    low, high = within(power)
    assert low <= rejections(test, judges, PLANTED) <= high


@pytest.mark.parametrize(("name", "statistic"), [("accuracy", accuracy), ("f1", f1)])
def test_power_of_the_bootstrap(name: str, statistic: Statistic) -> None:
    power = bootstrap_power(name)
    assert 0.5 < power < 0.95
    low, high = within(power)
    assert low <= rejections(by_bootstrap(statistic), judges, PLANTED) <= high


def test_power_of_sign_flips_of_clusters_with_fair_coins() -> None:
    """Items on which a judge gains, loses, or tosses a coin, in each of 3 epochs."""
    items, times, gains, loses, coins, often = 300, 3, 0.2, 0.1, 0.2, 0.6
    rng = np.random.default_rng(7)
    names = np.repeat(np.arange(items), times).tolist()
    rejected = 0
    for seed in range(REPETITIONS):
        kind = rng.choice(
            4, items, p=[gains, loses, coins, 1 - gains - loses - coins]
        ).repeat(times)
        shows = rng.random(items * times) < often
        coin = rng.choice([-0.5, 0.5], items * times)
        drawn = np.select(
            [kind == 0, kind == 1, kind == 2], [shows, -1.0 * shows, coin]
        )
        p = cluster_sign_flip(drawn, names, seed=seed, resamples=RESAMPLES)
        rejected += p < ALPHA
    mean = times * often * (gains - loses)
    square = (gains + loses) * (
        (times * often) ** 2 + times * often * (1 - often)
    ) + coins * times * 0.25
    # The test takes its standard error from the squares, not from the variance, and
    # rejects a little less often than a normal test of known variance.
    power = normal_power(mean, float(np.sqrt((square - mean**2) / items)))
    assert 0.6 < power < 0.95
    low, high = within(power, tolerance=0.01)
    assert low <= rejected <= high


@pytest.mark.parametrize(
    ("test", "draw"),
    [
        (by_mcnemar, judges),
        (by_sign_flip, judges),
        (by_sign_flip, epochs),
        (by_bootstrap(accuracy), judges),
        (by_bootstrap(accuracy), epochs),
        (by_bootstrap(f1), judges),
        (by_bootstrap(f1), epochs),
    ],
    ids=[
        "mcnemar",
        "sign flip",
        "sign flip, epochs",
        "accuracy",
        "accuracy, epochs",
        "f1",
        "f1, epochs",
    ],
)
def test_with_nothing_planted(
    test: Test, draw: Callable[[np.random.Generator, float], Outcomes]
) -> None:
    low, high = within(ALPHA)
    assert low <= rejections(test, draw, NOTHING) <= high


@pytest.mark.parametrize(
    "test", [by_sign_flip, by_bootstrap(f1)], ids=["sign flip", "f1"]
)
def test_epochs_taken_for_items_reject_too_often(test: Test) -> None:
    """Else the clusters above could be left out unnoticed."""

    def apart(rng: np.random.Generator, spoiled: float) -> Outcomes:
        together = epochs(rng, spoiled)
        return together._replace(item=list(range(len(together.item))))

    assert rejections(test, apart, NOTHING) > within(ALPHA)[1]
