from typing import Any

import pytest

from inspect_debate.core.record import Turn
from inspect_debate.core.visibility import (
    Heard,
    visible_to_debater,
    visible_to_judge,
)
from tests.support.made import answer, speech, verdict

SECRETS: dict[str, Any] = {
    "private": "SECRET p",
    "reasoning": "SECRET r",
    "superseded": ("SECRET s",),
}
TURNS = [
    answer("debater_a", **SECRETS),
    answer("debater_b", **SECRETS),
    speech("debater_b", 1),
    speech("debater_a", 1),
    verdict(judge="judge_1", **SECRETS),
    speech("debater_a", 2),
]


def heard(turn: Turn) -> Heard:
    return Heard(turn.participant, turn.kind, turn.round, turn.public)


@pytest.mark.parametrize(
    ("participant", "show_openings", "seen"),
    [
        ("debater_a", True, [0, 1, 2, 3, 5]),
        ("debater_b", True, [0, 1, 2, 3, 5]),
        ("debater_a", False, [0, 2, 3, 5]),
        ("debater_b", False, [1, 2, 3, 5]),
    ],
)
def test_what_a_debater_reads(
    participant: str, show_openings: bool, seen: list[int]
) -> None:
    read = visible_to_debater(participant, TURNS, show_openings=show_openings)
    assert read == [heard(TURNS[n]) for n in seen]
    assert "SECRET" not in str(read)


@pytest.mark.parametrize(
    ("show_openings", "seen"), [(True, [0, 1, 2, 3, 5]), (False, [2, 3, 5])]
)
def test_what_a_judge_reads(show_openings: bool, seen: list[int]) -> None:
    read = visible_to_judge(TURNS, show_openings=show_openings)
    assert read == [heard(TURNS[n]) for n in seen]
    assert "SECRET" not in str(read)


def test_nothing_said_is_nothing_heard() -> None:
    assert visible_to_debater("debater_a", [], show_openings=True) == []
    assert visible_to_judge([verdict()], show_openings=True) == []
