import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from inspect_debate.metrics.paired import Equivalence, equivalence

NAN = math.nan

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("margin", [0.03, 0.1, 0.3])
def test_of_independent_pairs_it_is_the_test_of_statsmodels(
    seed: int, margin: float
) -> None:
    rng = np.random.default_rng(seed)
    before, after = rng.integers(0, 2, (2, 120)).astype(float)
    found = equivalence(after - before, range(120), margin)
    assert found.p == pytest.approx(ttost_paired(after, before, -margin, margin)[0])
    assert found.difference == pytest.approx(float((after - before).mean()))
    interval = DescrStatsW(after - before).tconfint_mean(alpha=0.1)
    assert (found.low90, found.high90) == pytest.approx(interval)


def test_by_hand() -> None:
    """Of 0.1, 0, -0.1 and 0: standard error 0.0408, t 0.05 / 0.0408, 3 df."""
    found = equivalence([0.1, 0, -0.1, 0], "abcd", 0.05)
    se = math.sqrt(0.02 / 3 / 4)
    half = 2.353363 * se
    p = float(stats.t.sf(0.05 / se, 3))
    assert found[:4] == pytest.approx((0, -half, half, p), abs=1e-6)
    assert not found.equivalent
    assert equivalence([0.1, 0, -0.1, 0], "abcd", 0.1).equivalent


def test_epochs_of_a_question_are_averaged_first() -> None:
    rng = np.random.default_rng(2)
    means = rng.normal(0.01, 0.1, 30)
    epochs = np.concatenate((means - 0.2, means, means + 0.2))
    once = equivalence(means, range(30), 0.05)
    assert equivalence(epochs, [*range(30)] * 3, 0.05) == pytest.approx(once)
    # Questions weigh the same, whatever their number of epochs.
    more = np.concatenate((means, means[:4], [NAN, NAN]))
    names = [*range(30), *range(4), 0, "unread"]
    assert equivalence(more, names, 0.05) == pytest.approx(once)


DIFFERENCES = st.lists(st.sampled_from([-1.0, 0.0, 0.0, 1.0, NAN]), max_size=30)


@given(DIFFERENCES, st.sampled_from([0.1, 0.4, 0.9]), st.randoms(use_true_random=False))
def test_swapped_arms_rows_and_the_interval(
    differences: list[float], margin: float, random: Random
) -> None:
    rows = [(value, i % 9) for i, value in enumerate(differences)]
    found = equivalence(differences, [name for _, name in rows], margin)
    random.shuffle(rows)
    swapped = equivalence([-v for v, _ in rows], [name for _, name in rows], margin)
    expected = Equivalence(-found.difference, -found.high90, -found.low90, *found[3:])
    assert swapped == pytest.approx(expected, nan_ok=True)
    inside = -margin < found.low90 and found.high90 < margin
    assert found.equivalent == inside == (found.p < 0.05)


@pytest.mark.parametrize(
    ("differences", "clusters", "mean"),
    [
        ([], "", NAN),
        ([NAN], "a", NAN),
        ([1, 0], "aa", 0.5),
        ([1, 1, 1], "abc", 1),
    ],
)
def test_what_shows_no_variation_is_not_called_equivalent(
    differences: list[float], clusters: str, mean: float
) -> None:
    found = equivalence(differences, clusters, 0.1)
    assert found.difference == pytest.approx(mean, nan_ok=True)
    assert found.equivalent is False
    assert np.isnan(found[1:4]).all()


@pytest.mark.parametrize(
    ("questions", "half", "p", "equivalent"),
    [
        (800, 1 - 0.05 ** (1 / 800), 0.95**800, True),
        (59, 0.0495, 0.95**59, True),
        (58, 0.0503, 0.95**58, False),
        (10, 0.2589, 0.5987, False),
        (1, 0.95, 0.95, False),
    ],
)
def test_without_any_difference_the_number_of_questions_decides(
    questions: int, half: float, p: float, equivalent: bool
) -> None:
    found = equivalence([0.0] * questions, range(questions), 0.05)
    expected = Equivalence(0, -half, half, p, equivalent)
    assert found == pytest.approx(expected, abs=1e-4)
    # Epochs of a question are no questions of their own.
    epochs = equivalence([0.0] * 3 * questions, [*range(questions)] * 3, 0.05)
    assert epochs == found


def test_one_difference_in_many_changes_little() -> None:
    none = equivalence([0.0] * 800, range(800), 0.05)
    one = equivalence([0.0] * 799 + [1.0], range(800), 0.05)
    assert none.equivalent
    assert one.equivalent
    assert (one.low90, one.high90) == pytest.approx((none.low90, none.high90), abs=4e-3)


def test_a_difference_cannot_exceed_a_margin_of_one() -> None:
    assert equivalence([0.0], "a", 1.5)[3:] == (0, True)


@pytest.mark.parametrize("margin", [0, -0.1, NAN])
def test_a_margin_is_positive(margin: float) -> None:
    with pytest.raises(ValueError, match="it must be above 0"):
        equivalence([1, 0], "ab", margin)


def test_a_cluster_for_each_difference() -> None:
    with pytest.raises(ValueError, match="1 labels for 2 values"):
        equivalence([1, 0], "a", 0.1)
