"""Bets and verdicts of juries, as they are read from tags."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.v1.debate.record import Parsed, Status
from inspect_debate.v1.solvers.bet_text import read_bet, read_jury_verdict
from tests.v1.support.growth import check_linear
from tests.v1.support.released import needs_data
from tests.v1.support.tables import cells, rows

SPEECH = "ARGUMENT 1\nRoads flood every spring.\n\nSYNTHESIS\nBuild the dam."
PRIVATE = "<bet_logic_private>They are weak.</bet_logic_private>"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        *rows(
            75,
            """
            75   75%   75 %   75 percent   75/100   75 / 100   75 out of 100   75 tokens
            75/100 tokens   +75   **75**   [75]   75.   ７５   𝟕𝟓
        """,
        ),
        (" 75 ", 75),
        ("\n75\n", 75),
        ("0", 0),
        ("100", 100),
        ("72.5", 72.5),
        ('"75"', 75),
        ("1", 1),
        ("0.5%", 0.5),
    ],
)
def test_an_amount_is_one_number_from_0_to_100(content: str, value: float) -> None:
    text = f"{SPEECH}\n{PRIVATE}\n<bet_amount>{content}</bet_amount>"
    assert read_bet(text)[:3] == (SPEECH, "They are weak.", {"bet": Parsed.ok(value)})


@pytest.mark.parametrize(
    "content",
    [
        "",
        " ",
        *cells("""
            101   150   100.5   -5   −5   60-70   60 – 70   60 to 70   60 or 70   60, 70
            60 70   72,5   0.75   .75   1e2   7 5   ~75   $75   75 dollars   150/200
            7/10   75/1000   seventy   I bet 75   75 because I am ahead
            a whole number from 0 to 100
            your chance of winning, a whole number from 0 to 100   0-100   X   ٧٥   6²
            ⁶²   6₂   6½   6⅓   ⑥②   ⒍
        """),
        "7" * 400,
    ],
)
def test_what_is_not_one_number_from_0_to_100_is_unparsed(content: str) -> None:
    text = f"{SPEECH}\n{PRIVATE}\n<bet_amount>{content}</bet_amount>"
    assert read_bet(text)[:3] == (SPEECH, "They are weak.", {"bet": Parsed.unparsed()})


@pytest.mark.parametrize(
    ("opens", "closes"),
    [
        ("<bet_amount>", "</bet_amount>"),
        ("<BET_AMOUNT>", "</BET_AMOUNT>"),
        ("<Bet_Amount>", "</bet_amount>"),
        ("< bet_amount >", "< / bet_amount >"),
        ("**<bet_amount>", "</bet_amount>**"),
        ("**<bet_amount>**", "**</bet_amount>**"),
        ("**<bet_amount>**", "</bet_amount>"),
        ("`<bet_amount>", "</bet_amount>`"),
        ("<**bet_amount>", "</bet_amount>"),
        ("<bet\\_amount>", "</bet\\_amount>"),
        ("<bet amount>", "</bet amount>"),
        ("<bet-amount>", "</bet-amount>"),
        ("<betAmount>", "</betAmount>"),
        ("bet_amount>", "</bet_amount>"),
        ("**bet_amount>", "</bet_amount>**"),
        ("</bet_amount>", "</bet_amount>"),
        ("[BET_AMOUNT]", "[/BET_AMOUNT]"),
        ("<BET_AMOUNT_PUBLIC>", "</BET_AMOUNT_PUBLIC>"),
        ("&lt;bet_amount&gt;", "&lt;/bet_amount&gt;"),
        ("＜bet_amount＞", "＜/bet_amount＞"),
        ("<bet\u200b_amount>", "</bet_am\u00adount>"),
        ("<bеt_аmоunt>", "</bеt_аmоunt>"),  # Cyrillic letters
    ],
)
def test_tags_in_any_case_decoration_and_letters(opens: str, closes: str) -> None:
    text = f"{SPEECH}\n\n{PRIVATE}\n{opens}75{closes}"
    assert read_bet(text)[:3] == (SPEECH, "They are weak.", {"bet": Parsed.ok(75)})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<bet_amount>60</bet_amount> no, <bet_amount>70</bet_amount>", 70),
        ("<bet_amount>60</bet_amount><bet_amount>60 or 70</bet_amount>", None),
        ("<bet_amount>60</bet_amount><bet_amount></bet_amount>", None),
        ("<bet_amount>60</bet_amount>\n<bet_amount>70", 60),
        ("<bet_amount>60</bet_amount>\nbet_amount: 70", 60),
        ("<bet_amount>60<bet_amount>70</bet_amount>", 70),
        ("<bet_amount><bet_amount>70</bet_amount></bet_amount>", 70),
        ("<bet_logic_private>x <bet_amount>70</bet_amount></bet_logic_private>", 70),
        ("```xml\n<bet_amount>70</bet_amount>\n```", 70),
        ("<stake_amount>70</stake_amount>", None),
        ("<bet_amount>70</stake_amount>", None),
        ("", None),
        ("70", None),
    ],
)
def test_the_last_complete_tag_counts(text: str, value: float | None) -> None:
    expected = Parsed.unparsed() if value is None else Parsed.ok(value)
    assert read_bet(text).amounts == {"bet": expected}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        *rows(
            85,
            """
            <bet_amount>85   <bet_amount>85**   **bet_amount: 85**   **Bet Amount:** 85
            - Bet amount: 85/100   bet_amount = 85   Bet: 85/100
            **Public Confidence Bet**: 85
        """,
        ),
        ("**BET_AMOUNT** : 70", 70),
        ("**Private Confidence Bet: 75%**", 75),
        ("### Final bet: 60 tokens", 60),
        ("Bet: 60\nBet: 60", 60),
        ("Bet: 60\nBet: 70", None),
        *rows(
            None,
            """
            Bet: 60 or 70   Bet: 60 because they are weak
            Bet amount: a whole number from 0 to 100   My opponent's bet: 60
            Proposition bet: 60   Bet: 6²   Token bet: 50   Betting limit: 60
            I place my bet: 60   the speech ends here. <bet_amount>85
            <bet_amount>85 and so on   Bet: 85 <bet_logic_private>
        """,
        ),
    ],
)
def test_a_line_instead_of_a_tag(line: str, value: float | None) -> None:
    expected = Parsed.unparsed() if value is None else Parsed.ok(value)
    assert read_bet(f"{SPEECH}\n{line}\n").amounts == {"bet": expected}


def test_probability_and_stake_are_read_apart() -> None:
    text = (
        f"{SPEECH}\n{PRIVATE}\n<bet_amount>75</bet_amount>\n"
        "**<Stake_Amount> 40 </Stake_Amount>**"
    )
    both = {"bet": Parsed.ok(75), "stake": Parsed.ok(40)}
    assert read_bet(text, asks=("bet", "stake"))[:3] == (SPEECH, "They are weak.", both)
    assert read_bet(text, asks=("stake",)).amounts == {"stake": Parsed.ok(40)}
    assert read_bet(text, asks=())[:3] == (SPEECH, "They are weak.", {})
    bare = read_bet("stake_amount: 40\nBet: 75", asks=("bet", "stake"))
    assert bare[:3] == ("", "", both)


AMOUNT = "<bet_amount>75</bet_amount>"


@pytest.mark.parametrize(
    ("text", "speech", "reasoning"),
    [
        (f"Speech.\n<bet_logic_private>r</bet_logic_private>{AMOUNT}", "Speech.", "r"),
        (f"{AMOUNT}<bet_logic_private>r</bet_logic_private>\nSpeech.", "Speech.", "r"),
        (
            "<bet_logic_private>a</bet_logic_private>Speech."
            f"<bet_logic_private>b</bet_logic_private>{AMOUNT}",
            "Speech.",
            "b",
        ),
        (f"<bet_logic_private>Speech. r</bet_logic_private>{AMOUNT}", "", "Speech. r"),
        (f"Speech.\n<bet_logic_private>r {AMOUNT}", "Speech.", "r"),
        (f"<bet_logic_private>r {AMOUNT}\nSpeech.", "Speech.", "r"),
        ("Speech.\n<bet_logic_private>r never ends", "Speech.", "r never ends"),
        ("<bet_logic_private>r\n\nmore\n\n**OPENING SPEECH**\n\nS.", None, "r\n\nmore"),
        (
            f"Speech.\n**<Bet_Logic_Private>** *r* **</BET_LOGIC_PRIVATE>** {AMOUNT}",
            "Speech.",
            "r",
        ),
        (f"Speech.\n<bets_logic_private>r</bet_logic_private>{AMOUNT}", "Speech.", "r"),
        (f"Speech.\nbet_logic_private>r\n{AMOUNT}", "Speech.", "r"),
        (f"Speech.\n[BET_LOGIC_PRIVATE]r</bet_logic_private>{AMOUNT}", "Speech.", "r"),
        (
            f"Speech.\n<bet_logic_private>r {AMOUNT} s</bet_logic_private>",
            "Speech.",
            f"r {AMOUNT} s",
        ),
        (
            "Speech.<bet_logic_private>a<bet_logic_private>b</bet_logic_private>c"
            "</bet_logic_private>",
            "Speech.",
            "a<bet_logic_private>b</bet_logic_private>c",
        ),
        (
            "Speech.<bet_logic_private>\n<bet_logic_private>b</bet_logic_private>\nS.",
            "Speech.\n\nS.",
            "<bet_logic_private>b</bet_logic_private>",
        ),
        (f"Long speech.\n\nr\n</bet_logic_private>{AMOUNT}", "Long speech.", "r"),
        (f"A long speech.\n\n</bet_logic_private>\nr\n{AMOUNT}", "A long speech.", "r"),
        ("r\n\nr\n</bet_logic_private>\nA long speech.", "A long speech.", "r\n\nr"),
        (
            "Speech.<bet_logic_private>r</bet_logic_private></bet_logic_private>",
            "Speech.",
            "r",
        ),
        ("Speech.<bet_logic_private></bet_logic_private>" + AMOUNT, "Speech.", ""),
        ("Speech.\n**Bet Logic Private**\nr\n**Bet amount:** 75", "Speech.", ""),
        (f"**Confidence Bet**\n{PRIVATE}{AMOUNT}\n\nS.", "S.", "They are weak."),
        ("S.\n<bet_logic_private>“r” … ①</bet_logic_private>", "S.", "“r” … ①"),
        ("S.\n<bet_logic\u200b_private>a\u200bb</bet_logic_private>", "S.", "a\u200bb"),
    ],
)
def test_reasoning_is_cut_out(text: str, speech: str | None, reasoning: str) -> None:
    read = read_bet(text)
    assert read.speech == ("**OPENING SPEECH**\n\nS." if speech is None else speech)
    assert read.reasoning == reasoning


def test_a_speech_without_a_bet_comes_back_as_it_is() -> None:
    text = f"\n{SPEECH}  \n---\n"
    assert read_bet(text)[:3] == (text, "", {"bet": Parsed.unparsed()})


TAGS = [
    *cells("""
        <bet_logic_private>   <BET_LOGIC_PRIVATE>   </bet_logic_private>
        </bet_logic_private   <bet_amount>   </bet_amount>   <stake_amount>
        bet_amount: 75   **Confidence bet:** 60   **   ```   <   >   60
    """),
    "\n",
    "\n\n",
    "SYNTHESIS\n",
]
WORDS = [f"w{i}" for i in range(6)]
texts = st.lists(st.sampled_from(TAGS + WORDS), max_size=16).map(" ".join)


@given(texts)
def test_readings_are_sound_whatever_the_tags(text: str) -> None:
    read = read_bet(text, asks=("bet", "stake"))
    assert "bet_" not in read.speech.lower()
    for amount in read.amounts.values():
        assert amount.status in (Status.OK, Status.UNPARSED)
        assert amount.value is None or 0 <= float(amount.value) <= 100
    assert read_bet(read.speech).speech == read.speech


@given(st.lists(st.sampled_from(WORDS), min_size=1), st.integers(0, 100), st.booleans())
def test_the_whole_speech_is_left(words: list[str], amount: int, first: bool) -> None:
    bet = (
        "<bet_logic_private>p1 p2\n\n**FRAMING**\np3</bet_logic_private>\n"
        f"<bet_amount>{amount}</bet_amount>"
    )
    speech = " ".join(words)
    read = read_bet(f"{bet}\n{speech}" if first else f"{speech}\n{bet}")
    expected = {"bet": Parsed.ok(amount)}
    assert read[:3] == (speech, "p1 p2\n\n**FRAMING**\np3", expected)


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("{speech}\n{bet}", False),
        ("{speech}\n```xml\n{bet}\n```", False),
        ("{speech}\n**Private Confidence Bet: 75%**\n{bet}", True),
        ("Betting markets agree. {speech}\n{bet}", False),
        ("{speech}\nbet_amount: 75", True),
    ],
)
def test_talk_of_the_bet_outside_its_tags_is_noted(text: str, outside: bool) -> None:
    bet = (
        "<bet_logic_private>My bet is 75.</bet_logic_private>"
        "<bet_amount>75</bet_amount>"
    )
    assert read_bet(text.format(speech=SPEECH, bet=bet)).outside is outside


def _verdict(answer: str | None, confidence: float | None) -> dict[str, Parsed]:
    return {
        name: Parsed.unparsed() if value is None else Parsed.ok(value)
        for name, value in (("answer", answer), ("confidence", confidence))
    }


def _tagged(winner: str, confidence: str) -> str:
    return (
        f"All of it was weighed.\n<winnerName>{winner}</winnerName>\n"
        f"<confidence>{confidence}</confidence>"
    )


@pytest.mark.parametrize(
    ("winner", "answer"),
    [
        *rows(
            "proposition",
            """
            proposition   Proposition   `Proposition`.   [proposition]
            The Proposition side   Proposition wins   Prop
        """,
        ),
        ("opposition", "opposition"),
        (" OPPOSITION \n", "opposition"),
        ("**Opposition**", "opposition"),
        ("<b>Opposition</b>", "opposition"),
        ('"opposition"', "opposition"),
        ("the opposition", "opposition"),
        ("Opp.", "opposition"),
        ("ｏｐｐｏｓｉｔｉｏｎ", "opposition"),
        ("оpposition", "opposition"),  # a Cyrillic letter
        ("oppo\u200bsition", "opposition"),
        *rows(
            None,
            """
            opposition|proposition   proposition, not opposition
            one word, either proposition or opposition   proposition/opposition
            not proposition   anti-proposition   the preposition   propositional
            Proposition 1   Proposition wins narrowly   Pro   neither   tie   A
        """,
        ),
        ("", None),
        ("opposition" * 20, None),
    ],
)
def test_the_winner_is_one_side(winner: str, answer: str | None) -> None:
    assert read_jury_verdict(_tagged(winner, "85")) == _verdict(answer, 85)


@pytest.mark.parametrize(
    ("stated", "confidence"),
    [
        ("85", 85),
        (" 85\n", 85),
        ("**85**", 85),
        ("85%", 85),
        ("85/100", 85),
        ("85 out of 100", 85),
        ("72.5", 72.5),
        ("0", 0),
        ("100", 100),
        *rows(
            None,
            """
            0-100   a whole number from 0 to 100   80-90   80 or 90   101   -5   0.85
            8/10   high   85 (clear victory)
        """,
        ),
        ("", None),
    ],
)
def test_confidence_is_one_number(stated: str, confidence: float | None) -> None:
    read = read_jury_verdict(_tagged("opposition", stated))
    assert read == _verdict("opposition", confidence)


OPP, PROP = "<winnerName>opposition</winnerName>", "<winnerName>Prop</winnerName>"
SURE = "<confidence>90</confidence>"


@pytest.mark.parametrize(
    ("text", "answer", "confidence"),
    [
        (f"{OPP}{SURE}", "opposition", 90),
        (f"{SURE}\n{OPP}\nAnd that is that.", "opposition", 90),
        (f"{OPP} {SURE} or rather {PROP}", "proposition", 90),
        (f"{OPP}{PROP}<confidence>60</confidence>{SURE}", "proposition", 90),
        (f"{OPP}{SURE}<winnerName>opposition|proposition</winnerName>", None, 90),
        (
            f"{PROP}<confidence>60</confidence><confidence>?</confidence>",
            "proposition",
            None,
        ),
        (OPP, "opposition", None),
        (SURE, None, 90),
        (f"{OPP}\nConfidence: 90", "opposition", None),
        (f"```xml\n{OPP}\n{SURE}\n```", "opposition", 90),
        (f"**{OPP}**\n**{SURE}**", "opposition", 90),
        (
            "<WinnerName>Opposition</WINNERNAME>\n< Confidence >90</ confidence >",
            "opposition",
            90,
        ),
        (
            "<**winner_name**>opposition</winner_name>"
            "<Confidence Level>90</Confidence Level>",
            "opposition",
            90,
        ),
        ("<winner>opposition</winner><confidence>90</confidence>", "opposition", 90),
        (f"&lt;winnerName&gt;Prop&lt;/winnerName&gt;{SURE}", "proposition", 90),
        (f"＜winnerName＞Prop＜/winnerName＞{SURE}", "proposition", 90),
        (
            f"<winnerName>opposition <winnerName>Prop</winnerName>{SURE}",
            "proposition",
            90,
        ),
        (f"<winnerName>{OPP}</winnerName>{SURE}", "opposition", 90),
        (f"<winnerName>opposition{SURE}", None, 90),
        (f"<winnerName>{'x' * 200}</winnerName>{SURE}", None, 90),
        ("<winnerName>opposition\n<confidence>90", None, None),
        ("Winner Name: Proposition\nConfidence: 75", "proposition", 75),
        (
            "- **Winner**: **Opposition**  \n- **Confidence Level**: **75** (clear)\n",
            "opposition",
            75,
        ),
        ("*Winner*: The Opposition\n\n*Confidence*: 75/100", "opposition", 75),
        (
            "Winner: Proposition\nConfidence: 60\n\nWinner: Opposition\nConfidence: 70",
            "opposition",
            70,
        ),
        ("Winner: Proposition\nWhy: it is.\nConfidence: 60", None, None),
        ("Winner: Proposition, by its evidence.\nConfidence: 60", None, 60),
        ("Winner: opposition|proposition\nConfidence: 0-100", None, None),
        ("**Winner:** Opposition\n**Winner:** Proposition", None, None),
        ("The winner: Opposition\nConfidence: 75", None, None),
        ("The opposition wins, with a confidence of 75.", None, None),
        ("", None, None),
    ],
)
def test_last_tags(text: str, answer: str | None, confidence: float | None) -> None:
    assert read_jury_verdict(text) == _verdict(answer, confidence)


@pytest.mark.parametrize(
    "unit",
    [
        *cells("""
            <winnerName   <winnerName>   <winnerName>opposition   </winnerName>
            <confidence>9   <winnerName><confidence>   *
        """),
        "Winner: opposition\n",
        "Winner:\nConfidence:",
        "winner ",
        "< ",
        "\n",
    ],
)
def test_long_hostile_texts_take_linear_time(unit: str) -> None:
    def read_both(size: int) -> None:
        text = unit * (size // len(unit))
        read_jury_verdict(text)
        read_jury_verdict(f"{text}{OPP}{SURE}")

    check_linear(read_both)


DATA = os.environ.get("INSPECT_DEBATE_DATA")


@needs_data
def test_the_released_verdicts() -> None:
    """All but two are read, as recorded: one has no verdict, one never ends."""
    folder = Path(DATA or "", "llms_overconfidence", "experiments")
    agree = unread = 0
    for path in folder.glob("private_bet_experiments_diff_models/*.json"):
        for result in json.loads(path.read_text())["judge_results"]:
            read = read_jury_verdict(result["logic"])
            agree += read == _verdict(result["winner"], result["confidence"])
            unread += read == _verdict(None, None)
    assert (agree, unread, agree + unread) == (355, 2, 357)
