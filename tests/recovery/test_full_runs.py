"""What is planted in the simulated models is found in the metrics of a full run.

So the way from the provider through parsing, record and scorers is checked as one.
"""

from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from inspect_debate.scorers.debate_process import debate_process
from inspect_debate.scorers.error_detection import error_detection
from inspect_debate.simulator.profiles import behaviour_of
from inspect_debate.solvers.colmad import colmad
from tests.support.planted import (
    Read,
    confidence_scores,
    decisions,
    fates,
    speeches,
)
from tests.support.runs import dataset, item, metrics, records, run, samples

pytestmark = pytest.mark.slow

ITEMS = 250
"""A rate that is wrong by 5.2 standard errors leaves its interval in 97 % of runs."""
FEW = 50  # where nothing is left to chance; 31 are errors
SUBSETS = ("math", "fact", "answerability")
# By role: a profile, so that each has a model of its own, and what differs from it.
PLANTED: dict[str, tuple[str, dict[str, Any]]] = {
    "debater_a": (
        "balanced",
        {
            "sensitivity": 0.85,
            "specificity": 0.45,
            "concession": 0.6,
            "wrong_concession": 0.12,
            "concession_growth": 0.3,
            "confidence_right": 0.8,
            "confidence_wrong": 0.6,
            "drift": 0.03,
            "quote_verified_rate": 0.6,
            "quote_duplicate_rate": 0.35,
            "unreadable_rate": 0.2,
            "reask_success": 0.3,
            "refused_rate": 0.03,
            "truncated_rate": 0.06,
        },
    ),
    "debater_b": (
        "hesitant",
        {
            "sensitivity": 0.5,
            "specificity": 0.8,
            "quote_verified_rate": 0.95,
            "unreadable_rate": 0.1,
            "reask_success": 0.8,
            "refused_rate": 0.06,
        },
    ),
    "judge": (
        "first_speaker",
        {
            "follow_first": 0.3,
            "judge_accuracy": 0.5,
            "unreadable_rate": 0.25,
            "reask_success": 0.3,
            "truncated_rate": 0.05,
        },
    ),
}


def items(count: int) -> list[Sample]:
    """Items of words that occur once, so that no two quotes are equal by chance."""
    made = []
    for n in range(count):
        task, response = (
            " ".join(f"{kind}{n}.{word}" for word in range(length))
            for kind, length in (("rule", 100), ("claim", 50))
        )
        label = "error" if n * 62 % 100 < 62 else "no_error"
        sample = item(f"item-{n}", response=response, label=label, task=task)
        assert sample.metadata is not None
        sample.metadata["subset"] = SUBSETS[n % 3]
        made.append(sample)
    return made


def debates(tmp_path: Path, roles: Any, count: int = FEW, **parameters: Any) -> EvalLog:
    scorers = [error_detection(), debate_process()]
    task = Task(
        dataset=dataset(*items(count)), solver=colmad(**parameters), scorer=scorers
    )
    return run(task, tmp_path, roles=roles)


def test_everything_planted_is_found(tmp_path: Path) -> None:
    roles = {
        role: get_model(f"simulated/{profile}", **given)
        for role, (profile, given) in PLANTED.items()
    }
    behaviours = {role: behaviour_of(*of) for role, of in PLANTED.items()}
    run = Read(debates(tmp_path, roles, ITEMS), behaviours)

    checks = [*fates(run), *decisions(run), *speeches(run)]
    assert len(checks) == 10 + 4 + 3 + 5 + 8 + 2
    # 99.9 % intervals: half a thousandth at each end.
    assert {c.name: c.tail for c in checks if not c.tail > 0.0005} == {}
    scores = dict(confidence_scores(run))
    assert {name: z for name, z in scores.items() if not abs(z) < 3.29} == {}

    counted_in_metrics(run)
    usage_adds_up(run)


def counted_in_metrics(run: Read) -> None:
    """Metrics of what is not drawn independently: the same as a count by hand."""
    all_quotes = [quote for turn, *_ in run.turns("speech") for quote in turn.quotes]
    found = metrics(run.log, "debate_process")
    quotes = [quote for quote in all_quotes if not quote.empty]
    assert found["verified_share"] == fmean(quote.verified for quote in quotes)
    assert found["duplicate_share"] == fmean(quote.duplicate for quote in all_quotes)
    conceded = [
        turn.field("final").value != side
        for turn, _, side, _ in run.turns("speech", "final")
    ]
    assert found["concession_rate"] == fmean(conceded)
    cells = metrics(run.log, "error_detection")
    assert sum(cells[f"items_gpt4_{subset}"] for subset in SUBSETS) == ITEMS


def usage_adds_up(run: Read) -> None:
    """Inspect's own totals are the sums over the records, by model and by role."""
    stats = run.log.stats
    fields = (
        "input_tokens",
        "output_tokens",
        "total_tokens",
        "input_tokens_cache_read",
    )
    for role, (profile, _) in PLANTED.items():
        own = [turn.usage for turn, *_ in run.turns() if turn.role == role]
        for usage in (
            stats.model_usage[f"simulated/{profile}"],
            stats.role_usage[role],
        ):
            for field in fields:
                total = sum(getattr(one, field) or 0 for one in own)
                assert getattr(usage, field) == total > 0, (role, field)
    assert len(stats.model_usage) == len(PLANTED)
    calls = sum(turn.calls for turn, *_ in run.turns())
    events = [e for sample in samples(run.log) for e in sample.events]
    assert sum(isinstance(event, ModelEvent) for event in events) == calls
    found = metrics(run.log, "debate_process")
    assert found["calls"] * ITEMS == pytest.approx(calls)
    total = sum(usage.total_tokens for usage in stats.model_usage.values())
    assert found["tokens"] * ITEMS == pytest.approx(total)


def test_a_judge_who_sides_with_the_first_ties_in_both_orders(tmp_path: Path) -> None:
    log = debates(tmp_path, {"judge": "simulated/first_speaker"}, order="both")
    found = metrics(log, "error_detection")
    assert metrics(log, "debate_process")["shown_first_rate"] == 1
    assert found["order_agreement"] == 0
    assert found["items_debated"] > 10
    # All that was debated is tied and so without a prediction, and nothing else is.
    assert found["no_prediction_rate"] == found["debated_share"]
    assert found["tied_rate"] == found["debated_share"]
    assert found["unparsed_rate"] == 0
    assert isnan(found["accuracy_debated"])
    debated = [record for record in records(log) if record.debated]
    assert len(debated) == found["items_debated"] == found["debated_share"] * FEW


def test_models_that_always_answer_error_are_their_baseline(tmp_path: Path) -> None:
    always = "simulated/always_error"
    roles = dict.fromkeys(("debater_a", "debater_b", "judge"), always)
    found = metrics(debates(tmp_path, roles), "error_detection")
    assert found["debated_share"] == 0
    assert found["f2"] == found["f2_always_error"] == pytest.approx(155 / 174)


def test_perfect_models_are_right_everywhere(tmp_path: Path) -> None:
    roles = {
        "debater_a": "simulated/perfect",
        "debater_b": "simulated/always_error",  # so that there is a debate at all
        "judge": "simulated/perfect",
    }
    log = debates(tmp_path, roles)
    found = metrics(log, "error_detection")
    assert found["debated_share"] == 0.38
    for name in ("f1", "mcc", "accuracy_debated"):
        assert found[name] == 1
    alone = debates(tmp_path, dict.fromkeys(roles, "simulated/perfect"))
    found = metrics(alone, "error_detection")
    assert (found["f1"], found["mcc"], found["debated_share"]) == (1, 1, 0)
