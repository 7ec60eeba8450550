"""The laws of bets and of a jury, in single cases worked by hand."""

from typing import Any

import numpy as np
import pytest

from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.confidence import (
    Offsets,
    bet_amounts,
    degree,
    mean_bet,
    misalignment,
    opposition_probability,
    stake_amount,
    stated_confidence,
)
from inspect_debate.simulator.profiles import PROFILES
from tests.support.laws import draw_bets, draw_votes, juror_agreement, repeat_agreement

SPREAD: dict[str, Any] = {
    "bet_spread": 0.05, "bet_model_spread": 0.1, "bet_debate_spread": 0.02
}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "means"),
    [
        ({}, [0.73, 0.73, 0.73]),
        ({"bet_drift": 0.05}, [0.73, 0.78, 0.83, 0.88, 0.9, 0.9]),  # 0.1 below 1
        ({"bet_drift": -0.3}, [0.73, 0.43, 0.13, 0.1]),
        ({"bet_drift": 0.05, **SPREAD}, [0.73, 0.78, 0.83, 0.83]),  # 0.17 below 1
    ],
)
def test_mean_bet(values: dict[str, Any], means: list[float]) -> None:
    behaviour = Behaviour(**values)
    rounds = range(1, len(means) + 1)
    assert [mean_bet(behaviour, r) for r in rounds] == pytest.approx(means)


@pytest.mark.parametrize(
    ("offsets", "rounding", "grid", "amount"),
    [
        ((0, 0, 0), 0.0, 1, 73),
        ((0, 0, 0), 0.0, 5, 70),  # 14.6 steps
        ((0, 0, 0), 0.39, 5, 70),
        ((0, 0, 0), 0.41, 5, 75),
        ((1, 0, 0), 0.0, 1, 83),
        ((0, -1, 0), 0.5, 1, 71),
        ((0, 0, 1), 0.5, 1, 78),
        ((1, 1, 1), 0.99, 10, 90),
        ((1, 1, 1), 0.99, 50, 100),
        ((-1, -1, -1), 0.0, 50, 50),  # 56
    ],
)
def test_bets_by_hand(
    offsets: tuple[int, int, int], rounding: float, grid: int, amount: int
) -> None:
    behaviour = Behaviour.model_validate({"bet_grid": grid, **SPREAD})
    assert bet_amounts(behaviour, 1, Offsets(*offsets), rounding) == amount


@pytest.mark.parametrize("opening", [0.0, 1.0])
@pytest.mark.parametrize("rounding", [0.0, 0.999999])
def test_sure_bets_stay_in_bounds(opening: float, rounding: float) -> None:
    sure = Behaviour(bet_opening=opening, bet_spread=0.0)
    assert bet_amounts(sure, 1, Offsets(0, 0, 0), rounding) == 100 * opening


def test_what_is_shared_is_shared() -> None:
    """Without a bet's own offset and grid, bets differ by model and debate alone."""
    behaviour = Behaviour(bet_spread=0, bet_model_spread=0.1, bet_debate_spread=0.1)
    exact = behaviour.model_copy(update={"bet_grid": 1e-9})
    models = np.array([[0, 1], [1, 2], [2, 2]])
    bets = draw_bets(exact, models, 2, np.random.default_rng(1))
    assert bets.shape == (3, 2, 2)
    assert bets[..., 0] == pytest.approx(bets[..., 1])  # no drift
    assert bets[2, 0] == pytest.approx(bets[2, 1])  # a model against itself
    assert len(np.unique(np.round(bets[..., 0], 6))) == 5
    # The debates' offsets cancel within a debate: model 1 less 0, 2 less 1.
    apart = bets[:2, 1, 0] - bets[:2, 0, 0]
    assert abs(apart).min() > 0.01


@pytest.mark.parametrize(
    ("ratio", "bet", "stake"), [(0.8, 75, 60), (2.0, 75, 100), (0.0, 75, 0), (1, 5, 5)]
)
def test_stakes(ratio: float, bet: float, stake: int) -> None:
    assert stake_amount(Behaviour(stake_ratio=ratio), bet) == stake


@pytest.mark.parametrize(
    ("u", "sign"), [(0.0, 1), (0.19, 1), (0.21, -1), (0.49, -1), (0.51, 0), (0.999, 0)]
)
def test_misalignment(u: float, sign: int) -> None:
    behaviour = Behaviour(overbetting_rate=0.2, underbetting_rate=0.3)
    assert misalignment(behaviour, u) == sign
    assert list(misalignment(behaviour, np.array([u, 0.9]))) == [sign, 0]


@pytest.mark.parametrize(
    ("gap", "name"),
    [
        (0, "None"),
        (5, "Slight"),
        (-10, "Slight"),
        (11, "Moderate"),
        (20, "Moderate"),
        (-21, "Significant"),
    ],
)
def test_degree(gap: int, name: str) -> None:
    assert degree(gap) == name


# --- the jury ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "p"),
    [
        ((), 0.7),
        (("proposition", "opposition"), 0.75 * 0.7),
        (("opposition", "proposition"), 0.25 + 0.75 * 0.7),
    ],
)
def test_opposition_probability(shown: tuple[str, ...], p: float) -> None:
    juror = Behaviour(jury_opposition=0.7, follow_first=0.25)
    assert opposition_probability(juror, shown) == pytest.approx(p)


def test_agreement_by_hand() -> None:
    one = Behaviour(jury_opposition=0.9, jury_shared=0.5, jury_repeat=0.6)
    other = Behaviour(jury_opposition=0.5, jury_shared=0.4)
    # in 0.2 both go by the debate, and part where it lies between their thresholds
    expected = 0.2 * (1 - 0.4) + 0.8 * (0.45 + 0.05)
    assert juror_agreement(one, other) == pytest.approx(expected)
    again = 0.25 + 0.75 * (0.81 + 0.01)
    assert repeat_agreement(one) == pytest.approx(0.6 + 0.4 * again)


@pytest.mark.parametrize(
    ("profile", "agreement"), [("perfect", 1.0), ("coin", 0.5), ("balanced", 0.625)]
)
def test_jurors_of_profiles(profile: str, agreement: float) -> None:
    juror = PROFILES[profile]
    assert juror_agreement(juror, juror) == pytest.approx(agreement)


def test_jurors_who_share_and_repeat_everything_are_one() -> None:
    juror = PROFILES["perfect"]
    votes = draw_votes([juror] * 3, 50, 2, np.random.default_rng(1))
    assert votes.shape == (3, 50, 2)
    assert np.array_equal(votes, np.broadcast_to(votes[:1, :, :1], votes.shape))
    assert 0 < votes.mean() < 1


@pytest.mark.parametrize(("offset", "stated"), [(0, 72), (1, 82), (-1, 62), (0.33, 75)])
def test_stated_confidence(offset: float, stated: int) -> None:
    assert stated_confidence(Behaviour(), offset) == stated
