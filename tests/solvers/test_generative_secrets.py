"""Who reads what about a task: marks in every prompt, against the rules."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from inspect_ai.solver import Solver

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    ANSWERS,
    BEST,
    MARK,
    OWN,
    PROTOCOLS,
    SPOKEN,
    description_of,
    held,
    parts_of,
    solvable,
    speech_mark,
)
from tests.support.models import Call

ROUNDS = 2
DEBATES: tuple[GenerativeProtocol, ...] = ("dual_debate", "single_debate")
NAMES = ("Alice", "Bob")


class Rules(NamedTuple):
    """What decides on who reads what."""

    protocol: GenerativeProtocol
    best_of: int | None = None
    turn_order: Literal["simultaneous", "sequential"] | None = None
    judge_answer: bool | None = None

    @property
    def proposers(self) -> list[str]:
        return list(ANSWERS)[: FORMATS[self.protocol].proposers]

    @property
    def speakers(self) -> list[str]:
        match FORMATS[self.protocol].interaction:
            case "debate":
                return list(ANSWERS)
            case "consultancy":
                return self.proposers
        return []


MATRIX = [
    *(Rules(protocol) for protocol in PROTOCOLS),
    *(Rules(p, judge_answer=True) for p in PROTOCOLS if p != "direct_qa"),
    *(Rules(protocol, 4) for protocol in SPOKEN),
    *(Rules(protocol, n, "sequential") for protocol in DEBATES for n in (None, 4)),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", MATRIX, ids=lambda rules: "-".join(map(str, rules)))
def test_a_prompt_holds_what_its_reader_may_read(rules: Rules, tmp_path: Path) -> None:
    solver = generative_debate(**rules._asdict())
    tasks = [solvable(1), solvable(2)]
    _, calls = held(solver, tmp_path, *tasks, epochs=2)
    candidates = len(rules.speakers) * ROUNDS * (rules.best_of or 1)
    rewards = candidates if (rules.best_of or 1) > 1 else 0
    own = 1 if rules.judge_answer or not rules.proposers else 0
    verdicts = 1 if rules.proposers else 0
    expected = len(rules.proposers) + candidates + rewards + verdicts + own
    assert len(calls) == 2 * len(tasks) * expected
    for call in calls:
        description = description_of(call)
        sent = "\n".join(message.model_dump_json() for message in call.messages)
        assert set(MARK.findall(sent)) == marks_for(description, rules), description
        assert set(shown_in(call)) == answers_for(description, rules), description
        assert OWN[parts_of(description)].split("\n\n")[0] not in call.prompt
        named = {name for name in NAMES if name in call.prompt}
        assert named <= names_for(description, rules), description


def marks_for(description: TurnDescription, rules: Rules) -> set[str]:
    """The marks that a prompt has to hold, and may."""
    if first_answer(description, rules):
        return set()
    heard = {speech(who, n, rules) for who, n in over_before(description, rules)}
    if description.kind == "reward":
        speaker, draw = description.draw.split()
        return heard | {speech_mark(speaker, description.round, draw)}
    if description.kind in ("speech", "candidate"):
        if FORMATS[rules.protocol].interaction == "consultancy":
            return {mark for mark in heard if description.participant in mark}
        return heard
    every = range(1, ROUNDS + 1)
    return {speech(who, n, rules) for who in rules.speakers for n in every}


def over_before(
    description: TurnDescription, rules: Rules
) -> Iterator[tuple[str, int]]:
    """The speeches, by speaker and round, that are over when a turn is asked for."""
    for round in range(1, description.round):
        yield from ((who, round) for who in rules.speakers)
    if rules.turn_order == "sequential" and description.round:
        # Every second epoch the other proposer leads; a critic always comes after.
        turned = len(rules.proposers) == 2 and description.epoch == 2
        order = rules.speakers[::-1] if turned else rules.speakers
        speaker = (
            description.draw.split()[0]
            if description.kind == "reward"
            else description.participant
        )
        yield from ((who, description.round) for who in order[: order.index(speaker)])


def speech(who: str, round: int, rules: Rules) -> str:
    """The mark of what was said there; of candidates, of the one that is chosen."""
    draw = BEST[who, round] if rules.best_of == 4 else ""
    return speech_mark(who, round, draw)


def answers_for(description: TurnDescription, rules: Rules) -> set[str]:
    """Whose answers a prompt has to show, and may."""
    if first_answer(description, rules):
        return set()
    interaction = FORMATS[rules.protocol].interaction
    if description.kind in ("speech", "candidate") and interaction == "consultancy":
        return {description.participant}
    return set(rules.proposers)


def names_for(description: TurnDescription, rules: Rules) -> set[str]:
    """Who may be named in a prompt."""
    interaction = FORMATS[rules.protocol].interaction
    if first_answer(description, rules):
        return set()
    if description.kind in ("speech", "candidate") and interaction == "consultancy":
        return {NAMES[list(ANSWERS).index(description.participant)]}
    return set(NAMES[: max(len(rules.proposers), len(rules.speakers))])


def first_answer(description: TurnDescription, rules: Rules) -> bool:
    """Whether a turn is an answer before which nobody has read anything."""
    return description.kind == "answer" and (
        description.participant in rules.proposers or not rules.proposers
    )


def shown_in(call: Call) -> Iterator[str]:
    """Whose answers a prompt shows."""
    for who, answer in ANSWERS.items():
        grids = answer[parts_of(description_of(call))].split("\n\n")
        shown = {grid in call.prompt for grid in grids}
        assert len(shown) == 1
        if shown.pop():
            yield who


@pytest.mark.slow
def test_answers_are_asked_for_alike_in_all_formats(tmp_path: Path) -> None:
    prompts = set()
    for rules in MATRIX:
        solver = generative_debate(**rules._asdict())
        _, calls = held(solver, tmp_path)
        answers = [call for call in calls if first_answer(description_of(call), rules)]
        assert len(answers) == max(1, len(rules.proposers))
        for call in answers:
            [message] = call.messages
            assert message.role == "user"
            prompts.add((message.text, call.config.model_dump_json()))
    [(prompt, _)] = prompts
    telling = r"debat|judge|critic|opponent|consult|alice|bob|speech|verdict|another"
    assert not re.search(telling, prompt, re.I)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p != "direct_qa"])
def test_a_judge_s_own_answer_changes_no_other_prompt(
    protocol: GenerativeProtocol, tmp_path: Path
) -> None:
    plain = requests(generative_debate(protocol), tmp_path)
    asked = requests(generative_debate(protocol, judge_answer=True), tmp_path)
    [own] = set(asked) - set(plain)
    assert asked.pop(own)
    assert '"participant":"judge","kind":"answer"' in own
    assert asked == plain


def requests(solver: Solver, log_dir: Path) -> dict[str, str]:
    """What is sent for every turn, by its description."""
    _, calls = held(solver, log_dir)
    return {
        description_of(
            call
        ).model_dump_json(): f"{call.config.model_dump_json()}{call.prompt}"
        for call in calls
    }
