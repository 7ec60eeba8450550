"""The bets of both sides of a debate, compared as in "When Two LLMs Debate"."""

from itertools import combinations
from math import isnan, nan

LOW, HIGH = 50.0, 75.0
"""Bets up to the first are low, above the second high, and middling between; most
bets are multiples of five, so that it matters where exactly 50 and 75 belong."""

_LEVELS = ("le50", "51_75", "gt75")

_PAIRS = (*zip(_LEVELS, _LEVELS, strict=True), *combinations(_LEVELS, 2))

BET_CLASSES: tuple[str, ...] = tuple(
    f"both_{one}" if one == other else f"{one}_and_{other}" for one, other in _PAIRS
)
"""The unordered pairs of levels of two bets, in the order of the paper's Table 4."""


def bet_class(proposition: float, opposition: float) -> float:
    """The index into `BET_CLASSES` of the bets of both sides, in either order.

    Args:
        proposition: One side's bet from 0 to 100, or NaN where there is none.
        opposition: The other side's.

    Returns:
        A number from 0 to 5; NaN where a bet is.
    """
    if isnan(proposition) or isnan(opposition):
        return nan
    lower, higher = sorted((_level(proposition), _level(opposition)))
    return float(_PAIRS.index((_LEVELS[lower], _LEVELS[higher])))


def both_over(proposition: float, opposition: float, threshold: float) -> float:
    """Whether both bets are strictly above a threshold: 1 or 0, NaN where a bet is."""
    if isnan(proposition) or isnan(opposition):
        return nan
    return float(min(proposition, opposition) > threshold)


def excess(proposition: float, opposition: float) -> float:
    """Points by which the bets exceed the 100 that two chances of winning add up to."""
    return proposition + opposition - 100


def _level(bet: float) -> int:
    # Two true values of numpy would add up to one.
    return int(bet > LOW) + int(bet > HIGH)
