import math

import numpy as np
import pytest

from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.metrics.knowledge import TIERS, p_known_given, tier, tier_shares

NAN = math.nan


@pytest.mark.parametrize(
    ("right", "draws", "expected"),
    [
        (0, 32, "Unknown"),
        (1, 32, "Weakly Known"),
        (9, 32, "Weakly Known"),  # .28125
        (10, 32, "Maybe Known"),  # .3125
        (27, 32, "Maybe Known"),  # .84375
        (28, 32, "Highly Known"),  # .875
        (32, 32, "Highly Known"),
        # Where draws could not be read the bounds themselves can be met.
        (3, 10, "Maybe Known"),
        (6, 20, "Maybe Known"),
        (17, 20, "Highly Known"),
    ],
)
def test_tiers_of_counts(right: int, draws: int, expected: str) -> None:
    added, wrong = sum([1 / draws] * right, 0.0), draws - right
    mean = float(np.mean([1.0] * right + [0.0] * wrong))
    shares = [right / draws, mean, added, 1 - wrong / draws]
    assert [TIERS[int(each)] for each in tier(shares)] == [expected] * len(shares)


def test_just_off_a_bound() -> None:
    np.testing.assert_array_equal(
        tier([0, 1e-6, 0.3 - 1e-6, 0.3, 0.85 - 1e-6, 0.85, 1, NAN]),
        [0, 1, 1, 2, 2, 3, 3, NAN],
    )
    assert tier(0.5) == 2
    assert tier([]).size == 0


def test_shares_of_tiers() -> None:
    found = tier_shares([3, 3, 2, 0, NAN, 3, 0, 3], range(8))
    assert [each.value for each in found] == pytest.approx([2 / 7, 0, 1 / 7, 4 / 7])
    assert {each.n for each in found} == {7}
    assert found[3][1:3] == pytest.approx(proportion_interval(4, 7), abs=1e-6)


def test_the_halves_of_a_question_know_no_more_than_one() -> None:
    tiers, questions = [3, 3, 2, 0, 1, 3] * 10, [*range(60)]
    once = tier_shares(tiers, questions)
    twice = tier_shares(tiers * 2, questions * 2)
    for one, two in zip(once, twice, strict=True):
        assert two.value == one.value
        assert two[1:3] == pytest.approx(one[1:3], abs=0.01)


def test_known_given_confidence() -> None:
    confidence = [0.95, 0.9, 0.9, 0.5, 0.2, NAN, 0.99]
    tiers = [3, 3, 1, 3, 0, 3, NAN]
    found = p_known_given(confidence, tiers, [0, 0.5, 0.9, 0.95, 0.96], range(7))
    assert [each.n for each in found] == [5, 4, 3, 1, 0]
    expected = [3 / 5, 3 / 4, 2 / 3, 1, NAN]
    assert [each.value for each in found] == pytest.approx(expected, nan_ok=True)
    assert found[0][1:3] == pytest.approx(proportion_interval(3, 5), abs=1e-6)
    assert np.isnan(found[-1][1:3]).all()
    assert p_known_given(confidence, tiers, [], range(7)) == []


@pytest.mark.parametrize("value", [-0.1, 1.1, 28, math.inf])
def test_shares_out_of_bounds(value: float) -> None:
    with pytest.raises(ValueError, match="allowed: 0 to 1 and NaN"):
        tier([0.5, value])


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"tiers holds 0\.5; allowed: 0, 1, 2, 3"):
        tier_shares([3, 0.5], "ab")
    with pytest.raises(ValueError, match="confidence 1, tiers 2"):
        p_known_given([0.5], [3, 2], [0.5], "ab")
    with pytest.raises(ValueError, match="1 cluster names for 2 items"):
        tier_shares([3, 2], "a")
