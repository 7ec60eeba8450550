import math
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from inspect_debate.metrics.agreement import Share
from inspect_debate.metrics.endorsement import endorsement_rate, ratio_difference
from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.metrics.paired import PairedDifference
from inspect_debate.metrics.shares import share

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


def test_epochs_that_are_alike_count_once() -> None:
    endorsed, wrong = [1, 0, 2, 0, 1, 1, 0] * 6, [1, 1, 2, 2, 1, 1, 0] * 6
    once = endorsement_rate(endorsed, wrong, range(42))
    epochs = endorsement_rate(endorsed * 3, wrong * 3, [*range(42)] * 3)
    assert (epochs.value, epochs.n) == (once.value, 3 * once.n)
    assert epochs[1:3] == pytest.approx(once[1:3], abs=0.02)


@pytest.mark.filterwarnings("error")
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


@given(DEBATES.filter(len), st.randoms(use_true_random=False))
def test_the_order_of_debates_changes_nothing(
    debates: list[Debate], random: Random
) -> None:
    shuffled = debates.copy()
    random.shuffle(shuffled)
    rates: list[Share] = []
    changes: list[PairedDifference] = []
    for rows in (debates, shuffled):
        part, whole, questions = zip(*rows, strict=True)
        rates.append(endorsement_rate(part, whole, questions))
        refused = np.subtract(whole, part)
        arms = (part, whole, refused, whole)
        changes.append(ratio_difference(*arms, questions, seed=3, resamples=99))
    assert rates[0] == pytest.approx(rates[1], nan_ok=True)
    assert changes[0] == pytest.approx(changes[1], nan_ok=True)


@pytest.mark.parametrize(
    ("part", "whole", "clusters", "message"),
    [
        ([2], [1], "a", "2 of 1 is no share"),
        ([0, -1], [1, 1], "ab", "-1 of 1 is no share"),
        ([1], [math.inf], "a", "1 of inf"),
        ([1, 0], [1], "ab", r"not of shapes \(2,\) and \(1,\)"),
        ([[1]], [[1]], "a", "flat"),
        ([1, 0], [1, 1], "a", "1 cluster names for 2 items"),
    ],
)
def test_refusals(
    part: list[float], whole: list[float], clusters: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        endorsement_rate(part, whole, clusters)
    with pytest.raises(ValueError, match=message):
        ratio_difference(part, whole, part, whole, clusters, seed=1)


def test_arms_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length: part_a 2, part_b 1"):
        ratio_difference([1, 0], [1, 1], [1], [1], "ab", seed=1)


# --- differences -------------------------------------------------------------------


def test_the_difference_is_b_less_a() -> None:
    found = difference((ENDORSED, WRONG), ([2, 2, 1, 1, 0, 1], WRONG), range(6))
    assert found.difference == pytest.approx(7 / 8 - 5 / 8)


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


def test_the_interval_depends_on_clusters_pairs_and_seed() -> None:
    wrong, a, b, names = rounds(5)

    def width(b: Array, names: Array, seed: int = 1) -> float:
        found = ratio_difference(a, wrong, b, wrong, names, seed=seed)
        return found.high - found.low

    assert width(b, names) == width(b, names)
    assert width(b, names) != width(b, names, seed=2)
    # Against a judge on other questions the difference is less certain.
    rolled = ratio_difference(
        a, wrong, np.roll(b, 10), np.roll(wrong, 10), names, seed=1
    )
    assert rolled.high - rolled.low > 1.15 * width(b, names)
    # Epochs that are alike are worth one.
    thrice = [np.tile(values, 3) for values in (a, wrong, b, wrong, names)]
    epochs = ratio_difference(*thrice, seed=1)
    assert epochs.high - epochs.low == pytest.approx(width(b, names), rel=0.06)


def test_swapped_arms_have_the_opposite_difference() -> None:
    wrong, a, b, names = rounds(6)
    there = ratio_difference(a, wrong, b, wrong, names, seed=1)
    assert ratio_difference(a, wrong, b, wrong, names, seed=1) == there
    back = ratio_difference(b, wrong, a, wrong, names, seed=1)
    assert back.difference == -there.difference
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=0.01)
    assert back.p == pytest.approx(there.p, abs=0.06)


def test_a_row_is_left_out_of_the_arm_that_has_not_read_it() -> None:
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
