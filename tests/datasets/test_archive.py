import hashlib
import re
import socket
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from inspect_debate.datasets.archive import (
    Patience,
    Pinned,
    cache_folder,
    fetch,
    read_member,
)
from inspect_debate.datasets.sources import read_jsonl
from inspect_debate.debate.errors import InputError
from tests.datasets.loopback import Reply, Silent, serve
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


# --- downloads -----------------------------------------------------------------------


def test_a_file_is_downloaded_once(cache: Path) -> None:
    with serve(RIGHT) as server:
        for _ in range(2):
            path = fetch(pinned(server.url), OTHERWISE, QUICK)
            assert path == cache / "folder/data.zip"
            assert path.read_bytes() == BODY
    assert server.requests == ["/data.zip"]
    assert files(cache) == [path]


def test_a_cached_file_needs_no_server(cache: Path) -> None:
    cached = cache / "folder/data.zip"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(BODY)
    assert fetch(pinned("http://127.0.0.1:9/"), OTHERWISE, QUICK) == cached


def test_a_wrong_cached_file_is_downloaded_again(cache: Path) -> None:
    cached = cache / "folder/data.zip"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(BODY[:-1])
    with serve(RIGHT) as server:
        assert fetch(pinned(server.url), OTHERWISE, QUICK).read_bytes() == BODY
    assert len(server.requests) == 1


def test_a_wrong_cached_file_is_never_used(cache: Path) -> None:
    cached = cache / "folder/data.zip"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(BODY[:-1])
    with serve(Reply(status=404)) as server, pytest.raises(InputError, match="404"):
        fetch(pinned(server.url), OTHERWISE, QUICK)


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


def test_a_refused_connection_is_an_input_error(cache: Path) -> None:
    with socket.socket() as taken:
        # Bound but not listening: the port refuses, and nobody else can take it.
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/data.zip"
        with pytest.raises(InputError, match=r"connection failed.*Or do without\.$"):
            fetch(pinned(url), OTHERWISE, QUICK)
    assert files(cache) == []


def test_an_unusable_cache_folder_is_an_input_error(cache: Path) -> None:
    cache.write_text("a file, not a folder")
    with (
        serve(RIGHT) as server,
        pytest.raises(InputError, match="could not be fetched"),
    ):
        fetch(pinned(server.url), OTHERWISE, QUICK)


BUSY = {
    "no header": ([Reply(status=429)], [1.5]),
    "twice": ([Reply(status=503), Reply(status=429)], [1.5, 3.0]),
    "seconds": ([Reply(status=429, headers={"Retry-After": "7"})], [7.0]),
    "at once": ([Reply(status=503, headers={"Retry-After": "0"})], [0.0]),
    "a date": (
        [Reply(status=429, headers={"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"})],
        [1.5],
    ),
}


@pytest.mark.parametrize(("busy", "expected"), BUSY.values(), ids=BUSY)
def test_a_busy_server_is_asked_again(
    busy: list[Reply], expected: list[float], cache: Path, waits: list[float]
) -> None:
    patience = Patience(timeout=5, retries=2, backoff=1.5, longest_wait=10)
    with serve(*busy, RIGHT) as server:
        assert fetch(pinned(server.url), OTHERWISE, patience).read_bytes() == BODY
    assert waits == expected


def test_a_long_wait_is_left_to_the_user(cache: Path, waits: list[float]) -> None:
    reply = Reply(status=429, headers={"Retry-After": "3600"})
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


# --- archives ------------------------------------------------------------------------

MEMBERS = {"data/a.jsonl": b"first " * 99, "data/b.jsonl": "zweites, größer".encode()}
PASSWORD = "a secret"


@pytest.fixture
def encrypted(tmp_path: Path) -> Path:
    path = tmp_path / "encrypted.zip"
    path.write_bytes(encrypted_zip(MEMBERS, PASSWORD))
    return path


@pytest.mark.parametrize("member", MEMBERS)
def test_an_encrypted_member_is_read(encrypted: Path, member: str) -> None:
    assert read_member(encrypted, member, PASSWORD) == MEMBERS[member]


def test_a_member_that_is_not_encrypted_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plain.zip"
    with zipfile.ZipFile(path, "w") as plain:
        plain.writestr("data/a.jsonl", "as it is")
    assert read_member(path, "data/a.jsonl", PASSWORD) == b"as it is"


def test_no_wrong_password_gets_through(encrypted: Path) -> None:
    """Also those that pass the format's check of one byte."""
    messages = set()
    for number in range(2000):
        with pytest.raises(InputError) as caught:
            read_member(encrypted, "data/a.jsonl", f"guess {number}")
        messages.add(caught.value.message.removeprefix(f"{encrypted} ")[:10])
    assert messages == {"cannot be ", "is damaged"}


def test_a_missing_member_is_named(encrypted: Path) -> None:
    with pytest.raises(InputError, match=r"encrypted\.zip has no file data/c\.jsonl"):
        read_member(encrypted, "data/c.jsonl", PASSWORD)


def test_unknown_packing_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "aes.zip"
    path.write_bytes(encrypted_zip(MEMBERS, PASSWORD, method=99))
    with pytest.raises(InputError, match="packed in a way that Python cannot read"):
        read_member(path, "data/a.jsonl", PASSWORD)


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


def test_a_missing_archive_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.zip cannot be read"):
        read_member(tmp_path / "none.zip", "data/a.jsonl", PASSWORD)


# --- JSON lines ----------------------------------------------------------------------

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
