"""Knowledge, trust, certainty and verdicts: laws by hand, and in large draws."""

from typing import Any

import numpy as np
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.simulator.behaviour import Behaviour
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
from inspect_debate.simulator.profiles import PROFILES, behaviour_of
from tests.simulator.asking import check_share
from tests.simulator.clash_drawing import MODEL, N, drawn
from tests.support.laws import draw_verdict_series

# --- by hand -----------------------------------------------------------------------


def test_tiers_by_hand() -> None:
    assert tier_shares(MODEL) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert list(recall_rates(MODEL)) == [0, 0.1, 0.5, 0.95]
    u = np.array([0.0, 0.09, 0.11, 0.29, 0.31, 0.59, 0.61, 0.999])
    assert list(tier_of(MODEL, u)) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert tier_of(PROFILES["perfect"], 0.0) == 3
    assert tier_of(PROFILES["coin"], 0.999999) == 2


@pytest.mark.parametrize(
    ("severity", "follow", "trust"),
    [(0, 0.9, 0.8), (1, 0.8, 0.6), (3, 0.6, 0.4), (5, 0.4, 0.2)],
)
def test_trust_falls_with_severity(severity: int, follow: float, trust: float) -> None:
    assert follow_probability(MODEL, severity) == pytest.approx(follow)
    assert credulity(MODEL, severity) == pytest.approx(trust)


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


@pytest.mark.parametrize(
    ("given", "said"),
    [
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
    ],
)
def test_what_is_not_allowed_is_named(given: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        behaviour_of("balanced", given)
    for part in said:
        assert part in raised.value.message


def test_shares_that_make_one_are_allowed() -> None:
    full = Behaviour(highly_known=0.7, maybe_known=0.2, weakly_known=0.1)
    assert tier_shares(full)[0] == pytest.approx(0)


# --- large draws -------------------------------------------------------------------


def test_knowledge_is_drawn_as_planted() -> None:
    draws = drawn(MODEL)
    for name in ("tier", "prior_right", "prior_certainty"):
        values = getattr(draws, name)
        assert values.shape == (N, 2)
        assert np.array_equal(values[:, 0], values[:, 1])  # of the question
    assert not np.array_equal(draws.recalled[:, 0], draws.recalled[:, 1])
    for known, share in enumerate(tier_shares(MODEL)):
        here = draws.tier[:, 0] == known
        check_share(here, share)
        rate = recall_rates(MODEL)[known]
        check_share(draws.prior_right[here, 0], rate)
        assert draws.recalled[here].mean() == pytest.approx(32 * rate, abs=0.1)


def test_both_estimates_of_confidence_have_one_mean() -> None:
    draws = drawn(MODEL)
    for right, mean in ((True, 0.85), (False, 0.8)):
        here = draws.prior_right == right
        assert draws.prior_certainty[here].mean() == pytest.approx(mean, abs=0.003)
        assert draws.prior_repeated[here].mean() / 16 == pytest.approx(mean, abs=0.003)
    repeated = draws.contextual_repeated.mean() / 16
    assert repeated == pytest.approx(draws.contextual_certainty.mean(), abs=0.003)


def test_contextual_answers_are_drawn_as_planted() -> None:
    draws = drawn(MODEL)
    severities = 1 + np.arange(N) % 5
    for severity in range(6):
        half, here = (1, severities == severity) if severity else (0, slice(None))
        follows = draws.follows[here, half]
        check_share(follows, float(follow_probability(MODEL, severity)))
        right = draws.contextual_right[here, half]
        assert (right[follows] == (severity == 0)).all()
        assert np.array_equal(right[~follows], draws.prior_right[here, half][~follows])


def test_verdicts_settle_on_the_last() -> None:
    severities = np.full(N, 2)
    rng = np.random.default_rng(5)
    verdicts = draw_verdict_series(MODEL, severities, 6, rng)
    assert verdicts.shape == (N, 6)
    check_share(verdicts[:, -1], 0.5)
    for round in range(5):
        check_share(verdicts[:, round] == verdicts[:, -1], 0.8)
    check_share(verdicts[:, 0] == verdicts[:, 1], 0.8**2 + 0.2**2)


@pytest.mark.parametrize(("profile", "verdict"), [("credulous", 1), ("sceptic", 0)])
def test_judges_of_one_mind(profile: str, verdict: int) -> None:
    draws = drawn(PROFILES[profile])
    assert (draws.verdicts == verdict).all()
