"""Debates and turns of logs as frames, against the records themselves."""

import json
import logging
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ModelUsage

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.outcome import outcome
from inspect_debate.debate.record import DebateRecord
from inspect_debate.reports.debates import debates_df, named_only, turns_df
from inspect_debate.solvers.baselines import single as single_solver
from tests.reports.made_logs import (
    JUDGES,
    copied,
    failing,
    foreign,
    logged,
    panel,
    ran,
    single,
)
from tests.support.runs import dataset, item, record, run, samples


def records_of(path: Path) -> dict[tuple[str, int], DebateRecord]:
    return {
        (str(sample.id), sample.epoch): record(sample)
        for sample in samples(read_eval_log(str(path)))
    }


@pytest.mark.parametrize("path", [panel, single, failing])
def test_debates_say_what_their_records_say(path: Any) -> None:
    records = records_of(path())
    rows = debates_df(path()).to_dict("records")
    assert [(row["id"], row["epoch"]) for row in rows] == sorted(records)
    for row in rows:
        kept = records[row["id"], row["epoch"]]
        decided = outcome(kept)
        if kept.complete:
            assert row["status"] == decided.status
            assert row["outcome"] == decided.answer or pd.isna(row["outcome"])
        else:
            assert pd.isna(row["status"])
            assert row["ended_by"] == kept.ended_by
        assert row["protocol"] == kept.protocol
        assert row["debated"] is kept.debated
        assert row["prompts"] == kept.prompts.hash
        assert row["warnings"] == list(kept.warnings)
        assert row["calls"] == sum(turn.calls for turn in kept.turns)
        assert row["tokens"] == sum(turn.usage.total_tokens for turn in kept.turns)
        assert row["turns"] == len(kept.turns)
        assert [(p["id"], p["model"], p["defends"]) for p in row["participants"]] == [
            (p.id, p.model, p.defends) for p in kept.participants
        ]


def test_a_panel_two_orders_and_two_epochs() -> None:
    debates, turns = debates_df(panel()), turns_df(panel())
    assert set(debates["judge"]) == {", ".join(JUDGES)}
    assert len(debates) == 8
    verdicts = turns[turns["kind"] == "verdict"]
    per_debate = verdicts.groupby(["id", "epoch"])
    assert set(per_debate.size()) == {4}
    assert set(per_debate["order"].nunique()) == {2}
    assert set(verdicts["participant"]) == {"judge_1", "judge_2"}
    assert not turns.duplicated(["log", "id", "epoch", "index"]).any()


def test_turns_say_what_their_records_say() -> None:
    rows = turns_df(panel()).to_dict("records")
    expected = [
        (key, index, turn)
        for key, kept in sorted(records_of(panel()).items())
        for index, turn in enumerate(kept.turns)
    ]
    assert len(rows) == len(expected)
    for row, ((id, epoch), index, turn) in zip(rows, expected, strict=True):
        assert (row["id"], row["epoch"], row["index"]) == (id, epoch, index)
        for name in ("participant", "kind", "round", "model", "public", "private"):
            assert row[name] == getattr(turn, name), name
        said = [quote for quote in turn.quotes if not quote.empty]
        assert row["quotes_verified"] == sum(quote.verified for quote in said)
        assert row["quotes_typography"] == sum(quote.typography for quote in said)
        assert row["quotes_verified"] + row["quotes_unverified"] == len(said)
        assert row["superseded"] == list(turn.superseded)
        assert row["total_tokens"] == turn.usage.total_tokens
        for name in ("answer", "argument", "final", "confidence"):
            if name in turn.fields:
                assert row[name] == turn.field(name).value
                assert row[f"{name}_status"] == turn.field(name).status.value
            else:
                assert pd.isna(row[name])
                assert pd.isna(row[f"{name}_status"])


def test_samples_that_failed_keep_the_turns_that_they_had() -> None:
    debates, turns = debates_df(failing()), turns_df(failing())
    (error,) = debates[debates["error"].notna()].to_dict("records")
    assert error["ended_by"] == "an error: RuntimeError"
    assert (turns["id"] == error["id"]).sum() == error["turns"] == 2
    (limited,) = debates[debates["limit"].notna()].to_dict("records")
    assert limited["limit"] == "token"
    assert not limited["complete"]
    refused = turns[turns["answer_status"] == "refused"]
    assert refused["kind"].tolist() == ["verdict"]
    assert refused["answer"].isna().all()


def test_reused_turns_were_paid_for_elsewhere(tmp_path: Path) -> None:
    log = ran(tmp_path, reuse=str(panel()), skip_if_agree=False, epochs=2)
    debates, turns = debates_df(log), turns_df(log)
    earlier = read_eval_log(str(panel()), header_only=True).eval.eval_id
    assert set(debates["reused_from"]) == {earlier}
    assert set(debates["reuse"]) == {panel().name}
    assert (debates["reused_calls"] > 0).all()
    assert debates["calls"].tolist() == [1] * len(debates)
    assert turns.groupby("reused")["kind"].unique().map(set).to_dict() == {
        True: {"answer", "speech"},
        False: {"verdict"},
    }


def test_cost_is_known_where_every_price_is(tmp_path: Path) -> None:
    log = read_eval_log(str(single()))
    first, *others = samples(log)
    for sample, price in ((first, 0.25), *((other, None) for other in others)):
        kept = record(sample)
        usage = ModelUsage(input_tokens=1, total_cost=price)
        turn = kept.turns[0].model_copy(update={"usage": usage})
        kept = kept.model_copy(update={"turns": (turn,)})
        sample.store["Debate:text"] = kept.model_dump_json(exclude_none=True)
    path = tmp_path / "priced.eval"
    write_eval_log(log, str(path))
    found = debates_df(path).set_index("id")["cost"]
    assert found.pop(str(first.id)) == 0.25
    assert found.isna().all()
    assert len(found) == 3


def test_another_tasks_log_with_a_protocol_of_ours(tmp_path: Path) -> None:
    task = Task(dataset=dataset(item()), solver=single_solver())
    (row,) = debates_df(logged(run(task, tmp_path))).to_dict("records")
    assert row["study"] is None or pd.isna(row["study"])
    assert (row["protocol"], row["target"]) == ("single", "error")
    assert row["debater_a"] == "simulated/balanced"


def test_a_log_without_records(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InputError, match="has no record of a debate"):
        debates_df(foreign())
    folder = copied(tmp_path, foreign())
    with pytest.raises(InputError, match="None of the logs has a record"):
        debates_df(folder)
    copied(tmp_path, single())
    with caplog.at_level(logging.WARNING):
        assert set(debates_df(folder)["log"]) == {single().name}
    assert "has no record of a debate: it is left out" in caplog.text


def test_a_sample_without_a_record_has_a_row(tmp_path: Path) -> None:
    log = read_eval_log(str(single()))
    del samples(log)[0].store["Debate:text"]
    samples(log)[0].events = []
    path = tmp_path / "partial.eval"
    write_eval_log(log, str(path))
    frame = debates_df(path)
    assert len(frame) == 4
    (row,) = frame[frame["question"].isna()].to_dict("records")
    assert row["id"] == samples(log)[0].id
    assert math.isnan(row["calls"])
    assert len(turns_df(path)) == 3


def test_an_old_record_lacks_keys_and_a_newer_one_is_refused(tmp_path: Path) -> None:
    log = read_eval_log(str(single()))
    kept = record(samples(log)[0]).model_dump(mode="json", exclude_none=True)
    turns = [{k: v for k, v in turn.items() if k != "draw"} for turn in kept["turns"]]
    old = {k: v for k, v in kept.items() if k != "aggregation"} | {"turns": turns}
    path = tmp_path / "old.eval"
    _store(log, old, path)
    assert set(debates_df(path)["aggregation"]) == {"agreement"}
    assert set(turns_df(path)["draw"]) == {0}
    _store(log, kept | {"invented": 1}, path)
    with pytest.raises(InputError, match="was written by another version"):
        debates_df(path)


def _store(log: EvalLog, kept: dict[str, Any], path: Path) -> None:
    for sample in samples(log):
        sample.store["Debate:text"] = json.dumps(kept)
    write_eval_log(log, str(path))


def test_files_are_named_without_their_folders() -> None:
    for told in ("/home/me/x y.eval", "logs/x y.eval"):
        failed = f"a failure of this sample in {told}"
        assert named_only(failed) == "a failure of this sample in x y.eval"
    assert named_only("p/m read /a/b.yaml or ~/c.eval") == "p/m read b.yaml or c.eval"
