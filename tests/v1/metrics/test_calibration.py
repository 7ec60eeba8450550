"""Scores of stated probabilities, their calibration, and risk by coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.metrics.calibration import (
    brier,
    expected_calibration_error,
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


@pytest.mark.parametrize("q", [0.0, 0.2, 0.5, 1.0])
def test_a_chance_scores_as_its_outcomes_would_on_average(q: float) -> None:
    for p in (0.1, 0.5, 0.9):
        drawn = q * brier([p], [1]) + (1 - q) * brier([p], [0])
        assert brier([p], [q]) == pytest.approx(drawn)
        if 0 < q < 1:
            assert brier([q], [q]) <= brier([p], [q])  # a proper score
