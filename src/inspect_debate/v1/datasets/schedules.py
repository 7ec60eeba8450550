"""A schedule of debates between models, and how uneven it is."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations, permutations, product
from itertools import count as numbers
from typing import TYPE_CHECKING, NamedTuple

from inspect_debate.v1.debate.errors import InputError, check_name, check_whole_number
from inspect_debate.v1.debate.seeds import seeded


class Pairing(NamedTuple):
    """A scheduled debate, or one that has taken place.

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


# Which models are relatives: those of one maker.

# What comes between a maker and its model where a cloud serves it.
_CLOUDS = frozenset({"azure", "bedrock", "vertex"})


def family(name: str) -> str:
    """The maker in a model's name: the part before the model itself.

    `openai` of `openai/gpt-4o`, of `openrouter/openai/gpt-4o` and of
    `openai/azure/gpt-4o`; a name of one part is a family of its own.
    """
    *before, model = name.lower().split("/")
    makers = [part for part in before if part not in _CLOUDS] or before
    return makers[-1] if makers else model


def families_of(
    models: Iterable[str], given: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The family of each model: as given, else by its name.

    Raises:
        InputError: If a family is given for a model that is not among them.
    """
    names = sorted(models)
    given = given or {}
    for name in given:
        check_name("families: the model", name, names)
    return {name: given.get(name, family(name)).lower() for name in names}


# Which models meet how often, before sides and motions are given out.

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
    the sides of `existing`; `with_sides` gives them out later.

    Args:
        models: The pool. Of several optima its order decides which is found.
        debates: How many.
        existing: Earlier debates, which count.
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
    debated = {
        (a, b): program.variable(min(room[a].high, room[b].high))
        for a, b in permutations(models, 2)
    }
    program.between(debated.values(), debates, debates)
    as_proposition = {
        name: [debated[name, other] for other in models if other != name]
        for name in models
    }
    as_opposition = {
        name: [debated[other, name] for other in models if other != name]
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
        (a, b): Count([debated[a, b], debated[b, a]], met[frozenset((a, b))])
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


# Which motion each debate is about.


class Debate(NamedTuple):
    """A pair and the motion that it debates; who speaks for it is still open."""

    pair: Pair
    motion: str


# What each aim is about, of all that a pair belongs to.
_MOTION_AIMS: tuple[Callable[[Collection[str]], Collection[Hashable]], ...] = (
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
        existing: Earlier debates, which count.
    """
    program = Program()
    times = Counter(pairs)
    debated = {
        (pair, motion): program.variable(times[pair])
        for pair, motion in product(times, motions)
    }
    for pair, number in times.items():
        program.between([debated[pair, motion] for motion in motions], number, number)
    for belongs_to in _MOTION_AIMS:
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
                            [debated[pair, motion] for pair in of],
                            before[whose, motion],
                        )
                        for motion in motions
                    ],
                    sum(times[pair] for pair in of),
                )
                for whose, of in members.items()
            )
        )
    return [
        Debate(*key)
        for key, unit in debated.items()
        for _ in range(program.value(unit))
    ]


# Who speaks for which side.

# Where a model is to speak for both sides equally often: at all, on a motion, and
# against an opponent.
_SIDE_AIMS: tuple[Callable[[str, str, str], Hashable], ...] = (
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
        existing: Earlier debates, which count.
    """
    program = Program()
    # For each debate two variables, of which one is 1: that of the proposition.
    proposes = [[program.variable(1), program.variable(1)] for _ in debates]
    for both in proposes:
        program.between(both, 1, 1)
    for place in _SIDE_AIMS:
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


# Schedules in which every model meets many others and speaks for both sides.


def balanced(
    models: Sequence[str],
    motions: Sequence[str],
    *,
    debates: int | None = None,
    families: Mapping[str, str] | None = None,
    seed: int = 0,
    existing: Sequence[Pairing] = (),
) -> list[Pairing]:
    """Debates in which models appear, take sides and debate motions equally often.

    The aims, each as far as those before it allow: models appear equally often; each
    on both sides equally often; no rematch; pairs meet equally often; none within a
    family; motions are debated equally often; by every model; by every pair; models
    speak for both sides of each motion; and change sides when they meet again.

    Args:
        models: The pool, in any order.
        motions: Ids of the motions, in any order.
        debates: How many. By default every model debates every motion twice, which
            for ten models and six motions gives the study's 60.
        families: Families by model, where the name does not give them.
        seed: Chooses among schedules that are equally good.
        existing: Earlier debates, which count.

    Returns:
        The debates, without `existing`. Every first part of the list spreads over
        models and motions, too.

    Raises:
        InputError: If there are fewer than two models, no motion, or one comes twice;
            if there are to be fewer than no debates; if `existing` has other models.
    """
    check_pool(models, motions)
    if debates is None:
        debates = len(models) * len(motions)
    check_whole_number("debates", debates, at_least=0)
    _check_known(existing, models)
    if debates == 0:
        return []
    pool, topics = sorted(models), sorted(motions)
    seeded(seed, "pool").shuffle(pool)
    seeded(seed, "motions").shuffle(topics)
    family = families_of(pool, families)
    pairs = meetings(pool, debates, existing, family)
    return _spread(with_sides(on_motions(pairs, topics, existing), existing), seed)


def _check_known(existing: Sequence[Pairing], models: Sequence[str]) -> None:
    for debate in existing:
        for name in debate[:2]:
            check_name("The model of a debate that was held,", name, models)
        if debate.proposition == debate.opposition:
            raise InputError(
                f"A debate that was held is of {debate.proposition!r} with itself; "
                "only debates between two models can be balanced."
            )


def _spread(debates: Sequence[Pairing], seed: int) -> list[Pairing]:
    """Put next whose models and motion have come least so far."""
    left = list(debates)
    seeded(seed, "order").shuffle(left)
    came: Counter[str] = Counter()
    topics: Counter[str] = Counter()

    def so_far(debate: Pairing) -> tuple[int, int, int]:
        models = [came[name] for name in debate[:2]]
        return max(models), sum(models), topics[debate.motion]

    order = []
    while left:
        order.append(min(left, key=so_far))
        left.remove(order[-1])
        came.update(order[-1][:2])
        topics[order[-1].motion] += 1
    return order


# The next round of a Swiss tournament: models meet that have won equally often.


class Standing(NamedTuple):
    """A model's standing: wins minus losses, then the sum of its margins."""

    model: str
    difference: int
    margin: float
    debates: int


class Round(NamedTuple):
    """The debates of a round, and who sits it out in a pool of an odd number."""

    pairings: list[Pairing]
    bye: str | None


def _pairs(ranked: Sequence[Standing], existing: Sequence[Pairing]) -> list[Pair]:
    """The pairs of a round, from an even number of models in the order of their rank.

    Who speaks for which side is a part of the optimum, and found again, with regard to
    motions, by `with_sides`.
    """
    seats = seats_of(existing, [one.model for one in ranked])
    lead = {name: seat.proposition - seat.opposition for name, seat in seats.items()}
    met = Counter(debate.pair for debate in existing)
    program = Program()
    debated = {
        (a, b): program.variable(1) for a, b in permutations(range(len(ranked)), 2)
    }
    for place in range(len(ranked)):
        program.between([unit for key, unit in debated.items() if place in key], 1, 1)

    def cost(a: int, b: int) -> tuple[int, ...]:
        one, other = ranked[a], ranked[b]
        meetings = met[frozenset((one.model, other.model))]
        apart = abs(one.difference - other.difference)
        sides = (lead[one.model] + 1) ** 2 + (lead[other.model] - 1) ** 2
        return int(meetings > 0), meetings, int(apart > 0), sides, apart, (a - b) ** 2

    for aim in zip(*(cost(a, b) for a, b in debated), strict=True):
        program.minimise(dict(zip(debated.values(), aim, strict=True)))
    return [
        (ranked[a].model, ranked[b].model)
        for a, b in combinations(range(len(ranked)), 2)
        if program.value(debated[a, b]) or program.value(debated[b, a])
    ]


# Whole numbers under constraints, for one aim after the other, at an exact optimum.

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Count(NamedTuple):
    """The sum of some of a program's variables, above what was there before."""

    variables: Sequence[int]
    before: int = 0


class Group(NamedTuple):
    """Counts that together grow by a number that is known."""

    counts: Sequence[Count]
    more: int


class Row(NamedTuple):
    """A constraint: a weighted sum of variables lies between two bounds."""

    weights: Mapping[int, int]
    low: float
    high: float


class Share(NamedTuple):
    """The least and the most by which a count may grow."""

    low: int
    high: int


class Program:
    """Whole-numbered variables, constraints, and aims in the order of their weight.

    Each aim is met as well as those before it allow, and from then on it is a
    constraint itself: the optimum is lexicographic and exact (HiGHS's branch and cut).
    It depends on nothing but the order in which variables and constraints were made.
    """

    def __init__(self) -> None:
        self._most: list[int] = []
        self._whole: list[bool] = []
        self._rows: list[Row] = []
        self._found: Sequence[int] = []

    def variable(self, most: int, *, whole: bool = True) -> int:
        """A new variable from 0 to `most`; its number."""
        self._most.append(most)
        self._whole.append(whole)
        return len(self._most) - 1

    def between(self, variables: Iterable[int], low: int, high: int) -> None:
        """Demand that the sum of variables lies between two bounds."""
        self._rows.append(Row(dict.fromkeys(variables, 1), low, high))

    def even(self, *groups: Group) -> None:
        """Aim at counts that are as equal as can be within each of the groups.

        What is minimised is the sum of all their squares. A group on its own has its
        optimum where the lowest counts are filled up first. If all groups can have
        theirs at once, this is the optimum, and the bounds that it sets let the solver
        finish hundreds of times sooner than the squares would.
        """
        free = len(self._rows)
        for group in groups:
            shares = filled([count.before for count in group.counts], group.more)
            for count, share in zip(group.counts, shares, strict=True):
                self.between(count.variables, *share)
        if self._solve({}) is None:
            del self._rows[free:]
            self.minimise(self._squares(groups))

    def excess(self, counts: Iterable[Count], above: int) -> dict[int, int]:
        """A cost: by how much counts lie above a number, each unit that is new."""
        return {
            unit: 1
            for count in counts
            for number, unit in enumerate(self._units(count), start=count.before)
            if number >= above
        }

    def minimise(self, cost: Mapping[int, int]) -> None:
        """Aim at the least sum of variables, weighted by whole numbers.

        Raises:
            RuntimeError: If the constraints cannot be met.
        """
        least = self._solve(cost)
        if least is None:
            raise RuntimeError("the constraints of a schedule contradict each other")
        # Half a unit against rounding: sums are whole.
        self._rows.append(Row(cost, -math.inf, round(least) + 0.5))

    def value(self, variable: int) -> int:
        """A variable at the optimum of all aims so far."""
        return self._found[variable]

    def _squares(self, groups: Iterable[Group]) -> dict[int, int]:
        """The sum of squares: going from k to k + 1 adds 2 k + 1."""
        return {
            unit: 2 * number + 1
            for group in groups
            for count in group.counts
            for number, unit in enumerate(self._units(count), start=count.before)
        }

    def _units(self, count: Count) -> list[int]:
        """A count's growth as a sum of units, of which a cost fills the cheap first."""
        most = sum(self._most[variable] for variable in count.variables)
        units = [self.variable(1, whole=False) for _ in range(most)]
        weights = dict.fromkeys(count.variables, 1) | dict.fromkeys(units, -1)
        self._rows.append(Row(weights, 0, 0))
        return units

    def _solve(self, cost: Mapping[int, int]) -> float | None:
        """The least cost; None if the constraints cannot be met."""
        # Heavy to import, and only schedules need it.
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp

        weights = np.zeros(len(self._most))
        weights[list(cost)] = list(cost.values())
        solved = milp(
            weights,
            integrality=np.array(self._whole, dtype=int),
            bounds=Bounds(0, np.array(self._most, dtype=float)),
            constraints=LinearConstraint(
                self._matrix(),
                np.array([row.low for row in self._rows]),
                np.array([row.high for row in self._rows]),
            ),
            options={"mip_rel_gap": 0},
        )
        if solved.x is None:
            return None
        self._found = [round(value) for value in solved.x]
        return float(solved.fun)

    def _matrix(self) -> "csr_array":
        import numpy as np
        from scipy.sparse import csr_array

        cells = [
            (number, variable, weight)
            for number, row in enumerate(self._rows)
            for variable, weight in row.weights.items()
        ]
        rows, columns, weights = np.array(cells, dtype=int).reshape(-1, 3).T
        return csr_array(
            (weights, (rows, columns)), shape=(len(self._rows), len(self._most))
        )


def filled(counts: Sequence[int], more: int, most: int | None = None) -> list[Share]:
    """How counts grow towards each other: the lowest first, as water fills a vessel.

    Args:
        counts: Where they stand.
        more: By how much they grow together.
        most: By how much each may grow at most; together they must be able to.

    Returns:
        The range of each count's growth. Every choice in these ranges that sums to
        `more` has the least sum of squares, and no other choice has.
    """
    most = more if most is None else most

    def growth(level: int) -> list[int]:
        return [min(max(level - count, 0), most) for count in counts]

    level = next(
        at
        for at in numbers(min(counts))
        if sum(growth(at)) == more or sum(growth(at + 1)) > more
    )
    low, high = growth(level), growth(level + 1)
    if sum(low) == more:
        high = low
    return [Share(*bounds) for bounds in zip(low, high, strict=True)]
