"""Debates with bets from end to end, by a model that reads its prompts."""

from pathlib import Path
from typing import Any

import pytest

from inspect_debate.v1.solvers.confidence import confidence
from tests.v1.support.bets import FILLER, marked, marked_model, motion
from tests.v1.support.models import calls_of, scripted
from tests.v1.support.runs import record, run_solver, samples


@pytest.mark.parametrize(
    ("swapped", "epoch", "debater_a"),
    [
        (False, 1, "proposition"),
        (False, 2, "opposition"),
        (True, 1, "opposition"),
        (True, 2, "proposition"),
    ],
)
def test_sides(swapped: bool, epoch: int, debater_a: str, tmp_path: Path) -> None:
    """They change in every second epoch, and where the sample says so."""
    log = run_solver(
        confidence(rounds=1, jury_passes=0),
        motion(swapped=swapped),
        tmp_path,
        marked_model(name="one"),
        {"debater_b": marked_model(name="two")},
        epochs=2,
    )
    (found,) = (record(s) for s in samples(log) if s.epoch == epoch)
    sides = {"proposition", "opposition"}
    first, second = ((p.model, p.defends) for p in found.participants)
    assert first == ("scripted/one", debater_a)
    assert second == ("scripted/two", *(sides - {debater_a}))


def test_only_what_is_missing_is_asked_again(tmp_path: Path) -> None:
    def forgetful(messages: Any, description: Any) -> str:
        if description.reask:
            return "<bet_amount>66</bet_amount>"
        return f"The speech itself. {FILLER}"

    model = scripted(forgetful)
    log = run_solver(confidence(protocol="self", rounds=1), motion(), tmp_path, model)
    for turn in record(samples(log)[0]).of_kind("speech"):
        assert turn.public.startswith("The speech itself.")
        assert turn.field("bet").value == 66
        assert turn.calls == 2
    assert len(calls_of(model)) == 4


def test_a_bet_that_never_comes(tmp_path: Path) -> None:
    def silent(messages: Any, description: Any) -> str:
        if description.kind == "verdict" or description.participant == "debater_b":
            return marked(messages, description)
        return f"No bet from me. {FILLER}"

    log = run_solver(confidence(protocol="self"), motion(), tmp_path, scripted(silent))
    done = record(samples(log)[0])
    assert done.complete
    statuses = [
        (turn.participant, turn.field("bet").status) for turn in done.of_kind("speech")
    ]
    assert statuses == [("debater_a", "unparsed"), ("debater_b", "ok")] * 3
