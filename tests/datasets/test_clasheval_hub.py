"""The source `published`, whose hub these tests replace."""

import importlib
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from inspect_debate.datasets.clasheval import clasheval
from inspect_debate.debate.errors import InputError
from tests.datasets.made_clasheval import PUBLISHED, made_records

datasets: Any = importlib.import_module("datasets")
hub: Any = importlib.import_module("huggingface_hub")

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Asked = list[tuple[object, ...]]


def replace_hub(monkeypatch: pytest.MonkeyPatch, parts: dict[str, Any]) -> Asked:
    """Replace the hub by splits with rows; returns what it is asked, as it is."""
    asked: Asked = []

    def dataset_info(_: object, name: str, revision: str | None) -> SimpleNamespace:
        asked.append(("info", name, revision))
        return SimpleNamespace(sha=COMMIT)

    def load_dataset(name: str, revision: str) -> dict[str, Any]:
        asked.append(("load", name, revision))
        return parts

    monkeypatch.setattr(hub.HfApi, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    return asked


@pytest.mark.parametrize("revision", [None, "v1.0", 1234567])
def test_the_resolved_revision_is_loaded_and_told(
    revision: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace_hub(monkeypatch, {"train": list(made_records(6))})
    loaded = clasheval(revision=revision, questions=36)
    assert asked == [
        ("info", "kewu93/ClashEval", revision and str(revision)),
        ("load", "kewu93/ClashEval", COMMIT),
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


ERRORS = [
    hub.errors.RevisionNotFoundError,
    hub.errors.HTTPError,  # what its client raises where there is no connection
    hub.errors.OfflineModeIsEnabled,
    hub.errors.HFValidationError,
    datasets.exceptions.DatasetNotFoundError,
    datasets.exceptions.DatasetGenerationError,
    ConnectionError,
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
        clasheval(revision="v9")
    assert caught.value.message == (
        "Hugging Face's kewu93/ClashEval at revision 'v9' could not be loaded (Out of "
        "reach). Other sources: source=sample or source=PATH to a .parquet, .csv or "
        ".jsonl file of its schema."
    )


def test_nothing_on_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_hub(monkeypatch, {"train": []})
    with pytest.raises(InputError, match=r"^kewu93/ClashEval has no rows\.$"):
        clasheval()
