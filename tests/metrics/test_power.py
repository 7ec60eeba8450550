"""Power of paired comparisons, by hand and by simulation."""

from math import isnan, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from inspect_debate.metrics import intervals, power


def pairs(given: Any, cluster: Any = None, stratum: Any = "", id: Any = None) -> Any:
    frame = pd.DataFrame({"difference": np.asarray(given, float)})
    frame["id"] = range(len(frame)) if id is None else id
    frame["cluster"] = frame["id"] if cluster is None else cluster
    return frame.assign(stratum=stratum)


def test_by_hand() -> None:
    # Six of twelve items differ, all to one side: 12 * 0.25 / 11.
    found = power.paired_variance(pairs([1] * 6 + [0] * 6), epochs=1)
    assert found.value == pytest.approx(3 / 11)
    # No excess kurtosis: chi-square with 11 degrees of freedom, 21.920 and 3.816.
    assert found[1:] == pytest.approx((3 / 21.920, 3 / 3.816), rel=1e-3)
    # Cohen's table: 34 pairs for half a standard deviation, 199 for a fifth.
    needed = power.items_needed
    assert (needed(0.5, 1), needed(20, 100**2), needed(1, 1e-6)) == (34, 199, 3)
    assert power.smallest_difference(34, 4) == pytest.approx(1, abs=0.02)
    assert isnan(power.smallest_difference(1, 1))
    assert isnan(power.smallest_discordant(20, 0.1))  # more than a tenth


def test_clusters_and_strata_as_in_intervals() -> None:
    rng = np.random.default_rng(0)
    cluster, stratum = np.arange(30).repeat(2), np.arange(60) % 3 % 2
    one = np.ones(60)
    given = (rng.normal(size=30)[cluster] + rng.normal(size=60)).round(1)

    def mean(totals: intervals.Array) -> intervals.Array:
        sums, sizes = totals[..., :2], totals[..., 2:]
        return np.asarray((sums / np.where(sizes, sizes, np.nan)).mean(axis=-1))

    rows = np.tile(np.eye(2)[stratum], 2) * np.stack([given, given, one, one], axis=-1)
    se = intervals.estimate(mean, rows, cluster, bounds=(-9, 9)).se
    found = power.paired_variance(pairs(given, cluster, stratum), epochs=1)
    assert sqrt(found.value / 60) == pytest.approx(se, rel=1e-4)


def test_more_epochs_reduce_what_varies_within_items() -> None:
    rng = np.random.default_rng(0)
    own, id = rng.normal(0, 1, 4000).repeat(2), np.arange(4000).repeat(2)
    given = pairs(own + rng.normal(0, 2, 8000), id=id)
    found = [power.paired_variance(given, epochs).value for epochs in (1, 2, 8)]
    assert found == pytest.approx([1 + 4, 1 + 2, 1 + 0.5], rel=0.08)
    once = given.drop_duplicates("id")  # nothing is known of what varies
    assert power.paired_variance(once, 8) == power.paired_variance(once, 1)


def test_too_few_pairs() -> None:
    for given in ([1, 0] * 4, [1] * 4 + [0] * 90, [1] * 50, []):
        found = power.paired_variance(pairs(given), 1)
        assert all(map(isnan, (*found, power.items_needed(0.1, found.value))))


@pytest.mark.parametrize("discordance", [0.2, 0.4])
def test_power_of_mcnemar_at_100_items(discordance: float) -> None:
    difference = power.smallest_discordant(100, discordance)
    better = (discordance + difference) / 2
    chances = [better, discordance - better, 1 - discordance]
    drawn = np.random.default_rng(1).multinomial(100, chances, 20_000)[:, :2]
    few, n = drawn.min(axis=1), drawn.sum(axis=1)
    p = 2 * binom.cdf(few, n, 0.5) - binom.pmf(few, n, 0.5)
    assert np.mean(p <= 0.05) == pytest.approx(0.8, abs=0.03)
    least = power.smallest_difference(100, discordance - difference**2)
    assert least == pytest.approx(difference)


def test_the_interval_of_a_skewed_variance() -> None:
    drawn = np.random.default_rng(3).choice([1, -1, 0], (200, 50), p=[0.15, 0.05, 0.8])
    found = [power.paired_variance(pairs(one), 1) for one in drawn]
    assert np.mean([one.low <= 0.2 - 0.1**2 <= one.high for one in found]) > 0.9
