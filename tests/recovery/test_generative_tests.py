"""The paired tests of the generative study find what is planted, and nothing else.

A judge rules on the same answers after a debate and after a consultancy, with the first
speeches and with the best of four. Its chance to be right depends on the question, and
on question and arm together; beyond that its rulings on an answer are often alike.
"""

from collections.abc import Callable
from functools import cache
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from inspect_debate.metrics.endorsement import ratio_difference
from inspect_debate.metrics.paired import (
    DiD,
    cluster_sign_flip,
    did,
    equivalence,
    mcnemar,
)

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]
Booleans = NDArray[np.bool_]

REPETITIONS, ALPHA, RESAMPLES = 400, 0.05, 499
QUESTIONS, EPOCHS = 150, 2
CLUSTERS = np.repeat(np.arange(QUESTIONS), EPOCHS).tolist()
DEBATE_1, DEBATE_4, CONSULTANCY_1, CONSULTANCY_4 = range(4)
ALIKE = 0.85  # share of rulings of an arm that go by what all arms have in common
WRONG = 0.2  # share of answers that are wrong
PLANTED = 0.12


def rulings(rng: np.random.Generator, planted: float, *shape: int) -> Booleans:
    """What holds of (arms, questions, ...), in DEBATE_4 more often as planted."""
    ones = (1,) * len(shape)
    chance = rng.uniform(0.35, 0.65, (1, QUESTIONS, *ones))
    chance = chance + rng.uniform(-0.1, 0.1, (4, QUESTIONS, *ones))
    chance[DEBATE_4] += planted
    common = rng.random((1, QUESTIONS, *shape))
    own = rng.random((4, QUESTIONS, *shape))
    by_common = rng.random(own.shape) < ALIKE
    found: Booleans = np.where(by_common, common, own) < chance
    return found


Test = Callable[[np.random.Generator, int, float], float]
"""From a seed for resampling and what is planted to the p-value of drawn outcomes."""


def z_test(difference: float, *groups: tuple[float, float]) -> float:
    """Of a sum or difference of proportions, each with its n, as if independent."""
    se = sqrt(sum(p * (1 - p) / n for p, n in groups))
    return 2 * NormalDist().cdf(-abs(difference) / se)


def by_mcnemar(exact: bool) -> Test:
    def test(rng: np.random.Generator, _: int, planted: float) -> float:
        right = rulings(rng, planted)
        return mcnemar(right[CONSULTANCY_4], right[DEBATE_4], exact=exact).p

    return test


def by_two_proportions(rng: np.random.Generator, _: int, planted: float) -> float:
    right = rulings(rng, planted)
    a, b = right[CONSULTANCY_4].mean(), right[DEBATE_4].mean()
    return z_test(b - a, (a, QUESTIONS), (b, QUESTIONS))


def by_sign_flip(rng: np.random.Generator, seed: int, planted: float) -> float:
    right = rulings(rng, planted, EPOCHS).reshape(4, -1)
    change = 1.0 * right[DEBATE_4] - right[CONSULTANCY_4]
    return cluster_sign_flip(change, CLUSTERS, seed=seed, resamples=RESAMPLES)


def drawn_did(
    rng: np.random.Generator, seed: int, planted: float, resamples: int = 9
) -> DiD:
    d1, d4, c1, c4 = rulings(rng, planted, EPOCHS).reshape(4, -1)
    return did(d1, d4, c1, c4, CLUSTERS, seed=seed, resamples=resamples)


def by_did(rng: np.random.Generator, seed: int, planted: float) -> float:
    return drawn_did(rng, seed, planted).p


def by_did_sign_flip(rng: np.random.Generator, seed: int, planted: float) -> float:
    return drawn_did(rng, seed, planted, RESAMPLES).p_flip


def by_four_proportions(rng: np.random.Generator, _: int, planted: float) -> float:
    d1, d4, c1, c4 = rulings(rng, planted, EPOCHS).reshape(4, -1).mean(axis=1)
    groups = [(share, QUESTIONS * EPOCHS) for share in (d1, d4, c1, c4)]
    return z_test((d4 - d1) - (c4 - c1), *groups)


def endorsed(rng: np.random.Generator, planted: float) -> tuple[Array, Array]:
    """Of both seats' wrong answers how many are endorsed, and how many there are."""
    wrong = rng.random((QUESTIONS, EPOCHS, 2)) < WRONG
    endorsements = rulings(rng, planted, EPOCHS, 2) & wrong
    return 1.0 * endorsements.sum(axis=3).reshape(4, -1), 1.0 * wrong.sum(
        axis=2
    ).ravel()


def by_ratio_difference(rng: np.random.Generator, seed: int, planted: float) -> float:
    endorsements, wrong = endorsed(rng, planted)
    a, b = endorsements[CONSULTANCY_4], endorsements[DEBATE_4]
    return ratio_difference(
        a, wrong, b, wrong, CLUSTERS, seed=seed, resamples=RESAMPLES
    ).p


def by_two_rates(rng: np.random.Generator, _: int, planted: float) -> float:
    endorsements, wrong = endorsed(rng, planted)
    n = float(wrong.sum())
    a, b = endorsements[CONSULTANCY_4].sum() / n, endorsements[DEBATE_4].sum() / n
    return z_test(b - a, (a, n), (b, n))


def by_equivalence(rng: np.random.Generator, _: int, planted: float) -> float:
    """Of a difference as large as the margin, which must not pass for equivalent."""
    right = rulings(rng, PLANTED - planted, EPOCHS).reshape(4, -1)
    change = 1.0 * right[DEBATE_4] - right[CONSULTANCY_4]
    return equivalence(change, CLUSTERS, PLANTED).p


TESTS: dict[str, Test] = {
    "mcnemar": by_mcnemar(exact=False),
    "exact mcnemar": by_mcnemar(exact=True),
    "two proportions": by_two_proportions,
    "sign flip": by_sign_flip,
    "did": by_did,
    "did, sign flip": by_did_sign_flip,
    "four proportions": by_four_proportions,
    "ratio of sums": by_ratio_difference,
    "two rates": by_two_rates,
    "equivalence": by_equivalence,
}


@cache
def rejections(name: str, planted: float) -> int:
    rng = np.random.default_rng(1)
    test = TESTS[name]
    return sum(test(rng, seed, planted) < ALPHA for seed in range(REPETITIONS))


def within(rate: float) -> tuple[float, float]:
    """99 % interval of the number of repetitions in which something of a rate holds."""
    low, high = binom.interval(0.99, REPETITIONS, rate)
    return float(low), float(high)


PAIRED = (
    *("mcnemar", "exact mcnemar", "sign flip", "did", "did, sign flip"),
    *("ratio of sums", "equivalence"),
)


@pytest.mark.parametrize("name", PAIRED)
def test_with_nothing_planted(name: str) -> None:
    """Exact tests keep to the 5 % without using them up: sums of few values tie."""
    low, high = within(ALPHA)
    assert low <= rejections(name, 0) <= high


@pytest.mark.parametrize(
    ("paired", "unpaired"),
    [
        ("mcnemar", "two proportions"),
        ("exact mcnemar", "two proportions"),
        ("did", "four proportions"),
        ("did, sign flip", "four proportions"),
        ("ratio of sums", "two rates"),
    ],
)
def test_paired_tests_find_more_of_what_is_planted(paired: str, unpaired: str) -> None:
    assert rejections(paired, PLANTED) > 0.6 * REPETITIONS
    assert rejections(paired, PLANTED) > rejections(unpaired, PLANTED) + 60


def test_unpaired_tests_waste_what_pairs_know() -> None:
    for name in ("two proportions", "four proportions"):
        assert rejections(name, 0) < within(ALPHA)[0]


@pytest.mark.parametrize("planted", [0, PLANTED])
def test_the_interval_of_did_covers_what_is_planted(planted: float) -> None:
    rng = np.random.default_rng(7)
    found = [drawn_did(rng, seed, planted) for seed in range(REPETITIONS)]
    low, high = within(0.95)
    assert low <= sum(each.low <= planted <= each.high for each in found) <= high
    values = np.array([each.value for each in found])
    errors = np.array([each.se for each in found])
    assert abs(values.mean() - planted) < 4 * values.std() / sqrt(REPETITIONS)
    assert errors.mean() == pytest.approx(values.std(), rel=0.15)
