"""Bets of ten models that differ, in debates whose two sides are alike.

Bets are drawn from normal distributions, rounded to multiples of five and cut off at
0 and 100, as published bets are. With the spreads below, in points, they scatter about
as much as those do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Schedule = NDArray[np.int64]
"""(debates, 2): the models of the two sides."""

MODELS = 10

SELF: Schedule = np.repeat(np.arange(MODELS), 2 * 6).reshape(-1, 2)
"""Six debates of each model with itself."""

_ROUNDS = (1, 1, 2, 3, 4, 5)

CROSS: Schedule = np.array(
    [(i, (i + step) % MODELS) for step in _ROUNDS for i in range(MODELS)]
)
"""60 debates: each model has met each other once or twice, and is six times on either
side."""


class Spread(NamedTuple):
    """Standard deviations over models, over debates, and of what is left."""

    model: float
    debate: float
    side: float


OPENING, CHANGE = Spread(8, 5, 8), Spread(5, 4, 8)


class Pool(NamedTuple):
    """A value per side of each debate, the two sides of a debate in a row."""

    opening: Array
    change: Array
    model: list[int]
    debate: list[int]


def draw_pool(
    schedule: Schedule,
    seed: int,
    *,
    opening: float = 50.0,
    change: float = 0.0,
    spread: Spread = OPENING,
) -> Pool:
    """Draw opening bets, and how much the closing ones differ.

    Args:
        schedule: who meets whom.
        seed: of all draws.
        opening: the planted mean of opening bets.
        change: the planted mean of changes.
        spread: of opening bets.
    """
    rng = np.random.default_rng(seed)
    first = _rounded(opening + _noise(rng, schedule, spread))
    last = _rounded(first + change + _noise(rng, schedule, CHANGE))
    debate = np.arange(len(schedule)).repeat(2)
    return Pool(first, last - first, schedule.ravel().tolist(), debate.tolist())


def _noise(rng: np.random.Generator, schedule: Schedule, spread: Spread) -> Array:
    of_models = rng.normal(0, spread.model, MODELS)[schedule.ravel()]
    of_debates = rng.normal(0, spread.debate, len(schedule)).repeat(2)
    noise: Array = of_models + of_debates + rng.normal(0, spread.side, schedule.size)
    return noise


def _rounded(bets: Array) -> Array:
    return np.clip(5 * np.round(bets / 5), 0, 100)
