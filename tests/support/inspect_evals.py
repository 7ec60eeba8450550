"""Tasks of inspect_evals, which not every checkout has, on records of ours."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample

INSTALLED = pytest.mark.skipif(
    find_spec("inspect_evals") is None,
    reason="inspect_evals is missing: `uv sync --group inspect-evals` installs it",
)
_LOADERS = (
    *("hf_dataset", "load_csv_dataset", "load_hf_dataset_with_script"),
    "load_worldsense_dataset",
)


def foreign(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: Mapping[str, list[dict[str, Any]]],
    *,
    module: str | None = None,
    **arguments: Any,
) -> Task:
    """A task of the installed package whose data sets are ours.

    Args:
        monkeypatch: Replaces what downloads.
        name: The task's.
        data: Records in the shape of the task's own, by their split; those of `all`
            are of any.
        module: Where the task is, if not in a folder and file of its name.
        arguments: The task's.
    """

    def load(
        *_: Any,
        split: str = "all",
        sample_fields: Callable[[dict[str, Any]], Sample] | None = None,
        record_to_sample: Callable[[dict[str, Any]], Sample] | None = None,
        shuffle_choices: int | None = None,
        **__: Any,
    ) -> MemoryDataset:
        make = sample_fields or record_to_sample
        assert make is not None
        rows = data["all"] if "all" in data else data[split]
        loaded = MemoryDataset([make(row) for row in rows], "ours")
        if shuffle_choices is not None:
            loaded.shuffle_choices(shuffle_choices)
        return loaded

    folder = module or name
    where = import_module(f"inspect_evals.{folder}.{folder}")
    for loader in _LOADERS:
        if hasattr(where, loader):
            monkeypatch.setattr(where, loader, load)
    if hasattr(where, "download"):
        monkeypatch.setattr(where, "download", lambda *_, **__: None)
    task = getattr(where, name)(**arguments)
    assert isinstance(task, Task)
    return task
