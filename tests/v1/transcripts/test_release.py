"""Transcripts, grades and folders of them: what is read, and what is stopped."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.transcripts.debates import (
    Debate,
    UnreadableError,
    conditions_of,
    debate_of,
    prompts_of,
)
from inspect_debate.v1.transcripts.release import (
    Grades,
    Release,
    is_grades,
    read_grades,
    read_release,
)
from inspect_debate.v1.transcripts.samples import record_of
from tests.v1.transcripts.made import (
    ALPHA,
    BETA,
    CONDITIONS,
    JURY,
    RELEASED,
    cross_model,
    four_rounds,
    graded,
    release,
    saved,
    speech,
    three_rounds,
)


def read(content: Any, id: str = "alpha_vs_self_20250503_142712") -> Debate:
    return debate_of(id, f"{id}.json", content)


def test_three_rounds() -> None:
    debate = read(cross_model())
    assert (debate.condition, debate.rounds) == ("cross_model", 3)
    assert debate.models == {"proposition": ALPHA, "opposition": BETA}
    assert debate.speeches["opposition", 2] == speech("opposition", "rebuttal")
    assert [(key, bet.amount) for key, bet in debate.bets.items()] == [
        (("proposition", 1), 60),
        (("opposition", 1), 55),
        (("proposition", 2), 70),
        (("opposition", 2), 65),
        (("proposition", 3), 80),
        (("opposition", 3), 75),
    ]
    assert [verdict.model_dump() for verdict in debate.verdicts] == list(JURY)
    assert debate.prompts is not None
    assert {who: [*models] for who, models in debate.tokens.items()} == {
        "debaters": [ALPHA, BETA],
        "jury": [JURY[0]["model"], JURY[2]["model"]],
    }


def test_four_rounds() -> None:
    debate = read(four_rounds())
    assert (debate.condition, debate.rounds) == ("four_round", 4)
    assert debate.speeches["proposition", 3] == speech("proposition", "rebuttal_2")
    assert debate.bets["opposition", 4].amount == 55
    assert (debate.prompts, debate.verdicts, debate.tokens) == (None, [], {})


@pytest.mark.parametrize(
    ("debate_type", "condition"),
    [
        ("private_bet", "cross_model"),
        ("private_same_debator", "self"),
        ("private_same_debator_informed", "informed_self"),
        ("PUBLIC_SAME_DEBATOR", "public"),
        ("readteam_debate", "redteam"),
    ],
)
def test_the_condition_is_in_the_file(debate_type: str, condition: str) -> None:
    assert read(three_rounds(debate_type)).condition == condition


@pytest.mark.parametrize(
    ("name", "started"),
    [
        ("a_vs_b_20250503_142712", datetime(2025, 5, 3, 14, 27, 12, tzinfo=UTC)),
        ("20010101_000000 of 20250503_142712 (1)", datetime(2025, 5, 3, 14, 27, 12)),
        ("a_vs_b", None),
        ("a_20259903_142712", None),
        ("a_120250503_142712", None),
    ],
)
def test_when_it_began(name: str, started: datetime | None) -> None:
    found = read(three_rounds(), name).started
    assert found == (started and started.replace(tzinfo=UTC))


def without(*path: str) -> Callable[[Any], Any]:
    def change(content: Any) -> Any:
        place = content
        for name in path[:-1]:
            place = place[name]
        del place[path[-1]]
        return content

    return change


def setting(*path: Any, to: Any) -> Callable[[Any], Any]:
    def change(content: Any) -> Any:
        place = content
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to
        return content

    return change


def swapped_bets(content: Any) -> Any:
    bets = content["debator_bets"]
    bets[2], bets[3] = bets[3], bets[2]
    return content


def one_bet_less(content: Any) -> Any:
    del content["debator_bets"][-1]
    return content


BOTH: list[tuple[Callable[[Any], Any], str]] = [
    (without("motion"), "motion: Field required"),
    (without("proposition_output"), "proposition_output: Field required"),
    (without("opposition_output", "side"), "opposition_output.side: Field required"),
    (
        without("opposition_output", "speeches", "closing"),
        "opposition_output.speeches.closing: Field required",
    ),
    (without("debator_bets"), "debator_bets: Field required"),
    (setting("debator_bets", to=None), "debator_bets: Input should be a valid list"),
    (setting("extra", to=1), "extra: Extra inputs are not permitted"),
    (
        setting("proposition_output", "speeches", "rebuttal_3", to="No."),
        "proposition_output.speeches.rebuttal_3: Extra inputs",
    ),
    (
        setting("proposition_output", "speeches", "opening", to=-1),
        "proposition_output.speeches.opening: Input should be a valid string",
    ),
    (setting("motion", "topic_description", to=" "), "motion.topic_description: "),
    (setting("motion", "topic_description", to="\ud800"), "motion.topic_description: "),
    (setting("opposition_output", "side", to="proposition"), "opposition_output.side"),
    (setting("debator_bets", 0, "side", to="judge"), "debator_bets.0.side: Input"),
    (setting("debator_bets", 1, "amount", to=101), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=-1), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=50.0), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to="50"), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=True), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "amount", to=None), "debator_bets.1.amount: Input"),
    (setting("debator_bets", 1, "thoughts", to=None), "debator_bets.1.thoughts: Input"),
    (swapped_bets, "debator_bets.2: the bet is of opposition rebuttal"),
    (one_bet_less, "bets where"),
    (setting("opposition_model", to=""), "opposition_model: "),
    (setting("opposition_model", to=BETA), "is a debate with oneself; here are"),
    (setting("debate_type", to="baseline"), "debate_type 'baseline' is not known; kno"),
    (setting("debate_type", to=3), "debate_type: Input should be a valid string"),
    (lambda _: [], "the file: Input should be a valid dictionary"),
    (lambda _: "text", "the file: Input should be a valid dictionary"),
    (lambda _: None, "the file: Input should be a valid dictionary"),
]


@pytest.mark.parametrize("make", [three_rounds, four_rounds])
@pytest.mark.parametrize(("change", "reason"), BOTH)
def test_what_stops_a_file(
    make: Callable[[], Any], change: Callable[[Any], Any], reason: str
) -> None:
    with pytest.raises(UnreadableError, match=r"^[^\n]+$") as error:
        read(change(make()))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without("prompts"), "prompts: Field required"),
        (without("prompts", "judge_prompt"), "prompts.judge_prompt: Field required"),
        (setting("judge_results", 0, "winner", to="tie"), "judge_results.0.winner"),
        (setting("judge_results", 1, "confidence", to=120), "judge_results.1.conf"),
        (setting("judge_results", 0, "pass", to=1), "judge_results.0.pass: Extra"),
        (
            setting("debator_token_counts", ALPHA, "failed_calls", to=-1),
            f"debator_token_counts.{ALPHA}.failed_calls",
        ),
        (
            setting("debate_type", to="private_self_bet"),
            "'private_self_bet' has 4 rounds; here are 3",
        ),
    ],
)
def test_what_stops_a_file_of_three_rounds(
    change: Callable[[Any], Any], reason: str
) -> None:
    with pytest.raises(UnreadableError) as error:
        read(change(cross_model()))
    assert reason in str(error.value)


def test_four_rounds_of_a_condition_of_three() -> None:
    with pytest.raises(UnreadableError, match="has 3 rounds; here are 4"):
        read(four_rounds("private_same_debator"))


def test_several_faults_are_counted() -> None:
    content = setting("debator_bets", 0, "amount", to=-5)(three_rounds())
    del content["motion"]
    with pytest.raises(UnreadableError, match=r"motion: Field required \(and 1 more\)"):
        read(content)


THREE = debate_of("three", "a/three.json", three_rounds())
FOUR = debate_of("four", "b/four.json", four_rounds())


def graded_bets(*entries: dict[str, Any]) -> Grades:
    return read_grades(list(entries), [THREE, FOUR], Grades())


def test_each_grade_finds_its_bet() -> None:
    grades = graded_bets(
        graded("four", four_rounds(), 5, assessment="Overbetting"),
        graded("three", three_rounds(), 5),
        graded("three", three_rounds(), 0),
    )
    assert [(g.side, g.round, g.bet) for g in grades.of(THREE)] == [
        ("proposition", 1, 60),
        ("opposition", 3, 75),
    ]
    (found,) = grades.of(FOUR)
    assert (found.side, found.round) == ("opposition", 3)
    assert found.label("assessment") == "overbetting"


@pytest.mark.parametrize(
    ("change", "differing", "elsewhere"),
    [
        ({"debate_id": "another"}, 0, 1),
        ({"debate_id": "another", "speech_type": "rebuttal_1"}, 0, 1),
        ({"raw_bet_amount": 61}, 1, 0),
        ({"raw_thoughts": "Other thoughts."}, 1, 0),
        ({"side": "opposition"}, 1, 0),
    ],
)
def test_a_grade_of_another_bet(
    change: dict[str, Any], differing: int, elsewhere: int
) -> None:
    grades = graded_bets(graded("three", three_rounds(), 0) | change)
    assert (grades.found, grades.differing, grades.elsewhere) == (
        {},
        differing,
        elsewhere,
    )


def test_a_bet_is_graded_once() -> None:
    entry = graded("three", three_rounds(), 0)
    with pytest.raises(UnreadableError, match="entry 0 grades a bet that is graded"):
        read_grades([entry], [THREE], graded_bets(entry))


@pytest.mark.parametrize("content", [[], {}, [1], [{"debate_id": "x"}], None])
def test_what_is_not_a_list_of_grades(content: Any) -> None:
    assert not is_grades(content)


def conditions(found: Release) -> list[str]:
    return [condition.name for condition in conditions_of(found.debates)]


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
            debate, condition, prompts_of(debate.prompts), ""
        ).model_dump_json()
        for condition in conditions_of(found.debates)
        for debate in condition.debates
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
    sums = subprocess.run(
        "LC_ALL=C sha256sum *.json", cwd=tmp_path, shell=True, capture_output=True
    ).stdout
    assert found.digest(found.debates) == hashlib.sha256(sums).hexdigest()
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in tmp_path.glob("*.json"):
        shutil.move(path, moved)
    again = read_release(str(moved))
    assert again.digest(again.debates) == found.digest(found.debates)
    assert again.digest(again.debates[1:]) != found.digest(found.debates)
