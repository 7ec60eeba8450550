"""The loader, on the shipped sample and on a made-up benchmark of the published form."""

import hashlib
import importlib
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample

from inspect_debate.core import answer_key
from inspect_debate.core.errors import InputError
from inspect_debate.core.question import fingerprint
from inspect_debate.datasets import realmistake_sources
from inspect_debate.datasets.archive import Pinned
from inspect_debate.datasets.realmistake import (
    provenance,
    realmistake,
    record_to_sample,
)
from tests.datasets.loopback import Reply, serve
from tests.datasets.zipcrypto import encrypted_zip

Record = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "datasets/data/realmistake_sample.jsonl"
ITEMS: list[Record] = [
    json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()
]
FOLDERS = {
    "math": "math_word_problem_generation",
    "fact": "finegrained_fact_verification",
    "answerability": "answerability_classification",
}
FILES = {"gpt4": "gpt-4-0613", "llama2": "Llama-2-70b-chat-hf"}
ERRORS = {
    "gpt4": {"math": 87, "fact": 88, "answerability": 87},
    "llama2": {"math": 128, "fact": 129, "answerability": 130},
}
ITEMS_PER_CELL = {"gpt4": 140, "llama2": 160}
TABLE = "math_word_problem_generation/gpt-4-0613.jsonl"


# --- a made-up benchmark -------------------------------------------------------------


def made_up(subset: str, author: str, number: int) -> Record:
    """A record of the published form; both authors answer the same inputs."""
    task = FOLDERS[subset]
    if subset == "math":
        task = "math_problem_generation"
    model = FILES[author] if author == "gpt4" else f"meta-llama/{FILES[author]}"
    wrong = number < ERRORS[author][subset]
    return {
        "input": f"Task {number} of {subset}.",
        "llm_response": f" Answer {number} by {author} to {subset}.",
        "error_label": "error" if wrong else "no_error",
        "human_explanation": "Made up." if wrong else "",
        "error_categories": ["Instruction-Following"] if wrong else [],
        "metadata": {
            "id": f"{task}_{number}_{model}",
            "task_name": task,
            "task_source": "made up",
            "llm_response_model": model,
            "dataset": "realmistake",
            "difficulty": "easy",
        },
    }


def benchmark() -> dict[str, list[Record]]:
    """Its records by file."""
    return {
        f"{FOLDERS[subset]}/{FILES[author]}.jsonl": [
            made_up(subset, author, number) for number in range(ITEMS_PER_CELL[author])
        ]
        for subset in FOLDERS
        for author in FILES
    }


def lines(records: Iterable[object]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def examples() -> list[Record]:
    return [made_up(subset, "gpt4", 3) for subset in FOLDERS]


def zipped(files: dict[str, list[Record]], password: str = "open-realmistake") -> bytes:
    members = {f"data/{name}": lines(records) for name, records in files.items()}
    return encrypted_zip({"data/example.jsonl": lines(examples())} | members, password)


def unpacked(files: dict[str, list[Record]], folder: Path) -> Path:
    for name, records in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(lines(records))
    return folder


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made_up") / "data.zip"
    path.write_bytes(zipped(benchmark()))
    return path


def ids(samples: Iterable[Sample]) -> list[object]:
    return [sample.id for sample in samples]


def metadata(sample: Sample) -> dict[str, Any]:
    assert sample.metadata is not None
    return sample.metadata


def stratum(sample: Sample) -> tuple[object, ...]:
    given = metadata(sample)
    return given["subset"], given["response_author"], str(sample.target)


# --- a record ------------------------------------------------------------------------


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
    chosen: dict[str, str], subsets: set[str], authors: set[str], archive: Path
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
    "other file": ({"source": str(ROOT / "LICENSE")}, "no .zip, no .jsonl"),
    "other folder": ({"source": str(ROOT / "tests")}, "tests/math_.* cannot be read"),
    "number": ({"source": 5}, "source=5"),
}


@pytest.mark.parametrize(("given", "said"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_argument(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        realmistake(**{"source": "sample"} | given)


# --- order ---------------------------------------------------------------------------


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
        assert answer_key.truth(asked) == sample.target


def test_responses_to_one_input_share_a_group(archive: Path) -> None:
    data = realmistake(str(archive), response_author="both")
    groups = Counter(metadata(sample)["input_group"] for sample in data)
    assert Counter(groups.values()) == {2: 3 * 140, 1: 3 * 20}
    assert len({metadata(sample)["fingerprint"] for sample in data}) == 900


def test_the_log_gets_no_path(archive: Path) -> None:
    data = realmistake(str(archive))
    assert (data.name, data.location) == ("realmistake", None)


# --- sources -------------------------------------------------------------------------


def test_the_same_data_from_every_kind_of_path(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.core.paths.STARTED_IN", tmp_path)
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

    monkeypatch.setattr(
        realmistake_sources.resources, "files", lambda _: Cut(), raising=True
    )
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


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


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


# --- Hugging Face --------------------------------------------------------------------

hub: Any = importlib.import_module("datasets")


def test_huggingface_is_the_same_data_without_the_examples(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paper's three examples are copies of records, wherever they stand."""
    asked = []

    def load_dataset(path: str, name: str, split: str) -> list[Record]:
        asked.append((path, name, split))
        rows = benchmark()[f"{name}/{FILES[split]}.jsonl"]
        copies = [e for e in examples() if e in rows]
        return [*copies, *rows, *copies]

    monkeypatch.setattr(hub, "load_dataset", load_dataset)
    loaded = realmistake("huggingface", response_author="both")
    assert ids(loaded) == ids(realmistake(str(archive), response_author="both"))
    assert sorted(asked) == sorted(
        ("ryokamoi/realmistake", folder, split)
        for folder in FOLDERS.values()
        for split in FILES
    )


def test_huggingface_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = benchmark()[TABLE][:-1]
    monkeypatch.setattr(hub, "load_dataset", lambda *_, **__: rows)
    with pytest.raises(InputError, match="math/gpt4 has 139 items"):
        realmistake("huggingface", subset="math")


def test_huggingface_with_two_records_of_one_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = benchmark()[TABLE]
    other = deepcopy(rows[0]) | {"llm_response": "Something else."}
    monkeypatch.setattr(hub, "load_dataset", lambda *_, **__: [*rows, other])
    with pytest.raises(InputError, match="has 2 records of id"):
        realmistake("huggingface", subset="math")


def test_huggingface_names_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = benchmark()[TABLE]
    del rows[4]["human_explanation"]
    monkeypatch.setattr(hub, "load_dataset", lambda *_, **__: rows)
    with pytest.raises(InputError, match="realmistake/math_.*/gpt4, row 5: .*lacks"):
        realmistake("huggingface", subset="math")


@pytest.mark.parametrize(
    "error",
    [
        hub.exceptions.DatasetNotFoundError("Dataset is gated.\nLog in."),
        hub.exceptions.DatasetGenerationError("Dataset is gated."),
        ConnectionError("Dataset is gated."),
        ValueError("Dataset is gated."),
        importlib.import_module("httpx").ConnectError("Dataset is gated."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_huggingface_that_cannot_be_had(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load_dataset(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(hub, "load_dataset", load_dataset)
    with pytest.raises(InputError) as caught:
        realmistake("huggingface")
    assert caught.value.message == (
        "Hugging Face's ryokamoi/realmistake could not be loaded (Dataset is gated.): "
        "it is gated, so agree to its terms at "
        "https://huggingface.co/datasets/ryokamoi/realmistake and log in with `hf auth "
        "login`. Other sources: source=published, source=sample or source=PATH to "
        "data.zip, its unpacked folder or one .jsonl."
    )


def test_hugging_face_is_imported_late_and_found_from_the_root() -> None:
    code = (
        "import sys, importlib, inspect_debate.datasets.realmistake\n"
        "assert 'datasets' not in sys.modules\n"
        "assert hasattr(importlib.import_module('datasets'), 'load_dataset')"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


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
