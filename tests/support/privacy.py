"""Protocols run on marked items, and which marks each of their prompts may hold."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from tests.support.marks import MARK, item_marks, marked_item, public, speak, spoken
from tests.support.models import Call, calls_of, scripted
from tests.support.runs import dataset, run, samples


def run_marked(
    solver: Solver,
    log_dir: Path,
    names: list[str],
    panel: int = 1,
    made: Callable[[str], Sample] = marked_item,
) -> tuple[EvalLog, list[Call]]:
    """Run a protocol on marked items for two epochs; returns the log and every call."""
    a, b = scripted(speak, "HID-model-a"), scripted(speak, "HID-model-b")
    judges = [scripted(speak, f"HID-judge-{n}") for n in range(panel)]
    log = run(
        Task(dataset=dataset(*map(made, names)), solver=solver),
        log_dir,
        roles={"debater_a": a, "debater_b": b, "judge": judges},
        epochs=2,
    )
    assert all(sample.error is None for sample in samples(log))
    return log, [call for model in (a, b, *judges) for call in calls_of(model)]


def check(call: Call, expected: set[str]) -> None:
    """A call's messages, with all they carry, hold exactly the expected marks."""
    description = call.description
    assert description is not None
    expected = set(expected)
    if description.reask:
        first = MARK.findall(spoken(description, 0))
        expected |= {mark for mark in first if not mark.startswith("HID")}
        assert [m.role for m in call.messages[-2:]] == ["assistant", "user"]
    sent = "\n".join(message.model_dump_json() for message in call.messages)
    assert set(MARK.findall(sent)) == expected, (description, call.prompt)
    assert "HID" not in sent


class Rules(NamedTuple):
    """The protocol's parameters that decide who reads what."""

    rounds: int = 2
    turn_order: str = "simultaneous"
    show_openings: bool = True
    judge_sees_problem: bool = True


def readable(description: TurnDescription, rules: Rules) -> set[str]:
    """All marks that a prompt of ColMAD has to hold, by the rules as documented."""
    if description.kind == "answer":
        return item_marks(description)
    debaters = ("debater_a", "debater_b")
    judging = description.kind == "verdict"
    marks = (
        item_marks(description) if rules.judge_sees_problem or not judging else set()
    )
    for speaker in debaters:
        if rules.show_openings or speaker == description.participant:
            marks |= public(as_turn(description, speaker, "answer", 0))
        rounds = rules.rounds if judging else description.round - 1
        # A speaks for error, as Alice; Alice goes first in epoch 1, last in epoch 2.
        leads = (speaker == "debater_a") == (description.epoch == 1)
        if (
            rules.turn_order == "sequential"
            and leads
            and speaker != description.participant
        ):
            rounds = rules.rounds if judging else description.round
        for round in range(1, rounds + 1):
            marks |= public(as_turn(description, speaker, "speech", round))
    return marks


def as_turn(
    description: TurnDescription, speaker: str, kind: str, round: int
) -> TurnDescription:
    changes = {"participant": speaker, "kind": kind, "round": round, "draw": ""}
    return description.model_copy(update=changes)


def readable_in_society(description: TurnDescription) -> set[str]:
    """All marks that a prompt of a Society of Minds has to hold."""
    marks = item_marks(description)
    for member in ("debater_a", "debater_b"):
        for round in range(description.round):
            marks |= public(
                as_turn(description, member, "update" if round else "answer", round)
            )
    return marks
