"""Comparisons of two conditions on the same items."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from inspect_debate.v1.metrics.detection import (
    STATISTICS,
    Convention,
    Counts,
    Statistic,
    accuracy,
    cluster_counts,
    f1,
    precision,
)
from inspect_debate.v1.metrics.paired import (
    Equivalence,
    McNemar,
    cluster_sign_flip,
    equivalence,
    holm,
    mcnemar,
    paired_bootstrap,
)
from tests.v1.support.strict import no_warnings

Array = NDArray[np.float64]


NAN = math.nan


def discordant(only_a: int, only_b: int, both: int = 3) -> tuple[list[int], list[int]]:
    same = [1, 0] * both
    return [1] * only_a + [0] * only_b + same, [0] * only_a + [1] * only_b + same


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1),
        (1, 0, 1 / 2),
        (0, 5, 1 / 32),
        (2, 2, 1 - 6 / 16 / 2),
        (3, 1, 1 - 6 / 16 - (4 + 4) / 16 / 2),
        # The example of Fagerland et al. 2013: exact 0.0703, mid-p 0.0391.
        (1, 7, 2 * 9 / 256 - 8 / 256),
    ],
)
def test_mcnemar_by_hand(only_a: int, only_b: int, p: float) -> None:
    result = mcnemar(*discordant(only_a, only_b))
    assert result == pytest.approx((only_a, only_b, p))


@pytest.mark.parametrize(("only_a", "only_b"), [(6, 16), (25, 2), (40, 41), (300, 260)])
def test_mcnemar_is_the_exact_test_less_the_chance_of_the_observed(
    only_a: int, only_b: int
) -> None:
    n = only_a + only_b
    exact = stats.binomtest(only_a, n).pvalue
    observed = Fraction(math.comb(n, only_a), 2**n)
    p = mcnemar(*discordant(only_a, only_b)).p
    assert p == pytest.approx(exact - float(observed), abs=1e-12)
    assert p == mcnemar(*discordant(only_b, only_a)).p
    assert p == mcnemar(*discordant(only_a, only_b, both=0)).p


def test_mcnemar_without_evidence() -> None:
    assert mcnemar([], []) == McNemar(0, 0, 1)
    assert mcnemar([1, 0, 1], [1, 0, 1]) == McNemar(0, 0, 1)


def flip(differences: list[float], clusters: list[str], seed: int = 0) -> float:
    return cluster_sign_flip(differences, clusters, seed=seed)


@pytest.mark.parametrize(
    ("differences", "clusters", "p"),
    [
        ([1, 2, 4], "abc", 2 / 8),
        ([1, 2, -4], "abc", 8 / 8),
        ([-1, 2, 4], "abc", 4 / 8),
        # The same sums from epochs, in any order, beside a cluster of no difference.
        ([0.5, 2, 1, 0.5, 3, 1, -1], "abcacdd", 2 / 8),
        # What shares a cluster is one observation.
        ([1, 1, 1, 1], "aaab", 2 / 4),
        ([1, 1, 1, 1], "abcd", 2 / 16),
        ([1, 1, 1], "aaa", 1),
        ([1], "a", 1),
        ([0, 0, 0], "abc", 1),
        ([], "", 1),
    ],
)
def test_all_swaps_by_hand(differences: list[float], clusters: str, p: float) -> None:
    assert flip(differences, list(clusters)) == pytest.approx(p)


@pytest.mark.parametrize(
    "thirds", [[1, 1, 1, 1, 1, -2, 3, -1], [-1, -1, -3, 1, -3, 3, 2, 2]]
)
def test_ties_of_thirds_are_ties(thirds: list[int]) -> None:
    sums = [
        sum(sign * d for sign, d in zip(signs, thirds, strict=True))
        for signs in product((1, -1), repeat=8)
    ]
    p = np.mean(np.abs(sums) >= abs(sum(thirds)))
    found = flip([third / 3 for third in thirds], list("abcdefgh"))
    assert found == pytest.approx(p)


@pytest.mark.parametrize(("only_a", "only_b"), [(9, 2), (4, 8), (45, 28), (500, 430)])
def test_of_single_items_it_is_the_exact_sign_test(only_a: int, only_b: int) -> None:
    n = only_a + only_b
    differences = [1.0] * only_a + [-1.0] * only_b + [0.0] * 5
    exact = stats.binomtest(only_a, n).pvalue
    error = 4 * math.sqrt(exact * (1 - exact) / 9999) if n > 13 else 1e-12
    found = flip(differences, [str(i) for i in range(n + 5)])
    assert found == pytest.approx(exact, abs=error)


@pytest.mark.parametrize(("questions", "off"), [(9, 1e-12), (13, 1e-12), (40, 0.02)])
@pytest.mark.parametrize("seed", range(3))
def test_sign_flips_are_those_of_scipy(questions: int, off: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Thirds, as means of three epochs, of which many are alike.
    differences = rng.integers(-3, 5, questions) / 3
    theirs = stats.permutation_test(
        (differences,),
        lambda values, axis: values.sum(axis=axis).round(9),
        permutation_type="samples",
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    ours = cluster_sign_flip(differences, range(questions), seed=seed)
    assert ours == pytest.approx(theirs.pvalue, abs=off)


def test_a_drawn_p_value_depends_on_the_seed_alone_and_is_never_0() -> None:
    rng = np.random.default_rng(3)
    differences = rng.normal(0.2, 1, 40).tolist()
    clusters = [str(i) for i in range(40)]
    assert flip(differences, clusters) == flip(differences, clusters)
    assert len({flip(differences, clusters, seed) for seed in range(5)}) > 1
    assert flip([1.0] * 40, clusters) == pytest.approx(2 / 10_000)


def two_runs(seed: int, items: int = 120, epochs: int = 1) -> tuple[Array, Array]:
    """Counts of two detectors of some skill on the same items."""
    rng = np.random.default_rng(seed)
    gold = np.repeat(rng.random(items) < 0.6, epochs).astype(float)
    names = np.repeat(np.arange(items), epochs).tolist()
    tables = [
        cluster_counts(gold, (rng.random(len(gold)) < 0.3 + 0.4 * gold) * 1.0, names)
        for _ in range(2)
    ]
    return tables[0], tables[1]


def rows(*kinds: tuple[int, str]) -> Array:
    """Single items by the name of their field of `Counts`."""
    names = [name for number, name in kinds for _ in range(number)]
    return np.array(
        [[field == name for field in Counts._fields] for name in names], "d"
    )


@pytest.mark.parametrize("name", STATISTICS)
def test_the_difference_is_b_less_a(name: str) -> None:
    a, b = two_runs(seed=1)
    statistic = STATISTICS[name]
    expected = float(statistic(Counts(*b.sum(axis=0)), "parsed")) - float(
        statistic(Counts(*a.sum(axis=0)), "parsed")
    )
    result = paired_bootstrap(statistic, a, b, seed=0)
    assert result.difference == pytest.approx(expected)
    assert result.low < result.difference < result.high
    swapped = paired_bootstrap(statistic, b, a, seed=0)
    assert swapped.difference == pytest.approx(-expected)
    assert swapped.p == pytest.approx(result.p, abs=0.05)


@pytest.mark.parametrize("statistic", [accuracy, f1])
@pytest.mark.parametrize("epochs", [1, 3])
def test_agrees_with_another_paired_bootstrap(
    statistic: Statistic, epochs: int
) -> None:
    a, b = two_runs(seed=2, items=150, epochs=epochs)

    def difference(drawn: NDArray[np.int_], axis: int) -> Array:
        after = Counts(*np.moveaxis(b[drawn].sum(axis=axis - 1), -1, 0))
        before = Counts(*np.moveaxis(a[drawn].sum(axis=axis - 1), -1, 0))
        return np.asarray(statistic(after, "parsed") - statistic(before, "parsed"))

    other = stats.bootstrap(
        (np.arange(150),),
        difference,
        n_resamples=4000,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    ours = paired_bootstrap(statistic, a, b, seed=0)
    width = other.high - other.low
    assert (ours.low, ours.high) == pytest.approx(tuple(other), abs=0.06 * width)


# An example with a p-value of exactly the level, which binary numbers miss.
@example(seed=189, items=40, level=0.9, resamples=199, statistic=accuracy)
@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(10, 60),
    st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]),
    st.sampled_from([199, 999, 1000]),
    st.sampled_from([accuracy, f1]),
)
def test_p_and_interval_say_the_same(
    seed: int, items: int, level: float, resamples: int, statistic: Statistic
) -> None:
    a, b = two_runs(seed, items)
    result = paired_bootstrap(
        statistic,
        a,
        b,
        seed=seed,
        convention="realmistake",  # which has a value for every resample
        level=level,
        resamples=resamples,
    )
    assume(not math.isnan(result.low))  # runs that are the same have no interval
    outside = not result.low <= 0 <= result.high
    assert outside == (result.p <= 1 - level + 1e-9)
    assert 0 < result.p <= 1


def test_equal_runs_do_not_differ() -> None:
    a, _ = two_runs(seed=4)
    found = paired_bootstrap(f1, a, a, seed=0)
    assert (found.difference, found.p) == (0, 1)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


@pytest.mark.parametrize("items", [2, 3, 800])
def test_resamples_that_are_all_alike_are_no_certainty(items: int) -> None:
    a, b = rows((items, "fn")), rows((items, "tp"))
    found = paired_bootstrap(accuracy, a, b, seed=0)
    assert found.difference == 1
    assert all(map(math.isnan, found[1:]))
    # With one that is not like the others there is something to go by.
    other = np.concatenate((b[1:], rows((1, "fn"))))
    assert not any(map(math.isnan, paired_bootstrap(accuracy, a, other, seed=0)))


def test_a_plain_difference_and_its_smallest_p_value() -> None:
    a, b = rows((60, "fn"), (40, "tn")), rows((60, "tp"), (40, "tn"))
    result = paired_bootstrap(accuracy, a, b, seed=0)
    assert result.difference == 0.6
    assert result.p == pytest.approx(2 / 4001)
    assert (result.low, result.high) == pytest.approx((0.5, 0.7), abs=0.011)
    wider = paired_bootstrap(accuracy, a, b, seed=0, level=0.99)
    assert wider.low < result.low < result.high < wider.high


def test_pairing_narrows_the_interval() -> None:
    a = rows((50, "tp"), (50, "fn"))
    b = rows((60, "tp"), (40, "fn"))
    paired = paired_bootstrap(accuracy, a, b, seed=0)
    crossed = paired_bootstrap(accuracy, a, b[::-1], seed=0)
    assert paired.difference == crossed.difference
    assert paired.p < 0.01 < 0.1 < crossed.p


def test_epochs_are_no_observations_of_their_own() -> None:
    a, b = rows((30, "tp"), (20, "fn")), rows((36, "tp"), (14, "fn"))
    once = paired_bootstrap(accuracy, a, b, seed=0)
    assert paired_bootstrap(accuracy, 3 * a, 3 * b, seed=0) == once


def test_the_convention_reaches_the_statistic() -> None:
    a = rows((5, "tp"), (5, "unparsed_error"))
    b = rows((5, "tp"), (5, "fn"))
    results: dict[Convention, float] = {
        convention: paired_bootstrap(
            accuracy, a, b, seed=0, convention=convention
        ).difference
        for convention in ("parsed", "realmistake")
    }
    assert results == {"parsed": -0.5, "realmistake": 0}


def test_resamples_without_a_value_are_left_out_while_they_are_few() -> None:
    # Without the predicted errors of b, a share of 0.9 ** 40 or 0.95 ** 40 = 0.13.
    a = rows((30, "tp"), (10, "fp"))
    few = paired_bootstrap(
        precision, a, rows((4, "tp"), (36, "tn")), seed=0, resamples=2000
    )
    assert few.difference == 0.25
    assert not any(map(math.isnan, few))
    many = paired_bootstrap(precision, a, rows((2, "tp"), (38, "tn")), seed=0)
    assert many.difference == 0.25
    assert all(map(math.isnan, many[1:]))
    zero = paired_bootstrap(
        precision, a, rows((2, "tp"), (38, "tn")), seed=0, convention="realmistake"
    )
    assert not any(map(math.isnan, zero))


@pytest.mark.parametrize(
    ("b", "difference"),
    [(rows((3, "tn")), NAN), (rows((1, "tp")), 0), (np.zeros((0, 6)), NAN)],
)
def test_no_value_or_fewer_than_two_clusters(b: Array, difference: float) -> None:
    a = np.tile([1.0, 0, 0, 0, 0, 0], (len(b), 1))
    result = paired_bootstrap(precision, a, b, seed=0)
    assert result.difference == pytest.approx(difference, nan_ok=True)
    assert all(map(math.isnan, result[1:]))


def test_bootstrap_depends_on_the_seed_alone() -> None:
    a, b = two_runs(seed=5)
    results = [paired_bootstrap(f1, a, b, seed=seed) for seed in (0, 0, 1)]
    assert results[0] == results[1] != results[2]


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.6, 0.7], [1, 1]),
        ([0.02], [0.02]),
        ([NAN, 0.04, NAN, 0.01], [NAN, 0.04, NAN, 0.02]),
        ([NAN], [NAN]),
        ([], []),
    ],
)
def test_holm(p_values: list[float], adjusted: list[float]) -> None:
    names = [f"test {i}" for i in range(len(p_values))]
    result = holm(dict(zip(names, p_values, strict=True)))
    assert list(result) == names
    assert list(result.values()) == pytest.approx(adjusted, nan_ok=True)


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_holm_is_that_of_statsmodels(size: int) -> None:
    drawn = np.random.default_rng(size).beta(0.4, 2, size).round(2)  # with ties
    expected = multipletests(drawn, method="holm")[1]
    found = holm(dict(enumerate(drawn.tolist())))
    assert list(found.values()) == pytest.approx(expected.tolist())


pytestmark = no_warnings


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


def test_equivalence_by_hand() -> None:
    """Of 0.1, 0, -0.1 and 0: standard error 0.0408, t 0.05 / 0.0408, 3 df."""
    found = equivalence([0.1, 0, -0.1, 0], "abcd", 0.05)
    se = math.sqrt(0.02 / 3 / 4)
    half = 2.353363 * se
    p = float(stats.t.sf(0.05 / se, 3))
    assert found[:4] == pytest.approx((0, -half, half, p), abs=1e-6)
    assert not found.equivalent
    assert equivalence([0.1, 0, -0.1, 0], "abcd", 0.1).equivalent


def test_equivalence_averages_epochs_first() -> None:
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
def test_swapped_conditions_rows_and_the_interval(
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


def test_a_difference_cannot_exceed_a_margin_of_one() -> None:
    assert equivalence([0.0], "a", 1.5)[3:] == (0, True)
