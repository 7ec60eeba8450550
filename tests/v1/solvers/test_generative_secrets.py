"""Who reads what about a task, and that nobody is shown what is right."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import anyio
import pytest
from inspect_ai import Task
from inspect_ai.event import ModelEvent
from inspect_ai.log import resolve_sample_attachments
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Solver, TaskState
from inspect_ai.util import LimitExceededError

from inspect_debate.evals.generative import generative
from inspect_debate.v1.debate.calls import TurnDescription
from inspect_debate.v1.debate.record import Grade
from inspect_debate.v1.scorers.verdicts import verdicts
from inspect_debate.v1.solvers.formats import FORMATS
from inspect_debate.v1.solvers.generative_answers import KINDS, Grader
from inspect_debate.v1.solvers.generative_debate import (
    GenerativeProtocol,
    generative_debate,
)
from tests.v1.support.code_runs import UNSAFE, graded, gradings, needs_bubblewrap
from tests.v1.support.code_tasks import (
    SECRET,
    adding,
    answering,
    loaded,
    right,
    statuses,
    written,
    wrong,
)
from tests.v1.support.generative import (
    ANSWERS,
    BEST,
    MARK,
    OWN,
    PROTOCOLS,
    RIGHT,
    SPOKEN,
    WRONG,
    WRONG_TOO,
    description_of,
    fenced,
    marked,
    parts_of,
    rounds_of,
    run_tasks,
    solvable,
    speakers_of,
    speech_mark,
)
from tests.v1.support.models import Call, Messages, calls_of, scripted
from tests.v1.support.runs import dataset, records, run, samples

DEBATES: tuple[GenerativeProtocol, ...] = ("dual_debate", "single_debate")
NAMES = ("Alice", "Bob")


class Rules(NamedTuple):
    """What decides on who reads what."""

    protocol: GenerativeProtocol
    best_of: int | None = None
    turn_order: Literal["simultaneous", "sequential"] | None = None
    judge_answer: bool | None = None

    @property
    def proposers(self) -> list[str]:
        return list(ANSWERS)[: FORMATS[self.protocol].proposers]

    @property
    def speakers(self) -> list[str]:
        return speakers_of(self.protocol)

    @property
    def rounds(self) -> int:
        return rounds_of(self.protocol)


# The formats in which a judge can solve the task after it has ruled.
JUDGED = [p for p in PROTOCOLS if p not in ("direct_qa", "critic_alone")]
MATRIX = [
    *(Rules(protocol) for protocol in PROTOCOLS),
    *(Rules(protocol, judge_answer=True) for protocol in JUDGED),
    *(Rules(protocol, 4) for protocol in SPOKEN),
    *(Rules(protocol, n, "sequential") for protocol in DEBATES for n in (None, 4)),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", MATRIX, ids=lambda rules: "-".join(map(str, rules)))
def test_a_prompt_holds_what_its_reader_may_read(rules: Rules, tmp_path: Path) -> None:
    solver = generative_debate(**rules._asdict())
    tasks = [solvable(1), solvable(2)]
    _, calls = run_tasks(solver, tmp_path, *tasks, epochs=2)
    candidates = len(rules.speakers) * rules.rounds * (rules.best_of or 1)
    rewards = candidates if (rules.best_of or 1) > 1 else 0
    own = 1 if rules.judge_answer or not rules.proposers else 0
    verdicts = 1 if rules.proposers else 0
    expected = len(rules.proposers) + candidates + rewards + verdicts + own
    assert len(calls) == 2 * len(tasks) * expected
    for call in calls:
        description = description_of(call)
        sent = "\n".join(message.model_dump_json() for message in call.messages)
        assert set(MARK.findall(sent)) == marks_for(description, rules), description
        assert set(shown_in(call)) == answers_for(description, rules), description
        assert OWN[parts_of(description)].split("\n\n")[0] not in call.prompt
        named = {name for name in NAMES if name in call.prompt}
        assert named <= names_for(description, rules), description


def marks_for(description: TurnDescription, rules: Rules) -> set[str]:
    """The marks that a prompt has to hold, and may."""
    if first_answer(description, rules):
        return set()
    visible = {speech(who, n, rules) for who, n in over_before(description, rules)}
    if description.kind == "reward":
        speaker, draw = description.draw.split()
        return visible | {speech_mark(speaker, description.round, draw)}
    if description.kind in ("speech", "candidate"):
        if FORMATS[rules.protocol].interaction == "consultancy":
            return {mark for mark in visible if description.participant in mark}
        return visible
    every = range(1, rules.rounds + 1)
    return {speech(who, n, rules) for who in rules.speakers for n in every}


def over_before(
    description: TurnDescription, rules: Rules
) -> Iterator[tuple[str, int]]:
    """The speeches, by speaker and round, that are over when a turn is asked for."""
    for round in range(1, description.round):
        yield from ((who, round) for who in rules.speakers)
    if rules.turn_order == "sequential" and description.round:
        # Every second epoch the other proposer leads; a critic always comes after.
        turned = len(rules.proposers) == 2 and description.epoch == 2
        order = rules.speakers[::-1] if turned else rules.speakers
        speaker = (
            description.draw.split()[0]
            if description.kind == "reward"
            else description.participant
        )
        yield from ((who, description.round) for who in order[: order.index(speaker)])


def speech(who: str, round: int, rules: Rules) -> str:
    """The mark of the speech there; of candidates, that of the chosen one."""
    draw = BEST[who, round] if rules.best_of == 4 else ""
    return speech_mark(who, round, draw)


def answers_for(description: TurnDescription, rules: Rules) -> set[str]:
    """Whose answers a prompt has to show, and may."""
    if first_answer(description, rules):
        return set()
    interaction = FORMATS[rules.protocol].interaction
    if description.kind in ("speech", "candidate") and interaction == "consultancy":
        return {description.participant}
    return set(rules.proposers)


def names_for(description: TurnDescription, rules: Rules) -> set[str]:
    """Who may be named in a prompt."""
    interaction = FORMATS[rules.protocol].interaction
    if first_answer(description, rules):
        return set()
    if description.kind in ("speech", "candidate") and interaction == "consultancy":
        return {NAMES[list(ANSWERS).index(description.participant)]}
    return {NAMES[list(ANSWERS).index(w)] for w in (*rules.proposers, *rules.speakers)}


def first_answer(description: TurnDescription, rules: Rules) -> bool:
    """Whether a turn is an answer before which nobody has read anything."""
    return description.kind == "answer" and (
        description.participant in rules.proposers or not rules.proposers
    )


def shown_in(call: Call) -> Iterator[str]:
    """Whose answers a prompt shows."""
    for who, answer in ANSWERS.items():
        grids = answer[parts_of(description_of(call))].split("\n\n")
        shown = {grid in call.prompt for grid in grids}
        assert len(shown) == 1
        if shown.pop():
            yield who


@pytest.mark.slow
@pytest.mark.parametrize("protocol", JUDGED)
def test_judges_own_answer(protocol: GenerativeProtocol, tmp_path: Path) -> None:
    plain = requests(generative_debate(protocol), tmp_path)
    asked = requests(generative_debate(protocol, judge_answer=True), tmp_path)
    [own] = set(asked) - set(plain)
    assert asked.pop(own)
    assert '"participant":"judge","kind":"answer"' in own
    assert asked == plain


def requests(solver: Solver, log_dir: Path) -> dict[str, str]:
    """What is sent for every turn, by its description."""
    _, calls = run_tasks(solver, log_dir)
    return {
        description_of(
            call
        ).model_dump_json(): f"{call.config.model_dump_json()}{call.prompt}"
        for call in calls
    }


MATRIX_TRUTH = [*((name, None) for name in PROTOCOLS), *((name, 2) for name in SPOKEN)]


def wire(calls: list[Call]) -> list[str]:
    """All that is sent to models, descriptions of turns and settings included."""
    return [
        "\n".join(
            [call.config.model_dump_json()]
            + [m.model_dump_json(exclude={"id"}) for m in call.messages]
        )
        for call in calls
    ]


@pytest.mark.parametrize(("protocol", "best_of"), MATRIX_TRUTH)
def test_no_prompt_has_the_right_answer(
    protocol: GenerativeProtocol, best_of: int | None, tmp_path: Path
) -> None:
    """Where nobody gives it."""

    def all_wrong(
        messages: Messages, description: TurnDescription
    ) -> str | ModelOutput:
        if description.participant == "debater_b" and description.format == "solution":
            return fenced(WRONG_TOO[1])
        return marked(messages, description)

    solver = generative_debate(protocol, best_of=best_of)
    log, calls = run_tasks(solver, tmp_path, script=all_wrong)
    assert {grade.status for r in records(log) for grade in r.grades} == {"fail"}
    for sent in wire(calls):
        assert RIGHT[1] not in sent
        assert RIGHT[1].replace("\n", "\\n") not in sent


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "best_of"), MATRIX_TRUTH)
def test_which_answer_is_right_changes_no_request(
    protocol: GenerativeProtocol, best_of: int | None, tmp_path: Path
) -> None:
    sent: list[list[str]] = []
    found: list[list[str]] = []
    for target in (RIGHT, WRONG if FORMATS[protocol].proposers else OWN):
        solver = generative_debate(protocol, best_of=best_of)
        log, calls = run_tasks(solver, tmp_path, solvable(target=target[1]))
        sent.append(wire(calls))
        found.append([grade.status for r in records(log) for grade in r.grades])
    assert sent[0] == sent[1]
    if FORMATS[protocol].proposers == 2:
        assert found == [["fail", "pass"], ["pass", "fail"]]
    else:
        assert found == [["fail"], ["pass"]]


def with_grader(monkeypatch: pytest.MonkeyPatch, grade: Grader) -> None:
    """Grade grids in another way."""
    monkeypatch.setitem(KINDS, "grids", replace(KINDS["grids"], grade=grade))


STATUSES: Mapping[str, Grade | Exception] = {
    "pass": Grade(participant="debater_a", status="pass", parts=1, parts_right=1),
    "timeout": Grade(participant="debater_a", status="timeout", note="SECRET"),
    "ineligible": Grade(participant="debater_a", status="ineligible", note="SECRET"),
    "error": RuntimeError("SECRET sandbox"),
}


def test_any_kind_of_grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        log, calls = run_tasks(solver, tmp_path)
        [record] = records(log)
        assert [g.status for g in record.grades] == [status] * 3
        assert [g.participant for g in record.grades] == [*ANSWERS, "judge"]
        sent.append(wire(calls))
    assert all(other == sent[0] for other in sent[1:])
    assert not any("SECRET" in text for text in sent[-1])


def test_grading_waits_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = anyio.Event()
    begun: list[str] = []

    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        begun.append(who)
        with anyio.fail_after(20):
            await judged.wait()
        return Grade(participant=who, status="pass", parts=1, parts_right=1)

    def judging(messages: Messages, description: TurnDescription) -> ModelOutput:
        if description.kind == "speech":
            assert begun, "grading begins with the debate"
        if description.kind == "verdict":
            judged.set()
        return marked(messages, description)

    with_grader(monkeypatch, grade)
    log, _ = run_tasks(generative_debate("dual_debate"), tmp_path, script=judging)
    [record] = records(log)
    assert [(g.participant, g.status) for g in record.grades] == [
        ("debater_a", "pass"),
        ("debater_b", "pass"),
    ]


def test_equal_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        asked.append(answer)
        return Grade(participant=who, status="pass", seconds=3.0)

    def alike(messages: Messages, description: TurnDescription) -> str | ModelOutput:
        if description.format == "solution":
            return fenced(RIGHT[1])
        return marked(messages, description)

    with_grader(monkeypatch, grade)
    log, _ = run_tasks(generative_debate("dual_debate"), tmp_path, script=alike)
    [record] = records(log)
    assert asked == [RIGHT[1]]
    assert [(g.participant, g.seconds) for g in record.grades] == [
        ("debater_a", 3.0),
        ("debater_b", 0.0),
    ]


def test_an_unread_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        raise AssertionError(who)

    with_grader(monkeypatch, grade)
    log, _ = run_tasks(
        generative_debate("single_no_transcript"),
        tmp_path,
        script=lambda messages, description: "I cannot see it.",
    )
    [record] = records(log)
    assert [g.status for g in record.grades] == ["unparsed"]
    assert record.grades[0].right is False


def test_limit_in_a_grading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def grade(state: TaskState, terms: object, who: str, answer: str) -> Grade:
        raise LimitExceededError("custom", value=2, limit=1)

    with_grader(monkeypatch, grade)
    log, _ = run_tasks(generative_debate("dual_debate"), tmp_path)
    [sample] = samples(log)
    assert sample.limit is not None
    assert sample.limit.type == "custom"
    assert sample.error is None
    [record] = records(log)
    assert not record.complete
    assert len(record.of_kind("verdict")) == 1, "the debate went on to its end"


MATRIX_CODE = [
    *((name, None, None) for name in PROTOCOLS),
    *((name, 2, True) for name in SPOKEN),
]
NOTE = f"{SECRET}-note: test_ten failed"


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "best_of", "judge_answer"), MATRIX_CODE)
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


@needs_bubblewrap
def test_other_tests_change_grades_and_no_request(tmp_path: Path) -> None:
    sent = {}
    found = {}
    solver = generative_debate("dual_debate", unsafe_local=True)
    for more in (1, 2):
        task = Task(
            dataset=dataset(*loaded(tmp_path, adding(1, more))),
            solver=solver,
            scorer=verdicts(),
            sandbox="bubblewrap",
        )
        model = scripted(answering(wrong(1), right(1)))
        log = run(task, tmp_path, model)
        sent[more] = wire(calls_of(model))
        found[more] = statuses(records(log))
    assert found == {1: [["fail", "pass"]], 2: [["fail", "fail"]]}
    assert sent[1] == sent[2]
    assert len(sent[1]) == FORMATS["dual_debate"].proposers + 2 * 2 + 1
