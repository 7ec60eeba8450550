"""ReaLMistake: records, selections, sources, order, and the sample that ships."""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import realmistake as realmistake_sources
from inspect_debate.datasets import sources as answer_key
from inspect_debate.datasets.archive import Pinned
from inspect_debate.datasets.realmistake import (
    provenance,
    realmistake,
    record_to_sample,
)
from inspect_debate.debate.errors import InputError
from inspect_debate.debate.seeds import fingerprint
from tests.datasets.loopback import Reply, serve
from tests.datasets.made_up import (
    FILES,
    FOLDERS,
    ITEMS,
    ITEMS_PER_CELL,
    SAMPLE,
    TABLE,
    Record,
    benchmark,
    examples,
    ids,
    lines,
    metadata,
    stratum,
    unpacked,
    zipped,
)
from tests.datasets.zipcrypto import encrypted_zip


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


@pytest.mark.parametrize("label", [None, True])
def test_a_label_is_one_of_two_words(label: object) -> None:
    with pytest.raises(InputError, match="'error' or 'no_error'"):
        record_to_sample(deepcopy(ITEMS[0]) | {"error_label": label})


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


def test_the_same_data_from_every_kind_of_path(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    unpacked(benchmark(), tmp_path / "near/data")
    (tmp_path / "all.jsonl").write_bytes(
        lines(record for records in benchmark().values() for record in records)
    )
    expected = ids(realmistake(str(archive)))
    assert len(expected) == 420
    for typed in ("near", "near/data", "near/data/", "all.jsonl"):
        assert ids(realmistake(typed)) == expected


def test_one_jsonl_may_be_any_part(tmp_path: Path) -> None:
    path = tmp_path / "example.jsonl"
    path.write_bytes(lines(examples()))
    assert set(ids(realmistake(str(path)))) == {
        example["metadata"]["id"] for example in examples()
    }
    with pytest.raises(InputError, match="has no record of math/llama2"):
        realmistake(str(path), subset="math", response_author="llama2")


def lacking(files: dict[str, list[Record]]) -> None:
    files[TABLE].pop()


def relabelled(files: dict[str, list[Record]]) -> None:
    files[TABLE][0]["error_label"] = "no_error"


def misplaced(files: dict[str, list[Record]]) -> None:
    files[TABLE] = files[TABLE.replace("gpt-4-0613", "Llama-2-70b-chat-hf")]


def doubled(files: dict[str, list[Record]]) -> None:
    files[TABLE][1]["metadata"]["id"] = files[TABLE][0]["metadata"]["id"]


@pytest.mark.parametrize("kind", ["archive", "folder"])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lacking, "math/gpt4 has 139 items, 87 of them.* have 140 and 87"),
        (relabelled, "math/gpt4 has 140 items, 86 of them"),
        (misplaced, "math/gpt4 has 0 items"),
        (doubled, "has 2 records of id 'math_problem_generation_0_gpt-4-0613'"),
    ],
)
def test_a_whole_benchmark_is_counted(
    change: Callable[[dict[str, list[Record]]], None],
    said: str,
    kind: str,
    tmp_path: Path,
) -> None:
    files = benchmark()
    change(files)
    path = tmp_path / "data.zip"
    path.write_bytes(zipped(files))
    if kind == "folder":
        path = unpacked(files, tmp_path / "data")
    with pytest.raises(InputError, match=said):
        realmistake(str(path))
    assert len(realmistake(str(path), subset="fact")) == 140


def test_the_sample_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cut:
        def __truediv__(self, name: str) -> "Cut":
            return self

        def read_bytes(self) -> bytes:
            return lines(ITEMS[1:])

    monkeypatch.setattr("importlib.resources.files", lambda _: Cut())
    with pytest.raises(InputError, match="has 6 items"):
        realmistake("sample", response_author="both")


BROKEN = {
    "password": (lambda: zipped(benchmark(), "another"), "the password|is damaged"),
    "no zip": (lambda: b"not a zip", "no zip archive"),
    "no task": (lambda: encrypted_zip({"x": b"1"}, "p"), "has no file data/math_word"),
    "no JSON": (
        lambda: encrypted_zip({f"data/{TABLE}": b"1,2\n"}, "open-realmistake"),
        "data.zip/data/math_word_problem_generation/gpt-4-0613.jsonl, line 1 is not",
    ),
}


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_archive(
    content: Callable[[], bytes], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(content())
    with pytest.raises(InputError, match=said):
        realmistake(str(path))


# --- the published archive -----------------------------------------------------------


def pin(monkeypatch: pytest.MonkeyPatch, url: str, content: bytes) -> None:
    pinned = Pinned(url, hashlib.sha256(content).hexdigest(), "realmistake/data.zip")
    monkeypatch.setattr(realmistake_sources, "PUBLISHED", pinned)


def test_published_is_downloaded_once_and_stays_encrypted(
    archive: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = archive.read_bytes()
    with serve(Reply(content)) as server:
        pin(monkeypatch, server.url, content)
        assert ids(realmistake()) == ids(realmistake(str(archive)))
        assert len(realmistake(response_author="both")) == 900
    assert len(server.requests) == 1
    assert [path for path in cache.rglob("*") if path.is_file()] == [
        cache / "realmistake/data.zip"
    ]
    assert (cache / "realmistake/data.zip").read_bytes() == content


def test_published_that_cannot_be_had_names_the_other_sources(
    archive: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Reply(b"other bytes")) as server:
        pin(monkeypatch, server.url, archive.read_bytes())
        with pytest.raises(InputError) as caught:
            realmistake()
    assert caught.value.message.endswith(
        "Other sources: source=huggingface, source=sample or source=PATH to data.zip, "
        "its unpacked folder or one .jsonl."
    )


def test_published_is_what_the_authors_pinned() -> None:
    assert realmistake_sources.PUBLISHED.url == (
        "https://github.com/psunlpgroup/ReaLMistake/raw/"
        "f94a8b978926414deb1dcf6b50076fd06c892192/data.zip"
    )


# --- provenance ----------------------------------------------------------------------


def test_provenance(archive: Path) -> None:
    assert provenance("published") == {
        "source": "published",
        "url": "https://github.com/psunlpgroup/ReaLMistake/raw/"
        "f94a8b978926414deb1dcf6b50076fd06c892192/data.zip",
        "commit": "f94a8b978926414deb1dcf6b50076fd06c892192",
        "sha256": "84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a",
    }
    assert provenance("huggingface") == {
        "source": "huggingface",
        "dataset": "ryokamoi/realmistake",
    }
    assert provenance("sample") == {
        "source": "sample",
        "file": "realmistake_sample.jsonl",
    }
    assert provenance(str(archive)) == {
        "source": "path",
        "file": "data.zip",
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
    }
    assert provenance(str(archive.parent)) == {
        "source": "path",
        "file": archive.parent.name,
    }
    with pytest.raises(InputError):
        provenance("publishd")


@pytest.mark.parametrize("author", ["gpt4", "llama2", "both"])
@pytest.mark.parametrize("subset", ["all", "fact"])
@pytest.mark.parametrize("source", ["sample", "made up"])
def test_every_prefix_is_balanced(
    source: str, subset: str, author: str, archive: Path
) -> None:
    """Strata and all their margins, the labels for one, are close to their shares."""
    bound = 1.5 if author == "both" else 1.0
    for seed in range(3):
        path = str(archive) if source == "made up" else source
        strata = [stratum(s) for s in realmistake(path, subset, author, seed)]
        for size in (1, 2, 3):
            for factors in combinations(range(3), size):
                seen = [tuple(key[n] for n in factors) for key in strata]
                assert farthest(seen) < bound, (seed, factors)


def farthest(seen: list[tuple[object, ...]]) -> float:
    """The largest distance, over all prefixes, of a count from its share."""
    whole, so_far, distance = Counter(seen), Counter[tuple[object, ...]](), 0.0
    for place, key in enumerate(seen, start=1):
        so_far[key] += 1
        shares = {key: place * count / len(seen) for key, count in whole.items()}
        distance = max(distance, *(abs(so_far[k] - s) for k, s in shares.items()))
    return distance


def test_farthest_sees_an_imbalance() -> None:
    assert farthest([("a",), ("a",), ("b",), ("b",)]) == 1.0
    assert farthest([("a",), ("b",), ("a",), ("b",)]) == 0.5


def test_order_depends_on_the_seed_alone() -> None:
    first = ids(realmistake("sample", seed=1))
    assert ids(realmistake("sample", seed=1)) == first
    assert ids(realmistake("sample", seed=2)) != first
    assert set(ids(realmistake("sample", seed=2))) == set(first)


def test_order_does_not_depend_on_the_file(tmp_path: Path) -> None:
    expected = ids(realmistake("sample", response_author="both", seed=7))
    for shuffle in range(5):
        records = list(ITEMS)
        random.Random(shuffle).shuffle(records)
        path = tmp_path / f"{shuffle}.jsonl"
        path.write_bytes(lines(records))
        assert ids(realmistake(str(path), response_author="both", seed=7)) == expected


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
    raw = SAMPLE.read_bytes()
    assert raw.count(b"\n") == len(ITEMS) == 42
    assert raw.endswith(b"}\n")
    for field in ("input", "llm_response"):
        assert len({item[field].strip() for item in ITEMS}) == len(ITEMS)
    assert len({item["metadata"]["id"] for item in ITEMS}) == len(ITEMS)


def test_schema_of_the_sample() -> None:
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


def test_texts_of_the_sample_are_clean() -> None:
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
