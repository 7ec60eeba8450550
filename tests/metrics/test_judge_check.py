"""Exact tests of changed verdicts against hand-worked values and other libraries."""

from math import nan

import numpy as np
import pytest
from scipy.stats import binomtest

from inspect_debate.metrics.judge_check import sign_test, too_many


@pytest.mark.parametrize(
    ("moves", "clusters", "p"),
    [
        ([1, 1, 1], "abc", 2 / 8),
        ([1, 1, 0, -1, nan], "abcde", 1),  # 2 of 3 or more extreme: all of 8
        ([1, 1, 1], "aaa", 1),  # one question
        ([1, 1, 1], "aab", 2 / 4),  # sums 2 and 1: only +3 and -3 are as far
        ([1, -1, 1], "aab", 1),  # sums 0 and 1
        ([0, 0, nan], "abc", 1),
        ([], "", 1),
    ],
)
def test_sign_test(moves: list[float], clusters: str, p: float) -> None:
    assert sign_test(moves, clusters) == pytest.approx(p)


def test_without_clusters_it_is_the_sign_test() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        moves = rng.choice([-1, 0, 0, 1, 1], size=int(rng.integers(1, 60)))
        up, down = int((moves > 0).sum()), int((moves < 0).sum())
        if not up + down:
            continue
        names = range(len(moves))
        known = binomtest(up, up + down).pvalue
        assert sign_test(moves, names) == pytest.approx(known)


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
