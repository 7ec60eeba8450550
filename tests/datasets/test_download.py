import base64
import hashlib
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import download
from inspect_debate.datasets.download import (
    fetch,
    json_lines,
    read_member,
    user_path,
)
from inspect_debate.debate import errors
from inspect_debate.debate.errors import InputError

BODY = bytes(range(256)) * 64
SHA256 = hashlib.sha256(BODY).hexdigest()

# One file, a.txt, encrypted with the password "open sesame".
LOCKED = base64.b64decode(
    "UEsDBBQAAQAIAAAAIQCumvJSGAAAAAoAAAAFAAAAYS50eHSI+V4H/BDgcpPerffzNM7XPMc33ssSOPVQ"
    "SwECFAAUAAEACAAAACEArpryUhgAAAAKAAAABQAAAAAAAAAAAAAAAAAAAAAAYS50eHRQSwUGAAAAAAEA"
    "AQAzAAAAOwAAAAAA"
)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_file_is_downloaded_once(server: Any, cache: Path) -> None:
    server.body = BODY
    for _ in range(2):
        assert fetch(server.url, SHA256, "study/data.zip").read_bytes() == BODY
    assert server.requests == 1
    assert files(cache) == [cache / "study/data.zip"]


def test_a_changed_file_in_the_cache_is_replaced(server: Any, cache: Path) -> None:
    server.body = BODY
    path = fetch(server.url, SHA256, "data.zip")
    path.write_bytes(BODY[:-1])
    assert fetch(server.url, SHA256, "data.zip").read_bytes() == BODY
    path.write_bytes(BODY[:-1])
    server.status = 404
    with pytest.raises(InputError):
        fetch(server.url, SHA256, "data.zip")


def test_parallel_downloads_share_the_cache(server: Any, cache: Path) -> None:
    server.body = BODY
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(fetch, server.url, SHA256, "data.zip") for _ in range(4)]
    assert {run.result().read_bytes() for run in runs} == {BODY}
    assert files(cache) == [cache / "data.zip"]


FAILURES: dict[str, tuple[Mapping[str, object], list[str]]] = {
    "wrong bytes": ({"body": BODY[:-1]}, ["sha256", SHA256]),
    "a page instead": ({"body": b"<html>Sign in</html>"}, ["sha256"]),
    "cut off": ({"body": BODY[:99], "claimed": len(BODY)}, ["closed"]),
    "nothing": ({"body": b""}, ["sha256"]),
    "404": ({"status": 404}, ["404"]),
    "403": ({"status": 403}, ["403"]),
    "500": ({"status": 500}, ["500"]),
    "busy": ({"status": 429}, ["429"]),
    "closes at once": ({"closes": True}, ["disconnected"]),
    "hangs": ({"hangs": True}, ["timed out"]),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_says_why_and_leaves_nothing(
    name: str, server: Any, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behaviour, expected = FAILURES[name]
    monkeypatch.setattr(download, "TIMEOUT", 0.2 if name == "hangs" else 10.0)
    for attribute, value in behaviour.items():
        setattr(server, attribute, value)
    with pytest.raises(InputError) as caught:
        fetch(server.url, SHA256, "data.zip")
    for part in (server.url, *expected):
        assert part in caught.value.message
    assert files(cache) == []


def test_no_network(server: Any, cache: Path) -> None:
    server.server_close()  # nobody listens any more
    with pytest.raises(InputError, match="refused"):
        fetch(server.url, SHA256, "data.zip")


def test_redirects_are_followed(server: Any) -> None:
    server.body, server.redirects = BODY, True
    assert fetch(server.url, SHA256, "data.zip").read_bytes() == BODY
    assert server.requests == 2


def test_a_cache_that_cannot_be_written(server: Any, cache: Path) -> None:
    server.body = BODY
    cache.write_text("A file where the folder should be.")
    with pytest.raises(InputError, match="cache"):
        fetch(server.url, SHA256, "data.zip")


def test_paths_are_found_from_where_the_command_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data.zip").touch()
    (tmp_path / "evals").mkdir()
    monkeypatch.setattr(errors, "STARTED_IN", tmp_path)
    monkeypatch.chdir(tmp_path / "evals")
    assert user_path("data.zip", ("published",), "a file") == tmp_path / "data.zip"
    monkeypatch.setitem(os.environ, "HOME", str(tmp_path))
    assert user_path("~/data.zip", (), "a file") == tmp_path / "data.zip"


@pytest.mark.parametrize(
    ("given", "expected"),
    [("publishd", "Did you mean 'published'?"), ("x.zip", "a.zip"), ("", "''")],
)
def test_an_unknown_source(given: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        user_path(given, ("published", "sample"), "an a.zip")
    assert expected in caught.value.message


def test_members_of_archives(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    path.write_bytes(LOCKED)
    assert read_member(path, "a.txt", "open sesame") == b"A secret.\n"
    # The last password passes zipfile's check of one byte.
    for member, password in (("b.txt", "x"), ("a.txt", "closed"), ("a.txt", "164")):
        with pytest.raises(InputError):
            read_member(path, member, password)
    with pytest.raises(InputError):
        read_member(tmp_path / "none.zip", "a.txt", "open sesame")


def test_a_damaged_archive_is_an_error_wherever_the_damage_is(tmp_path: Path) -> None:
    path = tmp_path / "damaged.zip"
    for place in range(len(LOCKED)):
        for damaged in (
            LOCKED[:place],
            LOCKED[:place] + bytes([LOCKED[place] ^ 0xFF]) + LOCKED[place + 1 :],
        ):
            path.write_bytes(damaged)
            try:
                content = read_member(path, "a.txt", "open sesame")
            except InputError:
                continue
            assert content == b"A secret.\n"  # dates and the like do not matter


def test_json_lines_are_split_at_newlines_alone() -> None:
    values: list[object] = [{"a": "x\u2028y\x85z\x0b"}, "", None, 3]
    lines = "\n\n".join(json.dumps(value, ensure_ascii=False) for value in values)
    found = list(json_lines(f"{lines}\r\n".encode(), "f"))
    assert [value for _, value in found] == values
    assert [place for place, _ in found][:2] == ["f, line 1", "f, line 3"]


@pytest.mark.parametrize("line", [b'{"secret": 1', b"\xff\xfe", b"[" * 100_000])
def test_a_line_that_is_not_json_is_named_and_not_quoted(line: bytes) -> None:
    with pytest.raises(InputError, match="f, line 2") as caught:
        list(json_lines(b"{}\n" + line, "f"))
    assert "secret" not in caught.value.message
