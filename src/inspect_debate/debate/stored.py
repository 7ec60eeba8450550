"""Samples as logs store them, read one after the other."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from inspect_ai.log import (
    EvalSample,
    read_eval_log,
    read_eval_log_sample,
    resolve_sample_attachments,
)
from pydantic import BaseModel, ValidationError

_UNREAD = {"events", "messages"}
_MEMBER = re.compile(r"samples/(?P<id>.+)_epoch_(?P<epoch>\d+)\.json", re.DOTALL)


ALL = slice(None)
"""All samples of a log."""


class _Kept(BaseModel):
    """What is taken of a sample's JSON: what analyses read, and what it refers to.

    No object is made of the rest, which is most of it.
    """

    id: Any
    epoch: Any
    input: Any
    choices: Any = None
    target: Any
    scores: Any = None
    metadata: Any = None
    store: Any = None
    attachments: Any = None
    role_usage: Any = None
    started_at: Any = None
    total_time: Any = None
    error: Any = None
    limit: Any = None


def each_sample(path: Path, part: slice = ALL) -> Iterator[EvalSample]:
    """Read a log's samples, of which no more than one is held at a time.

    Args:
        path: A log; one in JSON is read as a whole.
        part: Which of the samples, in the order of their ids and epochs.

    Yields:
        The samples by id and epoch, attachments resolved. They have the fields of
        `_Kept`, and may lack all others.
    """
    # Inspect's own readers take three to ten times as long, as they go through each
    # word of every event to leave it out. They still read what lies otherwise than
    # in the archives of today.
    if path.suffix == ".eval" and (members := _members(path)):
        with ZipFile(path) as archive:
            for id, epoch, name in members[part]:
                yield _parsed(archive.read(name)) or _read(path, id, epoch)
    else:
        log = read_eval_log(
            str(path), exclude_fields=_UNREAD, resolve_attachments="full"
        )
        read = sorted(log.samples or [], key=lambda s: (str(s.id), s.epoch))
        yield from read[part]


def archived(path: Path) -> int:
    """How many samples an archive holds; 0 of a log in JSON."""
    return len(_members(path)) if path.suffix == ".eval" else 0


def _members(path: Path) -> list[tuple[str, int, str]]:
    """Ids, epochs and names of the samples in an archive, in this order."""
    with ZipFile(path) as archive:
        found = [_MEMBER.fullmatch(name) for name in set(archive.namelist())]
    return sorted((m["id"], int(m["epoch"]), m[0]) for m in found if m is not None)


def _parsed(text: bytes) -> EvalSample | None:
    """The sample in a member; None where it is not as expected."""
    try:
        kept = _Kept.model_validate_json(text)
        told = {name: getattr(kept, name) for name in kept.model_fields_set}
        return resolve_sample_attachments(EvalSample.model_validate(told), "full")
    except ValidationError:
        return None


def _read(path: Path, id: str, epoch: int) -> EvalSample:
    return read_eval_log_sample(
        str(path), id, epoch, exclude_fields=_UNREAD, resolve_attachments="full"
    )
