"""Questions loaded with Hugging Face's `datasets`, from its hub or a local path."""

import hashlib
import importlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from inspect_debate.core.errors import InputError
from inspect_debate.core.paths import user_path
from inspect_debate.datasets.bigcodebench_files import Entry, in_list

T = TypeVar("T")

PREFIX = "huggingface:"
HUB = f"{PREFIX}OWNER/NAME[@REVISION][/CONFIG][:SPLIT], or {PREFIX}./PATH[:SPLIT]"

_NAME = re.compile(
    r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>refs/[\w.-]+/[\w.-]+|[\w.-]+))?"
    r"(?:/(?P<config>[^/@:]+))?(?::(?P<split>.+))?"
)
_PATH = re.compile(r"(?P<path>[./~].*?)(?::(?P<split>[\w+]+(?:\[[^\]]*\])?))?", re.S)
_BUILDERS = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".parquet": "parquet",
    ".arrow": "arrow",
}


class FromHub(NamedTuple):
    """Rows that were loaded, what they are called, and where they come from."""

    entries: list[Entry]
    name: str
    provenance: dict[str, Any]


def of_hub(asked: str) -> FromHub:
    """The rows of a data set that `datasets` can load.

    Args:
        asked: `OWNER/NAME[@REVISION][/CONFIG][:SPLIT]` on the hub; or the path of a
            file, a folder of files or a saved data set, which begins with `.`, `~` or
            `/`, and may have a `:SPLIT`. The split may be left out if there is one.

    Returns:
        The rows, values as Python objects, nothing decoded. The provenance has the
        commit, or of a path the last part, and the sha256 of the rows.

    Raises:
        InputError: If it cannot be loaded, or has several splits and none is named.
    """
    if found := _PATH.fullmatch(asked):
        path, split = user_path(found["path"]), found["split"]
        rows, split = _rows(_local(path, split), split, path.name)
        told: dict[str, Any] = {"file": path.name, "split": split}
        name = path.stem
    elif found := _NAME.fullmatch(asked):
        name, config, split = found["name"], found["config"], found["split"]
        commit, loaded = _remote(name, found["revision"], config, split)
        rows, split = _rows(loaded, split, name)
        told = {"dataset": name, "revision": commit, "config": config, "split": split}
    else:
        raise InputError(f"dataset={PREFIX}{asked} is not of the form {HUB}.")
    where = f"{name}/{split}" if split else name
    provenance = {"source": "huggingface", **told, "sha256": _rows_sha256(rows)}
    return FromHub(in_list(rows, where, "row"), name, provenance)


def _remote(
    name: str, revision: str | None, config: str | None, split: str | None
) -> tuple[str, Any]:
    """The commit that a revision stands for, and what is there."""
    # Slow to import, hence here; and by name, because to a type checker that runs at
    # the root of a checkout `import datasets` means this folder.
    hub = importlib.import_module("huggingface_hub")
    datasets = importlib.import_module("datasets")

    def load() -> tuple[str, Any]:
        commit = hub.HfApi().dataset_info(name, revision=revision).sha
        loaded = datasets.load_dataset(name, config, split=split, revision=commit)
        return commit, loaded

    return _told(load, f"Hugging Face's {name}")


def _local(path: Path, split: str | None) -> Any:
    datasets = importlib.import_module("datasets")
    if not path.exists():
        raise InputError(f"dataset={PREFIX}...: there is no file or folder {path}.")
    saved = ("state.json", "dataset_dict.json")
    if any((path / name).exists() for name in saved):
        return _told(lambda: datasets.load_from_disk(str(path)), str(path))
    if path.is_dir():
        return _told(lambda: datasets.load_dataset(str(path), split=split), str(path))
    if path.suffix.lower() not in _BUILDERS:
        raise InputError(
            f"{path} is no folder, and of none of these kinds: {', '.join(_BUILDERS)}."
        )
    builder = _BUILDERS[path.suffix.lower()]
    return _told(
        lambda: datasets.load_dataset(builder, data_files=str(path), split=split),
        str(path),
    )


def _told(load: Callable[[], T], what: str) -> T:
    """What is loaded, or else an error in a sentence."""
    hub = importlib.import_module("huggingface_hub")
    datasets = importlib.import_module("datasets")
    try:
        return load()
    except (
        OSError,
        ValueError,
        RuntimeError,  # of data sets that are scripts
        hub.errors.HTTPError,  # of the HTTP library that the hub's client uses
        datasets.exceptions.DatasetsError,
    ) as error:
        # Of a file that cannot be read, the reason is in the cause.
        cause = error.__cause__ or error
        reason = " ".join(str(cause).split()[:60]).rstrip(".") or type(cause).__name__
        raise InputError(f"{what} could not be loaded ({reason}).") from error


def _rows(
    loaded: Any, split: str | None, name: str
) -> tuple[list[dict[str, Any]], str | None]:
    """The rows of a split, and its name; without a name those of the only one."""
    if isinstance(loaded, Mapping):
        if split is None and len(loaded) == 1:
            (split,) = loaded
        if split not in loaded:
            wanted = "none is named" if split is None else f"{split!r} is none of them"
            raise InputError(
                f"{name} has the splits {', '.join(loaded)}, and {wanted}; "
                f"add one, as in {PREFIX}...:{next(iter(loaded), 'train')}."
            )
        loaded = loaded[split]
    # Not the items of the data set: getting these decodes images and sounds.
    return loaded.to_list(), split


def _rows_sha256(rows: Iterable[Mapping[str, Any]]) -> str:
    """The sha256 of rows in their order: a line of JSON with sorted keys for each."""
    digest = hashlib.sha256()
    for row in rows:
        line = json.dumps(row, sort_keys=True, default=str)
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()
