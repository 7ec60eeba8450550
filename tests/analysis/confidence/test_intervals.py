"""Means of bets, and ratios over debates, by hand and at their bounds."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from inspect_debate.analysis.confidence.frames import DEBATE
from inspect_debate.analysis.confidence.intervals import mean, ratio, share
from inspect_debate.core.measures.dependence import clustered_mean
from inspect_debate.core.measures.intervals import proportion_interval
from tests.analysis.confidence.made_bets import NONE, Debate, bets

POOL = ("a", "b", "c", "d")


def debates(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    """Of the models of both sides, what is counted, and among what."""
    return pd.DataFrame(
        {
            "sides": [{"proposition": a, "opposition": b} for a, b, _, _ in rows],
            "part": [part for *_, part, _ in rows],
            "whole": [whole for *_, whole in rows],
        }
    )


def test_a_mean_over_models_is_clustered_by_model_and_debate() -> None:
    made = bets(
        "cross_model",
        Debate("a", "b", ([60.0], [70.0])),
        Debate("b", "c", ([75.0], [50.0])),
        Debate("c", "a", ([40.0], [NONE])),
    )
    expected = clustered_mean(made["bet"], made["model"], made["debate"])
    found = mean(made, "bet")
    assert found == pytest.approx((59, *expected.interval()))


def test_a_mean_of_one_model_is_clustered_by_debate() -> None:
    made = bets("self", *[Debate("a", "a", ([b], [b])) for b in (50.0, 60.0, 70.0)])
    half = float(stats.t.isf(0.025, 2)) * 10 / sqrt(3)
    assert mean(made, "bet") == pytest.approx((60, 60 - half, 60 + half))


def test_a_ratio_of_sums() -> None:
    rows = debates(("a", "a", 2, 4), ("b", "b", 6, 6), ("c", "c", 0, 0))
    found = ratio(rows, "part", "whole")
    # Every debate adds 0.8 and its share of the residuals, -1.2 and 1.2, over 5.
    spread = np.std([0.8 - 0.24, 0.8 + 0.24], ddof=1) / sqrt(2)
    half = float(stats.t.isf(0.025, 1)) * spread
    assert found == pytest.approx((0.8, 0.8 - half, 0.8 + half))


def test_debates_of_the_same_models_stand_for_themselves() -> None:
    rows = debates(*[("a", "b", part, 1) for part in (0, 0, 1, 1)])
    turned = debates(*[("b", "a", part, 1) for part in (0, 0, 1, 1)])
    half = float(stats.t.isf(0.025, 3)) * sqrt(1 / 3) / 2
    for made in (rows, turned, pd.concat([rows[:2], turned[2:]])):
        assert ratio(made, "part", "whole") == pytest.approx(
            (0.5, 0.5 - half, 0.5 + half)
        )


def test_debates_of_the_same_model_widen_the_interval() -> None:
    alike = debates(*[(m, m, float(m in "ab"), 1) for m in POOL for _ in range(5)])
    mixed = debates(*[(m, m, float(n % 2), 1) for m in POOL for n in range(6)])
    widths = [
        found.high - found.low
        for found in (share(alike, "part", "whole"), share(mixed, "part", "whole"))
    ]
    assert widths[0] > 1.5 * widths[1]


@pytest.mark.parametrize("value", [0, 1])
def test_where_nothing_varies_models_are_what_is_counted(value: int) -> None:
    rows = debates(*[(m, m, value, 1) for m in POOL for _ in range(5)])
    expected = proportion_interval(value * 4, 4)
    assert share(rows, "part", "whole") == pytest.approx((value, *expected))
    single = debates(*[("a", "a", value, 1)] * 5)
    expected = proportion_interval(value * 5, 5)
    assert share(single, "part", "whole") == pytest.approx((value, *expected))


def test_nothing_to_count() -> None:
    for found in (
        ratio(debates(("a", "b", 0, 0)), "part", "whole"),
        share(debates(), "part", "whole"),
    ):
        assert np.isnan(found).all()


@given(
    st.lists(
        st.tuples(st.sampled_from(POOL), st.sampled_from(POOL), st.integers(0, 6)),
        min_size=1,
        max_size=12,
    )
)
def test_shares_stay_within_their_bounds(rows: list[tuple[str, str, int]]) -> None:
    made = debates(*[(a, b, float(part), 6.0) for a, b, part in rows])
    found = share(made, "part", "whole")
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_what_tells_a_debate_is_that_of_frames() -> None:
    assert DEBATE == ["condition", "run", "debate", "epoch"]
