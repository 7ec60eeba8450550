"""Who speaks for which side."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence

from inspect_debate.core.pairing.motions import Debate
from inspect_debate.core.pairing.program import Count, Group, Program
from inspect_debate.core.pairing.schedule import Pairing

# Where a model is to speak for both sides equally often: at all, on a motion, and
# against an opponent.
_AIMS: tuple[Callable[[str, str, str], Hashable], ...] = (
    lambda model, opponent, motion: model,
    lambda model, opponent, motion: (model, motion),
    lambda model, opponent, motion: (model, opponent),
)


def with_sides(debates: Sequence[Debate], existing: Sequence[Pairing]) -> list[Pairing]:
    """Give the models of every debate their sides.

    The aims, each as far as those before it allow: every model speaks for both sides
    equally often; also on each motion; also against each of its opponents.

    Args:
        debates: Pairs and their motions.
        existing: Debates that were held before, and count.
    """
    program = Program()
    # For each debate two variables, of which one is 1: that of the proposition.
    proposes = [[program.variable(1), program.variable(1)] for _ in debates]
    for both in proposes:
        program.between(both, 1, 1)
    for place in _AIMS:
        before = Counter(
            key
            for first, second, motion, _ in existing
            for key in (
                (place(first, second, motion), "proposition"),
                (place(second, first, motion), "opposition"),
            )
        )
        seats: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
        for ((a, b), motion), (of_a, of_b) in zip(debates, proposes, strict=True):
            seats[place(a, b, motion)].append((of_a, of_b))
            seats[place(b, a, motion)].append((of_b, of_a))
        program.even(
            *(
                Group(
                    [
                        Count([own for own, _ in taken], before[where, "proposition"]),
                        Count(
                            [other for _, other in taken], before[where, "opposition"]
                        ),
                    ],
                    len(taken),
                )
                for where, taken in seats.items()
            )
        )
    return [
        Pairing(*(pair if program.value(of_first) else pair[::-1]), motion)
        for (pair, motion), (of_first, _) in zip(debates, proposes, strict=True)
    ]
