import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.metrics.paired import mcnemar
from inspect_debate.metrics.transitions import (
    Transitions,
    transition_shares,
    transitions,
)

NAN = math.nan
BEFORE = [1, 1, 1, 1, 1, 0, 0, 0, NAN, 1, NAN]
AFTER = [1, 1, 0, 0, 0, 1, 0, 0, 1, NAN, NAN]
VERDICTS = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, NAN])] * 2), max_size=30)

pytestmark = pytest.mark.filterwarnings("error")


def test_by_hand() -> None:
    found = transitions(BEFORE, AFTER)
    assert found == Transitions(2, 3, 1, 2, 8, 4 / 8, 3 / 4, -2 / 8)


def test_swapped_conditions_swap_hurt_and_helped() -> None:
    found = transitions(AFTER, BEFORE)
    assert found == Transitions(2, 1, 3, 2, 8, 4 / 8, 1 / 4, 2 / 8)


def test_published_shares_give_the_published_net() -> None:
    """21 % of verdicts flip, 76 % of these are hurt: 10.9 points less accuracy."""
    before = [1] * 1596 + [0] * 504 + [1] * 7900
    after = [0] * 1596 + [1] * 504 + [1] * 7900
    found = transitions(before, after)
    assert (found.flip_rate, found.hurt_share) == pytest.approx((0.21, 0.76))
    assert found.net == pytest.approx(-0.1092)


def test_without_flips_or_pairs() -> None:
    still = transitions([1, 0], [1, 0])
    assert still[:6] == (1, 0, 0, 1, 2, 0)
    assert math.isnan(still.hurt_share)
    assert still.net == 0
    for nothing in (transitions([], []), transitions([NAN, 1], [1, NAN])):
        assert nothing[:5] == (0, 0, 0, 0, 0)
        assert np.isnan(nothing[5:]).all()


@given(VERDICTS)
def test_the_net_is_the_change_of_accuracy(pairs: list[tuple[float, float]]) -> None:
    found = transitions([b for b, _ in pairs], [a for _, a in pairs])
    read = np.array([pair for pair in pairs if not np.isnan(pair).any()])
    assert found.n == len(read) == sum(found[:4])
    if found.n:
        assert found.net == pytest.approx(float(np.diff(read).mean()))
    if found.hurt + found.helped:
        by_shares = found.flip_rate * (1 - 2 * found.hurt_share)
        assert found.net == pytest.approx(by_shares)


@given(VERDICTS, st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing(
    pairs: list[tuple[float, float]], random: Random
) -> None:
    rows = [(*pair, i % 5) for i, pair in enumerate(pairs)]
    shuffled = rows.copy()
    random.shuffle(shuffled)
    one, other = (
        [np.array([row[column] for row in each]) for column in range(3)]
        for each in (rows, shuffled)
    )
    assert transitions(*one[:2]) == pytest.approx(transitions(*other[:2]), nan_ok=True)
    for a, b in zip(transition_shares(*one), transition_shares(*other), strict=True):
        assert a == pytest.approx(b, nan_ok=True)


def test_they_are_what_mcnemars_test_counts() -> None:
    counted = transitions(BEFORE[:8], AFTER[:8])
    assert mcnemar(BEFORE[:8], AFTER[:8])[:2] == (counted.hurt, counted.helped)


def test_shares_of_independent_pairs_have_wilsons_interval() -> None:
    flip, hurt = transition_shares(BEFORE, AFTER, range(11))
    assert (flip.value, flip.n) == (4 / 8, 8)
    assert (hurt.value, hurt.n) == (3 / 4, 4)
    assert flip[1:3] == pytest.approx(proportion_interval(4, 8), abs=1e-6)
    assert hurt[1:3] == pytest.approx(proportion_interval(3, 4), abs=1e-6)


def test_epochs_of_a_question_count_as_one_cluster() -> None:
    before, after = BEFORE[:8] * 10, AFTER[:8] * 10
    once = transition_shares(before, after, range(80))
    thrice = transition_shares(before * 3, after * 3, [*range(80)] * 3)
    for one, three in zip(once, thrice, strict=True):
        assert (three.value, three.n) == (one.value, 3 * one.n)
        assert three[1:3] == pytest.approx(one[1:3], abs=0.02)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ([1, 0.5], [1, 0], r"before holds 0\.5"),
        ([1, 0], [1, 2], r"after holds 2\.0"),
        ([1, 0], [1], "differ in length: before 2, after 1"),
    ],
)
def test_refusals(before: list[float], after: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        transitions(before, after)
    with pytest.raises(ValueError, match=message):
        transition_shares(before, after, range(2))


def test_a_cluster_name_for_each_pair() -> None:
    with pytest.raises(ValueError, match="1 cluster names for 2 items"):
        transition_shares([1, 0], [1, 0], "a")
