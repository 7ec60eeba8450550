"""The audit of a pair of critic and judge, by hand."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score

from inspect_debate.metrics.debate_help import (
    BETTER,
    KEPT,
    audit,
    balanced_difference,
    macro_f1,
    mean_difference,
    observation,
    prediction,
    ruled,
)
from inspect_debate.metrics.detection import Counts, balanced_accuracy
from inspect_debate.metrics.paired import PairedDifference

NAN = float("nan")
UNKNOWN = PairedDifference(NAN, NAN, NAN, NAN)


def between(low: float, high: float) -> PairedDifference:
    return PairedDifference((low + high) / 2, low, high, NAN)


@pytest.mark.parametrize(
    ("better", "kept", "expected"),
    [
        (between(0.06, 0.3), between(-0.05, 0.05), "helps"),
        (between(0.06, 0.3), between(-0.09, -0.01), "helps"),
        (between(0.06, 0.3), between(-0.11, 0.05), "open"),
        (between(0.06, 0.3), between(-0.4, -0.11), "no gain"),
        (between(0.04, 0.3), between(-0.05, 0.05), "open"),
        (between(-0.2, 0.04), between(-0.05, 0.05), "no gain"),
        (between(-0.2, 0.04), between(-0.4, -0.11), "no gain"),
        (between(0.06, 0.3), UNKNOWN, "open"),
        (UNKNOWN, between(-0.05, 0.05), "open"),
        (between(-0.2, 0.04), UNKNOWN, "no gain"),
        (between(BETTER, 0.3), between(0, 0.1), "open"),
        (between(0.06, 0.3), between(-KEPT, 0.1), "open"),
    ],
)
def test_the_rule(
    better: PairedDifference, kept: PairedDifference, expected: str
) -> None:
    assert prediction(better, kept) == expected


def test_what_a_gain_shows() -> None:
    assert observation(between(0.01, 0.2)) == "helps"
    assert observation(between(-0.2, -0.01)) == "hurts"
    for unsure in (between(-0.1, 0.1), between(0, 0.2), UNKNOWN):
        assert observation(unsure) == "no difference shown"


#        4 right answers, 4 wrong ones
RIGHT = [1, 1, 1, 1, 0, 0, 0, 0]
JUDGE = [1, 1, 1, 0, 1, 1, 1, 0]  # 3/4 and 1/4: 0.5
CRITIC = [1, 1, 1, 0, 0, 0, 0, 1]  # 3/4 and 3/4: 0.75


def test_a_difference_of_balanced_accuracies_by_hand() -> None:
    names = "abcdefgh"
    found = balanced_difference(RIGHT, JUDGE, CRITIC, names, seed=1)
    assert found.difference == pytest.approx(0.25)
    assert found.low < 0.25 < found.high
    # An answer that one of both did not rule on, or that has no grade, is in neither.
    judge, right = [NAN, *JUDGE[1:]], [*RIGHT[:-1], NAN]
    found = balanced_difference(right, judge, CRITIC, names, seed=1)
    assert found.difference == pytest.approx((2 / 3 + 3 / 3) / 2 - (2 / 3 + 0) / 2)
    alike = balanced_difference(RIGHT, JUDGE, JUDGE, names, seed=1)
    assert (alike.difference, alike.p) == (0, 1)
    assert isnan(balanced_difference([1] * 8, JUDGE, CRITIC, names, seed=1).difference)


def test_a_difference_of_shares_weighs_questions_alike() -> None:
    before, after = np.array([1, 1, 0, 0, NAN]), np.array([0, 1, 1, 1, 1.0])
    found = mean_difference(before, after, ["a", "a", "b", "c", "d"])
    assert found.difference == pytest.approx((-0.5 + 1 + 1) / 3)
    assert -1 <= found.low < found.difference < found.high <= 1


def test_verification_that_never_changes_has_an_interval() -> None:
    always = np.ones(60)
    found = mean_difference(always, always, range(60))
    assert (found.difference, found.p) == (0, 1)
    assert -found.low == found.high == pytest.approx(1 - 0.05 ** (1 / 60))
    assert found.low > -KEPT
    assert isnan(mean_difference(always * NAN, always, range(60)).difference)


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2).filter(
        lambda rows: {right for right, _ in rows} == {True, False}
    )
)
def test_scores_of_rulings_against_another_library(
    rows: list[tuple[bool, bool]],
) -> None:
    right, endorsed = (np.array(of, float) for of in zip(*rows, strict=True))
    expected = f1_score(right, endorsed, average="macro", zero_division=0)
    assert ruled(macro_f1, right, endorsed) == pytest.approx(expected)
    expected = balanced_accuracy_score(right, endorsed)
    assert ruled(balanced_accuracy, right, endorsed) == pytest.approx(expected)


def test_macro_f1_by_hand() -> None:
    """Of wrong answers 3 of 4 are found with 1 false alarm, of right ones 5 of 6."""
    counts = Counts(tp=3, fp=1, fn=1, tn=5)
    assert macro_f1(counts) == pytest.approx((6 / 8 + 10 / 12) / 2)
    assert ruled(macro_f1, [1, 0, NAN, 1], [1, 0, 0, NAN]) == 1


def test_an_audit_without_grades_is_open() -> None:
    unknown = [NAN] * 8
    found = audit(
        *(RIGHT, JUDGE, CRITIC, CRITIC, JUDGE, unknown, unknown), "abcdefgh", seed=0
    )
    assert (found.predicted, found.observed) == ("open", "no difference shown")
    assert isnan(found.verifies_alone)
    assert isnan(found.kept.difference)
    assert found.gain.difference == found.critic_better.difference == 0.25


def test_lengths_and_values_are_checked() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        balanced_difference(RIGHT, JUDGE[1:], CRITIC, "abcdefgh", seed=0)
    with pytest.raises(ValueError, match="endorsed_a holds 2"):
        balanced_difference(RIGHT, [2] * 8, CRITIC, "abcdefgh", seed=0)
