"""Intervals and standard errors under clustering."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_confint

from inspect_debate.metrics.detection import estimate as detection
from inspect_debate.metrics.intervals import cluster_sums, mean, wilson

NAN = math.nan
Array = NDArray[np.float64]


@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 20), (7, 20), (20, 20), (450, 900)])
def test_wilson_is_that_of_statsmodels(k: int, n: int) -> None:
    theirs = proportion_confint(k, n, method="wilson")
    assert wilson(k / n, n) == pytest.approx(theirs)
    assert mean([1] * k + [0] * (n - k), range(n))[2:] == (
        pytest.approx(theirs) if n > 1 else pytest.approx((NAN, NAN), nan_ok=True)
    )


def test_the_standard_error_is_the_usual_one_of_independent_items() -> None:
    values = [0.1, 0.4, 0.9, 1.0, 0.3]
    found = mean(values, "abcde")
    assert found.value == pytest.approx(np.mean(values))
    assert found.se == pytest.approx(np.std(values, ddof=1) / math.sqrt(5))


def test_the_standard_error_is_that_between_clusters() -> None:
    # Two epochs each: means 1, 0.5, 0, 0.5; deviations 0.5, 0, -0.5, 0.
    found = mean([1, 1, 1, 0, 0, 0, 0, 1], "aabbccdd")
    assert found.value == 0.5
    assert found.se == pytest.approx(math.sqrt((0.25 + 0.25) / 3 / 4))


def test_repeated_epochs_add_nothing() -> None:
    values = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    once = mean(values, range(10))
    assert mean(values * 5, [*range(10)] * 5) == pytest.approx(once)


def test_balanced_epochs_do_not_narrow_below_independent_items() -> None:
    # Mirrored epochs of which one is always right: clusters do not differ at all.
    alike = mean([1, 0] * 10, np.repeat(range(10), 2))
    assert alike[2:] == pytest.approx(wilson(0.5, 10))
    nearly = mean([1, 0] * 9 + [1, 1], np.repeat(range(10), 2))
    assert nearly[2:] == pytest.approx(wilson(11 / 20, 20))


@pytest.mark.parametrize("end", [0, 1])
def test_at_the_ends_a_cluster_counts_once(end: int) -> None:
    found = mean([end] * 30, np.repeat(range(10), 3))
    assert found[2:] == pytest.approx(wilson(end, 10))
    assert found.se == 0
    # Precision depends on the clusters with a predicted error alone.
    gold, guess = [1, 1, 0, 0, 0], [1, 1, 0, 0, 0]
    assert detection("precision", gold, guess, range(5))[2:] == wilson(1, 2)


@pytest.mark.parametrize(
    ("values", "clusters"), [([], []), ([NAN, NAN], "ab"), ([1], "a"), ([1, 0], "aa")]
)
def test_no_interval_below_two_clusters(values: list[float], clusters: str) -> None:
    found = mean(values, clusters)
    assert all(map(math.isnan, found[1:]))


def test_unknown_values_are_left_out() -> None:
    assert mean([1, NAN, 0, 1], "abcd") == mean([1, 0, 1], "acd")


def test_bounds_move_along() -> None:
    stated = [55, 70, 90, 100, 80]
    share = mean(np.array(stated) / 100, range(5))
    found = mean(stated, range(5), bounds=(0, 100))
    assert found == pytest.approx(tuple(100 * np.array(share)))
    with pytest.raises(ValueError, match="100"):
        mean([101], "a", bounds=(0, 100))


def test_sums_by_cluster() -> None:
    assert cluster_sums([[1, 2], [3, 4], [5, 6]], "bab").tolist() == [[3, 4], [6, 8]]
    with pytest.raises(ValueError, match=r"1 .* 2"):
        cluster_sums([1, 2], "a")


def _accuracy(rng: np.random.Generator, right: Array) -> tuple[float, ...]:
    names = np.repeat(range(len(right)), right.shape[1])
    return mean(right.ravel(), names)


def _f1(rng: np.random.Generator, right: Array) -> tuple[float, ...]:
    gold = np.broadcast_to((np.arange(len(right)) % 5 < 3)[:, None], right.shape)
    guess = np.where(right, gold, ~gold)
    names = np.repeat(range(len(right)), right.shape[1])
    return detection("f1", gold.ravel(), guess.ravel(), names)


@pytest.mark.parametrize(("measure", "truth"), [(_accuracy, 0.75), (_f1, 0.45 / 0.575)])
@pytest.mark.parametrize("epochs", [1, 3])
def test_intervals_hold_the_truth(
    measure: Callable[..., tuple[float, ...]], truth: float, epochs: int
) -> None:
    rng, held = np.random.default_rng(0), 0
    for _ in range(300):
        # Right with 0.95 or 0.55 by item, so that epochs of one item go together.
        chance = rng.choice([0.95, 0.55], size=(60, 1))
        _, _, low, high = measure(rng, rng.random((60, epochs)) < chance)
        held += low <= truth <= high
    assert 0.92 <= held / 300 <= 0.985
