from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.realmistake import realmistake, record_to_sample
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import fingerprint
from tests.datasets.made_up import (
    FILES,
    FOLDERS,
    ITEMS,
    ITEMS_PER_CELL,
    ROOT,
    Record,
    lines,
    metadata,
    stratum,
)


@pytest.mark.parametrize(
    "record", ITEMS, ids=[item["metadata"]["id"] for item in ITEMS]
)
def test_record_to_sample(record: Record) -> None:
    sample = record_to_sample(record)
    assert not isinstance(sample.input, str)
    task, response = sample.input
    assert (task.role, task.text) == ("user", record["input"])
    assert (response.role, response.text) == ("assistant", record["llm_response"])
    assert sample.target == record["error_label"]
    assert sample.id == record["metadata"]["id"]
    subset, author = str(sample.id).split("_")[1], str(sample.id).rsplit("_", 1)[1]
    assert metadata(sample) == {
        "subset": subset,
        "response_author": {"gpt-4-0613": "gpt4"}.get(author, "llama2"),
        "categories": record["error_categories"],
        "explanation": record["human_explanation"],
        "difficulty": "sample",
        "task_source": "inspect-debate",
        "input_group": fingerprint(task.text),
        "fingerprint": fingerprint(task.text, response.text),
    }


def test_texts_are_not_stripped() -> None:
    record = deepcopy(ITEMS[0]) | {"input": "\n a\n", "llm_response": " b \n"}
    assert not isinstance(sample_input := record_to_sample(record).input, str)
    assert [message.text for message in sample_input] == ["\n a\n", " b \n"]


LABELS = {
    "label alone": ({"label": "error"}, "error"),
    "error_label wins": ({"label": "error", "error_label": "no_error"}, "no_error"),
    "error without category": ({"error_label": "error"}, "error"),
    "no_error with category": (
        {
            "error_label": "no_error",
            "error_categories": ["Reasoning Correctness"],
            "human_explanation": "Something.",
        },
        "no_error",
    ),
}


@pytest.mark.parametrize(("given", "expected"), LABELS.values(), ids=LABELS)
def test_label_is_read_and_not_derived(given: Record, expected: str) -> None:
    record = deepcopy(ITEMS[0]) | {"error_categories": [], "human_explanation": ""}
    del record["error_label"]
    assert record_to_sample(record | given).target == expected


def without(*path: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        del record[path[-1]]

    return change


def having(value: object, *path: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        for key in path[:-1]:
            record = record[key]
        record[path[-1]] = value

    return change


WRONG = {
    "no input": (without("input"), "lacks the key 'input'"),
    "no response": (without("llm_response"), "lacks the key 'llm_response'"),
    "no label": (without("error_label"), "lacks the key 'error_label'"),
    "no categories": (without("error_categories"), "lacks the key 'error_categories'"),
    "no metadata": (without("metadata"), "lacks the key 'metadata'"),
    "no id": (without("metadata", "id"), "lacks the key 'metadata.id'"),
    "empty input": (having("", "input"), "input is wrong"),
    "other label": (having("wrong", "error_label"), "'error' or 'no_error'"),
    "null label": (having(None, "error_label"), "'error' or 'no_error'"),
    "boolean label": (having(True, "error_label"), "'error' or 'no_error'"),
    "categories in one text": (having("a, b", "error_categories"), "error_categories"),
    "other task": (having("poetry", "metadata", "task_name"), "'math', 'fact'"),
    "other model": (
        having("gpt-5", "metadata", "llm_response_model"),
        "metadata.llm_response_model is wrong: Input should be 'gpt4' or 'llama2'",
    ),
}


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_wrong_schema_names_file_line_and_key(
    change: Callable[[Record], None], said: str, tmp_path: Path
) -> None:
    records = deepcopy(ITEMS[:3])
    change(records[2])
    path = tmp_path / "some.jsonl"
    path.write_bytes(lines(records))
    with pytest.raises(InputError) as caught:
        realmistake(str(path), response_author="both")
    message = caught.value.message
    assert message.startswith("some.jsonl, line 3: The record")
    assert said in message
    assert records[0]["input"] not in message


@pytest.mark.parametrize("value", [[], "text", 3, None])
def test_a_record_is_an_object(value: object) -> None:
    with pytest.raises(InputError, match="type is wrong"):
        record_to_sample(value)


# --- selection -----------------------------------------------------------------------

SELECTIONS = {
    "defaults": ({}, set(FOLDERS), {"gpt4"}),
    "both": ({"response_author": "both"}, set(FOLDERS), {"gpt4", "llama2"}),
    "short names": (
        {"subset": "fact", "response_author": "llama2"},
        {"fact"},
        {"llama2"},
    ),
    "file names": (
        {
            "subset": "math_word_problem_generation",
            "response_author": "Llama-2-70b-chat-hf",
        },
        {"math"},
        {"llama2"},
    ),
    "names in metadata": (
        {
            "subset": "math_problem_generation",
            "response_author": "meta-llama/Llama-2-70b-chat-hf",
        },
        {"math"},
        {"llama2"},
    ),
    "one and both": (
        {"subset": "answerability_classification", "response_author": "both"},
        {"answerability"},
        {"gpt4", "llama2"},
    ),
    "gpt4": (
        {"subset": "finegrained_fact_verification", "response_author": "gpt-4-0613"},
        {"fact"},
        {"gpt4"},
    ),
}


@pytest.mark.parametrize(
    ("chosen", "subsets", "authors"), SELECTIONS.values(), ids=SELECTIONS
)
def test_selection(
    chosen: dict[str, Any], subsets: set[str], authors: set[str], archive: Path
) -> None:
    for source, size in (
        ("sample", dict.fromkeys(FILES, 7)),
        (archive, ITEMS_PER_CELL),
    ):
        counts = Counter(
            stratum(sample)[:2] for sample in realmistake(str(source), **chosen)
        )
        assert counts == {(s, a): size[a] for s in subsets for a in authors}


UNKNOWN = {
    "subset": ({"subset": "maths"}, "subset='maths'.*Did you mean 'math'"),
    "author": ({"response_author": "gpt-4"}, "allowed: gpt4, llama2, both"),
    "both subsets": ({"subset": "both"}, "allowed: math, fact, answerability, all"),
    "all authors": ({"response_author": "all"}, "response_author='all'"),
    "list": ({"subset": ["math", "fact"]}, "subset="),
    "seed": ({"seed": -1}, "seed=-1"),
    "near word": (
        {"source": "publishd"},
        "allowed: published, huggingface, sample, PATH to data.zip, its unpacked "
        "folder or one .jsonl. Did you mean 'published'",
    ),
    "missing path": ({"source": "no/such.zip"}, "no/such.zip does not exist.*=sample"),
    "other file": ({"source": str(ROOT / "LICENSE")}, "of none of these kinds"),
    "other folder": ({"source": str(ROOT / "tests")}, "tests/math_.* cannot be read"),
    "number": ({"source": 5}, "5 is no path"),
}


@pytest.mark.parametrize(("given", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_argument(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        realmistake(**{"source": "sample"} | given)


# --- what loading leaves behind ------------------------------------------------------


def test_the_answer_key_knows_the_loaded_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key: dict[str, str] = {}
    monkeypatch.setattr(answer_key, "_TRUTH", key)
    data = realmistake("sample", response_author="both")
    assert len(key) == len(data) == 42
    for sample in data:
        assert not isinstance(sample.input, str)
        asked = fingerprint(*(message.text for message in sample.input))
        assert answer_key.truth_of(asked) == sample.target


def test_responses_to_one_input_share_a_group(archive: Path) -> None:
    data = realmistake(str(archive), response_author="both")
    groups = Counter(metadata(sample)["input_group"] for sample in data)
    assert Counter(groups.values()) == {2: 3 * 140, 1: 3 * 20}
    assert len({metadata(sample)["fingerprint"] for sample in data}) == 900


def test_the_log_gets_no_path(archive: Path) -> None:
    data = realmistake(str(archive))
    assert (data.name, data.location) == ("realmistake", None)
