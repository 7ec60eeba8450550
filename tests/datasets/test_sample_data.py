"""Integrity of the sample file that ships in place of ReaLMistake.

Whether an item's label is right cannot be tested; every item was worked by hand.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "datasets/data/realmistake_sample.jsonl"
ITEMS: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()
]

SUBSETS = {
    "math_word_problem_generation": "math",
    "finegrained_fact_verification": "fact",
    "answerability_classification": "answerability",
}
MODELS = ("gpt-4-0613", "Llama-2-70b-chat-hf")
CATEGORIES = (
    "Reasoning Correctness",
    "Instruction-Following",
    "Context-Faithfulness",
    "Parameterized Knowledge",
)
KEYS = {
    "input",
    "llm_response",
    "error_label",
    "human_explanation",
    "error_categories",
    "metadata",
}
METADATA_KEYS = {
    "id",
    "task_name",
    "task_source",
    "llm_response_model",
    "dataset",
    "difficulty",
}
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")


def labels(subset: str, model: str | None = None) -> Counter[str]:
    """The labels of a subset, or of one response model within it."""
    return Counter(
        item["error_label"]
        for item in ITEMS
        if item["metadata"]["task_name"] == subset
        and model in (None, item["metadata"]["llm_response_model"])
    )


def test_file_is_one_object_per_line_and_nothing_occurs_twice() -> None:
    raw = FILE.read_bytes()
    assert raw.count(b"\n") == len(ITEMS) == 42
    assert raw.endswith(b"}\n")
    for field in ("input", "llm_response"):
        assert len({item[field].strip() for item in ITEMS}) == len(ITEMS)
    assert len({item["metadata"]["id"] for item in ITEMS}) == len(ITEMS)


def test_schema() -> None:
    for item in ITEMS:
        assert item.keys() == KEYS
        metadata = item["metadata"]
        assert metadata.keys() == METADATA_KEYS
        assert metadata["task_source"] == "inspect-debate"
        assert metadata["dataset"] == "inspect-debate-sample"
        assert metadata["difficulty"] == "sample"
        assert metadata["llm_response_model"] in MODELS
        subset, model = SUBSETS[metadata["task_name"]], metadata["llm_response_model"]
        assert re.fullmatch(
            rf"sample_{subset}_(0[1-9]|1[0-4])_{re.escape(model)}", metadata["id"]
        )


@pytest.mark.parametrize("subset", SUBSETS)
def test_labels_of_subset(subset: str) -> None:
    assert labels(subset) == {"error": 8, "no_error": 6}
    for model in MODELS:
        counts = labels(subset, model)
        assert counts.total() == 7
        assert min(counts["error"], counts["no_error"]) >= 2


def test_label_explanation_and_categories_agree() -> None:
    for item in ITEMS:
        explanation, categories = item["human_explanation"], item["error_categories"]
        if item["error_label"] == "no_error":
            assert (explanation, categories) == ("", [])
            continue
        assert item["error_label"] == "error"
        assert 1 <= len(SENTENCE_END.findall(explanation)) <= 3
        assert explanation == explanation.strip()
        assert categories
        assert set(categories) <= set(CATEGORIES)
        assert len(set(categories)) == len(categories)
    for category in CATEGORIES:
        assert sum(category in item["error_categories"] for item in ITEMS) >= 4
    assert sum(len(item["error_categories"]) == 2 for item in ITEMS) >= 2


def test_texts_are_clean_and_of_one_length() -> None:
    for item in ITEMS:
        assert 60 <= len(item["input"].split()) <= 200
        assert 30 <= len(item["llm_response"].split()) <= 120
        for text in (item["input"], item["llm_response"], item["human_explanation"]):
            assert text == text.rstrip()
            assert not re.search(r"[^\S\n ]|\S  |\n{3}| \n", text)
            assert "\ufffd" not in text


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"“[^“”]+”", id="curly quotes"),
        pytest.param(r"\w — \w", id="em dash"),
        pytest.param(r"−\d", id="minus sign"),
        pytest.param(r"\d\.\d", id="decimal number"),
        pytest.param(r"x < 5", id="inequality"),
        pytest.param(r"[à-öø-ÿ]", id="accent"),
        pytest.param(r"\A \S", id="leading space"),
        pytest.param(r"(?m)^- .+\n- ", id="list over lines"),
    ],
)
def test_responses_exercise_quote_verification(pattern: str) -> None:
    assert any(re.search(pattern, item["llm_response"]) for item in ITEMS)
