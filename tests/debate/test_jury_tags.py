import json
import os
from pathlib import Path

import pytest

from inspect_debate.debate.record import Parsed
from inspect_debate.solvers.bet_text import read_jury_verdict
from tests.support.growth import check_linear


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
        ("proposition", "proposition"),
        ("opposition", "opposition"),
        ("Proposition", "proposition"),
        (" OPPOSITION \n", "opposition"),
        ("**Opposition**", "opposition"),
        ("<b>Opposition</b>", "opposition"),
        ('"opposition"', "opposition"),
        ("`Proposition`.", "proposition"),
        ("[proposition]", "proposition"),
        ("the opposition", "opposition"),
        ("The Proposition side", "proposition"),
        ("Proposition wins", "proposition"),
        ("Prop", "proposition"),
        ("Opp.", "opposition"),
        ("ｏｐｐｏｓｉｔｉｏｎ", "opposition"),
        ("оpposition", "opposition"),  # a Cyrillic letter
        ("oppo\u200bsition", "opposition"),
        ("opposition|proposition", None),
        ("proposition, not opposition", None),
        ("one word, either proposition or opposition", None),
        ("proposition/opposition", None),
        ("not proposition", None),
        ("anti-proposition", None),
        ("the preposition", None),
        ("propositional", None),
        ("Proposition 1", None),
        ("Proposition wins narrowly", None),
        ("Pro", None),
        ("neither", None),
        ("tie", None),
        ("A", None),
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
        ("0-100", None),
        ("a whole number from 0 to 100", None),
        ("80-90", None),
        ("80 or 90", None),
        ("101", None),
        ("-5", None),
        ("0.85", None),
        ("8/10", None),
        ("high", None),
        ("85 (clear victory)", None),
        ("", None),
    ],
)
def test_the_confidence_is_one_number_from_0_to_100(
    stated: str, confidence: float | None
) -> None:
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
def test_the_last_tags_count_and_lines_only_without_any(
    text: str, answer: str | None, confidence: float | None
) -> None:
    assert read_jury_verdict(text) == _verdict(answer, confidence)


@pytest.mark.parametrize(
    "unit",
    [
        "<winnerName",
        "<winnerName>",
        "<winnerName>opposition",
        "</winnerName>",
        "<confidence>9",
        "<winnerName><confidence>",
        "Winner: opposition\n",
        "Winner:\nConfidence:",
        "winner ",
        "< ",
        "*",
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


@pytest.mark.skipif(DATA is None, reason="needs the released data: INSPECT_DEBATE_DATA")
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
