"""A hub of Hugging Face that is replaced: what it is asked, and what it answers."""

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

datasets: Any = importlib.import_module("datasets")
hub: Any = importlib.import_module("huggingface_hub")

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Asked = list[tuple[object, ...]]

# What the hub and its client raise; HTTPError where there is no connection.
ERRORS = [
    hub.errors.RevisionNotFoundError,
    hub.errors.RemoteEntryNotFoundError,
    hub.errors.HTTPError,
    hub.errors.OfflineModeIsEnabled,
    hub.errors.LocalEntryNotFoundError,
    hub.errors.HFValidationError,
    datasets.exceptions.DatasetNotFoundError,
    datasets.exceptions.DatasetGenerationError,
    ConnectionError,
    ValueError,
    RuntimeError,
]


def replace_hub(
    monkeypatch: pytest.MonkeyPatch,
    loaded: Any,
    download: Callable[[], str] | None = None,
) -> Asked:
    """Replace the hub by one that returns what is given; returns what it is asked."""
    asked: Asked = []

    def dataset_info(_: object, name: str, revision: str | None) -> SimpleNamespace:
        asked.append(("info", name, revision))
        return SimpleNamespace(sha=COMMIT)

    def load_dataset(*what: object, **how: object) -> Any:
        asked.append(("load", *what, how))
        return loaded

    def hf_hub_download(*what: object, **how: object) -> str:
        asked.append(("download", *what, how))
        assert download is not None
        return download()

    monkeypatch.setattr(hub.HfApi, "dataset_info", dataset_info)
    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    monkeypatch.setattr(hub, "hf_hub_download", hf_hub_download)
    return asked


def break_hub(monkeypatch: pytest.MonkeyPatch, place: str, kind: Any) -> None:
    """Let the hub raise an error when it is asked for a revision, or for the data."""
    served = issubclass(kind, hub.errors.HfHubHTTPError)
    answer = {"response": SimpleNamespace(headers={}, request=None)} if served else {}

    def fails(*_: object, **__: object) -> None:
        raise kind("Out of reach.\nTry later.", **answer)

    replace_hub(monkeypatch, {})
    if place == "info":
        monkeypatch.setattr(hub.HfApi, "dataset_info", fails)
    else:
        monkeypatch.setattr(datasets, "load_dataset", fails)
        monkeypatch.setattr(hub, "hf_hub_download", fails)
