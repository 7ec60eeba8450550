"""Confidence and knowledge of hand-made records, against hand counts."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import get_args

import pytest

from inspect_debate.v1.debate.record import Parsed, Status, TokensStatus
from inspect_debate.v1.scorers.self_confidence import confidence_values, self_confidence
from tests.v1.scorers.recorded import Recorded, score_records
from tests.v1.support.clash_records import (
    GOLD,
    NAN,
    OTHER,
    Said,
    contextual,
    debate,
    further,
    prior,
    record_of,
)
from tests.v1.support.runs import metrics, samples, score_of, values


def near(numbers: object) -> object:
    return pytest.approx(numbers, nan_ok=True)


@pytest.mark.parametrize("status", get_args(TokensStatus))
def test_what_came_of_asking_for_log_probabilities(status: TokensStatus) -> None:
    sure = 0.5 if status == "ok" else status
    record = record_of("few_shot", prior(OTHER, sure), contextual(sure="cut"))
    found = confidence_values(record, GOLD)
    logged = {s: found[f"tokens_{s}"] for s in get_args(TokensStatus)}
    assert logged == {s: float(s == status) for s in get_args(TokensStatus)}
    unasked = confidence_values(record_of("few_shot", prior(OTHER, None)), GOLD)
    assert not any(unasked[f"tokens_{s}"] for s in get_args(TokensStatus))


@pytest.mark.parametrize(
    ("right", "draws", "tier"),
    [
        (0, 32, 0),
        (1, 32, 1),
        (9, 32, 1),  # 0.281
        (10, 32, 2),  # 0.3125
        (3, 10, 2),  # 0.30
        (27, 32, 2),  # 0.844
        (28, 32, 3),
        (17, 20, 3),  # 0.85
        (32, 32, 3),
    ],
)
def test_tiers_of_knowledge(right: int, draws: int, tier: float) -> None:
    drawn = [GOLD] * right + [OTHER] * (draws - right)
    turns = [prior(), contextual(), *further(*drawn, kind="recall")]
    found = confidence_values(record_of("few_shot", *turns, recall_samples=draws), GOLD)
    assert found["recall_strict"] == found["recall_normalised"] == near(right / draws)
    assert (found["tier"], found["tier_normalised"]) == (tier, tier)
    assert found["recall_draws"] == draws


def test_recall_by_the_very_words_and_in_other_words() -> None:
    drawn = ("2:01:09", "7269 s", "2 h 1 min 9 s", "2:01:10", *[None] * 4)
    record = record_of(
        "few_shot", prior(), contextual(), further(*drawn, kind="recall")
    )
    found = confidence_values(record, "2:01:09")
    assert (found["recall_strict"], found["recall_normalised"]) == (1 / 4, 3 / 4)
    assert (found["tier"], found["tier_normalised"]) == (1, 2)
    assert found["recall_draws"] == 4


@pytest.mark.parametrize("drawn", [(), (None, None), (GOLD,) * 15 + (None,) * 17])
def test_without_half_of_its_recall_there_is_no_tier(drawn: Sequence[Said]) -> None:
    record = record_of(
        "few_shot", prior(), contextual(), further(*drawn, kind="recall")
    )
    found = confidence_values(record, GOLD)
    for name in ("recall_strict", "recall_normalised", "tier", "tier_normalised"):
        assert isnan(found[name]), name
    assert found["recall_draws"] == len(drawn) - drawn.count(None)


@pytest.mark.parametrize(
    ("memory", "strict", "normalised"),
    [
        ("400 mg", 1, 1),
        ("0.4 g", 0, 1),
        ("400", 0, 1),
        ("40 mg", 0, 0),
        (None, NAN, NAN),
        (Parsed(status=Status.REFUSED), NAN, NAN),
    ],
)
def test_right_memory(memory: Said, strict: float, normalised: float) -> None:
    found = confidence_values(
        record_of("few_shot", prior(memory), contextual()), "400 mg"
    )
    assert found["prior_strict"] == near(strict)
    assert found["prior_normalised"] == near(normalised)
    assert isnan(found["confidence"]) == isnan(strict)
    assert isnan(found["confident"]) == isnan(strict)


def test_a_score_says_where_the_confidence_is_from(tmp_path: Path) -> None:
    stopped = debate("R").model_copy(update={"complete": False, "ended_by": "a limit"})
    records = [
        debate("R", 0.95),
        record_of(
            "few_shot", prior(GOLD, "absent"), contextual(), further(GOLD, OTHER)
        ),
        record_of("few_shot", prior(None, "no_answer"), contextual()),
        stopped,
    ]
    log = score_records(
        [Recorded(GOLD, [r]) for r in records], self_confidence(), tmp_path
    )
    logged = []
    for sample in samples(log)[:3]:
        score = score_of(sample, "self_confidence")
        logged.append((score.metadata or {})["source"])
        assert (score.metadata or {})["reason"] in (score.explanation or "")
    assert logged == ["logprobs", "self_consistency", None]
    right = [values(s, "self_confidence")["correct"] for s in samples(log)[:3]]
    assert right == near([0, 1, NAN]), "an answer that was not read is not wrong"
    last = (samples(log)[3].scores or {})["self_confidence"].value
    assert isinstance(last, float)
    assert isnan(last)
    found = metrics(log, "self_confidence")
    assert (found["from_logprobs"], found["from_consistency"]) == (1, 1)
    assert found["without_confidence"] == 1
    assert found["brier"] == near((0.95**2 + 0.5**2) / 2)


# --- metrics -------------------------------------------------------------------------
