"""Which option is right, and with what probability it is chosen or given up."""

import numpy as np
import pytest

from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.policy import (
    choice_probabilities,
    has_options,
    known_truth,
    yield_probability,
)
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from tests.simulator.reading import LABELS, LETTERS
from tests.support.laws import draw_updates

MODEL = Behaviour(
    choice_accuracy=0.7,
    judge_accuracy=0.8,
    follow_first=0.25,
    yield_wrong=0.6,
    yield_right=0.1,
)
N = 40_000


@pytest.mark.parametrize(
    ("choices", "options"),
    [(LABELS, False), (LABELS[::-1], False), (LETTERS, True), (("yes", "no"), True)],
)
def test_labels_are_no_options(choices: tuple[str, ...], options: bool) -> None:
    assert has_options(choices) == options


# --- what is right -----------------------------------------------------------------


def test_an_unregistered_label_is_a_coin_of_the_question_alone() -> None:
    coins = [known_truth(f"unknown {n}", LABELS) for n in range(400)]
    assert coins == [known_truth(f"unknown {n}", LABELS[::-1]) for n in range(400)]
    assert 160 < coins.count("error") < 240


def test_an_unregistered_option_is_right_by_chance() -> None:
    right = [known_truth(f"unknown {n}", LETTERS) for n in range(1000)]
    for letter in LETTERS:  # 250 by the binomial law, whose deviation is 13.7
        assert right.count(letter) == pytest.approx(250, abs=50)


def test_options_keep_their_order_in_every_pair() -> None:
    for n in range(200):
        question = f"unknown {n}"
        best = known_truth(question, LETTERS)
        assert best == known_truth(question, LETTERS[::-1])
        left = [letter for letter in LETTERS if letter != best]
        assert all(known_truth(question, (best, other)) == best for other in left)
        second = known_truth(question, left)
        assert second in left
        rest = [letter for letter in left if letter != second]
        assert all(known_truth(question, (o, second)) == second for o in rest)


def test_what_is_registered_is_right_wherever_it_stands() -> None:
    assert known_truth("q1", LABELS) == "error"
    assert known_truth("q1", ("B", "C")) == "error"


# --- laws --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "choices", "shown", "law"),
    [
        ("B", LETTERS, (), {"A": 0.1, "B": 0.7, "C": 0.1, "D": 0.1}),
        ("E", LETTERS, (), {"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25}),
        ("B", ("B", "D"), ("B", "D"), {"B": 0.25 + 0.75 * 0.8, "D": 0.75 * 0.2}),
        ("B", ("B", "D"), ("D", "B"), {"B": 0.75 * 0.8, "D": 0.25 + 0.75 * 0.2}),
        ("A", ("B", "D"), ("D", "B"), {"B": 0.75 / 2, "D": 0.25 + 0.75 / 2}),
    ],
)
def test_choice_probabilities(
    truth: str, choices: tuple[str, ...], shown: tuple[str, ...], law: dict[str, float]
) -> None:
    found = choice_probabilities(MODEL, truth, choices, shown)
    assert list(found) == list(choices)
    assert found == pytest.approx(law)


@pytest.mark.parametrize(
    ("profile", "choices", "right"),
    [
        ("perfect", LETTERS, 1.0),
        ("coin", LETTERS, 0.25),
        ("coin", ("A", "B", "C"), 1 / 3),
        ("balanced", LETTERS, 0.7),
        ("always_error", LETTERS, 0.7),
    ],
)
def test_profiles_on_options(
    profile: str, choices: tuple[str, ...], right: float
) -> None:
    found = choice_probabilities(PROFILES[profile], "B", choices)
    assert found["B"] == pytest.approx(right)
    assert sum(found.values()) == pytest.approx(1)


def test_chance_can_be_asked_for() -> None:
    assert behaviour_of("balanced", {"choice_accuracy": "chance"}) == Behaviour(
        choice_accuracy="chance"
    )


@pytest.mark.parametrize(
    ("profile", "when_wrong", "when_right"),
    [
        ("perfect", 1, 0),
        ("coin", 0.5, 0.5),
        ("always_error", 0, 0),
        ("overconfident", 0, 0),
        ("balanced", 0.45, 0.2),
    ],
)
def test_yield_probability(profile: str, when_wrong: float, when_right: float) -> None:
    assert yield_probability(PROFILES[profile], False) == when_wrong
    assert yield_probability(PROFILES[profile], True) == when_right


def test_drawn_updates_follow_the_law() -> None:
    rng = np.random.default_rng(1)
    truths, held, others = (rng.random(N) < 0.5 for _ in range(3))
    drawn = draw_updates(MODEL, truths, held, others, rng)
    same = held == others
    assert np.array_equal(drawn[same], held[same])
    for right, law in ((True, 0.1), (False, 0.6)):
        where = ~same & ((held == truths) == right)
        changed = np.mean(drawn[where] != held[where])
        assert changed == pytest.approx(law, abs=0.02)
