"""Reading folders: what is a transcript, what is not, and what is stopped."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.debate.errors import InputError
from inspect_debate.transcripts.debates import arms_of, prompts_of
from inspect_debate.transcripts.release import Release, read_release
from inspect_debate.transcripts.samples import record_of
from tests.transcripts.made import (
    CONDITIONS,
    RELEASED,
    cross_model,
    four_rounds,
    graded,
    release,
    saved,
    three_rounds,
)


def conditions(found: Release) -> list[str]:
    return [arm.condition for arm in arms_of(found.debates)]


def test_the_root_of_a_release(tmp_path: Path) -> None:
    found = read_release(str(release(tmp_path / "theirs")))
    assert found.name == "theirs"
    assert found.stopped == ()
    assert sorted(debate.file for debate in found.debates) == sorted(RELEASED)
    assert tuple(conditions(found)) == CONDITIONS
    assert (len(found.grades.found), found.grades.differing) == (2, 0)


def test_what_lies_beside_the_experiments_is_passed_by(tmp_path: Path) -> None:
    root = release(tmp_path)
    saved(root, "package.json", {"name": "debates"})
    saved(root, "config_data/topic_list.json", [{"topic_description": "x"}])
    saved(root, "experiments/alone/.hidden.json", "{")
    saved(root, "experiments/.trash/x.json", "{")
    (root / "experiments/alone/notes.txt").write_text("{")
    found = read_release(str(root))
    assert found.stopped == ()
    assert len(found.debates) == len(RELEASED)


@pytest.mark.parametrize("folder", ["experiments/alone", "experiments"])
def test_a_folder_under_the_experiments_finds_its_grades(
    folder: str, tmp_path: Path
) -> None:
    found = read_release(str(release(tmp_path) / folder))
    alone = [d for d in found.debates if d.condition == "self"]
    assert len(alone) == 2
    assert [len(found.grades.of(debate)) for debate in alone] == [2, 0]


def test_any_folder_with_everything_in_it(tmp_path: Path) -> None:
    name = "some debate"
    saved(tmp_path, f"{name}.json", three_rounds())
    saved(tmp_path, "deep/er/four.json", four_rounds())
    saved(tmp_path, "grades.json", [graded(name, three_rounds(), 5)])
    pairing = {"proposition": "a", "opposition": "b", "topic": {}}
    saved(tmp_path, "schedule.json", [pairing])
    found = read_release(str(tmp_path))
    assert [debate.id for debate in found.debates] == ["four", name]
    assert [(g.side, g.round) for g in found.grades.of(found.debates[1])] == [
        ("opposition", 3)
    ]
    assert found.stopped == ()


NAMES = st.text("abcXYZ0189 _-:.()", min_size=1, max_size=30).filter(
    lambda name: not name.startswith(".") and name.strip() != ""
)


@settings(max_examples=25, deadline=None)
@given(folder=NAMES, names=st.lists(NAMES, min_size=8, max_size=8, unique=True))
def test_names_do_not_matter(
    folder: str, names: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = tmp_path_factory.mktemp("before")
    after = tmp_path_factory.mktemp("after") / folder
    for name, (path, content) in zip(names, RELEASED.items(), strict=True):
        saved(before, Path(path).name, content)
        saved(after, f"{name}.json", content)
    assert by_content(before) == by_content(after)


def by_content(folder: Path) -> dict[str, Any]:
    """The records of a folder's debates, by what their files hold."""
    found = read_release(str(folder))
    assert found.stopped == ()
    return {
        json.dumps(debate.transcript.model_dump()): record_of(
            debate, arm, prompts_of(debate.prompts), ""
        ).model_dump_json()
        for arm in arms_of(found.debates)
        for debate in arm.debates
    }


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.json", "", "it is not JSON: "),
        ("cut.json", json.dumps(three_rounds())[:-20], "it is not JSON: "),
        ("deep.json", "[" * 100_000, "it is not JSON: "),
        ("list.json", [], "the file: "),
        ("word.json", '"transcript"', "the file: "),
        ("other.json", {"name": "x"}, "motion: Field required"),
        ("type.json", three_rounds("same_debator"), "debate_type 'same_debator' is"),
        ("grades.json", [graded("x", three_rounds(), 0) | {"a": 1}], "entry 0: a: Ext"),
        ("twice.json", [graded("good", three_rounds(), 0)] * 2, "entry 1 grades a bet"),
        (
            "speech.json",
            [graded("x", three_rounds(), 0) | {"speech_type": "reply"}],
            "entry 0: speech_type 'reply'",
        ),
    ],
)
def test_a_damaged_file_stops_itself_alone(
    name: str, content: Any, reason: str, tmp_path: Path
) -> None:
    saved(tmp_path, "good.json", three_rounds())
    saved(tmp_path, "zoo.json", four_rounds())
    saved(tmp_path, name, content)
    found = read_release(str(tmp_path))
    assert [debate.id for debate in found.debates] == ["good", "zoo"]
    ((file, why),) = found.stopped
    assert file == name
    assert why.startswith(reason)
    assert "\n" not in why
    assert str(tmp_path) not in why


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b'{"motion": "\xff\xfe"}')
    (tmp_path / "folder.json").mkdir()
    found = read_release(str(tmp_path))
    assert [stopped.file for stopped in found.stopped] == ["bytes.json", "folder.json"]
    assert all(str(tmp_path) not in stopped.reason for stopped in found.stopped)


def test_one_debate_does_not_count_twice(tmp_path: Path) -> None:
    saved(tmp_path, "a/x.json", three_rounds())
    saved(tmp_path, "b/copy.json", three_rounds())
    saved(tmp_path, "c/x.json", three_rounds(amounts=(1, 2, 3, 4, 5, 6)))
    saved(tmp_path, "d/x.json", three_rounds("readteam_debate"))
    found = read_release(str(tmp_path))
    assert [debate.file for debate in found.debates] == ["a/x.json", "d/x.json"]
    assert dict(found.stopped) == {
        "b/copy.json": "it has the content of a/x.json",
        "c/x.json": "it has the name and condition of a/x.json",
    }


@pytest.mark.parametrize("folder", ["nowhere", "empty", "file.json"])
def test_nothing_to_read(folder: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    saved(tmp_path, "file.json", three_rounds())
    with pytest.raises(InputError, match=f"{folder}"):
        read_release(str(tmp_path / folder))


def test_the_hash_is_that_of_sha256sum(tmp_path: Path) -> None:
    for name in ("b", "a", "B:free"):
        saved(tmp_path, f"{name}.json", cross_model(motion=f"This House is {name}"))
    found = read_release(str(tmp_path))
    told = subprocess.run(
        "LC_ALL=C sha256sum *.json", cwd=tmp_path, shell=True, capture_output=True
    ).stdout
    assert found.digest(found.debates) == hashlib.sha256(told).hexdigest()
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in tmp_path.glob("*.json"):
        shutil.move(path, moved)
    again = read_release(str(moved))
    assert again.digest(again.debates) == found.digest(found.debates)
    assert again.digest(again.debates[1:]) != found.digest(found.debates)
