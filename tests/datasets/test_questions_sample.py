"""Integrity of the shipped questions.

Whether an option is right cannot be tested; every item was checked by hand.
"""

import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

from inspect_debate.datasets.questions import questions
from inspect_debate.debate.matching import right_answer, same_answer
from inspect_debate.debate.participants import assigned_answers
from tests.datasets.made_up import ROOT
from tests.support.made import question

FILE = ROOT / "datasets/data/questions_sample.jsonl"
ITEMS: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text("utf-8").splitlines()
]
KEYS = [
    *("id", "group", "passage", "question"),
    *("options", "answer", "accepted", "quote"),
]


def right(item: dict[str, Any]) -> str:
    return str(item["options"]["ABCD".index(item["answer"])])


def test_how_many() -> None:
    groups = Counter(item["group"] for item in ITEMS)
    assert groups == dict.fromkeys(groups, 3)
    assert len(groups) == 9
    assert len({item["id"] for item in ITEMS}) == len(ITEMS) == 27
    assert len({item["question"].casefold() for item in ITEMS}) == 27


def test_a_group_is_a_passage() -> None:
    passages: defaultdict[str, set[str]] = defaultdict(set)
    for item in ITEMS:
        passages[item["group"]].add(item["passage"])
        assert re.fullmatch(rf"{item['group']}-[123]", item["id"])
    assert all(len(of) == 1 for of in passages.values())
    assert len(set.union(*passages.values())) == len(passages)


def test_form() -> None:
    for item in ITEMS:
        assert list(item) == KEYS
        assert item["question"].endswith("?")
        assert len(set(item["options"])) == len(item["options"]) == 4
        assert item["answer"] in [*"ABCD"]
        texts = [item[key] for key in ("passage", "question", "quote")]
        for text in (*texts, *item["options"], *item["accepted"]):
            assert text == " ".join(text.split()) != ""
            assert text.isprintable()


def test_the_passage_settles_the_question_and_one_option_is_right() -> None:
    for item in ITEMS:
        assert 150 <= len(item["passage"].split()) <= 300
        assert item["passage"].count(item["quote"]) == 1
        assert 4 <= len(item["quote"].split()) <= 40
        assert item["quote"] not in item["question"]
        assert right(item).casefold() not in item["question"].casefold()
        for option in item["options"]:
            agrees = [right_answer(option, answer) for answer in item["accepted"]]
            assert any(agrees) == (option == right(item))
        assert any(same_answer(right(item), answer) for answer in item["accepted"])


def test_right_options_are_in_all_places_and_of_all_lengths() -> None:
    places = Counter(item["answer"] for item in ITEMS)
    assert set(places.values()) == {6, 7}
    longest = [max(item["options"], key=len) == right(item) for item in ITEMS]
    assert 3 <= sum(longest) <= 11


def test_sides_are_balanced_over_any_first_questions() -> None:
    for seed in (0, 1):
        asked = [
            replace(question(str(s.id)), rank=(s.metadata or {})["rank"])
            for s in questions("sample", seed=seed).dataset
        ]
        first = [assigned_answers(one, seed)[0] == one.choices[0] for one in asked]
        for count in range(1, len(first) + 1):
            assert abs(2 * sum(first[:count]) - count) <= 2
