"""Where samples come from, and the order that they are in."""

import importlib
import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from inspect_ai.dataset import MemoryDataset

from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.paths import AnyPath, local_copy, reason_of, user_path


@dataclass(frozen=True)
class Sources:
    """The sources that a parameter may name.

    Attributes:
        words: The keywords.
        path: What a path may point to, for error messages: "PATH to ...".
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
        """The path given as a source, where it is none of the keywords.

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
        return local_copy(path)

    def others(self, tried: str | None = None) -> str:
        """A sentence that names the other sources.

        Args:
            tried: The word that was tried; None if it was a path.
        """
        known = self.words if tried is None else (*self.words, self.path)
        rest = [f"{self.parameter}={one}" for one in known if one != tried]
        *first, last = rest
        listed = f"{', '.join(first)} or {last}" if first else last
        return f"Other sources: {listed}."


# The data files that ship with the package.


def shipped_yaml(name: str) -> Any:
    """The content of a YAML file of the package."""
    return deepcopy(_read(name))


def shipped_bytes(name: str) -> bytes:
    """The content of a file of the package."""
    return (resources.files("inspect_debate.v1.datasets") / "data" / name).read_bytes()


@cache  # a YAML file takes a hundred times as long to read as to copy
def _read(name: str) -> Any:
    return yaml.safe_load(shipped_bytes(name).decode())


# Texts that users give, with errors that name the parameter or the place.


def read_text(where: str, path: AnyPath) -> str:
    """The text of a file in UTF-8.

    Args:
        where: What to call the file in an error.
        path: Its path.

    Raises:
        InputError: If it cannot be read, or is no text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{where}: cannot read {path}: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not a text file: {error}.") from error


# What a loader of tasks with solutions returns.


class Loaded(NamedTuple):
    """The samples, and for the log where they come from."""

    dataset: MemoryDataset
    provenance: dict[str, Any]


# Records of files, each with its place, for errors.


class Entry(NamedTuple):
    """A record as it was found, and where, for errors."""

    place: str
    record: object


class Source(NamedTuple):
    """Records as they were found, and where they come from, for the log: no folders."""

    entries: list[Entry]
    provenance: dict[str, Any]


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


def read_jsonl(content: bytes, where: str) -> Iterator[tuple[int, object]]:
    """The values of a file with one JSON value per line, blank lines left out.

    Args:
        content: The file, in UTF-8.
        where: What to call the file in an error.

    Yields:
        The number of the line, from 1, and its value.

    Raises:
        InputError: If a line is not JSON, naming it.
    """
    # Not splitlines(): JSON strings may hold other separators, at which it splits too.
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError:
            raise InputError(f"{where}, line {number} is not JSON.") from None
        yield number, value


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


# An order of which every prefix is a fair part of the whole.


# What is true, for the simulated models alone; nothing else may look it up.

_TRUTH: dict[str, str] = {}
_PASSAGES: dict[str, "PassageTruth"] = {}


class PassageTruth(NamedTuple):
    """What is true of a question that is asked about a passage.

    Attributes:
        answer: The right answer.
        says: The answer that the passage gives.
        others: Wrong answers of the same kind.
    """

    answer: str
    says: str
    others: tuple[str, ...] = ()


def register_truth(fingerprint: str, truth: str) -> None:
    """Remember the right answer to a question; loaders call this."""
    _TRUTH[fingerprint] = truth


def truth_of(fingerprint: str) -> str | None:
    """The right answer to a question, or None if no loader registered it."""
    return _TRUTH.get(fingerprint)


def register_passage(fingerprint: str, truth: PassageTruth) -> None:
    """Remember what is true of a question about a passage; loaders call this."""
    _PASSAGES[fingerprint] = truth


def passage_truth(fingerprint: str) -> PassageTruth | None:
    """What is true of a question about a passage, or None if none was registered."""
    return _PASSAGES.get(fingerprint)
