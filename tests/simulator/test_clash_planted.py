"""What is planted, by hand and against large draws."""

from itertools import product
from math import comb, isnan
from typing import Any

import numpy as np
import pytest

from inspect_debate.metrics.knowledge import tier
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.profiles import PROFILES
from tests.simulator.asking import check_share
from tests.simulator.clash_drawing import MODEL, drawn
from tests.support.clash_planted import PlantedArm, planted_clash
from tests.support.laws import ConflictDraws

P_RIGHT = 0.4 * 0.95 + 0.3 * 0.5 + 0.2 * 0.1  # 0.55
BEHAVIOURS = {
    "model": MODEL,
    "exact": Behaviour(certainty_spread=0, certainty_right=0.95, certainty_wrong=0.2),
    "apart": Behaviour(certainty_right=0.9, certainty_wrong=0.3, certainty_spread=0.1),
    **{name: PROFILES[name] for name in ("balanced", "perfect", "coin")},
    **{name: PROFILES[name] for name in ("overconfident", "credulous", "sceptic")},
}


def test_planted_accuracies_by_hand() -> None:
    """At severity 1, where 0.8 follow the passage and 0.6 of judges believe it."""
    found = planted_clash(MODEL, severities=[1]).arms
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
    found = planted_clash(MODEL, recall_samples=4)
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


def _decided(
    draws: ConflictDraws, confidence: Any, contextual: Any, tau: float
) -> dict[str, tuple[Any, Any]]:
    """Whether each arm is right, and whether it answers, as measured."""
    prior, passage = draws.prior_right, draws.contextual_right
    sure, verdict = confidence >= tau, draws.verdicts[..., -1]
    always = {
        "prior": prior,
        "few_shot": passage,
        "golden": np.stack([passage[:, 0], prior[:, 1]], axis=1),
        "token_prob": np.where(confidence > contextual, prior, passage),
        "confidence_only": np.where(sure, prior, passage),
        "acvd_only": np.where(verdict, passage, prior),
    }
    gated = np.where(verdict, passage, sure & prior)
    return {name: (right, np.ones_like(right)) for name, right in always.items()} | {
        "srdcr": (gated, verdict | sure)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", BEHAVIOURS)
@pytest.mark.parametrize("samples", [None, 16])
def test_planted_values_are_those_of_the_draws(name: str, samples: int | None) -> None:
    behaviour, tau = BEHAVIOURS[name], 0.9
    draws = drawn(behaviour, seed=7)
    planted = planted_clash(behaviour, tau, consistency_samples=samples)
    if samples:
        confidence, contextual = (
            draws.prior_repeated / 16,
            draws.contextual_repeated / 16,
        )
    else:
        confidence, contextual = draws.prior_certainty, draws.contextual_certainty
    found = _decided(draws, confidence, contextual, tau)
    for (arm, measured), half in product(found.items(), (0, 1)):
        expected: PlantedArm = planted.arms[arm]
        check_share(measured[0][:, half], min(expected[half], 1.0))
        check_share(measured[1][:, half], min(expected[2 + half], 1.0))
    tiers = tier(draws.recalled[:, 0] / 32)
    for known, share in enumerate(planted.tiers):
        check_share(tiers == known, min(share, 1.0))
    sure = confidence[:, 0] >= tau
    check_share(sure, planted.confident)
    if sure.sum() > 50:
        check_share(tiers[sure] == 3, planted.known_if_confident)
