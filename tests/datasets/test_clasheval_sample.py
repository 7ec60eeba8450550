"""Integrity of the sample that ships in place of ClashEval.

Whether a fact is right cannot be tested; every item was checked by hand.
"""

import re
from collections import Counter
from importlib import resources
from typing import Any

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
WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen
""".split()  # noqa: SIM905
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def of(*domains: str) -> list[dict[str, Any]]:
    """The items of some domains."""
    return [item for item in ITEMS if item["domain"] in domains]


def standing(text: str, passage: str) -> int:
    """How often a text stands in a passage as words of its own, in any case."""
    return len(re.findall(rf"(?<!\w){re.escape(text)}(?!\w)", passage, re.IGNORECASE))


def in_words(number: str) -> str:
    """A whole number below 100 as it is written out; others as they are."""
    if not re.fullmatch(r"\d\d?", number):
        return number
    tens, units = divmod(int(number), 10)
    if tens < 2:
        return WORDS[int(number)]
    return TENS[tens - 2] + (f"-{WORDS[units]}" if units else "")


def test_every_domain_has_as_many_items_and_no_text_occurs_twice() -> None:
    counts = Counter(item["domain"] for item in ITEMS)
    assert counts == dict.fromkeys((*MULTIPLIED, "years", *WORDED), 17)
    for key in ("question", "passage"):
        assert len({item[key].casefold() for item in ITEMS}) == len(ITEMS)
    questions = [item["question"].rstrip("?").casefold() for item in ITEMS]
    passages = "\n".join(item["passage"] for item in ITEMS).casefold()
    assert [question for question in questions if question in passages] == []


def test_texts_are_clean_and_of_one_length() -> None:
    for item in ITEMS:
        assert item.keys() == KEYS.union(MODIFIED if item["domain"] in WORDED else ())
        for text in item.values():
            assert isinstance(text, str)
            assert text == " ".join(text.split()) != ""
            assert "\ufffd" not in text
        assert item["question"].endswith("?")
        assert item["passage"].endswith(".")
        assert 40 <= len(item["passage"].split()) <= 160
        assert len(SENTENCE_END.findall(item["passage"])) >= 3


def test_answer_stands_in_its_passage_only() -> None:
    for item in ITEMS:
        answer, passage = item["answer"], item["passage"]
        assert answer in passage
        assert passage.count(answer) == standing(answer, passage)
        assert standing(answer, item["question"]) == 0


def test_answer_is_one_number_that_is_not_given_away() -> None:
    assert [in_words(n) for n in ("4", "13", "92")] == [
        "four",
        "thirteen",
        "ninety-two",
    ]
    for item in of(*MULTIPLIED):
        assert re.fullmatch(r"\d[\d.:]*( \D+)?", item["answer"])
        number = NUMBER.findall(item["answer"])[0]
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert number not in NUMBER.findall(rest)
        written = re.escape(in_words(number))
        assert not re.search(rf"(?<![\w-]){written}(?![\w-])", rest, re.IGNORECASE)
    assert 1 <= sum(":" in item["answer"] for item in ITEMS) <= 3


def test_year_has_room_for_every_offset_and_stands_alone() -> None:
    for item in of("years"):
        assert re.fullmatch(r"\d{4}", item["answer"])
        assert 300 < int(item["answer"]) <= 2999 - 220
        assert set(re.findall(r"\d{4,}", item["passage"])) == {item["answer"]}
        assert not re.search(
            r"\d0s\b|centur|decade|years? (?:ago|before|after|later)", item["passage"]
        )


def test_modified_answers_are_wrong_in_three_ways() -> None:
    for item in of(*WORDED):
        answers = [item[key].casefold() for key in ("answer", *MODIFIED)]
        assert len(set(answers)) == 4
        for modified in answers[1:]:
            assert answers[0] not in modified
            assert modified not in answers[0]
            assert modified not in item["passage"].casefold()
            assert modified not in item["question"].casefold()
        rest = item["passage"].replace(item["answer"], "") + item["question"]
        assert [word for word in item["answer"].split() if standing(word, rest)] == []
