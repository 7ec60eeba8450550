"""Texts on questions with options, and competitors' arguments."""

import re
from random import Random
from statistics import mean

import pytest

from inspect_debate.debate.cue import Format
from inspect_debate.debate.record import Parsed
from inspect_debate.simulator import writing
from inspect_debate.simulator.writing import (
    write_argument,
    write_choice_speech,
    write_choice_verdict,
)
from tests.simulator.drafts import QUOTES, drafts, speech_for
from tests.simulator.reading import LETTERS, fields

NEW: list[tuple[Format, str]] = [
    ("answer_line", "A"),
    ("verdict", "B"),
    ("speech", "B"),
    ("speech", "D"),
    ("argument", "D"),
    ("argument", "error"),
    ("argument", "no_error"),
]


@pytest.mark.parametrize(("form", "label"), NEW)
@pytest.mark.parametrize("words", [1, 150, 1000])
def test_texts_read_as_what_they_say(form: Format, label: str, words: int) -> None:
    for draft in drafts(form, label, words):
        found = fields(form, LETTERS, draft.text)
        if form in ("speech", "argument"):
            assert found.pop("argument") == Parsed.ok("")
            for quote in QUOTES:
                assert f"<quote>{quote.text}</quote>" in draft.body
        if form == "speech":
            assert found.pop("final") == Parsed.ok(label)
            assert found == {"confidence": Parsed.ok(0.72)}
        elif form == "argument":
            assert (found, draft.closing) == ({}, "")
            assert draft.text.endswith(f"{draft.body}\n</argument>")
        else:
            assert found == {"answer": Parsed.ok(label)}
            assert fields(form, LETTERS, draft.body) == {"answer": Parsed.unparsed()}
        assert "{" not in draft.text.replace("{boats}", "")


@pytest.mark.parametrize(("form", "label"), NEW)
@pytest.mark.parametrize("words", [120, 300, 600])
def test_mean_length(form: Format, label: str, words: int) -> None:
    texts = (f"{d.body} {d.closing}" for d in drafts(form, label, words))
    assert mean(len(text.split()) for text in texts) == pytest.approx(words, rel=0.05)


@pytest.mark.parametrize(("form", "label"), NEW)
def test_texts_vary(form: Format, label: str) -> None:
    assert len({draft.text for draft in drafts(form, label)}) > 90


@pytest.mark.parametrize(
    ("final", "before", "round", "bank"),
    [
        ("D", "D", 2, writing.UNMOVED),
        ("B", "D", 2, writing.MOVED),
        ("B", "D", 1, writing.MOVED),
        ("B", "B", 2, writing.MOVED_BEFORE),
    ],
)
def test_speeches_say_whether_they_concede(
    final: str, before: str, round: int, bank: tuple[str, ...]
) -> None:
    said = [line.format(other="the other debater") for line in bank]
    heads = writing.CASES if final == "D" else writing.CONCESSIONS
    opened = [line.format(n=final, m="D", other="") for line in heads]
    for n in range(30):
        speech = speech_for("D", final, before, round)
        body = write_choice_speech(speech, 160, Random(n)).body
        assert any(line in body for line in said)
        assert any(body.startswith(line) for line in opened)


@pytest.mark.parametrize("weighed", [("B", "D"), ("D", "B"), LETTERS])
def test_verdicts_weigh_options_as_shown(weighed: tuple[str, ...]) -> None:
    for n in range(30):
        body = write_choice_verdict("B", weighed, 60, Random(n)).body.split("\n\n")[1]
        assert re.findall("nswer ([A-D])", body)[: len(weighed)] == list(weighed)


def test_competitors_rebut_from_the_second_round_on() -> None:
    for n in range(30):
        bodies = [write_argument("B", r, (), 150, Random(n)).body for r in (1, 2)]
        for body, bank in zip(
            bodies, (writing.ATTACKS, writing.REBUTTALS), strict=True
        ):
            assert sum(line in body for line in bank) == 1
