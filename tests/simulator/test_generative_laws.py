"""Solving, ruling and stated confidence: laws by hand, and in large draws."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import (
    agree_probability,
    endorse_probability,
    ruling_confidence,
    solve_probability,
)
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from inspect_debate.solvers.formats import Interaction
from tests.simulator.asking import check_share
from tests.support.laws import Condition, draw_rulings, draw_solved

MODEL = Behaviour(
    solve_rate=0.5,
    solve_spread=0.4,
    endorse_right_none=0.8,
    endorse_right_consultancy=0.7,
    endorse_right_debate=0.9,
    endorse_wrong_none=0.3,
    endorse_wrong_consultancy=0.4,
    endorse_wrong_debate=0.6,
    best_of_gain_consultancy=-0.1,
    best_of_gain_debate=0.2,
    first_bonus=0.15,
    both_correct=0.1,
    judge_steadiness=0.8,
)
N = 20_000

# --- by hand -----------------------------------------------------------------------


def test_solving_goes_by_difficulty() -> None:
    assert solve_probability(MODEL, 1) == pytest.approx(0.1)
    found = solve_probability(MODEL, np.array([0, 0.5, 1]))
    assert found == pytest.approx([0.5, 0.3, 0.1])
    steep = Behaviour(solve_rate=0.8, solve_spread=1.0)
    assert solve_probability(steep, np.array([1, -1])) == pytest.approx([0, 1])


@pytest.mark.parametrize(
    ("right", "interaction", "best_of", "first", "p"),
    [
        (True, "none", 1, False, 0.8),
        (True, "none", 4, False, 0.8),  # nobody speaks, so there is nothing to choose
        (False, "none", 4, False, 0.3),
        (True, "consultancy", 1, False, 0.7),
        (True, "consultancy", 2, False, 0.6),
        (False, "consultancy", 4, False, 0.5),
        (True, "debate", 1, False, 0.9),
        (True, "debate", 4, False, 1.0),  # 1.1 is as certain as it gets
        (False, "debate", 4, False, 0.4),
        (False, "debate", 1, True, 0.75),
        (True, "debate", 1, True, 1.0),
        (True, "none", 1, True, 0.95),
    ],
)
def test_endorsement_by_hand(
    right: bool, interaction: str, best_of: int, first: bool, p: float
) -> None:
    found = endorse_probability(MODEL, right, interaction, best_of, first)
    assert found == pytest.approx(p)
    array = np.array([right, not right])
    found = endorse_probability(MODEL, array, interaction, best_of, first)
    assert found[0] == pytest.approx(p)


def test_agreement_by_hand() -> None:
    behaviour = Behaviour(critic_agrees_right=0.9, critic_agrees_wrong=0.2)
    found = agree_probability(behaviour, np.array([True, False]))
    assert found == pytest.approx([0.9, 0.2])


@pytest.mark.parametrize(
    ("right", "offset", "stated"),
    [(True, 0, 0.8), (True, 1, 0.95), (False, -1, 0.5), (False, 0.33, 0.7)],
)
def test_confidence_by_hand(right: bool, offset: float, stated: float) -> None:
    behaviour = Behaviour(
        ruling_confidence_right=0.8,
        ruling_confidence_wrong=0.65,
        ruling_confidence_spread=0.15,
    )
    assert ruling_confidence(behaviour, right, offset) == pytest.approx(stated)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"solve_rate": 1.2}, ["solve_rate=1.2"]),
        ({"first_bonus": -1.2}, ["first_bonus=-1.2"]),
        ({"best_of_gain_debate": 2}, ["best_of_gain_debate=2"]),
        ({"ruling_confidence_wrong": 0.4}, ["ruling_confidence_wrong=0.4"]),
        ({"ruling_confidence_wrong": 0.5}, ["_wrong has to lie between 0.6 and 0.9"]),
        ({"ruling_confidence_right": 0.95}, ["spread=0.1 stays within [0.5, 1]"]),
        ({"ruling_confidence_spread": 0.3}, ["ruling_confidence_spread=0.3"]),
    ],
)
def test_what_is_not_allowed_is_named(given: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of("balanced", given)
    for part in said:
        assert part in raised.value.message


# --- in large draws ----------------------------------------------------------------


def test_difficulty_is_what_two_answers_share() -> None:
    rng = np.random.default_rng(1)
    difficulty = rng.uniform(-1, 1, N)
    solved = draw_solved(MODEL, difficulty, 2, rng)
    assert solved.shape == (N, 2, 2)
    check_share(solved[:, 0, 0], 0.5)
    check_share(solved[:, 1, 1], 0.5)
    square = 0.25 + 0.4**2 / 3  # of a uniform law: mean squared, and variance
    check_share(solved[:, 0, 0] & solved[:, 0, 1], square)
    check_share(solved[:, 0, 0] & solved[:, 1, 0], square)
    hard = difficulty > 0
    check_share(solved[hard, 0, 0], 0.3)


CELLS = [
    *(
        Condition(1, "none"),
        Condition(1, "debate"),
        Condition(1, "debate", 4),
        Condition(2, "none"),
    ),
    *(
        Condition(2, "consultancy"),
        Condition(2, "debate"),
        Condition(2, "consultancy", 4),
    ),
    Condition(2, "debate", 4),
]


def _rulings(behaviour: Behaviour) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(2)
    solved = draw_solved(behaviour, rng.uniform(-1, 1, N), 1, rng)
    a_first = rng.random((N, 1)) < 0.5
    return solved, a_first, draw_rulings(behaviour, solved, a_first, CELLS, rng)


@pytest.mark.parametrize("steadiness", [0.0, 0.8, 1.0])
def test_rulings_have_their_law_however_steady(steadiness: float) -> None:
    behaviour = MODEL.model_copy(update={"judge_steadiness": steadiness})
    solved, a_first, rulings = _rulings(behaviour)
    for cell, right in product(CELLS, (True, False)):
        ruled = rulings[cell]
        assert ruled.shape == (N, 1, cell.proposers)
        for seat in range(cell.proposers):
            listed_first = a_first if seat == 0 else ~a_first
            for first in (True, False):
                asked = (solved[..., seat] == right) & (listed_first == first)
                law = endorse_probability(
                    behaviour,
                    right,
                    cell.interaction,
                    cell.best_of,
                    first and cell.proposers == 2,
                )
                check_share(ruled[asked][:, seat], 0.1 + 0.9 * float(law))


@pytest.mark.parametrize(("steadiness", "both"), [(0.0, 0.25), (1.0, 0.5), (0.6, 0.34)])
def test_steadiness_makes_formats_go_together(steadiness: float, both: float) -> None:
    """At the square of it a verdict goes by the number that the other goes by."""
    behaviour = PROFILES["coin"].model_copy(update={"judge_steadiness": steadiness})
    _, _, rulings = _rulings(behaviour)
    for one, other in ((0, 1), (0, 3), (3, 4), (5, 7)):
        first, second = (rulings[CELLS[n]][:, 0, 0] for n in (one, other))
        check_share(first & second, both)
    pair = rulings[CELLS[5]][:, 0]
    check_share(pair.all(axis=1), 0.25)  # of one verdict on two answers it does not


def test_a_judge_who_endorses_everything_does_so_at_once() -> None:
    behaviour = PROFILES["coin"].model_copy(update={"both_correct": 0.4})
    _, _, rulings = _rulings(behaviour)
    for interaction in ("none", "debate"):
        pair = rulings[Condition(2, interaction)][:, 0]
        check_share(pair.all(axis=1), 0.4 + 0.6 * 0.25)
        check_share(~pair.any(axis=1), 0.6 * 0.25)


@pytest.mark.parametrize("interaction", ["none", "consultancy", "debate"])
def test_what_profiles_endorse(interaction: Interaction) -> None:
    cell, rng = Condition(2, interaction, 4), np.random.default_rng(3)
    solved = rng.random((50, 1, 2)) < 0.5
    a_first = rng.random((50, 1)) < 0.5
    perfect, everything, first = (
        draw_rulings(PROFILES[name], solved, a_first, [cell], rng)[cell]
        for name in ("perfect", "yes_man", "first_speaker")
    )
    assert (perfect == solved).all()
    assert everything.all()
    assert first[a_first, 0].all()
    assert first[~a_first, 1].all()
    assert not first.all()


def test_swayed_is_as_published() -> None:
    swayed = PROFILES["swayed"]
    wrong = [
        float(endorse_probability(swayed, False, each))
        for each in ("none", "consultancy", "debate")
    ]
    assert wrong == pytest.approx([0.30, 0.39, 0.90])
