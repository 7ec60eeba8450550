"""Where tasks of BigCodeBench come from: folders and files; downloads are apart."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.bigcodebench import RELEASES, bigcodebench
from inspect_debate.datasets.sources import Loaded
from inspect_debate.debate.errors import InputError
from tests.datasets.made_bigcodebench import (
    flat,
    jsonl,
    nested,
    release,
    sha256,
    write_folder,
    write_jsonl,
)

CONTENT = release()


def ids(loaded: Loaded) -> list[str]:
    return [str(sample.id) for sample in loaded.dataset]


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """v1.0.2 is the made-up one."""
    known = RELEASES["v1.0.2"]._replace(sha256=sha256(CONTENT))
    monkeypatch.setitem(RELEASES, "v1.0.2", known)


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
