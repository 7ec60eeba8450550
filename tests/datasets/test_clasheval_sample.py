"""Integrity of the sample that ships in place of ClashEval.

Whether a fact is right cannot be tested; every item was checked by hand.
"""

import re
from collections import Counter
from importlib import resources
from typing import Any

import pytest
import yaml

DATA = resources.files("inspect_debate.datasets") / "data"
ITEMS: list[dict[str, Any]] = yaml.safe_load(
    (DATA / "clasheval_sample.yaml").read_text(encoding="utf-8")
)

MULTIPLIED, WORDED = ("drugs", "records", "news"), ("names", "locations")
MODIFIED = ("slight", "significant", "comical")
KEYS = {"domain", "question", "answer", "passage"}

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
UNITS: list[str] = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen",
)
TENS: list[str] = re.findall(
    r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety"
)


def of(*domains: str) -> pytest.MarkDecorator:
    """One case for each item of some domains."""
    items = [item for item in ITEMS if item["domain"] in domains]
    return pytest.mark.parametrize(
        "item", items, ids=[item["question"] for item in items]
    )


each_item = of(*MULTIPLIED, "years", *WORDED)


def standing(text: str, passage: str) -> int:
    """How often a text stands in a passage as words of its own, in any case."""
    return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", passage, re.IGNORECASE))


def in_words(number: str) -> str:
    """A whole number below 100 as it is written out; others as they are."""
    if not re.fullmatch(r"\d\d?", number):
        return number
    tens, units = divmod(int(number), 10)
    if tens < 2:
        return UNITS[int(number)]
    return TENS[tens - 2] + (f"-{UNITS[units]}" if units else "")


@pytest.mark.parametrize(
    ("number", "words"),
    [("4", "four"), ("13", "thirteen"), ("30", "thirty"), ("92", "ninety-two")],
)
def test_in_words(number: str, words: str) -> None:
    assert in_words(number) == words


def test_every_domain_has_as_many_items() -> None:
    counts = Counter(item["domain"] for item in ITEMS)
    assert counts == dict.fromkeys((*MULTIPLIED, "years", *WORDED), 17)


@pytest.mark.parametrize("key", ["question", "passage"])
def test_no_text_occurs_twice(key: str) -> None:
    assert len({item[key].casefold() for item in ITEMS}) == len(ITEMS)


def test_no_passage_holds_a_question() -> None:
    questions = [item["question"].rstrip("?").casefold() for item in ITEMS]
    passages = "\n".join(item["passage"] for item in ITEMS).casefold()
    assert [question for question in questions if question in passages] == []


@each_item
def test_keys(item: dict[str, Any]) -> None:
    assert item.keys() == KEYS.union(MODIFIED if item["domain"] in WORDED else ())


@each_item
def test_texts_are_clean(item: dict[str, Any]) -> None:
    for text in item.values():
        assert isinstance(text, str)
        assert text == " ".join(text.split()) != ""
        assert "\ufffd" not in text
    assert item["question"].endswith("?")
    assert item["passage"].endswith(".")


@each_item
def test_length_of_passage(item: dict[str, Any]) -> None:
    assert 40 <= len(item["passage"].split()) <= 160
    assert len(SENTENCE_END.findall(item["passage"])) >= 3


@each_item
def test_answer_stands_in_its_passage_only(item: dict[str, Any]) -> None:
    answer, passage = item["answer"], item["passage"]
    assert answer in passage
    assert passage.count(answer) == standing(answer, passage)
    assert standing(answer, item["question"]) == 0


@of(*MULTIPLIED)
def test_answer_is_one_number(item: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d[\d.:]*( \D+)?", item["answer"])


@of(*MULTIPLIED)
def test_number_is_not_given_away(item: dict[str, Any]) -> None:
    number = NUMBER.findall(item["answer"])[0]
    rest = item["passage"].replace(item["answer"], "") + item["question"]
    assert number not in NUMBER.findall(rest)
    written = re.escape(in_words(number))
    assert not re.search(rf"(?<![\w-]){written}(?![\w-])", rest, re.IGNORECASE)


def test_few_answers_are_times_with_colons() -> None:
    assert 1 <= sum(":" in item["answer"] for item in ITEMS) <= 3


@of("years")
def test_year_has_room_for_every_offset(item: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d{4}", item["answer"])
    assert 300 < int(item["answer"]) <= 2999 - 220


@of("years")
def test_passage_speaks_of_no_other_time(item: dict[str, Any]) -> None:
    assert set(re.findall(r"\d{4,}", item["passage"])) == {item["answer"]}
    assert not re.search(
        r"\d0s\b|centur|decade|years? (?:ago|before|after|later)", item["passage"]
    )


@of(*WORDED)
def test_modified_answers_are_wrong_in_three_ways(item: dict[str, Any]) -> None:
    answers = [item[key].casefold() for key in ("answer", *MODIFIED)]
    assert len(set(answers)) == 4
    for modified in answers[1:]:
        assert answers[0] not in modified
        assert modified not in answers[0]
        assert modified not in item["passage"].casefold()
        assert modified not in item["question"].casefold()


@of(*WORDED)
def test_answer_is_never_shortened(item: dict[str, Any]) -> None:
    rest = item["passage"].replace(item["answer"], "") + item["question"]
    assert [word for word in item["answer"].split() if standing(word, rest)] == []
