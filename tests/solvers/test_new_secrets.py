"""What is private stays private in the protocols beside ColMAD, and with options."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.solvers.colmad import colmad, copmad
from inspect_debate.solvers.self_consistency import self_consistency
from inspect_debate.solvers.som import som
from tests.support.marks import MARK, SHAPES, item_marks, marked_choice, marked_item
from tests.support.models import Call
from tests.support.privacy import Rules, check, held, readable, readable_in_society
from tests.support.runs import record, samples

ITEMS = pytest.mark.parametrize("made", [marked_item, marked_choice])
NAMES = ["outside", "no tags at first", "reasoning again"]


def cues(calls: list[Call]) -> list[tuple[Call, TurnDescription]]:
    return [(call, call.description) for call in calls if call.description is not None]


@pytest.mark.slow
@ITEMS
@pytest.mark.parametrize("rounds", [1, 3])
def test_a_society_shares_answers_alone(made: Any, rounds: int, tmp_path: Path) -> None:
    log, calls = held(som(rounds=rounds), tmp_path, NAMES, made=made)
    told = cues(calls)
    # Two items are asked for twice in every turn: two members, two epochs.
    assert len(told) == 2 * 2 * (rounds + 1) * (1 + 2 + 2)
    for call, description in told:
        check(call, readable_in_society(description))
    for sample in samples(log):
        shown = "\n".join(message.text for message in sample.messages)
        assert not {m for m in MARK.findall(shown) if m.startswith("OWN")}


RULES = [
    Rules(),
    Rules(0),
    Rules(3, "sequential"),
    Rules(2, "simultaneous", False, False),
    Rules(1, "sequential", False, True),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(map(str, rules)))
@pytest.mark.parametrize(
    ("protocol", "made"),
    [(copmad, marked_item), (copmad, marked_choice), (colmad, marked_choice)],
)
def test_a_debate_shows_what_may_be_read(
    protocol: Any, made: Any, rules: Rules, tmp_path: Path
) -> None:
    solver = protocol(**rules._asdict(), order="both")
    # Where the judge may not see an item it is shown the two answers all the same.
    _, calls = held(solver, tmp_path, NAMES, panel=2, made=made)
    for call, description in cues(calls):
        option = answers_shown(description) if made is marked_choice else set()
        check(call, readable(description, rules) | option)


def answers_shown(description: TurnDescription) -> set[str]:
    """Marks of the options that are debated: here C is one of the two."""
    return (
        set()
        if description.kind == "answer"
        else item_marks(description) & _response(description)
    )


def _response(description: TurnDescription) -> set[str]:
    return {mark for mark in item_marks(description) if mark.endswith("-response")}


@pytest.mark.slow
@pytest.mark.parametrize("turn_order", ["simultaneous", "sequential"])
def test_no_shape_of_a_competing_speech_leaks(turn_order: Any, tmp_path: Path) -> None:
    rules = Rules(turn_order=turn_order, show_openings=False)
    log, calls = held(copmad(turn_order=turn_order), tmp_path, list(SHAPES))
    for call, description in cues(calls):
        check(call, readable(description, rules))
    for sample in samples(log):
        for turn in record(sample).of_kind("speech"):
            said = MARK.findall(turn.public)
            assert all(mark.startswith("PUB") for mark in said), sample.id


@ITEMS
@pytest.mark.parametrize(
    ("solver", "turns"),
    [
        (ensemble(), 2),
        (self_consistency(n=3), 3),
        (single(), 1),
        (judge_alone(), None),
    ],
)
def test_who_answers_alone_reads_the_item_alone(
    solver: Solver, turns: int | None, made: Any, tmp_path: Path
) -> None:
    _, calls = held(solver, tmp_path, NAMES, made=made)
    for call, description in cues(calls):
        check(call, item_marks(description))
    # Two epochs; a verdict is asked for twice always, an answer in two items of three.
    assert len(calls) == (2 * turns * 5 if turns else 2 * 3 * 2)


@pytest.mark.slow
@pytest.mark.parametrize("source", [colmad(), ensemble(), som(), copmad()])
def test_used_again_an_answer_shows_no_more(source: Solver, tmp_path: Path) -> None:
    first, _ = held(source, tmp_path / "first", NAMES)
    _, calls = held(som(reuse=first.location), tmp_path / "again", NAMES)
    assert {description.kind for _, description in cues(calls)} == {"update"}
    for call, description in cues(calls):
        check(call, readable_in_society(description))
