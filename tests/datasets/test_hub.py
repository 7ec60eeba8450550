"""What is taken from Hugging Face, whose hub these tests replace."""

import logging
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import bigcodebench as module
from inspect_debate.datasets.bigcodebench import bigcodebench, content_sha256
from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.datasets.questions import questions
from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.datasets.sources import Entry
from inspect_debate.debate.errors import InputError
from tests.datasets.hub import COMMIT, ERRORS, break_hub, datasets, replace_hub
from tests.datasets.made_bigcodebench import flat, nested, release, write_jsonl
from tests.datasets.made_clasheval import PUBLISHED, made_records
from tests.datasets.made_questions import (
    IN_WORDS,
    about_passages,
    by_id,
    dump,
    in_words,
    right,
    saved,
)
from tests.datasets.made_up import (
    FILES,
    FOLDERS,
    TABLE,
    Record,
    benchmark,
    examples,
    ids,
)

PLUS = "bubbleresearch/bigcodebench-plus"


def file_of(records: list[Any], folder: Path) -> Callable[[], str]:
    return lambda: write_jsonl(records, folder)


@pytest.fixture
def six(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The published BigCodeBench has six tasks."""
    monkeypatch.setattr(module, "ORIGINAL_TASKS", 6)
    return [flat(number) for number in range(6)]


@pytest.mark.parametrize(
    ("version", "split"), [(None, "v0.1.4"), ("v0.1.0_hf", "v0.1.0_hf")]
)
def test_the_original(
    version: str | None, split: str, six: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace_hub(monkeypatch, six)
    loaded = bigcodebench("bcb", version)
    assert asked == [
        ("info", "bigcode/bigcodebench", None),
        ("load", "bigcode/bigcodebench", {"split": split, "revision": COMMIT}),
    ]
    assert loaded.provenance == {
        "source": "published",
        "dataset": "bcb",
        "repository": "bigcode/bigcodebench",
        "revision": COMMIT,
        "version": split,
        "sha256": content_sha256(Entry("", record) for record in six),
        "verified": False,
        "tasks": 6,
        "tests": 12,
        "excluded": {},
    }
    assert {(s.metadata or {})["dataset_version"] for s in loaded.dataset} == {split}
    assert {str(s.id) for s in loaded.dataset} == {f"bcb-{n}" for n in range(6)}


def test_the_original_is_counted(
    six: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_hub(monkeypatch, six[1:])
    with pytest.raises(InputError, match="has 5 tasks, and should have 6"):
        bigcodebench("bcb")


def test_rows_are_named(six: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    del six[3]["test"]
    replace_hub(monkeypatch, six)
    said = r"^bigcode/bigcodebench/v0\.1\.4, row 4 \(BigCodeBench/3\) .* needs test"
    with pytest.raises(InputError, match=said):
        bigcodebench("bcb")


@pytest.mark.parametrize("version", ["v0.1.0", COMMIT, 1234567])
def test_another_version_of_the_plus(
    version: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = replace_hub(monkeypatch, None, file_of(release(), tmp_path))
    loaded = bigcodebench(version=version)
    assert asked == [
        ("info", PLUS, str(version)),
        ("download", PLUS, "tasks.jsonl", {"repo_type": "dataset", "revision": COMMIT}),
    ]
    told = {
        "source": "published",
        "repository": PLUS,
        "revision": COMMIT,
        "version": str(version),
        "verified": False,
        "tasks": 12,
    }
    assert told.items() <= loaded.provenance.items()
    assert {str(s.id) for s in loaded.dataset} == {f"bcbplus-{n}" for n in range(12)}


def test_published_tasks_without_solution_are_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    records = release(4)
    del (
        records[1]["content"]["canonical_solution"],
        records[1]["content"]["entry_point"],
    )
    records[2]["content"]["canonical_solution"] = None
    replace_hub(monkeypatch, None, file_of(records, tmp_path))
    told = bigcodebench(version="v0.1.0").provenance
    assert told["tasks"] == 2
    assert told["excluded"] == {
        "BigCodeBench/1": "lacks canonical_solution and entry_point",
        "BigCodeBench/2": "lacks canonical_solution",
    }
    assert told["sha256"] == content_sha256(Entry("", record) for record in records)
    with pytest.raises(InputError, match="it needs canonical_solution, a text"):
        bigcodebench(source=str(tmp_path / "tasks.jsonl"))


def test_published_tasks_that_are_broken_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replace_hub(monkeypatch, None, file_of([nested(1, test="x = 1")], tmp_path))
    said = rf"^{PLUS}/tasks\.jsonl, line 1 \(BigCodeBench/1\): .* no class TestCases"
    with pytest.raises(InputError, match=said):
        bigcodebench(version="v0.1.0")


@pytest.mark.parametrize("revision", [None, "v1.0", 1234567])
def test_the_resolved_revision_is_loaded_and_told(
    revision: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace_hub(monkeypatch, {"train": list(made_records(6))})
    loaded = clasheval(revision=revision, questions=36)
    assert asked == [
        ("info", "kewu93/ClashEval", revision and str(revision)),
        ("load", "kewu93/ClashEval", {"revision": COMMIT}),
    ]
    told = {"source": "published", "dataset": "kewu93/ClashEval", "revision": COMMIT}
    assert told.items() <= loaded.provenance.items()
    assert len(loaded.dataset) == 72


def test_splits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    records = list(made_records({"names": 10}))
    replace_hub(monkeypatch, {"train": records[:20], "test": records[20:]})
    found = [sample.metadata or {} for sample in clasheval().dataset]
    assert len(found) == 20
    for sample in found:
        number = int(sample["passage"].split()[1])
        assert sample["split"] == ("train" if number < 5 else "test")


def test_questions_that_are_not_there_are_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As where passages are withheld for their licence."""
    expected = dict.fromkeys(PUBLISHED, 30)
    module = "inspect_debate.datasets.clasheval"
    monkeypatch.setattr(f"{module}.PUBLISHED_QUESTIONS", expected)
    records = list(made_records(expected | {"years": 20}))
    for record in records:
        if record["dataset"] == "news" and "number 1" in record["question"]:
            record["context_original"] = record["context_mod"] = ""
    withheld = 11  # 1 and 10 to 19
    replace_hub(monkeypatch, {"train": records})
    with caplog.at_level(logging.WARNING):
        loaded = clasheval(questions=12)
    told = loaded.provenance
    assert told["missing"] == {"news": withheld, "years": 10}
    assert told["questions"] == expected | {"news": 30 - withheld, "years": 20}
    assert told["left_out"] == {
        "rows": {"withheld context": {"news": 11 * withheld}},
        "questions": {"withheld context": {"news": withheld}},
    }
    assert [record.getMessage() for record in caplog.records] == [
        f"ClashEval: rows without a passage left out: news {11 * withheld}.",
        "ClashEval: fewer questions with passages than were published, by "
        f"news {withheld}, years 10.",
    ]


def test_all_that_was_published(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    replace_hub(monkeypatch, {"train": list(made_records({"names": 200}))})
    with caplog.at_level(logging.WARNING):
        told = clasheval(domains="names", questions=10).provenance
    assert (told["questions"], told["missing"]) == ({"names": 200}, {})
    assert caplog.text == ""


def test_measured_degrees_are_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    records = list(made_records({"drugs": 6}))
    factors = list(dict.fromkeys(record["mod_degree"] for record in records))
    for record in records:
        record["mod_degree"] = str(factors.index(record["mod_degree"]))
    replace_hub(monkeypatch, {"train": records})
    with caplog.at_level(logging.WARNING):
        told = clasheval(domains="drugs", questions=6).provenance
    assert told["measured"] == ["drugs"]
    assert "it is measured on the answers of drugs" in caplog.text


@pytest.mark.parametrize(
    ("column", "named"),
    [("context_mod", "'context_mod'"), ("mod_degree", "'mod_degree' or 'mod_type'")],
)
def test_another_schema(
    column: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = list(made_records({"names": 6}))
    for record in records:
        del record[column]
    replace_hub(monkeypatch, {"train": records})
    with pytest.raises(InputError, match=f"^kewu93/ClashEval .* lacks {named};"):
        clasheval()


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, and a cache of the test's own."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def test_a_local_file_through_datasets(tmp_path: Path) -> None:
    path = saved(in_words(), tmp_path / "rooms.jsonl")
    loaded = questions(f"huggingface:{path}", IN_WORDS, seed=4)
    assert dump(loaded) == dump(questions(path, IN_WORDS, seed=4))
    told = {
        "source": "huggingface",
        "file": "rooms.jsonl",
        "split": "train",
        "fields": IN_WORDS,
        "rows": 12,
        "groups": 3,
    }
    assert told.items() <= loaded.provenance.items()
    assert len(loaded.provenance["sha256"]) == 64
    assert str(tmp_path) not in str(loaded.provenance)


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_kinds_of_files(ending: str, tmp_path: Path) -> None:
    path = saved(about_passages(), tmp_path / f"farms.{ending}")
    loaded = questions(f"huggingface:{path}")
    assert len(loaded.dataset) == 12
    assert {right(s) for s in loaded.dataset} == {
        row["answer"] for row in about_passages()
    }


def test_a_folder_with_splits(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    saved(about_passages(9), folder / "train.jsonl")
    saved(about_passages(3), folder / "test.jsonl")
    loaded = questions(f"huggingface:{folder}:test")
    assert len(loaded.dataset) == 3
    told = {"file": "data", "split": "test", "rows": 3}
    assert told.items() <= loaded.provenance.items()
    assert len(questions(f"huggingface:{folder}:train[:5]").dataset) == 5
    with pytest.raises(InputError) as caught:
        questions(f"huggingface:{folder}")
    assert caught.value.message == (
        "data has the splits train, test, and none is named; "
        "add one, as in huggingface:...:train."
    )
    with pytest.raises(InputError, match=r'could not be loaded .*split "dev"'):
        questions(f"huggingface:{folder}:dev")


def test_a_saved_data_set(tmp_path: Path) -> None:
    whole = datasets.Dataset.from_list(about_passages())
    whole.save_to_disk(str(tmp_path / "one"))
    datasets.DatasetDict({"a": whole, "b": whole.select([0])}).save_to_disk(
        str(tmp_path / "two")
    )
    one = questions(f"huggingface:{tmp_path}/one")
    assert (len(one.dataset), one.provenance["split"]) == (12, None)
    two = questions(f"huggingface:{tmp_path}/two:b")
    assert (len(two.dataset), two.provenance["split"]) == (1, "b")
    assert (
        by_id(two).items()
        <= {
            id: sample.model_copy(
                update={"metadata": (sample.metadata or {}) | {"data_name": "two"}}
            )
            for id, sample in by_id(one).items()
        }.items()
    )
    with pytest.raises(InputError, match="has the splits a, b, and 'c' is none of"):
        questions(f"huggingface:{tmp_path}/two:c")


def test_the_sha256_is_that_of_the_rows(tmp_path: Path) -> None:
    digests = [
        questions(f"huggingface:{saved(rows, tmp_path / name)}").provenance["sha256"]
        for rows, name in (
            (about_passages(), "a.jsonl"),
            (about_passages(), "b.parquet"),
            (about_passages(11), "c.jsonl"),
        )
    ]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize(
    ("typed", "name", "revision", "config", "split"),
    [
        ("o/n", "o/n", None, None, None),
        ("o/n:test", "o/n", None, None, "test"),
        ("o/n/c", "o/n", None, "c", None),
        ("o/n/c-1.0:test", "o/n", None, "c-1.0", "test"),
        ("o/n@v1", "o/n", "v1", None, None),
        ("o/n@v1/c:train[:10]", "o/n", "v1", "c", "train[:10]"),
        ("o/n@refs/convert/parquet/c", "o/n", "refs/convert/parquet", "c", None),
        ("o/n@refs/pr/3:test", "o/n", "refs/pr/3", None, "test"),
        ("squad", "squad", None, None, None),
        ("squad@1234567:validation", "squad", "1234567", None, "validation"),
    ],
)
def test_names_on_the_hub(
    typed: str,
    name: str,
    revision: str | None,
    config: str | None,
    split: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = datasets.Dataset.from_list(about_passages())
    asked = replace_hub(monkeypatch, part if split else {"only": part})
    loaded = questions(f"huggingface:{typed}")
    assert asked == [
        ("info", name, revision),
        ("load", name, config, {"split": split, "revision": COMMIT}),
    ]
    told = {
        "source": "huggingface",
        "dataset": name,
        "revision": COMMIT,
        "config": config,
        "split": split or "only",
    }
    assert told.items() <= loaded.provenance.items()
    assert loaded.dataset.name == name


def test_rows_and_columns_of_the_hub_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = about_passages()
    rows[4]["answer"] = "none"
    replace_hub(monkeypatch, {"test": datasets.Dataset.from_list(rows)})
    said = r"12 rows of o/n cannot .* out\. o/n/test, row 5: its answer is none"
    with pytest.raises(InputError, match=said):
        questions("huggingface:o/n")
    with pytest.raises(InputError, match="in o/n the column 'task' is not known; allo"):
        questions("huggingface:o/n", {"question": "task"})


def test_images_are_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row | {"seen": {"bytes": b"no image"}} for row in about_passages(3)]
    features = datasets.Features(
        {
            "question": datasets.Value("string"),
            "choices": datasets.List(datasets.Value("string")),
            "answer": datasets.Value("string"),
            "article": datasets.Value("string"),
            "seen": datasets.Image(),
        }
    )
    replace_hub(monkeypatch, {"t": datasets.Dataset.from_list(rows, features=features)})
    assert len(questions("huggingface:o/n").dataset) == 3


@pytest.mark.parametrize("where", ["hub", "saved", "parquet"])
def test_class_labels_have_their_names(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["entailment", "neutral", "contradiction"]
    features = datasets.Features(
        {
            "question": datasets.Value("string"),
            "label": datasets.ClassLabel(names=names),
        }
    )
    rows = [{"question": f"{n}?", "label": n - 1} for n in range(4)]
    told = datasets.Dataset.from_list(rows, features=features)
    if where == "hub":
        replace_hub(monkeypatch, {"t": told})
        asked = "huggingface:o/n"
    elif where == "saved":
        told.save_to_disk(str(tmp_path / "nli"))
        asked = f"huggingface:{tmp_path}/nli"
    else:
        asked = str(tmp_path / "nli.parquet")
        told.to_parquet(asked)
    with pytest.raises(
        InputError, match=r"row 1: it has no answer|record 1: it has no"
    ):
        questions(asked)  # -1 is what hidden labels are called
    loaded = questions(asked, {"skip_bad": True, "shuffle": False})
    found = {str(s.input): (s.choices, right(s)) for s in loaded.dataset}
    assert found == {f"{n + 1}?": (names, name) for n, name in enumerate(names)}
    assert loaded.provenance["fields"]["labels"] == {name: name for name in names}


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

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    loaded = realmistake("huggingface", response_author="both")
    assert ids(loaded) == ids(realmistake(str(archive), response_author="both"))
    assert sorted(asked) == sorted(
        ("ryokamoi/realmistake", folder, split)
        for folder in FOLDERS.values()
        for split in FILES
    )


def test_huggingface_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = benchmark()[TABLE][:-1]
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: rows)
    with pytest.raises(InputError, match="math/gpt4 has 139 items"):
        realmistake("huggingface", subset="math")


def test_huggingface_with_two_records_of_one_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = benchmark()[TABLE]
    other = deepcopy(rows[0]) | {"llm_response": "Something else."}
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: [*rows, other])
    with pytest.raises(InputError, match="has 2 records of id"):
        realmistake("huggingface", subset="math")


def test_huggingface_names_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = benchmark()[TABLE]
    del rows[4]["human_explanation"]
    monkeypatch.setattr(datasets, "load_dataset", lambda *_, **__: rows)
    with pytest.raises(InputError, match=r"realmistake/math_.*/gpt4, row 5: .*lacks"):
        realmistake("huggingface", subset="math")


BCB_PATHS = (
    "a file of tasks (.jsonl, .json, .parquet), or to a folder with one in each .json "
    "file (such as problems/ of a clone of the repository)."
)
UNREACHABLE: dict[str, tuple[Callable[[], object], str]] = {
    "bcb": (
        lambda: bigcodebench("bcb", "v9"),
        "Version 'v9' of Hugging Face's bigcode/bigcodebench could not be loaded (Out "
        f"of reach). Other sources: source=sample or source=PATH to {BCB_PATHS}",
    ),
    "bcb_plus": (
        lambda: bigcodebench("bcb_plus", "v9"),
        f"Version 'v9' of Hugging Face's {PLUS} could not be loaded (Out of reach). "
        f"Other sources: source=sample or source=PATH to {BCB_PATHS}",
    ),
    "clasheval": (
        lambda: clasheval(revision="v9"),
        "Hugging Face's kewu93/ClashEval at revision 'v9' could not be loaded (Out of "
        "reach). Other sources: source=sample or source=PATH to a .parquet, .csv or "
        ".jsonl file of its schema.",
    ),
    "questions": (
        lambda: questions("huggingface:o/n"),
        "Hugging Face's o/n could not be loaded (Out of reach).",
    ),
    "realmistake": (
        lambda: realmistake("huggingface"),
        "Hugging Face's ryokamoi/realmistake could not be loaded (Out of reach). "
        "It is gated: agree to its terms at "
        "https://huggingface.co/datasets/ryokamoi/realmistake and log in with `hf auth "
        "login`. Other sources: source=published, source=sample or source=PATH to "
        "data.zip, its unpacked folder or one .jsonl.",
    ),
}


@pytest.mark.parametrize("place", ["info", "load"])
@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("load", "message"), UNREACHABLE.values(), ids=[*UNREACHABLE])
def test_a_hub_that_cannot_be_had(
    load: Callable[[], object],
    message: str,
    kind: Any,
    place: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "realmistake" in message and place == "info":
        pytest.skip("it has no revisions")
    break_hub(monkeypatch, place, kind)
    with pytest.raises(InputError) as caught:
        load()
    assert caught.value.message == message
