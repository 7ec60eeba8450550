import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.bets import BET_CLASSES, bet_class, both_over, excess

NAN = math.nan
BETS = st.floats(0, 100)


def test_classes_stand_in_the_order_of_the_table() -> None:
    assert BET_CLASSES == (
        "both_le50",
        "both_51_75",
        "both_gt75",
        "le50_and_51_75",
        "le50_and_gt75",
        "51_75_and_gt75",
    )


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (0, 50, "both_le50"),
        (50, 50, "both_le50"),
        (50.5, 75, "both_51_75"),
        (51, 51, "both_51_75"),
        (75.5, 100, "both_gt75"),
        (50, 75, "le50_and_51_75"),
        (0, 76, "le50_and_gt75"),
        (75, 76, "51_75_and_gt75"),
    ],
)
def test_class_of_two_bets(one: float, other: float, expected: str) -> None:
    assert BET_CLASSES[int(bet_class(one, other))] == expected
    assert BET_CLASSES[int(bet_class(other, one))] == expected
    assert bet_class(np.float64(one), np.float64(other)) == bet_class(one, other)


@given(BETS, BETS)
def test_classes_agree_with_thresholds(one: float, other: float) -> None:
    name = BET_CLASSES[int(bet_class(one, other))]
    assert (name == "both_gt75") == (both_over(one, other, 75) == 1)
    assert ("le50" not in name) == (both_over(one, other, 50) == 1)


@pytest.mark.parametrize(
    ("one", "other", "threshold", "expected"),
    [(75, 76, 75, 0), (76, 75, 75, 0), (75.1, 76, 75, 1), (50, 50, 50, 0)],
)
def test_both_over_is_strict(
    one: float, other: float, threshold: float, expected: float
) -> None:
    assert both_over(one, other, threshold) == expected


@pytest.mark.parametrize(("one", "other"), [(NAN, 80), (80, NAN), (NAN, NAN)])
def test_a_missing_bet_leaves_nothing_known(one: float, other: float) -> None:
    values = bet_class(one, other), both_over(one, other, 75), excess(one, other)
    assert all(math.isnan(value) for value in values)


def test_differences_are_in_points() -> None:
    assert excess(80, 75) == 55
    assert excess(40, 50) == -10
