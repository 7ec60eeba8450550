"""How hard questions are."""

import math
from itertools import product

import numpy as np
import pytest

from inspect_debate.v1.metrics.tiers import TIERS, Tier, difficulty

NAN = math.nan


@pytest.mark.parametrize(
    ("rate", "tier"),
    [
        (0, "hard"),
        (0.33, "hard"),
        (np.mean([1, 0, 0]), "medium"),
        (2 / 6, "medium"),
        (0.5, "medium"),
        (np.mean([1, 1, 0]), "medium"),
        (4 / 6, "medium"),
        (0.67, "easy"),
        (1, "easy"),
        (NAN, None),
    ],
)
def test_of_one_family(rate: float, tier: Tier | None) -> None:
    assert difficulty([[rate]]) == [tier]


@pytest.mark.parametrize(
    ("rates", "tier"),
    [
        ([0, 0], "hard"),
        ([0.5, 0.5], "hard"),
        ([0.4, 0.49], "hard"),
        ([0.51, 0.5], "medium"),
        ([0, 1], "medium"),
        ([0.51, 0.51], "easy"),
        ([1, 1], "easy"),
        ([NAN, 1], None),
        ([0, NAN], None),
        ([NAN, NAN], None),
        # Of more than two.
        ([0.5, 0, 0.2], "hard"),
        ([1, 0, 0], "medium"),
        ([1, 1, 0.5], "medium"),
        ([1, 0.6, 0.7], "easy"),
        ([1, 1, NAN], None),
    ],
)
def test_of_several_families(rates: list[float], tier: Tier | None) -> None:
    assert difficulty([rates]) == [tier]
    assert difficulty([rates[::-1]]) == [tier]


def test_questions_are_labelled_one_by_one() -> None:
    table = [*product((0.2, 0.8), repeat=2), (NAN, 0.5)]
    assert difficulty(table) == ["hard", "medium", "medium", "easy", None]
    assert difficulty(table[::-1]) == [None, "easy", "medium", "medium", "hard"]
    assert difficulty(np.zeros((0, 2))) == []
    assert TIERS == ("hard", "medium", "easy")
