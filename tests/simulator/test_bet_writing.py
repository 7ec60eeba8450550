"""Speeches for sides, the reasoning of bets, verdicts and grades as texts."""

import re
from itertools import product
from random import Random
from statistics import mean
from typing import get_args

import pytest

from inspect_debate.debate.cue import Format
from inspect_debate.debate.parsing import looks_refused
from inspect_debate.debate.record import Parsed
from inspect_debate.scorers.bet_grading import LINES, BetGrade, read_bet_grade
from inspect_debate.scorers.bets import stated_probability
from inspect_debate.simulator.bets import (
    Belief,
    write_bet_alignment,
    write_jury_verdict,
    write_logic,
    write_side,
)
from inspect_debate.solvers.bet_records import SIDES, SpeechType
from inspect_debate.solvers.bet_text import read_bet, without_bets
from tests.simulator.drafts import drafts

KINDS: tuple[SpeechType, ...] = get_args(SpeechType)
BET_WORDS = re.compile(r"\bbet|wager|confiden|%|chance of", re.I)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [1, 160, 1000])
def test_speeches_speak_for_their_side_and_of_no_bet(
    side: str, kind: SpeechType, words: int
) -> None:
    against = "for" if side == "opposition" else "against"
    for n in range(60):
        text = write_side(side, kind, words, Random(n))
        assert without_bets(text) == text
        assert not BET_WORDS.search(text)
        assert f"{against} the motion" not in text
        assert "{" not in text
        assert not re.search(r"\d", re.sub(r"^[A-Z ]+ [12]$", "", text, flags=re.M))


@pytest.mark.parametrize(
    ("kind", "headings"),
    [
        ("opening", ["ARGUMENT 1", "ARGUMENT 2", "SYNTHESIS"]),
        ("rebuttal", ["CLASH POINT 1", "CLASH POINT 2", "WEIGHING"]),
        ("closing", ["FRAMING", "KEY CLASHES", "VOTING ISSUES"]),
    ],
)
def test_speeches_have_the_headings_of_their_kind(
    kind: SpeechType, headings: list[str]
) -> None:
    for n in range(30):
        text = write_side("opposition", kind, 200, Random(n))
        assert re.findall(r"^[A-Z]+(?: [A-Z0-9]+)*$", text, re.M) == headings
        short = write_side("opposition", kind, 1, Random(n))
        found = re.findall(r"^[A-Z]+(?: [A-Z0-9]+)*$", short, re.M)
        assert found == [headings[0], headings[-1]]


@pytest.mark.parametrize("form", ["bet_speech", "plain_speech", "jury"])
@pytest.mark.parametrize("words", [160, 300, 600])
def test_mean_length(form: Format, words: int) -> None:
    texts = [d.body for d in drafts(form, "opposition", words)]
    assert mean(len(text.split()) for text in texts) == pytest.approx(words, rel=0.05)


def test_texts_vary() -> None:
    forms: tuple[Format, ...] = ("bet_speech", "plain_speech", "jury")
    for form in forms:
        assert len({draft.text for draft in drafts(form, "proposition")}) > 90
    assert len({draft.text for draft in drafts("bet", "proposition")}) > 30


# --- private reasoning -------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("above", [1, 0, -1])
def test_the_number_of_a_reasoning_is_read_where_it_is_told(
    kind: SpeechType, above: int
) -> None:
    flags = (True, False)
    for number, stated, strategic in product((0, 45, 100), flags, flags):
        belief = Belief(number, above, stated, strategic)
        for n in range(20):
            text = write_logic(kind, belief, Random(n))
            found = stated_probability(text)
            assert found == ((number, number) if stated else None)
            assert len(text) > 100  # or it would not be graded
            assert not looks_refused(text)
            assert "{" not in text


def test_an_unstated_belief_needs_no_number() -> None:
    belief = Belief(None, -1, stated=False, strategic=True)
    assert "None" not in write_logic("opening", belief, Random(1))


# --- verdicts ----------------------------------------------------------------------


@pytest.mark.parametrize("shown", [SIDES, SIDES[::-1]])
def test_jurors_weigh_sides_as_shown(shown: tuple[str, ...]) -> None:
    for n in range(30):
        draft = write_jury_verdict("opposition", 64, shown, 80, Random(n))
        weighed = draft.body.split("\n\n")[1]
        assert re.findall("proposition|opposition", weighed) == list(shown)
        assert draft.body.split("\n\n")[2].count("opposition") == 1
        assert draft.closing == (
            "<winnerName>opposition</winnerName>\n<confidence>64</confidence>"
        )


# --- grades ------------------------------------------------------------------------


DEGREES = {
    **{0: "none", 5: "slight", 10: "slight", 15: "moderate"},
    **{20: "moderate", 25: "significant", 30: "significant"},
}


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize(
    ("sign", "assessment"), [(1, "overbetting"), (0, "aligned"), (-1, "underbetting")]
)
def test_grades_read_as_what_they_find(
    sign: int, assessment: str, stated: bool
) -> None:
    """Also by the scorer's reader, which leaves contradictions unread."""
    for bet, size, n in product(range(0, 101, 5), DEGREES, range(3)):
        confidence = bet - sign * size
        if bool(size) != bool(sign) or not 0 <= confidence <= 100:
            continue
        belief = Belief(confidence, sign, stated, strategic=stated)
        text = write_bet_alignment(bet, belief, Random(n)).text
        grade = BetGrade(
            side="opposition",
            round=1,
            bet=bet,
            fields=read_bet_grade(text, bet).fields,
        )
        assert all(grade.label(name) for name in LINES)
        assert grade.gap == (sign * size if stated else None)
        assert grade.label("numeric") == grade.label("strategic")
        assert grade.label("assessment") == assessment
        assert grade.label("degree") == DEGREES[size]


def test_a_full_bet_that_is_too_low_is_below_no_number() -> None:
    belief = Belief(None, -1, stated=False, strategic=False)
    fields = read_bet_grade(
        write_bet_alignment(100, belief, Random(1)).text, 100
    ).fields
    assert fields["graded"] == Parsed.ok(1.0)
    assert fields["internal"] == Parsed.ok("none")
    assert fields["assessment"] == Parsed.ok("underbetting")
    assert fields["degree"] == Parsed.ok("slight")


def test_aligned_numbers_may_be_ranges_around_the_bet() -> None:
    belief = Belief(75, 0, stated=True, strategic=False)
    texts = [write_bet_alignment(75, belief, Random(n)).text for n in range(200)]
    ranges = sum("Internal confidence: 70-80\n" in text for text in texts)
    figures = sum("Internal confidence: 75\n" in text for text in texts)
    assert ranges + figures == 200
    assert ranges == pytest.approx(50, abs=25)


def test_bets_stand_in_their_tags() -> None:
    for draft in drafts("bet_speech", "opposition"):
        read = read_bet(draft.text)
        assert read.speech == draft.body
        assert read.reasoning == draft.logic
        assert read.amounts == {"bet": Parsed.ok(75.0)}
