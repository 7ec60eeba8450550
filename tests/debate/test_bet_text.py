from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.solvers.bet_text import (
    mentions_bet,
    names_bet_tag,
    read_bet,
    without_bets,
)
from tests.support.growth import check_linear

SPEECH = "ARGUMENT 1\nRoads **flood** every spring.\n\nSYNTHESIS\nBuild the dam."
AMOUNT = "<bet_amount>75</bet_amount>"
PRIVATE = "<bet_logic_private>They are weak.</bet_logic_private>"


@pytest.mark.parametrize(
    "bet",
    [
        AMOUNT,
        PRIVATE,
        f"{PRIVATE}\n{AMOUNT}",
        f"{AMOUNT}\n\n{PRIVATE}",
        f"---\n\n{PRIVATE}\n\n---\n",
        f"```xml\n{PRIVATE}\n{AMOUNT}\n```",
        f"```\n{AMOUNT}\n```",
        "```xml\n<!-- bet -->\n<Bet_Amount>\n75\n</Bet_Amount>\n\n```",
        f"**{AMOUNT}**",
        "**<bet_amount>**75**</bet_amount>**",
        "<bet_amount>75",
        "<bet_amount> 75 because I am ahead",
        "<bet_amount>\n75",
        "</bet_amount>",
        "</bet_amount>75</bet_amount>",
        "<bet_amount",
        "<bet_logic_private>\nThey are weak.\n\nSo is their case.",
        "<BETS_LOGIC_PRIVATE>They are weak.</bet_logic_private>",
        "**bet_logic_private>**\nThey are weak.\nbet_amount>75</bet_amount>",
        "[bet_logic_private]They are weak.[/bet_logic_private]",
        "<stake_amount>40</stake_amount>",
        "<BET_RESPONSE>",
        "<private_bet>They are weak. 75</private_bet>",
        "<confidence_bet>75</confidence_bet>",
        "&lt;bet_amount>75&lt;/bet_amount>",
        "＜BET_AMOUNT＞75＜/BET_AMOUNT＞",
        "<bеt_amount>75</bеt_amount>",  # a Cyrillic letter
        "<bet\u2060_amount>75</bet\x00_amount>",
        "**BET LOGIC PRIVATE**\nThey are weak.\n\nMore on that.",
        "### PRIVATE CONFIDENCE BET",
        "### **Private Confidence Bet**\n\n\n",
        "# PRIVATE CONFIDENCE BET (VISIBLE ONLY TO ME)\n\n---\n\nThey are weak.",
        "**Private Confidence Bet: 75%**",
        "**Private Confidence Bet: 75%**\n\n```xml\n\n\n```",
        "**Public Confidence Bet**: 75/100\n\nThey are weak.",
        "**Bet Amount:** 75",
        "**Bet Amount:** ``",
        "**Bet amount:** All of it, because they are weak.",
        "- Bet: 75/100",
        "Bet: 75",
        "Bet: 7²",
        "**BET**\n\n",
        "**Confidence Bet:** They are weak.\n\n****",
        "<b>Confidence Bet:</b> They are weak.",
        "<!-- CONFIDENCE BET -->",
        "<!-- BET LOGIC -->",
        "** private thoughts on bet:**\n\nThey are weak.",
        "**private (not visible to your opponent) confidence bet**\nThey are weak.",
        "**Confidence Bet Justification (Private):** They are weak.",
        "**OPPOSITION CONFIDENCE BET for FINAL:** Bet amount: 75",
        "**Private Reasoning:**\nThey are weak.",
        "**Token Bet:** **+50 tokens**\n\n*This concludes the speech.*",
        "Wager amount: 75 tokens",
        "bet_amount: 75",
        "bet\\_amount = 75",
        "stake_amount: 40",
        "**Confidence: 75%**",
        "My chance of winning: 60 percent",
        "Win probability: 55%",
        "And now follows my private confidence bet.",
        "I will bet 60 tokens.",
        "Therefore my bet is 75.",
        "Being identical, I estimate a 55% chance of winning.",
        "**Bet:**\n<BET_AMOUNT>75</BET_AMOUNT>",
        "**",
        "" + AMOUNT * 3,
    ],
)
def test_bets_are_taken_out_at_the_end_of_a_speech(bet: str) -> None:
    text = f"{SPEECH}\n\n{bet}"
    if bet != "**":
        assert without_bets(text) == SPEECH
    assert without_bets(f"{text}\n\n{AMOUNT}") == SPEECH


@pytest.mark.parametrize(
    "bet",
    [
        AMOUNT,
        f"{PRIVATE}\n{AMOUNT}\n\n---",
        f"**Confidence Bet**\n{PRIVATE}\n{AMOUNT}",
        f"```xml\n{PRIVATE}\n```",
        f"<bet_logic_private>They are weak.\n{AMOUNT}",
        "<bet_logic_private>They are weak.\n\n---",
        "They are weak.\n</bet_logic_private>",
        "Bet: 75/100",
        "Bet: 75/100\nBet amount: 75",
        "**BET LOGIC PRIVATE**\nThey are weak.\n\n**Strengths:** many.\n",
        "I will bet 60 tokens.",
    ],
)
def test_bets_are_taken_out_at_the_start_of_a_speech(bet: str) -> None:
    assert without_bets(f"{bet}\n\n{SPEECH}") == SPEECH


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"One. {AMOUNT} Two.", "One.\n\nTwo."),
        (f"One **{AMOUNT}** two.", "One\n\ntwo."),
        (f"**One.**{AMOUNT}", "**One.**"),
        (f"One.\n\n{AMOUNT}\n\n---\n\n**FRAMING**\nTwo.", "One.\n\n**FRAMING**\nTwo."),
        (
            "One.\n**Bet Logic**\np\n\n## Clash 1: x\nTwo.",
            "One.\n\n## Clash 1: x\nTwo.",
        ),
        (
            "One.\n**Bet Logic**\np\n**KEY CLASHES**\nTwo.",
            "One.\n\n**KEY CLASHES**\nTwo.",
        ),
        ("One.\n**Bet Logic**\np\n<FINAL SPEECH>\n2.", "One.\n\n<FINAL SPEECH>\n2."),
        (
            "One.\n**Bet Logic**\np\n- Rebuttal: good\nARGUMENT 2\nx",
            "One.\n\nARGUMENT 2\nx",
        ),
        ("One. I will bet 60 tokens. Two.\nThree.", "One. Two.\nThree."),
        ("One.\nBelow is my confidence bet.\nTwo.", "One.\n\nTwo."),
        ("One.\nMy confidence bet comes now. Bet: 75", "One."),
        ("<bet_<bet_amount>75</bet_amount>amount>60", "amount>60"),
        ("```py\nx = 1\n```\n" + AMOUNT + "\n```py\nz = 2\n```", None),
        (f"One.\nBet: 75\n{'Roads flood. ' * 200}", None),
        ("One." + "\n<bet_amount>" + "x" * 500 + "</bet_amount>", None),
    ],
)
def test_the_argument_around_a_bet_stays(text: str, left: str | None) -> None:
    found = without_bets(text)
    if left is not None:
        assert found == left
    for word in ("x = 1", "z = 2", "Roads flood. " * 199, "x" * 500, "One."):
        assert (word in found) >= (word in text)
    assert "bet_amount" not in found


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        SPEECH,
        f"\n  {SPEECH}  \n\n---\n****\n```\n```",
        "Betting markets put the odds at 60%.",
        "**Betting markets:** they are often right.",
        "### Bet limits\nA cap of 100 dollars a bet protects people.",
        "**Public betting:** taxes on bets pay for schools.",
        "## Private betting\nFriends who bet at home.",
        "It's a safe bet that 60% of drivers would pay.",
        "I bet that 60% of people have never seen a glacier.",
        "My bet is that voters will notice.",
        "The bet: growth pays for itself.",
        "**The Bet**\nTwo economists, one wager.",
        "Bet: a stake in an uncertain outcome.",
        "Investors bet 60 million tokens on it.",
        "A stake of 15% is capped; 60 tokens per share.",
        "Stake: 40%",
        "Confidence level: 95%",
        "Confidence: the public has lost it.",
        "Polls gave the challenger a 71% chance of winning.",
        "In my view there is a 70% chance of a collision.",
        "Public confidence between elections fell by 20%.",
        "We should amount to more than our bets.",
        "Wagers and bets, logic and reason.",
        "[bet] as they would say; [Bet365](https://x.org), [Betting Act 2005]",
        "if x <bet and y> 3 or a < bet",
        "**Probability:** 70%",
        "Likelihood: 80%",
        "A private reasoning: nobody can follow it, as privacy demands.",
        "alphabet_amount and bets-logic",
        "Über „Wetten“: Ⅷ½ ﬁnd … № ①",
        "zero\u200bwidth \u202etext\u202c \x00 \ue000",
        "```xml\n\n```\n\n```\ncode\n```",
        "Winner: opposition\n<confidence>75</confidence>",
        "** **\n****",
    ],
)
def test_a_text_without_a_bet_comes_back_as_it_is(text: str) -> None:
    assert without_bets(text) == text
    assert not names_bet_tag(text)


PARTS = [
    "<bet_amount>",
    "</bet_amount>",
    "<Bet_Logic_Private>",
    "</bet_logic_private>",
    "bet_",
    "amount",
    "bet_amount:",
    "75",
    "60 tokens.",
    "Bet:",
    "**Confidence Bet**",
    "my confidence bet",
    "**Private thoughts**",
    "Confidence: 70%",
    "SYNTHESIS",
    "### Argument 1:",
    "**",
    "```",
    "```xml",
    "---",
    "<",
    ">",
    "I bet",
    "word",
    "Words end. ",
    "е",  # Cyrillic
    "\u200b",
    "…",
    " ",
    "\n",
    "\n",
    "\n\n",
]


@given(st.lists(st.sampled_from(PARTS), max_size=24).map("".join))
def test_taking_bets_out_twice_changes_nothing_more(text: str) -> None:
    once = without_bets(text)
    assert without_bets(once) == once
    assert not names_bet_tag(once)


@pytest.mark.parametrize(
    ("text", "named", "mentioned"),
    [
        (AMOUNT, True, True),
        ("**BET_AMOUNT: 75**", True, True),
        ("<bets_logic>, bet_logic", True, True),
        ("**Private Confidence Bet: 75%**", False, True),
        ("Bet amount: 75", False, True),
        ("**BET**", False, True),
        ("Final bet: 75", False, True),
        ("BET\u200b_AMOUNT", True, True),
        ("I bet that it rains.", False, True),
        ("<my bet>", False, True),
        ("I estimate a 55% chance of winning.", False, True),
        ("A safe bet. Betting markets.", False, False),
        ("Public confidence between elections fell.", False, False),
        ("", False, False),
    ],
)
def test_what_counts_as_bet_text(text: str, named: bool, mentioned: bool) -> None:
    assert (names_bet_tag(text), mentions_bet(text)) == (named, mentioned)


UNITS = [
    "<bet_amount",
    "<bet_amount>8 ",
    "<bet_<bet_amount>amount>",
    "</bet_logic_private>",
    "<bet_logic_private>a <bet_amount>",
    "</bet_logic_private>x<bet_amount>8</bet_amount>",
    "*<bet_amount>*",
    "bet_amount: 85\n",
    "Bet: 85\n",
    "**Bet Logic**\nSYNTHESIS\n",
    "my confidence bet. ",
    "I bet 50 ",
    "private ",
    "private_bet",
    "< ",
    "```\n",
    "**\n",
    "a. ",
    "\n",
    "е",  # Cyrillic
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("read", [without_bets, read_bet, mentions_bet])
def test_long_hostile_texts_take_linear_time(
    read: Callable[[str], object], unit: str
) -> None:
    def read_both(size: int) -> None:
        text = unit * (size // len(unit))
        read(text)
        read(f"{text}</bet_logic_private>{AMOUNT}")

    check_linear(read_both)
