"""Scores of stated probabilities, their calibration, and risk by coverage."""

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from inspect_debate.v1.metrics.calibration import (
    area_under,
    brier,
    excess_area,
    expected_calibration_error,
    log_score,
    risk_coverage,
)

NAN = math.nan


@pytest.mark.parametrize(
    ("confidence", "correct", "expected"),
    [
        ([1, 0], [1, 0], 0),
        ([1, 0], [0, 1], 1),
        ([0.5, 0.5], [1, 0], 0.25),
        ([0.9, 0.6, 0.2], [1, 0, 0], (0.01 + 0.36 + 0.04) / 3),
        ([0.9, NAN, 0.2, 0.7], [1, 0, NAN, 0], (0.01 + 0.49) / 2),
        # Against an even chance: half of .01 and half of .81; never below a quarter.
        ([0.9], [0.5], 0.41),
        ([0.5], [0.5], 0.25),
        ([0.7], [0.2], 0.2 * 0.09 + 0.8 * 0.49),
        ([NAN], [1], NAN),
        ([], [], NAN),
    ],
)
def test_brier(confidence: list[float], correct: list[float], expected: float) -> None:
    assert brier(confidence, correct) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("confidence", "correct", "bins", "expected"),
    [
        ([1, 1, 0, 0], [1, 1, 0, 0], 10, 0),
        ([1, 1], [0, 0], 10, 1),
        # Bins [.6, .7): stated .65, right 1/2; [.9, 1]: stated .95, right 1.
        ([0.62, 0.68, 0.9, 1.0], [1, 0, 1, 1], 10, 0.5 * 0.15 + 0.5 * 0.05),
        # One bin: stated .8, right .75.
        ([0.62, 0.68, 0.9, 1.0], [1, 0, 1, 1], 1, 0.05),
        # An edge belongs to the bin above it: .3 with .35, not with .25.
        ([0.25, 0.3, 0.35], [1, 0, 1], 10, 0.75 / 3 + 0.35 / 3),
        # Over- and underconfidence in different bins do not cancel ...
        ([0.2, 0.8], [1, 0], 10, 0.8),
        # ... and do within one.
        ([0.81, 0.89], [1, 1], 10, 0.15),
        # A side of equals wins with .5: stated .72 and .78, and a well set .5.
        ([0.72, 0.78, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], 10, 0.5 * 0.25),
        ([0.8, 0.8], [1, 0.6], 10, 0),
        ([0.95, NAN, 0.2], [1, 1, NAN], 10, 0.05),
        ([NAN], [1], 10, NAN),
        ([], [], 10, NAN),
    ],
)
def test_expected_calibration_error(
    confidence: list[float], correct: list[float], bins: int, expected: float
) -> None:
    value = expected_calibration_error(confidence, correct, bins)
    assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("confidence", "correct", "expected"),
    [
        ([0.5], [1], math.log(2)),
        ([0.8, 0.8], [1, 0], -(math.log(0.8) + math.log(0.2)) / 2),
        ([0.8], [0.5], -(math.log(0.8) + math.log(0.2)) / 2),
        ([0.8, NAN, 0.3], [0.25, 1, NAN], -math.log(0.8) / 4 - 3 * math.log(0.2) / 4),
        ([1, 0], [1, 0], -math.log(0.99)),
        ([1], [0], -math.log(0.01)),
        ([0], [0.5], -(math.log(0.01) + math.log(0.99)) / 2),
        ([NAN], [1], NAN),
        ([], [], NAN),
    ],
)
def test_log_score(
    confidence: list[float], correct: list[float], expected: float
) -> None:
    assert log_score(confidence, correct) == pytest.approx(expected, nan_ok=True)


def test_floor_of_the_log_score() -> None:
    assert log_score([1], [0], floor=0.001) == pytest.approx(-math.log(0.001))
    assert log_score([0.9], [1], floor=0.2) == pytest.approx(-math.log(0.8))
    for floor in (0, 0.5, NAN):
        with pytest.raises(ValueError, match=r"it must lie between 0 and 0\.5"):
            log_score([1], [1], floor)


@pytest.mark.parametrize("measure", [brier, log_score])
@pytest.mark.parametrize("q", [0.0, 0.2, 0.5, 1.0])
def test_a_chance_scores_as_its_outcomes_would_on_average(
    measure: Callable[[ArrayLike, ArrayLike], float], q: float
) -> None:
    for p in (0.1, 0.5, 0.9):
        drawn = q * measure([p], [1]) + (1 - q) * measure([p], [0])
        assert measure([p], [q]) == pytest.approx(drawn)
        if 0 < q < 1:
            assert measure([q], [q]) <= measure([p], [q])  # a proper score


@pytest.mark.parametrize("i", range(1, 10))
def test_a_tenth_is_in_the_bin_it_opens(i: int) -> None:
    # Right beside i/10 and wrong beside the upper end of its bin: one bin or two.
    edge, inside = i / 10, i / 10 + 0.09
    together = abs(edge - 1 + inside) / 2
    assert expected_calibration_error([edge, inside], [1, 0]) == pytest.approx(together)


def test_ten_bins_unless_told() -> None:
    confidence, correct = [0.61, 0.75], [1, 0]
    ten = (0.39 + 0.75) / 2
    assert expected_calibration_error(confidence, correct) == pytest.approx(ten)
    five = abs(-0.39 + 0.75) / 2
    assert expected_calibration_error(confidence, correct, 5) == pytest.approx(five)


Pairs = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0])), min_size=1
)


@given(Pairs, st.integers(1, 20))
def test_a_loop_over_the_definition_agrees(
    pairs: list[tuple[float, float]], bins: int
) -> None:
    confidence, correct = np.array(pairs).T
    expected = 0.0
    for low, high in ((i / bins, (i + 1) / bins) for i in range(bins)):
        inside = (confidence >= low) & ((confidence < high) | (high == 1))
        if inside.any():
            gap = abs(confidence[inside].mean() - correct[inside].mean())
            expected += inside.mean() * gap
    value = expected_calibration_error(confidence, correct, bins)
    assert value == pytest.approx(expected, abs=1e-12)
    assert 0 <= value <= 1


ITEMS = st.lists(
    st.tuples(st.sampled_from([0.1, 0.5, 0.9, NAN]), st.sampled_from([0.0, 1.0, NAN])),
    max_size=25,
)


STRICT = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=25)


def test_curve_by_hand() -> None:
    curve = risk_coverage([0.2, 0.9, 0.7, 0.4], [0, 1, 0, 1])
    np.testing.assert_allclose(curve.threshold, [0.9, 0.7, 0.4, 0.2])
    np.testing.assert_allclose(curve.coverage, [1 / 4, 2 / 4, 3 / 4, 1])
    np.testing.assert_allclose(curve.risk, [0, 1 / 2, 1 / 3, 2 / 4])
    assert area_under(curve) == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)


def test_tied_items_enter_together() -> None:
    curve = risk_coverage([0.5, 0.9, 0.5, 0.5, 0.1], [0, 1, 1, 1, 0])
    np.testing.assert_allclose(curve.threshold, [0.9, 0.5, 0.1])
    np.testing.assert_allclose(curve.coverage, [1 / 5, 4 / 5, 1])
    np.testing.assert_allclose(curve.risk, [0, 1 / 4, 2 / 5])
    assert area_under(curve) == pytest.approx(3 / 5 * 1 / 4 + 1 / 5 * 2 / 5)


def test_items_with_a_nan_are_left_out() -> None:
    with_nan = risk_coverage([0.9, NAN, 0.2, 0.7, 0.4], [1, 0, NAN, 0, 1])
    for found, expected in zip(
        with_nan, risk_coverage([0.9, 0.7, 0.4], [1, 0, 1]), strict=True
    ):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("confidence", [[], [NAN]])
def test_without_items_there_is_no_area(confidence: list[float]) -> None:
    curve = risk_coverage(confidence, [1.0] * len(confidence))
    assert curve.coverage.size == curve.risk.size == curve.threshold.size == 0
    assert math.isnan(area_under(curve))
    assert math.isnan(excess_area(confidence, [1.0] * len(confidence)))


def test_perfect_and_reversed_order() -> None:
    correct, rising = [0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5]
    perfect = area_under(risk_coverage(rising, correct))
    assert perfect == pytest.approx((0 + 0 + 0 + 1 / 4 + 2 / 5) / 5)
    assert excess_area(rising, correct) == 0
    reversed_area = area_under(risk_coverage(rising[::-1], correct))
    assert reversed_area == pytest.approx((1 + 1 + 2 / 3 + 2 / 4 + 2 / 5) / 5)
    excess = excess_area(rising[::-1], correct)
    assert excess == pytest.approx(reversed_area - perfect)


@given(STRICT, st.floats(0, 1))
def test_a_constant_confidence_has_the_overall_risk(
    correct: list[float], constant: float
) -> None:
    curve = risk_coverage([constant] * len(correct), correct)
    assert area_under(curve) == pytest.approx(1 - np.mean(correct))


@given(ITEMS, st.randoms())
def test_the_order_of_items_does_not_matter(
    items: list[tuple[float, float]], random: Random
) -> None:
    shuffled = items.copy()
    random.shuffle(shuffled)
    one, other = (
        risk_coverage([c for c, _ in each], [r for _, r in each])
        for each in (items, shuffled)
    )
    for found, expected in zip(one, other, strict=True):
        np.testing.assert_array_equal(found, expected)


@given(STRICT, st.data())
def test_no_order_is_better_than_the_perfect_one(
    correct: list[float], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(correct))))
    assert excess_area(order, correct) >= -1e-12
    curve = risk_coverage(order, correct)
    assert curve.coverage[-1] == 1
    assert curve.risk[-1] == pytest.approx(1 - np.mean(correct))
    assert area_under(curve) == pytest.approx(curve.risk.mean())


@given(ITEMS)
def test_only_the_order_of_confidences_matters(
    items: list[tuple[float, float]],
) -> None:
    confidence, correct = np.array(items).reshape(-1, 2).T
    stretched = area_under(risk_coverage(5 * confidence**3 - 7, correct))
    assert stretched == pytest.approx(
        area_under(risk_coverage(confidence, correct)), nan_ok=True
    )
