"""Whole numbers under constraints, for one aim after the other, at an exact optimum."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count as numbers
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
        self._rows.append(Row(cost, -np.inf, round(least) + 0.5))

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
