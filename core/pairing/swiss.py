"""The next round of a Swiss tournament: models meet that have won equally often."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

from inspect_debate.core.pairing.meetings import Pair
from inspect_debate.core.pairing.motions import on_motions
from inspect_debate.core.pairing.program import Program
from inspect_debate.core.pairing.schedule import Pairing, check_pool, seats_of
from inspect_debate.core.pairing.sides import with_sides
from inspect_debate.core.seeds import seeded


class Result(NamedTuple):
    """What a jury made of a debate.

    `margin` is its summed confidence for the proposition minus that for the opposition;
    `proposition_won` is None where nobody won: a tie, or no verdict that could be read.
    """

    debate: Pairing
    proposition_won: bool | None
    margin: float = 0.0


class Standing(NamedTuple):
    """Where a model stands: wins minus losses, then the sum of its margins."""

    model: str
    difference: int
    margin: float
    debates: int


class Round(NamedTuple):
    """The debates of a round, and who sits it out in a pool of an odd number."""

    pairings: list[Pairing]
    bye: str | None


def standings(
    results: Iterable[Result], models: Sequence[str], seed: int = 0
) -> list[Standing]:
    """The models from the first to the last.

    Equal wins minus losses are told apart by the margin, equal margins by a seeded
    draw. A debate that nobody won counts as neither, and its margin counts.
    """
    points: Counter[str] = Counter()
    debates: Counter[str] = Counter()
    margins: dict[str, list[float]] = {name: [] for name in models}
    for (proposition, opposition, *_), won, margin in results:
        debates.update((proposition, opposition))
        if won is not None:
            points[proposition] += 1 if won else -1
            points[opposition] -= 1 if won else -1
        margins.setdefault(proposition, []).append(margin)
        margins.setdefault(opposition, []).append(-margin)
    # `fsum`, because a plain sum depends on the order of the results.
    table = [
        Standing(name, points[name], math.fsum(margins[name]), debates[name])
        for name in models
    ]
    return sorted(
        table,
        key=lambda one: (
            -one.difference,
            -one.margin,
            seeded(seed, "rank", one.model).random(),
        ),
    )


def swiss(
    results: Iterable[Result],
    models: Sequence[str],
    motions: Sequence[str],
    *,
    seed: int = 0,
) -> Round:
    """The next round of a tournament.

    No model meets itself. The further aims, each as far as those before it allow: no
    rematch (and fewest earlier meetings, where there must be one); pairs of equal wins
    minus losses; both sides equally often for every model (least sum of squared
    differences); the others as near as can be in wins minus losses; near in rank (least
    sum of squared differences). Motions are spread as in a balanced schedule.

    In a pool of an odd number one model has a bye, which counts as nothing: the lowest
    in rank of those that have had most debates so far, so of those that had no bye.

    Args:
        results: The debates so far, in any order.
        models: The pool, in any order.
        motions: Ids of the motions, in any order.
        seed: Decides what is equal.

    Raises:
        InputError: If there are fewer than two models, no motion, or one comes twice.
    """
    check_pool(models, motions)
    results = list(results)
    existing = [result.debate for result in results]
    ranked = standings(results, models, seed)
    bye = _bye(ranked) if len(ranked) % 2 else None
    pairs = _pairs([one for one in ranked if one != bye], existing)
    topics = sorted(motions)
    seeded(seed, "motions").shuffle(topics)
    number = 1 + max(one.debates for one in ranked)
    held = with_sides(on_motions(pairs, topics, existing), existing)
    rank = {one.model: place for place, one in enumerate(ranked)}
    held.sort(key=lambda debate: min(rank[name] for name in debate[:2]))
    return Round(
        [debate._replace(round=number) for debate in held], bye.model if bye else None
    )


def _bye(ranked: Sequence[Standing]) -> Standing:
    most = max(one.debates for one in ranked)
    return [one for one in ranked if one.debates == most][-1]


def _pairs(ranked: Sequence[Standing], existing: Sequence[Pairing]) -> list[Pair]:
    """The pairs of a round, from an even number of models in the order of their rank.

    Who speaks for which side is a part of the optimum, and found again, with regard to
    motions, by `with_sides`.
    """
    seats = seats_of(existing, [one.model for one in ranked])
    lead = {name: seat.proposition - seat.opposition for name, seat in seats.items()}
    met = Counter(debate.pair for debate in existing)
    program = Program()
    held = {(a, b): program.variable(1) for a, b in permutations(range(len(ranked)), 2)}
    for place in range(len(ranked)):
        program.between([unit for key, unit in held.items() if place in key], 1, 1)

    def cost(a: int, b: int) -> tuple[int, ...]:
        one, other = ranked[a], ranked[b]
        meetings = met[frozenset((one.model, other.model))]
        apart = abs(one.difference - other.difference)
        sides = (lead[one.model] + 1) ** 2 + (lead[other.model] - 1) ** 2
        return int(meetings > 0), meetings, int(apart > 0), sides, apart, (a - b) ** 2

    for aim in zip(*(cost(a, b) for a, b in held), strict=True):
        program.minimise(dict(zip(held.values(), aim, strict=True)))
    return [
        (ranked[a].model, ranked[b].model)
        for a, b in combinations(range(len(ranked)), 2)
        if program.value(held[a, b]) or program.value(held[b, a])
    ]
