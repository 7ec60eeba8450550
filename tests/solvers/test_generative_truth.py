"""The truth about a task, and what was found out about answers, is told to nobody."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.debate.calls import TurnDescription
from inspect_debate.debate.record import Grade
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_answers import KINDS, Grader
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.generative import (
    ANSWERS,
    OWN,
    PROTOCOLS,
    RIGHT,
    SPOKEN,
    WRONG,
    WRONG_TOO,
    fenced,
    held,
    marked,
    solvable,
)
from tests.support.models import Call
from tests.support.runs import records, samples

MATRIX = [*((name, None) for name in PROTOCOLS), *((name, 2) for name in SPOKEN)]


def wire(calls: list[Call]) -> list[str]:
    """All that is sent to models, cues and settings included."""
    return [
        "\n".join(
            [call.config.model_dump_json()]
            + [m.model_dump_json(exclude={"id"}) for m in call.messages]
        )
        for call in calls
    ]


@pytest.mark.parametrize(("protocol", "best_of"), MATRIX)
def test_the_right_answer_stands_in_no_prompt(
    protocol: GenerativeProtocol, best_of: int | None, tmp_path: Path
) -> None:
    """Where nobody gives it."""

    def all_wrong(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.participant == "debater_b" and description.format == "solution":
            return fenced(WRONG_TOO[1])
        return marked(messages, description)

    solver = generative_debate(protocol, best_of=best_of)
    log, calls = held(solver, tmp_path, script=all_wrong)
    assert {grade.status for r in records(log) for grade in r.grades} == {"fail"}
    for sent in wire(calls):
        assert RIGHT[1] not in sent
        assert RIGHT[1].replace("\n", "\\n") not in sent


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "best_of"), MATRIX)
def test_which_answer_is_right_changes_no_request(
    protocol: GenerativeProtocol, best_of: int | None, tmp_path: Path
) -> None:
    sent: list[list[str]] = []
    found: list[list[str]] = []
    for target in (RIGHT, WRONG, OWN):
        solver = generative_debate(protocol, best_of=best_of)
        log, calls = held(solver, tmp_path, solvable(target=target[1]))
        sent.append(wire(calls))
        found.append([grade.status for r in records(log) for grade in r.grades])
    assert sent[0] == sent[1] == sent[2]
    assert (
        found
        == {
            2: [["fail", "pass"], ["pass", "fail"], ["fail", "fail"]],
            1: [["fail"], ["pass"], ["fail"]],
            0: [["fail"], ["fail"], ["pass"]],
        }[FORMATS[protocol].proposers]
    )


def with_grader(monkeypatch: pytest.MonkeyPatch, grade: Grader) -> None:
    """Grade grids in another way."""
    monkeypatch.setitem(KINDS, "grids", replace(KINDS["grids"], grade=grade))


STATUSES: Mapping[str, Grade | Exception] = {
    "pass": Grade(participant="debater_a", status="pass", parts=1, parts_right=1),
    "timeout": Grade(participant="debater_a", status="timeout", note="SECRET"),
    "ineligible": Grade(participant="debater_a", status="ineligible", note="SECRET"),
    "error": RuntimeError("SECRET sandbox"),
}


def test_a_grade_of_any_kind_changes_no_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = []
    for status, given in STATUSES.items():

        async def grade(
            state: TaskState,
            terms: object,
            who: str,
            answer: str,
            given: Grade | Exception = given,
        ) -> Grade:
            if isinstance(given, Exception):
                raise given
            return given.model_copy(update={"participant": who})

        with_grader(monkeypatch, grade)
        solver = generative_debate("dual_debate", best_of=2, judge_answer=True)
        log, calls = held(solver, tmp_path)
        [record] = records(log)
        assert [g.status for g in record.grades] == [status] * 3
        assert [g.participant for g in record.grades] == [*ANSWERS, "judge"]
        sent.append(wire(calls))
    assert all(other == sent[0] for other in sent[1:])
    assert not any("SECRET" in text for text in sent[-1])


def test_grading_does_not_hold_up_a_debate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = anyio.Event()
    begun: list[str] = []

    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        begun.append(who)
        with anyio.fail_after(20):
            await judged.wait()
        return Grade(participant=who, status="pass", parts=1, parts_right=1)

    def judging(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> ModelOutput:
        assert description is not None
        if description.kind == "speech":
            assert begun, "grading begins with the debate"
        if description.kind == "verdict":
            judged.set()
        return marked(messages, description)

    with_grader(monkeypatch, grade)
    log, _ = held(generative_debate("dual_debate"), tmp_path, script=judging)
    [record] = records(log)
    assert [(g.participant, g.status) for g in record.grades] == [
        ("debater_a", "pass"),
        ("debater_b", "pass"),
    ]


def test_equal_answers_are_graded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        asked.append(answer)
        return Grade(participant=who, status="pass", seconds=3.0)

    def alike(
        messages: list[ChatMessage], description: TurnDescription | None
    ) -> str | ModelOutput:
        assert description is not None
        if description.format == "solution":
            return fenced(RIGHT[1])
        return marked(messages, description)

    with_grader(monkeypatch, grade)
    log, _ = held(generative_debate("dual_debate"), tmp_path, script=alike)
    [record] = records(log)
    assert asked == [RIGHT[1]]
    assert [(g.participant, g.seconds) for g in record.grades] == [
        ("debater_a", 3.0),
        ("debater_b", 0.0),
    ]


def test_an_answer_that_cannot_be_read_is_wrong_without_being_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        raise AssertionError(who)

    with_grader(monkeypatch, grade)
    log, _ = held(
        generative_debate("single_no_transcript"),
        tmp_path,
        script=lambda messages, description: "I cannot see it.",
    )
    [record] = records(log)
    assert [g.status for g in record.grades] == ["unparsed"]
    assert record.grades[0].right is False


def test_a_limit_in_a_grading_ends_the_sample_as_limits_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        raise LimitExceededError("custom", value=2, limit=1)

    with_grader(monkeypatch, grade)
    log, _ = held(generative_debate("dual_debate"), tmp_path)
    [sample] = samples(log)
    assert sample.limit is not None
    assert sample.limit.type == "custom"
    assert sample.error is None
    [record] = records(log)
    assert not record.complete
    assert len(record.of_kind("verdict")) == 1, "the debate went on to its end"
