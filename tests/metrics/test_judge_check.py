"""Exact tests of changed verdicts against hand-worked values and other libraries."""

from math import isnan, nan

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar

from inspect_debate.metrics.judge_check import sign_test, smallest_shift, too_many


@pytest.mark.parametrize(
    ("moves", "clusters", "sides", "p"),
    [
        ([1, 1, 1], "abc", 2, 2 / 8),
        ([1, 1, 1], "abc", 1, 1 / 8),
        ([-1, -1, -1], "abc", 1, 1),
        ([1, 1, 0, -1, nan], "abcde", 2, 1),  # 2 of 3 or more extreme: all of 8
        ([1, 1, 0, -1, nan], "abcde", 1, 4 / 8),
        ([1, 1, 1], "aaa", 2, 1),  # one question
        ([1, 1, 1], "aab", 2, 2 / 4),  # sums 2 and 1: only +3 and -3 are as far
        ([1, -1, 1], "aab", 2, 1),  # sums 0 and 1
        ([0, 0, nan], "abc", 2, 1),
        ([], "", 2, 1),
    ],
)
def test_sign_test(moves: list[float], clusters: str, sides: int, p: float) -> None:
    assert sign_test(moves, clusters, sides) == pytest.approx(p)


def test_without_clusters_it_is_the_binomial_test_and_mcnemars() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        moves = rng.choice([-1, 0, 0, 1, 1], size=int(rng.integers(1, 60)))
        up, down = int((moves > 0).sum()), int((moves < 0).sum())
        if not up + down:
            continue
        names = range(len(moves))
        known = mcnemar([[0, up], [down, 0]], exact=True).pvalue
        assert sign_test(moves, names) == pytest.approx(known)
        known = binomtest(up, up + down, alternative="greater").pvalue
        assert sign_test(moves, names, sides=1) == pytest.approx(known)


def test_clusters_are_no_independent_verdicts() -> None:
    """Under a judge who errs by question, p below 0.05 is as rare as it says."""
    rng, rejected = np.random.default_rng(1), 0
    names = np.repeat(range(20), 5)
    for _ in range(300):
        moves = np.repeat(rng.choice([-1, 0, 1], size=20), 5)
        rejected += sign_test(moves, names) <= 0.05
    assert rejected <= 24  # 15 expected at most; 99th percentile


@pytest.mark.parametrize("changed", [0, 3, 4, 7, 8, 12])
def test_too_many(changed: int) -> None:
    known = binomtest(changed, 24, 0.15, alternative="greater").pvalue
    assert too_many(changed, 24) == pytest.approx(known)


@pytest.mark.parametrize(
    ("n", "clusters", "sides", "smallest"),
    [
        (24, 24, 2, 7 / 24),  # 2 / 2**7 is below 0.05 / 3, 2 / 2**6 is not
        (24, 24, 1, 6 / 24),
        (48, 24, 2, 7 / 48),
        (500, 500, 2, 0.1),
        (6, 6, 2, nan),
        (12, 6, 2, nan),
    ],
)
def test_smallest_shift(n: int, clusters: int, sides: int, smallest: float) -> None:
    found = smallest_shift(n, clusters, 3, sides)
    assert found == pytest.approx(smallest, nan_ok=True)
    if not isnan(found):
        moves = [1] * round(found * n) + [0] * (clusters - round(found * n))
        assert 3 * sign_test(moves, range(clusters), sides) <= 0.05
