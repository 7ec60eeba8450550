"""The record, its way through a store, and records of older versions."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.util import Store
from pydantic import ValidationError

from inspect_debate.debate.paths import any_path
from inspect_debate.debate.record import (
    RECORD_VERSION,
    Debate,
    DebateRecord,
    Parsed,
    Participant,
    PromptsUsed,
    Quote,
    read_record,
    upgraded,
    upgraded_metadata,
    write_record,
)
from inspect_debate.evals.srdcr import VERSION, srdcr
from inspect_debate.evals.tasks import round_counts
from tests.support.made import answer, made_record, speech, verdict
from tests.support.runs import error_of, run

QUOTES = (
    Quote(text="Add ≤ 2\n", verified=True, source="input"),
    Quote(text="", verified=False, empty=True, duplicate=True),
)
RECORD = made_record(
    answer("debater_a", Parsed.unparsed(), calls=2, superseded=("hm",)),
    speech("debater_b", 2, quotes=QUOTES, reused=True),
    verdict(order="ba", listed_first="no_error", shown_first="debater_b"),
    participants=(
        Participant(
            id="debater_a",
            role="debater_a",
            name="Alice",
            model="scripted/x",
            defends="error",
            settings={"speech": {"temperature": 0.5, "max_tokens": 9}},
        ),
    ),
    parameters={"rounds": 2, "answer": {"temperature": None}, "order": "ba"},
    skip_reason="the answers agree",
    complete=False,
    ended_by="the token limit of 20",
    reused_from="run",
    warnings=("one",),
)


SMALLEST = made_record(complete=False, parameters={})


@pytest.mark.parametrize("record", [RECORD, SMALLEST])
def test_a_record_comes_back_through_a_store(record: DebateRecord) -> None:
    store = Store()
    write_record(store, record)
    logged = json.loads(json.dumps(dict(store.items())))
    for kept in (store, Store(logged)):
        assert read_record(kept) == record
        assert Debate(store=kept).record == record, "as anyone else would read it"
        assert read_record(kept) == record


def test_only_the_record_is_written() -> None:
    store = Store()
    write_record(store, RECORD)
    assert list(store.keys()) == ["Debate:text"]
    text = store.get("Debate:text")
    assert "debater_b speaks in round 2" in text
    assert len(text) < len(RECORD.model_dump_json())


def test_a_record_of_another_shape_is_an_error() -> None:
    broken = {**RECORD.model_dump(mode="json"), "verdict": "error"}
    with pytest.raises(ValidationError, match="verdict"):
        read_record(Store({"Debate:text": json.dumps(broken)}))


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
    ("study", "parameters", "counts"),
    [
        ("colmad", {"rounds": 2}, {"of_speeches": 2, "with_first_answers": 3}),
        ("srdcr", {"rounds": 0}, {"of_speeches": 0, "with_first_answers": 1}),
        ("confidence", {"rounds": 3}, {"of_speeches": 3, "with_first_answers": 3}),
        ("debate", ASSIGNED, {"of_speeches": 2, "with_first_answers": 2}),
        ("colmad", {}, None),
    ],
)
def test_both_counts(
    study: str, parameters: dict[str, Any], counts: dict[str, int] | None
) -> None:
    assert round_counts(study, parameters) == counts


@pytest.mark.parametrize("where", ["", "memory:/"])
def test_a_run_of_an_older_version_does_not_go_on(where: str, tmp_path: Path) -> None:
    """`eval-retry` hands the earlier log's metadata to the new run."""
    task = srdcr(source="sample", protocol="naive_debate")
    log = run(
        task,
        any_path(f"{where}{tmp_path}"),
        limit=2,
        success=False,
        metadata={"version": "2-A"},
    )
    assert (
        f"begun by version 2-A of the task. It cannot go on with version {VERSION}"
        in str(error_of(log))
    )
    assert "reuse=LOG" in error_of(log)
