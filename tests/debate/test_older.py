"""Records and metadata of version 1, as version 2 has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.record import (
    RECORD_VERSION,
    DebateRecord,
    PromptsUsed,
    upgraded,
    upgraded_metadata,
)
from inspect_debate.evals.srdcr import VERSION, srdcr
from inspect_debate.evals.tasks import round_counts
from tests.support.runs import run

ASSIGNED = {"rounds": 2, "sides": "assigned"}


@pytest.mark.parametrize(
    ("protocol", "then", "now"),
    [
        ("naive_debate", {"rounds": 5, "agents": 3}, {"rounds": 4, "agents": 3}),
        ("srdcr", {"rounds": 6}, {"rounds": 6}),
        ("colmad", {"rounds": 2}, {"rounds": 2}),
        (
            "dual_debate",
            {"speech_rounds": 2, "best_of": 1},
            {"rounds": 2, "best_of": 1},
        ),
        ("direct_qa", {"answers": "reuse"}, {"answers": "reuse"}),
    ],
)
def test_parameters(protocol: str, then: dict[str, Any], now: dict[str, Any]) -> None:
    old = {"study": "x", "protocol": protocol, "parameters": then, "turns": []}
    text = upgraded(json.dumps(old))
    record = json.loads(text)
    assert (record["version"], record["parameters"]) == (RECORD_VERSION, now)
    metadata = {"version": "2-A", "protocol": protocol, "parameters": then}
    found = upgraded_metadata(metadata)
    assert (found["parameters"], found["task_version"]) == (now, "2-A")
    # What was upgraded, or is written now, is left as it is.
    assert upgraded(text) is text
    assert upgraded_metadata(found) == found


def test_a_new_record_is_not_changed() -> None:
    record = DebateRecord(
        study="srdcr",
        protocol="naive_debate",
        parameters={"rounds": 4},
        prompts=PromptsUsed(name="srdcr", hash="0"),
        question="q",
        choices=(),
        epoch=1,
        seed=0,
    )
    text = record.model_dump_json()
    assert upgraded(text) is text


def test_metadata_of_other_tasks_are_left_alone() -> None:
    assert upgraded_metadata(None) == {}
    assert upgraded_metadata({"version": 3}) == {"version": 3}


@pytest.mark.parametrize(
    ("study", "parameters", "told"),
    [
        ("colmad", {"rounds": 2}, {"of_speeches": 2, "with_first_answers": 3}),
        ("srdcr", {"rounds": 0}, {"of_speeches": 0, "with_first_answers": 1}),
        ("confidence", {"rounds": 3}, {"of_speeches": 3, "with_first_answers": 3}),
        ("debate", ASSIGNED, {"of_speeches": 2, "with_first_answers": 2}),
        ("colmad", {}, None),
    ],
)
def test_both_counts(
    study: str, parameters: dict[str, Any], told: dict[str, int] | None
) -> None:
    assert round_counts(study, parameters) == told


def test_a_run_of_an_older_version_does_not_go_on(tmp_path: Path) -> None:
    """`eval-retry` hands the earlier log's metadata to the new run."""
    task = srdcr(source="sample", protocol="naive_debate")
    log = run(task, tmp_path, limit=2, success=False, metadata={"version": "2-A"})
    assert log.status == "error"
    assert log.error is not None
    assert (
        f"begun by version 2-A of the task. It cannot go on with version {VERSION}"
        in str(log.error.message)
    )
    assert "reuse=LOG" in log.error.message
