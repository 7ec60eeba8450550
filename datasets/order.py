"""The order of a data set: one of which every prefix is a fair part of the whole."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from typing import TypeVar

from inspect_debate.debate.seeds import seeded

T = TypeVar("T")
Stratum = tuple[Hashable, ...]
Margin = tuple[tuple[int, Hashable], ...]


def interleaved(
    items: Iterable[T],
    identity: Callable[[T], str],
    stratum: Callable[[T], Stratum],
    seed: int,
) -> list[T]:
    """Items in a seeded order that keeps every prefix close to the whole.

    Each place goes to the stratum that brings the counts so far closest to their
    shares: those of the strata and of all their margins (for subset x label, also of
    each subset and of each label), by the sum of squared differences.

    Args:
        items: The items, in any order: it has no influence.
        identity: What names an item, unique among them.
        stratum: The factors that cross to an item's stratum.
        seed: Decides the order within strata, and between equally good strata.
    """
    queues: defaultdict[Stratum, list[T]] = defaultdict(list)
    for item in sorted(items, key=lambda item: _draw(seed, identity(item))):
        queues[stratum(item)].append(item)
    margins = {key: _margins(key) for key in queues}
    whole = Counter(
        margin for key, queue in queues.items() for margin in margins[key] * len(queue)
    )
    total = sum(len(queue) for queue in queues.values())
    so_far: Counter[Margin] = Counter()
    ordered: list[T] = []

    def ahead(key: Stratum) -> int:
        # What the sum of squares gains if the stratum gets the next place, up to a
        # factor and to what is the same for every stratum; in whole numbers.
        place = len(ordered) + 1
        return sum(so_far[m] * total - place * whole[m] for m in margins[key])

    while len(ordered) < total:
        # Strata stand in the order of their first items, so the seed breaks ties.
        key = min((key for key, queue in queues.items() if queue), key=ahead)
        ordered.append(queues[key].pop(0))
        so_far.update(margins[key])
    return ordered


def _margins(stratum: Stratum) -> list[Margin]:
    factors = list(enumerate(stratum))
    return [m for size in range(len(factors)) for m in combinations(factors, size + 1)]


def _draw(seed: int, identity: str) -> tuple[float, str]:
    return seeded(seed, "order", identity).random(), identity
