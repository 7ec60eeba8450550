"""Answers that end badly, and sandboxes that do: what is wrong, and what is unknown."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.util import OutputLimitExceededError, SandboxUnavailableError

from inspect_debate.debate.record import Grade
from inspect_debate.evals.generative import generative
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.grade import Graded, Status
from tests.support.code_runs import (
    UNSAFE,
    commands,
    graded,
    gradings,
    needs_bubblewrap,
)
from tests.support.code_tasks import (
    ENDLESS,
    HEAD,
    adding,
    answering,
    right,
    statuses,
    written,
)
from tests.support.models import scripted
from tests.support.runs import metrics, record, records, run, samples, values

UNWRITABLE = f"{HEAD}\n    raise ValueError('\\ud800 \\0 \\x1b[2J')"
"""An answer whose error quotes what can stand in no log."""


def held(folder: Path, *programs: str, tasks: int = 1, **settings: Any) -> EvalLog:
    """A run of some tasks, of which the answer `right(1)` solves the first alone."""
    source = written(folder, *(adding(number + 1) for number in range(tasks)))
    protocol = settings.pop("protocol", "dual_no_transcript")
    task = generative(protocol, "bcb_plus", source, **settings)
    return run(task, folder, scripted(answering(*programs)))


def grades_of(log: EvalLog) -> list[Grade]:
    return [grade for one in records(log) for grade in one.grades]


@needs_bubblewrap
def test_what_does_not_end_is_stopped_and_wrong(tmp_path: Path) -> None:
    log = held(tmp_path, ENDLESS, right(1), config={"grading": {"seconds": 1}})
    endless, ends = grades_of(log)
    assert endless.status == "timeout"
    assert 1 <= endless.seconds < 240  # the usual limit
    assert endless.note == "not done after 1 seconds"
    assert (endless.right, ends.right) == (False, True)
    [sample] = samples(log)
    found = values(sample, "verdicts")
    assert (found["right_a"], found["grades_timeout"], found["n_wrong"]) == (0, 1, 1)


@needs_bubblewrap
def test_what_an_answer_says_can_be_logged(tmp_path: Path) -> None:
    log = held(tmp_path, UNWRITABLE, right(1))
    first, _ = grades_of(log)
    assert statuses(records(log)) == [["fail", "pass"]]
    assert "ValueError: \ufffd" in first.note


FAILING = [
    SandboxUnavailableError("no more sandboxes"),
    OutputLimitExceededError("10 MiB", None),
    OSError(12, "Cannot allocate memory"),
    RuntimeError("odd \ud800"),
]


@needs_bubblewrap
@pytest.mark.parametrize("failure", FAILING, ids=lambda f: type(f).__name__)
def test_where_a_sandbox_fails_nobody_knows_and_nothing_is_lost(
    failure: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands(monkeypatch, failing=failure)
    log = held(tmp_path, right(1), right(2), protocol="dual_debate", tasks=2)
    assert statuses(records(log)) == [["error", "error"]] * 2
    for grade in grades_of(log):
        assert grade.right is None
        assert type(failure).__name__ in grade.note
    for sample in samples(log):
        assert sample.error is None
        assert len(record(sample).of_kind("speech")) == 4
        assert len(record(sample).of_kind("verdict")) == 1
        found = values(sample, "verdicts")
        assert found["grades_error"] == 2
        assert found["right_a"] != found["right_a"], "NaN: unknown"
        assert found["verdict_correct"] != found["verdict_correct"]


def test_what_is_unknown_counts_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge endorses everything: right, wrong, and unknown of three tasks."""

    def grade(problem: CodeProblem, answer: str) -> Graded:
        results: tuple[Status, ...] = ("pass", "timeout", "error")
        return graded(results[int(problem.id.rpartition("-")[2]) - 1])

    gradings(monkeypatch, grade)
    log = held(tmp_path, right(1), protocol="single_no_transcript", tasks=3, **UNSAFE)
    assert sorted(statuses(records(log))) == [["error"], ["pass"], ["timeout"]]
    assert metrics(log, "verdicts")["accuracy"] == 1 / 2
