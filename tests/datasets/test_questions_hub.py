"""Hugging Face's `datasets`: local files for real, and a hub that is replaced."""

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from inspect_debate.datasets.questions import questions
from inspect_debate.datasets.questions_sources import of_hub
from inspect_debate.debate.errors import InputError
from tests.datasets.made_questions import (
    IN_WORDS,
    about_passages,
    by_id,
    dump,
    in_words,
    right,
    saved,
)

datasets: Any = importlib.import_module("datasets")
hub: Any = importlib.import_module("huggingface_hub")

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Asked = list[tuple[object, ...]]


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


def replace_hub(monkeypatch: pytest.MonkeyPatch, loaded: Any) -> Asked:
    """Replace the hub; returns what it is asked, as it is."""
    asked: Asked = []

    def dataset_info(_: object, name: str, revision: str | None) -> SimpleNamespace:
        asked.append(("info", name, revision))
        return SimpleNamespace(sha=COMMIT)

    def load_dataset(*what: object, **how: object) -> Any:
        asked.append((*what, how))
        return loaded

    monkeypatch.setattr(hub.HfApi, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    return asked


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
        (name, config, {"split": split, "revision": COMMIT}),
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


@pytest.mark.parametrize(
    "typed", ["", ":test", "o/n@", "@v1", "o//c", "o/n@v1@v2", "a b:"]
)
def test_names_of_no_form(typed: str) -> None:
    with pytest.raises(InputError, match=f"^dataset=huggingface:{typed} is not of"):
        of_hub(typed)


def test_local_paths_that_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file or folder .*none\.json"):
        of_hub(f"{tmp_path}/none.json:train")
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(InputError, match=r"of none of these kinds: \.csv, \.json"):
        of_hub(f"{tmp_path}/a.txt")
    (tmp_path / "b.json").write_text("no json")
    with pytest.raises(InputError, match=r"b\.json could not be loaded \(JSON"):
        of_hub(f"{tmp_path}/b.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="could not be loaded"):
        of_hub(f"{tmp_path}/empty")


ERRORS = [
    hub.errors.RevisionNotFoundError,
    hub.errors.HTTPError,  # what its client raises where there is no connection
    hub.errors.OfflineModeIsEnabled,
    hub.errors.HFValidationError,
    datasets.exceptions.DatasetNotFoundError,
    datasets.exceptions.DatasetGenerationError,
    ConnectionError,
    ValueError,  # of a configuration that is not named
    RuntimeError,
]


@pytest.mark.parametrize("place", ["info", "load"])
@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_a_hub_that_cannot_be_had(
    place: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = issubclass(kind, hub.errors.HfHubHTTPError)
    answer = {"response": SimpleNamespace(headers={}, request=None)} if served else {}

    def fails(*_: object, **__: object) -> None:
        raise kind("Out of reach.\nTry later.", **answer)

    replace_hub(monkeypatch, {})
    if place == "info":
        monkeypatch.setattr(hub.HfApi, "dataset_info", fails)
    else:
        monkeypatch.setattr(datasets, "load_dataset", fails)
    with pytest.raises(InputError) as caught:
        questions("huggingface:o/n")
    assert caught.value.message == (
        "Hugging Face's o/n could not be loaded (Out of reach)."
    )
