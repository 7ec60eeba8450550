import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.detection import (
    OracleReduction,
    gap_closed,
    oracle_reduction,
    oracle_reductions,
)

NAN = math.nan
GOLD = [1, 1, 1, 1, 0, 0]


def test_a_pair_by_hand() -> None:
    # Errors: a on items 0, 1, 4; b on 1, 2, 4, 5; both on 1, 4.
    a, b = [0, 0, 1, 1, 0, 1], [1, 0, 0, 1, 0, 0]
    pair = oracle_reduction(a, b, GOLD)
    # Independent errors meet on 2 * 2 / 4 gold errors and 1 * 2 / 2 others.
    assert pair == OracleReduction(observed=3 - 2, expected=3 - 2, better_errors=3)
    assert pair.corrected == 0
    assert pair.ratio == pytest.approx(1 / 3)
    assert pair.corrected_ratio == 0


@pytest.mark.parametrize(
    ("a", "b", "observed", "expected", "better_errors"),
    [
        # The same answers: nothing to gain, though 2 - 2 * 2 / 4 was to be expected.
        ([0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1], 0, 1, 2),
        # Errors that never meet.
        ([0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1], 2, 1, 2),
        # Errors in one class only each: nothing could meet.
        ([0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1], 1, 1, 1),
    ],
)
def test_dependence(
    a: list[int], b: list[int], observed: float, expected: float, better_errors: float
) -> None:
    pair = oracle_reduction(a, b, GOLD)
    assert pair == OracleReduction(observed, expected, better_errors)
    assert pair.corrected == observed - expected
    assert pair.ratio == observed / better_errors
    assert pair.corrected_ratio == (observed - expected) / better_errors


def test_detectors_that_do_not_look_gain_nothing_beyond_chance() -> None:
    gold = np.array([1] * 88 + [0] * 52)
    pair = oracle_reduction(gold, 1 - gold, gold)
    assert pair == OracleReduction(observed=52, expected=52, better_errors=52)
    assert pair.ratio == 1
    assert pair.corrected == 0
    assert pair.corrected_ratio == 0
    same = oracle_reduction(gold, gold, gold)
    assert same == OracleReduction(observed=0, expected=0, better_errors=52)
    # Nor does one beside a detector that looks.
    some = np.arange(140) % 3 > 0
    assert oracle_reduction(gold, some, gold).corrected == pytest.approx(0, abs=1e-12)


def test_a_detector_without_errors_has_no_ratio() -> None:
    pair = oracle_reduction([1] * 6, [0, 1] * 3, GOLD)
    assert pair == OracleReduction(observed=0, expected=0, better_errors=0)
    assert math.isnan(float(pair.ratio))
    assert math.isnan(float(pair.corrected_ratio))


@pytest.mark.parametrize("gold", [[1, 1], [0, 0]])
def test_one_class_only(gold: list[int]) -> None:
    pair = oracle_reduction([0, 1], [1, 0], gold)
    assert pair == OracleReduction(observed=1, expected=0.5, better_errors=1)


def test_no_items() -> None:
    pair = oracle_reduction([], [], [])
    assert pair == OracleReduction(observed=0, expected=0, better_errors=0)
    assert math.isnan(float(pair.ratio))


Tables = st.integers(1, 4).flatmap(
    lambda detectors: st.lists(
        st.lists(st.integers(0, 1), min_size=detectors + 1, max_size=detectors + 1),
        min_size=1,
        max_size=12,
    )
)


@given(Tables)
def test_all_pairs_are_the_single_pairs(rows: list[list[int]]) -> None:
    table = np.array(rows)
    gold, right = table[:, 0], table[:, 1:]
    every = oracle_reductions(right, gold)
    for field in (*every, every.ratio, every.corrected, every.corrected_ratio):
        np.testing.assert_array_equal(field, np.transpose(field))
        assert np.shape(field) == (right.shape[1],) * 2
    assert not np.diagonal(every.observed).any()
    for i, a in enumerate(right.T):
        for j, b in enumerate(right.T):
            pair = oracle_reduction(a, b, gold)
            assert pair == tuple(np.asarray(field)[i, j] for field in every)
            assert 0 <= pair.observed <= pair.better_errors


@pytest.mark.parametrize(
    ("a", "b", "gold", "message"),
    [
        ([1, 0], [1], [1, 0], "differ in length: right_a 2, right_b 1"),
        ([1], [1], [1, 0], "differ in length: right 1, gold 2"),
        ([1, NAN], [1, 0], [1, 0], "right_a holds nan; allowed: 0 and 1"),
        ([1, 1], [1, 0.5], [1, 0], r"right_b holds 0\.5"),
        ([1, 1], [1, 0], [1, NAN], "gold holds nan"),
    ],
)
def test_refusals(
    a: list[float], b: list[float], gold: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        oracle_reduction(a, b, gold)


A, B = [1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0]  # oracle 4/6, better 3/6


@pytest.mark.parametrize(
    ("debate", "expected"),
    [
        ([1, 1, 1, 1, 0, 0], 1),
        (A, 0),
        (B, -1),
        ([1, 1, 1, 0.5, 0, 0], 0.5),
        ([1, 0.5, 0.5, 0.5, 0, 0], -0.5),
        ([1, 1, 1, 1, 1, 0], 2),  # finds what both got wrong
    ],
)
def test_gap_closed(debate: list[float], expected: float) -> None:
    assert gap_closed(A, B, debate) == pytest.approx(expected)
    assert gap_closed(B, A, debate) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "debate"),
    [([1, 0], [1, 0], [1, 1]), ([1, 1], [1, 0], [0, 0]), ([], [], [])],
)
def test_no_gap(a: list[float], b: list[float], debate: list[float]) -> None:
    assert math.isnan(gap_closed(a, b, debate))


@pytest.mark.parametrize(
    ("a", "b", "debate", "message"),
    [
        ([1, 0.5], [1, 0], [1, 0], r"first_a holds 0\.5"),
        ([1, 0], [NAN, 0], [1, 0], "first_b holds nan"),
        ([1, 0], [1, 0], [1, NAN], "debate must be flat and hold values from 0 to 1"),
        ([1, 0], [1, 0], [1, 1.5], "debate must"),
        ([1, 0], [1, 0], [[1, 0]], "debate must"),
        ([1, 0], [1, 0], [1], "first_a 2, first_b 2, debate 1"),
    ],
)
def test_gap_refusals(
    a: list[float], b: list[float], debate: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        gap_closed(a, b, debate)
