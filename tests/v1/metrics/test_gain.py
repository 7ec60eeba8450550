"""The gap recovered: by hand, as `clustered_mean` has its ends, and planted."""

from math import nan

import numpy as np
import pytest
import statsmodels.api as sm

from inspect_debate.v1.metrics.gain import (
    mean_difference,
)


@pytest.mark.parametrize("seed", range(3))
def test_a_difference_of_means_is_that_of_least_squares(seed: int) -> None:
    draws = np.random.default_rng(seed)
    clusters = draws.integers(0, 12, 80)
    marks = draws.integers(0, 2, 80)
    values = draws.normal(marks * 0.5, 1) + draws.normal(0, 0.5, 12)[clusters]
    found = mean_difference([*values, nan], [*marks, 1], [*clusters, 0])
    model = sm.OLS(values, sm.add_constant(marks.astype(float)))
    options = {"groups": clusters, "use_correction": False}
    theirs = model.fit(cov_type="cluster", cov_kwds=options)
    assert found.value == pytest.approx(theirs.params[1])
    assert found.standard_error == pytest.approx(theirs.bse[1] * np.sqrt(12 / 11))
    assert (found.df, found.n) == (11, 80)


def test_a_difference_that_has_no_test() -> None:
    assert mean_difference([1, 2], [1, 1], "ab").reason == "values of one kind alone"
    assert mean_difference([1, 3], [0, 1], "aa")[::4] == (2, "fewer than two clusters")
    assert mean_difference([1, 3], [0, 1], "ab")[::4] == (2, "all values are equal")
