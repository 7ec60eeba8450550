import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.calibration import area_under, excess_area, risk_coverage

NAN = math.nan
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


@pytest.mark.parametrize(
    ("confidence", "correct", "message"),
    [
        ([0.5, 0.5], [1], "differ in length: confidence 2, correct 1"),
        ([0.5], [0.5], r"correct holds 0\.5"),
        ([[0.5]], [1], "confidence has 2 dimensions"),
    ],
)
def test_refusals(confidence: list[float], correct: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        risk_coverage(confidence, correct)
