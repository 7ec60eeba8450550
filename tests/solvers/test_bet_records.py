"""Speeches and bets by name, side and round, and the cards that show them."""

import pytest

from inspect_debate.debate.record import Parsed, Status
from inspect_debate.solvers.bet_records import (
    BRIEF,
    as_recorded,
    bets,
    bets_card,
    brief,
    round_card,
    rounds_of,
    sides_of,
    speech_name,
    speech_type,
)
from tests.support.bet_records import Verdict, debate_with_bets


@pytest.mark.parametrize(
    ("rounds", "types", "names"),
    [
        (1, ["opening"], ["opening"]),
        (2, ["opening", "closing"], ["opening", "closing"]),
        (3, ["opening", "rebuttal", "closing"], ["opening", "rebuttal", "closing"]),
        (
            4,
            ["opening", "rebuttal", "rebuttal", "closing"],
            ["opening", "rebuttal 1", "rebuttal 2", "closing"],
        ),
    ],
)
def test_names_of_speeches(rounds: int, types: list[str], names: list[str]) -> None:
    numbers = range(1, rounds + 1)
    assert [speech_type(n, rounds) for n in numbers] == types
    assert [speech_name(n, rounds) for n in numbers] == names


def test_bets_go_by_side_whoever_sits_where() -> None:
    straight, swapped = (
        debate_with_bets((70, 60)),
        debate_with_bets((70, 60), swapped=True),
    )
    assert bets(straight) == bets(swapped)
    assert bets(straight)["proposition", 1] == Parsed.ok(70.0)
    assert sides_of(swapped)["proposition"] == "debater_b"


def test_a_round_that_was_not_reached_has_missing_bets() -> None:
    record = debate_with_bets((70, 60))
    longer = record.model_copy(update={"parameters": {"rounds": 2}})
    assert rounds_of(longer) == 2
    assert bets(longer)["opposition", 2].status == Status.MISSING


def test_a_bet_asked_apart_counts_like_one_in_a_speech() -> None:
    record = debate_with_bets((70, 60))
    speech = record.turns[0]
    apart = speech.model_copy(
        update={"kind": "bet", "fields": {"bet": Parsed.ok(55.0)}, "public": ""}
    )
    plain = speech.model_copy(update={"fields": {"speech": Parsed.ok(300.0)}})
    found = bets(record.model_copy(update={"turns": (plain, apart, *record.turns[1:])}))
    assert found["proposition", 1] == Parsed.ok(55.0)


def test_a_recorded_bet_replaces_a_missing_one() -> None:
    record = debate_with_bets((None, 60))
    missing = record.turns[0].model_copy(
        update={"fields": {"bet": Parsed(), "recorded_bet": Parsed.ok(0.0)}}
    )
    found = record.model_copy(update={"turns": (missing, *record.turns[1:])})
    assert bets(found)["proposition", 1].value is None
    assert as_recorded(found)["proposition", 1] == Parsed.ok(0.0)
    assert as_recorded(found)["opposition", 1] == Parsed.ok(60.0)


LONG = "The lamps | burn.\n\n" * 40


def test_a_round_shows_both_sides_next_to_each_other() -> None:
    record = debate_with_bets(
        (70, None), (80, 60), texts=LONG, thoughts="I | doubt.\nStill."
    )
    sides = {"debater_a": "proposition", "debater_b": "opposition"}
    card = round_card(record.turns, sides, 1, 2)
    table = [line for line in card.splitlines() if line.startswith("|")]
    assert table[2] == "| bet | **70** | **(unparsed)** |"
    assert table[3].count(r"I \| doubt. Still.") == 2
    assert all(line.replace(r"\|", "").count("|") == 4 for line in table)
    assert card.count(LONG.strip()) == 2


def test_a_text_in_brief_is_one_line_of_bounded_length() -> None:
    assert brief("one\n  two") == "one two"
    short = brief("word " * 500)
    assert short.endswith(" ...")
    assert len(short) <= BRIEF + 4


def test_bets_and_verdicts_at_a_glance() -> None:
    verdicts: list[list[Verdict]] = [
        [("proposition", 80.0), (None, None)],
        [("opposition", 60.0)] * 2,
    ]
    card = bets_card(debate_with_bets((70, 60), (None, 65), verdicts=verdicts))
    assert "**Outcome: the opposition wins**" in card
    assert "| opening | 70 | 60 | 130 |" in card
    assert "| closing | (unparsed) | 65 |  |" in card
    assert (
        "| court/judge_1, pass 1 | first answer shown first | proposition | 80 |"
        in card
    )
    unread = "| court/judge_1, pass 2 | first answer shown first |"
    assert f"{unread} (unparsed) | (unparsed) |" in card
    assert "**Outcome: no jury was asked**" in bets_card(debate_with_bets((70, 60)))


def test_a_tie_is_shown() -> None:
    verdicts = [[("proposition", 80.0)], [("opposition", 80.0)]]
    assert "**Outcome: a tie**" in bets_card(
        debate_with_bets((70, 60), verdicts=verdicts)
    )
