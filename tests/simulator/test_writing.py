import re
from random import Random
from statistics import mean

import pytest

from inspect_debate.debate.cue import Format
from inspect_debate.debate.parsing import (
    choice_line,
    label_sentence,
    realmistake_label,
    split_argument,
    stated_confidence,
    verdict,
)
from inspect_debate.debate.record import Parsed, Status
from inspect_debate.simulator import writing
from inspect_debate.simulator.writing import (
    write_reasoning,
    write_speech,
    write_verdict,
)
from tests.simulator.drafts import CHOICES, QUOTES, drafts, speech_for
from tests.simulator.reading import LABELS


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("words", [1, 150, 1000])
def test_answers_read_as_their_label(label: str, words: int) -> None:
    for draft in drafts("label_sentence", label, words):
        assert label_sentence(draft.text) == Parsed.ok(label)
        assert realmistake_label(draft.text) == Parsed.ok(label)
        assert draft.text.endswith(f"\n\n{writing.LABEL_SENTENCES[label]}")
        assert label_sentence(draft.body) == realmistake_label(draft.body)
        assert label_sentence(draft.body).status == Status.UNPARSED


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("words", [1, 150, 1000])
def test_verdicts_read_as_their_label(label: str, words: int) -> None:
    for draft in drafts("verdict", label, words):
        assert verdict(draft.text, CHOICES) == Parsed.ok(label)
        assert verdict(draft.body, CHOICES).status == Status.UNPARSED


@pytest.mark.parametrize(
    ("shown", "first"), [(LABELS, "nswer 1"), (LABELS[::-1], "nswer 2")]
)
def test_verdicts_weigh_sides_as_shown(shown: tuple[str, ...], first: str) -> None:
    for n in range(50):
        weighed = write_verdict("error", shown, 80, Random(n)).body.split("\n\n")[1]
        numbers = re.findall(r"nswer \d", weighed)
        assert numbers[0] == first
        assert len(set(numbers)) == 2


@pytest.mark.parametrize("defends", LABELS)
@pytest.mark.parametrize("final", LABELS)
@pytest.mark.parametrize("round", [1, 2])
@pytest.mark.parametrize("words", [1, 160, 1000])
def test_speeches_read_as_what_they_say(
    defends: str, final: str, round: int, words: int
) -> None:
    for n in range(50):
        speech = speech_for(defends, final, defends, round)
        text = write_speech(speech, words, Random(n)).text
        read = split_argument(text)
        assert read.status == Status.OK
        assert choice_line(read.argument, "Final", CHOICES) == Parsed.ok(final)
        assert stated_confidence(read.argument) == Parsed.ok(0.72)
        assert read.thinking
        assert read.thinking not in read.argument
        assert "{" not in text.replace("{boats}", "")
        found = re.findall("<quote>(.*?)</quote>", read.argument)
        assert found == [quote.text for quote in QUOTES]
        own = "Alice" if defends == "error" else "Bob"
        assert own not in read.argument


@pytest.mark.parametrize(
    ("defends", "final", "before", "bank"),
    [
        ("error", "error", "error", writing.UNMOVED),
        ("no_error", "error", "no_error", writing.MOVED),
        ("no_error", "error", "error", writing.MOVED_BEFORE),
    ],
)
def test_speeches_say_what_changed(
    defends: str, final: str, before: str, bank: tuple[str, ...]
) -> None:
    said = [line.format(other="Alice") for line in bank]
    for n in range(30):
        speech = speech_for(defends, final, before, round=2)
        text = write_speech(speech, 160, Random(n)).text
        assert any(line in text for line in said)


def test_decisive_tests_fail_only_where_an_error_is_held() -> None:
    for draft in drafts("speech", "error"):
        assert "FAIL" in draft.body.split("Test 2")[0]
    for draft in drafts("speech", "no_error"):
        assert "FAIL" not in draft.body
        assert "PASS" in draft.body


@pytest.mark.parametrize("form", ["label_sentence", "speech", "verdict"])
@pytest.mark.parametrize("words", [120, 300, 600])
def test_mean_length(form: Format, words: int) -> None:
    texts = (f"{d.body} {d.closing}" for d in drafts(form, words=words))
    assert mean(len(text.split()) for text in texts) == pytest.approx(words, rel=0.05)


def test_texts_vary() -> None:
    forms: tuple[Format, ...] = ("label_sentence", "speech", "verdict")
    for form in forms:
        assert len({draft.text for draft in drafts(form)}) > 90


@pytest.mark.parametrize("words", [0, 1, 40, 500])
def test_reasoning_has_its_length(words: int) -> None:
    assert len(write_reasoning(words, Random(1)).split()) == words
