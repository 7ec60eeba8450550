import pandas as pd
import pytest

from inspect_debate.reports.colmad.comparisons import (
    comparisons,
    main_debates,
    missing_openings,
    on_shared,
)
from inspect_debate.reports.colmad.frames import Arm
from tests.reports.made_scores import NONE, arm, scores

SAMPLES = scores({"a": (1, 1), "b": (0, 0), "c": (1, 0)})
TRIO = ("A", "B", "A")


def made(
    protocol: str, *people: str | None, title: str = "", **parameters: object
) -> Arm:
    return arm(protocol, SAMPLES, *people, details=title, **parameters)


COLMAD = made("colmad", *TRIO)
OPENINGS = made("colmad", *TRIO, title="0 rounds", rounds=0)
FULL = made("colmad", *TRIO, title="no short-cut", skip_if_agree=False)
COPMAD = made("copmad", *TRIO)
SHOWN = made("copmad", *TRIO, title="shown", show_openings=True)
SHORT = made("copmad", *TRIO, title="short-cut", skip_if_agree=True, show_openings=True)


def compared(*arms: Arm) -> list[tuple[str, str]]:
    """Each comparison with the first words of its question."""
    tables = comparisons(arms)
    if not tables:
        return []
    frame = tables[0].frame
    assert [table.name for table in tables] == ["comparisons_accuracy", "comparisons_f"]
    return list(zip(frame["Question"].str[:13], frame["Compared"], strict=True))


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
        (SHORT, "Collaboration", "ColMAD − CopMAD, short-cut"),
        (COPMAD, "Collaboration", "ColMAD − CopMAD"),
        (SHOWN, "Collaboration", "ColMAD − CopMAD, shown"),
        (FULL, "What does the", "ColMAD − ColMAD, no short-cut"),
    ],
)
def test_a_debate_is_compared_with_what_it_is_to_improve_on(
    other: Arm, question: str, label: str
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
def test_other_people_and_settings_are_not_compared(other: Arm) -> None:
    assert compared(other, COLMAD) == []


def test_the_four_combinations_of_the_short_cut() -> None:
    found = compared(SHOWN, SHORT, COLMAD, FULL)
    labels = [label for question, label in found if question == "Collaboration"]
    assert labels == [
        "ColMAD − CopMAD, short-cut",
        "ColMAD, no short-cut − CopMAD, shown",
        "ColMAD − CopMAD, shown",
        "ColMAD, no short-cut − CopMAD, short-cut",
    ]
    questions = comparisons([SHOWN, SHORT, COLMAD, FULL])[0].frame["Question"]
    assert questions.str.contains("confounded").sum() == 2


def test_showing_first_answers_is_compared_by_itself() -> None:
    assert compared(COPMAD, SHOWN) == [("What does it ", "CopMAD, shown − CopMAD")]
    assert ("Collaboration", "ColMAD, no short-cut − CopMAD") not in compared(
        FULL, COPMAD
    )


def test_other_protocols_stand_against_the_debate_as_published() -> None:
    single, one_round = made("single", "A"), made("colmad", *TRIO, rounds=1)
    assert main_debates([COLMAD, one_round, FULL]) == [COLMAD]
    assert main_debates([one_round, COPMAD]) == [one_round, COPMAD]
    against_single = [c for c in compared(single, COLMAD, FULL) if "Single" in c[1]]
    assert against_single == [("Is it better ", "ColMAD − Single agent (A)")]


def test_the_run_that_would_tell_what_speeches_add_is_named() -> None:
    assert missing_openings([COLMAD, OPENINGS]) == ""
    assert missing_openings([COPMAD]) == ""  # of which nothing is shown
    text = missing_openings([COLMAD, OPENINGS, SHORT])
    assert "ColMAD" not in text
    assert (
        "`inspect eval inspect_debate/colmad -T protocol=copmad -T rounds=0 "
        "-T show_openings=true -T skip_if_agree=true -T reuse=LOG "
        "-T reuse_until=answers --model-role debater_a=A --model-role debater_b=B`"
    ) in text


def test_arms_are_restricted_to_samples_that_all_predict() -> None:
    unread = scores({"a": (1, 1), "b": (0, NONE), "d": (1, 1)})
    twice = pd.concat([SAMPLES, SAMPLES.assign(epoch=2)], ignore_index=True)
    changed = SAMPLES.assign(input_group="another input")
    arms = [
        arm("single", frame, name)
        for name, frame in zip("ABCD", (SAMPLES, unread, twice, changed), strict=True)
    ]
    found = on_shared(arms)
    assert found.left_out == ["Single agent (D)"]
    assert found.samples == 1
    assert [list(a.rows["id"]) for a in found.arms] == [["a"]] * 3
