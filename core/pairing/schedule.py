"""A schedule of debates between models, and how uneven it is."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from inspect_debate.core.errors import InputError
from inspect_debate.core.pairing.families import families_of


class Pairing(NamedTuple):
    """A debate to hold, or one that was held.

    `motion` is the motion's id or, where it has none, its text. `round` numbers the
    rounds of a tournament from 1; it is None where debates have no order.
    """

    proposition: str
    opposition: str
    motion: str
    round: int | None = None

    @property
    def pair(self) -> frozenset[str]:
        """The two models, whoever speaks for which side."""
        return frozenset(self[:2])


class Extent(NamedTuple):
    """The least and the greatest of some counts."""

    least: int
    most: int


class Seats(NamedTuple):
    """How often a model speaks for each side."""

    proposition: int
    opposition: int

    @property
    def appearances(self) -> int:
        """The debates that the model takes part in."""
        return self.proposition + self.opposition

    @property
    def difference(self) -> int:
        """By how much one side outweighs the other, without sign."""
        return abs(self.proposition - self.opposition)


class Imbalance(NamedTuple):
    """How uneven a schedule is.

    `sides` is the greatest difference between a model's debates for the proposition and
    for the opposition. `rematches` counts debates of a pair that met before,
    `same_family` those between models of one family. `on_motion` has the debates of
    every model on every motion; `motions` and `motions_per_model` are the extents of
    debates per motion, over all models and of single ones.
    """

    debates: int
    seats: Mapping[str, Seats]
    on_motion: Mapping[str, Mapping[str, int]]
    sides: int
    appearances: Extent
    rematches: int
    same_family: int
    motions: Extent
    motions_per_model: Extent


def imbalance(
    schedule: Iterable[Pairing],
    models: Collection[str] = (),
    motions: Collection[str] = (),
    families: Mapping[str, str] | None = None,
) -> Imbalance:
    """How uneven a schedule is.

    Args:
        schedule: The debates.
        models: Models that count even if they take part in no debate.
        motions: Motions that count even if nobody debates them.
        families: Families by model, where they are not told by the name.
    """
    debates = list(schedule)
    seats = seats_of(debates, {*models, *(name for d in debates for name in d[:2])})
    family = families_of(seats, families)
    topics = sorted({*motions, *(debate.motion for debate in debates)})
    held = Counter(debate.motion for debate in debates)
    of_model = Counter((name, d.motion) for d in debates for name in d[:2])
    return Imbalance(
        debates=len(debates),
        seats=seats,
        on_motion={
            name: {topic: of_model[name, topic] for topic in topics} for name in seats
        },
        sides=max((seat.difference for seat in seats.values()), default=0),
        appearances=_extent(seat.appearances for seat in seats.values()),
        rematches=len(debates) - len({debate.pair for debate in debates}),
        same_family=sum(family[a] == family[b] for a, b, *_ in debates),
        motions=_extent(held[topic] for topic in topics),
        motions_per_model=_extent(of_model[key] for key in product(seats, topics)),
    )


def seats_of(debates: Sequence[Pairing], models: Iterable[str]) -> dict[str, Seats]:
    """How often each model speaks for each side, by name in alphabetical order."""
    proposition = Counter(debate.proposition for debate in debates)
    opposition = Counter(debate.opposition for debate in debates)
    return {name: Seats(proposition[name], opposition[name]) for name in sorted(models)}


def check_pool(models: Sequence[str], motions: Sequence[str]) -> None:
    """Check that there is something to pair.

    Raises:
        InputError: If there are fewer than two models or no motion, or one comes twice.
    """
    if len(models) < 2:
        given = ", ".join(models) or "none"
        raise InputError(f"A pool needs at least two models; given: {given}.")
    if not motions:
        raise InputError("There is no motion to debate; give at least one.")
    for what, names in (("model", models), ("motion", motions)):
        name, times = Counter(names).most_common(1)[0]
        if times > 1:
            raise InputError(
                f"The {what} {name!r} is given {times} times; once will do."
            )


def _extent(counts: Iterable[int]) -> Extent:
    found = list(counts)
    return Extent(min(found, default=0), max(found, default=0))
