"""What measures have to find where simulated models play the generative study."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from inspect_debate.simulator.behaviour import GenerativeBehaviour
from inspect_debate.simulator.generative import Floats, endorse_probability
from tests.support.laws import Condition


class PlantedCell(NamedTuple):
    """The values of one format; NaN where they are about what never happens.

    Attributes:
        accuracy: P(the verdict is right on all answers).
        accuracy_mean: P(the ruling on an answer is right).
        fpr: P(endorsed | wrong), of single answers.
        fnr: P(not endorsed | right), likewise.
        wrong_round_endorsed: P(a wrong answer is endorsed | there is one), of verdicts.
        regimes: P(so many answers are right), from none on.
        by_regime: P(the verdict is right | so many answers are right).
    """

    accuracy: float
    accuracy_mean: float
    fpr: float
    fnr: float
    wrong_round_endorsed: float
    regimes: tuple[float, ...]
    by_regime: tuple[float, ...]


class PlantedPair(NamedTuple):
    """P(each pair of verdicts) of two formats on the same answers.

    `helped` is where the second alone is right, and `hurt` where the first alone is.
    """

    both_right: float
    hurt: float
    helped: float
    both_wrong: float


def planted_cell(
    debater: GenerativeBehaviour, judge: GenerativeBehaviour, cell: Condition
) -> PlantedCell:
    """The values of one format (every completion being read).

    Args:
        debater: In both seats.
        judge: Rules on their answers; each is listed first in half of the verdicts.
        cell: The format.
    """
    seats = cell.proposers
    accuracy = np.zeros(seats + 1)
    regimes = np.zeros(seats + 1)
    endorsed = np.zeros(2)
    answers = np.zeros(2)
    endorsed_rounds = 0.0
    for case in _cases(debater, judge, cell):
        right = sum(case.solved)
        regimes[right] += case.weight
        accuracy[right] += case.weight * _p_correct(case, judge.both_correct)
        for solved, p in zip(case.solved, case.endorses, strict=True):
            answers[int(solved)] += case.weight
            endorsed[int(solved)] += case.weight * _mixed(p, judge.both_correct)
        if right < seats:
            own = 1 - float(np.prod(1 - case.endorses[~np.array(case.solved)]))
            endorsed_rounds += case.weight * _mixed(own, judge.both_correct)
    return PlantedCell(
        accuracy=float(accuracy.sum()),
        accuracy_mean=float((answers[0] - endorsed[0] + endorsed[1]) / seats),
        fpr=_ratio(endorsed[0], answers[0]),
        fnr=_ratio(answers[1] - endorsed[1], answers[1]),
        wrong_round_endorsed=_ratio(endorsed_rounds, 1 - regimes[seats]),
        regimes=tuple(map(float, regimes)),
        by_regime=tuple(map(_ratio, accuracy, regimes)),
    )


def planted_pair(
    debater: GenerativeBehaviour,
    judge: GenerativeBehaviour,
    first: Condition,
    second: Condition,
) -> PlantedPair:
    """How verdicts of two formats go together, as one judge gives them.

    Args:
        debater: In both seats.
        judge: Goes by what it shares with both formats at the square of its steadiness.
        first: A format, such as the one in which nobody speaks.
        second: Another with as many proposers.
    """
    both = one = other = 0.0
    everything = judge.both_correct
    steady = judge.judge_steadiness**2
    pairs = zip(
        _cases(debater, judge, first), _cases(debater, judge, second), strict=True
    )
    for x, y in pairs:
        alone = _p_correct(x, everything), _p_correct(y, everything)
        solved = np.array(x.solved)
        least = np.where(solved, np.minimum(x.endorses, y.endorses), 0)
        least += np.where(solved, 0, 1 - np.maximum(x.endorses, y.endorses))
        together = _mixed(float(np.prod(least)), everything, solved.all())
        one += x.weight * alone[0]
        other += x.weight * alone[1]
        both += x.weight * (steady * together + (1 - steady) * alone[0] * alone[1])
    return PlantedPair(both, one - both, other - both, 1 - one - other + both)


class _Case(NamedTuple):
    """Which answers are right, how likely that is, and P(each is endorsed)."""

    solved: tuple[bool, ...]
    weight: float
    endorses: Floats


def _cases(
    debater: GenerativeBehaviour, judge: GenerativeBehaviour, cell: Condition
) -> Iterator[_Case]:
    """All that can be put to the judge: right or wrong answers in either order."""
    seats = cell.proposers
    orders = np.eye(2, dtype=bool) if seats == 2 else np.zeros((1, 1), dtype=bool)
    once, twice = (_solve_moment(debater, power) for power in (1, 2))
    for solved in product((False, True), repeat=seats):
        if seats == 1:
            weight = once if solved[0] else 1 - once
        else:
            weight = (1 - 2 * once + twice, once - twice, twice)[sum(solved)]
        for first in orders:
            endorses = endorse_probability(
                judge, np.array(solved), cell.interaction, cell.best_of, first
            )
            yield _Case(solved, weight / len(orders), endorses)


def _solve_moment(behaviour: GenerativeBehaviour, power: int) -> float:
    """The mean over questions of a power of P(a solution is right)."""
    low = behaviour.solve_rate - behaviour.solve_spread
    high = behaviour.solve_rate + behaviour.solve_spread
    if low == high:
        return float(low**power)
    bottom, top = max(low, 0.0), min(high, 1.0)
    inner = (top ** (power + 1) - bottom ** (power + 1)) / (power + 1)
    return (inner + high - top) / (high - low)


def _p_correct(case: _Case, everything: float) -> float:
    solved = np.array(case.solved)
    own = float(np.prod(np.where(solved, case.endorses, 1 - case.endorses)))
    return _mixed(own, everything, solved.all())


def _mixed(own: float, everything: float, then: bool | np.bool_ = True) -> float:
    """P(something) of a judge who may endorse everything, whether it holds `then`."""
    return everything * bool(then) + (1 - everything) * own


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else float("nan")
