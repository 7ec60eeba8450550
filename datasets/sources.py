"""The sources of a data set: words for those that are known, and paths."""

import importlib
import json
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from inspect_ai.dataset import MemoryDataset

from inspect_debate.datasets.archive import read_jsonl
from inspect_debate.debate.errors import InputError, check_choice
from inspect_debate.debate.paths import user_path


@dataclass(frozen=True)
class Sources:
    """The sources that a parameter may name.

    Attributes:
        words: Those that have a name.
        path: What a path may lead to, for people: "PATH to ...".
        endings: What files there may end with.
        folders: Whether a path may lead to a folder.
        parameter: The parameter.
    """

    words: tuple[str, ...]
    path: str
    endings: tuple[str, ...]
    folders: bool = False
    parameter: str = "source"

    def existing(self, source: str) -> Path:
        """The path that a source which is none of the words stands for.

        Raises:
            InputError: If there is no such path, or it is of another kind; a single
                word is taken for a misspelt one.
        """
        path = user_path(source)
        if not path.exists():
            if not path.suffix and path.name == str(source):
                check_choice(self.parameter, source, (*self.words, self.path))
            raise InputError(f"{path} does not exist. {self.others()}")
        if path.is_dir():
            if not self.folders:
                raise InputError(f"{path} is a folder. {self.others()}")
        elif path.suffix.lower() not in self.endings:
            no_folder = "no folder, and " if self.folders else ""
            raise InputError(
                f"{self.parameter}={source!r} is {no_folder}of none of these kinds: "
                f"{', '.join(self.endings)}."
            )
        return path

    def others(self, tried: str | None = None) -> str:
        """A sentence that names the other sources.

        Args:
            tried: The word that was tried; None if it was a path.
        """
        known = self.words if tried is None else (*self.words, self.path)
        rest = [f"{self.parameter}={one}" for one in known if one != tried]
        *first, last = rest
        told = f"{', '.join(first)} or {last}" if first else last
        return f"Other sources: {told}."


# The data files that ship with the package.


def shipped_yaml(name: str) -> Any:
    """What a YAML file of the package holds."""
    return deepcopy(_read(name))


def shipped_bytes(name: str) -> bytes:
    """What a file of the package holds."""
    return (resources.files("inspect_debate.datasets") / "data" / name).read_bytes()


@cache  # a YAML file takes a hundred times as long to read as to copy
def _read(name: str) -> Any:
    return yaml.safe_load(shipped_bytes(name).decode())


# What a loader of tasks with solutions returns.


class Loaded(NamedTuple):
    """The samples, and for the log where they come from."""

    dataset: MemoryDataset
    provenance: dict[str, Any]


# Records as they stand in files, each with its place, for errors.


class Entry(NamedTuple):
    """A record as it was found, and where, for errors."""

    place: str
    record: object


def in_file(path: Path) -> list[Entry]:
    """The records of a `.jsonl`, `.json` or `.parquet` file.

    Raises:
        InputError: If it cannot be read.
    """
    ending = path.suffix.lower()
    try:
        if ending == ".parquet":
            # Slow to import, hence here; by name, as it has no types.
            parquet = importlib.import_module("pyarrow.parquet")
            return in_list(parquet.read_table(path).to_pylist(), path.name, "record")
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} cannot be read: {reason}.") from error
    return (in_jsonl if ending == ".jsonl" else in_json)(content, path.name)


def in_jsonl(content: bytes, where: str) -> list[Entry]:
    """The records of a text with one on each line.

    Raises:
        InputError: If a line is not JSON.
    """
    return [Entry(f"{where}, line {at}", it) for at, it in read_jsonl(content, where)]


def in_json(content: bytes, where: str) -> list[Entry]:
    """The record of a text, or those of its list, or else those on its lines.

    Raises:
        InputError: If it is not JSON.
    """
    try:
        value = json.loads(content)
    except RecursionError:
        raise InputError(f"{where} is not JSON.") from None
    except ValueError:  # as data sets are exported from Hugging Face
        return in_jsonl(content, where)
    if isinstance(value, list):
        return in_list(value, where, "record")
    return [Entry(where, value)]


def in_list(records: Iterable[object], where: str, word: str) -> list[Entry]:
    """Records as entries, each called by its number, from 1."""
    return [
        Entry(f"{where}, {word} {number}", record)
        for number, record in enumerate(records, start=1)
    ]
