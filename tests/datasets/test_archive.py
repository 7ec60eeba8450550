"""Downloads and archives; tasks published as a repository on GitHub."""

import hashlib
import re
import shutil
import socket
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import platformdirs
import pytest

from inspect_debate.datasets import arc_agi, archive, bigcodebench
from inspect_debate.datasets.arc_agi import Size, arc
from inspect_debate.datasets.archive import (
    Patience,
    Pinned,
    cache_folder,
    fetch,
    read_member,
)
from inspect_debate.datasets.sources import Loaded, read_jsonl
from inspect_debate.debate.errors import InputError
from tests.datasets import made_arc, made_bigcodebench
from tests.datasets.loopback import Failing, Reply, Served, Silent, failing, serve
from tests.datasets.made_bigcodebench import flat, nested
from tests.datasets.made_up import ids
from tests.datasets.zipcrypto import encrypted_zip

BODY = bytes(range(256)) * 1024
RIGHT = Reply(BODY)
OTHERWISE = "Or do without."
QUICK = Patience(timeout=0.3, retries=2, backoff=0.0)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, which do not take place."""
    waits: list[float] = []
    monkeypatch.setattr("inspect_debate.datasets.archive.time.sleep", waits.append)
    return waits


def pinned(url: str) -> Pinned:
    return Pinned(url, hashlib.sha256(BODY).hexdigest(), "folder/data.zip")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_file_is_downloaded_once(cache: Path) -> None:
    with serve(RIGHT) as server:
        for _ in range(2):
            path = fetch(pinned(server.url), OTHERWISE, QUICK)
            assert path == cache / "folder/data.zip"
            assert path.read_bytes() == BODY
    assert server.requests == ["/data.zip"]
    assert files(cache) == [path]


def test_a_cached_file_is_used_only_if_it_is_right(cache: Path) -> None:
    cached = cache / "folder/data.zip"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(BODY)
    assert fetch(pinned("http://127.0.0.1:9/"), OTHERWISE, QUICK) == cached
    cached.write_bytes(BODY[:-1])
    with serve(Reply(status=404)) as server, pytest.raises(InputError, match="404"):
        fetch(pinned(server.url), OTHERWISE, QUICK)
    with serve(RIGHT) as server:
        assert fetch(pinned(server.url), OTHERWISE, QUICK).read_bytes() == BODY
    assert len(server.requests) == 1


def test_redirects_are_followed(cache: Path) -> None:
    elsewhere = Reply(status=302, headers={"Location": "/elsewhere"})
    with serve(elsewhere, RIGHT) as server:
        assert fetch(pinned(server.url), OTHERWISE, QUICK).read_bytes() == BODY
    assert server.requests == ["/data.zip", "/elsewhere"]


FAILURES = {
    "wrong bytes": (Reply(BODY[:-1] + b"?"), "has the sha256 [0-9a-f]{64} and not", 1),
    "empty": (Reply(b""), "has the sha256 e3b0c44298fc1c14", 1),
    "cut off": (Reply(BODY[:-99], claimed=len(BODY)), "connection failed", 1),
    "404": (Reply(b"?", status=404), "HTTP status 404 Not Found", 1),
    "403": (Reply(b"?", status=403), "HTTP status 403 Forbidden", 1),
    "429": (Reply(b"?", status=429), "HTTP status 429 Too Many Requests", 3),
    "503": (Reply(BODY, status=503), "HTTP status 503 Service Unavailable", 3),
    "closed": (Silent(), "connection failed", 1),
    "held": (Silent(hold=True), "did not answer in time", 1),
}


@pytest.mark.parametrize(
    ("reply", "reason", "requests"), FAILURES.values(), ids=FAILURES
)
def test_a_failure_leaves_nothing_and_says_why(
    reply: Reply | Silent, reason: str, requests: int, cache: Path
) -> None:
    with serve(reply) as server, pytest.raises(InputError) as caught:
        fetch(pinned(server.url), OTHERWISE, QUICK)
    message = caught.value.message
    assert message.startswith(f"{server.url} could not be fetched: ")
    assert message.endswith(OTHERWISE)
    assert re.search(reason, message)
    assert len(server.requests) == requests
    assert files(cache) == []


def test_a_refused_connection_and_a_cache_that_is_no_folder(cache: Path) -> None:
    with socket.socket() as taken:
        # Bound but not listening: the port refuses, and nobody else can take it.
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/data.zip"
        with pytest.raises(InputError, match=r"connection failed.*Or do without\.$"):
            fetch(pinned(url), OTHERWISE, QUICK)
    assert files(cache) == []
    shutil.rmtree(cache)
    cache.write_text("a file, not a folder")
    with pytest.raises(InputError, match="could not be fetched"):
        fetch(pinned(url), OTHERWISE, QUICK)


LATER = "Retry-After"
A_DATE = {LATER: "Fri, 31 Dec 1999 23:59:59 GMT"}
BUSY = [
    ([Reply(status=429)], [1.5]),
    ([Reply(status=503), Reply(status=429)], [1.5, 3.0]),
    ([Reply(status=429, headers={LATER: "7"})], [7.0]),
    ([Reply(status=503, headers={LATER: "0"})], [0.0]),
    ([Reply(status=429, headers=A_DATE)], [1.5]),
]


@pytest.mark.parametrize(("busy", "expected"), BUSY)
def test_a_busy_server_is_asked_again(
    busy: list[Reply], expected: list[float], cache: Path, waits: list[float]
) -> None:
    patience = Patience(timeout=5, retries=2, backoff=1.5, longest_wait=10)
    with serve(*busy, RIGHT) as server:
        assert fetch(pinned(server.url), OTHERWISE, patience).read_bytes() == BODY
    assert waits == expected


def test_a_long_wait_is_left_to_the_user(cache: Path, waits: list[float]) -> None:
    reply = Reply(status=429, headers={LATER: "3600"})
    with serve(reply, RIGHT) as server, pytest.raises(InputError, match="in 3600 s"):
        fetch(pinned(server.url), OTHERWISE, QUICK)
    assert waits == []
    assert files(cache) == []


def test_downloads_at_the_same_time_do_not_disturb_each_other(cache: Path) -> None:
    both_there = Reply(BODY, gate=threading.Barrier(2))
    with serve(both_there) as server, ThreadPoolExecutor(2) as pool:
        patience = Patience(timeout=10)
        runs = [
            pool.submit(fetch, pinned(server.url), OTHERWISE, patience)
            for _ in range(2)
        ]
        paths = {run.result() for run in runs}
    assert len(server.requests) == 2
    assert [path.read_bytes() for path in paths] == [BODY]
    assert files(cache) == list(paths)


def test_the_cache_folder_can_be_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", "near")
    assert cache_folder() == tmp_path / "near"
    monkeypatch.setenv("INSPECT_DEBATE_CACHE", "")
    assert cache_folder() == Path(platformdirs.user_cache_dir("inspect_debate"))


MEMBERS = {"data/a.jsonl": b"first " * 99, "data/b.jsonl": "zweites, größer".encode()}
PASSWORD = "a secret"


@pytest.fixture
def encrypted(tmp_path: Path) -> Path:
    path = tmp_path / "encrypted.zip"
    path.write_bytes(encrypted_zip(MEMBERS, PASSWORD))
    return path


def test_members_are_read_whether_they_are_encrypted_or_not(encrypted: Path) -> None:
    for member, content in MEMBERS.items():
        assert read_member(encrypted, member, PASSWORD) == content
    path = encrypted.with_name("plain.zip")
    with zipfile.ZipFile(path, "w") as plain:
        plain.writestr("data/a.jsonl", "as it is")
    assert read_member(path, "data/a.jsonl", PASSWORD) == b"as it is"


def test_no_wrong_password_gets_through(encrypted: Path) -> None:
    """Also those that pass the format's check of one byte."""
    messages = set()
    for number in range(600):
        with pytest.raises(InputError) as caught:
            read_member(encrypted, "data/a.jsonl", f"guess {number}")
        messages.add(caught.value.message.removeprefix(f"{encrypted} ")[:10])
    assert messages == {"cannot be ", "is damaged"}


def test_members_and_archives_that_cannot_be_read(encrypted: Path) -> None:
    with pytest.raises(InputError, match=r"encrypted\.zip has no file data/c\.jsonl"):
        read_member(encrypted, "data/c.jsonl", PASSWORD)
    with pytest.raises(InputError, match=r"none\.zip cannot be read"):
        read_member(encrypted.with_name("none.zip"), "data/a.jsonl", PASSWORD)
    encrypted.write_bytes(encrypted_zip(MEMBERS, PASSWORD, method=99))
    with pytest.raises(InputError, match="packed in a way that Python cannot read"):
        read_member(encrypted, "data/a.jsonl", PASSWORD)


def test_damage_is_an_input_error(encrypted: Path) -> None:
    """Wherever one byte is changed or the file ends, nothing wrong is returned."""
    whole = encrypted.read_bytes()
    refused = 0
    for at in range(len(whole)):
        changed = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        for damaged in (changed, whole[:at]):
            encrypted.write_bytes(damaged)
            try:
                content = read_member(encrypted, "data/a.jsonl", PASSWORD)
            except InputError:
                refused += 1
            else:
                assert content == MEMBERS["data/a.jsonl"]
    assert refused > len(whole)


LINES = {
    "objects": (b'{"a": 1}\n{"a": 2}\n', [(1, {"a": 1}), (2, {"a": 2})]),
    "no last line end": (b"1\n2", [(1, 1), (2, 2)]),
    "blank lines": (b"\n1\n \n\n2\n\n", [(2, 1), (5, 2)]),
    "carriage returns": (b"1\r\n2\r\n", [(1, 1), (2, 2)]),
    "other separators": (
        '"a\u2028b\u0085c"\n2\n'.encode(),
        [(1, "a\u2028b\u0085c"), (2, 2)],
    ),
    "nothing": (b"", []),
}


@pytest.mark.parametrize(("content", "expected"), LINES.values(), ids=LINES)
def test_read_jsonl(content: bytes, expected: list[tuple[int, object]]) -> None:
    assert list(read_jsonl(content, "x")) == expected


@pytest.mark.parametrize("bad", [b"{", b"'a'", b"\xff\xfe\xff", b"1 2"])
def test_read_jsonl_names_the_bad_line(bad: bytes) -> None:
    with pytest.raises(InputError, match=r"^some file, line 3 is not JSON\.$"):
        list(read_jsonl(b"1\n\n" + bad + b"\n4\n", "some file"))


ARC_COMMIT = "399030444e0ab0cc8b4e199870fb20b863846f34"
BCB_COMMIT = "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc"
TASKS = made_arc.release()
PROGRAMS = made_bigcodebench.release()


class Published(NamedTuple):
    """A data set, and what a server may send in place of it."""

    load: Callable[[], Loaded]
    path: str
    cached: str
    tasks: int
    good: bytes
    repacked: bytes
    others: dict[str, bytes]
    other_sources: str


ARC = Published(
    load=arc,
    path=f"/fchollet/ARC-AGI/zip/{ARC_COMMIT}",
    cached=f"arc_agi/{ARC_COMMIT}.zip",
    tasks=18,
    good=made_arc.zipped(TASKS),
    repacked=made_arc.zipped(dict(reversed(TASKS.items())), top="ARC-AGI-another-name"),
    others={
        "other tasks": made_arc.zipped(
            {**TASKS, "training/00000000.json": made_arc.made(0)}
        ),
        "a task less": made_arc.zipped(made_arc.release(11)),
        "no tasks": made_arc.zipped({}),
    },
    other_sources=" Other sources: source=sample or source=PATH to a folder with "
    "training/ and evaluation/ (such as data/ of a clone of the repository), to one "
    "with task files, or to one task file (.json).",
)
BCB = Published(
    load=bigcodebench.bigcodebench,
    path=f"/ethanelasky/BCBPlus/zip/{BCB_COMMIT}",
    cached=f"bigcodebench_plus/{BCB_COMMIT}.zip",
    tasks=12,
    good=made_bigcodebench.zipped(PROGRAMS),
    repacked=made_bigcodebench.zipped(PROGRAMS[::-1], top="another-name"),
    others={
        "another test": made_bigcodebench.zipped(
            [nested(0, test=flat(1)["test"]), *PROGRAMS[1:]]
        ),
        "a task less": made_bigcodebench.zipped(PROGRAMS[1:]),
        "no tasks": made_bigcodebench.zipped([]),
    },
    other_sources=" Other sources: source=sample or source=PATH to a file of tasks "
    "(.jsonl, .json, .parquet), or to a folder with one in each .json file (such as "
    "problems/ of a clone of the repository).",
)
DATA = {"arc": ARC, "bcb_plus": BCB}
UNAVAILABLE = [
    pytest.param(data, failure, id=f"{name}, {what}")
    for name, data in DATA.items()
    for what, failure in failing(data.good, data.others).items()
]


@pytest.fixture(autouse=True)
def made_up_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The made-up releases are the published ones, and no server is waited for."""
    quick = Patience(timeout=0.3, retries=1, backoff=0.0)
    monkeypatch.setattr(archive, "Patience", lambda: quick)
    sizes = {(1, "training"): Size(12, 16), (1, "evaluation"): Size(6, 8)}
    monkeypatch.setattr(arc_agi, "PUBLISHED_SIZES", sizes)
    first = arc_agi.RELEASES[1]._replace(sha256=made_arc.sha256(TASKS))
    monkeypatch.setitem(arc_agi.RELEASES, 1, first)
    known = bigcodebench.RELEASES["v1.0.2"]
    known = known._replace(sha256=made_bigcodebench.sha256(PROGRAMS))
    monkeypatch.setitem(bigcodebench.RELEASES, "v1.0.2", known)


@pytest.fixture
def send(monkeypatch: pytest.MonkeyPatch) -> Callable[[Served], None]:
    """Lets a server be taken for GitHub."""

    def taken(server: Served) -> None:
        base = server.url.removesuffix("/data.zip")
        monkeypatch.setattr(archive, "GITHUB", base)

    return taken


Send = Callable[[Served], None]


def test_published_is_what_the_repositories_hold_at_a_commit() -> None:
    found = [
        {version: release.url for version, release in releases.items()}
        for releases in (arc_agi.RELEASES, bigcodebench.RELEASES)
    ]
    grids = {
        1: f"https://codeload.github.com{ARC.path}",
        2: "https://codeload.github.com/arcprize/ARC-AGI-2/zip/"
        "f3283f727488ad98fe575ea6a5ac981e4a188e49",
    }
    assert found == [grids, {"v1.0.2": f"https://codeload.github.com{BCB.path}"}]


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_published_is_downloaded_once(data: Published, cache: Path, send: Send) -> None:
    """The same tasks that are packed otherwise are the published ones, too."""
    with serve(Reply(data.good)) as server:
        send(server)
        loaded, again = data.load(), data.load()
    assert ids(loaded.dataset) == ids(again.dataset)
    assert server.requests == [data.path]
    assert files(cache) == [cache / data.cached]
    assert loaded.provenance["tasks"] == len(loaded.dataset) == data.tasks
    files(cache)[0].unlink()
    with serve(Reply(data.repacked)) as server:
        send(server)
        assert len(data.load().dataset) == data.tasks


def test_where_published_tasks_come_from_is_in_the_provenance(
    cache: Path, send: Send
) -> None:
    with serve(Reply(ARC.good), Reply(BCB.good)) as server:
        send(server)
        grids, programs = ARC.load(), BCB.load()
        assert len(arc("1", "evaluation").dataset) == 6
        assert bigcodebench.bigcodebench("bcb_plus", "v1.0.2").provenance == (
            programs.provenance
        )
    assert grids.provenance == {
        "source": "published",
        "repository": "fchollet/ARC-AGI",
        "commit": ARC_COMMIT,
        "version": 1,
        "split": "both",
        "sha256": made_arc.sha256(TASKS),
        "tasks": 18,
        "grids": 24,
    }
    assert programs.provenance == {
        "source": "published",
        "repository": "ethanelasky/BCBPlus",
        "commit": BCB_COMMIT,
        "dataset": "bcb_plus",
        "version": "v1.0.2",
        "sha256": made_bigcodebench.sha256(PROGRAMS),
        "verified": True,
        "tasks": 12,
        "tests": 24,
        "excluded": {},
    }


@pytest.mark.parametrize(("data", "failure"), UNAVAILABLE)
def test_published_that_cannot_be_had_names_the_other_sources(
    data: Published, failure: Failing, cache: Path, send: Send
) -> None:
    with serve(failure.reply) as server:
        send(server)
        with pytest.raises(InputError, match=failure.reason) as caught:
            data.load()
    assert len(server.requests) == failure.requests
    assert caught.value.message.endswith(data.other_sources)
    assert files(cache) == []


@pytest.mark.parametrize("split", ["evaluation", "both"])
def test_published_tasks_are_counted(
    split: str, cache: Path, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {**arc_agi.PUBLISHED_SIZES, (1, "evaluation"): Size(6, 9)}
    monkeypatch.setattr(arc_agi, "PUBLISHED_SIZES", sizes)
    message = (
        "evaluation of version 1 has 6 tasks with 8 test inputs, and should have 6"
    )
    with serve(Reply(ARC.good)) as server:
        send(server)
        with pytest.raises(InputError, match=message):
            arc(split=split)
        assert len(arc(split="training").dataset) == 12
