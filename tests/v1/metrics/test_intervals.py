"""Intervals of proportions and of statistics of clustered counts."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from inspect_debate.v1.metrics.detection import BOUNDS, STATISTICS, Counts
from inspect_debate.v1.metrics.intervals import (
    Interval,
    cluster_error,
    cluster_interval,
    proportion_interval,
)

Array = NDArray[np.float64]


NAMES = ["accuracy", "recall", "f1", "f2", "mcc", "balanced_accuracy"]


DATASETS = 400


def of_totals(name: str) -> Callable[[Array], Any]:
    """A standard statistic as a function of the totals on the last axis."""
    return lambda totals: STATISTICS[name](
        Counts(*np.moveaxis(totals, -1, 0)), "parsed"
    )


def share(totals: Array) -> float:
    return float(totals[0] / (totals[0] + totals[1]))


def interval_of(name: str, clusters: Array, level: float = 0.95) -> Interval:
    return cluster_interval(of_totals(name), clusters, level=level, bounds=BOUNDS[name])


def simulate(seed: int, items: int, epochs: int, datasets: int = DATASETS) -> Array:
    """Counts (datasets, items, epochs, 4) of a detector with sure and unsure items.

    62 % gold errors; recall 0.7 and a false positive rate of 0.4 on average, both
    spread over items as Beta(1, .) variables, so that epochs of an item correlate.
    """
    rng = np.random.default_rng(seed)
    error = rng.random((datasets, items)) < 0.62
    flag = np.where(
        error,
        rng.beta(1.4, 0.6, (datasets, items)),
        rng.beta(0.8, 1.2, (datasets, items)),
    )
    flagged = rng.random((datasets, items, epochs)) < flag[..., None]
    error = np.broadcast_to(error[..., None], flagged.shape)
    cells = (error & flagged, ~error & flagged, error & ~flagged, ~error & ~flagged)
    return np.stack(cells, axis=-1).astype(np.float64)


TRUE_TOTALS = np.array([0.62 * 0.7, 0.38 * 0.4, 0.62 * 0.3, 0.38 * 0.6])


def coverage(name: str, samples: Array) -> float:
    true = float(of_totals(name)(TRUE_TOTALS))
    hits = [
        low <= true <= high for low, high in (interval_of(name, s) for s in samples)
    ]
    return float(np.mean(hits))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("items", "epochs"), [(140, 1), (900, 1), (140, 3)])
def test_coverage(name: str, items: int, epochs: int) -> None:
    clusters = simulate(seed=items + epochs, items=items, epochs=epochs).sum(axis=2)
    assert 0.90 <= coverage(name, clusters) <= 0.99


@pytest.mark.parametrize("name", [*NAMES, "precision", "predicted_error_rate"])
@pytest.mark.parametrize("epochs", [1, 3])
def test_agrees_with_a_bootstrap_of_clusters(name: str, epochs: int) -> None:
    clusters = simulate(seed=7, items=300, epochs=epochs, datasets=1)[0].sum(axis=1)
    statistic = of_totals(name)
    bootstrap = stats.bootstrap(
        (np.arange(len(clusters)),),
        lambda rows, axis: statistic(clusters[rows].sum(axis=axis - 1)),
        n_resamples=2000,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(11),
    ).confidence_interval
    low, high = interval_of(name, clusters)
    width = bootstrap.high - bootstrap.low
    assert low == pytest.approx(bootstrap.low, abs=0.12 * width)
    assert high == pytest.approx(bootstrap.high, abs=0.12 * width)


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 20), (20, 20), (1, 20), (61, 140), (899, 900)]
)
def test_a_plain_proportion_has_the_ordinary_wilson_interval(
    successes: int, n: int
) -> None:
    rows = np.zeros((n, 2))
    rows[:successes, 0] = rows[successes:, 1] = 1
    z = 1.959963984540054
    p = successes / n
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    expected = pytest.approx((middle - half, middle + half), abs=1e-6)
    assert cluster_interval(share, rows) == expected
    assert proportion_interval(successes, n) == expected


def test_known_wilson_values() -> None:
    """Newcombe 1998, Table I, method 3."""
    cases = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, n), expected in cases.items():
        assert proportion_interval(successes, n) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_at_the_ends_an_interval_touches_the_bound(level: float) -> None:
    for n in range(1, 1001):
        none = proportion_interval(0, n, level)
        every = proportion_interval(n, n, level)
        assert (none.low, every.high) == (0, 1), n
        assert 0 < none.high < 1, n
        assert every.low == pytest.approx(1 - none.high), n


def test_items_that_the_statistic_ignores_change_nothing() -> None:
    clusters = simulate(seed=3, items=60, epochs=1, datasets=1)[0, :, 0]
    of_errors = clusters[clusters[:, [0, 2]].any(axis=1)]
    np.testing.assert_allclose(
        interval_of("recall", clusters), interval_of("recall", of_errors), atol=1e-6
    )


@pytest.mark.parametrize("epochs", [2, 5])
def test_epochs_that_only_repeat_the_first_add_nothing(epochs: int) -> None:
    once = simulate(seed=4, items=100, epochs=1, datasets=1)[0, :, 0]
    for name in NAMES:
        np.testing.assert_allclose(
            interval_of(name, epochs * once), interval_of(name, once), atol=2e-3
        )


def test_independent_epochs_narrow_the_interval() -> None:
    rng = np.random.default_rng(5)
    right = rng.binomial(4, 0.7, size=500).astype(np.float64)
    low, high = cluster_interval(share, np.stack([right, 4 - right], axis=1))
    independent = proportion_interval(right.sum(), 2000)
    assert high - low == pytest.approx(independent.high - independent.low, rel=0.1)


@pytest.mark.parametrize("epochs", [1, 3])
@pytest.mark.parametrize(("right", "expected"), [(1, "high"), (0, "low")])
def test_at_the_ends_clusters_are_what_counts(
    epochs: int, right: int, expected: str
) -> None:
    clusters = np.full((50, 2), 0.0)
    clusters[:, 1 - right] = epochs
    interval = cluster_interval(share, clusters)
    np.testing.assert_allclose(interval, proportion_interval(50 * right, 50), atol=1e-9)
    assert getattr(interval, expected) == right
    assert interval.high - interval.low > 0.05


def test_clusters_that_are_all_alike_count_once_each() -> None:
    interval = cluster_interval(share, np.full((40, 2), [2.0, 1.0]))
    np.testing.assert_allclose(interval, proportion_interval(80 / 3, 40), atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_clusters_alike_up_to_rounding_keep_a_width(name: str) -> None:
    alike = interval_of(name, np.full((40, 4), [7.0, 3, 5, 1]))
    repeated = interval_of(name, np.full((40, 4), [70.0, 30, 50, 10]))
    assert alike.high - alike.low > 0.15
    np.testing.assert_allclose(alike, repeated, atol=1e-3)


def test_balanced_epochs_are_worth_no_more_than_independent_items() -> None:
    """Each item right in one epoch of two, save one: hardly any variance is seen."""
    clusters = np.full((40, 2), 1.0)
    clusters[0] = 2, 0
    interval = cluster_interval(share, clusters)
    np.testing.assert_allclose(interval, proportion_interval(41, 80), atol=1e-3)


@pytest.mark.parametrize("name", [*NAMES, "precision"])
def test_a_perfect_detector_keeps_a_width(name: str) -> None:
    clusters = np.repeat(np.diag([1.0, 0, 0, 1])[[0, 3]], [87, 53], axis=0)
    low, high = interval_of(name, clusters)
    assert high == pytest.approx(1)
    assert 0.80 < low < 0.985


def test_a_last_digit_beyond_a_bound_is_rounding() -> None:
    rows = np.repeat(np.eye(2)[[0]], 30, axis=0)
    above = cluster_interval(lambda totals: math.nextafter(share(totals), 2), rows)
    np.testing.assert_allclose(above, proportion_interval(30, 30), atol=1e-9)
    below = cluster_interval(
        lambda totals: math.nextafter(share(totals), -1), rows[:, ::-1]
    )
    np.testing.assert_allclose(below, proportion_interval(0, 30), atol=1e-9)


def test_mcc_at_its_lower_end() -> None:
    clusters = np.repeat(np.eye(4)[[1, 2]], [53, 87], axis=0)
    low, high = interval_of("mcc", clusters)
    assert low == pytest.approx(-1)
    assert -0.985 < high < -0.80


def test_a_small_class_widens_balanced_accuracy() -> None:
    """100 % on 130 errors and 10 others says less than on 70 and 70."""
    few = interval_of("balanced_accuracy", np.repeat(np.eye(4)[[0, 3]], [130, 10], 0))
    even = interval_of("balanced_accuracy", np.repeat(np.eye(4)[[0, 3]], [70, 70], 0))
    assert 1 - few.low > 2 * (1 - even.low)


def test_level() -> None:
    clusters = simulate(seed=6, items=80, epochs=1, datasets=1)[0, :, 0]
    for name in NAMES:
        narrow, wide = (interval_of(name, clusters, level) for level in (0.8, 0.99))
        value = float(of_totals(name)(clusters.sum(axis=0)))
        assert wide.low < narrow.low < value < narrow.high < wide.high


@pytest.mark.parametrize(
    "clusters",
    [
        np.zeros((0, 2)),
        np.array([[3.0, 1.0]]),  # one cluster
        np.zeros((5, 2)),  # 0 / 0
        np.array([[3.0, 1.0], [0.0, 0.0]]),  # one cluster that matters
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # 0 / 0 in share
def test_no_interval(clusters: Array) -> None:
    assert all(math.isnan(end) for end in cluster_interval(share, clusters))


def test_no_interval_for_an_undefined_statistic() -> None:
    always_error = np.repeat(np.eye(4)[[0, 1]], [87, 53], axis=0)
    assert all(math.isnan(end) for end in interval_of("mcc", always_error))
    assert interval_of("recall", always_error).high == pytest.approx(1)


def test_no_interval_for_a_value_that_is_a_convention_only() -> None:
    """Precision without a predicted error is 0 by convention, not by observation."""
    never_error = np.repeat(np.eye(4)[[2, 3]], [87, 53], axis=0)
    interval = cluster_interval(
        lambda totals: float(STATISTICS["precision"](Counts(*totals), "realmistake")),
        never_error,
    )
    assert all(math.isnan(end) for end in interval)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 7.5, 40, 900])
def test_wilsons_closed_form_is_that_of_statsmodels(n: float, level: float) -> None:
    for successes in np.linspace(0, n, 9):
        expected = proportion_confint(successes, n, alpha=1 - level, method="wilson")
        found = proportion_interval(successes, n, level)
        assert found == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "error"),
    [
        # A mean of 3/4 of four items: the root of 3/16 * 4/3 / 4.
        ([[1, 0], [0, 1], [1, 0], [1, 0]], 1 / 4),
        ([[1, 0], [0, 0], [0, 1], [1, 0], [1, 0]], 1 / 4),
        # Half of six: one more in a cluster and one less in the other, twice that.
        ([[2, 0], [1, 3]], 1 / 3),
        ([[2, 1], [0, 0]], math.nan),
        ([[0, 0], [0, 0]], math.nan),
    ],
)
def test_standard_errors_of_clusters(counts: list[list[int]], error: float) -> None:
    assert cluster_error(share, counts) == pytest.approx(error, nan_ok=True)


def test_no_standard_error_where_the_statistic_has_no_value() -> None:
    assert math.isnan(cluster_error(lambda totals: math.nan, [[1, 0], [0, 1]]))
