"""Where ARC tasks come from: downloads, folders and files."""

import json
from pathlib import Path

import pytest

from inspect_debate.datasets import arc_agi, archive
from inspect_debate.datasets.arc_agi import RELEASES, Entry, Size, arc, content_sha256
from inspect_debate.datasets.archive import Patience, sha256_of
from inspect_debate.datasets.sources import Loaded
from inspect_debate.debate.errors import InputError
from tests.datasets.loopback import Failing, Reply, Served, failing, serve
from tests.datasets.made_arc import Content, made, release, written, zipped

CONTENT = release()
GOOD = zipped(CONTENT)


def sha256(content: Content) -> str:
    paths = {name: Path(name) for name in content}
    return content_sha256(
        Entry(path.parent.name, path.stem, "here", content[name])
        for name, path in paths.items()
    )


def ids(loaded: Loaded) -> list[str]:
    return [str(sample.id) for sample in loaded.dataset]


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 is the made-up one, and no server is waited for."""
    quick = Patience(timeout=0.3, retries=1, backoff=0.0)
    monkeypatch.setattr(archive, "Patience", lambda: quick)
    monkeypatch.setitem(RELEASES, 1, RELEASES[1]._replace(sha256=sha256(CONTENT)))
    monkeypatch.setattr(
        arc_agi,
        "PUBLISHED_SIZES",
        {(1, "training"): Size(12, 16), (1, "evaluation"): Size(6, 8)},
    )


def serving(monkeypatch: pytest.MonkeyPatch, server: Served) -> None:
    base = server.url.removesuffix("/data.zip")
    monkeypatch.setattr(archive, "GITHUB", base)


# --- published -----------------------------------------------------------------------


def test_published_is_what_the_repositories_hold_at_a_commit() -> None:
    assert {
        version: it.archive("x", sha256_of).url for version, it in RELEASES.items()
    } == {
        1: "https://codeload.github.com/fchollet/ARC-AGI/zip/"
        "399030444e0ab0cc8b4e199870fb20b863846f34",
        2: "https://codeload.github.com/arcprize/ARC-AGI-2/zip/"
        "f3283f727488ad98fe575ea6a5ac981e4a188e49",
    }


@pytest.mark.usefixtures("pinned")
def test_published_is_downloaded_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = written(CONTENT, tmp_path / "tasks")
    with serve(Reply(GOOD)) as server:
        serving(monkeypatch, server)
        loaded = arc()
        assert ids(loaded) == ids(arc(source=str(folder)))
        assert len(arc("1", "evaluation").dataset) == 6
    assert server.requests == [
        "/fchollet/ARC-AGI/zip/399030444e0ab0cc8b4e199870fb20b863846f34"
    ]
    assert [path for path in cache.rglob("*") if path.is_file()] == [
        cache / f"arc_agi/{RELEASES[1].commit}.zip"
    ]
    assert loaded.provenance == {
        "source": "published",
        "repository": "fchollet/ARC-AGI",
        "commit": "399030444e0ab0cc8b4e199870fb20b863846f34",
        "version": 1,
        "split": "both",
        "sha256": sha256(CONTENT),
        "tasks": 18,
        "grids": 24,
    }


@pytest.mark.usefixtures("pinned")
def test_the_same_tasks_packed_otherwise_are_the_published_ones(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = zipped(dict(reversed(CONTENT.items())), top="ARC-AGI-another-name")
    with serve(Reply(other)) as server:
        serving(monkeypatch, server)
        assert len(arc(split="training").dataset) == 12


CHANGED = {**CONTENT, "training/00000000.json": made(0)}
FAILURES = failing(
    GOOD,
    {
        "other tasks": zipped(CHANGED),
        "a task less": zipped(release(11)),
        "no tasks": zipped({}),
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
            arc()
    assert len(server.requests) == failure.requests
    assert caught.value.message.endswith(
        " Other sources: source=sample or source=PATH to a folder with training/ and "
        "evaluation/ (such as data/ of a clone of the repository), to one with task "
        "files, or to one task file (.json)."
    )
    assert [path for path in cache.rglob("*") if path.is_file()] == []


@pytest.mark.usefixtures("pinned")
def test_a_damaged_file_in_the_cache_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = cache / f"arc_agi/{RELEASES[1].commit}.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(GOOD[:100])
    with serve(Reply(GOOD)) as server:
        serving(monkeypatch, server)
        assert len(arc().dataset) == 18
    assert path.read_bytes() == GOOD


@pytest.mark.usefixtures("pinned")
@pytest.mark.parametrize("split", ["evaluation", "both"])
def test_published_tasks_are_counted(
    split: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {**arc_agi.PUBLISHED_SIZES, (1, "evaluation"): Size(6, 9)}
    monkeypatch.setattr(arc_agi, "PUBLISHED_SIZES", sizes)
    said = "evaluation of version 1 has 6 tasks with 8 test inputs, and should have 6"
    with serve(Reply(GOOD)) as server:
        serving(monkeypatch, server)
        with pytest.raises(InputError, match=said):
            arc(split=split)
        assert len(arc(split="training").dataset) == 12


@pytest.mark.parametrize("version", [0, 3, "1.1", "one"])
def test_published_versions(version: int | str) -> None:
    with pytest.raises(InputError, match=r"is not known; allowed: 1, 2\."):
        arc(version)


# --- paths ---------------------------------------------------------------------------


def test_the_same_tasks_from_every_kind_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    written(CONTENT, tmp_path / "clone/data")
    written({"README.md": "", "apps/x.json": "{}"}, tmp_path / "clone")
    expected = arc(source="clone")
    assert len(expected.dataset) == 18
    assert expected.provenance == {
        "source": "path",
        "file": "clone",
        "version": "own",
        "split": "both",
        "sha256": sha256(CONTENT),
        "tasks": 18,
        "grids": 24,
    }
    for typed in ("clone/data", "./clone/data/", str(tmp_path / "clone")):
        assert ids(arc(source=typed)) == ids(expected)
    parts = [arc(split=split, source="clone") for split in arc_agi.SPLITS]
    assert [len(part.dataset) for part in parts] == [12, 6]
    for split in arc_agi.SPLITS:
        alone = arc(source=f"clone/data/{split}")
        assert ids(alone) == ids(arc(split=split, source="clone"))
        assert splits(alone) == {split}


def splits(loaded: Loaded) -> set[str]:
    return {(sample.metadata or {})["split"] for sample in loaded.dataset}


def test_tasks_of_ones_own(tmp_path: Path) -> None:
    folder = written({"a.json": made(1), "b.json": made(2), "c.txt": ""}, tmp_path)
    loaded = arc("mine", source=str(folder))
    assert sorted(ids(loaded)) == ["arcmine-a", "arcmine-b"]
    assert splits(loaded) == {"own"}
    assert splits(arc(source=str(folder), split="training")) == {"training"}
    one = arc(2, source=str(folder / "b.json"))
    assert ids(one) == ["arc2-b"]
    assert one.provenance["file"] == "b.json"
    assert one.provenance["tasks"] == 1


PATHS: dict[str, tuple[Content, str, str, str]] = {
    "no such path": ({}, "both", "here/tasks", "does not exist.* source=published or"),
    "a misspelt word": ({}, "both", "publishd", "Did you mean 'published'"),
    "an empty folder": ({}, "both", "", "holds no task files"),
    "no evaluation": (release(3, 0), "both", "", "has no folder evaluation"),
    "no training": (release(0, 3), "training", "", "has no folder training"),
    "another folder": (
        release(3, 3),
        "evaluation",
        "training",
        "split='evaluation', but .* lies in the folder training",
    ),
    "another kind of file": (
        {"x.jsonl": {}},
        "both",
        "x.jsonl",
        "no folder, and of none of these kinds",
    ),
}


@pytest.mark.parametrize(
    ("content", "split", "typed", "said"), PATHS.values(), ids=PATHS
)
def test_paths_that_hold_nothing_of_it(
    content: Content,
    split: str,
    typed: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    written(content, tmp_path)
    with pytest.raises(InputError, match=said):
        arc(split=split, source=typed or str(tmp_path))


def test_one_name_twice(tmp_path: Path) -> None:
    content = {"training/x.json": made(1), "evaluation/x.json": made(2)}
    with pytest.raises(InputError, match="has 2 tasks of name 'x'"):
        arc(source=str(written(content, tmp_path)))
    assert len(arc(split="training", source=str(tmp_path)).dataset) == 1


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\ud800", '{"train": 1}'])
def test_files_that_are_no_tasks(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match=r"x\.json (is not JSON|holds no task)"):
        arc(source=str(path))


def test_the_checksum_is_of_content_and_place() -> None:
    one = made(1)
    sums = {
        sha256({"training/a.json": one}),
        sha256({"training/b.json": one}),
        sha256({"evaluation/a.json": one}),
        sha256({"training/a.json": made(2)}),
        sha256({"training/a.json": one, "training/b.json": one}),
    }
    assert len(sums) == 5
    turned = json.loads(json.dumps(dict(reversed(one.items())), indent=3))
    assert sha256({"training/a.json": turned}) == sha256({"training/a.json": one})
