"""Where ARC tasks come from: folders and files; downloads have tests of their own."""

import json
from pathlib import Path

import pytest

from inspect_debate.datasets import arc_agi
from inspect_debate.datasets.arc_agi import arc
from inspect_debate.datasets.sources import Loaded
from inspect_debate.debate.errors import InputError
from tests.datasets.made_arc import Content, made, release, sha256, written

CONTENT = release()


def ids(loaded: Loaded) -> list[str]:
    return [str(sample.id) for sample in loaded.dataset]


@pytest.mark.parametrize("version", [0, 3, "1.1", "one"])
def test_published_versions(version: int | str) -> None:
    with pytest.raises(InputError, match=r"is not known; allowed: 1, 2\."):
        arc(version)


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
