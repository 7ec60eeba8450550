"""Expected Brier scores of bets, and tests of means that are clustered in two ways."""

from math import nan

import numpy as np
import pytest
from scipy import stats

from inspect_debate.metrics.bets import brier, chances, clustered, t_above, wilcoxon


def test_by_hand() -> None:
    found = chances([1, 0, 0.5, nan, 1, 0.5, nan], [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_equal(found, [1, 0, nan, nan, 0.5, 0.5, 0.5])
    found = brier([80, 80, 50, 80, 100, nan], [1, 0, 0.5, 0.5, 0.5, 1])
    np.testing.assert_allclose(found, [0.04, 0.64, 0.25, 0.34, 0.5, nan])
    expected = 0.6 * 0.3**2 + 0.4 * 0.7**2  # won with 0.6, lost with 0.4
    np.testing.assert_allclose(brier(70, 0.6), expected)


def test_clustered_tests_by_hand() -> None:
    """Deviations of -2, 0, -1 and 3 from a mean of 3."""
    values, debates, models = [1, 3, 2, nan, 6], list("aabbb"), list("xyxxy")
    # Sums by debate are -2 and 2, by model -3 and 3; each is its own pair of both.
    # (8 * 2 / 1 + 18 * 2 / 1 - 14 * 4 / 3) / 16, by G / (G - 1) for G clusters.
    both = clustered(values, debates, models)
    np.testing.assert_allclose(both[0], 3 / (100 / 48) ** 0.5)
    # One way is Student's test of the debates' means 2 and 4; so is one model.
    one = clustered(values, debates)
    np.testing.assert_allclose(one[0], 3)
    assert clustered(values, debates, "xxxxx") == one


def test_no_clustered_test_of_what_does_not_vary() -> None:
    for values, debates in (([5, 5], "ab"), ([1, 2], "aa"), ([nan, 1], "ab")):
        assert np.isnan(clustered(values, debates, "x" * len(debates))).all()


def test_independent_tests_by_hand() -> None:
    # Mean 10 and deviation 8.165 of four: t = 2.449.
    np.testing.assert_allclose(t_above([10, 0, 20, 10, nan]), [6**0.5, 0.0459], 1e-3)
    assert np.isnan(t_above([5, 5])).all()
    # Of the 8 signs of the ranks 1.5, 1.5 and 3 three have a positive sum of 4.5.
    assert wilcoxon([-1, 1, 2, 0]) == 3 / 8
    assert np.isnan(wilcoxon([0, 0]))


@pytest.mark.parametrize("n", [7, 20])
def test_signed_ranks_are_those_of_scipy(n: int) -> None:
    values = np.random.default_rng(n).integers(-3, 6, n).astype(float)
    found = stats.wilcoxon(values[values != 0], alternative="greater")
    np.testing.assert_allclose(wilcoxon(values), found.pvalue)
