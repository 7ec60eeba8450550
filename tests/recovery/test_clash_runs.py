"""What is planted in a simulated model is found in a full run of SR-DCR."""

from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from inspect_debate.evals.srdcr import srdcr
from inspect_debate.simulator.profiles import behaviour_of
from tests.datasets.made_clasheval import made_rows, saved
from tests.support.clash_planted import planted_clash
from tests.support.runs import metrics, run, samples, values

pytestmark = pytest.mark.slow

QUESTIONS = 48
PLANTED: dict[str, Any] = {
    "highly_known": 0.7,
    "maybe_known": 0.1,
    "weakly_known": 0.1,
    "certainty_right": 0.95,
    "certainty_wrong": 0.6,
    "certainty_spread": 0.05,
    "credulity_standard": 0.9,
    "credulity_perturbed": 0.95,
    "credulity_per_severity": -0.01,
}


def run_of(log_dir: Path, source: str, planted: dict[str, Any], **what: Any) -> EvalLog:
    model = get_model("simulated/balanced", memoize=False, **planted)
    parameters: dict[str, Any] = {
        "source": source,
        "questions": QUESTIONS,
        "rounds": 1,
    } | what
    return run(srdcr(**parameters), log_dir, model=model)


@pytest.fixture(scope="module")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("data") / "clasheval.parquet"
    return saved(made_rows(20), path)


def near(found: float, planted: float, n: float) -> bool:
    """Within 3.3 standard errors, as if both halves of a question were one item."""
    return abs(found - planted) < 3.3 * sqrt(max(planted * (1 - planted), 0.02) / n)


def test_knowledge_confidence_and_accuracies_are_found(
    parquet: str, tmp_path: Path
) -> None:
    draws: dict[str, Any] = {"confidence_from": "both", "consistency_samples": 8}
    log = run_of(tmp_path, parquet, PLANTED, recall_samples=8, **draws)
    planted = planted_clash(behaviour_of("balanced", PLANTED), recall_samples=8)
    clash, sure = metrics(log, "clash"), metrics(log, "self_confidence")
    for arm in ("prior", "few_shot", "golden", "confidence_only", "acvd_only", "srdcr"):
        expected = planted.conditions[arm]
        for half in ("standard", "perturbed"):
            found, there = clash[f"{half}_{arm}"], getattr(expected, half)
            assert near(found, there, QUESTIONS), (arm, half, found, there)
    gated = planted.conditions["srdcr"]
    coverage = (gated.coverage_standard + gated.coverage_perturbed) / 2
    assert near(clash["coverage"], coverage, QUESTIONS)
    tiers = ("tier_unknown", "tier_weakly", "tier_maybe", "tier_highly")
    for tier, share in zip(tiers, planted.tiers, strict=True):
        assert near(sure[tier], share, QUESTIONS), tier
    assert near(sure["confident_share"], planted.confident, QUESTIONS)
    confident = planted.confident * QUESTIONS
    assert near(sure["known_at_0.9"], planted.known_if_confident, confident)
    # Both estimates measure one thing; 8 draws of p differ from it by 0.1 at most.
    assert sure["from_logprobs"] == 2 * QUESTIONS
    assert 0.02 < sure["sources_gap"] < 0.1
    assert sure["brier"] < sure["brier_consistency"] + 0.05


@pytest.mark.parametrize("credulity", [0.0, 1.0])
def test_a_judge_of_one_mind_makes_srdcr_one_of_its_two_answers(
    credulity: float, parquet: str, tmp_path: Path
) -> None:
    judge = {
        "credulity_standard": credulity,
        "credulity_perturbed": credulity,
        "credulity_per_severity": 0.0,
        "verdict_flip": 0.0,
    }
    log = run_of(tmp_path, parquet, PLANTED | judge, questions=12, rounds=2)
    for sample in samples(log):
        clash, sure = values(sample, "clash"), values(sample, "self_confidence")
        assert {clash["verdict_0"], clash["verdict_1"]} == {credulity}
        assert clash["settled"] == 0
        if credulity:
            for key in ("strict", "normalised", "answered", "context", "prior"):
                assert clash[f"{key}_srdcr"] == clash[f"{key}_few_shot"]
        else:
            assert clash["answered_srdcr"] == sure["confident"]
            right = clash["strict_prior"] * sure["confident"]
            assert clash["strict_srdcr"] == right
            assert clash["strict_acvd_only"] == clash["strict_prior"]
    found = {values(s, "clash")["answered_srdcr"] for s in samples(log)}
    assert found == ({1.0} if credulity else {0.0, 1.0})
