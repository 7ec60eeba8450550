from typing import Any

import pytest

from inspect_debate.debate.record import Parsed, Status, Turn
from inspect_debate.debate.visibility import (
    NO_SPEECH,
    Heard,
    visible_to_debater,
    visible_to_judge,
    visible_to_peer,
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


MEMBERS = ("debater_a", "debater_b", "debater_c")


def member_turn(participant: str, round: int) -> Turn:
    changes: dict[str, Any] = {
        "kind": "update" if round else "answer",
        "round": round,
        "role": "debater_a",
    }
    return answer(participant, public=f"{participant} in {round}", **SECRETS, **changes)


@pytest.mark.parametrize("participant", MEMBERS)
@pytest.mark.parametrize("members", [2, 3])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_what_a_member_reads(participant: str, members: int, rounds: int) -> None:
    told = [member_turn(m, r) for r in range(rounds) for m in MEMBERS[:members]]
    read = visible_to_peer(participant, told)
    others = [m for m in MEMBERS[:members] if m != participant]
    assert [(turn.participant, turn.text) for turn in read] == [
        (other, f"{other} in {rounds - 1}") for other in others
    ]
    assert "SECRET" not in str(read)
    # Another order of the turns changes nothing but theirs.
    assert sorted(visible_to_peer(participant, told[::-1])) == sorted(read)


def test_a_member_reads_answers_alone() -> None:
    told = [*TURNS[:2], speech("debater_b", 0), verdict(**SECRETS)]
    assert visible_to_peer("debater_a", told) == [heard(TURNS[1])]


def test_nothing_said_is_nothing_heard() -> None:
    assert visible_to_debater("debater_a", [], show_openings=True) == []
    assert visible_to_peer("debater_a", []) == []
    assert visible_to_peer("debater_a", [answer("debater_a")]) == []
    assert visible_to_judge([verdict()], show_openings=True) == []


@pytest.mark.parametrize("field", ["speech", "argument"])
@pytest.mark.parametrize("status", [*Status])
def test_a_refusal_to_speak_is_no_argument(field: str, status: Status) -> None:
    parsed = Parsed.ok(9.0) if status == Status.OK else Parsed(status=status)
    said = speech("debater_a", 1, fields={field: parsed})
    shown = NO_SPEECH if status == Status.REFUSED else said.public
    assert [h.text for h in visible_to_judge([said], show_openings=True)] == [shown]
    read = visible_to_debater("debater_b", [said], show_openings=True)
    assert [h.text for h in read] == [shown]
