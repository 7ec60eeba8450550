"""Schedules as files: ours, edited by hand or by a spreadsheet, and the study's."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_debate.datasets.pairings import pairings_file, pairings_text, read_pairings
from inspect_debate.datasets.schedules import Pairing
from tests.support.released import DATA

OURS = [
    Pairing("openai/a", "qwen/b:free", "lamps"),
    Pairing("qwen/b:free", "openai/a", 'This house, at last, says "no"', 2),
]


def written(folder: Path, text: str, name: str = "pairings.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert read_pairings(written(tmp_path, pairings_text(OURS))) == OURS


def test_the_file_is_plain(tmp_path: Path) -> None:
    assert pairings_text(OURS[:1]) == (
        "round,motion,proposition,opposition\n,lamps,openai/a,qwen/b:free\n"
    )


names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)


@given(
    st.lists(st.builds(Pairing, names, names, names, st.none() | st.integers(1, 99)))
)
def test_names_of_all_kinds_survive(
    tmp_path_factory: pytest.TempPathFactory, pairings: list[Pairing]
) -> None:
    path = written(tmp_path_factory.getbasetemp(), pairings_text(pairings))
    if pairings:
        assert read_pairings(path) == pairings
    else:
        with pytest.raises(ValueError, match="holds no debate"):
            read_pairings(path)


@pytest.mark.parametrize(
    "text",
    [
        "motion,proposition,opposition\nlamps,openai/a,qwen/b:free\n",
        "round,opposition,proposition,motion\n,qwen/b:free,openai/a,lamps",
        "\ufeffround;motion;proposition;opposition\r\n;lamps;openai/a;qwen/b:free\r\n",
        "round\tmotion\tproposition\topposition\n\tlamps\topenai/a\tqwen/b:free\n",
        " motion , proposition,opposition\n\n  lamps , openai/a ,qwen/b:free\n,,\n",
    ],
)
def test_files_are_edited_in_many_ways(text: str, tmp_path: Path) -> None:
    assert read_pairings(written(tmp_path, text)) == OURS[:1]


def test_a_debate_twice_is_two_debates(tmp_path: Path) -> None:
    row = "lamps,a,b\n"
    path = written(tmp_path, f"motion,proposition,opposition\n{row}{row}")
    assert read_pairings(path) == [Pairing("a", "b", "lamps")] * 2


def released(*topics: object) -> str:
    return json.dumps(
        [{"proposition": "p/a", "opposition": "q/b:free", "topic": t} for t in topics]
    )


def test_the_released_form(tmp_path: Path) -> None:
    topic = {"topic_description": "This  house would\n light every lamp – 🏮"}
    path = written(tmp_path, released(topic, topic), "pairings.json")
    assert (
        read_pairings(path)
        == [Pairing("p/a", "q/b:free", "This house would light every lamp – 🏮")] * 2
    )


HEAD = "round,motion,proposition,opposition\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.csv", "my" + HEAD, "column 'myround' is not known; allowed: round, motion"),
        ("x.csv", HEAD + "1, ,a,b\n", "line 2: motion is ' '"),
        ("x.csv", HEAD + "1.5,l,a,b\n", "round='1.5'"),
    ],
)
def test_what_is_wrong_is_said(name: str, text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_pairings(written(tmp_path, text, name))
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"pairings={tmp_path}")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"pairings=none.csv: cannot read .*No such"):
        read_pairings("none.csv")
    (tmp_path / "x.csv").write_bytes(b"motion\xff")
    with pytest.raises(ValueError, match=r"x.csv is not a text file"):
        read_pairings(str(tmp_path / "x.csv"))


def test_schedules_are_told_from_logs(tmp_path: Path) -> None:
    assert pairings_file("none.csv")
    assert pairings_file(written(tmp_path, " [", "x.json"))
    assert not pairings_file(written(tmp_path, "{}", "y.json"))
    assert not pairings_file("none.json")
    assert not pairings_file("x.eval")
    assert not pairings_file(str(tmp_path))


@pytest.mark.released
def test_the_released_file_as_it_is() -> None:
    folder = DATA / "llms_overconfidence"
    pairings = read_pairings(str(folder / "private_bet_experiment_pairings.json"))
    assert len(pairings) == 60
    assert sorted(Counter(pairings).values())[-2:] == [1, 2]
    assert sorted(Counter(Counter(d.pair for d in pairings).values()).items()) == [
        (1, 21),
        (2, 18),
        (3, 1),
    ]
    assert {*Counter(debate.motion for debate in pairings).values()} == {9, 10, 12}
    assert {debate.round for debate in pairings} == {None}
    # The debates that were held, with each model and motion in its transcript.
    transcripts = Counter(
        (held["proposition_model"], held["opposition_model"], _motion(held))
        for path in (folder / "experiments").glob("*diff_models/*.json")
        if (held := json.loads(path.read_text(encoding="utf-8")))
    )
    assert transcripts == Counter(debate[:3] for debate in pairings)


def _motion(held: dict[str, dict[str, str]]) -> str:
    return " ".join(held["motion"]["topic_description"].split())
