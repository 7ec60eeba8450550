"""Measures of debates that a judge ends, in cases worked out by hand."""

from math import inf, isnan, nan

import numpy as np
import pytest

from inspect_debate.v1.metrics.rounds import (
    Quoted,
    Span,
    bits_per_round,
    favoured_error,
    judge_scores,
    quoted_characters,
)


def test_a_judge_earns_bits_and_pays_for_rounds() -> None:
    found = judge_scores([1.0, 0.5, 0.25, 0.0, nan], [0, 2, 4, 1, 1])
    np.testing.assert_allclose(found, [0.0, -1.1, -2.2, -inf, nan])
    np.testing.assert_allclose(judge_scores([0.5], [3], cost=0.5), [-2.5])


def test_bits_are_of_all_rounds_together() -> None:
    # 1 bit in 1 round, and -2 bits in 3 rounds: -1/4, not the mean of 1 and -2/3.
    assert bits_per_round([0.5, 1.0], [1.0, 0.25], [1, 3]) == -0.25
    assert bits_per_round([0.5, nan, 0.5], [1.0, 1.0, nan], [1, 3, 3]) == 1.0
    assert isnan(bits_per_round([], [], []))


def test_calibration_is_of_the_favoured_answer() -> None:
    # Bin 0.8: confidences 0.8, 0.8 with one right: |1 - 1.6|. Bin 0.5: half right.
    assert favoured_error([0.8, 0.2, 0.5]) == pytest.approx(0.6 / 3)
    # A calibrated judge: four of five right at 0.8.
    assert favoured_error([0.8] * 4 + [0.2]) == pytest.approx(0)
    assert favoured_error([1.0, 0.0]) == 0.5  # 1 is in the last bin
    assert isnan(favoured_error([nan]))


def test_stored_doubles_decide_the_bin() -> None:
    stored = 0.4000000000000001
    # 1 - stored is below 0.6, and so in the bin of the 0.5 that is half right.
    assert favoured_error([stored, 0.55]) == pytest.approx(abs(1 - 0.6 - 0.55) / 2)
    assert favoured_error([0.4, 0.55]) == pytest.approx((0.6 + 0.45) / 2)


TEXT = "abcd efgh ijkl mnop"


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        # Both speeches of a round count, though they quote the same.
        ([[[(0, 4)], [(0, 4)]]], [(8, 8)]),
        # Within a speech overlapping quotes count once, and those that touch do, too.
        ([[[(0, 4), (2, 9)]]], [(9, 11)]),
        ([[[(0, 2), (2, 4)]]], [(4, 4)]),
        # What an earlier round quoted is not new; the space at the cut is not counted.
        ([[[(0, 4)]], [[(0, 9)]]], [(4, 4), (4, 9)]),
        ([[[(5, 9)]], [[(0, 14)]]], [(4, 4), (8, 14)]),
        ([[[(0, 9)]], [[(5, 9)]], []], [(9, 9), (0, 4), (0, 0)]),
        ([[[]], [[]]], [(0, 0), (0, 0)]),
    ],
)
def test_quotes_are_new_once(
    rounds: list[list[list[Span]]], expected: list[tuple[int, int]]
) -> None:
    found = quoted_characters(rounds, TEXT)
    assert found == [Quoted(*one) for one in expected]


@pytest.mark.parametrize("bad", [-0.1, 1.1])
def test_what_is_no_probability_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="p holds"):
        judge_scores([bad], [1])
    with pytest.raises(ValueError, match="p holds"):
        favoured_error([bad])
    with pytest.raises(ValueError, match="prior holds"):
        bits_per_round([bad], [0.5], [1])
    with pytest.raises(ValueError, match="differ in length"):
        judge_scores([0.5], [1, 2])
