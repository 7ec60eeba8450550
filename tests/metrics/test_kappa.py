"""Cohen's kappa against worked values and statsmodels."""

from math import isnan

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from inspect_debate.metrics.agreement import cohen_kappa


@pytest.mark.parametrize(
    ("first", "second", "kappa"),
    [
        ("AABB", "AABB", 1),
        ("AABB", "ABAB", 0),
        ("AABB", "BBAA", -1),
        # Observed 3 of 4; expected 3/4 * 2/4 + 1/4 * 2/4 = 1/2.
        ("AAAB", "AABB", 0.5),
        # A third answer: observed 2 of 3; expected 1/3 * 1/3 + 1/3 * 2/3 + 1/3 * 0.
        ("ABC", "ABB", (2 / 3 - 1 / 3) / (1 - 1 / 3)),
        ("AAAA", "BBBB", 0),
    ],
)
def test_worked_values(first: str, second: str, kappa: float) -> None:
    assert cohen_kappa(first, second) == pytest.approx(kappa)


@pytest.mark.parametrize("answers", ["", "A", "AAA"])
def test_nothing_tells_agreement_from_chance(answers: str) -> None:
    assert isnan(cohen_kappa(answers, answers))


def test_it_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 4, 60)
    second = np.where(rng.random(60) < 0.5, first, rng.integers(0, 4, 60))
    table = np.zeros((4, 4))
    np.add.at(table, (first, second), 1)
    theirs = cohens_kappa(table, return_results=False)
    assert cohen_kappa(list(first), list(second)) == pytest.approx(theirs)


def test_raters_of_other_items_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length: 2, 3"):
        cohen_kappa("AB", "ABA")
