import math
from typing import Any

import numpy as np
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.simulator.behaviour import (
    Behaviour,
    BetBehaviour,
    ConflictBehaviour,
    GenerativeBehaviour,
    answer_probability,
    concession_probability,
    mean_confidence,
    verdict_probability,
)
from inspect_debate.simulator.profiles import ABOUT, PROFILES, behaviour_of
from tests.support.laws import (
    draw_answers,
    draw_confidences,
    draw_finals,
    draw_verdicts,
    planted,
)

MODEL = Behaviour(
    sensitivity=0.9,
    specificity=0.7,
    judge_accuracy=0.8,
    follow_first=0.25,
    concession=0.3,
    concession_growth=0.2,
    wrong_concession=0.1,
    confidence_right=0.8,
    confidence_wrong=0.6,
    confidence_spread=0.1,
    drift=0.06,
)
N = 40_000


@pytest.mark.parametrize(("truth", "p_error"), [("error", 0.9), ("no_error", 0.3)])
def test_answer_probability(truth: str, p_error: float) -> None:
    assert answer_probability(MODEL, truth) == pytest.approx(p_error)


@pytest.mark.parametrize(
    ("truth", "shown", "p_error"),
    [
        ("error", (), 0.9),  # alone: its own answer
        ("no_error", (), 0.3),
        ("error", ("error", "no_error"), 0.25 + 0.75 * 0.8),
        ("error", ("no_error", "error"), 0.75 * 0.8),
        ("no_error", ("error", "no_error"), 0.25 + 0.75 * 0.2),
        ("no_error", ("no_error", "error"), 0.75 * 0.2),
    ],
)
def test_verdict_probability(
    truth: str, shown: tuple[str, ...], p_error: float
) -> None:
    assert verdict_probability(MODEL, truth, shown) == pytest.approx(p_error)


@pytest.mark.parametrize(
    ("truth", "defends", "round", "p"),
    [
        ("error", "no_error", 1, 0.3),
        ("no_error", "error", 2, 0.5),
        ("no_error", "error", 6, 1.0),  # 1.3 is as certain as it gets
        ("error", "error", 1, 0.1),
        ("no_error", "no_error", 6, 0.1),  # grows only where it is wrong
    ],
)
def test_concession_probability(truth: str, defends: str, round: int, p: float) -> None:
    assert concession_probability(MODEL, truth, defends, round) == pytest.approx(p)


@pytest.mark.parametrize(
    ("right", "round", "mean"),
    [
        (True, 1, 0.8),
        (False, 1, 0.6),
        (True, 2, 0.86),
        (True, 5, 0.9),
        (False, 3, 0.72),
    ],
)
def test_mean_confidence(right: bool, round: int, mean: float) -> None:
    assert mean_confidence(MODEL, right, round) == pytest.approx(mean)


def test_falling_confidence_is_held_where_the_spread_fits() -> None:
    falling = MODEL.model_copy(update={"drift": -0.5})
    assert mean_confidence(falling, True, 3) == pytest.approx(0.1)


def _share(drawn: Any, where: Any) -> float:
    return float(np.mean(drawn[where]))


def test_drawn_answers_follow_the_law() -> None:
    rng = np.random.default_rng(1)
    truths = np.arange(N) % 4 == 0
    drawn = draw_answers(MODEL, truths, rng)
    assert _share(drawn, truths) == pytest.approx(0.9, abs=0.01)
    assert _share(drawn, ~truths) == pytest.approx(0.3, abs=0.01)


def test_drawn_verdicts_follow_the_law() -> None:
    rng = np.random.default_rng(2)
    truths, first = rng.random(N) < 0.5, rng.random(N) < 0.5
    drawn = draw_verdicts(MODEL, truths, first, rng)
    for truth in (True, False):
        for shown in (True, False):
            law = verdict_probability(
                MODEL,
                "error" if truth else "no_error",
                ["error" if shown else "no_error"],
            )
            where = (truths == truth) & (first == shown)
            assert _share(drawn, where) == pytest.approx(law, abs=0.02)


def test_drawn_finals_follow_the_law() -> None:
    rng = np.random.default_rng(3)
    truths, defends = rng.random(N) < 0.5, rng.random(N) < 0.5
    conceded = draw_finals(MODEL, truths, defends, 2, rng) != defends
    for truth in (True, False):
        for side in (True, False):
            where = (truths == truth) & (defends == side)
            law = 0.1 if truth == side else 0.5
            assert _share(conceded, where) == pytest.approx(law, abs=0.02)


def test_drawn_confidences_follow_the_law() -> None:
    rng = np.random.default_rng(4)
    right = np.arange(N) % 2 == 0
    drawn = draw_confidences(MODEL, right, 1, rng)
    assert _share(drawn, right) == pytest.approx(0.8, abs=0.002)
    assert _share(drawn, ~right) == pytest.approx(0.6, abs=0.002)
    assert (drawn[right].min(), drawn[right].max()) == (0.7, 0.9)
    assert np.array_equal(drawn, np.round(drawn, 2))


def test_planted_values_by_hand() -> None:
    found = planted(MODEL, 0.6)
    # errors 0.6: own 0.9, differ 0.18; others 0.4: own 0.7, differ 0.42.
    # a judge is right 0.75 * 0.8 + 0.25 / 2 = 0.725 of the time
    assert found.answer_accuracy == pytest.approx(0.6 * 0.9 + 0.4 * 0.7)
    assert found.disagreement == pytest.approx(0.6 * 0.18 + 0.4 * 0.42)
    assert found.verdict_accuracy == pytest.approx(0.725)
    assert found.debate_accuracy == pytest.approx(
        0.6 * (0.81 + 0.18 * 0.725) + 0.4 * (0.49 + 0.42 * 0.725)
    )


def test_planted_values_with_one_side_always_first() -> None:
    found = planted(MODEL, 0.6, shown_first="error")
    # right where there is an error 0.85, where there is none 0.6
    expected = (0.108 * 0.85 + 0.168 * 0.6) / 0.276
    assert found.verdict_accuracy == pytest.approx(expected)


def test_planted_values_without_disagreement() -> None:
    found = planted(PROFILES["perfect"], 0.5)
    assert found[:2] == (1.0, 0.0)
    assert math.isnan(found.verdict_accuracy)
    assert found.debate_accuracy == 1.0


def test_planted_values_agree_with_the_drawn() -> None:
    rng = np.random.default_rng(5)
    truths = rng.random(N) < 0.6
    a, b = (draw_answers(MODEL, truths, rng) for _ in "ab")
    verdicts = draw_verdicts(MODEL, truths, rng.random(N) < 0.5, rng)
    decided = np.where(a == b, a, verdicts)
    found = planted(MODEL, 0.6)
    assert np.mean(a == truths) == pytest.approx(found.answer_accuracy, abs=0.01)
    assert np.mean(a != b) == pytest.approx(found.disagreement, abs=0.01)
    assert np.mean(decided == truths) == pytest.approx(found.debate_accuracy, abs=0.01)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sensitivty": 0.5}, ["'sensitivty'", "Did you mean 'sensitivity'", "quotes"]),
        ({"sensitivity": 1.2}, ["sensitivity=1.2", "less than or equal to 1"]),
        ({"sensitivity": float("nan")}, ["sensitivity=nan"]),
        ({"judge_accuracy": True}, ["judge_accuracy=True"]),
        ({"quotes": 2.5}, ["quotes=2.5"]),
        ({"latency": -1}, ["latency=-1"]),
        ({"unreadable_kind": "odd"}, ["unreadable_kind='odd'", "'no_tags'", "'any'"]),
        ({"hostile_kind": "rude"}, ["hostile_kind='rude'", "'takeover'"]),
        ({"refused_rate": 0.6, "truncated_rate": 0.5}, ["together exceed 1"]),
        ({"confidence_right": 0.95}, ["confidence_right", "0.1 and 0.9"]),
        ({"confidence_wrong": 0.05}, ["confidence_wrong", "0.1 and 0.9"]),
        ({"jury_confidence": 0.95}, ["jury_confidence", "0.1 and 0.9"]),
        ({"bet_opening": 73}, ["bet_opening=73", "less than or equal to 1"]),
        ({"bet_opening": 0.95}, ["bet_opening=0.95", "together are 0.1"]),
        ({"bet_model_spread": 0.2}, ["bet_opening=0.73", "together are 0.3"]),
        ({"bet_grid": 3}, ["bet_grid=3", "1, 2, 5, 10, 20, 25 or 50"]),
        (
            {"overbetting_rate": 0.6, "underbetting_rate": 0.5},
            ["overbetting_rate and underbetting_rate together exceed 1"],
        ),
        ({"label": "anna"}, ["'label'", "bet_opening"]),
    ],
)
def test_what_is_not_allowed_is_named(given: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of("balanced", given)
    for part in said:
        assert part in raised.value.message


def test_an_unknown_profile_is_told_which_there_are() -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of("balancd", {})
    for part in ["simulated/balancd", "mean 'balanced'", "-M", *PROFILES]:
        assert part in raised.value.message


@pytest.mark.parametrize("label", ["anna", "family/anna-3.7", "openai/o3:free"])
def test_a_label_tells_models_of_one_profile_apart(label: str) -> None:
    found = behaviour_of(f"escalating/{label}", {"seed": 3})
    assert found == PROFILES["escalating"].model_copy(
        update={"label": label, "seed": 3}
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("balanced/", ["simulated/balanced/", "'' is no label", "simulated/balanced/"]),
        ("balanced/a b", ["'a b' is no label"]),
        ("balanced//anna", ["'/anna' is no label"]),
        ("balancd/anna", ["simulated/balancd/anna is not known", "mean 'balanced'"]),
        ("/anna", ["simulated//anna is not known"]),
    ],
)
def test_what_is_no_label(name: str, said: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of(name, {})
    for part in said:
        assert part in raised.value.message


def test_parameters_lie_over_the_profile() -> None:
    behaviour = behaviour_of("first_speaker", {"judge_accuracy": 1, "seed": 7})
    assert behaviour == Behaviour(
        follow_first=1.0, first_bonus=1.0, judge_accuracy=1.0, seed=7
    )


def test_every_profile_and_parameter_is_described() -> None:
    assert PROFILES["balanced"] == Behaviour()
    assert all(ABOUT[name].endswith(".") for name in PROFILES)
    assert len({profile.model_dump_json() for profile in PROFILES.values()}) == len(
        PROFILES
    )
    of_studies = (Behaviour, BetBehaviour, ConflictBehaviour, GenerativeBehaviour)
    described = "".join(str(study.__doc__) for study in of_studies)
    for name in Behaviour.model_fields:
        assert f"\n        {name}: " in described
