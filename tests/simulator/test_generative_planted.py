"""What is planted in the generative study, by hand and against large draws."""

from math import isnan

import numpy as np
import pytest

from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import check_share
from tests.support.generative_planted import (
    draw_study,
    planted_cell,
    planted_did,
    planted_pair,
)
from tests.support.laws import Condition

DEBATER = Behaviour(solve_rate=0.5, solve_spread=0.3)
ONCE, TWICE = 0.5, 0.25 + 0.3**2 / 3  # P(an answer is right), and P(both are)
JUDGE = Behaviour(
    endorse_right_none=0.8,
    endorse_wrong_none=0.3,
    endorse_right_debate=0.9,
    endorse_wrong_debate=0.6,
    endorse_right_consultancy=0.8,
    endorse_wrong_consultancy=0.4,
    best_of_gain_debate=0.1,
    best_of_gain_consultancy=-0.05,
    judge_steadiness=0.7,
)
BIASED = JUDGE.model_copy(update={"first_bonus": 0.2, "both_correct": 0.15})
STUDY = [
    Condition(1, "none"),
    Condition(1, "debate"),
    Condition(1, "consultancy", 4),
    Condition(2, "none"),
    Condition(2, "consultancy"),
    Condition(2, "debate"),
    Condition(2, "consultancy", 4),
    Condition(2, "debate", 4),
]
QUESTIONS, EPOCHS = 15_000, 2

# --- by hand -----------------------------------------------------------------------


def test_one_answer_by_hand() -> None:
    found = planted_cell(DEBATER, JUDGE, Condition(1, "debate"))
    assert found.accuracy == pytest.approx(0.5 * 0.9 + 0.5 * 0.4)
    assert found.accuracy_mean == pytest.approx(found.accuracy)
    assert (found.fpr, found.fnr) == pytest.approx((0.6, 0.1))
    assert found.wrong_round_endorsed == pytest.approx(0.6)
    assert found.regimes == pytest.approx((0.5, 0.5))
    assert found.by_regime == pytest.approx((0.4, 0.9))


def test_two_answers_by_hand() -> None:
    found = planted_cell(DEBATER, JUDGE, Condition(2, "debate"))
    regimes = (1 - 2 * ONCE + TWICE, 2 * (ONCE - TWICE), TWICE)
    by_regime = (0.4**2, 0.4 * 0.9, 0.9**2)
    assert found.regimes == pytest.approx(regimes)
    assert found.by_regime == pytest.approx(by_regime)
    joint = sum(p * q for p, q in zip(regimes, by_regime, strict=True))
    assert found.accuracy == pytest.approx(joint)
    assert found.accuracy_mean == pytest.approx(0.65)
    assert (found.fpr, found.fnr) == pytest.approx((0.6, 0.1))
    rounds = (regimes[0] * (1 - 0.4**2) + regimes[1] * 0.6) / (1 - TWICE)
    assert found.wrong_round_endorsed == pytest.approx(rounds)


def test_biases_by_hand() -> None:
    """Two wrong answers, of which the first listed is endorsed with 0.5 and not 0.3."""
    wrong = Behaviour(solve_rate=0.0, solve_spread=0.0)
    found = planted_cell(wrong, BIASED, Condition(2, "none"))
    assert found.accuracy == pytest.approx(0.85 * 0.7 * 0.5)
    assert found.fpr == pytest.approx(0.15 + 0.85 * 0.4)
    assert found.wrong_round_endorsed == pytest.approx(1 - 0.85 * 0.7 * 0.5)
    alone = planted_cell(wrong, BIASED, Condition(1, "none"))
    assert alone.fpr == pytest.approx(0.15 + 0.85 * 0.3)
    assert isnan(found.fnr)
    assert isnan(found.by_regime[2])


def test_pairs_by_hand() -> None:
    """At 0.49 both verdicts go by one number, so that the less likely one decides."""
    found = planted_pair(DEBATER, JUDGE, Condition(1, "none"), Condition(1, "debate"))
    right = 0.49 * 0.8 + 0.51 * 0.8 * 0.9
    wrong = 0.49 * 0.4 + 0.51 * 0.7 * 0.4
    none, debate = (0.8 + 0.7) / 2, (0.9 + 0.4) / 2
    both = (right + wrong) / 2
    assert found.both_right == pytest.approx(both)
    assert found.hurt == pytest.approx(none - both)
    assert found.helped == pytest.approx(debate - both)
    assert sum(found) == pytest.approx(1)
    assert found.helped - found.hurt == pytest.approx(debate - none)


@pytest.mark.parametrize("steadiness", [0.0, 1.0])
def test_pairs_at_the_ends(steadiness: float) -> None:
    judge = BIASED.model_copy(update={"judge_steadiness": steadiness})
    cell = Condition(2, "none")
    accuracy = planted_cell(DEBATER, judge, cell).accuracy
    same = planted_pair(DEBATER, judge, cell, cell)
    assert same.hurt == pytest.approx(same.helped)
    assert (same.both_right == pytest.approx(accuracy)) == (steadiness == 1)
    assert same.both_right + same.hurt == pytest.approx(accuracy)


def test_did_by_hand() -> None:
    """Debates gain 0.1 for a single answer and consultancies lose 0.05."""
    assert planted_did(DEBATER, JUDGE, 1, 4) == pytest.approx(0.15)
    both = {n: planted_cell(DEBATER, JUDGE, Condition(2, "debate", n)) for n in (1, 4)}
    other = {
        n: planted_cell(DEBATER, JUDGE, Condition(2, "consultancy", n)) for n in (1, 4)
    }
    did = both[4].accuracy - both[1].accuracy - other[4].accuracy + other[1].accuracy
    assert planted_did(DEBATER, JUDGE, 2, 4) == pytest.approx(did)
    assert planted_did(DEBATER, JUDGE, 2, 1) == 0


def test_planted_at_the_ends() -> None:
    perfect, yes = PROFILES["perfect"], PROFILES["yes_man"]
    found = planted_cell(perfect, perfect, Condition(2, "debate", 4))
    assert (found.accuracy, found.fnr, found.regimes) == (1, 0, (0, 0, 1))
    assert isnan(found.fpr)
    found = planted_cell(yes, yes, Condition(2, "none"))
    assert (found.fpr, found.fnr, found.by_regime) == (1, 0, (0, 0, 1))
    assert found.accuracy == pytest.approx(0.36 + 0.3**2 / 3)


# --- against large draws -----------------------------------------------------------


@pytest.mark.parametrize(
    "debater", [DEBATER, Behaviour(solve_rate=0.8, solve_spread=1)]
)
@pytest.mark.parametrize("judge", [JUDGE, BIASED, PROFILES["coin"]])
def test_planted_values_are_those_of_a_study(
    debater: Behaviour, judge: Behaviour
) -> None:
    """Where epochs share a question's difficulty, one epoch alone is independent."""
    rng = np.random.default_rng(11)
    study = draw_study(debater, judge, STUDY, QUESTIONS, EPOCHS, rng)
    assert study.solved.shape == (QUESTIONS, EPOCHS, 2)
    for cell in STUDY:
        planted = planted_cell(debater, judge, cell)
        solved = study.solved[:, 0, : cell.proposers]
        endorsed, correct = study.endorsed[cell][:, 0], study.correct(cell)[:, 0]
        check_share(correct, planted.accuracy)
        for seat in range(cell.proposers):
            wrong = ~solved[:, seat]
            check_share(endorsed[wrong, seat], planted.fpr)
            check_share(~endorsed[~wrong, seat], planted.fnr)
        right = solved.sum(axis=1)
        for regime, (p, accuracy) in enumerate(
            zip(planted.regimes, planted.by_regime, strict=True)
        ):
            check_share(right == regime, p)
            check_share(correct[right == regime], accuracy)
        hits = np.any(endorsed & ~solved, axis=1)
        some = right < cell.proposers
        check_share(hits[some], planted.wrong_round_endorsed)


@pytest.mark.parametrize("judge", [JUDGE, BIASED, PROFILES["perfect"]])
def test_planted_pairs_are_those_of_a_study(judge: Behaviour) -> None:
    rng = np.random.default_rng(12)
    study = draw_study(DEBATER, judge, STUDY, QUESTIONS, EPOCHS, rng)
    for first, second in ((0, 1), (0, 2), (3, 4), (3, 5), (4, 5), (5, 7)):
        one, other = STUDY[first], STUDY[second]
        planted = planted_pair(DEBATER, judge, one, other)
        before, after = study.correct(one)[:, 1], study.correct(other)[:, 1]
        check_share(before & after, planted.both_right)
        check_share(before & ~after, max(planted.hurt, 0.0))
        check_share(~before & after, max(planted.helped, 0.0))
        check_share(~before & ~after, max(planted.both_wrong, 0.0))


def test_two_debaters_share_the_difficulty_of_questions() -> None:
    rng = np.random.default_rng(13)
    first = draw_study(DEBATER, JUDGE, [Condition(1, "none")], QUESTIONS, 1, rng)
    second, alone = (
        draw_study(
            DEBATER, JUDGE, [Condition(1, "none")], QUESTIONS, 1, rng, difficulty
        )
        for difficulty in (first.difficulty, None)
    )
    check_share((first.solved & second.solved)[:, 0, 0], TWICE)
    check_share((first.solved & alone.solved)[:, 0, 0], ONCE**2)
