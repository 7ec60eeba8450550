"""What a person sees of a debate with bets."""

from inspect_debate.solvers.bet_records import BRIEF, bets_card, brief, round_card
from tests.support.bet_records import Verdict, held

LONG = "The lamps | burn.\n\n" * 40


def test_a_round_shows_both_sides_next_to_each_other() -> None:
    record = held((70, None), (80, 60), texts=LONG, thoughts="I | doubt.\nStill.")
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
    card = bets_card(held((70, 60), (None, 65), verdicts=verdicts))
    assert "**Outcome: the opposition wins**" in card
    assert "| opening | 70 | 60 | 130 |" in card
    assert "| closing | (unparsed) | 65 |  |" in card
    assert (
        "| court/judge_1, pass 1 | first answer shown first | proposition | 80 |"
        in card
    )
    unread = "| court/judge_1, pass 2 | first answer shown first |"
    assert f"{unread} (unparsed) | (unparsed) |" in card
    assert "**Outcome: no jury was asked**" in bets_card(held((70, 60)))


def test_a_tie_is_said() -> None:
    verdicts = [[("proposition", 80.0)], [("opposition", 80.0)]]
    assert "**Outcome: a tie**" in bets_card(held((70, 60), verdicts=verdicts))
