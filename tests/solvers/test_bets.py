"""Bets are read from completions and kept out of speeches."""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.solvers.bets import (
    SIDES,
    mentions_bet,
    read_bet,
    read_verdict,
    stages,
    without_bet,
)

CASES = yaml.safe_load(Path(__file__).with_name("bets.yaml").read_text("utf-8"))
SPEECH = (
    "ARGUMENT 1\nRoads **flood** every spring, and farms near the river with them.\n\n"
    "SYNTHESIS\nA dam of 30 metres would hold the water back. Build the dam."
)
AMOUNT = "<bet_amount>63</bet_amount>"


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        (1, "opening"),
        (2, "opening closing"),
        (3, "opening rebuttal closing"),
        (4, "opening rebuttal_1 rebuttal_2 closing"),
    ],
)
def test_stages(rounds: int, expected: str) -> None:
    assert stages(rounds) == expected.split()


@pytest.mark.parametrize("bet", CASES["leaks"])
def test_a_bet_after_a_speech_is_cut(bet: str) -> None:
    text = f"{SPEECH}\n\n{bet}"
    assert without_bet(text) == SPEECH
    assert read_bet(f"{text}\n{AMOUNT}").speech == SPEECH
    assert mentions_bet(SPEECH) == 0


@pytest.mark.parametrize("bet", CASES["counted"])
def test_what_may_be_left_is_counted(bet: str) -> None:
    assert mentions_bet(without_bet(f"{SPEECH}\n\n{bet}"))


@pytest.mark.parametrize("argument", [*CASES["arguments"], *CASES["idioms"]])
def test_arguments_stay(argument: str) -> None:
    text = f"{SPEECH}\n\n{argument}\n\nBuild the dam."
    assert without_bet(argument) == argument
    assert without_bet(text) == text
    assert bool(mentions_bet(text)) == (argument in CASES["idioms"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # A bet that comes first
        (f"<bet_logic_private>SECRET</bet_logic_private>\n{AMOUNT}\n\n---", ""),
        (f"SECRET\n\nSECRET\n</bet_logic_private>\n{AMOUNT}", ""),
        (f"<bet_logic_private>SECRET\n\nSECRET {AMOUNT}", ""),
        ("<bet_logic_private>SECRET\n\nSECRET", ""),
        ("**BET LOGIC PRIVATE**\nSECRET\n\n**Strengths:** SECRET", ""),
        ("Bet: 75/100\nBet amount: 75", ""),
        ("(Private: SECRET)", ""),
        ("I am betting 63 because SECRET. SECRET", ""),
        # Before and after it
        (f"One. {AMOUNT} Two.", "One.\n\nTwo."),
        ("One. I will bet 60 tokens. Two.\nThree.", "One. Two.\nThree."),
        ("One.\nBelow is my confidence bet.\nTwo.", "One.\n\nTwo."),
        ("One.\n**Bet Logic**\nSECRET\n\n## Clash 1: x", "One.\n\n## Clash 1: x"),
        ("One. (Your bet with this speech: 7/100.) Two.", "One.\n\nTwo."),
    ],
)  # fmt: skip
def test_the_speech_around_a_bet_stays(text: str, left: str) -> None:
    expected = f"{left}\n\n{SPEECH}".strip()
    assert without_bet(f"{text}\n\n{SPEECH}") == expected


def test_a_speech_that_is_the_reasoning_of_a_bet_is_none() -> None:
    read = read_bet(f"This bet is based on my evidence.\n\nThey are weak.\n{AMOUNT}")
    assert read == ("", 63, "")


def test_a_closing_tag_in_place_of_an_opening_one_hides_what_follows() -> None:
    read = read_bet(f"{SPEECH}\n\n</bet_logic_private>\nSECRET\n{AMOUNT}")
    assert read == (SPEECH, 63, "SECRET")


@pytest.mark.parametrize(
    ("private", "reasoning"),
    [
        ("<bet_logic_private>\n*a b*\n</bet_logic_private>", "a b"),
        ("**<Bet_Logic_Private>** a **</BET_LOGIC_PRIVATE>**", "a"),
        ("<bet_logic_private>a</bet_logic_private> <thinking>b</thinking>", "b"),
        ("<private_reasoning>a</private_reasoning><private></private>", "a"),
        ("<bet_logic_private>a, without an end", "a, without an end"),
        ("**Bet Logic**\nb", ""),
        ("", ""),
    ],
)
def test_the_last_reasoning_counts(private: str, reasoning: str) -> None:
    expected = (SPEECH, 63, reasoning)
    assert read_bet(f"{SPEECH}\n\n{private}\n{AMOUNT}") == expected


@pytest.mark.parametrize(
    ("said", "amount"),
    [(said, amount) for amount, row in CASES["amounts"].items() for said in row],
)
def test_an_amount_is_one_number_from_0_to_100(said: str, amount: float | None) -> None:
    private = "<bet_logic_private>r</bet_logic_private>"
    read = read_bet(f"{SPEECH}\n{private}\n<bet_amount>{said}</bet_amount>")
    assert read == (SPEECH, amount, "r")
    verdict = read_verdict(f"<winner>Prop</winner><confidence>{said}</confidence>")
    assert verdict == ("proposition", amount)


@pytest.mark.parametrize(("reply", "amount"), CASES["replies"])
def test_where_an_amount_is_read(reply: str, amount: float | None) -> None:
    assert read_bet(reply).amount == amount


@pytest.mark.parametrize(
    ("said", "winner"),
    [(said, winner) for winner, row in CASES["winners"].items() for said in row],
)
def test_the_winner_is_one_side(said: str, winner: str | None) -> None:
    text = f"Reasons.\n<winnerName>{said}</winnerName>\n<confidence>85</confidence>"
    assert read_verdict(text) == (winner, 85)


@pytest.mark.parametrize(("text", "winner", "confidence"), CASES["verdicts"])
def test_the_last_verdict_counts(
    text: str, winner: str | None, confidence: float | None
) -> None:
    assert read_verdict(text) == (winner, confidence)


UNITS = [
    *("<bet_amount", "<bet_amount>8 ", "</bet_logic_private>", "<bet_logic_private>"),
    *("<bet_logic_private>\n\n", "</bet_logic_private>x<bet_amount>8</bet_amount>"),
    *("<bet_<bet_amount>amount>", "*<bet_amount>*", "<thinking>", "</thinking>", "<"),
    *("bet_amount: 85\n", "Bet: 85\n", "**Bet Logic**\nSYNTHESIS\n", "private ", "< "),
    *("my confidence bet. ", "I bet 50 ", "I 5% ", "I ", "my ", "my bet my ", "&lt;"),
    *("(My bet: 5", "(My bet: 5.\n\n", "(Private: (\n\n", "(my bet is 5 ()", "(", '"'),
    *("```\n", "**\n", "\n", " ", "_", "a. ", ". \n", "'", "\\", "<confidence>9", "-"),
    *("<winnerName>", "Winner: opposition\n", "Winner:\nConfidence:", "<reasoning>"),
]


@pytest.mark.parametrize("read", [read_bet, mentions_bet, read_verdict])
def test_hostile_texts_take_linear_time(read: Callable[[str], object]) -> None:
    slowest = 0.0
    for unit in UNITS:
        for end in ("", f"</bet_logic_private>{AMOUNT}"):
            text = unit * (20_000 // len(unit)) + end
            started = time.process_time()
            read(text)
            slowest = max(slowest, time.process_time() - started)
    assert slowest < 2  # what grows with the square takes far longer


PARTS = [
    *("<bet_amount>", "</bet_amount>", "<Bet_Logic_Private>", "</bet_logic_private>"),
    *(
        "bet_",
        "amount",
        "bet_amount:",
        "75",
        "60 tokens.",
        "Bet:",
        "**Confidence Bet**",
    ),
    *(
        "my confidence bet",
        "Confidence: 70%",
        "SYNTHESIS",
        "**",
        "```",
        "```xml",
        "---",
    ),
    *(
        "<",
        ">",
        "I bet",
        "word",
        "words end. ",
        "\n",
        "\n\n",
        "(Private: ",
        "(My bet: 60",
    ),
    *(")", "1) ", "Reasoning: ", "I bet 60. ", "<private>", "</thinking>", "\u200b"),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=24).map("".join))
def test_taking_bets_out_twice_changes_nothing_more(text: str) -> None:
    once = without_bet(text)
    assert without_bet(once) == once
    assert not re.search("(?<![a-z])bet_(?:amount|logic)", once, re.I)


@given(st.lists(st.sampled_from(["w1", "w2", "w3"]), min_size=1), st.integers(0, 100))
def test_the_whole_speech_is_left(words: list[str], amount: int) -> None:
    private = "<bet_logic_private>p\n\nq</bet_logic_private>"
    bet = f"{private}\n<bet_amount>{amount}</bet_amount>"
    speech = " ".join(words)
    assert read_bet(f"{speech}\n{bet}") == (speech, amount, "p\n\nq")
    assert read_bet(f"{bet}\n{speech}") == (speech, amount, "p\n\nq")


# --- Released transcripts -------------------------------------------------------------

DATA = os.environ.get("INSPECT_DEBATE_DATA")
EXPERIMENTS = Path(DATA or "", "llms_overconfidence", "experiments")
needs_data = pytest.mark.skipif(not DATA, reason="INSPECT_DEBATE_DATA is not set")


@needs_data
@pytest.mark.parametrize(
    ("folder", "speeches", "mention"),
    [
        ("private_bet_experiments_diff_models", 360, 28),
        ("private_self_bet", 360, 27),
        ("private_self_bet_anchored", 360, 13),
        ("public_bets", 360, 53),
    ],
)
def test_the_released_speeches(folder: str, speeches: int, mention: int) -> None:
    """Those that speak of the bet are changed, no other, and nothing is left."""
    count: Counter[str] = Counter()
    for path in (EXPERIMENTS / folder).glob("*.json"):
        debate = json.loads(path.read_text("utf-8"))
        for side in SIDES:
            for speech in debate[f"{side}_output"]["speeches"].values():
                clean = without_bet(speech)
                count["speeches"] += 1
                count["mention"] += mentions_bet(speech) > 0
                count["changed"] += clean != speech
                count["both"] += clean != speech and mentions_bet(speech) > 0
                count["left"] += mentions_bet(clean) > 0
                count["again"] += without_bet(clean) != clean
                count["made too short"] += len(clean) < 200 <= len(speech)
    expected = {"speeches": speeches, "mention": mention, "changed": mention}
    assert +count == Counter(expected | {"both": mention})


@needs_data
def test_the_released_verdicts() -> None:
    """All but two are read as recorded: one is endless babble, one is cut off."""
    unread = []
    folder = EXPERIMENTS / "private_bet_experiments_diff_models"
    paths = sorted(folder.glob("*.json"))
    for path in paths:
        for given_ in json.loads(path.read_text("utf-8"))["judge_results"]:
            read = read_verdict(given_["logic"])
            if read != (given_["winner"], given_["confidence"]):
                assert read == (None, None)
                unread.append((given_["model"], given_["winner"], given_["confidence"]))
    assert sorted(unread) == [
        ("deepseek/deepseek-chat", "opposition", 0),
        ("deepseek/deepseek-chat", "proposition", 85),
    ]
