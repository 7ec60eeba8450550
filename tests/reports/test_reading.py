"""Looking at every sample of logs, by one process or two."""

import logging
from functools import partial
from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports import samples
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.samples import Held, look_through
from tests.reports.made_logs import foreign, panel, single


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
