"""Where samples come from, and the order that they are in."""

import hashlib
import importlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from inspect_ai.dataset import MemoryDataset

from inspect_debate.v1.debate.errors import InputError, check_choice
from inspect_debate.v1.debate.paths import AnyPath, local_copy, reason_of, user_path
from inspect_debate.v1.debate.seeds import seeded


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


def read_json(where: str, text: str) -> Any:
    """The value of a JSON text.

    Not by way of YAML, which reads surrogate pairs as two characters.

    Raises:
        InputError: If it is not JSON.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not a JSON file: {error}.") from error


def nonempty_text(where: str, value: object) -> str:
    """A text with even white space.

    Raises:
        InputError: If it is no text, or empty.
    """
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{where} is {value!r}; give a text that is not empty.")
    return " ".join(value.split())


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


def content_sha256(values: Iterable[object]) -> str:
    """The sha256 of JSON values in any order, in hexadecimal digits.

    Of a line for each value, sorted: JSON with sorted keys and no spaces.
    """
    lines = (json.dumps(v, sort_keys=True, separators=(",", ":")) for v in values)
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def check_unique(names: Iterable[object], source: str, what: str) -> None:
    """Check that no two samples of a source share a name.

    Args:
        names: Their names.
        source: The source, for the error.
        what: What they are called there, such as `tasks of name`.

    Raises:
        InputError: If a name comes twice.
    """
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"source={source!r} has {count} {what} {name!r}.")


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

T = TypeVar("T")
Stratum = tuple[Hashable, ...]
Margin = tuple[tuple[int, Hashable], ...]


def interleaved(
    items: Iterable[T],
    identity: Callable[[T], str],
    stratum: Callable[[T], Stratum],
    seed: int,
) -> list[T]:
    """Items in a seeded order that keeps every prefix close to the whole.

    Each place goes to the stratum that brings the counts so far closest to their
    shares: those of the strata and of all their margins (for subset x label, also of
    each subset and of each label), by the sum of squared differences.

    Args:
        items: The items, in any order: it has no influence.
        identity: What names an item, unique among them.
        stratum: The factors that cross to an item's stratum.
        seed: Decides the order within strata, and between equally good strata.
    """
    queues: defaultdict[Stratum, list[T]] = defaultdict(list)
    for item in sorted(items, key=lambda item: _draw(seed, identity(item))):
        queues[stratum(item)].append(item)
    margins = {key: _margins(key) for key in queues}
    whole = Counter(
        margin for key, queue in queues.items() for margin in margins[key] * len(queue)
    )
    total = sum(len(queue) for queue in queues.values())
    so_far: Counter[Margin] = Counter()
    ordered: list[T] = []

    def ahead(key: Stratum) -> int:
        # What the sum of squares gains if the stratum gets the next place, up to a
        # factor and to what is the same for every stratum; in whole numbers.
        place = len(ordered) + 1
        return sum(so_far[m] * total - place * whole[m] for m in margins[key])

    while len(ordered) < total:
        # Strata are in the order of their first items, so the seed breaks ties.
        key = min((key for key, queue in queues.items() if queue), key=ahead)
        ordered.append(queues[key].pop(0))
        so_far.update(margins[key])
    return ordered


def thirds(lengths: Mapping[str, int]) -> dict[str, int]:
    """Whether each of some texts is of the shortest third, 0, to the longest, 2.

    Args:
        lengths: The length of each, by name.
    """
    ordered = sorted(lengths, key=lambda name: (lengths[name], name))
    return {name: 3 * at // len(ordered) for at, name in enumerate(ordered)}


def _margins(stratum: Stratum) -> list[Margin]:
    factors = list(enumerate(stratum))
    return [m for size in range(len(factors)) for m in combinations(factors, size + 1)]


def _draw(seed: int, identity: str) -> tuple[float, str]:
    return seeded(seed, "order", identity).random(), identity


# What is true, for the simulated models alone; nothing else may look it up.

_TRUTH: dict[str, str] = {}
_PASSAGES: dict[str, "PassageTruth"] = {}
_SOLUTIONS: dict[str, "SolutionTruth"] = {}


class PassageTruth(NamedTuple):
    """What is true of a question that is asked about a passage.

    Attributes:
        answer: The right answer.
        says: The answer that the passage gives.
        severity: How far the passage is from the truth, 1 to 5; 0 where it is right.
        others: Wrong answers of the same kind.
    """

    answer: str
    says: str
    severity: int
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


class SolutionTruth(NamedTuple):
    """What is true of a task that is solved.

    Attributes:
        right: A right solution.
        wrong: Wrong ones of the same form.
    """

    right: str
    wrong: tuple[str, ...]


def register_solution(fingerprint: str, truth: SolutionTruth) -> None:
    """Remember a task's solution; loaders call this."""
    _SOLUTIONS[fingerprint] = truth


def solution_truth(fingerprint: str) -> SolutionTruth | None:
    """What is true of a task that is solved, or None if none was registered."""
    return _SOLUTIONS.get(fingerprint)
