"""Who reads what in a debate with bets: marks in every prompt, against the rules."""

from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from inspect_ai import Task

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.confidence import confidence
from tests.support.bets import BET, MARK, amount, marked_model, motion
from tests.support.models import Call, calls_of
from tests.support.runs import dataset, record, run, samples

ROUNDS = 3
DEBATERS = ("debater_a", "debater_b")


class Rules(NamedTuple):
    """What decides on who reads what."""

    turn_order: str
    bet_visibility: str
    own_bets_shown: bool
    bet_call: str


MATRIX = [
    Rules(*values)
    for values in product(
        ("simultaneous", "sequential"),
        ("private", "public"),
        (True, False),
        ("speech", "separate"),
    )
]


def heard_rounds(description: TurnDescription, rules: Rules, who: str) -> range:
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


def may_read(description: TurnDescription, rules: Rules) -> tuple[set[str], set[float]]:
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
        # A bet that is asked for apart follows the speech that was just heard.
        apart = rules.bet_call == "separate" and len(rounds) == description.round
        with_bets = rounds[: description.round - 1] if apart else rounds
        if rules.own_bets_shown if own else rules.bet_visibility == "public":
            bets |= {amount(who, n) for n in with_bets}
        if own and rules.own_bets_shown:
            marks |= {f"THOUGHT-{who}_{n}" for n in with_bets}
    return marks, bets


def check(call: Call, rules: Rules) -> None:
    assert call.description is not None
    marks, bets = may_read(call.description, rules)
    assert set(MARK.findall(call.prompt)) == marks, call.description
    assert {float(bet) for bet in BET.findall(call.prompt)} == bets, call.description


@pytest.mark.slow
@pytest.mark.parametrize("rules", MATRIX, ids=lambda r: "-".join(map(str, r)))
@pytest.mark.parametrize("epoch", [1, 2])
def test_a_prompt_holds_what_its_reader_may_read(
    rules: Rules, epoch: int, tmp_path: Path
) -> None:
    models = {name: marked_model(name=name) for name in ("one", "two", "juror")}
    solver = confidence(**rules._asdict(), order="both")
    log = run(
        Task(dataset=dataset(motion()), solver=solver, epochs=epoch),
        tmp_path,
        model=models["one"],
        roles={"debater_b": models["two"], "judge": models["juror"]},
    )
    calls = [call for model in models.values() for call in calls_of(model)]
    speeches = epoch * 2 * ROUNDS * (2 if rules.bet_call == "separate" else 1)
    assert len(calls) == speeches + epoch * 2 * 2
    for call in calls:
        check(call, rules)
    for sample in samples(log):
        held = record(sample)
        assert held.complete
        conversation = "\n".join(message.text for message in sample.messages)
        assert "THOUGHT" not in conversation
        assert not BET.search(conversation)


def test_bets_and_reasoning_are_on_record(tmp_path: Path) -> None:
    model = marked_model()
    log = run(
        Task(dataset=dataset(motion()), solver=confidence(protocol="self")),
        tmp_path,
        model=model,
    )
    (sample,) = samples(log)
    spoken = record(sample).of_kind("speech")
    assert [turn.field("bet").value for turn in spoken] == [
        amount(who, n) for n in range(1, ROUNDS + 1) for who in DEBATERS
    ]
    assert all(turn.private.startswith("THOUGHT-") for turn in spoken)
    assert not any("THOUGHT" in turn.public for turn in spoken)
