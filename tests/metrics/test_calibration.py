"""Calibration, against values worked out by hand."""

import pytest

from inspect_debate.metrics.calibration import bins, expected_calibration_error

STATED = [0.95, 0.95, 0.55, 0.55, 0.1]
RIGHT = [1, 0, 1, 1, 0]


def test_expected_calibration_error_by_hand() -> None:
    """Bins of 2, 2 and 1 pairs, which are 0.45, 0.45 and 0.1 off."""
    error = expected_calibration_error(STATED, RIGHT)
    assert error == pytest.approx((2 * 0.45 + 2 * 0.45 + 0.1) / 5)
    assert expected_calibration_error([0.75] * 4, [1, 1, 1, 0]) == 0


@pytest.mark.parametrize(
    ("stated", "number"),
    [(0, 0), (0.0999, 0), (0.1, 1), (0.3, 3), (0.6, 6), (0.7, 7), (0.9, 9), (1, 9)],
)
def test_an_edge_belongs_to_the_bin_above(stated: float, number: int) -> None:
    assert bins([stated])[0] == number
