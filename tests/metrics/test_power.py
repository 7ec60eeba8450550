import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from inspect_debate.metrics.paired import mcnemar
from inspect_debate.metrics.power import mcnemar_power, smallest_difference


@cache
def shown(only_a: int, only_b: int) -> bool:
    """Whether the test of the comparisons rejects at 5 %."""
    right_a = [1] * only_a + [0] * only_b
    right_b = [0] * only_a + [1] * only_b
    return mcnemar(right_a, right_b).p <= 0.05


@pytest.mark.parametrize("difference", [0.0, 0.4, 1.0])
def test_six_items_that_always_differ(difference: float) -> None:
    # 6 to 0 has the mid-p-value 1/64, 5 to 1 has (7 + 1)/64.
    more = (1 + difference) / 2
    power = more**6 + (1 - more) ** 6
    assert mcnemar_power(6, 1.0, difference) == pytest.approx(power)


@pytest.mark.parametrize(
    ("n", "discordance", "difference"),
    [(12, 0.5, 0.3), (25, 0.2, 0.2), (25, 0.8, 0.0), (1, 1.0, 1.0)],
)
def test_power_is_the_probability_of_all_results_that_the_test_rejects(
    n: int, discordance: float, difference: float
) -> None:
    only_a, only_b = (discordance + difference) / 2, (discordance - difference) / 2
    chances = [only_a, only_b, 1 - discordance]
    rejected = sum(
        stats.multinomial.pmf([a, b, n - a - b], n, chances)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        if shown(a, b)
    )
    assert mcnemar_power(n, discordance, difference) == pytest.approx(rejected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "discordance"), [(100, 0.3), (300, 0.1), (900, 0.2), (900, 0.5)]
)
def test_the_smallest_difference_is_found_in_eight_simulated_studies_of_ten(
    n: int, discordance: float
) -> None:
    difference = smallest_difference(n, discordance)
    only_a, only_b = (discordance + difference) / 2, (discordance - difference) / 2
    studies = 20_000
    drawn = np.random.default_rng(8).multinomial(
        n, [only_a, only_b, 1 - discordance], size=studies
    )
    kinds, number = np.unique(drawn[:, :2], axis=0, return_counts=True)
    found = sum(
        count for (a, b), count in zip(kinds, number, strict=True) if shown(a, b)
    )
    error = math.sqrt(0.8 * 0.2 / studies)
    assert found / studies == pytest.approx(0.8, abs=4 * error)


@pytest.mark.parametrize("discordance", [0.1, 0.2, 0.5])
def test_the_smallest_difference_is_near_the_usual_approximation(
    discordance: float,
) -> None:
    n, exact = 900, smallest_difference(900, discordance)
    # Connor (1987), for McNemar's test without a correction.
    quantiles = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    deviations = math.sqrt(discordance), math.sqrt(discordance - exact**2)
    approximate = np.dot(quantiles, deviations) / math.sqrt(n)
    assert exact == pytest.approx(approximate, rel=0.02)


def test_more_items_show_smaller_differences_and_more_power_takes_greater_ones() -> (
    None
):
    by_n = [smallest_difference(n, 0.3) for n in (50, 200, 900)]
    assert by_n == sorted(by_n, reverse=True)
    by_power = [smallest_difference(200, 0.3, power=p) for p in (0.5, 0.8, 0.95)]
    assert by_power == sorted(by_power)
    strict = smallest_difference(200, 0.3, level=0.01)
    assert strict > smallest_difference(200, 0.3)


@pytest.mark.parametrize(("n", "discordance"), [(4, 1.0), (100, 0.02), (100, 0.0)])
def test_too_few_discordant_items_show_nothing(n: int, discordance: float) -> None:
    assert math.isnan(smallest_difference(n, discordance))


def test_without_discordant_items_there_is_no_power() -> None:
    assert mcnemar_power(100, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"n": 0}, "n is 0"),
        ({"discordance": 1.2}, "discordance is 1.2"),
        ({"discordance": -0.1}, "discordance is -0.1"),
        ({"level": 0.0}, "level is 0.0"),
        ({"difference": 0.4}, "difference is 0.4"),
        ({"difference": -0.1}, "difference is -0.1"),
    ],
)
def test_what_is_not_possible_is_refused(given: dict[str, float], says: str) -> None:
    numbers = {"n": 100, "discordance": 0.3, "difference": 0.1, "level": 0.05} | given
    n = int(numbers.pop("n"))
    with pytest.raises(ValueError, match=says):
        mcnemar_power(n, **numbers)


@pytest.mark.parametrize("power", [0.05, 1.0])
def test_a_power_that_is_not_possible_is_refused(power: float) -> None:
    with pytest.raises(ValueError, match=f"power is {power}"):
        smallest_difference(100, 0.3, power=power)
