"""How far jurors and raters agree: by hand, and as Inspect and statsmodels have it."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.scorer import krippendorff_alpha as inspect_alpha

from inspect_debate.v1.metrics.agreement import (
    dissents,
    krippendorff_alpha,
    pairwise_agreement,
    repeat_agreement,
    side_share,
    unanimity,
)
from inspect_debate.v1.metrics.intervals import proportion_interval
from tests.v1.support.strict import no_warnings

NAN = math.nan


Table = list[list[float]]


JURY: Table = [
    [1, 1, 1],
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, NAN],
    [1, 0, NAN],
    [1, NAN, NAN],
]
"""Of the debates' pairs of verdicts 3/3, 3/3, 1/3, 1/1, 0/1 and 0/0 agree."""

TABLES = st.integers(2, 5).flatmap(
    lambda jurors: st.lists(
        st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=jurors, max_size=jurors),
        min_size=1,
        max_size=12,
    )
)


def test_dissents() -> None:
    assert dissents(JURY) == {0: 3, 1: 2}
    assert dissents([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]]) == {0: 1, 1: 1, 2: 1}
    assert dissents([[1, NAN]]) == {}


def test_unanimity() -> None:
    assert unanimity(JURY) == 3 / 5
    assert unanimity([[1, 0]]) == 0
    assert math.isnan(unanimity([[1, NAN]]))


def test_pairwise_agreement() -> None:
    assert pairwise_agreement(JURY) == pytest.approx((1 + 1 + 1 / 3 + 1 + 0) / 5)
    assert math.isnan(pairwise_agreement([[1, NAN]]))


def test_alpha_by_hand() -> None:
    # Coincidences: a debate of m verdicts gives each ordered pair 1 / (m - 1). Of 13
    # verdicts 7 are for 1; unlike pairs are 4 of 6 in debate 3 and 2 of 2 in debate 5.
    observed = (4 / 2 + 2 / 1) / 13
    expected = 2 * 7 * 6 / (13 * 12)
    assert krippendorff_alpha(JURY) == pytest.approx(1 - observed / expected)


def test_alpha_of_the_example_in_the_literature() -> None:
    """Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", part A."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorff_alpha(np.array([first, second]).T) == pytest.approx(
        0.095, abs=5e-4
    )


@given(TABLES)
def test_alpha_is_that_of_inspect(table: Table) -> None:
    """All but its convention where all verdicts are for one side."""
    scores = [
        SampleScore(score=Score(value=known))
        for row in table
        if len(known := [verdict for verdict in row if not math.isnan(verdict)]) > 1
    ]
    alpha = krippendorff_alpha(table)
    if not math.isnan(alpha):
        metric: Any = inspect_alpha("nominal")
        assert alpha == pytest.approx(metric(scores), abs=1e-9)


@pytest.mark.parametrize("table", [[[1, 1], [1, 1]], [[1, NAN], [NAN, 0]]])
def test_no_alpha_where_chance_would_agree_as_well(table: Table) -> None:
    assert math.isnan(krippendorff_alpha(table))


@given(TABLES)
def test_agreement_over_all_pairs_of_jurors(table: Table) -> None:
    shares, kinds = [], []
    for row in table:
        known = [verdict for verdict in row if not math.isnan(verdict)]
        if pairs := list(combinations(known, 2)):
            shares.append(np.mean([a == b for a, b in pairs]))
            kinds.append(min(known.count(0), known.count(1)))
    assert dissents(table) == {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    expected = np.mean(shares) if shares else NAN
    assert pairwise_agreement(table) == pytest.approx(expected, nan_ok=True)


def test_share_of_a_side() -> None:
    share = side_share(JURY)
    assert (share.value, share.n) == (8 / 14, 14)
    assert 0 < share.low < share.value < share.high < 1
    other = side_share(1 - np.array(JURY))
    assert other.value == pytest.approx(1 - share.value)
    assert other.low == pytest.approx(1 - share.high, abs=1e-6)


def test_one_juror_has_wilson_s_interval() -> None:
    table = [[1.0]] * 11 + [[0.0]] * 108 + [[NAN]]
    share = side_share(table)
    assert (share.value, share.n) == (11 / 119, 119)
    assert share[1:3] == pytest.approx(proportion_interval(11, 119))


def test_verdicts_on_one_debate_are_no_independent_ones() -> None:
    alone = side_share([[1], [0]] * 20)
    alike = side_share([[1] * 6, [0] * 6] * 20)
    assert alike.n == 6 * alone.n
    assert alike[:3] == pytest.approx(alone[:3], abs=1e-3)


def test_repeat_agreement() -> None:
    first: Table = [[1, 1], [0, 1], [NAN, 0], [1, 0]]
    second: Table = [[1, 0], [0, 1], [1, 0], [1, NAN]]
    share = repeat_agreement(first, second)
    assert (share.value, share.n) == (5 / 6, 6)
    one = repeat_agreement([[1.0]] * 56 + [[0.0]] * 3, [[1.0]] * 59)
    assert one[:3] == pytest.approx((56 / 59, *proportion_interval(56, 59)))


@no_warnings
@pytest.mark.parametrize("table", [[[NAN, NAN]], np.empty((0, 3))])
def test_nothing_without_verdicts(table: Any) -> None:
    assert dissents(table) == {}
    assert math.isnan(pairwise_agreement(table))
    shares = side_share(table), repeat_agreement(table, table)
    for value, low, high, n in shares:
        assert n == 0
        assert all(math.isnan(number) for number in (value, low, high))
