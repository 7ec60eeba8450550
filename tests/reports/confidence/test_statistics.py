"""The paper's statistics and how they are printed."""

import math

import pytest
from scipy import stats

from inspect_debate.reports.confidence.sides import (
    Spread,
    TTest,
    against,
    bounded_p,
    delta_p,
    delta_stars,
    fixed,
    mean_sd,
    paired,
    percent,
    small_p,
    spread,
)

NAN = float("nan")


def test_spread_leaves_out_what_is_missing() -> None:
    assert spread([60, 80, NAN], ddof=1) == pytest.approx((70, math.sqrt(200), 2))
    assert spread([60, 80, NAN], ddof=0) == pytest.approx((70, 10, 2))


def test_spread_of_too_little() -> None:
    one = spread([60], ddof=1)
    assert (one.mean, one.n) == (60, 1)
    assert math.isnan(one.sd)
    assert spread([60], ddof=0).sd == 0
    assert all(math.isnan(x) for x in spread([NAN], ddof=0)[:2])


def test_t_test_by_hand() -> None:
    # Mean 60 and standard error 20 / sqrt(4) of four bets: t = 1 with 3 df.
    found = against([40, 40, 80, 80], 50)
    error = math.sqrt(1600 / 3) / 2
    assert found[:2] == pytest.approx((60, 10 / error))
    assert found.p == pytest.approx(float(stats.t.sf(10 / error, 3)))
    assert against([40, 40, 80, 80], 50, "two-sided").p == pytest.approx(2 * found.p)


def test_pairs_are_whole() -> None:
    found = paired([50, 50, NAN, 60], [60, NAN, 70, 60])
    assert (found.mean, found.n) == (5, 2)


@pytest.mark.parametrize("values", [[], [60], [70, 70], [NAN, NAN]])
def test_too_little_for_a_t_test(values: list[float]) -> None:
    found = against(values)
    assert math.isnan(found.t)
    assert math.isnan(found.p)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (fixed(14.085, 1), "14.1"),
        (fixed(NAN), "–"),
        (percent(0.6166), "61.7%"),
        (percent(NAN), "–"),
        (mean_sd(Spread(72.9166, 7.894, 120)), "72.92 ± 7.89"),
        (mean_sd(Spread(72.9166, 7.894, 120), n=True), "72.92 ± 7.89 (N=120)"),
        (mean_sd(Spread(NAN, NAN, 0), n=True), "– ± – (N=0)"),
        (delta_p(TTest(2.083, 1, 0.0500, 12)), "Δ=2.08, p=0.0500"),
        (delta_p(TTest(2.083, 1, 0.04999, 12)), "Δ=2.08, p=0.0500*"),
        (delta_p(TTest(-0.83, 1, 0.0099, 12)), "Δ=-0.83, p=0.0099**"),
        (delta_p(TTest(5, 1, 0.00099, 12)), "Δ=5.00, p=0.0010***"),
        (delta_p(TTest(5, 1, 0.00099, 12), bounded=True), "Δ=5.00, p<0.001***"),
        (delta_p(TTest(5, 1, 0.0012, 12), bounded=True), "Δ=5.00, p=0.0012**"),
        (delta_p(TTest(0, NAN, NAN, 12)), "Δ=0.00, p=–"),
        (delta_stars(TTest(5, 1, 0.00099, 12)), "Δ=5.00***"),
        (small_p(6.97e-7), "6.97×10^-7"),
        (small_p(1.0e-4), "0.0001"),
        (small_p(0.5), "0.5000"),
        (small_p(0.0), "0.0000"),
        (small_p(NAN), "–"),
        (bounded_p(0.0009), "<0.001"),
        (bounded_p(0.7076), "0.708"),
    ],
)
def test_as_the_paper_prints(shown: str, expected: str) -> None:
    assert shown == expected
