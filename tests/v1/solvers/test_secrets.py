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
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.solver import Solver

from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.solvers.baselines import ensemble, judge_alone, single
from inspect_debate.v1.solvers.colmad import colmad, copmad
from inspect_debate.v1.solvers.confidence import confidence
from inspect_debate.v1.solvers.self_consistency import self_consistency
from inspect_debate.v1.solvers.som import som
from tests.v1.support.bets import BET, amount, marked_model, motion
from tests.v1.support.bets import MARK as BET_MARK
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
from tests.v1.support.models import Call, Messages, calls_of, scripted
from tests.v1.support.runs import (
    dataset,
    item,
    record,
    records,
    run,
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


def speak_plainly(messages: Messages, description: TurnDescription) -> str:
    if description.kind == "speech":
        return "<argument>Said.</argument>"
    if description.kind == "verdict":
        return "Answer: 1"
    return "Therefore, the model response contains an error."


ROUNDS = 3


class BetRules(NamedTuple):
    """What decides on who reads what."""

    turn_order: str
    bet_visibility: str
    own_bets_shown: bool
    bet_call: str


BET_RULES = [
    BetRules(*values)
    for values in product(
        ("simultaneous", "sequential"),
        ("private", "public"),
        (True, False),
        ("speech", "separate"),
    )
]


def heard_rounds(description: TurnDescription, rules: BetRules, who: str) -> range:
    """The rounds of a speaker that the prompt of a turn may hold."""
    own = description.participant == who
    last = description.round - 1
    own_speech_held = own and description.kind == "bet"
    first_heard = rules.turn_order == "sequential" and not own
    if own_speech_held or (first_heard and speaks_second(description)):
        last = description.round
    return range(1, last + 1)


def speaks_second(description: TurnDescription) -> bool:
    return description.defends == "opposition"


def may_read(
    description: TurnDescription, rules: BetRules
) -> tuple[set[str], set[float]]:
    """The marks and the bets that the prompt of a turn may hold, and has to."""
    if description.kind == "verdict":
        speeches = product(DEBATERS, range(1, ROUNDS + 1))
        return {f"SPEECH-{who}_{n}" for who, n in speeches}, set()
    marks: set[str] = set()
    bets: set[float] = set()
    for who in DEBATERS:
        own = who == description.participant
        rounds = heard_rounds(description, rules, who)
        marks |= {f"SPEECH-{who}_{n}" for n in rounds}
        # A bet that is asked for apart follows the speech that was just given.
        apart = rules.bet_call == "separate" and len(rounds) == description.round
        with_bets = rounds[: description.round - 1] if apart else rounds
        if rules.own_bets_shown if own else rules.bet_visibility == "public":
            bets |= {amount(who, n) for n in with_bets}
        if own and rules.own_bets_shown:
            marks |= {f"THOUGHT-{who}_{n}" for n in with_bets}
    return marks, bets


def check_bets(call: Call, rules: BetRules) -> None:
    marks, bets = may_read(call.turn, rules)
    assert set(BET_MARK.findall(call.prompt)) == marks, call.turn
    assert {float(bet) for bet in BET.findall(call.prompt)} == bets, call.turn


@pytest.mark.slow
@pytest.mark.parametrize("rules", BET_RULES, ids=lambda r: "-".join(map(str, r)))
def test_readers_of_bets(rules: BetRules, tmp_path: Path) -> None:
    models = {name: marked_model(name=name) for name in ("one", "two", "juror")}
    solver = confidence(**rules._asdict(), order="both")
    log = run(
        Task(dataset=dataset(motion()), solver=solver, epochs=2),
        tmp_path,
        models["one"],
        {"debater_b": models["two"], "judge": models["juror"]},
    )
    calls = [call for model in models.values() for call in calls_of(model)]
    speeches = 2 * ROUNDS * (2 if rules.bet_call == "separate" else 1)
    assert len(calls) == 2 * (speeches + 2 * 2)
    for call in calls:
        check_bets(call, rules)
    for sample in samples(log):
        finished = record(sample)
        assert finished.complete
        conversation = "\n".join(message.text for message in sample.messages)
        assert "THOUGHT" not in conversation
        assert not BET.search(conversation)


def test_bets_and_reasoning_are_on_record(tmp_path: Path) -> None:
    model = marked_model()
    log = run_solver(confidence(protocol="self"), motion(), tmp_path, model)
    (sample,) = samples(log)
    spoken = record(sample).of_kind("speech")
    assert [turn.field("bet").value for turn in spoken] == [
        amount(who, n) for n in range(1, ROUNDS + 1) for who in DEBATERS
    ]
    assert all(turn.private.startswith("THOUGHT-") for turn in spoken)
    assert not any("THOUGHT" in turn.public for turn in spoken)
