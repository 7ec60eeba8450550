"""Data sets of questions: samples, order, sources, and the questions that ship."""

import csv
import json
import logging
import random
import re
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.datasets.archive import sha256_of
from inspect_debate.v1.datasets.questions import questions
from inspect_debate.v1.datasets.sources import Loaded
from inspect_debate.v1.debate import paths
from inspect_debate.v1.debate.matching import right_answer, same_answer
from inspect_debate.v1.debate.participants import assigned_answers
from inspect_debate.v1.debate.question import choice_fingerprint
from tests.v1.datasets.made_questions import (
    IN_WORDS,
    LETTERED,
    about_passages,
    by_id,
    dump,
    in_words,
    lettered,
    right,
    saved,
)
from tests.v1.datasets.made_up import ROOT, metadata
from tests.v1.support.made import question


@pytest.fixture
def houses(tmp_path: Path) -> str:
    return saved(lettered(), tmp_path / "houses.csv")


@pytest.fixture
def farms(tmp_path: Path) -> str:
    return saved(about_passages(), tmp_path / "farms.jsonl")


@pytest.fixture
def rooms(tmp_path: Path) -> str:
    return saved(in_words(), tmp_path / "rooms.json")


def test_columns_of_options_and_letters(houses: str) -> None:
    loaded = questions(houses, LETTERED)
    assert loaded.dataset.name == "houses"
    samples = by_id(loaded)
    assert len(samples) == 12
    for row in lettered():
        sample = samples[row["nr"]]
        assert sample.input == row["asked"]
        assert sorted(sample.choices or []) == sorted(row[c] for c in "abcd")
        assert right(sample) == row[row["key"].lower()]
        assert metadata(sample)["passage"] is None
    assert len({metadata(sample)["input_group"] for sample in samples.values()}) == 12
    assert loaded.provenance == {
        "source": "path",
        "file": "houses.csv",
        "sha256": sha256_of(Path(houses)),
        "rows": 12,
        "fields": LETTERED,
        "answer_as": "letter",
        "answers": "options",
        "candidates": "all",
        "shuffled": True,
        "left_out": {},
        "questions": 12,
        "groups": 12,
        "with_passage": 0,
    }


def test_lists_of_options_and_texts_about_passages(farms: str) -> None:
    loaded = questions(farms)
    for sample in loaded.dataset:
        number = int(str(sample.input).removesuffix("?").split()[-1])
        row = about_passages()[number]
        assert right(sample) == row["answer"]
        assert metadata(sample)["passage"] == row["article"]
        assert metadata(sample)["data_name"] == "farms"
    groups = [metadata(sample)["input_group"] for sample in loaded.dataset]
    assert sorted(Counter(groups).values()) == [3, 3, 3, 3]
    provenance = loaded.provenance
    assert provenance["fields"] == {
        "question": "question",
        "options": "choices",
        "answer": "answer",
        "passage": "article",
    }
    assert (
        provenance["answer_as"],
        provenance["groups"],
        provenance["with_passage"],
    ) == ("text", 4, 12)


def test_answers_in_words(rooms: str) -> None:
    loaded = questions(rooms, IN_WORDS)
    for sample in loaded.dataset:
        number = int(str(sample.input).removesuffix("?").split()[-1])
        assert sample.choices is None
        assert sample.target == [f"Person {number}", f"P. {number}"]
        assert metadata(sample)["input_group"] == str(number // 4)
    provenance = loaded.provenance
    assert (provenance["answers"], provenance["answer_as"], provenance["groups"]) == (
        "free",
        None,
        3,
    )
    assert (provenance["candidates"], provenance["shuffled"]) == (None, None)


def test_options_asked_in_words(farms: str) -> None:
    loaded = questions(farms, answers="free", candidates="two")
    provenance = loaded.provenance
    assert provenance["candidates"] is None
    assert json.loads(json.dumps(provenance)) == provenance
    assert str(Path(farms).parent) not in json.dumps(provenance)
    rows = {row["question"]: row["answer"] for row in about_passages()}
    for sample in loaded.dataset:
        assert sample.choices is None
        assert sample.target == [rows[str(sample.input)]]


def test_shuffling_moves_the_target_along(houses: str) -> None:
    plain = by_id(questions(houses, LETTERED | {"shuffle": False}))
    shuffled = by_id(questions(houses, LETTERED))
    for row in lettered():
        one, other = plain[row["nr"]], shuffled[row["nr"]]
        assert one.choices == [row[c] for c in "abcd"]
        assert str(one.target) == row["key"]
        assert right(one) == right(other)
    assert plain.keys() == shuffled.keys()
    moved = [id for id in plain if plain[id].choices != shuffled[id].choices]
    assert len(moved) > 6


def test_the_right_option_may_be_in_any_place(tmp_path: Path) -> None:
    rows = [row | {"key": "A"} for row in lettered(400)]
    loaded = questions(saved(rows, tmp_path / "a.jsonl"), LETTERED)
    counts = Counter(str(sample.target) for sample in loaded.dataset)
    assert set(counts) == set("ABCD")
    assert min(counts.values()) > 70  # 100 expected, standard deviation 8.7


def test_two_candidates_hold_the_right_one(tmp_path: Path) -> None:
    rows = lettered(400)
    path = saved(rows, tmp_path / "h.jsonl")
    samples = by_id(questions(path, LETTERED, candidates="two"))
    drawn: Counter[str] = Counter()
    for row in rows:
        sample = samples[row["nr"]]
        expected = row[row["key"].lower()]
        assert len(set(sample.choices or [])) == 2
        assert right(sample) == expected
        (wrong,) = set(sample.choices or []) - {expected}
        assert wrong in {row[c] for c in "abcd"}
        drawn[next(c for c in "abcd" if row[c] == wrong)] += 1
    assert min(drawn.values()) > 60
    first = Counter(str(sample.target) for sample in samples.values())
    assert 150 < first["A"] < 250
    kept = by_id(questions(path, LETTERED | {"shuffle": False}, candidates="two"))
    for row in rows:
        places = [list(row.values()).index(c) for c in kept[row["nr"]].choices or []]
        assert places == sorted(places)
        assert set(kept[row["nr"]].choices or []) == set(
            samples[row["nr"]].choices or []
        )


@pytest.mark.parametrize("answers", ["options", "free"])
def test_order_of_rows_has_no_influence(answers: Any, tmp_path: Path) -> None:
    """Nor has the name of the file, on anything but what the data are called."""
    rows = about_passages(30)
    expected = questions(saved(rows, tmp_path / "a.jsonl"), answers=answers, seed=3)
    random.Random(1).shuffle(rows)
    (tmp_path / "other").mkdir()
    loaded = questions(saved(rows, tmp_path / "other/a.jsonl"), answers=answers, seed=3)
    assert dump(loaded) == dump(expected)


def test_the_seed_decides(farms: str) -> None:
    one, same, two = (questions(farms, seed=seed) for seed in (1, 1, 2))
    assert dump(one) == dump(same)
    assert list(by_id(one)) != list(by_id(two))
    choices = [{id: s.choices for id, s in by_id(seen).items()} for seen in (one, two)]
    assert choices[0].keys() == choices[1].keys()
    assert choices[0] != choices[1]


def test_a_question_does_not_depend_on_others(tmp_path: Path) -> None:
    everything = by_id(questions(saved(about_passages(30), tmp_path / "a.jsonl")))
    some = by_id(questions(saved(about_passages(9), tmp_path / "a.jsonl")))
    for id, sample in some.items():
        assert sample == everything[id]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_groups_are_spread_over_every_prefix(seed: int, tmp_path: Path) -> None:
    sizes = {"a": 3, "b": 6, "c": 12, "d": 1}
    groups = "".join(name * size for name, size in sizes.items())
    rows = [
        {"question": f"Question {n}?", "answer": "yes", "group": group}
        for n, group in enumerate(groups)
    ]
    loaded = questions(saved(rows, tmp_path / "g.jsonl"), seed=seed)
    seen: Counter[str] = Counter()
    for place, sample in enumerate(loaded.dataset, start=1):
        seen[metadata(sample)["input_group"]] += 1
        for name, size in sizes.items():
            assert abs(seen[name] - place * size / len(rows)) < 2


def check_registered(loaded: Loaded) -> None:
    for sample in loaded.dataset:
        passage = metadata(sample)["passage"]
        for used in (None, passage):
            mark = choice_fingerprint(str(sample.input), sample.choices or [], used)
            best = sample.target if sample.choices else sample.target[0]
            assert answer_key.truth_of(mark) == best
        assert metadata(sample)["fingerprint"] == choice_fingerprint(
            str(sample.input), sample.choices or [], passage
        )


def test_what_is_true_is_told_to_simulated_models(
    farms: str, houses: str, rooms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_key, "_TRUTH", {})
    monkeypatch.setattr(answer_key, "_PASSAGES", {})
    check_registered(questions(farms))
    check_registered(questions(houses, LETTERED, candidates="two"))
    loaded = questions(rooms, IN_WORDS)
    check_registered(loaded)
    for sample in loaded.dataset:
        known = answer_key.passage_truth(metadata(sample)["fingerprint"])
        assert known is not None
        assert known[:2] == (sample.target[0], sample.target[0])
        assert len(known.others) == 8
        assert set(known.others) < {f"Person {number}" for number in range(12)}
        assert sample.target[0] not in known.others


def test_wrong_options_are_the_wrong_answers_in_words(
    farms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_key, "_PASSAGES", {})
    rows = {row["question"]: row for row in about_passages()}
    for sample in questions(farms, answers="free").dataset:
        known = answer_key.passage_truth(metadata(sample)["fingerprint"])
        assert known is not None
        row = rows[str(sample.input)]
        assert {known.answer, *known.others} == set(row["choices"])


def test_rows_left_out_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = about_passages(6)
    rows[1]["choices"], rows[3]["answer"], rows[4]["answer"] = [], "99", "98"
    path = saved(rows, tmp_path / "bad.jsonl")
    with caplog.at_level(logging.WARNING):
        loaded = questions(path, {"skip_bad": True})
    assert loaded.provenance["left_out"] == {
        "it has no options": 1,
        "its answer is none of its options": 2,
    }
    assert (loaded.provenance["rows"], loaded.provenance["questions"]) == (6, 3)
    assert [record.getMessage() for record in caplog.records] == [
        "bad.jsonl: rows left out (it has no options: 1, "
        "its answer is none of its options: 2)."
    ]


@pytest.mark.parametrize("ending", ["jsonl", "json", "parquet", "csv"])
def test_files_of_all_kinds_hold_the_same_questions(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = about_passages()
    expected = questions(saved(rows, tmp_path / "farms.jsonl"), seed=2)
    saved(rows, tmp_path / f"farms.{ending}")
    monkeypatch.setattr(paths, "STARTED_IN", tmp_path)  # where the command was typed
    for typed in (f"farms.{ending}", f"./farms.{ending}"):
        loaded = questions(typed, seed=2)
        assert dump(loaded) == dump(expected)
        assert loaded.provenance["file"] == f"farms.{ending}"


@pytest.mark.parametrize(("ending", "mark"), [("tsv", "\t"), ("csv", ";")])
def test_what_separates_cells(ending: str, mark: str, tmp_path: Path) -> None:
    """As spreadsheets export where a comma is for decimals."""
    path = tmp_path / f"farms.{ending}"
    options = ["1,5", "2,5 or so, no more", "3"]
    row = ["How many?", *options, "C", "1, 2; and\t3"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=mark)
        writer.writerows([["question", *"ABC", "answer", "passage"], row])
    (sample,) = questions(str(path), {"shuffle": False}).dataset
    assert (sample.choices, sample.target) == (options, "C")
    assert metadata(sample)["passage"] == "1, 2; and\t3"


def test_the_sample() -> None:
    loaded = questions("sample")
    provenance = {"source": "sample", "file": "questions_sample.jsonl", "rows": 27}
    assert provenance.items() <= loaded.provenance.items()
    assert (loaded.provenance["groups"], loaded.provenance["with_passage"]) == (9, 27)
    assert {metadata(sample)["data_name"] for sample in loaded.dataset} == {"sample"}
    first = [metadata(sample)["input_group"] for sample in loaded.dataset][:9]
    assert len(set(first)) == 9


def test_cells_of_csv_files(tmp_path: Path) -> None:
    """A heading with a byte order mark, quoted cells of several lines, empty lines."""
    path = tmp_path / "quoted.csv"
    path.write_text(
        '\ufeffquestion,options,answer\r\n\r\n"Who, ""or"" what?\nSay.",'
        '"[""It\'s a"", ""b""]",A\r\n',
        encoding="utf-8",
        newline="",
    )
    (sample,) = questions(str(path), {"shuffle": False}).dataset
    assert sample.input == 'Who, "or" what?\nSay.'
    assert sample.choices == ["It's a", "b"]


FILE = ROOT / "src/inspect_debate/v1/datasets/data/questions_sample.jsonl"
ITEMS: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text("utf-8").splitlines()
]
KEYS = [
    *("id", "group", "passage", "question"),
    *("options", "answer", "accepted", "quote"),
]


def right_option(item: dict[str, Any]) -> str:
    return str(item["options"]["ABCD".index(item["answer"])])


def test_a_group_is_a_passage_with_three_questions() -> None:
    groups = Counter(item["group"] for item in ITEMS)
    assert groups == dict.fromkeys(groups, 3)
    assert len(groups) == 9
    assert len({item["id"] for item in ITEMS}) == len(ITEMS) == 27
    assert len({item["question"].casefold() for item in ITEMS}) == 27
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
        assert right_option(item).casefold() not in item["question"].casefold()
        for option in item["options"]:
            agrees = [right_answer(option, answer) for answer in item["accepted"]]
            assert any(agrees) == (option == right_option(item))
        assert any(
            same_answer(right_option(item), answer) for answer in item["accepted"]
        )


def test_right_options_are_in_all_places_and_of_all_lengths() -> None:
    places = Counter(item["answer"] for item in ITEMS)
    assert set(places.values()) == {6, 7}
    longest = [max(item["options"], key=len) == right_option(item) for item in ITEMS]
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
