"""What is planted in simulated bettors, jurors and graders is found in what they draw.

Bounds are four standard deviations of the law, or of the sample where debates are its
clusters: each holds by chance in all but one of 16,000 cases. The provider's own draws,
turn by turn, are compared with the laws that recovery tests draw from by the thousand.
"""

from collections import Counter
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.confidence import (
    GAPS,
    belief,
    bet,
    degree,
    jury_confidence,
    mean_bet,
    opposition_probability,
    vote,
)
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.profiles import PROFILES
from inspect_debate.solvers.bet_records import SIDES
from tests.simulator.asking import bet_turn, check_share
from tests.support.laws import (
    draw_bets,
    draw_jury_confidences,
    draw_misalignments,
    draw_votes,
    juror_agreement,
    repeat_agreement,
)

pytestmark = pytest.mark.slow

Floats = NDArray[np.float64]
DEBATES = 20_000
PLAYED = 1_000
SPREAD: dict[str, Any] = {"bet_model_spread": 0.08, "bet_debate_spread": 0.06}
BETTORS = {
    **{name: PROFILES[name] for name in ("balanced", "calibrated", "escalating")},
    **{name: PROFILES[name] for name in ("overconfident", "hesitant", "coin")},
    "clustered": Behaviour(bet_opening=0.5, bet_spread=0.05, **SPREAD),
    "falling": Behaviour(bet_opening=0.6, bet_drift=-0.07, bet_grid=10, **SPREAD),
    "exact": Behaviour(bet_opening=0.613, bet_drift=0.011, bet_grid=1),
}
JURORS = [
    Behaviour(jury_opposition=0.9, jury_shared=0.6, jury_repeat=0.8),
    Behaviour(jury_opposition=0.55, jury_shared=0.4, jury_repeat=0.5),
    Behaviour(jury_opposition=0.5, jury_shared=0.0, jury_repeat=0.0),
    Behaviour(jury_opposition=0.3, jury_shared=1.0, jury_repeat=0.2),
    Behaviour(jury_opposition=0.6, jury_shared=0.5, follow_first=0.3),
]


def drawn(behaviour: Behaviour, seed: int = 1) -> Floats:
    """Debates of three rounds between models that meet but once."""
    models = np.arange(2 * DEBATES).reshape(DEBATES, 2)
    return draw_bets(behaviour, models, 3, np.random.default_rng(seed))


def check_mean(values: Floats, mean: float) -> None:
    """Of independent values."""
    error = values.std(ddof=1) / sqrt(len(values))
    assert abs(values.mean() - mean) <= 4 * error + 1e-9


def check_covariance(one: Floats, other: Floats, expected: float) -> None:
    """Of pairs that are independent of each other."""
    products = (one - one.mean()) * (other - other.mean())
    check_mean(products, expected)


# --- bets --------------------------------------------------------------------------


@pytest.mark.parametrize("name", BETTORS)
def test_means_and_drift_of_bets(name: str) -> None:
    behaviour = BETTORS[name]
    bets = drawn(behaviour)
    of_debates = bets.mean(axis=1)
    for round in (1, 2, 3):
        check_mean(of_debates[:, round - 1], 100 * mean_bet(behaviour, round))
        planted = behaviour.bet_opening + (round - 1) * behaviour.bet_drift
        # None is at a limit.
        assert mean_bet(behaviour, round) == pytest.approx(planted)
    check_mean(of_debates[:, 2] - of_debates[:, 0], 200 * behaviour.bet_drift)
    assert bets.min() >= 0
    assert bets.max() <= 100
    assert not np.any(bets % behaviour.bet_grid)


@pytest.mark.parametrize("grid", [1, 2, 5, 10, 20, 25, 50])
def test_no_grid_moves_the_mean(grid: int) -> None:
    values = {"bet_opening": 0.737, "bet_spread": 0.02, "bet_grid": grid}
    bets = drawn(Behaviour.model_validate(values))
    check_mean(bets.mean(axis=(1, 2)), 73.7)


def test_bets_vary_together_by_model_and_debate() -> None:
    behaviour = BETTORS["clustered"]
    of_model, of_debate = 8**2 / 3, 6**2 / 3  # variances of uniform laws
    apart = drawn(behaviour)
    check_covariance(apart[:, 0, 0], apart[:, 1, 0], of_debate)
    check_covariance(apart[:, 0, 0], apart[:, 0, 2], of_debate + of_model)
    check_covariance(apart[:, 0, 0], apart[:, 1, 2], of_debate)
    alone = np.arange(DEBATES)[:, None].repeat(2, axis=1)
    against_itself = draw_bets(behaviour, alone, 3, np.random.default_rng(2))
    one, other = against_itself[:, 0, 0], against_itself[:, 1, 1]
    check_covariance(one, other, of_debate + of_model)
    # What moves neither from round to round cannot move a difference.
    change = apart[..., 2] - apart[..., 0]
    check_covariance(change[:, 0], change[:, 1], 0)


def test_a_pool_of_ten_has_ten_levels() -> None:
    behaviour = BETTORS["clustered"]
    models = np.random.default_rng(3).integers(0, 10, (DEBATES, 2))
    bets = draw_bets(behaviour, models, 1, np.random.default_rng(4))[..., 0]
    levels = np.array([bets[models == model].mean() for model in range(10)])
    assert levels.min() > 50 - 8 - 1
    assert levels.max() < 50 + 8 + 1
    assert levels.max() - levels.min() > 4


@pytest.mark.parametrize("name", ["escalating", "calibrated", "exact"])
@pytest.mark.parametrize("round", [1, 3])
def test_the_provider_bets_by_the_law(name: str, round: int) -> None:
    """Debate by debate, and by models of one offset: those of one label."""
    behaviour = BETTORS[name].model_copy(update={"bet_model_spread": 0.0})
    turns = (bet_turn("speech", n, round=round) for n in range(PLAYED))
    played = Counter(bet(Draws(behaviour, turn)) for turn in turns)
    law = Counter(drawn(behaviour)[..., round - 1].ravel().tolist())
    assert law.keys() >= played.keys()
    for amount, count in law.items():
        hits = played[int(amount)]
        check_share([True] * hits + [False] * (PLAYED - hits), count / law.total())


def test_the_providers_models_have_offsets_by_the_law() -> None:
    spread = Behaviour(bet_spread=0, bet_model_spread=0.2, bet_grid=1)
    turn = bet_turn("speech")
    bets = [
        bet(Draws(spread.model_copy(update={"label": f"m{n}"}), turn))
        for n in range(PLAYED)
    ]
    values = np.array(bets, dtype=float)
    check_mean(values, 73)
    check_mean((values - 73) ** 2, 20**2 / 3 + 1 / 6)  # and what rounding adds
    assert (values.min(), values.max()) == (53, 93)


# --- juries ------------------------------------------------------------------------


@pytest.mark.parametrize("shown", [(), SIDES, SIDES[::-1]])
def test_votes_have_their_bias_and_agree_as_planted(shown: tuple[str, ...]) -> None:
    rng = np.random.default_rng(5)
    votes = draw_votes(JURORS, DEBATES, 3, rng, shown)
    for juror, own in zip(JURORS, votes, strict=True):
        for passed in range(3):
            check_share(own[:, passed].tolist(), opposition_probability(juror, shown))
        for later in (1, 2):
            same = own[:, 0] == own[:, later]
            check_share(same.tolist(), repeat_agreement(juror, shown))
    for i, j in combinations(range(len(JURORS)), 2):
        law = juror_agreement(JURORS[i], JURORS[j], shown)
        check_share((votes[i, :, 0] == votes[j, :, 0]).tolist(), law)


@pytest.mark.parametrize("shown", [SIDES, SIDES[::-1]])
def test_the_provider_votes_by_the_law(shown: tuple[str, ...]) -> None:
    def votes(index: int, draw: str) -> NDArray[np.bool_]:
        turns = (
            bet_turn("verdict", n, participant=f"judge_{index}", shown=shown, draw=draw)
            for n in range(PLAYED)
        )
        return np.array([vote(Draws(JURORS[index], c)) == SIDES[1] for c in turns])

    first = [votes(index, "ab 1") for index in range(len(JURORS))]
    for index, juror in enumerate(JURORS):
        check_share(first[index].tolist(), opposition_probability(juror, shown))
        again = votes(index, "ab 2")
        check_share(again.tolist(), opposition_probability(juror, shown))
        same = first[index] == again
        check_share(same.tolist(), repeat_agreement(juror, shown))
    for i, j in combinations(range(len(JURORS)), 2):
        law = juror_agreement(JURORS[i], JURORS[j], shown)
        check_share((first[i] == first[j]).tolist(), law)


def test_confidences_of_jurors() -> None:
    juror = Behaviour(jury_confidence=0.64, confidence_spread=0.2)
    law = draw_jury_confidences(juror, DEBATES, np.random.default_rng(6))
    turns = (bet_turn("verdict", n) for n in range(PLAYED))
    played = np.array([float(jury_confidence(Draws(juror, turn))) for turn in turns])
    for values in (law, played):
        check_mean(values, 64)
        assert (values.min(), values.max()) == (44, 84)
        assert np.array_equal(values, np.round(values))


# --- reasoning and grades ----------------------------------------------------------


@pytest.mark.parametrize(("over", "under"), [(0.1, 0.05), (0.0, 0.3), (0.4, 0.6)])
def test_assessments_by_their_rates(over: float, under: float) -> None:
    behaviour = Behaviour(overbetting_rate=over, underbetting_rate=under)
    law = draw_misalignments(behaviour, DEBATES, np.random.default_rng(7))
    turns = (bet_turn("grade", n) for n in range(PLAYED))
    played = np.array([belief(Draws(behaviour, turn), 50).above for turn in turns])
    for signs in (law, played):
        check_share((signs == 1).tolist(), over)
        check_share((signs == -1).tolist(), under)
        check_share((signs == 0).tolist(), 1 - over - under)


def test_degrees_are_equally_common_where_a_bet_is_not_aligned() -> None:
    names = Counter(degree(gap) for gap in GAPS)
    assert names == {"Slight": 2, "Moderate": 2, "Significant": 2}
