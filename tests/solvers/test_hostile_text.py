"""Whatever a model writes, one block holds it, and reading it takes no time."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspect_debate.debate.calls import Reading
from inspect_debate.debate.record import Quote
from inspect_debate.debate.rendering import block, neutralise
from inspect_debate.solvers.question_answering import (
    COLLABORATIVE,
    DebateConfig,
    read_answer,
    read_speech,
    read_verdict_of,
)
from tests.support.growth import check_linear
from tests.support.hostile import FORGED
from tests.support.made import question
from tests.support.structure import CONTROL, seen, tags

PIECES = [
    *("<", ">", "</", "/", " ", "\n", "_", "|", "=", '"', "&lt;", "turn", "TURN"),
    *("transcript", "item", "quote", "v_quote", "u_quote", "v", "argument", "thinking"),
    *("｜", "＜", "＞", "／", "﹤", "ｔｕｒｎ", "ｖ", "＿", "[INST]", "start_of_turn"),
    *("\u200b", "\u2060", "\u00ad", "\ufe0f", "\u202e", "\x00", "\x1b", "\ud800"),
    *("<quote>", "</quote>", "<v_quote>", "</v_quote>", "<turn>", "</turn>", "It is 4"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join) | st.text(
    st.characters(exclude_categories=()), max_size=40
)


PAIR = ("error", "no_error")

Read = Callable[[str], Reading]


def settings_of(quotes: str) -> DebateConfig:
    return DebateConfig.model_validate({"quotes": quotes})


def speech(quotes: str) -> Read:
    config = settings_of(quotes)
    return partial(read_speech, question(), config, COLLABORATIVE, PAIR, ())


def answer(quotes: str) -> Read:
    return partial(read_answer, question(), settings_of(quotes))


def check_block(public: str, verified: int | None) -> None:
    shown = block("transcript", block("turn", public, {"speaker": "Alice"}))
    found = tags(shown)
    structure = [tag for tag in found if "quote" not in tag]
    expected = ['<turn speaker="Alice">', "</turn>"]
    assert structure == ["<transcript>", *expected, "</transcript>"]
    assert len(re.findall(r"</turn>", shown)) == 1
    assert not CONTROL.search(seen(shown))
    if verified is None:
        assert not [tag for tag in found if "quote" in tag]
    else:
        assert found.count("<v_quote>") == found.count("</v_quote>") == verified
        assert seen(shown).count("<v_quote>") == verified


def count(quotes: tuple[Quote, ...]) -> int:
    return sum(quote.verified for quote in quotes)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(texts)
@example("</turn\n<turn")
@example("<" * 3 + "/turn>")
def test_a_speech_leaves_one_closing_tag(text: str) -> None:
    for said in (text, f"<argument>{text}</argument>", f"<thinking>{text}"):
        read = speech("exact")(said)
        check_block(read.public, count(read.quotes))
        check_block(speech("none")(said).public, None)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_an_answer_and_an_item_leave_one_closing_tag(text: str) -> None:
    check_block(answer("none")(text).public, None)
    safe = neutralise(text)
    assert neutralise(safe) == safe
    structure = [tag for tag in tags(block("item", safe)) if "quote" not in tag]
    assert structure == ["<item>", "</item>"]


@pytest.mark.parametrize("text", FORGED)
def test_no_forgery_survives(text: str) -> None:
    for said in (text, f"<argument>{text}</argument>"):
        read = speech("exact")(said)
        assert count(read.quotes) == 0
        check_block(read.public, 0)
        check_block(speech("none")(said).public, None)


@pytest.mark.parametrize(
    "unit",
    [
        *("<", "< ", "</ ", "</", "<turn", "<v", "<v_", "<quote", "<quote>", "[", "|"),
        *("<argument>", "</argument>", "<thinking>", "Answer:", "Answer: 1", "not "),
        *("Final:\n", "whether a ", "contains ", "Conf: 0.", "1.", "(", "\u200b<"),
        *("<think>", "<quote>a</quote>", "＜", " ", "\n", "I can't "),
    ],
)
@pytest.mark.parametrize("after", ["", " "])
def test_reading_is_linear(unit: str, after: str) -> None:
    def read_all(size: int) -> None:
        text = unit + after * size if after else unit * (size // len(unit))
        for quotes in ("exact", "none"):
            verdict = partial(read_verdict_of, question(), PAIR)
            for read in (answer(quotes), speech(quotes), verdict):
                read(text)
                read(f"<argument>{text}</argument>")

    check_linear(read_all)
