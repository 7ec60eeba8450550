import numpy as np
import pytest

from inspect_debate.core.measures.arrays import check_lengths, zeros_and_ones

NAN = float("nan")


def test_zeros_and_ones_of_any_kind_become_floats() -> None:
    for values in ([1, 0], [True, False], np.array([1.0, 0.0])):
        array = zeros_and_ones("right", values)
        assert array.dtype == np.float64
        assert array.tolist() == [1, 0]
    assert zeros_and_ones("right", []).size == 0
    assert zeros_and_ones("right", [[1], [0]], dimensions=2).shape == (2, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 0.5], r"right holds 0\.5; allowed: 0 and 1"),
        ([NAN, 1], "right holds nan"),
        ([-1], r"right holds -1\.0"),
        ([[1]], "right has 2 dimensions instead of 1"),
        (1, "right has 0 dimensions instead of 1"),
    ],
)
def test_anything_else_is_refused(values: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        zeros_and_ones("right", values)  # type: ignore[arg-type]  # wrong on purpose


def test_lengths() -> None:
    check_lengths(a=np.zeros(2), b=np.zeros((2, 5)))
    with pytest.raises(ValueError, match="differ in length: a 2, b 3"):
        check_lengths(a=np.zeros(2), b=np.zeros(3))
