import pandas as pd
import pytest

from inspect_debate.reports.colmad import (
    REPORT,
    Data,
    main_debates,
    on_shared,
)
from inspect_debate.reports.colmad_conditions import Condition
from inspect_debate.reports.views import Part
from tests.reports.made_scores import NONE, condition, rows, scores

SAMPLES = scores({"a": (1, 1), "b": (0, 0), "c": (1, 0)})
TRIO = ("A", "B", "A")


def made(
    protocol: str, *people: str | None, title: str = "", **parameters: object
) -> Condition:
    return condition(protocol, SAMPLES, *people, details=title, **parameters)


COLMAD = made("colmad", *TRIO)
OPENINGS = made("colmad", *TRIO, title="0 rounds", rounds=0)
FULL = made("colmad", *TRIO, title="no skip on agreement", skip_if_agree=False)
COPMAD = made("copmad", *TRIO)
SHOWN = made("copmad", *TRIO, title="shown", show_openings=True)
SHORT = made(
    "copmad", *TRIO, title="skip on agreement", skip_if_agree=True, show_openings=True
)


def compared(*conditions: Condition) -> list[tuple[str, str]]:
    """Each comparison with the first words of its question."""
    found = rows(*conditions, of="comparisons_accuracy")
    assert len(rows(*conditions, of="comparisons_f")) == len(found)
    return [(row["Question"][:13], row["Compared"]) for row in found]


@pytest.mark.parametrize(
    ("other", "question", "label"),
    [
        (OPENINGS, "What do the s", "ColMAD − ColMAD, 0 rounds"),
        (
            made("judge_alone", None, None, "A"),
            "Is it better ",
            "ColMAD − Judge alone (A)",
        ),
        (made("single", "A"), "Is it better ", "ColMAD − Single agent (A)"),
        (made("single", "B"), "Is it better ", "ColMAD − Single agent (B)"),
        (
            made("self_consistency", "B"),
            "Is it better ",
            "ColMAD − Self-consistency (B)",
        ),
        (made("ensemble", "B", "A"), "Is it better ", "ColMAD − Ensemble (B + A)"),
        (made("som", "A", "B"), "Is it better ", "ColMAD − Society of Minds"),
        (SHORT, "Collaboration", "ColMAD − CopMAD, skip on agreement"),
        (COPMAD, "Collaboration", "ColMAD − CopMAD"),
        (SHOWN, "Collaboration", "ColMAD − CopMAD, shown"),
        (FULL, "What does ski", "ColMAD − ColMAD, no skip on agreement"),
    ],
)
def test_a_debate_is_compared_with_what_it_is_to_improve_on(
    other: Condition, question: str, label: str
) -> None:
    assert compared(other, COLMAD) == [(question, label)]


@pytest.mark.parametrize(
    "other",
    [
        made("single", "C"),
        made("judge_alone", None, None, "B"),
        made("ensemble", "A", "C"),
        made("colmad", "A", "B", "J", rounds=0),
        made("colmad", *TRIO, rounds=0, word_limit=100),
        made("copmad", "B", "A", "B"),
    ],
)
def test_other_people_and_settings_are_not_compared(other: Condition) -> None:
    assert compared(other, COLMAD) == []


def test_the_four_combinations_of_the_short_cut() -> None:
    found = compared(SHOWN, SHORT, COLMAD, FULL)
    labels = [label for question, label in found if question == "Collaboration"]
    assert labels == [
        "ColMAD − CopMAD, skip on agreement",
        "ColMAD, no skip on agreement − CopMAD, shown",
        "ColMAD − CopMAD, shown",
        "ColMAD, no skip on agreement − CopMAD, skip on agreement",
    ]
    all = rows(SHOWN, SHORT, COLMAD, FULL, of="comparisons_f")
    assert sum("confounded" in row["Question"] for row in all) == 2


def test_showing_first_answers_is_compared_by_itself() -> None:
    assert compared(COPMAD, SHOWN) == [("What does it ", "CopMAD, shown − CopMAD")]
    assert ("Collaboration", "ColMAD, no skip on agreement − CopMAD") not in compared(
        FULL, COPMAD
    )


def test_other_protocols_stand_against_the_debate_as_published() -> None:
    single, one_round = made("single", "A"), made("colmad", *TRIO, rounds=1)
    assert main_debates([COLMAD, one_round, FULL]) == [COLMAD]
    assert main_debates([one_round, COPMAD]) == [one_round, COPMAD]
    against_single = [c for c in compared(single, COLMAD, FULL) if "Single" in c[1]]
    assert against_single == [("Is it better ", "ColMAD − Single agent (A)")]


def test_debates_without_a_run_that_shows_what_speeches_add_are_named() -> None:
    (part,) = [
        part
        for part in REPORT.parts
        if isinstance(part, Part) and part.title == "Paired comparisons"
    ]
    assert part.section(Data([COLMAD, OPENINGS])).text == ""
    only_hidden = part.section(Data([COPMAD])).text
    assert "None of the conditions is a debate" in only_hidden
    assert "-T rounds=0" not in only_hidden
    text = part.section(Data([COLMAD, OPENINGS, SHORT])).text
    assert "`-T rounds=0 -T reuse=LOG -T reuse_until=answers`" in text
    assert text.endswith(":\n\n- CopMAD, skip on agreement (A + B)")


def test_conditions_are_restricted_to_samples_that_all_predict() -> None:
    unread = scores({"a": (1, 1), "b": (0, NONE), "d": (1, 1)})
    twice = pd.concat([SAMPLES, SAMPLES.assign(epoch=2)], ignore_index=True)
    changed = SAMPLES.assign(input_group="another input")
    made_of = zip("ABCD", (SAMPLES, unread, twice, changed), strict=True)
    frames = [frame.assign(Condition=name) for name, frame in made_of]
    found, words = on_shared(pd.concat(frames, ignore_index=True))
    assert {name: list(of["id"]) for name, of in found.items()} == {
        name: ["a"] for name in "ABC"
    }
    assert "the 1 sample that all conditions predict (without D," in words
