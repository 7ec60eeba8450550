"""Measures of knowledge conflicts, against values worked out by hand."""

from math import isnan, nan

import numpy as np
import pandas as pd
import pytest

from inspect_debate.metrics.knowledge import (
    biases,
    overall,
    tier,
)


def test_overall_is_the_mean_of_unequal_halves() -> None:
    found = overall([1, 1, 1, 0, 0, 1], [0, 0, 0, 0, 1, 1], [*"abcdab"])
    assert found.value == pytest.approx((3 / 4 + 1 / 2) / 2)
    unread = overall([1, nan, 0, 1], [0, 0, 1, 1], [*"abab"])
    assert unread.value == pytest.approx((1 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("correct", "perturbed"),
    [([1, 0], [0, 0]), ([1, nan], [0, 1]), ([1, 0], [nan, 0]), ([], [])],
)
def test_overall_without_a_half_is_unknown(
    correct: list[float], perturbed: list[float]
) -> None:
    found = overall(correct, perturbed, range(len(correct)))
    assert all(map(isnan, found))


def test_overall_is_clustered_by_question() -> None:
    """Halves that always go together say less than halves that do not."""
    right = [1, 0] * 20
    half = [0] * 20 + [1] * 20
    together = overall(right, half, [*range(20), *range(20)])
    apart = overall(right, half, range(40))
    assert together.value == apart.value == 0.5
    assert together.se == pytest.approx(2**0.5 * apart.se, rel=0.02)
    assert 0 < together.low < apart.low < 0.5 < apart.high < together.high < 1


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0, 0),
        (1 / 32, 1),
        (9 / 32, 1),
        (0.3, 2),
        (0.1 + 0.2 - 1e-12, 2),
        (10 / 32, 2),
        (27 / 32, 2),
        (28 / 32, 3),
        (17 / 20, 3),
        (1 - 3 * 0.05, 3),
        (1, 3),
        (nan, nan),
    ],
)
def test_tiers(share: float, expected: float) -> None:
    np.testing.assert_equal(tier([share])[0], expected)


def test_biases_by_hand() -> None:
    """Columns are items; both right, both wrong and two spellings are no conflict."""
    columns = {
        # conflicts with a wrong | right passage | no conflicts
        "prior_right": [1, 1, 1, 1, 0, 0, 0, 1, 0, 0, nan],
        "perturbed": [1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1],
        "prior_as_passage": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0],
        "correct_normalised": [1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0],
        "took_passage": [0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1],
        "took_prior": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        "cluster": range(11),
    }
    found = biases(pd.DataFrame(columns))
    assert found.items == 7
    assert found.accuracy.value == pytest.approx(2 / 7)
    assert found.context_bias.value == pytest.approx(2 / 4)
    assert found.prior_bias.value == pytest.approx(1 / 3)
