"""CopMAD: agreeing items are debated too, sides are drawn, nothing is concluded."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import DebateRecord
from inspect_debate.evals.colmad import colmad as colmad_task
from inspect_debate.solvers.colmad import copmad
from tests.support.models import Messages, calls_of, scripted
from tests.support.reader import reader
from tests.support.runs import RIGHT, item, records, run, run_solver

STEPS = ["answer", "answer", "speech", "speech", "speech", "speech", "verdict"]


def readers() -> dict[str, Model]:
    return {
        "debater_a": scripted(reader(True), "sharp"),
        "debater_b": scripted(reader(False), "dull"),
    }


def sides(finished: DebateRecord) -> tuple[str | None, ...]:
    return tuple(finished.participant(id).defends for id in ("debater_a", "debater_b"))


@pytest.mark.parametrize("response", [RIGHT, RIGHT.replace("42", "52")])
def test_every_item_is_debated(response: str, tmp_path: Path) -> None:
    log = run_solver(copmad(), item(response=response), tmp_path, roles=readers())
    (finished,) = records(log)
    assert [turn.kind for turn in finished.turns] == STEPS
    assert finished.debated
    assert finished.skip_reason is None
    assert set(sides(finished)) == {"error", "no_error"}
    assert finished.parameters["skip_if_agree"] is False
    if response != RIGHT:
        assert sides(finished) == ("error", "no_error")


@pytest.mark.parametrize("shown", [None, False, True])
def test_agreement_is_not_shown(shown: bool | None, tmp_path: Path) -> None:
    """Published CopMAD overturned answers on which both models had agreed."""
    solver = copmad() if shown is None else copmad(show_openings=shown)
    roles = readers()
    log = run_solver(solver, item(response=RIGHT), tmp_path, roles=roles)
    (finished,) = records(log)
    assert finished.parameters["show_openings"] is bool(shown)
    [verdict] = [
        call.prompt
        for call in calls_of(roles["debater_a"])
        if call.turn.kind == "verdict"
    ]
    assert ("first answer" in verdict) is bool(shown)


def concluding(messages: Messages, description: TurnDescription) -> str:
    """A model that ends its speeches as nobody asked it to."""
    if description.kind != "speech":
        return reader(description.participant == "debater_a")(messages, description)
    return (
        "<argument>It adds up, <quote>in one sentence</quote>.\n"
        "Final: 1 error\nConf: 0.9</argument>"
    )


def test_no_conclusion_is_asked_for_or_read(tmp_path: Path) -> None:
    model = scripted(concluding)
    log = run_solver(copmad(order="both"), item(), tmp_path, model)
    (finished,) = records(log)
    for turn in finished.of_kind("speech"):
        assert set(turn.fields) == {"argument"}
    for call in calls_of(model):
        if call.turn.kind == "speech":
            assert call.turn.format == "argument"
            asking = call.prompt.partition("<transcript>")
            logged = asking[0] + asking[2].partition("</transcript>")[2]
            assert "Final:" not in logged
            assert "Conf:" not in logged
            assert "not a contest" not in logged


def test_what_cannot_be_read_is_asked_for_without_a_conclusion(tmp_path: Path) -> None:
    def open_ended(messages: Messages, description: TurnDescription) -> str:
        if description.kind == "speech" and not description.reask:
            return "No tags at all."
        return concluding(messages, description)

    model = scripted(open_ended)
    run_solver(copmad(1), item(), tmp_path, model)
    again = [c.messages[-1].text for c in calls_of(model) if c.turn.reask]
    assert len(again) == 2
    for reminder in again:
        assert "<argument>" in reminder
        assert "Final" not in reminder


# --- Reuse ----------------------------------------------------------------------------

SUBSET: dict[str, Any] = {"source": "sample", "subset": "math"}


def simulated(log_dir: Path, **parameters: Any) -> EvalLog:
    return run(
        colmad_task(**SUBSET, **parameters),
        log_dir,
        roles={"debater_b": "simulated/coin"},
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    return simulated(tmp_path_factory.mktemp("source"), protocol="copmad")
