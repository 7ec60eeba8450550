"""What is private stays private: every text of a run is marked, every prompt searched.

The marks of each prompt are exactly those that its reader may read: see
`tests.v1.support.marks`.
"""

import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.v1.solvers.colmad import colmad, copmad
from inspect_debate.v1.solvers.self_consistency import self_consistency
from inspect_debate.v1.solvers.som import som
from tests.v1.support.marks import (
    GOOD,
    MARK,
    SHAPES,
    check,
    fill,
    item_marks,
    marked_choice,
    marked_item,
    public,
    run_marked,
)
from tests.v1.support.models import Messages, calls_of, scripted
from tests.v1.support.runs import (
    item,
    record,
    records,
    run_solver,
    samples,
)

NAMES = ("outside", "no tags at first", "reasoning again")
DEBATERS = ("debater_a", "debater_b")


def test_marks_differ() -> None:
    assert MARK.findall(fill(GOOD, "a-b")) == ["OWN-a-b-1", "PUB-a-b-2"]


class Rules(NamedTuple):
    """The protocol's parameters that decide who reads what."""

    rounds: int = 2
    turn_order: str = "simultaneous"
    show_openings: bool = True
    judge_sees_problem: bool = True

    def readable(self, turn: TurnDescription) -> set[str]:
        """All marks that a prompt of ColMAD has to hold, as documented."""
        if turn.kind == "answer":
            return item_marks(turn)
        judging = turn.kind in ("verdict", "judge_question")
        marks = item_marks(turn) if self.judge_sees_problem or not judging else set()
        for speaker in DEBATERS:
            if self.show_openings or speaker == turn.participant:
                marks |= public(as_turn(turn, speaker, "answer", 0))
            rounds = self.rounds if turn.kind == "verdict" else turn.round - 1
            rounds += turn.kind == "judge_question"
            # A speaks for error, as Alice, who goes first in epoch 1, last in epoch 2.
            leads = (speaker == "debater_a") == (turn.epoch == 1)
            replies = self.turn_order == "sequential" and not judging
            if replies and leads and speaker != turn.participant:
                rounds = turn.round
            for round in range(1, rounds + 1):
                marks |= public(as_turn(turn, speaker, "speech", round))
        return marks


def as_turn(
    turn: TurnDescription, speaker: str, kind: str, round: int
) -> TurnDescription:
    changes = {"participant": speaker, "kind": kind, "round": round, "draw": ""}
    return turn.model_copy(update=changes)


def readable_in_society(turn: TurnDescription) -> set[str]:
    """All marks that a prompt of a Society of Minds has to hold."""
    earlier = [
        as_turn(turn, member, "update" if round else "answer", round)
        for member in DEBATERS
        for round in range(turn.round)
    ]
    return item_marks(turn).union(*map(public, earlier))


class Case(NamedTuple):
    """A protocol on marked items, and the marks that a prompt has to hold."""

    solver: Solver
    readable: Callable[[TurnDescription], set[str]] = item_marks
    names: Sequence[str] = NAMES
    made: Callable[[str], Sample] = marked_item
    panel: int = 1


def debate(
    protocol: Any, rules: Rules, *names: str, on_options: bool = False, panel: int = 2
) -> Case:
    def readable(turn: TurnDescription) -> set[str]:
        # A judge who may not see the question is shown the two answers all the same.
        shown = on_options and turn.kind != "answer"
        options = {m for m in item_marks(turn) if m.endswith("-response") and shown}
        return rules.readable(turn) | options

    solver = protocol(**rules._asdict(), order="both")
    made = marked_choice if on_options else marked_item
    return Case(solver, readable, names or NAMES, made, panel)


MATRIX = [
    Rules(*values)
    for values in product(
        (0, 1, 3), ("simultaneous", "sequential"), (True, False), (True, False)
    )
    if values[0] or values[2]
]
RULES = [
    Rules(),
    Rules(0),
    Rules(3, "sequential"),
    Rules(2, "simultaneous", False, False),
    Rules(1, "sequential", False, True),
]
FAST: dict[str, Case] = {
    "judges alone": Case(
        judge_alone(order="both"), names=("plain", "no tags"), panel=3
    ),
    **{
        f"{name} alone, {made.__name__}": Case(solver, made=made)
        for name, solver in (
            ("ensemble", ensemble()),
            ("draws", self_consistency(n=3)),
            ("single", single()),
            ("judge", judge_alone()),
        )
        for made in (marked_item, marked_choice)
    },
}
SLOW: dict[str, Case] = {
    **{
        f"colmad {rules}": debate(colmad, rules, "outside", "no tags at first")
        for rules in MATRIX
    },
    **{
        f"{protocol.__name__} in all shapes, {order}": debate(
            protocol, Rules(2, order, protocol is colmad), *SHAPES, panel=1
        )
        for protocol, order in ((colmad, "simultaneous"), (copmad, "sequential"))
    },
    **{
        f"{protocol.__name__} {options=} {rules}": debate(
            protocol, rules, on_options=options
        )
        for protocol, options in ((copmad, False), (copmad, True), (colmad, True))
        for rules in RULES
    },
    **{
        f"som {rounds}, {made.__name__}": Case(
            som(rounds=rounds), readable_in_society, made=made
        )
        for rounds in (1, 3)
        for made in (marked_item, marked_choice)
    },
}
CASES = FAST | SLOW


@pytest.mark.parametrize(
    "name", [*FAST, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_a_prompt_holds_what_its_reader_may_read(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    log, calls = run_marked(case.solver, tmp_path, case.names, case.panel, case.made)
    assert calls
    for call in calls:
        check(call, case.readable(call.turn))
    for sample in samples(log):
        for turn in record(sample).of_kind("speech"):
            assert {mark[:3] for mark in MARK.findall(turn.public)} <= {"PUB"}
            again = SHAPES[str(sample.id)].again
            assert len(turn.superseded) == (again is not None), sample.id
        shown = "\n".join(message.text for message in sample.messages)
        heading = re.compile(r"^\*scripted/HID-(?:model|judge)-\w\*$", re.M)
        marks = {mark[:3] for mark in MARK.findall(heading.sub("", shown))}
        assert marks == {"PUB"}


@pytest.mark.slow
@pytest.mark.parametrize("until", ["answers", "debate"])
@pytest.mark.parametrize("rules", [Rules(), Rules(2, "sequential", False, False)])
def test_reused_debates(until: Any, rules: Rules, tmp_path: Path) -> None:
    names = ["outside", "no tags at first", "think", "reasoning again"]
    first, _ = run_marked(colmad(**rules._asdict()), tmp_path / "first", names)
    again = colmad(
        **rules._asdict(), reuse=first.location, reuse_until=until, order="both"
    )
    log, calls = run_marked(again, tmp_path / "again", names, panel=2)
    kinds = {call.turn.kind for call in calls}
    assert kinds == ({"verdict"} if until == "debate" else {"speech", "verdict"})
    assert all(found.reused_from == first.eval.eval_id for found in records(log))
    for call in calls:
        check(call, rules.readable(call.turn))


@pytest.mark.slow
@pytest.mark.parametrize("source", [colmad(), ensemble(), som(), copmad()])
def test_reused_answers(source: Solver, tmp_path: Path) -> None:
    first, _ = run_marked(source, tmp_path / "first", NAMES)
    _, calls = run_marked(som(reuse=first.location), tmp_path / "again", NAMES)
    assert {call.turn.kind for call in calls} == {"update"}
    for call in calls:
        check(call, readable_in_society(call.turn))


WORDS = [f"zq{n}" for n in range(40)]


@pytest.mark.parametrize("sees", [True, False])
def test_a_judge_without_the_item(sees: bool, tmp_path: Path) -> None:
    sample = item(
        response=" ".join(WORDS[20:]), task=f"{' '.join(WORDS[:20])} <v_quote>."
    )

    def say(messages: Messages, description: TurnDescription) -> str:
        label = "an" if description.participant == "debater_a" else "no"
        match description.kind:
            case "answer":
                return f"Therefore, the model response contains {label} error."
            case "speech":
                at = 3 if description.participant == "debater_a" else 30
                passage = f"<quote>{WORDS[at]} {WORDS[at + 1]}</quote>"
                return f"<thinking>zq9</thinking><argument>{passage}</argument>"
        return "Answer: 1"

    model = scripted(say)
    run_solver(colmad(1, judge_sees_problem=sees), sample, tmp_path, model)
    (judged,) = [c for c in calls_of(model) if c.turn.kind == "verdict"]
    words = re.findall(r"zq\d+", judged.prompt)
    quoted = ["zq3", "zq4", "zq30", "zq31"]
    assert words == (WORDS if sees else []) + quoted
    assert ("<item>" in judged.prompt) == sees
