"""Samples as logs store them, read one after the other."""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipExtFile, ZipFile, ZipInfo

from inspect_ai.log import (
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    resolve_sample_attachments,
)
from pydantic import BaseModel, TypeAdapter, ValidationError, model_validator

from inspect_debate.v1.debate.paths import AnyPath

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


def each_sample(*paths: AnyPath, part: slice = ALL) -> Iterator[EvalSample]:
    """Read a log's samples, of which no more than one is held at a time.

    Args:
        paths: A log, or those of a run's shards; one in JSON is read as a whole.
        part: Which of the samples, in the order of their ids and epochs.

    Yields:
        The samples by id and epoch, attachments resolved. They have the fields of
        `_Kept`, and may lack all others.
    """
    # Inspect's own readers take three to ten times as long, as they go through each
    # word of every event to leave it out. They still read what lies otherwise than
    # in the archives of today.
    in_archives = all(path.suffix == ".eval" for path in paths)
    if in_archives and (members := _members(paths)):
        for member, text in _texts(members[part]):
            yield _parsed(text) or _read(member.path, member.id, member.epoch)
    else:
        logs = [
            read_eval_log(str(p), exclude_fields=_UNREAD, resolve_attachments="full")
            for p in paths
        ]
        every = [sample for log in logs for sample in log.samples or []]
        yield from sorted(every, key=lambda s: (str(s.id), s.epoch))[part]


def archived(*paths: AnyPath) -> int:
    """How many samples archives hold; 0 of logs in JSON."""
    return len(_members([path for path in paths if path.suffix == ".eval"]))


class _Member(NamedTuple):
    """A sample in an archive, and where it ends there."""

    path: AnyPath
    id: str
    epoch: int
    info: ZipInfo
    end: int


def _members(paths: Iterable[AnyPath]) -> list[_Member]:
    """The samples in archives by id and epoch."""
    every = [member for path in paths for member in _members_of(path)]
    return sorted(every, key=lambda member: (member.id, member.epoch))


def _members_of(path: AnyPath) -> Iterator[_Member]:
    with path.open("rb") as file, ZipFile(file) as archive:
        infos = archive.infolist()
        last = archive.start_dir
    starts = sorted(info.header_offset for info in infos)
    ends = dict(zip(starts, [*starts[1:], last], strict=True))
    # Of members with one name the last counts.
    found = {info.filename: info for info in infos}
    for name, info in found.items():
        if match := _MEMBER.fullmatch(name):
            end = ends[info.header_offset]
            yield _Member(path, match["id"], int(match["epoch"]), info, end)


_TOGETHER = 32
"""Members of an archive in storage that are asked for at once."""


def _texts(members: Sequence[_Member]) -> Iterator[tuple[_Member, bytes]]:
    """The samples' JSON. In storage, only their bytes are read, and once."""
    paths = {member.path for member in members}
    local = [path for path in paths if isinstance(path, Path)]
    if len(local) == len(paths):
        with ExitStack() as opened:
            archives: dict[AnyPath, ZipFile] = {
                path: opened.enter_context(ZipFile(path)) for path in local
            }
            for member in members:
                yield member, archives[member.path].read(member.info)
        return
    for at in range(0, len(members), _TOGETHER):
        batch = members[at : at + _TOGETHER]
        starts = [member.info.header_offset for member in batch]
        ends = [member.end for member in batch]
        stored = [m.path for m in batch if not isinstance(m.path, Path)]
        fs, places = stored[0].fs, [path.path for path in stored]
        raw = fs.cat_ranges(places, starts, ends, on_error="raise")
        for member, part in zip(batch, raw, strict=True):
            # The name's length and that of what follows it, before the content.
            name, extra = struct.unpack_from("<HH", part, 26)
            content = BytesIO(part[30 + name + extra :])
            yield member, ZipExtFile(content, "r", member.info).read()


def _parsed(text: bytes) -> EvalSample | None:
    """The sample in a member; None where it is not as expected."""
    try:
        kept = _Kept.model_validate_json(text)
        told = {name: getattr(kept, name) for name in kept.model_fields_set}
        return resolve_sample_attachments(EvalSample.model_validate(told), "full")
    except ValidationError:
        return None


def _read(path: AnyPath, id: str, epoch: int) -> EvalSample:
    return read_eval_log_sample(
        str(path), id, epoch, exclude_fields=_UNREAD, resolve_attachments="full"
    )


# Summaries of samples.


class _Summary(EvalSampleSummary):
    """A summary, its input as a hash of its text, without usage by role.

    These are the most of a summary, and no report reads them. Inspect shortens all
    texts of a summary as it is made, which takes the most of reading one; those in logs
    are short.
    """

    @model_validator(mode="after")
    def thin_data(self) -> "_Summary":  # in place of Inspect's
        given = self.input
        text = given if isinstance(given, str) else "\n".join(m.text for m in given)
        self.input = sha256(text.encode(errors="surrogatepass")).hexdigest()
        self.role_usage = {}
        return self


_SUMMARIES = TypeAdapter(list[_Summary])


def sample_summaries(path: AnyPath) -> list[EvalSampleSummary]:
    """The summaries of a log's samples, each input as a hash of its text.

    Those of a log that is no archive, or not finished, Inspect reads.
    """
    if path.suffix == ".eval":
        with path.open("rb") as file, ZipFile(file) as archive:
            if _CONSOLIDATED in archive.namelist():
                found = _SUMMARIES.validate_json(archive.read(_CONSOLIDATED))
                # Of one sample the last counts.
                return [*{(str(s.id), s.epoch): s for s in found}.values()]
    every = read_eval_log_sample_summaries(str(path))
    return [_Summary.model_validate(dict(summary)) for summary in every]


_CONSOLIDATED = "summaries.json"
