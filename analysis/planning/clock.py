"""How long a run takes at a given latency."""

from collections.abc import Iterable
from typing import NamedTuple


class Minutes(NamedTuple):
    """At least and at most how long a run takes, in minutes."""

    low: float
    high: float


def minutes(
    calls: Iterable[float], depth: int, *, seconds: float, connections: int
) -> Minutes:
    """How long calls take whose waiting for each other is known.

    Calls are made as soon as they can be, each model with its own connections. Then a
    run takes at least as long as its busiest model and as one sample, and at most as
    long as all calls on one model's connections and then one more sample (Graham's
    bounds of list scheduling, 1966).

    Args:
        calls: Number of calls of each model.
        depth: Calls one after the other in a sample.
        seconds: That a call takes.
        connections: Of each model at once.
    """
    numbers = [*calls]
    alone = depth * seconds
    busiest, all = (n * seconds / connections for n in (max(numbers), sum(numbers)))
    return Minutes(max(busiest, alone) / 60, (all + alone) / 60)
