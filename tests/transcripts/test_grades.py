"""Published grades and the bets that they are about."""

from typing import Any

import pytest

from inspect_debate.transcripts.debates import UnreadableError, debate_of
from inspect_debate.transcripts.release import Grades, is_grades, read_grades
from tests.transcripts.made import four_rounds, graded, three_rounds

THREE = debate_of("three", "a/three.json", three_rounds())
FOUR = debate_of("four", "b/four.json", four_rounds())


def read(*entries: dict[str, Any]) -> Grades:
    return read_grades(list(entries), [THREE, FOUR], Grades())


def test_each_grade_finds_its_bet() -> None:
    grades = read(
        graded("four", four_rounds(), 5, assessment="Overbetting"),
        graded("three", three_rounds(), 5),
        graded("three", three_rounds(), 0),
    )
    assert [(g.side, g.round, g.bet) for g in grades.of(THREE)] == [
        ("proposition", 1, 60),
        ("opposition", 3, 75),
    ]
    (found,) = grades.of(FOUR)
    assert (found.side, found.round) == ("opposition", 3)
    assert found.label("assessment") == "overbetting"


@pytest.mark.parametrize(
    ("change", "differing", "elsewhere"),
    [
        ({"debate_id": "another"}, 0, 1),
        ({"debate_id": "another", "speech_type": "rebuttal_1"}, 0, 1),
        ({"raw_bet_amount": 61}, 1, 0),
        ({"raw_thoughts": "Other thoughts."}, 1, 0),
        ({"side": "opposition"}, 1, 0),
    ],
)
def test_a_grade_of_another_bet(
    change: dict[str, Any], differing: int, elsewhere: int
) -> None:
    grades = read(graded("three", three_rounds(), 0) | change)
    assert (grades.found, grades.differing, grades.elsewhere) == (
        {},
        differing,
        elsewhere,
    )


def test_a_bet_is_graded_once() -> None:
    entry = graded("three", three_rounds(), 0)
    with pytest.raises(UnreadableError, match="entry 0 grades a bet that is graded"):
        read_grades([entry], [THREE], read(entry))


@pytest.mark.parametrize("content", [[], {}, [1], [{"debate_id": "x"}], None])
def test_what_is_not_a_list_of_grades(content: Any) -> None:
    assert not is_grades(content)
