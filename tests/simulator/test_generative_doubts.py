"""Speeches that say that the task itself is at fault, by the rates planted."""

from collections import Counter
from collections.abc import Iterable

import pytest

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.simulator.behaviour import Behaviour
from inspect_debate.simulator.generative import DOUBTS, Doubt, doubt, fault
from inspect_debate.simulator.policy import Draws
from inspect_debate.simulator.simulated import play
from tests.simulator.asking import check_share
from tests.simulator.generative_asking import (
    generative_cue,
    generative_kinds,
    in_code,
    review_cue,
)

ALWAYS = Behaviour(doubted_tasks=1, doubts_task=1)
HALF = Behaviour(doubted_tasks=0.5, doubts_task=0.5)


def _told(text: str) -> list[str]:
    """What a text says is at fault, by the sentences known."""
    return [what for what, lines in DOUBTS.items() for line in lines if line in text]


def _speeches(n: int) -> list[TurnDescription]:
    rounds = [generative_cue("speech", n, round=round) for round in (1, 2)]
    others = [generative_cue("candidate", n, draw="3"), review_cue(n)]
    return [*rounds, *others, review_cue(n, draw="2", round=2)]


def _of(kind: str, cues: Iterable[TurnDescription], n: int) -> list[TurnDescription]:
    return [
        in_code(description, n) if kind == "code" else description
        for description in cues
    ]


KINDS = pytest.mark.parametrize("kind", ["grids", "code"])


@KINDS
def test_what_is_drawn_is_what_is_said(kind: str) -> None:
    found = Counter[str]()
    for n in range(120):
        for description in _of(kind, _speeches(n), n):
            drawn = doubt(Draws(HALF, description))
            assert _told(play(HALF, description, "").text) == ([drawn] if drawn else [])
            found[str(drawn)] += 1
    assert set(found) == {"tests", "statement", "examples", "None"}


@KINDS
def test_a_faulty_task_is_so_for_all(kind: str) -> None:
    """For all seats, rounds, epochs, runs and models of one rate."""
    faults: list[Doubt | None] = []
    for n in range(300):
        one, other = _of(kind, [generative_cue("speech", n), review_cue(n)], n)
        anew = other.model_copy(update={"seed": 7, "epoch": 2, "sample": "x"})
        found = {
            fault(Draws(behaviour, description))
            for behaviour in (HALF, Behaviour(doubted_tasks=0.5, seed=3, label="ben"))
            for description in (one, other, anew)
        }
        assert len(found) == 1
        faults += found
        less = fault(Draws(Behaviour(doubted_tasks=0.2), one))
        assert less in (None, faults[-1])
    check_share([what is not None for what in faults], 0.5)
    for what in ("tests", "statement", "examples"):
        check_share([each == what for each in faults if each], 1 / 3)


@pytest.mark.parametrize(("tasks", "speeches"), [(1, 0.3), (0.4, 1), (0, 1), (1, 0)])
def test_rates(tasks: float, speeches: float) -> None:
    behaviour = Behaviour(doubted_tasks=tasks, doubts_task=speeches)
    said = [
        doubt(Draws(behaviour, generative_cue("speech", n))) is not None
        for n in range(500)
    ]
    check_share(said, tasks * speeches)


@KINDS
def test_only_speeches_doubt(kind: str) -> None:
    for description in _of(kind, generative_kinds(1), 1):
        told = _told(play(ALWAYS, description, "").text)
        assert len(told) == (description.kind in ("speech", "candidate")), description


def test_nothing_else_changes() -> None:
    """Speeches are the same wherever nothing is doubted, whatever the rates."""
    for n in range(60):
        for description in _speeches(n):
            if doubt(Draws(HALF, description)) is None:
                never = Behaviour(doubted_tasks=0)
                assert play(HALF, description, "") == play(never, description, "")


@KINDS
def test_doubts_vary(kind: str) -> None:
    texts = [
        play(ALWAYS, description, "").text
        for n in range(60)
        for description in _of(kind, _speeches(n), n)
    ]
    for lines in DOUBTS.values():
        assert all(any(line in text for text in texts) for line in lines)
