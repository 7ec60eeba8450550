"""Exchanging names and labels, and the debates in which neither can be exchanged."""

import pytest

from inspect_debate.v1.debate.question import Question
from inspect_debate.v1.debate.record import Participant, Role
from inspect_debate.v1.solvers.judge_checks import (
    Changed,
    Hearing,
    labels_exchanged,
    names_exchanged,
)
from tests.v1.support.made import speech

SPEAKERS: dict[Role, str] = {"debater_a": "Alice", "debater_b": "Bob"}
OPTIONS = {"A": "A copper ladle", "B": "A coin", "C": "Neither"}


def hearing(
    *reply: str,
    asked: str = "What was found?",
    passage: str = "A man dug. A German saw it.",
    options: dict[str, str] = OPTIONS,
    sides: tuple[str, str] = ("A", "C"),
) -> Hearing:
    """A debate in which the speakers take turns."""
    listed = "\n".join(f"{letter}) {text}" for letter, text in options.items())
    question = Question(
        id="x",
        epoch=1,
        fingerprint="f",
        choices=tuple(options),
        sources={"question": asked, "options": listed, "passage": passage},
        options=options,
    )
    speakers = [
        Participant(id=role, role=role, name=name, model="x", defends=side)
        for (role, name), side in zip(SPEAKERS.items(), sides, strict=True)
    ]
    turns = [
        speech(f"debater_{'ab'[place % 2]}", public=text)
        for place, text in enumerate(reply)
    ]
    return Hearing(question, speakers, turns, "ab")


def reply(changed: Changed | None) -> list[str] | None:
    return None if changed is None else [t.public for t in changed.hearing.turns]


def test_labels_of_the_two_sides_alone_are_exchanged() -> None:
    changed = labels_exchanged(hearing("I defend A, not B.", 'C, says "A". A ladle.'))
    assert reply(changed) == ["I defend C, not B.", 'A, says "C". A ladle.']
    assert changed is not None
    assert changed.favours == "C"


@pytest.mark.parametrize(
    "made",
    [
        hearing("x", asked="Which vitamin C is it?"),
        hearing("Vitamin C helps.", passage="He took vitamin C."),
        hearing("I say C is ill.", passage="Patient C is ill."),
        hearing("x", options=OPTIONS | {"B": "Both A and C"}),
        hearing("He says <v_quote>plan C failed</v_quote>."),
        hearing("He says <u_quote>plan C failed</u_quote>."),
        hearing("He says &lt;quote>plan C failed&lt;/quote>."),
        hearing("x", "He says “plan C failed”."),
        hearing("x", 'He says "plan C failed".'),
        hearing("x", options={**OPTIONS, "I": "It"}, sides=("A", "I")),
    ],
)
def test_labels_with_another_meaning_are_left_alone(made: Hearing) -> None:
    assert labels_exchanged(made) is None


def test_a_letter_in_the_passage_alone_is_no_hindrance() -> None:
    passage = "He took vitamin C. Plan A failed, and “C” was next."
    changed = labels_exchanged(hearing("So C is right.", "It is A.", passage=passage))
    assert reply(changed) == ["So A is right.", "It is C."]
    assert changed is not None
    assert changed.hearing.question.passage == passage


def test_names_are_exchanged_in_their_own_case() -> None:
    changed = names_exchanged(hearing("Bob’s point, bob!", "ALICE's. Alice-Bob"))
    assert reply(changed) == ["Alice’s point, alice!", "BOB's. Bob-Alice"]
    assert changed is not None
    assert [s.name for s in changed.hearing.debaters] == ["Bob", "Alice"]
    assert changed.favours == "C"


@pytest.mark.parametrize(
    "made",
    [
        hearing("x", asked="Where did alice go?"),
        hearing("x", passage="BOB went home."),
        hearing("x", options=OPTIONS | {"B": "Bob's house"}),
        hearing("He says <v_quote>so Alice left</v_quote>."),
        hearing("He says &lt;quote>so Alice left&lt;/quote>."),
        hearing("He says “so Alice left”."),
        hearing('He says "so Alice left".'),
    ],
)
def test_names_of_others_are_left_alone(made: Hearing) -> None:
    assert names_exchanged(made) is None


def test_names_leave_labels_and_labels_leave_names() -> None:
    made = hearing("Bob is right on C.", passage="Vitamin C.")
    assert reply(names_exchanged(made)) == ["Alice is right on C."]
    made = hearing("Bob is right on C.", passage="Bob is.")
    assert reply(labels_exchanged(made)) == ["Bob is right on A."]
