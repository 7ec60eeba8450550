"""Where a verdict moved, and the names of the checks."""

import math
from typing import get_args

import pytest

from inspect_debate.debate.judge_checks import (
    CHECKS,
    FAVOURED,
    PERTURBATIONS,
    REPEAT,
    SWAPS,
    Check,
    moved,
)


@pytest.mark.parametrize(
    ("base", "after", "favoured", "value"),
    [
        ("A", "B", "B", 1),
        ("A", "B", "A", -1),
        ("B", "A", "A", 1),
        ("A", "A", "A", 0),
        ("A", "A", "B", 0),
    ],
)
def test_a_verdict_moves_toward_a_side_or_away(
    base: str, after: str, favoured: str, value: float
) -> None:
    assert moved(base, after, favoured) == value


@pytest.mark.parametrize(("base", "after"), [(None, "A"), ("A", None), (None, None)])
def test_what_was_not_read_did_not_stay(base: str | None, after: str | None) -> None:
    assert math.isnan(moved(base, after, "A"))


def test_every_check_is_one_thing() -> None:
    assert set(CHECKS) == set(get_args(Check))
    assert sorted((REPEAT, *SWAPS, *PERTURBATIONS)) == sorted(CHECKS)
    assert FAVOURED.keys() == {*SWAPS, *PERTURBATIONS}
