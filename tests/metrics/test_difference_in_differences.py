import math
from collections.abc import Hashable, Iterable, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.metrics.paired import DiD, did

NAN = math.nan
ARMS = ("debate_1", "debate_4", "consultancy_1", "consultancy_4")

pytestmark = pytest.mark.filterwarnings("error")


def from_rows(rows: Sequence[Sequence[float]], clusters: Iterable[Hashable]) -> DiD:
    """Rows of the four arms, in the order of the arguments."""
    d1, d4, c1, c4 = np.array(rows, dtype=float).reshape(-1, 4).T
    return did(d1, d4, c1, c4, clusters, seed=1)


def ones(count: int, of: int = 1000) -> list[int]:
    return [1] * count + [0] * (of - count)


def test_the_published_accuracies_give_the_published_10_5_points() -> None:
    """Figures of ARC with the stronger model as single proposer."""
    found = did(ones(726), ones(801), ones(780), ones(750), range(1000), seed=1)
    assert found.value == pytest.approx(0.105)
    assert (found.n, found.questions) == (1000, 1000)
    # Right and wrong are nested here: 45 questions have a 1, and 30 have a 2.
    variance = (45 + 4 * 30 - 1000 * 0.105**2) / 999
    assert found.se == pytest.approx(math.sqrt(variance / 1000))
    assert found.t == pytest.approx(found.value / found.se)
    assert found.p < 1e-10
    assert found.p_flip == pytest.approx(2 / 10_000)


def test_by_hand() -> None:
    # (1-0)-(0-0) = 1, (1-1)-(0-1) = 1, (1-0)-(0-1) = 2, 0, and (0-1)-(1-1) = -1.
    rows = [(0, 1, 0, 0), (1, 1, 1, 0), (0, 1, 1, 0), (1, 1, 1, 1), (1, 0, 1, 1)]
    found = from_rows(rows, "abcde")
    expected = stats.ttest_1samp([1, 1, 2, 0, -1], 0)
    assert found.value == pytest.approx(3 / 5)
    assert (found.t, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    # 0.6 is 0.65 of the way from -2 to 2; t of 4 degrees of freedom is 2.776.
    error = found.se * 2.776445 / 1.959964 / 4
    size = 0.65 * 0.35 / error**2
    low, high = proportion_interval(0.65 * size, size)
    ends = (4 * low - 2, 4 * high - 2)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-5)
    # Of the 16 signs of 1, 1, 2 and 1, 5 and -5 come once, 3 and -3 three times.
    assert found.p_flip == pytest.approx(8 / 16)


def test_epochs_of_a_question_are_averaged_first() -> None:
    up, still, down = (0, 1, 0, 0), (1, 1, 1, 1), (1, 1, 0, 1)
    found = from_rows([up, still, still, up, up, down], "ababab")
    expected = stats.ttest_1samp([2 / 3, 0], 0)
    assert found.value == pytest.approx(1 / 3)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.n, found.questions) == (6, 2)
    # Questions weigh the same, whatever their number of epochs.
    assert from_rows([up, up, up, still], "aaab").value == pytest.approx(1 / 2)


def test_rows_with_an_unread_verdict_are_left_out() -> None:
    rows: list[Sequence[float]] = [(0, 1, 0, 0), (1, 1, 0, 0), (1, 1, 0, 1)]
    unread = [[NAN if i == j else 1.0 for i in range(4)] for j in range(4)]
    found = from_rows([*rows, *unread], "abcabde")
    assert found == from_rows(rows, "abc")
    assert (found.n, found.questions) == (3, 3)


def test_too_few_questions() -> None:
    one = from_rows([(0, 1, 0, 0), (1, 1, 0, 0)], "aa")
    assert (one.value, one.n, one.questions) == (0.5, 2, 1)
    assert np.isnan(one[1:7]).all()
    for rows in ([], [(NAN, 1, 1, 1)]):
        none = from_rows(rows, range(len(rows)))
        assert none[7:] == (0, 0)
        assert np.isnan(none[:7]).all()


@pytest.mark.parametrize(("row", "p"), [((0, 1, 0, 1), 1.0), ((0, 1, 0, 0), NAN)])
def test_questions_that_are_all_alike(row: Sequence[float], p: float) -> None:
    found = from_rows([row] * 4, "abcd")
    assert np.isnan([found.se, found.low, found.high, found.t]).all()
    assert found.p == pytest.approx(p, nan_ok=True)
    assert found.p_flip == pytest.approx(1 if p == 1 else 2 / 16)


@pytest.mark.parametrize("place", range(4))
def test_refusals(place: int) -> None:
    def tested(odd: list[float], clusters: str = "ab") -> DiD:
        d1, d4, c1, c4 = (odd if i == place else [1.0, 0.0] for i in range(4))
        return did(d1, d4, c1, c4, clusters, seed=1)

    with pytest.raises(ValueError, match=rf"{ARMS[place]} holds 0\.5"):
        tested([1, 0.5])
    with pytest.raises(ValueError, match=f"differ in length: .*{ARMS[place]} 1"):
        tested([1])
    with pytest.raises(ValueError, match="1 labels for 2 values"):
        tested([1, 0], clusters="a")


ROWS = st.lists(
    st.tuples(*[st.sampled_from([0.0, 1.0, 1.0, NAN])] * 4), min_size=1, max_size=12
)


@settings(max_examples=50)
@given(ROWS, st.randoms(use_true_random=False))
def test_arms_and_rows_may_be_swapped(
    rows: list[tuple[float, float, float, float]], random: Random
) -> None:
    named = [(row, i % 7) for i, row in enumerate(rows)]
    found = from_rows(rows, [name for _, name in named])
    random.shuffle(named)
    shuffled = [row for row, _ in named]
    names = [name for _, name in named]
    assert from_rows(shuffled, names) == pytest.approx(found, nan_ok=True)
    for order, sign in (([2, 3, 0, 1], -1), ([1, 0, 3, 2], -1), ([3, 2, 1, 0], 1)):
        swapped = from_rows([[row[i] for i in order] for row in shuffled], names)
        low, high = (found.low, found.high) if sign == 1 else (-found.high, -found.low)
        expected = DiD(
            sign * found.value, found.se, low, high, sign * found.t, *found[5:]
        )
        assert swapped == pytest.approx(expected, nan_ok=True)


def test_pairs_are_worth_more_than_four_unpaired_proportions() -> None:
    """The study's -1.9 points at p = .009 on 1,136 questions need the paired form."""
    n, moved = 1136, 22
    base = np.array(ones(966, n))
    fallen = base.copy()
    fallen[:moved] = 0
    found = did(base, fallen, base, base, range(n), seed=1)
    assert found.value == pytest.approx(-0.0194, abs=1e-4)
    assert found.p < 0.01
    unpaired = proportions_ztest([fallen.sum(), base.sum()], [n, n])[1]
    assert unpaired > 0.1
