"""Runs that stop because too much cannot be read."""

from pathlib import Path

import pytest

from tests.support.capped import (
    ALONE,
    MODELS,
    PRICE,
    capped,
    forget_prices,
    found_again,
    message,
    resumed,
    the_world,
    wordy,
)
from tests.support.runs import samples
from tests.support.wire.faults import first
from tests.support.wire.replies import Brain, Reply
from tests.support.wire.requests import ChatRequest
from tests.support.wire.server import WireServer


@pytest.fixture(autouse=True)
def models_are_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found_again(monkeypatch)


def garbage(request: ChatRequest) -> Reply:
    return Reply("Well, well.")


@pytest.mark.slow
def test_garbage_stops_a_run_and_a_better_model_goes_on(tmp_path: Path) -> None:
    brain: list[Brain] = [garbage]
    with WireServer(lambda request: brain[0](request)) as server:
        parameters = ALONE | {"max_unparsed": 0.1}
        log = capped(server, tmp_path, parameters, epochs=3, max_samples=2)
        done = len(samples(log))
        assert 20 <= done <= 21
        assert message(log).startswith(
            f"max_unparsed=0.1 is passed: {done} of {done} fields that were asked for "
            f"could not be read ({done} unparsed). {done} of 42 samples are done."
        )
        assert len(server.requests) == 2 * done  # each is asked for once more
        brain[0] = the_world().brain
        log = resumed(log, tmp_path)
        assert (log.status, len(samples(log))) == ("success", 42)
        assert len(server.requests) == 2 * done + 42 - done


def test_why_nothing_could_be_read_is_told(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> Reply:
        ends = ("length", "length", "content_filter", "stop")[request.number % 4]
        return (
            the_world().brain(request)
            if ends == "stop"
            else Reply("", finish_reason=ends)
        )

    with WireServer(answer) as server:
        parameters = ALONE | {"max_unparsed": 0.05}
        log = capped(server, tmp_path, parameters, epochs=2, max_samples=1)
    assert "15 of 20 fields that were" in message(log)
    assert "(5 refused, 10 truncated)" in message(log)


def test_one_bad_reply_at_the_start_stops_nothing(tmp_path: Path) -> None:
    with WireServer(wordy(60)) as server:
        server.fault("cut_off", when=first(1))
        log = capped(server, tmp_path, ALONE | {"max_unparsed": 0.05}, epochs=2)
    assert log.status == "success"
    assert log.results is not None
    assert log.results.early_stopping is not None
    found = log.results.early_stopping.metadata
    assert (found["fields"], found["unread"]) == (28, 1)


def test_both_caps_at_once(tmp_path: Path) -> None:
    prices = {model: PRICE.model_dump() for model in MODELS}
    parameters = ALONE | {"max_unparsed": 0.1, "budget_usd": 1.0, "prices": prices}
    with WireServer(garbage) as server:
        log = capped(server, tmp_path, parameters, epochs=2)
    forget_prices()
    assert message(log).startswith("budget_usd=1 is reached")
