"""Nobody who takes part is told a task's tests, its solution, or what is right."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, resolve_sample_attachments

from inspect_debate.evals.generative import generative
from inspect_debate.grading.code import CodeProblem
from inspect_debate.grading.grade import Graded, Status
from inspect_debate.scorers.verdicts import verdicts
from inspect_debate.solvers.formats import FORMATS
from inspect_debate.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.support.code_runs import (
    UNSAFE,
    Fake,
    graded,
    gradings,
    needs_bubblewrap,
)
from tests.support.code_tasks import (
    SECRET,
    adding,
    answering,
    loaded,
    right,
    statuses,
    written,
    wrong,
)
from tests.support.generative import PROTOCOLS, SPOKEN
from tests.support.models import calls_of, scripted
from tests.support.runs import dataset, records, run, samples

MATRIX = [
    *((name, None, None) for name in PROTOCOLS),
    *((name, 2, True) for name in SPOKEN),
]
NOTE = f"{SECRET}-note: test_ten failed"


def held(
    protocol: GenerativeProtocol,
    log_dir: Path,
    tasks: Sequence[Sample],
    *,
    sandbox: str = "local",
    best_of: int | None = None,
    judge_answer: bool | None = None,
) -> tuple[EvalLog, list[str]]:
    """A format on some tasks, of whose two answers the second one is right.

    Returns:
        The log, and all that was sent to models, cues and settings included.
    """
    model = scripted(answering(wrong(1), right(1)))
    solver = generative_debate(
        protocol, best_of=best_of, judge_answer=judge_answer, unsafe_local=True
    )
    task = Task(
        dataset=dataset(*tasks), solver=solver, scorer=verdicts(), sandbox=sandbox
    )
    log = run(task, log_dir, model)
    sent = [
        "\n".join(
            [call.config.model_dump_json()]
            + [message.model_dump_json(exclude={"id"}) for message in call.messages]
        )
        for call in calls_of(model)
    ]
    return log, sent


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "best_of", "judge_answer"), MATRIX)
def test_no_prompt_holds_tests_or_solution(
    protocol: GenerativeProtocol,
    best_of: int | None,
    judge_answer: bool | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gradings(monkeypatch, lambda problem, answer: graded("fail", NOTE))
    model = scripted(answering(wrong(1), wrong(2)))
    source = written(tmp_path, adding(1), adding(2))
    task = generative(
        protocol,
        "bcb_plus",
        source,
        best_of=best_of,
        judge_answer=judge_answer,
        **UNSAFE,
    )
    log = run(task, tmp_path, model)
    inputs = [
        event.model_dump_json(include={"input", "tools", "config", "call"})
        for sample in samples(log)
        for event in resolve_sample_attachments(sample, "full").events
        if isinstance(event, ModelEvent)
    ]
    sent = [call.messages for call in calls_of(model)]
    assert len(inputs) == len(sent)
    inputs += ["".join(m.model_dump_json() for m in messages) for messages in sent]
    assert all("Return n and " in text for text in inputs)
    secret = [SECRET, "unittest", "TestCases", "assertEqual", "test_zero", "canonical"]
    for text in inputs:
        assert not [word for word in secret if word in text]
    for sample in samples(log):
        assert SECRET in sample.metadata["test"]
        assert SECRET in str(sample.target)
        assert NOTE in [grade.note for grade in records(log)[0].grades]


def by_answer(first: Status, second: Status) -> Fake:
    """Grades the two answers of `held` in some way."""
    statuses: dict[str, Status] = {wrong(1): first, right(1): second}

    def grade(problem: CodeProblem, answer: str) -> Graded:
        return graded(statuses[answer], NOTE)

    return grade


def raising(problem: CodeProblem, answer: str) -> Graded:
    raise RuntimeError(NOTE)


FAKES: dict[str, Fake] = {
    "the second is right": by_answer("fail", "pass"),
    "the first is right": by_answer("pass", "timeout"),
    "nobody knows": raising,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "best_of", "judge_answer"),
    [*MATRIX[: len(PROTOCOLS)], ("dual_debate", 2, True)],
)
def test_how_answers_are_graded_changes_no_request(
    protocol: GenerativeProtocol,
    best_of: int | None,
    judge_answer: bool | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = {}
    found = set()
    for name, fake in FAKES.items():
        asked = gradings(monkeypatch, fake)
        log, sent[name] = held(
            protocol,
            tmp_path,
            loaded(tmp_path, adding(1)),
            best_of=best_of,
            judge_answer=judge_answer,
        )
        assert asked
        found.add(str(statuses(records(log))))
        assert not any(SECRET in text for text in sent[name])
    assert len(found) == len(FAKES)
    first, *others = sent.values()
    assert all(other == first for other in others)


@needs_bubblewrap
def test_other_tests_change_grades_and_no_request(tmp_path: Path) -> None:
    sent = {}
    found = {}
    for more in (1, 2):
        tasks = loaded(tmp_path, adding(1, more))
        log, sent[more] = held("dual_debate", tmp_path, tasks, sandbox="bubblewrap")
        found[more] = statuses(records(log))
    assert found == {1: [["fail", "pass"]], 2: [["fail", "fail"]]}
    assert sent[1] == sent[2]
    assert len(sent[1]) == FORMATS["dual_debate"].proposers + 2 * 2 + 1
