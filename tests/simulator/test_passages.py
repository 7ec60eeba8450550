from random import Random

import pytest

from inspect_debate.debate.quotes import verify_quotes
from inspect_debate.simulator.passages import (
    Passage,
    altered,
    dealt,
    excerpts,
    invented,
    passages,
)

TASK = "Nine boats lie in the harbour and two of them leave at noon.\n\nHow many stay?"
RESPONSE = "At noon two boats leave, so seven boats stay in the harbour.\n- x < 5 is so"
PROMPT = (
    f"<item>\n<task>\n{TASK}\n</task>\n\n<response>\n{RESPONSE}\n</response>\n</item>"
)


def test_passages_stand_in_their_block() -> None:
    found = passages(PROMPT)
    assert {passage.source for passage in found} == {"task", "response"}
    assert len({passage.text for passage in found}) == len(found) > 4
    for passage in found:
        source = TASK if passage.source == "task" else RESPONSE
        assert any(passage.text in line for line in source.splitlines())
        assert 4 <= len(passage.text.split()) <= 9
        assert "<" not in passage.text


def test_passages_of_one_source() -> None:
    assert {p.source for p in passages(PROMPT, ["task"])} == {"task"}


def test_passages_of_a_question_with_options() -> None:
    prompt = (
        f"<item>\n<question>\n{TASK}\n</question>\n\n"
        "<options>\nA) seven of the boats\nB) two\n</options>\n</item>"
    )
    found = passages(prompt)
    texts = [p.text for p in found if p.source == "question"]
    assert texts == [p.text for p in passages(PROMPT, ["task"])]
    assert [p for p in found if p.source == "options"] == [
        Passage("A) seven of the boats", "options")
    ]
    assert passages(prompt, ["task"]) == ()


@pytest.mark.parametrize(
    ("speech", "found"),
    [
        ("one two three four five", ["one two three four five"]),
        (
            "a b c d e f g h i j k l m n\nshort line here",
            ["a b c d e f g h i", "e f g h i j k l m", "i j k l m n"],
        ),
        ('one "two" three four five', ['one "two" three four five']),  # all there is
        (
            "<v_quote>one two</v_quote> three four five",
            ["<v_quote>one two</v_quote> three four five"],
        ),
        ("one  two\nthree", ["one two three"]),
        ("", []),
    ],
)
def test_excerpts_of_a_speech(speech: str, found: list[str]) -> None:
    prompt = f"{PROMPT}\n\n<speech>\n{speech}\n</speech>"
    assert list(excerpts(prompt)) == found
    assert excerpts(PROMPT) == ()


@pytest.mark.parametrize(
    "prompt",
    [
        "no block, yet words enough to be quoted from",
        "<task>words on the line of the tag are no block of ours</task>",
        "<task>\na block that is never closed holds nothing",
        "<task>\nthree words only\n</task>",
        "<task>\n- - - - -\n</task>",
    ],
)
def test_nothing_to_quote(prompt: str) -> None:
    assert passages(prompt) == ()


def test_speakers_never_share_a_passage() -> None:
    deck = [Passage(f"passage {n}", "task") for n in range(23)]
    hands = [
        [dealt(deck, 2, hand, card, Random(5)) for card in range(count)]
        for hand, count in ((0, 12), (1, 11))
    ]
    assert set(hands[0]) | set(hands[1]) == set(deck)
    assert not set(hands[0]) & set(hands[1])
    assert dealt(deck, 2, 0, 12, Random(5)) == hands[0][0]  # starts again
    assert dealt(deck[:1], 2, 1, 0, Random(5)) is None


def test_altered_and_invented_passages_are_not_found() -> None:
    quotes = [altered(p, Random(1)) for p in passages(PROMPT)]
    quotes += [invented(hand, card) for hand in (0, 1) for card in (0, 1)]
    speech = " ".join(f"<quote>{quote.text}</quote>" for quote in quotes)
    checked = verify_quotes(speech, {"task": TASK, "response": RESPONSE}).quotes
    assert len(checked) == len(quotes)
    assert not any(quote.verified or quote.duplicate for quote in checked)
