"""Which motion each debate is about."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import product
from typing import NamedTuple

from inspect_debate.core.pairing.meetings import Pair
from inspect_debate.core.pairing.program import Count, Group, Program
from inspect_debate.core.pairing.schedule import Pairing


class Debate(NamedTuple):
    """A pair and the motion that it debates; who speaks for it is still open."""

    pair: Pair
    motion: str


# What each aim is about, of all that a pair belongs to.
_AIMS: tuple[Callable[[Collection[str]], Collection[Hashable]], ...] = (
    lambda pair: ["all debates"],
    lambda pair: pair,
    lambda pair: [frozenset(pair)],
)


def on_motions(
    pairs: Sequence[Pair], motions: Sequence[str], existing: Sequence[Pairing]
) -> list[Debate]:
    """Give every debate a motion.

    The aims, each as far as those before it allow: motions are debated equally often;
    every model debates each of them equally often; so does every pair.

    Args:
        pairs: The pair of every debate, its models always in one order.
        motions: The motions. Of several optima their order decides which is found.
        existing: Debates that were held before, and count.
    """
    program = Program()
    times = Counter(pairs)
    held = {
        (pair, motion): program.variable(times[pair])
        for pair, motion in product(times, motions)
    }
    for pair, number in times.items():
        program.between([held[pair, motion] for motion in motions], number, number)
    for belongs_to in _AIMS:
        before = Counter(
            (whose, debate.motion)
            for debate in existing
            for whose in belongs_to(debate.pair)
        )
        members: dict[Hashable, list[Pair]] = defaultdict(list)
        for pair in times:
            for whose in belongs_to(pair):
                members[whose].append(pair)
        program.even(
            *(
                Group(
                    [
                        Count(
                            [held[pair, motion] for pair in of], before[whose, motion]
                        )
                        for motion in motions
                    ],
                    sum(times[pair] for pair in of),
                )
                for whose, of in members.items()
            )
        )
    return [
        Debate(*key) for key, unit in held.items() for _ in range(program.value(unit))
    ]
