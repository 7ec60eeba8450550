"""What is taken from Hugging Face, whose hub these tests replace."""

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from inspect_debate.datasets import bigcodebench as module
from inspect_debate.datasets.bigcodebench import bigcodebench, content_sha256
from inspect_debate.datasets.sources import Entry
from inspect_debate.debate.errors import InputError
from tests.datasets.made_bigcodebench import flat, nested, release, write_jsonl

datasets: Any = importlib.import_module("datasets")
hub: Any = importlib.import_module("huggingface_hub")

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PLUS = "bubbleresearch/bigcodebench-plus"
Asked = list[tuple[object, ...]]


def replace_hub(
    monkeypatch: pytest.MonkeyPatch, records: list[Any], folder: Path | None = None
) -> Asked:
    """Replace the hub by one that has these records; returns what it is asked."""
    asked: Asked = []

    def dataset_info(_: object, name: str, revision: str | None) -> SimpleNamespace:
        asked.append(("info", name, revision))
        return SimpleNamespace(sha=COMMIT)

    def load_dataset(name: str, split: str, revision: str) -> list[Any]:
        asked.append(("load", name, split, revision))
        return records

    def hf_hub_download(name: str, file: str, repo_type: str, revision: str) -> str:
        asked.append(("download", name, file, repo_type, revision))
        assert folder is not None
        return write_jsonl(records, folder)

    monkeypatch.setattr(hub.HfApi, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    monkeypatch.setattr(hub, "hf_hub_download", hf_hub_download)
    return asked


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
        ("load", "bigcode/bigcodebench", split, COMMIT),
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
    asked = replace_hub(monkeypatch, release(), tmp_path)
    loaded = bigcodebench(version=version)
    assert asked == [
        ("info", PLUS, str(version)),
        ("download", PLUS, "tasks.jsonl", "dataset", COMMIT),
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
    replace_hub(monkeypatch, records, tmp_path)
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
    replace_hub(monkeypatch, [nested(1, test="x = 1")], tmp_path)
    said = rf"^{PLUS}/tasks\.jsonl, line 1 \(BigCodeBench/1\): .* no class TestCases"
    with pytest.raises(InputError, match=said):
        bigcodebench(version="v0.1.0")


ERRORS = [
    hub.errors.RevisionNotFoundError,
    hub.errors.RemoteEntryNotFoundError,
    hub.errors.HTTPError,  # what its client raises where there is no connection
    hub.errors.OfflineModeIsEnabled,
    hub.errors.LocalEntryNotFoundError,
    datasets.exceptions.DatasetNotFoundError,
    datasets.exceptions.DatasetGenerationError,
    ConnectionError,
    ValueError,  # of a split that is not there
    RuntimeError,
]


@pytest.mark.parametrize("place", ["info", "load"])
@pytest.mark.parametrize("dataset", ["bcb", "bcb_plus"])
@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_a_hub_that_cannot_be_had(
    place: str, dataset: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = issubclass(kind, hub.errors.HfHubHTTPError)
    answer = {"response": SimpleNamespace(headers={}, request=None)} if served else {}

    def fails(*_: object, **__: object) -> None:
        raise kind("Out of reach.\nTry later.", **answer)

    replace_hub(monkeypatch, [])
    if place == "info":
        monkeypatch.setattr(hub.HfApi, "dataset_info", fails)
    else:
        monkeypatch.setattr(datasets, "load_dataset", fails)
        monkeypatch.setattr(hub, "hf_hub_download", fails)
    with pytest.raises(InputError) as caught:
        bigcodebench(dataset, "v9")
    name = {"bcb": "bigcode/bigcodebench", "bcb_plus": PLUS}[dataset]
    assert caught.value.message == (
        f"Version 'v9' of Hugging Face's {name} could not be loaded (Out of reach). "
        "Other sources: source=sample or source=PATH to a file of tasks (.jsonl, "
        ".json, .parquet), or to a folder with one in each .json file (such as "
        "problems/ of a clone of the repository)."
    )
