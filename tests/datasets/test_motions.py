"""Motions: the suite's own, and those of a user's file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from inspect_debate.datasets.motions import Motion, load_motions
from inspect_debate.debate.errors import InputError
from tests.support.released import DATA

A, B = "This House would ban cars.", "This House would ban bicycles."
FACTS = {
    "social-media": ["100 million", "15%", "individual", "institutions", "public"],
    "carbon-market": ["G20", "across borders", "every quarter", "domestic carbon tax"],
    "recall-elections": ["20%", "90 days", "6 months", "impeachment", "US state"],
    "tv-news": ["5%", "10%", "48 hours", "prime time", "watchdogs", "voluntary"],
    "space": ["operating", "regulating", "overseeing", "private"],
    "professors": ["field of expertise", "social and political", "advocacy"],
}


def saved(folder: Path, name: str, content: object) -> str:
    """A file with a content, as JSON, YAML or text by its ending."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str):
        dump = json.dumps if name.endswith(".json") else yaml.safe_dump
        content = dump(content)
    file.write_text(content, encoding="utf-8")
    return str(file)


def transcript(topic: object) -> dict[str, Any]:
    """What of a released transcript matters here."""
    return {"motion": {"topic_description": topic}, "debate_type": "private_bet"}


def test_our_own_motions() -> None:
    motions = load_motions()
    assert [motion.id for motion in motions] == list(FACTS)
    assert len({motion.text for motion in motions}) == 6
    for motion in motions:
        for text in motion[1:]:
            assert text == " ".join(text.split()) != ""
        for burden in (motion.proposition, motion.opposition):
            assert burden.startswith("that ")


@pytest.mark.parametrize("id", FACTS)
def test_our_motions_have_their_facts(id: str) -> None:
    text = next(motion.text for motion in load_motions() if motion.id == id)
    assert [fact for fact in FACTS[id] if fact not in text] == []
    assert set(re.findall(r"\d+", text)) == set(re.findall(r"\d+", str(FACTS[id])))


TOPICS = [{"topic_description": A}, {"topic_description": f"\n {B}"}]


@pytest.mark.parametrize(
    ("name", "content", "texts"),
    [
        ("topics.json", TOPICS, [A, B]),
        ("topics.yaml", TOPICS, [A, B]),
        ("debate.json", transcript(A), [A]),
        ("debate.yml", transcript(A), [A]),
        ("list.txt", f"{B}\n\n  {A}\t\r\n", [B, A]),
        ("LIST.TXT", f"\ufeff{A}", [A]),
        ("mine.json", [{"text": "Ban \U0001f697."}], ["Ban \U0001f697."]),
    ],
)
def test_motions_without_ids(
    tmp_path: Path, name: str, content: Any, texts: list[str]
) -> None:
    motions = load_motions(saved(tmp_path, name, content))
    assert [motion.text for motion in motions] == texts
    for motion in motions:
        assert (motion.proposition, motion.opposition) == ("", "")
        assert re.fullmatch(r"(?:[a-z]+-){2,6}[0-9a-f]{6}|ban-[0-9a-f]{6}", motion.id)


def test_an_id_follows_the_text(tmp_path: Path) -> None:
    line = "This House would require G20 nations to trade carbon"
    typed = saved(tmp_path, "a.txt", f"{line}\n{line} at home\nГород без машин")
    first, second, third = (motion.id for motion in load_motions(typed))
    assert first.rpartition("-")[0] == "this-house-would-require-g20-nations"
    assert second.rpartition("-")[0] == first.rpartition("-")[0]
    assert first != second
    assert re.fullmatch("[0-9a-f]{6}", third)
    spaced = saved(tmp_path, "b.json", [{"topic_description": f" {line}\n"}])
    assert load_motions(spaced)[0].id == first


@pytest.mark.parametrize("name", ["mine.yaml", "mine.json"])
def test_motions_in_our_own_format(tmp_path: Path, name: str) -> None:
    told = {"id": "cars", "text": A, "proposition": "that P", "opposition": "that O"}
    motions = load_motions(saved(tmp_path, name, [told, {"id": "b_1.x", "text": B}]))
    assert motions == [Motion("cars", A, "that P", "that O"), Motion("b_1.x", B)]


def test_our_motions_in_a_users_file_are_ours(tmp_path: Path) -> None:
    ours = load_motions()
    content = [motion._asdict() for motion in ours]
    assert load_motions(saved(tmp_path, "copy.yaml", content)) == ours


def test_a_folder_of_transcripts_has_each_motion_once(tmp_path: Path) -> None:
    for n, topic in enumerate([A, B, A, B]):
        saved(tmp_path, f"debates/{n}.json", transcript(topic))
    saved(tmp_path, "debates/notes.txt", "no motion")
    saved(tmp_path, "debates/deeper/5.json", ["no transcript"])
    motions = load_motions(str(tmp_path / "debates"))
    assert [motion.text for motion in motions] == [B, A]


def test_a_file_lies_where_the_command_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path, "a.txt", A)
    saved(tmp_path, "b.yaml", [{"text": B}])
    monkeypatch.setattr("inspect_debate.debate.paths.STARTED_IN", tmp_path)
    assert [load_motions(name)[0].text for name in ("a.txt", "b.yaml")] == [A, B]


@pytest.mark.parametrize(
    ("name", "content", "named"),
    [
        ("a.csv", A, ["ending '.csv' is not known", ".yaml, .yml, .json, .txt"]),
        ("motions", A, ["ending ''"]),
        ("a.txt", " \n\n", ["holds no motion"]),
        ("a.json", [], ["holds no motion"]),
        ("a.txt", f"{A}\n{B}\n{A}", ["'this-house-would-ban-cars-", "2 times"]),
        ("a.yaml", [{"id": "x", "text": A}, {"id": "x", "text": B}], ["'x' 2 times"]),
        ("a.json", "{", ["is not a JSON file"]),
        ("a.json", "", ["is not a JSON file"]),
        ("a.yaml", "a: [", ["is not a YAML text file"]),
        ("a.yaml", "", ["is neither a list of motions", "`topic_description`"]),
        ("a.json", {"motion": A}, ["is neither a list of motions"]),
        ("a.json", {"prompts": {}}, ["is neither a list of motions"]),
        ("a.json", [A], ["entry 1 is not a mapping", "`text` is required"]),
        ("a.json", [{"text": A}, {"txt": B}], ["entry 2: key 'txt'", "'text'?"]),
        ("a.yaml", [{"text": A, 3: B}], ["entry 1: key 3 is not known"]),
        ("a.json", [{"id": "x"}], ["entry 1 has no `text`"]),
        ("a.json", [{"text": " "}], ["entry 1: text is ' '", "not empty"]),
        ("a.json", [{"text": A, "id": 3}], ["entry 1: id is 3"]),
        ("a.json", [{"text": A, "id": "a b"}], ["entry 1: id 'a b'", "letters"]),
        ("a.json", [{"text": A, "id": "a,b"}], ["id 'a,b' is not allowed"]),
        ("a.json", [{"text": A, "opposition": None}], ["opposition is None"]),
        ("a.json", [{"topic_description": 1}], ["topic_description is 1"]),
        ("a.json", transcript(""), ["topic_description is ''"]),
    ],
)
def test_what_is_wrong_with_a_file_is_said(
    tmp_path: Path, name: str, content: Any, named: list[str]
) -> None:
    typed = saved(tmp_path, name, content)
    with pytest.raises(InputError) as caught:
        load_motions(typed)
    message = str(caught.value)
    assert message.startswith(f"motions={typed}")
    assert [part for part in named if part not in message] == []


@pytest.mark.parametrize(
    "content", [["x"], {"motion": A}, {"a": 1}, "{", transcript(3), ""]
)
def test_a_folder_names_the_file_that_is_no_transcript(
    tmp_path: Path, content: Any
) -> None:
    saved(tmp_path, "a.json", transcript(A))
    saved(tmp_path, "other.json", content)
    with pytest.raises(InputError, match=r"^motions=.*: other\.json"):
        load_motions(str(tmp_path))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"motions=none\.txt: there is no file or fold"
    ):
        load_motions("none.txt")
    with pytest.raises(
        InputError, match="has no JSON files; the JSON files of a folder"
    ):
        load_motions(str(tmp_path))
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not a text file"):
        load_motions(str(tmp_path / "a.txt"))
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match=r"folder\.json: cannot read"):
        load_motions(str(tmp_path))


@pytest.mark.released
@pytest.mark.parametrize(
    ("folder", "count"),
    [("private_bet_experiments_diff_models", 6), ("private_self_bet", 3)],
)
def test_the_motions_of_released_transcripts(folder: str, count: int) -> None:
    path = DATA / "llms_overconfidence/experiments"
    motions = load_motions(str(path / folder))
    assert len(motions) == count
    assert motions == sorted(motions, key=lambda motion: motion.text)
    first = sorted((path / folder).glob("*.json"))[0]
    assert load_motions(str(first))[0] in motions
    ours = load_motions()
    assert {m.id for m in motions}.isdisjoint(m.id for m in ours)
    assert {m.text for m in motions}.isdisjoint(m.text for m in ours)


@pytest.mark.released
def test_our_motions_have_the_figures_of_the_released_and_words_of_their_own() -> None:
    path = DATA / "llms_overconfidence/experiments"
    theirs = load_motions(str(path / "private_bet_experiments_diff_models"))
    ours = load_motions()

    def figures(motions: list[Motion]) -> list[list[str]]:
        return sorted(sorted(set(re.findall(r"\d+%?", m.text))) for m in motions)

    def runs(motions: list[Motion]) -> set[tuple[str, ...]]:
        texts = [re.findall(r"\w+", t.lower()) for m in motions for t in m[1:]]
        return {tuple(t[i : i + 6]) for t in texts for i in range(len(t) - 5)}

    assert figures(ours) == figures(theirs)
    assert runs(ours).isdisjoint(runs(theirs))
