"""A person's way through debates: blind, in one direction, and safe from crashes."""

from pathlib import Path

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.judges.sheet import read_key, sheet_of, write_sheet
from inspect_debate.reports.judges.sheet_text import shown
from inspect_debate.reports.judges.steps import (
    Judging,
    Said,
    Step,
    judge_name,
    read_said,
    said_now,
    steps_of,
)
from tests.reports.judges.sheets import contested, debate, six
from tests.support.made import answer, speech, verdict

OPENINGS = {"show_openings": True, "quotes": "exact"}
FORM = {"answer": "X", "percent": "70", "remark": "so"}


def longer() -> Judging:
    """Somebody who judges two debates of two rounds, with first answers."""
    turns = (
        *(answer("debater_a", "error"), answer("debater_b", "no_error")),
        *(speech("debater_a"), speech("debater_b")),
        *(speech("debater_a", round=2), speech("debater_b", round=2)),
    )
    one = shown(contested(debate(turns=turns, parameters=OPENINGS)), "ab")
    other = shown(contested(debate(turns=turns, parameters=OPENINGS)), "ba")
    return Judging("mary", {"BBBBB": one, "CCCCC": other}, Path())


def at(judging: Judging, path: Path) -> Judging:
    return Judging(judging.judge, judging.debates, path)


def said(judging: Judging, **given: str) -> Said:
    """What is filled in where somebody is."""
    place = judging.place()
    assert place is not None
    found = said_now(place, FORM | given, 1.0)
    assert isinstance(found, Said), found
    return found


@pytest.fixture
def judging(tmp_path: Path) -> Judging:
    return at(longer(), tmp_path / "mary.jsonl")


def test_nothing_is_shown_before_its_time(judging: Judging) -> None:
    seen: list[tuple[str, Step, list[str], tuple[str, str]]] = []
    while place := judging.place():
        headings = [s.heading for _, speeches in place.stages for s in speeches]
        seen.append((place.code, place.step, headings, place.answers))
        judging.say(said(judging))
    first = ["Alice, first answer", "Bob, first answer"]
    rounds = [[f"Alice, round {n}", f"Bob, round {n}"] for n in (1, 2)]
    read = [[], first, first + rounds[0], first + rounds[0] + rounds[1]]
    steps = [Step("alone"), *(Step("round", n) for n in (0, 1, 2)), Step("verdict")]
    assert [(code, step) for code, step, *_ in seen] == [
        (code, step) for code in ("BBBBB", "CCCCC") for step in steps
    ]
    assert [headings for *_, headings, _ in seen[:5]] == [*read, read[-1]]
    # The other debate has the other order, in every round.
    assert seen[-1][2][:2] == first[::-1]
    answers = [answers for *_, answers in seen]
    assert ["argued for" in " ".join(a) for a in answers] == [False, *[True] * 4] * 2
    assert answers[0][0].startswith("1 (error)")
    assert answers[5][0].startswith("2 (no_error)")


def test_what_a_judge_asked_is_heard_with_the_next_round() -> None:
    question = speech("judge").model_copy(update={"kind": "judge_question"})
    turns = (
        *(speech("debater_a"), speech("debater_b")),
        question.model_copy(update={"role": "judge", "spoken": True}),
        *(speech("debater_a", round=2), speech("debater_b", round=2)),
    )
    found = shown(contested(debate(verdict(), turns=turns)), "ab")
    assert [(s.heard, s.side) for s in found.speeches] == [
        *((1, "X"), (1, "Y"), (2, ""), (2, "X"), (2, "Y"))
    ]


def test_debates_codes_and_orders_are_those_of_a_sheet(tmp_path: Path) -> None:
    log = six(tmp_path)
    sheet = sheet_of(log, seed=3, limit=4)
    assert sheet.key == read_key(write_sheet(log, tmp_path, seed=3, limit=4).key)
    assert [e.code for e in sheet.entries] == [row.code for row in sheet.key.rows]
    assert sheet_of(log, seed=4, limit=4).key != sheet.key


def test_wherever_a_crash_cuts_the_file_all_whole_steps_are_there(
    judging: Judging, tmp_path: Path
) -> None:
    places = []
    while place := judging.place():
        places.append((place.code, place.step))
        judging.say(said(judging, remark="ü\n{"))
    whole = judging.path.read_bytes()
    for cut in range(0, len(whole), 7):
        after = at(judging, tmp_path / "cut.jsonl")
        after.path.write_bytes(whole[:cut])
        place = after.place()
        assert place is not None
        done = whole[:cut].count(b"\n")
        assert (place.code, place.step) == places[done]
        assert after.say(said(after))
        lines = after.path.read_bytes()
        assert lines.endswith(b"\n")
        assert lines.count(b"\n") == done + 1
        assert len(read_said(after.path, after.debates)) == done + 1
    # Nothing is left to say.
    assert not judging.say(Said.model_validate_json(whole.split(b"\n")[0]))
    assert judging.path.read_bytes() == whole


def test_said_twice_before_its_time_or_again_afterwards(judging: Judging) -> None:
    first = said(judging)
    assert judging.say(first)
    assert not judging.say(first.model_copy(update={"percent": 99.0}))
    later = said(judging).model_copy(update={"time": "verdict", "round": 0})
    assert not judging.say(later)
    other = said(judging).model_copy(update={"code": "CCCCC"})
    assert not judging.say(other)
    # Two servers of one judge may each add a line: the first counts.
    with judging.path.open("a") as file:
        file.write(first.model_copy(update={"percent": 99.0}).model_dump_json() + "\n")
    (found,) = read_said(judging.path, judging.debates)
    assert found.percent == 70


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"answer": ""}, "Choose the answer"),
        ({"answer": "Z"}, "Choose the answer"),
        ({"percent": ""}, "from 50 to 100"),
        ({"percent": "49.9"}, "from 50 to 100"),
        ({"percent": "101"}, "from 50 to 100"),
        ({"percent": "nan"}, "from 50 to 100"),
        ({"percent": "sure"}, "from 50 to 100"),
        ({"remark": "x" * 20_001}, "at most 20,000"),
    ],
)
def test_what_cannot_be_saved(
    judging: Judging, given: dict[str, str], wrong: str
) -> None:
    place = judging.place()
    assert place is not None
    found = said_now(place, FORM | given, 1.0)
    assert isinstance(found, str)
    assert wrong in found


def test_only_the_verdict_needs_a_reason(judging: Judging) -> None:
    while (place := judging.place()) and place.step.time != "verdict":
        judging.say(said(judging, remark=" ", percent="62,5 %"))
    assert place is not None
    assert said_now(place, FORM | {"remark": " "}, 1.0) == "Say why you decided so."
    assert {one.percent for one in place.before} == {62.5}
    assert len(place.before) == len(steps_of(place.shown)) - 1


@pytest.mark.parametrize("line", ["{}", "x", '{"code": "BBBBB"}'])
def test_a_file_that_was_not_written_here(judging: Judging, line: str) -> None:
    judging.path.write_text(line + "\n")
    with pytest.raises(InputError, match="line 1 is not what a judge said"):
        judging.place()


def test_a_file_of_another_sheet(judging: Judging) -> None:
    judging.say(said(judging))
    with pytest.raises(InputError, match="'BBBBB', which is not on the sheet"):
        read_said(judging.path, ["CCCCC"])


def test_names_of_judges() -> None:
    assert judge_name("Mary Ann") == "Mary_Ann"
    for name in ("", "../", "majority"):
        with pytest.raises(InputError, match="no name for a judge"):
            judge_name(name)
