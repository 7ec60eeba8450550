"""Motions, the suite's and a user's, and the debates of a run as samples."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from inspect_debate.v1.datasets.debates import (
    Debated,
    Pair,
    debates_dataset,
    every_motion,
    motion_lookup,
    repeated,
    sample_of,
)
from inspect_debate.v1.datasets.motions import Motion, load_motions
from inspect_debate.v1.debate.errors import InputError
from tests.v1.datasets.made_up import metadata
from tests.v1.support.released import DATA

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
    for motion, facts in zip(motions, FACTS.values(), strict=True):
        assert all(text == " ".join(text.split()) != "" for text in motion[1:])
        assert all(burden.startswith("that ") for burden in motion[2:])
        assert [fact for fact in facts if fact not in motion.text] == []
        figures = set(re.findall(r"\d+", motion.text))
        assert figures == set(re.findall(r"\d+", str(facts)))


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
    cars = {"id": "cars", "text": A, "proposition": "that P", "opposition": "that O"}
    motions = load_motions(saved(tmp_path, name, [cars, {"id": "b_1.x", "text": B}]))
    assert motions == [Motion("cars", A, "that P", "that O"), Motion("b_1.x", B)]
    ours = load_motions()
    content = [motion._asdict() for motion in ours]
    assert load_motions(saved(tmp_path, f"copy-{name}", content)) == ours


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
    monkeypatch.setattr("inspect_debate.v1.debate.paths.STARTED_IN", tmp_path)
    assert [load_motions(name)[0].text for name in ("a.txt", "b.yaml")] == [A, B]


STUDIES = {"private_bet_experiments_diff_models": 6, "private_self_bet": 3}


@pytest.mark.released
@pytest.mark.parametrize(("folder", "count"), STUDIES.items())
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


LAMPS = Motion("lamps", "This house would light the harbour", "that it pays", "no")
FERRIES = Motion("ferries", "This house would let ferries sail at night")


def test_every_pair_debates_every_motion_and_changes_sides() -> None:
    pairs = [Pair("a/x", "b/y:free"), Pair("c/z", "c/z")]
    found = every_motion([LAMPS, FERRIES], pairs, 2)
    assert len(found) == 8
    assert len({debate.id for debate in found}) == 8
    assert found[0].id == "lamps.x.y.1"
    assert [debate.swapped for debate in found[:2]] == [False, True]


def test_a_row_that_comes_again_is_another_debate() -> None:
    """Only a schedule that is repeated changes sides."""
    row = (LAMPS, Pair("x", "y"))
    found = repeated([row, (FERRIES, Pair("x", "y")), row])
    ids = [debate.id for debate in found]
    assert ids == ["lamps.x.y.1", "ferries.x.y.1", "lamps.x.y.2"]
    assert not any(debate.swapped for debate in found)
    assert [debate.swapped for debate in repeated([row], 3)] == [False, True, False]


def test_a_sample_holds_what_the_debate_needs_and_no_answer() -> None:
    sample = sample_of(Debated(LAMPS, Pair("a/x", "b/y")))
    assert (sample.input, sample.target) == (LAMPS.text, "")
    assert (
        metadata(sample).items()
        >= {
            **{"proposition_burden": "that it pays", "opposition_burden": "no"},
            **{"debater_a": "a/x", "debater_b": "b/y"},
        }.items()
    )


def test_every_prefix_spreads_over_motions_and_pairs() -> None:
    pairs = [Pair(name, name) for name in "abc"]
    dataset = debates_dataset(every_motion([LAMPS, FERRIES], pairs, 4), seed=3)
    first = [sample.metadata or {} for sample in list(dataset)[:6]]
    assert {(one["motion"], one["debater_a"]) for one in first} == {
        (motion, name) for motion in ("lamps", "ferries") for name in "abc"
    }


def test_a_schedule_names_motions_by_id_or_text() -> None:
    find = motion_lookup([LAMPS, FERRIES], "pairings=x.csv")
    assert find("lamps") == find(LAMPS.text) == LAMPS
    other = find("This house would ban the bell of the harbour")
    assert other.text == "This house would ban the bell of the harbour"
    with pytest.raises(InputError, match=r"pairings=x\.csv .*'lamp'.*lamps, ferries"):
        find("lamp")
