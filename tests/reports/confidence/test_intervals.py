"""Means of bets, and ratios over debates, by hand and at their bounds."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.metrics.dependence import clustered_mean
from inspect_debate.metrics.intervals import proportion_interval
from inspect_debate.reports.confidence.frames import DEBATE
from inspect_debate.reports.confidence.intervals import BETS, SHARES, mean, ratio, share
from inspect_debate.reports.elements import NUMBER, interval_text
from tests.reports.confidence.made_bets import NONE, Debate, bets

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
    found = mean(made, "bet", BETS)
    assert found == pytest.approx((59, *expected.interval(bounds=(0, 100))))


def of_share(value: float, error: float, df: int) -> tuple[float, float]:
    """Wilson's interval for as many values as have the error, widened by t."""
    error *= STUDENT[df] / 1.959964
    size = value * (1 - value) / error**2
    return proportion_interval(value * size, size)


STUDENT = {2: 4.302653, 3: 3.182446}
"""Student's 97.5 % quantile by degrees of freedom."""


def test_a_mean_of_one_model_is_clustered_by_debate() -> None:
    made = bets("self", *[Debate("a", "a", ([b], [b])) for b in (50.0, 60.0, 70.0)])
    low, high = of_share(0.6, 0.1 / sqrt(3), 2)
    expected = (60, 100 * low, 100 * high)
    assert mean(made, "bet", BETS) == pytest.approx(expected, abs=1e-4)


def test_bets_of_two_models_are_too_few() -> None:
    made = bets("cross_model", *[Debate("a", "b", ([95.0], [70.0]))] * 2)
    found = mean(made, "bet", BETS)
    assert found == (82.5, -np.inf, np.inf)
    assert interval_text(NUMBER, found.low, found.high) == "n too small"


def test_a_ratio_of_sums() -> None:
    rows = debates(*[("a", "a", 2, 4), ("b", "b", 6, 6), ("c", "c", 0, 0)])
    assert ratio(rows, "part", "whole", SHARES) == pytest.approx((0.8, -np.inf, np.inf))
    more = pd.concat([rows, debates(("d", "d", 4, 5))])
    # Every debate adds 0.8 and its share of the residuals, -1.2, 1.2 and 0, over 5.
    spread = float(np.std([0.8 - 0.24, 0.8 + 0.24, 0.8], ddof=1)) / sqrt(3)
    expected = (0.8, *of_share(0.8, spread, 2))
    assert ratio(more, "part", "whole", SHARES) == pytest.approx(expected, abs=1e-5)


def test_debates_of_the_same_models_stand_for_themselves() -> None:
    rows = debates(*[("a", "b", part, 1) for part in (0, 0, 1, 1)])
    turned = debates(*[("b", "a", part, 1) for part in (0, 0, 1, 1)])
    expected = (0.5, *of_share(0.5, sqrt(1 / 3) / 2, 3))
    for made in (rows, turned, pd.concat([rows[:2], turned[2:]])):
        found = ratio(made, "part", "whole", SHARES)
        assert found == pytest.approx(expected, abs=1e-5)


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
        ratio(debates(("a", "b", 0, 0)), "part", "whole", SHARES),
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
    inside = 0 <= found.low <= found.value <= found.high <= 1
    assert inside or (found.low, found.high) == (-np.inf, np.inf)


def test_what_tells_a_debate_is_that_of_frames() -> None:
    assert DEBATE == ["condition", "run", "debate", "epoch"]
