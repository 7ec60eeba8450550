"""The seven formats on programming tasks, whose answers are run in a sandbox."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample

from inspect_debate.datasets import sources as answer_key
from inspect_debate.debate.record import Grade, Status
from inspect_debate.evals.generative import generative
from inspect_debate.grading.config import BubblewrapConfig
from inspect_debate.grading.grade import Graded
from inspect_debate.grading.interpreter import resolve_interpreter
from inspect_debate.grading.kept import GRADER
from inspect_debate.scorers.verdicts import LETTERS
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from tests.support.code_runs import (
    BROKEN,
    SHIPPED,
    grader_of,
    gradings,
    held_on_code,
    listed,
    needs_bubblewrap,
)
from tests.support.generative import PROTOCOLS
from tests.support.runs import record, samples, values

# Among the answers to these, some are the same, and some pass a part of the tests.
CHOSEN = ["bcbs-fill-template", "bcbs-few-at-a-time", "bcbs-layered-settings", BROKEN]
# The formats have the same answers: each is run in the sandbox once.
KNOWN: dict[tuple[str, str], Graded] = {}


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize(
    ("protocol", "judge_answer"),
    [
        *((name, None) for name in PROTOCOLS),
        *((name, True) for name in ("dual_debate", "single_no_transcript")),
    ],
)
def test_every_answer_has_its_grade(
    protocol: GenerativeProtocol,
    judge_answer: bool | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_there = gradings(monkeypatch, known=KNOWN)
    log = held_on_code(
        tmp_path, protocol=protocol, judge_answer=judge_answer, sample_id=CHOSEN
    )
    given = ["debater_a", "debater_b"][: FORMATS[protocol].proposers]
    given += ["judge"] if judge_answer or not given else []
    statuses = set()
    once = Counter[tuple[str, str]]()
    assert len(samples(log)) == len(CHOSEN)
    for sample in samples(log):
        found = check_grades(sample)
        assert list(found) == given
        check_columns(sample, found)
        statuses |= {grade.status for grade in found.values()}
        for answer in set(answers_of(sample).values()):
            once[str(sample.id), answer] += 1
    assert statuses == {"pass", "fail"}
    assert Counter(run_there) == once, "equal answers are graded once"


def answers_of(sample: EvalSample) -> dict[str, str]:
    """The answers that were read, by who gave them."""
    turns = record(sample).of_kind("answer")
    fields = {turn.participant: turn.field("answer") for turn in turns}
    return {who: str(f.value) for who, f in fields.items() if f.status == Status.OK}


def check_grades(sample: EvalSample) -> dict[str, Grade]:
    """The canonical solution is right, but where tests are broken; others are wrong."""
    solution = answer_key.solution_truth(sample.metadata["fingerprint"])
    assert solution is not None
    answers = answers_of(sample)
    found = {grade.participant: grade for grade in record(sample).grades}
    for who, grade in found.items():
        assert answers[who] in (solution.right, *solution.wrong)
        passes = answers[who] == solution.right and sample.id != BROKEN
        assert grade.status == ("pass" if passes else "fail"), grade
        assert (grade.parts_right == grade.parts) == passes
        assert grade.parts == sample.metadata["test"].count("def test_")
        assert bool(grade.note) != passes
        assert not grade.reused
    return found


def check_columns(sample: EvalSample, found: dict[str, Grade]) -> None:
    """The score has what the grades say."""
    score = values(sample, "verdicts")
    for who, grade in found.items():
        right = float(grade.status == "pass")
        if who == "judge":
            own = "answer_right" if len(found) == 1 else "judge_answer_right"
            assert score[own] == right
            continue
        letter = LETTERS[who]
        assert score[f"right_{letter}"] == right
        assert score[f"part_share_{letter}"] == grade.parts_right / grade.parts
    for status, count in Counter(g.status for g in found.values()).items():
        assert score[f"grades_{status}"] == count
    assert score["grade_seconds"] == sum(grade.seconds for grade in found.values())
    proposed = [g.status for who, g in found.items() if who != "judge"]
    if proposed:
        assert score["regime"] == proposed.count("pass")


@needs_bubblewrap
def test_what_cannot_be_read_is_wrong_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_there = gradings(monkeypatch)
    log = held_on_code(
        tmp_path,
        "simulated/malformed",
        protocol="dual_no_transcript",
        limit=6,
        config={"max_reasks": 0},
    )
    read = set()
    for sample in samples(log):
        answers = answers_of(sample)
        read |= {(str(sample.id), answer) for answer in answers.values()}
        for grade in record(sample).grades:
            assert (grade.status == "unparsed") == (grade.participant not in answers)
            if grade.status == "unparsed":
                letter = LETTERS[grade.participant]
                assert values(sample, "verdicts")[f"right_{letter}"] == 0
    assert Counter(run_there) == Counter(read)
    unread = [g for s in samples(log) for g in record(s).grades if not g.parts]
    assert {grade.status for grade in unread} == {"unparsed"}


def test_the_log_tells_by_what_was_graded() -> None:
    limits = {"seconds": 7, "memory_mb": 500, "disk_mb": 512, "processes": 512}
    config = {"grading": {"seconds": 7, "memory_mb": 500, "parallel": 1}}
    task = generative(**SHIPPED, sandbox="bubblewrap", config=config)
    told = dict(grader_of(task))
    assert len(told.pop("id")) == 16
    assert len(told.pop("packages_sha256")) == 64
    assert told.pop("python") == sys.version.split()[0]
    assert told.pop("platform").startswith("linux")
    assert told.pop("packages") >= 0
    assert told.pop("grader") == GRADER
    assert told == {"sandbox": "bubblewrap", "nltk_data": [], **limits}
    assert task.sandbox is not None
    assert task.sandbox.config == BubblewrapConfig(
        interpreter=resolve_interpreter(None), memory_mb=500, parallel=1
    )


def test_the_log_s_metadata_tell_no_place(tmp_path: Path) -> None:
    folder = tmp_path / "a_place_of_ours"
    folder.mkdir()
    task = generative(
        **SHIPPED,
        sandbox="bubblewrap",
        interpreter=sys.executable,
        eligible=listed(folder / "list.jsonl", {BROKEN: "pass"}, sys.executable),
        grades=str(folder / "grades"),
    )
    said = json.dumps(task.metadata)
    assert "list.jsonl" in said
    for place in (folder.name, tmp_path.parts[1], *map(str, Path.home().parts[1:])):
        assert f"/{place}" not in said
    assert sys.prefix not in said


def test_arc_has_no_grader() -> None:
    task = generative(source="sample")
    assert task.sandbox is None
    assert "grader" not in (task.metadata or {})["parameters"]
