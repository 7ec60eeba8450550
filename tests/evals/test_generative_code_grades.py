"""Grades that a folder keeps serve every run that meets the same program again."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog

from inspect_debate.evals.generative import generative
from inspect_debate.solvers.generative_debate import GenerativeProtocol
from inspect_debate.solvers.rulings import PROPOSERS
from tests.support.code_runs import (
    BROKEN,
    SHIPPED,
    UNSAFE,
    commands,
    graded,
    grader_of,
    gradings,
    held_on_code,
    needs_bubblewrap,
)
from tests.support.runs import record, records, samples, values

CHOSEN = ["bcbs-fill-template", "bcbs-few-at-a-time", BROKEN]
OTHERS: tuple[GenerativeProtocol, ...] = ("dual_debate", "single_consultancy")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[EvalLog, Path]:
    """A run with a folder of grades, and the folder."""
    folder = tmp_path_factory.mktemp("grades")
    return held(folder / "logs", folder), folder


def held(log_dir: Path, grades: Path, **what: Any) -> EvalLog:
    """A run of the chosen tasks, by default of the format without transcript."""
    settings = {"protocol": "dual_no_transcript", "sample_id": CHOSEN} | what
    return held_on_code(log_dir, grades=str(grades), **settings)


def of_proposers(log: EvalLog) -> dict[str, list[tuple[str, str, int, str]]]:
    """What is known of answers, by task."""
    return {
        str(sample.id): [
            (grade.participant, grade.status, grade.parts_right, grade.note)
            for grade in record(sample).grades
            if grade.participant in PROPOSERS
        ]
        for sample in samples(log)
    }


@needs_bubblewrap
@pytest.mark.parametrize("protocol", OTHERS)
def test_another_format_finds_the_grades_of_its_answers(
    protocol: GenerativeProtocol,
    first: tuple[EvalLog, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, folder = first
    run_there = commands(monkeypatch)
    again = held(tmp_path, folder, protocol=protocol)
    assert not run_there
    assert all(grade.reused for one in records(again) for grade in one.grades)
    proposers = 1 if protocol == "single_consultancy" else 2
    wanted = {id: known[:proposers] for id, known in of_proposers(log).items()}
    assert of_proposers(again) == wanted
    for sample in samples(again):
        assert values(sample, "verdicts")["grade_seconds"] == 0


@needs_bubblewrap
def test_each_program_of_a_task_has_one_file(first: tuple[EvalLog, Path]) -> None:
    log, folder = first
    assert not [grade for one in records(log) for grade in one.grades if grade.reused]
    programs = {
        (one.question, str(turn.field("answer").value))
        for one in records(log)
        for turn in one.of_kind("answer")
    }
    (grader,) = (path for path in folder.iterdir() if path.name != "logs")
    assert grader.name == grader_of(log)["id"]
    assert len(list(grader.glob("*.json"))) == len(programs)
    assert len(list(grader.iterdir())) == len(programs)


@needs_bubblewrap
def test_a_broken_file_is_graded_anew(
    first: tuple[EvalLog, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, folder = first
    (grader,) = (path for path in folder.iterdir() if path.name != "logs")
    copy = tmp_path / "copy" / grader.name
    copy.mkdir(parents=True)
    for file in grader.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    broken = min(copy.iterdir())
    broken.write_text('{"status": "pass"')
    run_there = commands(monkeypatch)
    again = held(tmp_path, tmp_path / "copy")
    assert len(run_there) == 1
    assert of_proposers(again) == of_proposers(log)
    assert Counter(g.reused for one in records(again) for g in one.grades)[False] >= 1
    assert broken.read_text().endswith("}")


SETTINGS: dict[str, dict[str, Any]] = {
    "usual": {},
    "time": {"config.grading.seconds": 100},
    "memory": {"config.grading.memory_mb": 100},
    "disk": {"config.grading.disk_mb": 100},
    "processes": {"config.grading.processes": 100},
    "libraries": {"interpreter": sys.executable},
    "no sandbox": UNSAFE,
}


def test_other_graders_keep_their_grades_apart(tmp_path: Path) -> None:
    ids = set()
    for other in SETTINGS.values():
        settings: dict[str, Any] = SHIPPED | {"sandbox": "bubblewrap"} | other
        ids.add(grader_of(generative(**settings, grades=str(tmp_path)))["id"])
    assert len(ids) == len(SETTINGS)
    assert {path.name for path in tmp_path.iterdir()} == ids


def test_what_decides_nothing_keeps_them_together(tmp_path: Path) -> None:
    for other in (
        {},
        {"config.grading.parallel": 1},
        {"seed": 3, "protocol": OTHERS[0]},
    ):
        settings: dict[str, Any] = SHIPPED | {"sandbox": "bubblewrap"} | other
        generative(**settings, grades=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1


def test_what_nobody_knows_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = gradings(monkeypatch, lambda problem, answer: graded("error"))
    for _ in range(2):
        log = held(tmp_path, tmp_path / "grades", **UNSAFE)
        assert {g.status for one in records(log) for g in one.grades} == {"error"}
    assert set(Counter(asked).values()) == {2}
    asked = gradings(monkeypatch, lambda problem, answer: graded("timeout"))
    for reused in (False, True):
        log = held(tmp_path, tmp_path / "grades", **UNSAFE)
        assert {g.status for one in records(log) for g in one.grades} == {"timeout"}
        assert {g.reused for one in records(log) for g in one.grades} == {reused}
    assert set(Counter(asked).values()) == {1}


@needs_bubblewrap
def test_a_log_serves_other_formats_without_a_folder(
    first: tuple[EvalLog, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, _ = first
    run_there = commands(monkeypatch)
    again = held_on_code(
        tmp_path, protocol="single_debate", reuse=log.location, sample_id=CHOSEN
    )
    assert not run_there
    wanted = {id: known[:1] for id, known in of_proposers(log).items()}
    assert of_proposers(again) == wanted
