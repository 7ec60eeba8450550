"""Bets and private reasoning in wrong forms: none is shown, all are counted."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.debate.prompts import load_prompts
from inspect_debate.debate.record import Parsed
from inspect_debate.solvers.bet_text import mentions_bet, read_bet, without_bets
from tests.support.growth import check_linear

SPEECH = "ARGUMENT 1\nRoads **flood** every spring.\n\nSYNTHESIS\nBuild the dam."
AMOUNT = "<bet_amount>63</bet_amount>"
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
    "(Private: SECRET)",
    "(Private: SECRET\n\nSECRET)",
    "**(Private note: SECRET)**",
    "(Private, not shown to my opponent: SECRET)",
    "(Private Confidence Logic Continued)\nSECRET",
    "Private evaluation (not shown to opponent): SECRET",
    "Private assessment, visible only to me: SECRET",
    "**Private Reasoning:** SECRET",
    "**Internal reasoning**\nSECRET",
    "Confidence reasoning: SECRET",
    "Confidence: 63\nReasoning: SECRET",
    "**Confidence:** 63%\n\n*Reasoning:* SECRET\n\nSECRET",
    "Bet: 63\nRationale: SECRET",
    "Confidence: 63% because SECRET. SECRET",
    "Confidence: 63. Reasoning: SECRET",
    "My confidence is 63% because SECRET. SECRET",
    "My confidence in winning stands at 63. ",
    "I am betting 63 because SECRET. SECRET",
    "I'm betting 63% because SECRET",
    "I am 63% confident that I will win.",
    "**CONFIDENCE BID**",
    "PRIVATE BID REPORT\nSECRET",
    "**Final Bet**\n63/100, as SECRET",
    "**Final Bet**\nI bet on SECRET",
    "**Final Bet:** 63 because SECRET",
]


@pytest.mark.parametrize("bet", COPIES + TAGS + DECORATED + LINES)
def test_what_stands_after_a_speech_is_cut_and_counted(bet: str) -> None:
    text = f"{SPEECH}\n\n{bet}"
    assert without_bets(text) == SPEECH
    assert without_bets(f"{text}\n{AMOUNT}") == SPEECH
    assert "SECRET" not in without_bets(f"{text}\n\nReasoning: SECRET")
    assert mentions_bet(text)
    assert read_bet(f"{text}\n{AMOUNT}").outside != bet.startswith("<bet_")


@pytest.mark.parametrize(
    "bet",
    [
        *COPIES[:3],
        *COPIES[5:6],
        *TAGS,
        *DECORATED[:11],
        *LINES[:4],
        "My confidence is 63% because SECRET. SECRET",
        "I am betting 63 because SECRET. SECRET",
        "Confidence: 63% because SECRET. SECRET",
    ],
)
def test_what_stands_before_a_speech_is_cut(bet: str) -> None:
    plain = "Roads flood every spring.\n\nReasoning: water flows downhill."
    assert without_bets(f"{bet}\n\n{plain}") == plain
    assert without_bets(f"{AMOUNT}\n{bet}\n\n{plain}") == plain


def test_a_bet_in_the_midst_of_a_line_is_cut() -> None:
    own = f"{OWN} Your reasoning: SECRET)"
    assert without_bets(f"Build it. {own} Now.") == "Build it.\n\nNow."
    assert without_bets(f"Build it. {own[1:-1]}\n\n**FRAMING**\nNow.") == (
        "Build it.\n\n**FRAMING**\nNow."
    )


def test_the_reasons_below_an_amount_are_cut_at_the_end_only() -> None:
    assert without_bets(f"{SPEECH}\n{AMOUNT}\nReasoning: SECRET") == SPEECH
    argued = f"Reasoning: water flows.\n{SPEECH}"
    assert without_bets(f"{AMOUNT}\n{argued}") == argued


def test_the_prompts_own_history_lines_are_cut_and_counted() -> None:
    prompts = load_prompts("confidence")
    told = {"side": "Opposition", "speech": "closing", "amount": "72.5"}
    for copied in (
        prompts.render("own_bet", **told, reasoning="SECRET.\n\n- SECRET (so far)"),
        prompts.render("opponent_bet", **told),
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
    read = read_bet(f"{SPEECH}\n{private}\n{AMOUNT}")
    assert read == (SPEECH, reasoning, {"bet": Parsed.ok(63)}, True)


ARGUMENTS = [
    "In my view the bill has a 30 % chance of success.",
    "Banning private betting would cost 40% chance of success for my district.",
    "I believe the mayor has a 71% chance of winning.",
    "My analysis: polls gave the mayor a 71% chance of victory.",
    "**Final Bet**\nGamblers chase their losses: 60% of them lose the rest.",
    "### The Final Bet\n\nHer last wager cost 40 percent of the house.",
    "## Public bets\nCasinos pay for schools.",
    "<key_clash>\n<quote>q</quote>\n<reasoning>Water flows.</reasoning>\n</key_clash>",
    "<claim>c</claim>\n<logic>Water flows.</logic>\n<impact>i</impact>",
    "<reasoning>\nWater flows.",
    "Water flows.\n</thinking>",
    "<closing_thoughts>Build the dam.</closing_thoughts>",
    "<private_sector>It builds.</private_sector>",
    "<analysis>Water flows.</analysis>",
    "Reasoning: water flows downhill.",
    "**Reasoning:** water flows downhill.",
    "- **Private:** hospitals charge more.",
    "Costs differ (private: 60%, public: 40%).",
    "(Private companies: SpaceX, for one) They fly.",
    "Private evaluations: firms grade themselves.",
    "**Private analysis:** firms grade themselves.",
    "**Internal logic:** their case contradicts itself.",
    "Public confidence reasoning: voters distrust banks.",
    "Confidence: 63 of 100 voters trust the court.",
    "Their confidence is 63% because they poll.",
    "I am 95% confident that the dam holds.",
    "My confidence in this study is 95%.",
    "I am betting the house on hydrogen.",
    "States are betting 40 billion on hydrogen.",
    "Private bid: firms compete for the road.",
    "Logic, reasoning and thoughts [reasoning] <thinking",
    "6² is 36, and ½ of it 18.",
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
        "<private_reasoning>x",
        "<private>x</private>",
        "<reasoning>x</reasoning>",
        "<reasoning>x</reasoning>\n<bet_amount>",
        "With this speech comes your own bet",
        "my confidence bet",
        "They are betting 63 on it.",
        "a bet of 63 / 100",
        "my full confidence in it is 63",
        "Private thoughts on it: x",
        "(internal note: x)",
    ],
)
def test_what_is_left_of_them_would_be_counted(text: str) -> None:
    assert mentions_bet(text)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_few_arguments_are_counted(argument: str) -> None:
    idioms = ("**Final Bet", "I am betting", "betting 40", "</thinking>", "71% chance")
    counted = any(idiom in argument for idiom in (*idioms, "My confidence in this"))
    assert mentions_bet(argument) is counted


PARTS = [
    *("<thinking>", "</thinking>", "<reasoning>", "</reasoning>", "<a>", "</a>"),
    *("<private_logic>", "</private_logic>", AMOUNT, "<bet_logic_private>"),
    *("(Private: ", "(My bet: 60", "/100. ", ")", "(", "1) ", "My reasoning: "),
    *("Your own bet: 60", "Confidence: 60\n", "Reasoning: r\n", "I bet 60. ", "</"),
    *("Confidence reasoning: ", "**Final Bet**\n", "Bet: 60\n", "SYNTHESIS\n", "<"),
    *("my odds ", "word. ", "word ", "because ", "**", "²", "```\n", " ", "\n", "\n\n"),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), max_size=24).map("".join))
def test_taking_them_out_twice_changes_nothing_more(text: str) -> None:
    once = without_bets(text)
    assert without_bets(once) == once


UNITS = [
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


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("read", [without_bets, read_bet, mentions_bet])
def test_long_hostile_texts_take_linear_time(
    read: Callable[[str], object], unit: str
) -> None:
    check_linear(lambda size: read(unit * (size // len(unit))))
