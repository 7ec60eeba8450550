"""Which models meet how often, before sides and motions are given out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from inspect_debate.core.pairing.program import Count, Group, Program, filled
from inspect_debate.core.pairing.schedule import Pairing, seats_of

Pair = tuple[str, str]


def meetings(
    models: Sequence[str],
    debates: int,
    existing: Sequence[Pairing],
    family: Mapping[str, str],
) -> list[Pair]:
    """The pairs of a number of further debates.

    The aims, each as far as those before it allow: models appear equally often; each
    on both sides equally often; no pair meets again; pairs meet equally often; no pair
    is of one family. Sides count here because not every choice of pairs can even out
    the sides of `existing`; they are given out later (`core.pairing.sides`).

    Args:
        models: The pool. Of several optima its order decides which is found.
        debates: How many.
        existing: Debates that were held before, and count.
        family: The family of every model.

    Returns:
        A pair for every debate, in no order that means anything.
    """
    program = Program()
    seats = seats_of(existing, models)
    met = Counter(debate.pair for debate in existing)
    shares = filled(
        [seats[name].appearances for name in models], 2 * debates, most=debates
    )
    room = dict(zip(models, shares, strict=True))
    held = {
        (a, b): program.variable(min(room[a].high, room[b].high))
        for a, b in permutations(models, 2)
    }
    program.between(held.values(), debates, debates)
    as_proposition = {
        name: [held[name, other] for other in models if other != name]
        for name in models
    }
    as_opposition = {
        name: [held[other, name] for other in models if other != name]
        for name in models
    }
    for name in models:
        program.between([*as_proposition[name], *as_opposition[name]], *room[name])
    program.even(
        Group(
            [Count(as_proposition[m], seats[m].proposition) for m in models], debates
        ),
        Group([Count(as_opposition[m], seats[m].opposition) for m in models], debates),
    )
    pairs = {
        (a, b): Count([held[a, b], held[b, a]], met[frozenset((a, b))])
        for a, b in combinations(models, 2)
    }
    program.minimise(program.excess(pairs.values(), above=1))
    program.even(Group(list(pairs.values()), debates))
    program.minimise(
        {
            unit: 1
            for (a, b), count in pairs.items()
            if family[a] == family[b]
            for unit in count.variables
        }
    )
    return [
        pair
        for pair, count in pairs.items()
        for _ in range(sum(program.value(unit) for unit in count.variables))
    ]
