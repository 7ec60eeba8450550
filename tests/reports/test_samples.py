"""Samples that are read one by one, by one process or two."""

import json
import logging
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalSample,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    write_eval_log,
)

from inspect_debate.debate.errors import InputError
from inspect_debate.debate.stored import each_sample, sample_summaries
from inspect_debate.reports import samples
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.samples import Held, look_through
from tests.reports.made_logs import failing, foreign, panel, single

READ = {
    *("id", "epoch", "choices", "target", "scores", "metadata", "store"),
    *("role_usage", "total_time", "error", "limit"),
}


def as_text(sample: EvalSample) -> str:
    """What is read, but for ids of messages, which are made up where there are none."""
    assert not isinstance(sample.input, str)
    texts = [(message.role, message.text) for message in sample.input]
    # As text, in which NaN equals itself.
    return repr(sample.model_dump(include=READ) | {"input": texts})


def by_inspect(path: Path) -> list[str]:
    log = read_eval_log(str(path), resolve_attachments="full")
    samples = sorted(log.samples or [], key=lambda s: (str(s.id), s.epoch))
    return [as_text(sample) for sample in samples]


def one_by_one(path: Path) -> list[str]:
    return [as_text(sample) for sample in each_sample(path)]


def rewritten(
    path: Path, folder: Path, change: Callable[[str, bytes], list[tuple[str, bytes]]]
) -> Path:
    """A copy of a log whose members are others."""
    copy = folder / path.name
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            for other, content in change(name, old.read(name)):
                new.writestr(other, content)
    return copy


def edited(member: bytes, **metadata: Any) -> bytes:
    sample = json.loads(member)
    sample["metadata"] |= metadata
    return json.dumps(sample).encode()


@pytest.mark.parametrize("log", [panel, single, failing])
def test_all_that_is_read_is_as_inspect_reads_it(log: Callable[[], Path]) -> None:
    assert one_by_one(log()) == by_inspect(log())
    assert [s.epoch for s in each_sample(panel())] == [1, 2] * 4


def test_what_is_left_out_is_not_there() -> None:
    for sample in each_sample(panel()):
        assert (sample.events, sample.messages, sample.attachments) == ([], [], {})
        assert sample.store


def test_a_log_in_json_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    write_eval_log(read_eval_log(str(single())), str(path))
    assert one_by_one(path) == by_inspect(path) != []


def test_numbers_that_json_does_not_know(tmp_path: Path) -> None:
    odd = {"nan": float("nan"), "inf": float("-inf"), "long": 10**30}

    def change(name: str, content: bytes) -> list[tuple[str, bytes]]:
        is_sample = name.startswith("samples/")
        return [(name, edited(content, **odd) if is_sample else content)]

    path = rewritten(single(), tmp_path, change)
    read = list(each_sample(path))
    assert len(read) == 4
    for sample in read:
        assert repr({name: sample.metadata[name] for name in odd}) == repr(odd)


def test_of_a_sample_that_was_written_twice_the_later_counts(tmp_path: Path) -> None:
    def change(name: str, content: bytes) -> list[tuple[str, bytes]]:
        if not name.startswith("samples/"):
            return [(name, content)]
        return [(name, edited(content, time=time)) for time in ("first", "later")]

    with pytest.warns(UserWarning, match="Duplicate name"):
        path = rewritten(single(), tmp_path, change)
    assert [sample.metadata["time"] for sample in each_sample(path)] == ["later"] * 4


def test_what_the_quick_reader_cannot_take_inspect_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def read(path: Path, id: str, epoch: int, **given: Any) -> EvalSample:
        asked.append((id, epoch))
        return read_eval_log_sample(path, id, epoch, **given)

    def change(name: str, content: bytes) -> list[tuple[str, bytes]]:
        # Half a character: Python's parser takes it, others do not.
        broken = content.replace(b'"metadata":{', b'"metadata":{"half":"\\ud83d",', 1)
        return [(name, broken if name.endswith("_epoch_2.json") else content)]

    monkeypatch.setattr(f"{each_sample.__module__}.read_eval_log_sample", read)
    path = rewritten(panel(), tmp_path, change)
    found = list(each_sample(path))
    assert [(str(s.id), s.epoch) for s in found if s.epoch == 2] == asked
    assert len(asked) == 4
    untouched = [as_text(s) for s in found if s.epoch == 1]
    assert untouched == by_inspect(panel())[::2]


# Looking at every sample of logs, by one process or two.


def key_of(named: str, held: Held) -> tuple[str, str, int, bool]:
    return named, str(held.sample.id), held.sample.epoch, held.record is not None


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few samples count as many."""
    monkeypatch.setattr(samples, "_MANY", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


@pytest.mark.slow
def test_two_processes_see_what_one_sees_in_the_same_order(
    many: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    logs = open_logs([single(), panel(), foreign()])
    look = partial(key_of, "seen")
    with caplog.at_level(logging.WARNING):
        two = look_through(logs, look)
    assert "reading with one" not in caplog.text  # the other did its half
    monkeypatch.setattr(samples, "_MANY", 10**9)
    assert two == look_through(logs, look)
    assert len(two[0]) == sum(len(log.summaries) for log in logs) > 8
    assert {kept for *_, kept in two[0]} == {True, False}


def test_what_the_other_process_does_not_do_is_done_here(
    many: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    logs = open_logs([single()])
    monkeypatch.setattr(samples, "_HELPER", "import sys; sys.exit(3)")
    with caplog.at_level(logging.WARNING):
        seen, unread = look_through(logs, partial(key_of, "seen"))
    assert "reading with one" in caplog.text
    assert (len(seen), unread) == (len(logs[0].summaries), [])


@pytest.mark.slow
def test_of_a_log_that_one_of_them_cannot_read_nothing_is_seen(
    many: None, tmp_path: Path
) -> None:
    one, other = single().name, panel().name
    logs = open_logs([single(), panel()])
    for refused in ("first", "second"):
        seen, unread = look_through(logs, partial(refuses, one, refused))
        assert set(seen) == {other}
        assert unread == [f"no {refused}"]


def refuses(log: str, which: str, held: Held) -> str:
    name = held.log.path.name
    ids = sorted(str(summary.id) for summary in held.log.summaries)
    place = ids.index(str(held.sample.id))
    if name == log and place == ("first", "second").index(which):
        raise InputError(f"no {which}")
    return name


def test_summaries_are_those_of_inspect_but_for_input_and_usage_by_role(
    tmp_path: Path,
) -> None:
    def twice(name: str, content: bytes) -> list[tuple[str, bytes]]:
        if name != "summaries.json":
            return [(name, content)]
        rows = json.loads(content)
        later = rows[0] | {"error": "It failed when it ran again."}
        return [(name, json.dumps([*rows, later]).encode())]

    def unfinished(name: str, content: bytes) -> list[tuple[str, bytes]]:
        return [] if name == "summaries.json" else [(name, content)]

    paths = [single(), panel(), foreign()]
    for number, change in enumerate((twice, unfinished)):
        (folder := tmp_path / str(number)).mkdir()
        paths.append(rewritten(single(), folder, change))
    for path in paths:
        known = {"input", "role_usage"}
        found = [repr(s.model_dump(exclude=known)) for s in sample_summaries(path)]
        by_inspect = read_eval_log_sample_summaries(str(path))
        assert found == [repr(s.model_dump(exclude=known)) for s in by_inspect] != []
        assert all(len(str(s.input)) == 64 for s in sample_summaries(path))
    assert sample_summaries(paths[3])[0].error == "It failed when it ran again."
