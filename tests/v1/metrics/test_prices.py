"""Prices that follow from what calls cost."""

import numpy as np
import pytest

from inspect_debate.v1.metrics.prices import Array, rates, uncached

TOKENS = np.array(
    [
        *([100, 0, 0, 10], [50, 50, 0, 20], [0, 30, 70, 5], [10, 20, 30, 40]),
        *([5, 6, 7, 8.0], [80, 1, 2, 3]),
    ]
)
PRICES = np.array([2e-6, 0.5e-6, 2.5e-6, 8e-6])
COSTS = TOKENS @ PRICES


def test_prices_are_those_by_which_calls_cost_what_they_do() -> None:
    assert rates(TOKENS, COSTS) == pytest.approx(PRICES)
    assert rates(TOKENS * 1e6, COSTS * 1e6) == pytest.approx(PRICES)


def test_a_kind_of_token_that_no_call_has_has_no_price() -> None:
    tokens = TOKENS * [1, 1, 0, 1]
    found = rates(tokens, tokens @ PRICES)
    assert found[[0, 1, 3]] == pytest.approx(PRICES[[0, 1, 3]])
    assert np.isnan(found[2])


@pytest.mark.parametrize(
    ("tokens", "costs"),
    [
        (TOKENS, COSTS * [1, 1, 1, 1, 1.01, 1]),
        (TOKENS[:4], COSTS[:4]),  # any costs of four calls would follow from some
        (TOKENS * [1, 0, 0, 0] + TOKENS[:, :1] * [0, 1, 0, 0], COSTS),
        (TOKENS, [np.nan, *COSTS[1:]]),
        (np.zeros((6, 4)), COSTS),
    ],
)
def test_costs_that_do_not_follow_from_one_price_list(
    tokens: Array, costs: Array
) -> None:
    assert np.isnan(rates(tokens, np.asarray(costs))).all()


def test_what_costs_nothing_is_free() -> None:
    assert rates(TOKENS[:1], np.zeros(1)).tolist() == [0, 0, 0, 0]


def test_without_a_cache_all_input_has_its_full_price() -> None:
    every = TOKENS[:, :3].sum(axis=1) * PRICES[0] + TOKENS[:, 3] * PRICES[3]
    assert uncached(TOKENS, COSTS, PRICES) == pytest.approx(every)
    unknown = uncached(TOKENS, COSTS, np.full(4, np.nan))
    assert unknown[0] == COSTS[0]  # nothing of it was cached
    assert np.isnan(unknown[1:]).all()
