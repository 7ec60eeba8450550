"""The source `huggingface`, whose hub these tests replace."""

import importlib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.errors import InputError
from tests.datasets.made_up import (
    FILES,
    FOLDERS,
    TABLE,
    Record,
    benchmark,
    examples,
    ids,
)

hub: Any = importlib.import_module("datasets")
client: Any = importlib.import_module("huggingface_hub")


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
    with pytest.raises(InputError, match=r"realmistake/math_.*/gpt4, row 5: .*lacks"):
        realmistake("huggingface", subset="math")


@pytest.mark.parametrize(
    "error",
    [
        hub.exceptions.DatasetNotFoundError("Dataset is gated.\nLog in."),
        hub.exceptions.DatasetGenerationError("Dataset is gated."),
        ConnectionError("Dataset is gated."),
        ValueError("Dataset is gated."),
        client.errors.HTTPError("Dataset is gated."),
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
        "Hugging Face's ryokamoi/realmistake could not be loaded (Dataset is gated). "
        "It is gated: agree to its terms at "
        "https://huggingface.co/datasets/ryokamoi/realmistake and log in with `hf auth "
        "login`. Other sources: source=published, source=sample or source=PATH to "
        "data.zip, its unpacked folder or one .jsonl."
    )
