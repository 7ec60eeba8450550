"""Reading a folder of released transcripts: all that can be read, and why not the rest.

Files are recognised by their content, not by their name or folder.
"""

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.debate.paths import AnyPath, reason_of, user_path
from inspect_debate.v1.scorers.bet_grading import BetGrade, grade_of_published
from inspect_debate.v1.transcripts.debates import (
    SPEECHES,
    Costs,
    Debate,
    ModelCost,
    UnreadableError,
    debate_of,
    first_of,
)

# Published grades of bets, each matched with the bet that it is about.

# What a grade repeats of the bet that it is about, by the names in a transcript.
_BET = {
    **{key: key for key in ("side", "speech_type")},
    "amount": "raw_bet_amount",
    "thoughts": "raw_thoughts",
}
# A debate's file, a side and a round.
_Key = tuple[str, str, int]


@dataclass(frozen=True)
class Grades:
    """Grades of bets.

    Attributes:
        found: The grades, by the debate's file, side and round.
        differing: The number of grades that fit no bet in the transcript of that name.
        elsewhere: The number of grades of debates that are not here.
    """

    found: Mapping[_Key, BetGrade] = field(default_factory=dict)
    differing: int = 0
    elsewhere: int = 0

    def of(self, debate: Debate) -> list[BetGrade]:
        """The grades of a debate's bets, in the order of the bets."""
        keys = [(debate.file, side, round) for side, round in debate.bets]
        return [self.found[key] for key in keys if key in self.found]


def is_grades(content: Any) -> bool:
    """Whether a file's content is a list of published grades."""
    return is_list_of(content, {"debate_id", "side", "speech_type", "analysis"})


def is_list_of(content: Any, keys: set[str]) -> bool:
    """Whether a file's content is a list of entries that all have some keys."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(entry, dict) and keys <= entry.keys() for entry in content)
    )


def read_grades(
    entries: Sequence[Mapping[str, Any]], debates: Iterable[Debate], known: Grades
) -> Grades:
    """Match published grades with bets.

    A grade belongs to the bet of its side and speech in a transcript whose file bears
    its `debate_id`, if amount and reasoning are the same there.

    Args:
        entries: A file of grades, all of which have to be readable.
        debates: The debates that were read.
        known: Grades that were read before.

    Returns:
        The known and the new ones.

    Raises:
        UnreadableError: If an entry is not a grade, or grades a bet once more.
    """
    named: dict[str, list[Debate]] = {}
    for debate in debates:
        named.setdefault(debate.id, []).append(debate)
    found, differing, elsewhere = dict(known.found), known.differing, known.elsewhere
    for number, entry in enumerate(entries):
        here = named.get(str(entry["debate_id"]), ())
        graded = _graded(entry, here)
        try:
            grade = grade_of_published(entry, _rounds(entry, graded))
        except InputError as error:
            raise UnreadableError(f"entry {number}: {error.message}") from error
        if graded is None:
            differing += bool(here)
            elsewhere += not here
            continue
        key = (graded.file, grade.side, grade.round)
        if key in found:
            raise UnreadableError(f"entry {number} grades a bet that is graded already")
        found[key] = grade
    return Grades(found, differing, elsewhere)


def _graded(entry: Mapping[str, Any], debates: Iterable[Debate]) -> Debate | None:
    """The debate of which an entry grades a bet."""
    bet = {key: entry.get(name) for key, name in _BET.items()}
    return next(
        (
            debate
            for debate in debates
            if any(made.model_dump() == bet for made in debate.transcript.debator_bets)
        ),
        None,
    )


def _rounds(entry: Mapping[str, Any], debate: Debate | None) -> int:
    """The rounds of the debate; of one that is not here, what fits its speech."""
    if debate is not None:
        return debate.rounds
    fitting = (n for n, names in SPEECHES.items() if entry["speech_type"] in names)
    return next(fitting, 3)


EXPERIMENTS = "experiments"


class Stopped(NamedTuple):
    """A file that was not read, and why."""

    file: str
    reason: str


class Source(NamedTuple):
    """A file that was read: its name, and the hash of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Release:
    """The files of a folder.

    Attributes:
        name: The folder's own name.
        debates: Its debates, sorted by their files.
        sources: The file of each debate, by the debate's `file`.
        grades: The published grades of their bets.
        stopped: Files that were not read.
        costs: What the release's file of costs says of each model; empty without it.
    """

    name: str
    debates: tuple[Debate, ...]
    sources: dict[str, Source]
    grades: Grades
    stopped: tuple[Stopped, ...]
    costs: Mapping[str, ModelCost] = field(default_factory=dict)

    def digest(self, debates: Iterable[Debate]) -> str:
        """The hash of a set of files, whatever their folder.

        It is that of the lines of `sha256sum *.json`, in the order of the names.
        """
        files = sorted(self.sources[debate.file] for debate in debates)
        lines = "".join(f"{file.sha256}  {file.name}\n" for file in files)
        return hashlib.sha256(lines.encode()).hexdigest()


def read_release(typed: str) -> Release:
    """Read the release of the confidence study, or a folder of its transcripts.

    Args:
        typed: Its root, which has a folder `experiments`; or any folder of transcripts,
            of one condition or several. Grades of bets and the file of costs are found
            in the folder itself and, for a folder under `experiments`, in the root.

    Raises:
        InputError: If there is no such folder, or no transcript in it.
    """
    folder = user_path(typed).resolve()
    if not folder.is_dir():
        raise InputError(f"{typed}: there is no folder at {folder}.")
    reader = _Reader(folder)
    for path in _transcripts(folder):
        reader.read(path, transcript=True)
    if not reader.debates and not reader.stopped:
        raise InputError(
            f"{typed} has no transcripts: no JSON file of one lies in it, or in its "
            f"folder {EXPERIMENTS!r}."
        )
    for path in _beside(folder):
        reader.read(path, transcript=False)
    return reader.release()


class _Reader:
    """What was read so far."""

    def __init__(self, folder: AnyPath) -> None:
        self.folder = folder
        self.debates: list[Debate] = []
        self.sources: dict[str, Source] = {}
        self.stopped: list[Stopped] = []
        self._seen: dict[Hashable, str] = {}
        self._graded: dict[str, Any] = {}
        self._costs: Mapping[str, ModelCost] = {}
        self._read: set[AnyPath] = set()

    def read(self, path: AnyPath, *, transcript: bool) -> None:
        """Read a file, once: a transcript, grades or costs; others are passed by.

        Args:
            path: A JSON file.
            transcript: Whether it is in a folder of transcripts alone.
        """
        if path in self._read:
            return
        self._read.add(path)
        with self._stopping(file := self._told(path)):
            raw = path.read_bytes()
            content = _json(raw)
            if is_grades(content):
                self._graded[file] = content
            elif is_costs(content):
                self._costs = _costs(content)
            elif transcript and not is_pairings(content):
                source = Source(path.name, hashlib.sha256(raw).hexdigest())
                self._add(debate_of(path.stem, file, content), source)

    def release(self) -> Release:
        """All that was read, with the grades matched."""
        grades = Grades()
        for file, content in self._graded.items():
            with self._stopping(file):
                grades = read_grades(content, self.debates, grades)
        return Release(
            self.folder.name,
            tuple(self.debates),
            self.sources,
            grades,
            tuple(self.stopped),
            self._costs,
        )

    @contextmanager
    def _stopping(self, file: str) -> Iterator[None]:
        """What is wrong with a file stops it, and no other."""
        try:
            yield
        except UnreadableError as error:
            self.stopped.append(Stopped(file, str(error)))
        except OSError as error:
            self.stopped.append(Stopped(file, f"cannot be read: {reason_of(error)}"))

    def _add(self, debate: Debate, source: Source) -> None:
        """Add a debate, which must not count twice, nor bear the name of another."""
        named: dict[str, Hashable] = {
            "content": source.sha256,
            "name and condition": (debate.condition, debate.id),
        }
        for what, key in named.items():
            if key in self._seen:
                raise UnreadableError(f"it has the {what} of {self._seen[key]}")
        self._seen |= dict.fromkeys(named.values(), debate.file)
        self.debates.append(debate)
        self.sources[debate.file] = source

    def _told(self, path: AnyPath) -> str:
        """A file's name for people: without the folders of the machine."""
        inside = path.is_relative_to(str(self.folder))
        return path.relative_to(str(self.folder)).as_posix() if inside else path.name


def is_pairings(content: Any) -> bool:
    """Whether a file's content is a list of pairings, without a debate."""
    return is_list_of(content, {"proposition", "opposition", "topic"})


def is_costs(content: Any) -> bool:
    """Whether a file's content is the release's file of costs."""
    return isinstance(content, dict) and "model_stats" in content


def _costs(content: Any) -> Mapping[str, ModelCost]:
    try:
        return Costs.model_validate(content).model_stats
    except ValidationError as error:
        raise UnreadableError(first_of(error)) from error


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"it is not JSON: {error}") from error


def _transcripts(folder: AnyPath) -> Sequence[AnyPath]:
    root = folder / EXPERIMENTS
    return _visible((root if root.is_dir() else folder).rglob("*.json"), folder)


def _beside(folder: AnyPath) -> Iterator[AnyPath]:
    """Where grades may be."""
    folders = [folder]
    for child, parent in ((folder, folder.parent), (folder.parent, folder.parents[1])):
        if child.name == EXPERIMENTS:
            folders.append(parent)
    for place in folders:
        yield from _visible(place.glob("*.json"), place)


def _visible(paths: Iterable[AnyPath], folder: AnyPath) -> Sequence[AnyPath]:
    """The files, sorted, without hidden ones."""
    return sorted(
        path
        for path in paths
        if not any(part.startswith(".") for part in path.relative_to(str(folder)).parts)
    )
