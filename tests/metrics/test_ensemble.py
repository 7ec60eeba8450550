import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.detection import (
    STATISTICS,
    Convention,
    Counts,
    Statistic,
    accuracy,
    expected_statistic,
    f1,
    f2,
    mcc,
    precision,
)

NOTHING = Counts(0, 0, 0, 0)
CONVENTIONS: list[Convention] = ["parsed", "realmistake"]


def test_one_coin_by_hand() -> None:
    # The coin is on a gold error: F1 is 4/5 if it says so and 2/4 if not.
    certain = Counts(tp=1, fp=1, fn=0, tn=2)
    assert expected_statistic(certain, 1, 0, f1) == pytest.approx((4 / 5 + 2 / 4) / 2)
    # Another on an item without error.
    four = (4 / 5 + 2 / 4 + 4 / 6 + 2 / 5) / 4
    assert expected_statistic(certain, 1, 1, f1) == pytest.approx(four)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize(
    ("certain", "coins_error", "coins_no_error"),
    [
        (Counts(3, 1, 2, 2, 1, 1), 3, 2),
        (Counts(3, 1, 2, 2), 0, 0),
        (Counts(0, 0, 0, 4), 0, 3),
        (NOTHING, 2, 2),
        (NOTHING, 0, 0),
    ],
)
def test_all_draws_one_by_one(
    certain: Counts,
    coins_error: int,
    coins_no_error: int,
    name: str,
    convention: Convention,
) -> None:
    values = []
    for coins in product((0, 1), repeat=coins_error + coins_no_error):
        hits, alarms = sum(coins[:coins_error]), sum(coins[coins_error:])
        drawn = certain._replace(
            tp=certain.tp + hits,
            fn=certain.fn + coins_error - hits,
            fp=certain.fp + alarms,
            tn=certain.tn + coins_no_error - alarms,
        )
        values.append(float(STATISTICS[name](drawn, convention)))
    defined = [value for value in values if not math.isnan(value)]
    expected = sum(defined) / len(defined) if defined else math.nan
    value = expected_statistic(
        certain, coins_error, coins_no_error, STATISTICS[name], convention
    )
    assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_undefined_draws_are_left_out() -> None:
    # Precision is 1, or without a value where the coin predicts no error.
    certain = Counts(tp=0, fp=0, fn=1, tn=1)
    assert expected_statistic(certain, 1, 0, precision) == 1
    assert expected_statistic(certain, 1, 0, precision, "realmistake") == 0.5
    assert math.isnan(expected_statistic(certain, 0, 0, precision))


@pytest.mark.parametrize("statistic", [f1, f2, mcc, accuracy])
def test_a_simulation_agrees(statistic: Statistic) -> None:
    certain, errors, others = Counts(20, 12, 9, 11), 24, 17
    rng = np.random.default_rng(0)
    hits = rng.binomial(errors, 0.5, 40_000).astype(np.float64)
    alarms = rng.binomial(others, 0.5, 40_000).astype(np.float64)
    drawn = Counts(20 + hits, 12 + alarms, 9 + errors - hits, 11 + others - alarms)
    values = np.asarray(statistic(drawn, "parsed"))
    expected = expected_statistic(certain, errors, others, statistic)
    standard_error = values.std() / math.sqrt(40_000)
    assert abs(values.mean() - expected) < 3.3 * standard_error


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 5), st.integers(0, 5))
def test_what_is_linear_in_the_counts_is_taken_at_expected_ones(
    coins_error: int, coins_no_error: int, tp: int, tn: int
) -> None:
    certain = Counts(tp, 2, 1, tn)
    middle = Counts(
        tp + coins_error / 2,
        2 + coins_no_error / 2,
        1 + coins_error / 2,
        tn + coins_no_error / 2,
    )
    for name in ("accuracy", "recall", "balanced_accuracy", "predicted_error_rate"):
        statistic = STATISTICS[name]
        value = expected_statistic(certain, coins_error, coins_no_error, statistic)
        assert value == pytest.approx(float(statistic(middle, "parsed")), abs=1e-12)


@pytest.mark.parametrize(("coins_error", "coins_no_error"), [(-1, 0), (0, -1)])
def test_no_negative_coins(coins_error: int, coins_no_error: int) -> None:
    with pytest.raises(ValueError, match="neither may be negative"):
        expected_statistic(NOTHING, coins_error, coins_no_error, f1)
