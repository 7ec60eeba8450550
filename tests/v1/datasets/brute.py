"""Pools of models, every schedule there is, and how good it is."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product

from hypothesis import strategies as st

from inspect_debate.v1.datasets.schedules import Pairing, Standing, family

Seat = tuple[str, str]
Quality = tuple[int, ...]
"""How far a schedule misses its aims, the first first; the lowest is the best."""


def squares(counts: Iterable[int]) -> int:
    return sum(count * count for count in counts)


def schedules(models: Sequence[str], debates: int) -> Iterator[tuple[Seat, ...]]:
    """Who proposes and who opposes, in every choice of debates."""
    return combinations_with_replacement(list(permutations(models, 2)), debates)


def meetings_quality(debates: Sequence[Seat], models: Sequence[str]) -> Quality:
    """Of pairs and sides, whatever the motions."""
    proposition = Counter(a for a, _ in debates)
    opposition = Counter(b for _, b in debates)
    met = Counter(frozenset(seats) for seats in debates)
    return (
        squares(proposition[name] + opposition[name] for name in models),
        squares(proposition[name] - opposition[name] for name in models),
        sum(count - 1 for count in met.values()),
        squares(met.values()),
        sum(family(a) == family(b) for a, b in debates),
    )


def motions_quality(debates: Sequence[Pairing]) -> Quality:
    """Of motions, given the pairs; motions that nobody debates add nothing."""
    return (
        squares(Counter(d.motion for d in debates).values()),
        squares(Counter((n, d.motion) for d in debates for n in d[:2]).values()),
        squares(Counter((d.pair, d.motion) for d in debates).values()),
    )


def sides_quality(debates: Sequence[Pairing]) -> Quality:
    """Of sides, given pairs and motions."""
    seats = [(d[i], i, d.motion, d[1 - i]) for d in debates for i in (0, 1)]
    return (
        squares(Counter((name, side) for name, side, *_ in seats).values()),
        squares(Counter(seat[:3] for seat in seats).values()),
        squares(
            Counter((name, side, other) for name, side, _, other in seats).values()
        ),
    )


def on_all_motions(
    debates: Sequence[Pairing], motions: Sequence[str]
) -> Iterator[list[Pairing]]:
    for chosen in product(motions, repeat=len(debates)):
        yield [d._replace(motion=m) for d, m in zip(debates, chosen, strict=True)]


def on_all_sides(debates: Sequence[Pairing]) -> Iterator[list[Pairing]]:
    for chosen in product((False, True), repeat=len(debates)):
        yield [
            Pairing(d.opposition, d.proposition, d.motion) if turned else d
            for d, turned in zip(debates, chosen, strict=True)
        ]


def matchings(models: Collection[str]) -> Iterator[list[Seat]]:
    """Every way to pair an even number of models, with either of them first."""
    first, *rest = [*models, ""]
    if not first:
        yield []
    for other in rest[:-1]:
        for others in matchings([name for name in rest[:-1] if name != other]):
            yield [(first, other), *others]
            yield [(other, first), *others]


def round_quality(
    debates: Sequence[Seat], table: Sequence[Standing], before: Sequence[Pairing]
) -> Quality:
    """Of a round of a tournament."""
    met = Counter(debate.pair for debate in before)
    again = [met[frozenset(seats)] for seats in debates]
    place = {one.model: (n, one.difference) for n, one in enumerate(table)}
    apart = [abs(place[a][1] - place[b][1]) for a, b in debates]
    lead = Counter(a for a, *_ in [*before, *debates])
    lead.subtract(b for _, b, *_ in [*before, *debates])
    return (
        sum(times > 0 for times in again),
        sum(again),
        sum(gap > 0 for gap in apart),
        squares(lead[one.model] for one in table),
        sum(apart),
        squares(place[a][0] - place[b][0] for a, b in debates),
    )


def pool(size: int, of_a_family: int = 2) -> list[str]:
    """Models of families of a size; their order in the alphabet means nothing."""
    return [f"{'zyxwvutsrqponmlk'[n // of_a_family]}/{n}" for n in range(size)]


@st.composite
def earlier_debates(
    draw: st.DrawFn, models: Sequence[str], motions: Sequence[str], most: int
) -> list[Pairing]:
    """Debates that took place before."""
    seats = st.permutations(models).map(lambda order: (order[0], order[1]))
    rows = draw(st.lists(st.tuples(seats, st.sampled_from(motions)), max_size=most))
    return [Pairing(*pair, motion) for pair, motion in rows]
