"""The laws of simulated models and what they plant, in single cases worked by hand."""

import math
from math import comb, isnan
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
from inspect_debate.simulator.generative import (
    agree_probability,
    endorse_probability,
    ruling_confidence,
    solve_probability,
)
from inspect_debate.simulator.knowledge_conflict import (
    LEAST,
    certainty,
    credulity,
    follow_probability,
    mean_certainty,
    recall_rates,
    tier_of,
    tier_shares,
)
from inspect_debate.simulator.policy import (
    choice_probabilities,
    has_options,
    known_truth,
    yield_probability,
)
from inspect_debate.simulator.profiles import ABOUT, PROFILES, behaviour_of
from tests.simulator.asking import LABELS, LETTERS
from tests.support.clash_planted import planted_clash
from tests.support.generative_planted import (
    planted_cell,
    planted_did,
    planted_pair,
)
from tests.support.laws import (
    Condition,
    draw_bets,
    draw_votes,
    juror_agreement,
    planted,
    repeat_agreement,
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
        ({"highly_known": 0.5, "maybe_known": 0.6}, ["weakly_known together exceed 1"]),
        ({"certainty_right": 0.95}, ["certainty_right", "0.15 and 0.85"]),
        ({"passage_certainty_wrong": 0.1}, ["passage_certainty_wrong", "0.15"]),
        ({"logprobs": "some"}, ["logprobs='some'", "'refused'"]),
        (
            {"logprobs_misaligned_rate": 0.6, "logprobs_cut_rate": 0.5},
            ["logprobs_cut_rate together exceed 1"],
        ),
        ({"credulity_perturbed": 1.5}, ["credulity_perturbed=1.5"]),
        ({"follow_per_severity": -2}, ["follow_per_severity=-2"]),
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


CHOOSING = Behaviour(
    choice_accuracy=0.7,
    judge_accuracy=0.8,
    follow_first=0.25,
    yield_wrong=0.6,
    yield_right=0.1,
)


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
    found = choice_probabilities(CHOOSING, truth, choices, shown)
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


KNOWN: dict[str, Any] = {
    **{"highly_known": 0.4, "maybe_known": 0.3, "weakly_known": 0.2},
    **{"recall_highly": 0.95, "recall_maybe": 0.5, "recall_weakly": 0.1},
}
KNOWING = Behaviour(
    **KNOWN,
    certainty_right=0.85,
    certainty_wrong=0.8,
    certainty_spread=0.15,
    follows_passage=0.9,
    follow_per_severity=-0.1,
    credulity_standard=0.8,
    credulity_perturbed=0.6,
    credulity_per_severity=-0.1,
    verdict_flip=0.2,
    yield_right=0.1,
    yield_wrong=0.4,
)


def test_tiers_by_hand() -> None:
    assert tier_shares(KNOWING) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert list(recall_rates(KNOWING)) == [0, 0.1, 0.5, 0.95]
    u = np.array([0.0, 0.09, 0.11, 0.29, 0.31, 0.59, 0.61, 0.999])
    assert list(tier_of(KNOWING, u)) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert tier_of(PROFILES["perfect"], 0.0) == 3
    assert tier_of(PROFILES["coin"], 0.999999) == 2


@pytest.mark.parametrize(
    ("severity", "follow", "trust"),
    [(0, 0.9, 0.8), (1, 0.8, 0.6), (3, 0.6, 0.4), (5, 0.4, 0.2)],
)
def test_trust_falls_with_severity(severity: int, follow: float, trust: float) -> None:
    assert follow_probability(KNOWING, severity) == pytest.approx(follow)
    assert credulity(KNOWING, severity) == pytest.approx(trust)


def test_trust_stays_a_probability() -> None:
    steep = Behaviour(follow_per_severity=-0.5, credulity_per_severity=0.5)
    severities = np.arange(6)
    assert follow_probability(steep, severities)[2:] == pytest.approx(0)
    assert credulity(steep, severities)[2:] == pytest.approx(1)
    assert credulity(steep, severities)[0] == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("right", "passage", "mean"),
    [(True, False, 0.9), (False, False, 0.5), (True, True, 0.8), (False, True, 0.7)],
)
def test_certainty_by_hand(right: bool, passage: bool, mean: float) -> None:
    behaviour = Behaviour(
        certainty_right=0.9,
        certainty_wrong=0.5,
        passage_certainty_right=0.8,
        passage_certainty_wrong=0.7,
        certainty_spread=0.1,
    )
    assert mean_certainty(behaviour, right, passage) == mean
    for offset in (-1, 0.5, 1):
        found = certainty(behaviour, right, passage, offset)
        assert found == pytest.approx(mean + 0.1 * offset)


def test_every_certainty_has_a_logarithm() -> None:
    behaviour = Behaviour(certainty_wrong=0.0, certainty_spread=0)
    assert certainty(behaviour, False, False, -1) == LEAST


def test_shares_that_make_one_are_allowed() -> None:
    full = Behaviour(highly_known=0.7, maybe_known=0.2, weakly_known=0.1)
    assert tier_shares(full)[0] == pytest.approx(0)


P_RIGHT = 0.4 * 0.95 + 0.3 * 0.5 + 0.2 * 0.1  # 0.55


def test_planted_accuracies_by_hand() -> None:
    """At severity 1, where 0.8 follow the passage and 0.6 of judges believe it."""
    found = planted_clash(KNOWING, severities=[1]).arms
    right, wrong = P_RIGHT, 1 - P_RIGHT
    sure_right = 0.1 / 0.3  # the part of 0.70 to 1.00 that is at least 0.90
    sure_wrong = 0.05 / 0.3
    few = right + wrong * 0.9
    expected = {
        "prior": (right, right),
        "few_shot": (few, right * 0.2),
        "golden": (few, right),
        "confidence_only": (
            right + wrong * (1 - sure_wrong) * 0.9,
            right * (sure_right + (1 - sure_right) * 0.2),
        ),
        "acvd_only": (
            0.8 * few + 0.2 * right,
            0.6 * right * 0.2 + 0.4 * right,
        ),
        "srdcr": (
            0.8 * few + 0.2 * right * sure_right,
            0.6 * right * 0.2 + 0.4 * right * sure_right,
        ),
        "rci": (
            few * 0.9 + (1 - few) * 0.4,
            right * 0.2 * 0.9 + (1 - right * 0.2) * 0.4,
        ),
        # three agents: most follow with 0.9, or 0.8
        "naive_debate": (
            right + wrong * (0.9**3 + 3 * 0.9**2 * 0.1),
            right * (0.2**3 + 3 * 0.2**2 * 0.8),
        ),
    }
    for arm, accuracies in expected.items():
        assert found[arm][:2] == pytest.approx(accuracies), arm
    covered = right * sure_right + wrong * sure_wrong
    assert found["srdcr"][2:] == pytest.approx(
        (0.8 + 0.2 * covered, 0.6 + 0.4 * covered)
    )
    assert all(a[2:] == (1, 1) for name, a in found.items() if name != "srdcr")
    assert found["self_ask"] == found["rci_first"] == found["few_shot"]
    assert found["judge_debate"] == found["acvd_only"]


def test_planted_knowledge_by_hand() -> None:
    """With four recalls, where 2 and 3 right ones are `maybe`, and 4 `highly` known."""
    found = planted_clash(KNOWING, recall_samples=4)
    pmfs = [
        [comb(4, k) * p**k * (1 - p) ** (4 - k) for k in range(5)]
        for p in (0, 0.1, 0.5, 0.95)
    ]
    shares = (0.1, 0.2, 0.3, 0.4)
    mixed = [
        sum(s * pmf[k] for s, pmf in zip(shares, pmfs, strict=True)) for k in range(5)
    ]
    tiers = (mixed[0], mixed[1], mixed[2] + mixed[3], mixed[4])
    assert found.tiers == pytest.approx(tiers)
    sure_right, sure_wrong = 0.1 / 0.3, 0.05 / 0.3
    confident = P_RIGHT * sure_right + (1 - P_RIGHT) * sure_wrong
    assert found.confident == pytest.approx(confident)
    known = sum(
        share * rate**4 * (rate * sure_right + (1 - rate) * sure_wrong)
        for share, rate in zip(shares, (0, 0.1, 0.5, 0.95), strict=True)
    )
    assert found.known_if_confident == pytest.approx(known / confident)


def test_nobody_known_where_nobody_is_sure() -> None:
    assert isnan(planted_clash(PROFILES["coin"]).known_if_confident)


def test_planted_at_the_ends() -> None:
    perfect = planted_clash(PROFILES["perfect"])
    assert perfect.tiers == (0, 0, 0, 1)
    assert (perfect.confident, perfect.known_if_confident) == (1, 1)
    assert {arm[:2] for arm in perfect.arms.values()} == {(1.0, 1.0)}
    credulous = planted_clash(PROFILES["credulous"]).arms
    assert credulous["srdcr"] == pytest.approx(credulous["few_shot"])
    sceptic = planted_clash(PROFILES["sceptic"]).arms
    assert sceptic["acvd_only"] == pytest.approx(sceptic["prior"])
    assert sceptic["srdcr"][0] == pytest.approx(sceptic["srdcr"][1])


SOLVING = Behaviour(
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


def test_solving_goes_by_difficulty() -> None:
    assert solve_probability(SOLVING, 1) == pytest.approx(0.1)
    found = solve_probability(SOLVING, np.array([0, 0.5, 1]))
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
    found = endorse_probability(SOLVING, right, interaction, best_of, first)
    assert found == pytest.approx(p)
    array = np.array([right, not right])
    found = endorse_probability(SOLVING, array, interaction, best_of, first)
    assert found[0] == pytest.approx(p)


def test_agreement_of_critics_by_hand() -> None:
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


def test_swayed_is_as_published() -> None:
    swayed = PROFILES["swayed"]
    wrong = [
        float(endorse_probability(swayed, False, each))
        for each in ("none", "consultancy", "debate")
    ]
    assert wrong == pytest.approx([0.30, 0.39, 0.90])


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


def test_planted_verdicts_at_the_ends() -> None:
    perfect, yes = PROFILES["perfect"], PROFILES["yes_man"]
    found = planted_cell(perfect, perfect, Condition(2, "debate", 4))
    assert (found.accuracy, found.fnr, found.regimes) == (1, 0, (0, 0, 1))
    assert isnan(found.fpr)
    found = planted_cell(yes, yes, Condition(2, "none"))
    assert (found.fpr, found.fnr, found.by_regime) == (1, 0, (0, 0, 1))
    assert found.accuracy == pytest.approx(0.36 + 0.3**2 / 3)
