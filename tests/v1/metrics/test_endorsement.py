"""Ratios of sums over debates, and the difference of two conditions in them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from inspect_debate.v1.metrics.endorsement import endorsement_rate, ratio_difference
from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.paired import PairedDifference
from inspect_debate.v1.metrics.shares import share
from tests.v1.support.strict import no_warnings

Array = NDArray[np.float64]


NAN = math.nan


# Debates of up to two wrong answers: 5 of 8 are endorsed. The mean of the rates of the
# debates that have any would be (1 + 1/2 + 0 + 1 + 1/2) / 5.
ENDORSED = [2, 1, 0, 1, 0, 1]


WRONG = [2, 2, 1, 1, 0, 2]


def difference(
    a: tuple[Sequence[float], Sequence[float]],
    b: tuple[Sequence[float], Sequence[float]],
    clusters: Sequence[object],
    seed: int = 1,
) -> PairedDifference:
    return ratio_difference(*a, *b, list(map(str, clusters)), seed=seed)


def test_it_is_a_ratio_of_sums_and_no_mean_of_rates() -> None:
    found = endorsement_rate(ENDORSED, WRONG, range(6))
    assert (found.value, found.n) == (5 / 8, 8)
    assert found.low < 5 / 8 < found.high


def test_of_one_answer_per_debate_it_has_wilsons_interval() -> None:
    found = endorsement_rate([1] * 9 + [0] * 31, [1] * 40, range(40))
    assert found[1:3] == pytest.approx(proportion_interval(9, 40), abs=1e-6)


def test_debates_without_an_answer_or_with_an_unread_verdict_are_left_out() -> None:
    more = [*ENDORSED, NAN, 1, NAN, 0], [*WRONG, 2, NAN, NAN, 0]
    assert endorsement_rate(*more, range(10)) == endorsement_rate(
        ENDORSED, WRONG, range(6)
    )


@no_warnings
@pytest.mark.parametrize("total", [[], [0.0, 0.0], [NAN, 0.0]])
def test_without_an_answer_there_is_no_rate(total: list[float]) -> None:
    found = endorsement_rate(np.zeros(len(total)), total, range(len(total)))
    assert found.n == 0
    assert np.isnan(found[:3]).all()


class Debate(NamedTuple):
    part: int
    whole: int
    question: int


DEBATES = st.lists(
    st.builds(
        lambda whole, part, question: Debate(min(part, whole), whole, question),
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(0, 4),
    ),
    max_size=20,
)


@given(DEBATES)
def test_it_is_the_share_of_single_answers(debates: list[Debate]) -> None:
    part, whole, questions = zip(*debates, strict=True) if debates else ((), (), ())
    found = endorsement_rate(part, whole, questions)
    answers = [
        (1.0 if i < d.part else 0.0, d.question)
        for d in debates
        for i in range(d.whole)
    ]
    single = share([v for v, _ in answers], [q for _, q in answers])
    assert found.n == single.n
    assert found[:3] == pytest.approx(single[:3], abs=1e-9, nan_ok=True)


# --- differences -------------------------------------------------------------------
def test_the_difference_is_b_less_a() -> None:
    found = difference((ENDORSED, WRONG), ([2, 2, 1, 1, 0, 1], WRONG), range(6))
    assert found.difference == pytest.approx(7 / 8 - 5 / 8)


def test_resamples_are_drawn_with_the_seed_and_as_many_as_asked() -> None:
    a, b = np.array([0, 1, 0, 0] * 10), np.array([1, 0, 1, 0] * 10)

    def found(**values: int) -> PairedDifference:
        return ratio_difference(a, a * 0 + 2, b, b * 0 + 2, range(40), **values)

    few = found(seed=1, resamples=50)
    assert few == found(seed=1, resamples=50)
    for other in (found(seed=2, resamples=50), found(seed=1, resamples=99)):
        assert few.low != other.low
        assert few.p != other.p


def test_all_resamples_by_hand() -> None:
    """Of four clusters with 1, 1, 1 and 0 more: 0.25, and 0 in 1 of 256 resamples."""
    found = difference(([0] * 4, [1] * 4), ([1, 1, 1, 0], [1] * 4), range(4))
    assert found[:3] == (0.75, 0.25, 1.0)
    # Of the eight signs of the three that differ two sum to 3 or more on either side.
    assert found.p == 2 / 8


def test_few_answers_that_are_all_alike_show_little() -> None:
    found = ratio_difference([1] * 3, [1] * 3, [0] * 3, [1] * 3, range(3), seed=1)
    assert (found.difference, found.p) == (-1, 2 / 8)
    assert np.isnan([found.low, found.high]).all()
    same = ratio_difference([1] * 3, [1] * 3, [1] * 3, [1] * 3, range(3), seed=1)
    assert (same.difference, same.p) == (0, 1)
    two = ratio_difference([1] * 2, [1] * 2, [0] * 2, [1] * 2, range(2), seed=1)
    assert (two.difference, two.p) == (-1, 2 / 4)
    assert np.isnan([same.low, same.high]).all()


def test_of_other_answers_the_p_value_is_the_bootstraps() -> None:
    """Of four clusters with 1, 1, 1 and 0 more, of which one has an answer more."""
    a, b = ([0] * 4, [1] * 4), ([1, 1, 1, 0], [2, 1, 1, 1])
    found = difference(a, b, range(4))
    assert found.p == pytest.approx(2 / 256, abs=0.006)
    assert found.low > 0


def test_epochs_of_one_question_flip_together() -> None:
    clusters = "aabbccdd"
    a, b = ([1, 1] * 4, [1] * 8), ([0, 0] * 4, [1] * 8)
    assert difference(a, b, clusters).p == 2 / 2**4


def rounds(seed: int, questions: int = 150, times: int = 2) -> tuple[Array, ...]:
    """Wrong answers of dual debates, endorsed by two judges who agree often."""
    rng = np.random.default_rng(seed)
    wrong = rng.binomial(2, 0.4, questions * times).astype(float)
    ease = np.repeat(rng.beta(1, 1, questions), times)
    a = rng.binomial(wrong.astype(int), ease).astype(float)
    b = rng.binomial(wrong.astype(int), 0.8 * ease + 0.15).astype(float)
    return wrong, a, b, np.repeat(np.arange(1.0 * questions), times)


def test_agrees_with_scipys_bootstrap_and_the_delta_method() -> None:
    wrong, a, b, names = rounds(5)
    found = ratio_difference(a, wrong, b, wrong, names, seed=1)
    sums = np.array([[v[names == q].sum() for v in (a, b, wrong)] for q in range(150)])
    other = stats.bootstrap(
        tuple(sums.T),
        lambda a, b, w, axis: (b - a).sum(axis=axis) / w.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=4000,
        rng=np.random.default_rng(2),
    )
    assert found[1:3] == pytest.approx(tuple(other.confidence_interval), abs=0.008)
    errors = sums[:, 1] - sums[:, 0] - found.difference * sums[:, 2]
    se = math.sqrt(float((errors**2).sum())) / wrong.sum()
    assert found.high - found.low == pytest.approx(2 * 1.96 * se, rel=0.05)


def test_a_row_is_left_out_of_the_condition_that_has_not_read_it() -> None:
    found = difference(
        ([1, NAN, 0, 0], [1, NAN, 1, 1]), ([1, 1, 1, 0], [1, 1, 1, 1]), range(4)
    )
    assert found.difference == pytest.approx(3 / 4 - 1 / 3)


def test_without_answers_or_in_one_cluster_there_is_no_test() -> None:
    nothing = difference(([0, 0], [0, 0]), ([1, 0], [1, 1]), range(2))
    assert np.isnan(nothing).all()
    alone = difference(([0, 1], [1, 1]), ([1, 1], [1, 1]), "aa")
    assert alone.difference == 0.5
    assert np.isnan(alone[1:]).all()
