"""Shares of items of which several may be about one question."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.shares import mean_of_shares, share
from tests.v1.support.strict import no_warnings

NAN = math.nan


VALUES = st.lists(st.sampled_from([0.0, 1.0, NAN]), max_size=30)


def alone(values: Sequence[float]) -> list[int]:
    """A cluster for every value."""
    return list(range(len(values)))


def test_of_independent_values_it_has_wilsons_interval() -> None:
    values = [1, 1, 1, 0, NAN, 1, 0, NAN]
    found = share(values, alone(values))
    assert (found.value, found.n) == (4 / 6, 6)
    assert found[1:3] == pytest.approx(proportion_interval(4, 6), abs=1e-6)


def test_halves_that_are_alike_count_once() -> None:
    questions = [1, 0, 1, 1, 0, 1, 1]
    twice = share(questions * 2, alone(questions) * 2)
    once = share(questions, alone(questions))
    assert (twice.value, twice.n, once.n) == (once.value, 14, 7)
    assert twice[1:3] == pytest.approx(once[1:3], abs=0.02)
    apart = share(questions * 2, alone(questions * 2))
    assert apart.high - apart.low < 0.8 * (twice.high - twice.low)


def test_a_tie_is_half_an_item_for_either() -> None:
    found = share([1, 0.5, 0.5, NAN], alone([0] * 4))
    assert (found.value, found.n) == (2 / 3, 3)
    assert found.low < 2 / 3 < found.high


def test_groups_weigh_the_same() -> None:
    table = [[1, NAN], [1, NAN], [0, NAN], [0, NAN], [NAN, 1], [NAN, NAN]]
    found = mean_of_shares(table, "abcdaf")
    assert (found.value, found.n) == ((2 / 4 + 1) / 2, 5)
    assert found.low < found.value < found.high


@no_warnings
def test_the_mean_with_an_empty_group_is_unknown() -> None:
    found = mean_of_shares([[1, NAN], [0, NAN]], "ab")
    assert found.n == 2
    assert np.isnan(found[:3]).all()


def test_two_halves_that_go_together_widen_the_interval_of_their_mean() -> None:
    halves = [[value, NAN] for value in [1, 0] * 50]
    halves += [[NAN, value] for value in [1, 0] * 50]
    together = mean_of_shares(halves, [*range(100)] * 2)
    apart = mean_of_shares(halves, range(200))
    ratio = (together.high - together.low) / (apart.high - apart.low)
    assert ratio == pytest.approx(math.sqrt(2), rel=0.03)


@given(VALUES)
def test_a_table_of_one_group_is_that_group(values: list[float]) -> None:
    table = np.array(values, dtype=float).reshape(-1, 1)
    np.testing.assert_array_equal(
        mean_of_shares(table, alone(values)), share(values, alone(values))
    )


@no_warnings
@pytest.mark.parametrize("values", [[], [NAN, NAN]])
def test_of_nothing_there_is_no_share(values: list[float]) -> None:
    found = share(values, alone(values))
    assert found.n == 0
    assert np.isnan(found[:3]).all()


def test_one_cluster_has_no_interval() -> None:
    found = share([1, 0], "aa")
    assert (found.value, found.n) == (0.5, 2)
    assert np.isnan(found[1:3]).all()
