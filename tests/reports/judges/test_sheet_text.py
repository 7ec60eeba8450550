"""What a person reads of a debate."""

from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.debate.outcome import SAID
from inspect_debate.debate.quotes import Passage, quoted
from inspect_debate.debate.record import Parsed, Participant, Quote, Turn
from inspect_debate.reports.judges.sheet_text import contest, shown
from tests.reports.judges.sheets import as_read, contested, debate
from tests.support.made import answer, speech, verdict
from tests.support.runs import TASK, WRONG

HEADINGS = {
    "ab": ["Alice, round 1", "Bob, round 1"],
    "ba": ["Bob, round 1", "Alice, round 1"],
}


def side(id: str, name: str, defends: str) -> Participant:
    """A debater."""
    role: Any = id
    return Participant(id=id, role=role, name=name, model="m", defends=defends)


def saying(text: str, *changes: dict[str, Any], **of_record: Any) -> str:
    """The debate as it is shown, in which every turn is a text.

    Args:
        text: The public text of all turns.
        changes: Of the turns, from the first.
        of_record: Changes of the record.
    """
    record = debate(**of_record)
    turns = [t.model_copy(update={"public": text}) for t in record.turns]
    for place, change in enumerate(changes):
        turns[place] = turns[place].model_copy(update=change)
    made = record.model_copy(update={"turns": tuple(turns)})
    return shown(contested(made), "ab").debate()


def test_a_task_and_its_response() -> None:
    found = shown(contested(), "ab")
    assert found.question == (
        f"A task that was given to a language model:\n\n{TASK}\n\n"
        f"Its response:\n\n{WRONG}\n\nDoes the response contain an error?"
    )
    assert found.answers == (
        "1 (error): the response contains an error (argued for by Alice)",
        "2 (no_error): the response contains no error (argued for by Bob)",
    )
    assert found.debate() == (
        "Alice, round 1\ndebater_a speaks in round 1\n\n"
        "Bob, round 1\ndebater_b speaks in round 1"
    )


def test_the_order_turns_both_answers_and_speeches() -> None:
    one, other = shown(contested(), "ab"), shown(contested(), "ba")
    assert other.answers == one.answers[::-1]
    assert [s.heading for s in one.speeches] == HEADINGS["ab"]
    assert [s.heading for s in other.speeches] == HEADINGS["ba"]


def test_first_answers_are_shown_where_the_judge_read_them() -> None:
    hidden = shown(contested(debate(parameters={"show_openings": False})), "ab")
    assert "answers" not in hidden.debate()
    seen = shown(contested(debate(parameters={"show_openings": True})), "ab")
    assert [s.heading for s in seen.speeches] == [
        *("Alice, first answer", "Bob, first answer"),
        *HEADINGS["ab"],
    ]
    assert seen.note == ""


def test_assigned_sides_have_a_note_where_one_can_see_it() -> None:
    turns = (
        answer("debater_a", "error"),
        answer("debater_b", "error"),
        speech("debater_a"),
        speech("debater_b"),
    )
    for openings in (True, False):
        record = debate(turns=turns, parameters={"show_openings": openings})
        note = shown(contested(record), "ab").note
        assert note.startswith("Both debaters gave the same") == openings


@pytest.mark.parametrize(
    ("parameters", "holds", "lacks"),
    [
        ({}, [TASK, WRONG], ["PASSAGE", "cannot"]),
        ({"judge_sees_problem": False}, ["You cannot see"], [TASK, WRONG]),
        ({"passage": "hidden"}, ["a passage that you cannot read"], ["PASSAGE"]),
        ({"passage": "shown"}, ["Passage:\n\nPASSAGE"], ["cannot"]),
        ({"passage": "hidden", "judge_sees_passage": True}, ["PASSAGE"], ["cannot"]),
        ({"passage": "shown", "judge_sees_passage": False}, ["cannot"], ["PASSAGE"]),
        ({"passage": "unused"}, [TASK], ["PASSAGE", "cannot"]),
    ],
)
def test_what_the_judge_did_not_see_stays_hidden(
    parameters: dict[str, Any], holds: list[str], lacks: list[str]
) -> None:
    found = contested(debate(parameters=parameters), metadata={"passage": "PASSAGE"})
    question = shown(found, "ab").question
    assert all(text in question for text in holds)
    assert not any(text in question for text in lacks)


def test_a_question_with_options() -> None:
    sample = Sample(input="Which town?", choices=["Rome", "Bern", "Oslo"], target="C")
    record = debate(
        choices=("A", "B", "C"),
        participants=(side("debater_a", "Bob", "C"), side("debater_b", "Alice", "A")),
    )
    found = contested(record, sample)
    assert found.answers == ("A", "C")
    assert found.accepted == {"C"}
    assert shown(found, "ba").question == (
        "Which town?\n\nA) Rome\nB) Bern\nC) Oslo\n\nWhich of the two answers is right?"
    )
    assert shown(found, "ba").answers == (
        "C: Oslo (argued for by Bob)",
        "A: Rome (argued for by Alice)",
    )
    assert shown(found, "ba").speeches[0].heading == "Bob, round 1"


def put(turn: Turn, words: str) -> Turn:
    """An answer as it was put, beside the form in which it is compared."""
    fields = turn.fields | {SAID: Parsed.ok(words)}
    return turn.model_copy(update={"fields": fields})


def test_answers_in_words() -> None:
    record = debate(
        parameters={"answers": "free"},
        choices=("17", "42"),
        turns=(
            put(answer("debater_a", "42", public="ANSWER: Forty-two"), "Forty-two"),
            put(answer("debater_b", "17", public="ANSWER: seventeen"), "seventeen"),
            speech("debater_a"),
            speech("debater_b"),
        ),
        participants=(side("debater_a", "Bob", "42"), side("debater_b", "Alice", "17")),
    )
    found = contested(record, Sample(input="How many?", target=["42", "6 x 7"]))
    assert found.accepted == {"42"}
    assert shown(found, "ab").answers == (
        "A: seventeen (argued for by Alice)",
        "B: Forty-two (argued for by Bob)",
    )


def test_a_consultancy_has_one_speaker() -> None:
    consultant = side("debater_a", "Consultant", "error")
    record = debate(turns=(speech("debater_a"),), participants=(consultant,))
    found = shown(contested(record), "ba")
    assert found.answers[0].endswith("contains no error")
    assert found.answers[1].endswith("an error (argued for by Consultant)")
    assert found.note.startswith("Only one participant was heard. It was asked")


@pytest.mark.parametrize("motion", [True, False])
def test_debates_about_a_motion(motion: bool) -> None:
    sides = ("proposition", "opposition")
    bet = "It is so.\n<bet_amount>80</bet_amount>"
    record = debate(
        study="confidence",
        choices=sides,
        parameters={"juror_sees_motion": motion},
        turns=(speech("debater_a", public=bet), speech("debater_b")),
        participants=tuple(
            p.model_copy(update={"name": side.title(), "defends": side})
            for p, side in zip(debate().participants, sides, strict=True)
        ),
    )
    found = contested(record, Sample(input="Cats are best.", target=""))
    assert found.accepted == set()
    text = shown(found, "ab")
    assert text.question.endswith("Which side won the debate?")
    assert ("Cats are best." in text.question) == motion
    assert text.answers == ("The proposition", "The opposition")
    assert text.speeches[0].heading == "Proposition, round 1"
    assert "It is so." in text.debate()
    assert "80" not in text.debate()


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("plain", [("plain", None)]),
        ("<v_quote>a</v_quote>", [("a", "verified")]),
        (
            "x <u_quote>a\nb</u_quote> y",
            [("x ", None), ("a\nb", "unverified"), (" y", None)],
        ),
        ("<v_quote>a</u_quote>", [("<v_quote>a</u_quote>", None)]),
        (
            "<v_quote>a</v_quote><v_quote>b</v_quote>",
            [("a", "verified"), ("b", "verified")],
        ),
    ],
)
def test_quotes_are_cut_out(text: str, passages: list[Any]) -> None:
    assert quoted(text) == tuple(Passage(*passage) for passage in passages)


@pytest.mark.parametrize(
    ("checked", "reads"),
    [
        ("exact", "It says [verified quote] “so”, not [unverified quote] “no”."),
        ("none", "It says <v_quote>so</v_quote>, not <u_quote>no</u_quote>."),
    ],
)
def test_quotes_that_were_checked_are_marked_in_words(checked: str, reads: str) -> None:
    text = "It says <v_quote>so</v_quote>, not <u_quote>no</u_quote>."
    assert reads in saying(text, parameters={"quotes": checked})


def test_quotes_of_imported_debates_are_marked_without_a_parameter() -> None:
    found = {"quotes": (Quote(text="so", verified=True, source="passage"),)}
    read = saying("<v_quote>so</v_quote>", {}, {}, found, parameters={})
    assert "[verified quote] “so”" in read


def test_no_model_is_named() -> None:
    """A name of letters alone may be an ordinary word, as in imported debates."""
    text = "I, hush-4 (scripted/hush-4, HUSH-4-0613), hush to hush-40."
    read = saying(text, {}, {}, {"served": "hush-4-0613"})
    assert "I, [model] ([model], [model]), hush to hush-40." in read
    text = "Human staff, humane, and deep-sea of the lab/human."
    people = tuple(
        p.model_copy(update={"model": model})
        for p, model in zip(
            debate().participants, ("human", "lab/human", "lab/deep-sea"), strict=False
        )
    )
    read = saying(text, {"served": "deep-sea"}, participants=people)
    assert "Human staff, humane, and [model] of the [model]." in read


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"complete": False}, "it did not end"),
        ({"debated": False, "skip_reason": "both answers agree"}, "both answers"),
        ({"debated": False}, "nobody spoke"),
        ({"aggregation": "rulings"}, "every answer by itself"),
        ({"aggregation": "arbitration"}, "rules on a passage"),
        ({"participants": ()}, "not between two answers"),
    ],
)
def test_what_cannot_be_judged_has_a_reason(
    changes: dict[str, Any], because: str
) -> None:
    found = contest(as_read(debate(verdict(), **changes)))
    assert isinstance(found, str)
    assert because in found
    assert contest(as_read(None)) == "it did not end"
