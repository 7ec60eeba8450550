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
    SUBSETS,
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

PINNED = {
    "url": "https://github.com/psunlpgroup/ReaLMistake/raw/"
    "f94a8b978926414deb1dcf6b50076fd06c892192/data.zip",
    "commit": "f94a8b978926414deb1dcf6b50076fd06c892192",
    "sha256": "84621a2898fe3ff9ad4162a00e44a19d586ff5ad39ff4a785c79b28d06d9159a",
}
OTHER_SOURCES = (
    "Other sources: source=huggingface, source=sample or source=PATH to data.zip, "
    "its unpacked folder or one .jsonl."
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


WRONG_BY_CATEGORY = {"error_label": "no_error", "error_categories": ["Reasoning"]}
LABELS: list[tuple[Record, str]] = [
    ({"label": "error"}, "error"),
    ({"label": "error", "error_label": "no_error"}, "no_error"),
    ({"error_label": "error"}, "error"),
    (WRONG_BY_CATEGORY | {"human_explanation": "Something."}, "no_error"),
]


@pytest.mark.parametrize(("given", "expected"), LABELS)
def test_label_is_read_and_not_derived(given: Record, expected: str) -> None:
    record = deepcopy(ITEMS[0]) | {"error_categories": [], "human_explanation": ""}
    del record["error_label"]
    assert record_to_sample(record | given).target == expected


NO_RECORDS: list[tuple[object, str]] = [
    ({**ITEMS[0], "error_label": None}, "'error' or 'no_error'"),
    ({**ITEMS[0], "error_label": True}, "'error' or 'no_error'"),
    *[([], "type is wrong"), ("text", "type is wrong")],
    *[(3, "type is wrong"), (None, "type is wrong")],
]


@pytest.mark.parametrize(("value", "message"), NO_RECORDS)
def test_what_is_no_record(value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        record_to_sample(value)


LLAMA = "Llama-2-70b-chat-hf"
SELECTIONS: list[tuple[dict[str, str], set[str], set[str]]] = [
    ({}, set(FOLDERS), {"gpt4"}),
    ({"response_author": "both"}, set(FOLDERS), {"gpt4", "llama2"}),
    ({"subset": "fact", "response_author": "llama2"}, {"fact"}, {"llama2"}),
    (
        {"subset": "math_word_problem_generation", "response_author": LLAMA},
        *({"math"}, {"llama2"}),
    ),
    (
        {"subset": "math_problem_generation", "response_author": f"meta-llama/{LLAMA}"},
        *({"math"}, {"llama2"}),
    ),
    (
        {"subset": "answerability_classification", "response_author": "both"},
        *({"answerability"}, {"gpt4", "llama2"}),
    ),
    (
        {"subset": "finegrained_fact_verification", "response_author": "gpt-4-0613"},
        *({"fact"}, {"gpt4"}),
    ),
]


@pytest.mark.parametrize(("chosen", "subsets", "authors"), SELECTIONS)
def test_selection(
    chosen: dict[str, Any], subsets: set[str], authors: set[str], archive: Path
) -> None:
    sizes = {"sample": dict.fromkeys(FILES, 7), str(archive): ITEMS_PER_CELL}
    for source, size in sizes.items():
        found = realmistake(source, **chosen)
        counts = Counter(stratum(sample)[:2] for sample in found)
        assert counts == {(s, a): size[a] for s in subsets for a in authors}
        assert (found.name, found.location) == ("realmistake", None)


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


def test_the_same_data_from_every_kind_of_path(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    unpacked(benchmark(), tmp_path / "near/data")
    everything = (record for records in benchmark().values() for record in records)
    (tmp_path / "all.jsonl").write_bytes(lines(everything))
    expected = ids(realmistake(str(archive)))
    assert len(expected) == 420
    for typed in ("near", "near/data", "near/data/", "all.jsonl"):
        assert ids(realmistake(typed)) == expected


def test_one_jsonl_may_be_any_part(tmp_path: Path) -> None:
    path = tmp_path / "example.jsonl"
    path.write_bytes(lines(examples()))
    assert {*ids(realmistake(str(path)))} == {e["metadata"]["id"] for e in examples()}
    with pytest.raises(InputError, match="has no record of math/llama2"):
        realmistake(str(path), subset="math", response_author="llama2")


Files = dict[str, list[Record]]


def lacking(files: Files) -> None:
    files[TABLE].pop()


def relabelled(files: Files) -> None:
    files[TABLE][0]["error_label"] = "no_error"


def misplaced(files: Files) -> None:
    files[TABLE] = files[TABLE.replace("gpt-4-0613", LLAMA)]


def doubled(files: Files) -> None:
    files[TABLE][1]["metadata"]["id"] = files[TABLE][0]["metadata"]["id"]


CHANGES: dict[Callable[[Files], None], str] = {
    lacking: "math/gpt4 has 139 items, 87 of them.* have 140 and 87",
    relabelled: "math/gpt4 has 140 items, 86 of them",
    misplaced: "math/gpt4 has 0 items",
    doubled: "has 2 records of id 'math_problem_generation_0_gpt-4-0613'",
}


@pytest.mark.parametrize("kind", ["archive", "folder"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_whole_benchmark_is_counted(
    change: Callable[[Files], None], kind: str, tmp_path: Path
) -> None:
    files = benchmark()
    change(files)
    path = tmp_path / "data.zip"
    path.write_bytes(zipped(files))
    if kind == "folder":
        path = unpacked(files, tmp_path / "data")
    with pytest.raises(InputError, match=CHANGES[change]):
        realmistake(str(path))
    assert len(realmistake(str(path), subset="fact")) == 140


def test_the_sample_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "inspect_debate.datasets.realmistake.shipped_bytes"
    monkeypatch.setattr(module, lambda name: lines(ITEMS[1:]))
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


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_archive(
    content: Callable[[], bytes], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(content())
    with pytest.raises(InputError, match=message):
        realmistake(str(path))


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
    (cached,) = (path for path in cache.rglob("*") if path.is_file())
    assert cached == cache / "realmistake/data.zip"
    assert cached.read_bytes() == content


def test_published_that_cannot_be_had_names_the_other_sources(
    archive: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Reply(b"other bytes")) as server:
        pin(monkeypatch, server.url, archive.read_bytes())
        with pytest.raises(InputError) as caught:
            realmistake()
    assert caught.value.message.endswith(OTHER_SOURCES)


def test_provenance(archive: Path) -> None:
    hub = {"source": "huggingface", "dataset": "ryokamoi/realmistake"}
    sample = {"source": "sample", "file": "realmistake_sample.jsonl"}
    folder = {"source": "path", "file": archive.parent.name}
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    assert realmistake_sources.PUBLISHED.url == PINNED["url"]
    assert provenance("published") == {"source": "published", **PINNED}
    assert provenance("huggingface") == hub
    assert provenance("sample") == sample
    assert provenance(str(archive.parent)) == folder
    assert provenance(str(archive)) == folder | {"file": "data.zip", "sha256": digest}
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
    for seed in range(2):
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


def test_order_depends_on_the_seed_and_not_on_the_file(tmp_path: Path) -> None:
    first, same, other = (ids(realmistake("sample", seed=seed)) for seed in (1, 1, 2))
    assert first == same != other
    assert set(first) == set(other)
    expected = ids(realmistake("sample", response_author="both", seed=7))
    for shuffle in range(5):
        records = list(ITEMS)
        random.Random(shuffle).shuffle(records)
        path = tmp_path / f"{shuffle}.jsonl"
        path.write_bytes(lines(records))
        assert ids(realmistake(str(path), response_author="both", seed=7)) == expected


# The sample that ships.

MODELS = ("gpt-4-0613", LLAMA)
CATEGORIES = (
    *("Reasoning Correctness", "Instruction-Following"),
    *("Context-Faithfulness", "Parameterized Knowledge"),
)
KEYS = {
    *("input", "llm_response", "error_label", "human_explanation"),
    *("error_categories", "metadata"),
}
METADATA = {
    **{"task_source": "inspect-debate", "dataset": "inspect-debate-sample"},
    "difficulty": "sample",
}


def test_schema_of_the_sample() -> None:
    raw = SAMPLE.read_bytes()
    assert raw.count(b"\n") == len(ITEMS) == 42
    assert raw.endswith(b"}\n")
    for field in ("input", "llm_response"):
        assert len({item[field].strip() for item in ITEMS}) == len(ITEMS)
    assert len({item["metadata"]["id"] for item in ITEMS}) == len(ITEMS)
    names = {long[0]: short for short, long in SUBSETS.items()}
    for item in ITEMS:
        given = item["metadata"]
        model, subset = given["llm_response_model"], names[given["task_name"]]
        assert item.keys() == KEYS
        assert given.keys() == METADATA.keys() | {
            "id",
            "task_name",
            "llm_response_model",
        }
        assert METADATA.items() <= given.items()
        assert model in MODELS
        number = given["id"].removeprefix(f"sample_{subset}_").removesuffix(f"_{model}")
        assert re.fullmatch("0[1-9]|1[0-4]", number)


def test_labels_are_balanced_and_agree_with_explanations_and_categories() -> None:
    counts = Counter(
        (item["metadata"]["task_name"], item["metadata"]["llm_response_model"], label)
        for item in ITEMS
        for label in (item["error_label"], "either")
    )
    for subset, *_ in SUBSETS.values():
        assert {counts[subset, model, "either"] for model in MODELS} == {7}
        for label, total in (("error", 8), ("no_error", 6)):
            found = [counts[subset, model, label] for model in MODELS]
            assert (sum(found), min(found) >= 2) == (total, True)
    for item in ITEMS:
        explanation, categories = item["human_explanation"], item["error_categories"]
        if item["error_label"] == "no_error":
            assert (explanation, categories) == ("", [])
            continue
        assert 1 <= len(re.findall(r"[.!?](?=\s|$)", explanation)) <= 3
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
            assert not re.search(r"[^\S\n ]|\S  |\n{3}| \n|\ufffd", text)


# What quotes are verified on: curly quotes, an em dash, a minus sign, a decimal number,
# an inequality, an accent, a space in front, a list over lines.
PATTERNS = [
    *(r"“[^“”]+”", r"\w — \w", r"−\d", r"\d\.\d", r"x < 5", r"[à-öø-ÿ]", r"\A \S"),
    r"(?m)^- .+\n- ",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_responses_exercise_quote_verification(pattern: str) -> None:
    assert any(re.search(pattern, item["llm_response"]) for item in ITEMS)
