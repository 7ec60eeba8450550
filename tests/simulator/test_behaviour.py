"""The laws of simulated models and what they plant, in single cases worked by hand."""

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
from inspect_debate.simulator.profiles import PRESETS, PROFILES, behaviour_of
from tests.simulator.asking import LABELS, LETTERS

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


@pytest.mark.parametrize(
    ("given", "parts"),
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
def test_what_is_not_allowed_is_named(given: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of("balanced", given)
    for part in parts:
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
    ("name", "parts"),
    [
        ("balanced/", ["simulated/balanced/", "'' is no label", "simulated/balanced/"]),
        ("balanced/a b", ["'a b' is no label"]),
        ("balanced//anna", ["'/anna' is no label"]),
        ("balancd/anna", ["simulated/balancd/anna is not known", "mean 'balanced'"]),
        ("/anna", ["simulated//anna is not known"]),
    ],
)
def test_what_is_no_label(name: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of(name, {})
    for part in parts:
        assert part in raised.value.message


def test_parameters_lie_over_the_profile() -> None:
    behaviour = behaviour_of("first_speaker", {"judge_accuracy": 1, "seed": 7})
    assert behaviour == Behaviour(
        follow_first=1.0, first_bonus=1.0, judge_accuracy=1.0, seed=7
    )


def test_every_profile_and_parameter_is_described() -> None:
    assert PROFILES["balanced"] == Behaviour()
    assert all(about.endswith(".") for about, _ in PRESETS.values())
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
