"""Bets and private reasoning are taken out of speeches, whatever their form."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.prompts import load_prompts
from inspect_debate.v1.debate.record import Parsed
from inspect_debate.v1.solvers.bet_records import SIDES
from inspect_debate.v1.solvers.bet_text import (
    mentions_bet,
    names_bet_tag,
    read_bet,
    without_bets,
)
from tests.v1.support.growth import check_linear
from tests.v1.support.released import needs_data
from tests.v1.support.tables import cells

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
        *cells(r"""
            **<bet_amount>**75**</bet_amount>**   <bet_amount>75
            <bet_amount> 75 because I am ahead   </bet_amount>
            </bet_amount>75</bet_amount>   <bet_amount
            <BETS_LOGIC_PRIVATE>They are weak.</bet_logic_private>
            [bet_logic_private]They are weak.[/bet_logic_private]
            <stake_amount>40</stake_amount>   <BET_RESPONSE>
            <private_bet>They are weak. 75</private_bet>
            <confidence_bet>75</confidence_bet>   &lt;bet_amount>75&lt;/bet_amount>
            ＜BET_AMOUNT＞75＜/BET_AMOUNT＞   ### PRIVATE CONFIDENCE BET
            **Private Confidence Bet: 75%**   **Bet Amount:** 75   **Bet Amount:** ``
            **Bet amount:** All of it, because they are weak.   - Bet: 75/100   Bet: 75
            Bet: 7²   <b>Confidence Bet:</b> They are weak.   <!-- CONFIDENCE BET -->
            <!-- BET LOGIC -->
            **Confidence Bet Justification (Private):** They are weak.
            **OPPOSITION CONFIDENCE BET for FINAL:** Bet amount: 75
            Wager amount: 75 tokens   bet_amount: 75   bet\_amount = 75
            stake_amount: 40   **Confidence: 75%**   My chance of winning: 60 percent
            Win probability: 55%   And now follows my private confidence bet.
            I will bet 60 tokens.   Therefore my bet is 75.
            Being identical, I estimate a 55% chance of winning.   **
        """),
        "<bet_amount>\n75",
        "<bet_logic_private>\nThey are weak.\n\nSo is their case.",
        "**bet_logic_private>**\nThey are weak.\nbet_amount>75</bet_amount>",
        "<bеt_amount>75</bеt_amount>",  # a Cyrillic letter
        "<bet\u2060_amount>75</bet\x00_amount>",
        "**BET LOGIC PRIVATE**\nThey are weak.\n\nMore on that.",
        "### **Private Confidence Bet**\n\n\n",
        "# PRIVATE CONFIDENCE BET (VISIBLE ONLY TO ME)\n\n---\n\nThey are weak.",
        "**Private Confidence Bet: 75%**\n\n```xml\n\n\n```",
        "**Public Confidence Bet**: 75/100\n\nThey are weak.",
        "**BET**\n\n",
        "**Confidence Bet:** They are weak.\n\n****",
        "** private thoughts on bet:**\n\nThey are weak.",
        "**private (not visible to your opponent) confidence bet**\nThey are weak.",
        "**Private Reasoning:**\nThey are weak.",
        "**Token Bet:** **+50 tokens**\n\n*This concludes the speech.*",
        "**Bet:**\n<BET_AMOUNT>75</BET_AMOUNT>",
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
        *cells("""
            Betting markets put the odds at 60%.
            **Betting markets:** they are often right.
            **Public betting:** taxes on bets pay for schools.
            It's a safe bet that 60% of drivers would pay.
            I bet that 60% of people have never seen a glacier.
            My bet is that voters will notice.   The bet: growth pays for itself.
            Bet: a stake in an uncertain outcome.
            Investors bet 60 million tokens on it.
            A stake of 15% is capped; 60 tokens per share.   Stake: 40%
            Confidence level: 95%   Confidence: the public has lost it.
            Polls gave the challenger a 71% chance of winning.
            In my view there is a 70% chance of a collision.
            Public confidence between elections fell by 20%.
            We should amount to more than our bets.   Wagers and bets, logic and reason.
            if x <bet and y> 3 or a < bet   **Probability:** 70%   Likelihood: 80%
            A private reasoning: nobody can follow it, as privacy demands.
            alphabet_amount and bets-logic   Über „Wetten“: Ⅷ½ ﬁnd … № ①
        """),
        "### Bet limits\nA cap of 100 dollars a bet protects people.",
        "## Private betting\nFriends who bet at home.",
        "**The Bet**\nTwo economists, one wager.",
        "[bet] as they would say; [Bet365](https://x.org), [Betting Act 2005]",
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
    *cells("""
        <bet_amount>   </bet_amount>   <Bet_Logic_Private>   </bet_logic_private>   bet_
        amount   bet_amount:   75   60 tokens.   Bet:   **Confidence Bet**
        my confidence bet   **Private thoughts**   Confidence: 70%   SYNTHESIS
        ### Argument 1:   **   ```   ```xml   ---   <   >   I bet   word   …
    """),
    "Words end. ",
    "е",  # Cyrillic
    "\u200b",
    " ",
    "\n",
    "\n",
    "\n\n",
]


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


AMOUNT_LEAKED = "<bet_amount>63</bet_amount>"
OWN = "(Your own bet as Proposition, with this rebuttal speech: 70/100."
OPPONENT = "(Bet of your opponent as Opposition, with this opening speech: 3/100.)"

COPIES = [
    f"{OWN} Your reasoning: SECRET)",
    f"{OWN} Your reasoning: SECRET (so far). More SECRET)",
    f"{OWN} Your reasoning:\n1) SECRET (so far)\n2) SECRET\n\nSECRET)",
    f"{OWN} Your reasoning: SECRET",
    f"*{OWN} Your reasoning: SECRET)*",
    OPPONENT,
    f"{OWN} Your reasoning: SECRET)\n\n{OPPONENT}",
    f"{OWN[1:]} Your reasoning: SECRET",
    f"{OWN[1:]}\nYour reasoning: SECRET\n\nMore SECRET",
    OPPONENT[1:-1],
    "(My bet as Proposition, with this rebuttal speech: 70/100. SECRET)",
    "(My own bet: 70/100. My reasoning: SECRET)",
    "(My bet is 70. My reasoning: SECRET)",
    "(My bet: 72.5%)",
    "My bet: 70/100. My reasoning: SECRET",
    "**My own bet as Opposition:** 70/100 because SECRET",
    "My opponent's bet: 60",
    "Your opponent's bet, as Opposition: 60 tokens. SECRET",
]
TAGS = [
    f"<{name}>SECRET</{name}>"
    for name in (
        *("private_reasoning", "private_thoughts", "private_logic", "private"),
        *("private_reflection", "internal_reasoning", "logic_private", "logic"),
        *("thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"),
        *("bet_reasoning", "Private_Reasoning", "PRIVATE THOUGHTS", "private-logic"),
        *("confidence_reasoning", "hidden_thoughts", "privateThoughts"),
    )
]
DECORATED = [
    "**<private_thoughts>**\nSECRET\n**</private_thoughts>**",
    "< Private_Thoughts >SECRET< / private_thoughts >",
    "&lt;thinking>SECRET&lt;/thinking>",
    "＜thinking＞SECRET＜/thinking＞",
    "<private\\_logic>SECRET</private\\_logic>",
    "<thin\u200bking>SECRET</thinking>",
    "<priv\u0430te>SECRET</private>",  # a Cyrillic letter
    "[private_reasoning]SECRET[/private_reasoning]",
    '<reasoning type="private">SECRET</reasoning>',
    "```xml\n<thinking>\nSECRET\n\nSECRET\n</thinking>\n```",
    "<thinking>SECRET <thinking>SECRET</thinking> SECRET</thinking>",
    "<private_reasoning>SECRET",
    "<private_reasoning>SECRET\n\nSECRET</bet_logic_private>",
    "SECRET\n</private_reasoning>",
]
LINES = [
    *cells("""
        (Private: SECRET)   **(Private note: SECRET)**
        (Private, not shown to my opponent: SECRET)
        Private evaluation (not shown to opponent): SECRET
        Private assessment, visible only to me: SECRET   **Private Reasoning:** SECRET
        Confidence reasoning: SECRET   Confidence: 63% because SECRET. SECRET
        Confidence: 63. Reasoning: SECRET   My confidence is 63% because SECRET. SECRET
        I am betting 63 because SECRET. SECRET   I'm betting 63% because SECRET
        I am 63% confident that I will win.   **CONFIDENCE BID**
        **Final Bet:** 63 because SECRET
    """),
    "(Private: SECRET\n\nSECRET)",
    "(Private Confidence Logic Continued)\nSECRET",
    "**Internal reasoning**\nSECRET",
    "Confidence: 63\nReasoning: SECRET",
    "**Confidence:** 63%\n\n*Reasoning:* SECRET\n\nSECRET",
    "Bet: 63\nRationale: SECRET",
    "My confidence in winning stands at 63. ",
    "PRIVATE BID REPORT\nSECRET",
    "**Final Bet**\n63/100, as SECRET",
    "**Final Bet**\nI bet on SECRET",
]


@pytest.mark.parametrize("bet", COPIES + TAGS + DECORATED + LINES)
def test_bets_after_a_speech_are_cut_and_counted(bet: str) -> None:
    text = f"{SPEECH}\n\n{bet}"
    assert without_bets(text) == SPEECH
    assert without_bets(f"{text}\n{AMOUNT_LEAKED}") == SPEECH
    assert "SECRET" not in without_bets(f"{text}\n\nReasoning: SECRET")
    assert mentions_bet(text)
    assert read_bet(f"{text}\n{AMOUNT_LEAKED}").outside != bet.startswith("<bet_")


@pytest.mark.parametrize(
    "bet",
    [
        *COPIES[:3],
        *COPIES[5:6],
        *TAGS,
        *DECORATED[:11],
        "(Private: SECRET)",
        "(Private: SECRET\n\nSECRET)",
        "**(Private note: SECRET)**",
        "(Private, not shown to my opponent: SECRET)",
        "My confidence is 63% because SECRET. SECRET",
        "I am betting 63 because SECRET. SECRET",
        "Confidence: 63% because SECRET. SECRET",
    ],
)
def test_bets_before_a_speech_are_cut(bet: str) -> None:
    plain = "Roads flood every spring.\n\nReasoning: water flows downhill."
    assert without_bets(f"{bet}\n\n{plain}") == plain
    assert without_bets(f"{AMOUNT_LEAKED}\n{bet}\n\n{plain}") == plain


def test_a_bet_in_the_midst_of_a_line_is_cut() -> None:
    own = f"{OWN} Your reasoning: SECRET)"
    assert without_bets(f"Build it. {own} Now.") == "Build it.\n\nNow."
    assert without_bets(f"Build it. {own[1:-1]}\n\n**FRAMING**\nNow.") == (
        "Build it.\n\n**FRAMING**\nNow."
    )


def test_the_reasons_below_an_amount_are_cut_at_the_end_only() -> None:
    assert without_bets(f"{SPEECH}\n{AMOUNT_LEAKED}\nReasoning: SECRET") == SPEECH
    argued = f"Reasoning: water flows.\n{SPEECH}"
    assert without_bets(f"{AMOUNT_LEAKED}\n{argued}") == argued


def test_the_prompts_own_history_lines_are_cut_and_counted() -> None:
    prompts = load_prompts("confidence")
    logged = {"side": "Opposition", "speech": "closing", "amount": "72.5"}
    for copied in (
        prompts.render("own_bet", **logged, reasoning="SECRET.\n\n- SECRET (so far)"),
        prompts.render("opponent_bet", **logged),
    ):
        assert without_bets(f"{SPEECH}\n\n{copied}") == SPEECH
        assert without_bets(f"{copied}\n\n{SPEECH}") == SPEECH
        assert mentions_bet(copied)


@pytest.mark.parametrize(
    ("private", "reasoning"),
    [
        ("<private_thoughts>r</private_thoughts>", "r"),
        ("<THINKING> *r* </thinking>", "r"),
        ("<reasoning>a</reasoning>\n<logic>r</logic>", "r"),
        ("<thinking>a</thinking>\n<private_logic>r</private_logic>", "r"),
        ("<private_logic>r</private_logic>\n<thinking></thinking>", "r"),
        ("<bet_logic_private>r</bet_logic_private>\n<private>a</private>", "r"),
        ("<thinking>a<bet_logic_private>r</bet_logic_private>b</thinking>", "r"),
        ("<private_reasoning>r", "r"),
        ("<bet_logic_private></bet_logic_private><thinking>r</thinking>", "r"),
    ],
)
def test_reasoning_between_wrong_tags_is_the_bets(private: str, reasoning: str) -> None:
    read = read_bet(f"{SPEECH}\n{private}\n{AMOUNT_LEAKED}")
    assert read == (SPEECH, reasoning, {"bet": Parsed.ok(63)}, True)


ARGUMENTS = [
    *cells("""
        In my view the bill has a 30 % chance of success.
        I believe the mayor has a 71% chance of winning.
        My analysis: polls gave the mayor a 71% chance of victory.
        <closing_thoughts>Build the dam.</closing_thoughts>
        <private_sector>It builds.</private_sector>   <analysis>Water flows.</analysis>
        Reasoning: water flows downhill.   **Reasoning:** water flows downhill.
        - **Private:** hospitals charge more.
        Costs differ (private: 60%, public: 40%).
        (Private companies: SpaceX, for one) They fly.
        Private evaluations: firms grade themselves.
        **Private analysis:** firms grade themselves.
        **Internal logic:** their case contradicts itself.
        Public confidence reasoning: voters distrust banks.
        Confidence: 63 of 100 voters trust the court.
        Their confidence is 63% because they poll.
        I am 95% confident that the dam holds.   My confidence in this study is 95%.
        I am betting the house on hydrogen.   States are betting 40 billion on hydrogen.
        Private bid: firms compete for the road.
        Logic, reasoning and thoughts [reasoning] <thinking   6² is 36, and ½ of it 18.
    """),
    "Banning private betting would cost 40% chance of success for my district.",
    "**Final Bet**\nGamblers chase their losses: 60% of them lose the rest.",
    "### The Final Bet\n\nHer last wager cost 40 percent of the house.",
    "## Public bets\nCasinos pay for schools.",
    "<key_clash>\n<quote>q</quote>\n<reasoning>Water flows.</reasoning>\n</key_clash>",
    "<claim>c</claim>\n<logic>Water flows.</logic>\n<impact>i</impact>",
    "<reasoning>\nWater flows.",
    "Water flows.\n</thinking>",
]


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_arguments_stay(argument: str) -> None:
    assert without_bets(argument) == argument
    text = f"{SPEECH}\n\n{argument}\n\nBuild the dam."
    assert without_bets(text) == text


@pytest.mark.parametrize(
    "statement",
    [
        "I estimate a 55% chance of winning.",
        "We have a 55 % chance to win this debate.",
        "I see a 60 percent probability of victory for us.",
        "There is a 60% chance that I win.",
        "My chances are good: a 60% chance of winning.",
    ],
)
def test_a_chance_of_winning_of_ones_own_is_cut(statement: str) -> None:
    assert without_bets(f"Roads flood. {statement} Build.") == "Roads flood. Build."


@pytest.mark.parametrize(
    "text",
    [
        *cells("""
            <private_reasoning>x   <private>x</private>   <reasoning>x</reasoning>
            With this speech comes your own bet   my confidence bet
            They are betting 63 on it.   a bet of 63 / 100
            my full confidence in it is 63   Private thoughts on it: x
            (internal note: x)
        """),
        "<reasoning>x</reasoning>\n<bet_amount>",
    ],
)
def test_what_is_left_of_them_would_be_counted(text: str) -> None:
    assert mentions_bet(text)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_few_arguments_are_counted(argument: str) -> None:
    idioms = ("**Final Bet", "I am betting", "betting 40", "</thinking>", "71% chance")
    counted = any(idiom in argument for idiom in (*idioms, "My confidence in this"))
    assert mentions_bet(argument) is counted


PARTS_LEAKED = [
    *("<thinking>", "</thinking>", "<reasoning>", "</reasoning>", "<a>", "</a>"),
    *("<private_logic>", "</private_logic>", AMOUNT_LEAKED, "<bet_logic_private>"),
    *("(Private: ", "(My bet: 60", "/100. ", ")", "(", "1) ", "My reasoning: "),
    *("Your own bet: 60", "Confidence: 60\n", "Reasoning: r\n", "I bet 60. ", "</"),
    *("Confidence reasoning: ", "**Final Bet**\n", "Bet: 60\n", "SYNTHESIS\n", "<"),
    *("my odds ", "word. ", "word ", "because ", "**", "²", "```\n", " ", "\n", "\n\n"),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*PARTS, *PARTS_LEAKED]), max_size=24).map("".join))
def test_taking_bets_out_twice_changes_nothing_more(text: str) -> None:
    once = without_bets(text)
    assert without_bets(once) == once
    assert not names_bet_tag(once)


UNITS_LEAKED = [
    *("<thinking>", "</thinking>", "<thinking></thinking>", "<reasoning>x</a>", "<a>"),
    *("(My bet: 5", "(My bet: 5.\n\n", "(Private: \n", "(Private: (\n\n", "( ", "my "),
    *("My bet: 5\n", "**Final Bet**\n", "Final Bet\nword\n", "Confidence: 5\nReason\n"),
    *("I am betting 5 ", "confidence ", "bet / ", "<private ", "internal ", "I 5% "),
    *("my confidence is ", "1) (my bet: 5) ", "</logic>   ", "> ", ". \n", "(", "²"),
    *(
        "<reasoning>x</reasoning>  ",
        "My chances 5% chance to ",
        "(my bet: 5 (Private: ",
    ),
]


@pytest.mark.parametrize("unit", [*UNITS, *UNITS_LEAKED])
@pytest.mark.parametrize("read", [without_bets, read_bet, mentions_bet])
def test_long_hostile_texts_take_linear_time(
    read: Callable[[str], object], unit: str
) -> None:
    def read_both(size: int) -> None:
        text = unit * (size // len(unit))
        read(text)
        read(f"{text}</bet_logic_private>{AMOUNT}")

    check_linear(read_both)


DATA = os.environ.get("INSPECT_DEBATE_DATA")
EXPERIMENTS = Path(DATA or "", "llms_overconfidence", "experiments")
_mentions = cache(mentions_bet)  # most speeches are the same without bets
_AMOUNT_GIVEN = re.compile(r"bet_amount[^0-9]{0,10}[0-9]", re.I)


def _counts(folder: str) -> dict[str, int]:
    """Speeches of a released condition: with bet text, taken out, and left."""
    count: Counter[str] = Counter()
    for path in (EXPERIMENTS / folder).glob("*.json"):
        debate = json.loads(path.read_text())
        for side in SIDES:
            for speech in debate[f"{side}_output"]["speeches"].values():
                clean = without_bets(speech)
                count["named"] += names_bet_tag(speech)
                count["amount"] += bool(_AMOUNT_GIVEN.search(speech))
                count["mentioned"] += _mentions(speech)
                count["taken out"] += clean != speech
                count["left"] += names_bet_tag(clean) or _mentions(clean)
                count["too short"] += len(speech) < 200
                count["made too short"] += len(clean) < 200 <= len(speech)
    return dict(count)


@needs_data
@pytest.mark.parametrize(
    ("folder", "named", "amount", "mentioned", "taken_out", "short"),
    [
        ("private_bet_experiments_diff_models", 7, 4, 28, 28, 2),
        ("private_self_bet", 11, 5, 27, 27, 8),
        ("private_self_bet_anchored", 6, 5, 13, 13, 6),
        ("public_bets", 22, 15, 53, 53, 1),
    ],
)
def test_the_released_speeches(
    folder: str, named: int, amount: int, mentioned: int, taken_out: int, short: int
) -> None:
    assert _counts(folder) == {
        "named": named,
        "amount": amount,
        "mentioned": mentioned,
        "taken out": taken_out,
        "left": 0,
        "too short": short,
        "made too short": 0,
    }
