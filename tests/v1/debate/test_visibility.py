from typing import Any

import pytest

from inspect_debate.v1.debate.record import Parsed, Status, Turn
from inspect_debate.v1.debate.visibility import (
    NO_SPEECH,
    VisibleTurn,
    by_stage,
    visible_to_debater,
    visible_to_judge,
    visible_to_peer,
)
from tests.v1.support.made import answer, speech, verdict

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


def own(kind: str, who: str, round: int, spoken: bool | None = True) -> Turn:
    """A turn of a kind that the suite does not have."""
    what = {"kind": kind, "participant": who, "spoken": spoken, **SECRETS}
    return speech("debater_a", round).model_copy(update=what)


def visible(turn: Turn) -> VisibleTurn:
    return VisibleTurn(turn.participant, turn.kind, turn.round, turn.public)


@pytest.mark.parametrize(
    ("participant", "show_openings", "seen"),
    [
        ("debater_a", True, [0, 1, 2, 3, 5]),
        ("debater_b", True, [0, 1, 2, 3, 5]),
        ("debater_a", False, [0, 2, 3, 5]),
        ("debater_b", False, [1, 2, 3, 5]),
    ],
)
def test_debater_reads(participant: str, show_openings: bool, seen: list[int]) -> None:
    read = visible_to_debater(participant, TURNS, show_openings=show_openings)
    assert read == [visible(TURNS[n]) for n in seen]
    assert "SECRET" not in str(read)


@pytest.mark.parametrize(
    ("show_openings", "seen"), [(True, [0, 1, 2, 3, 5]), (False, [2, 3, 5])]
)
def test_what_a_judge_reads(show_openings: bool, seen: list[int]) -> None:
    read = visible_to_judge(TURNS, show_openings=show_openings)
    assert read == [visible(TURNS[n]) for n in seen]
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
    turns = [member_turn(m, r) for r in range(rounds) for m in MEMBERS[:members]]
    read = visible_to_peer(participant, turns)
    others = [m for m in MEMBERS[:members] if m != participant]
    assert [(turn.participant, turn.text) for turn in read] == [
        (other, f"{other} in {rounds - 1}") for other in others
    ]
    assert "SECRET" not in str(read)
    # Another order of the turns changes nothing but theirs.
    assert sorted(visible_to_peer(participant, turns[::-1])) == sorted(read)


def test_a_member_reads_answers_alone() -> None:
    turns = [*TURNS[:2], speech("debater_b", 0), verdict(**SECRETS)]
    assert visible_to_peer("debater_a", turns) == [visible(TURNS[1])]


def test_without_turns_nothing_is_visible() -> None:
    assert visible_to_debater("debater_a", [], show_openings=True) == []
    assert visible_to_peer("debater_a", []) == []
    assert visible_to_peer("debater_a", [answer("debater_a")]) == []
    assert visible_to_judge([verdict()], show_openings=True) == []


@pytest.mark.parametrize("field", ["speech", "argument"])
@pytest.mark.parametrize("status", [*Status])
def test_a_refusal_to_speak_is_no_argument(field: str, status: Status) -> None:
    parsed = Parsed.ok(9.0) if status == Status.OK else Parsed(status=status)
    reply = speech("debater_a", 1, fields={field: parsed})
    shown = NO_SPEECH if status == Status.REFUSED else reply.public
    assert [h.text for h in visible_to_judge([reply], show_openings=True)] == [shown]
    read = visible_to_debater("debater_b", [reply], show_openings=True)
    assert [h.text for h in read] == [shown]


# --- kinds of turn of another package ------------------------------------------------

OWN = [
    own("opening", "debater_b", 1),
    own("opening", "debater_a", 1),
    own("judge_question", "judge", 2),
    own("answer_to_judge", "debater_b", 2),
    own("answer_to_judge", "debater_a", 2),
    own("note_to_self", "debater_a", 2, spoken=None),
]


@pytest.mark.parametrize("participant", ["debater_a", "debater_b"])
def test_spoken_kinds_are_read_by_all_and_others_by_nobody(participant: str) -> None:
    reply = [visible(turn) for turn in OWN[:5]]
    assert visible_to_debater(participant, OWN, show_openings=False) == reply
    assert visible_to_judge(OWN, show_openings=True) == reply
    assert "SECRET" not in str(reply)


@pytest.mark.parametrize(
    ("speakers", "order"),
    [
        (("debater_a", "debater_b"), [1, 0, 2, 4, 3]),
        (("debater_b", "debater_a"), [0, 1, 2, 3, 4]),
        # Who is not listed comes last.
        (("debater_a",), [1, 0, 2, 4, 3]),
        ((), [0, 1, 2, 3, 4]),
    ],
)
def test_order_of_stages(speakers: tuple[str, ...], order: list[int]) -> None:
    """Within a stage, speakers come as listed; the stages are never mixed."""
    reply = visible_to_judge(OWN, show_openings=False)
    assert by_stage(reply, speakers) == [reply[n] for n in order]


@pytest.mark.parametrize(
    ("turn", "stage"),
    [
        (OWN[0], "opening, round 1"),
        (OWN[2], "judge question, round 2"),
        (TURNS[2], "round 1"),
        (TURNS[0], "first answer"),
    ],
)
def test_what_readers_call_a_stage(turn: Turn, stage: str) -> None:
    assert visible(turn).stage == stage
