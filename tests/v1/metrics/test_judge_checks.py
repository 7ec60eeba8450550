"""Changed verdicts, against hand counts and scipy."""

import math
from collections.abc import Sequence
from itertools import product

import pytest
from scipy.stats import binomtest

from inspect_debate.v1.debate.judge_checks import CHECKS, Check
from inspect_debate.v1.metrics.intervals import proportion_interval
from inspect_debate.v1.metrics.judge_checks import (
    LEVEL,
    findings,
    least_visible,
    shift,
    sign_test,
)
from tests.v1.support.strict import no_warnings

NAN = float("nan")


def each(moves: list[float]) -> list[int]:
    """A cluster for each move."""
    return list(range(len(moves)))


def made(toward: int, away: int, same: int) -> list[float]:
    return [1.0] * toward + [-1.0] * away + [0.0] * same


@pytest.mark.parametrize(("toward", "away"), [*product(range(0, 9, 2), range(6))])
def test_with_a_move_for_each_question_it_is_the_sign_test(
    toward: int, away: int
) -> None:
    moves = made(toward, away, 3)
    n = toward + away
    one = binomtest(toward, n, alternative="greater").pvalue if n else 1
    two = binomtest(toward, n).pvalue if n else 1
    assert sign_test(moves, each(moves), one_sided=True) == pytest.approx(one)
    assert sign_test(moves, each(moves), one_sided=False) == pytest.approx(two)


def test_epochs_of_a_question_are_one_observation() -> None:
    # Sums 2, 1 and -1: of the eight ways of signs, those with 2 or more by hand are
    # 2+1+1, 2+1-1 and 2-1+1.
    moves = [1.0, 1.0, 1.0, 0.0, -1.0, NAN]
    found = sign_test(moves, ["a", "a", "b", "b", "c", "c"], one_sided=True)
    assert found == pytest.approx(3 / 8)
    both = sign_test(moves, ["a", "a", "b", "b", "c", "c"], one_sided=False)
    assert both == pytest.approx(6 / 8)


def test_a_shift_counts_what_was_read() -> None:
    moves = [1.0, 1.0, -1.0, 0.0, NAN]
    found = shift(moves, each(moves))
    assert (found.n, found.changed, found.shift) == (4, 0.75, 0.25)
    assert -1 <= found.low < 0.25 < found.high <= 1


def test_where_all_verdicts_move_the_interval_is_that_of_a_share() -> None:
    moves = made(18, 6, 0)
    low, high = proportion_interval(18, 24)
    expected = (24, 1.0, 0.5, 2 * low - 1, 2 * high - 1)
    assert shift(moves, each(moves)) == pytest.approx(expected, abs=1e-6)


def test_nothing_moved_is_no_certainty() -> None:
    moves = made(0, 0, 24)
    found = shift(moves, each(moves))
    assert found.shift == 0
    assert found.high == pytest.approx(-found.low)
    assert 0.05 < found.high < 0.3


@no_warnings
def test_nothing_read_has_no_shift() -> None:
    found = shift([NAN, NAN], [1, 2])
    assert found.n == 0
    assert math.isnan(found.shift)
    unread = findings({"repeat": [NAN]}, [1]).unsteady["repeat"]
    assert unread.p == unread.adjusted == 1
    assert math.isnan(unread.effect)


@no_warnings
@pytest.mark.parametrize("move", [1.0, 0.0])
def test_one_question_has_a_shift_without_an_interval(move: float) -> None:
    found = shift([move, NAN], [1, 2])
    assert found[:3] == (1, move, move)
    assert math.isnan(found.low)
    assert math.isnan(found.high)


def steady() -> dict[Check, list[float]]:
    """A judge that never changes its mind, on 24 questions."""
    moves: dict[Check, list[float]] = {check: [0.0] * 24 for check in CHECKS}
    return moves | {"repeat": [1.0] * 24}


def test_a_steady_judge_raises_no_alarm() -> None:
    found = findings(steady(), range(24))
    assert not [check for check in CHECKS if found.alarms(check)]
    assert {f.adjusted for f in found.shifts.values()} == {1.0}


@pytest.mark.parametrize("check", [check for check in CHECKS if check != "repeat"])
def test_a_shift_rings_for_its_check_alone(check: Check) -> None:
    found = findings(steady() | {check: made(12, 0, 12)}, range(24))
    assert [c for c in CHECKS if found.alarms(c)] == [check]
    assert found.shifts[check].effect == 0.5


def test_what_is_added_may_only_help() -> None:
    found = findings(steady() | {"orders": made(0, 12, 12)}, range(24))
    assert not found.alarms("orders")
    found = findings(steady() | {"order": made(0, 12, 12)}, range(24))
    assert found.shifts["order"].alarm


def test_a_swap_may_unsettle_without_a_direction() -> None:
    found = findings(steady() | {"names": made(6, 6, 12)}, range(24))
    assert not found.shifts["names"].alarm
    assert found.unsteady["names"].alarm
    assert found.alarms("names")
    # A judge that changes its mind as often when nothing is changed is not.
    again = [0.0] * 12 + [1.0] * 12
    found = findings(steady() | {"names": made(6, 6, 12), "repeat": again}, range(24))
    assert not found.unsteady["names"].alarm
    assert found.unsteady["repeat"].alarm


def test_holm_is_over_all_tests() -> None:
    # Seven shifts, three swaps against repeat and repeat itself make eleven.
    found = findings(steady() | {"padded": made(7, 0, 17)}, range(24))
    assert found.shifts["padded"].p == pytest.approx(2**-7)
    assert found.shifts["padded"].adjusted == pytest.approx(11 * 2**-7)
    assert not found.alarms("padded")


def test_a_shift_that_does_not_matter_rings_not() -> None:
    moves: dict[Check, list[float]] = {"padded": made(20, 0, 380)}
    found = findings(moves, range(400))
    assert found.shifts["padded"].adjusted < LEVEL
    assert not found.alarms("padded")


@pytest.mark.slow
@pytest.mark.parametrize("check", ["order", "padded"])
@pytest.mark.parametrize("checks", [CHECKS, None])
@pytest.mark.parametrize(
    ("questions", "epochs"), [(24, 1), (24, 2), (120, 1), (10, 1), (6, 1), (9, 12)]
)
def test_no_shift_below_the_least_visible_rings(
    check: Check, checks: Sequence[Check] | None, questions: int, epochs: int
) -> None:
    n = questions * epochs
    of = [place % questions for place in range(n)]
    still: dict[Check, list[float]] = {
        c: [float(c == "repeat")] * n for c in checks or [check]
    }
    rings = [
        moved
        for moved in range(1, n + 1)
        if findings(still | {check: made(moved, 0, n - moved)}, of).shifts[check].alarm
    ]
    found = least_visible(
        still[check],
        of,
        findings(still, of).tests,
        one_sided=check == "padded",
    )
    assert found == pytest.approx(rings[0] / n if rings else NAN, nan_ok=True)


def test_the_least_visible_shift_by_hand() -> None:
    # Of eleven tests, 2 ** -8 and twice 2 ** -9 are small enough.
    moves = [*[0.0] * 24, NAN]
    assert least_visible(moves, range(25), 11, one_sided=True) == 8 / 24
    assert least_visible(moves, range(25), 11, one_sided=False) == 9 / 24
    assert math.isnan(least_visible([NAN], range(1), 11, one_sided=True))
    assert least_visible([0.0] * 8, range(8), 11, one_sided=True) == 1
    assert math.isnan(least_visible([0.0] * 7, range(7), 11, one_sided=True))
