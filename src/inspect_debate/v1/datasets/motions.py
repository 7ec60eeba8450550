"""Motions to debate: the suite's own six, or a user's."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from inspect_debate.v1.datasets.sources import (
    nonempty_text,
    read_json,
    read_text,
    shipped_yaml,
)
from inspect_debate.v1.debate.errors import InputError, check_name
from inspect_debate.v1.debate.paths import AnyPath, read_user_yaml, user_path
from inspect_debate.v1.debate.seeds import fingerprint

__all__ = ["Motion", "load_motions", "motion_of_text"]

_FOLDER = (
    "the JSON files of a folder of motions are transcripts, each with a "
    "`topic_description` under `motion`"
)


class Motion(NamedTuple):
    """What is debated. `proposition` and `opposition` say what each side has to show.

    Both of these are empty where a motion comes without them.
    """

    id: str
    text: str
    proposition: str = ""
    opposition: str = ""


def load_motions(typed: str | None = None) -> list[Motion]:
    """The motions that a user chose.

    Args:
        typed: Nothing for the suite's own six. Or one of: a YAML or JSON file with a
            list of motions (`text`, and if wanted `id`, `proposition`, `opposition`);
            a list of topics or a transcript, as released with the confidence study; a
            folder of such transcripts; a text file (`.txt`) with one motion per line.

    Returns:
        The motions, in the order of the file; those of a folder sorted by their text,
        each once. One without an id gets one from its text. A user's motions never
        replace the suite's own, even on the same subject.

    Raises:
        InputError: If there are none, two share an id, or something there is no motion.
    """
    if typed is None:
        return _listed("motions.yaml", shipped_yaml("motions.yaml"))
    where = f"motions={typed}"
    path = user_path(typed)
    if not path.exists():
        raise InputError(f"{where}: there is no file or folder {path}.")
    motions = _folder(where, path) if path.is_dir() else _file(where, typed, path)
    _check_distinct(where, motions)
    return motions


def _folder(where: str, folder: AnyPath) -> list[Motion]:
    found: set[Motion] = set()
    files: Iterable[AnyPath] = folder.glob("*.json")
    for path in sorted(files):
        place = f"{where}: {path.name}"
        topic = _topic_of(read_json(place, read_text(place, path)))
        if topic is None:
            raise InputError(f"{place} is not a transcript; {_FOLDER}.")
        found.add(_topic(place, topic))
    if not found:
        raise InputError(f"{where} has no JSON files; {_FOLDER}.")
    return sorted(found, key=lambda motion: motion.text)


def _file(where: str, typed: str, path: AnyPath) -> list[Motion]:
    ending = path.suffix.lower()
    check_name(f"{where}: ending", ending, (".yaml", ".yml", ".json", ".txt"))
    if ending == ".txt":
        lines = (" ".join(line.split()) for line in read_text(where, path).splitlines())
        return [motion_of_text(line) for line in lines if line]
    if ending == ".json":
        content = read_json(where, read_text(where, path))
    else:
        content = read_user_yaml("motions", typed)
    topic = _topic_of(content)
    return _listed(where, content) if topic is None else [_topic(where, topic)]


def _topic_of(content: object) -> Mapping[str, object] | None:
    """The topic of a transcript; None if it is something else."""
    motion = content.get("motion") if isinstance(content, Mapping) else None
    if isinstance(motion, Mapping) and "topic_description" in motion:
        return motion
    return None


def _listed(where: str, content: object) -> list[Motion]:
    if not isinstance(content, list):
        raise InputError(
            f"{where} is neither a list of motions, each with a `text`, nor a list of "
            "topics, each with a `topic_description`, nor a transcript with a `motion`."
        )
    return [_entry(f"{where}: entry {n}", e) for n, e in enumerate(content, start=1)]


def _entry(where: str, entry: object) -> Motion:
    if not isinstance(entry, Mapping):
        raise InputError(
            f"{where} is not a mapping; give {', '.join(Motion._fields)}, of which "
            "`text` is required."
        )
    if "topic_description" in entry:
        return _topic(where, entry)
    for key in entry:
        check_name(f"{where}: key", key, Motion._fields)
    values = {
        key: nonempty_text(f"{where}: {key}", value) for key, value in entry.items()
    }
    if "text" not in values:
        raise InputError(f"{where} has no `text`.")
    id = values.setdefault("id", _made_id(values["text"]))
    if not re.fullmatch(r"[\w.-]+", id):
        raise InputError(
            f"{where}: id {id!r} is not allowed; use letters, digits, and `-_.`."
        )
    return Motion(**values)


def _topic(where: str, topic: Mapping[str, object]) -> Motion:
    return motion_of_text(
        nonempty_text(f"{where}: topic_description", topic["topic_description"])
    )


def motion_of_text(text: str) -> Motion:
    """A motion that has nothing but its text, from which its id is made."""
    return Motion(_made_id(text), text)


def _made_id(text: str) -> str:
    """A readable id: the first six words, and a hash that makes it unique."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())[:6]
    return "-".join([*words, fingerprint(text)[:6]])


def _check_distinct(where: str, motions: Sequence[Motion]) -> None:
    if not motions:
        raise InputError(f"{where} holds no motion.")
    id, count = Counter(motion.id for motion in motions).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"{where} has the motion {id!r} {count} times; each needs an id of its own."
        )
