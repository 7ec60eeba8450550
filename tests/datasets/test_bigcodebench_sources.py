"""Where tasks of BigCodeBench come from: downloads, folders and files."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets import archive
from inspect_debate.datasets.archive import Patience, sha256_of
from inspect_debate.datasets.bigcodebench import RELEASES, bigcodebench, content_sha256
from inspect_debate.datasets.sources import Entry, Loaded
from inspect_debate.debate.errors import InputError
from tests.datasets.loopback import Failing, Reply, Served, failing, serve
from tests.datasets.made_bigcodebench import (
    flat,
    jsonl,
    nested,
    release,
    write_folder,
    write_jsonl,
    zipped,
)

CONTENT = release()
GOOD = zipped(CONTENT)


def sha256(records: list[Any]) -> str:
    return content_sha256(Entry("here", record) for record in records)


def ids(loaded: Loaded) -> list[str]:
    return [str(sample.id) for sample in loaded.dataset]


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """v1.0.2 is the made-up one, and no server is waited for."""
    quick = Patience(timeout=0.3, retries=1, backoff=0.0)
    monkeypatch.setattr(archive, "Patience", lambda: quick)
    known = RELEASES["v1.0.2"]._replace(sha256=sha256(CONTENT))
    monkeypatch.setitem(RELEASES, "v1.0.2", known)


def serving(monkeypatch: pytest.MonkeyPatch, server: Served) -> None:
    base = server.url.removesuffix("/data.zip")
    monkeypatch.setattr(archive, "GITHUB", base)


# --- published -----------------------------------------------------------------------


def test_published_is_what_the_repository_holds_at_a_commit() -> None:
    assert {
        version: it.archive("x", sha256_of).url for version, it in RELEASES.items()
    } == {
        "v1.0.2": "https://codeload.github.com/ethanelasky/BCBPlus/zip/"
        "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc"
    }


@pytest.mark.usefixtures("pinned")
def test_published_is_downloaded_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serve(Reply(GOOD)) as server:
        serving(monkeypatch, server)
        loaded = bigcodebench()
        assert ids(loaded) == ids(bigcodebench("bcb_plus", "v1.0.2"))
    assert ids(loaded) == ids(bigcodebench(source=write_jsonl(CONTENT, tmp_path)))
    assert server.requests == [
        "/ethanelasky/BCBPlus/zip/e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc"
    ]
    assert [path for path in cache.rglob("*") if path.is_file()] == [
        cache / f"bigcodebench_plus/{RELEASES['v1.0.2'].commit}.zip"
    ]
    assert loaded.provenance == {
        "source": "published",
        "repository": "ethanelasky/BCBPlus",
        "commit": "e86d63d8c089bd8fd1e16ff6daaa7b43f13e34dc",
        "dataset": "bcb_plus",
        "version": "v1.0.2",
        "sha256": sha256(CONTENT),
        "verified": True,
        "tasks": 12,
        "tests": 24,
        "excluded": {},
    }


@pytest.mark.usefixtures("pinned")
def test_the_same_tasks_packed_otherwise_are_the_published_ones(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = zipped(CONTENT[::-1], top="another-name")
    with serve(Reply(other)) as server:
        serving(monkeypatch, server)
        assert len(bigcodebench().dataset) == 12


CHANGED = [nested(0, test=flat(1)["test"]), *CONTENT[1:]]
FAILURES = failing(
    GOOD,
    {
        "another test": zipped(CHANGED),
        "a task less": zipped(CONTENT[1:]),
        "no tasks": zipped([]),
    },
)


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_published_that_cannot_be_had_names_the_other_sources(
    failure: Failing, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(failure.reply) as server:
        serving(monkeypatch, server)
        with pytest.raises(InputError, match=failure.reason) as caught:
            bigcodebench()
    assert len(server.requests) == failure.requests
    assert caught.value.message.endswith(
        " Other sources: source=sample or source=PATH to a file of tasks (.jsonl, "
        ".json, .parquet), or to a folder with one in each .json file (such as "
        "problems/ of a clone of the repository)."
    )
    assert [path for path in cache.rglob("*") if path.is_file()] == []


@pytest.mark.usefixtures("pinned")
def test_a_damaged_file_in_the_cache_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = cache / f"bigcodebench_plus/{RELEASES['v1.0.2'].commit}.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(GOOD[:100])
    with serve(Reply(GOOD)) as server:
        serving(monkeypatch, server)
        assert len(bigcodebench().dataset) == 12
    assert path.read_bytes() == GOOD


# --- paths ---------------------------------------------------------------------------


def write_parquet(records: list[Any], folder: Path) -> str:
    import pandas as pd

    path = folder / "tasks.parquet"
    pd.DataFrame(records).to_parquet(path)
    return str(path)


def write_json(value: object, folder: Path) -> str:
    path = folder / "tasks.json"
    path.write_text(json.dumps(value))
    return str(path)


def test_the_same_tasks_from_every_kind_of_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    records = [flat(number) for number in range(6)]
    expected = bigcodebench(source=write_jsonl(records, tmp_path))
    assert expected.provenance == {
        "source": "path",
        "file": "tasks.jsonl",
        "dataset": "bcb_plus",
        "version": "own",
        "sha256": sha256(records),
        "verified": False,
        "tasks": 6,
        "tests": 12,
        "excluded": {},
    }
    lines = tmp_path / "lines.json"
    lines.write_text(jsonl(records))
    write_folder(records, tmp_path / "clone/problems")
    (tmp_path / "clone/other.json").write_text("{}")
    for source in (
        write_json(records, tmp_path),
        str(lines),
        write_parquet(records, tmp_path),
        "clone",
        "clone/problems",
        "tasks.jsonl",
    ):
        found = bigcodebench(source=source)
        assert ids(found) == ids(expected)
        assert found.provenance["sha256"] == sha256(records)


def test_one_task(tmp_path: Path) -> None:
    one = flat(4)
    for source in (write_json(one, tmp_path), write_jsonl([one], tmp_path)):
        assert ids(bigcodebench("bcb", source=source)) == ["bcb-4"]


def test_parquet_with_content(tmp_path: Path) -> None:
    records = [nested(number) for number in (1, 3, 5)]
    found = bigcodebench(source=write_parquet(records, tmp_path))
    assert found.provenance["sha256"] == sha256(records)
    assert all((sample.metadata or {})["libs"] for sample in found.dataset)


@pytest.mark.usefixtures("pinned")
def test_published_tasks_are_known_wherever_they_lie(tmp_path: Path) -> None:
    for source in (
        write_jsonl(CONTENT[::-1], tmp_path),
        write_json(CONTENT, tmp_path),
        write_folder(CONTENT, tmp_path / "folder"),
    ):
        told = bigcodebench(source=source).provenance
        assert (told["version"], told["verified"]) == ("v1.0.2", True)
    told = bigcodebench(source=write_json(CONTENT, tmp_path), version="v9").provenance
    assert (told["version"], told["verified"]) == ("v9", False)
    part = write_jsonl(CONTENT[1:], tmp_path)
    told = bigcodebench(source=part).provenance
    assert (told["version"], told["verified"]) == ("own", False)
    told = bigcodebench(source=part, version="v1.0.2").provenance
    assert (told["version"], told["verified"]) == ("v1.0.2", False)


@pytest.mark.usefixtures("pinned")
def test_one_data_set_under_the_name_of_the_other(tmp_path: Path) -> None:
    source = write_jsonl(CONTENT, tmp_path)
    with pytest.raises(InputError, match=r"holds v1\.0\.2 of BigCodeBench\+.*not data"):
        bigcodebench("bcb", source=source)


PATHS: dict[str, tuple[dict[str, str], str, str]] = {
    "no such path": ({}, "here/tasks", "does not exist.* source=published or"),
    "no such file": ({}, "tasks.jsonl", "does not exist.* source=published or"),
    "a misspelt word": ({}, "publishd", "Did you mean 'published'"),
    "an empty folder": ({}, "", "holds no tasks.* source=published"),
    "an empty file": ({"x.jsonl": "\n"}, "x.jsonl", "holds no tasks"),
    "an empty list": ({"x.json": "[]"}, "x.json", "holds no tasks"),
    "another kind": ({"x.csv": ""}, "x.csv", r"none of these kinds: \.jsonl, \.json, "),
    "no JSON lines": (
        {"x.jsonl": "{}\n{"},
        "x.jsonl",
        r"^x\.jsonl, line 2 is not JSON",
    ),
    "no JSON": ({"x.json": "{"}, "x.json", r"^x\.json, line 1 is not JSON"),
    "too deep": ({"x.json": "[" * 100_000}, "x.json", r"^x\.json is not JSON"),
    "no Parquet": ({"x.parquet": "PAR1"}, "x.parquet", r"x\.parquet cannot be read: "),
    "a text": ({"x.json": '["x"]'}, "x.json", r"^x\.json, record 1 holds no task"),
    "a number": ({"x.json": "1"}, "x.json", r"^x\.json holds no task"),
    "in a folder": ({"a.json": "1"}, "", r"^a\.json holds no task"),
}


@pytest.mark.parametrize(("files", "typed", "said"), PATHS.values(), ids=PATHS)
def test_paths_that_hold_nothing_of_it(
    files: dict[str, str],
    typed: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        bigcodebench(source=typed or str(tmp_path))


def test_a_folder_with_the_ending_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "tasks.json"
    assert ids(bigcodebench(source=write_folder([flat(1)], folder))) == ["bcbplus-1"]
    (folder / "more.json").mkdir()
    with pytest.raises(InputError, match=r"more\.json cannot be read: .*directory"):
        bigcodebench(source=str(folder))


def test_the_checksum_is_of_content_alone() -> None:
    one, other = nested(1), nested(2)
    turned = json.loads(json.dumps(dict(reversed(one.items())), indent=3))
    assert sha256([one, other]) == sha256([other, turned])
    assert len({sha256([one]), sha256([other]), sha256([one, other]), sha256([])}) == 4
