"""The formats on programming tasks, whose answers are run in a sandbox."""

import hashlib
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval_retry
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxUnavailableError,
    sandboxenv,
)
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

from inspect_debate.evals.generative import generative, load
from inspect_debate.v1.datasets import sources as answer_key
from inspect_debate.v1.debate.record import Grade, Status
from inspect_debate.v1.grading import probes
from inspect_debate.v1.grading.choice import COMPOSE
from inspect_debate.v1.grading.code import CodeProblem
from inspect_debate.v1.grading.config import BubblewrapConfig
from inspect_debate.v1.grading.grade import Graded
from inspect_debate.v1.grading.grade import Status as GradeStatus
from inspect_debate.v1.grading.interpreter import resolve_interpreter
from inspect_debate.v1.grading.stored import GRADER
from inspect_debate.v1.scorers.verdicts import LETTERS
from inspect_debate.v1.solvers.formats import FORMATS
from inspect_debate.v1.solvers.generative_debate import GenerativeProtocol
from inspect_debate.v1.solvers.rulings import PROPOSERS
from tests.v1.support.code_dying import CHOSEN as CHOSEN_WHEN_KILLED
from tests.v1.support.code_dying import killed, study
from tests.v1.support.code_runs import (
    BROKEN,
    SHIPPED,
    UNSAFE,
    commands,
    environments_known,
    graded,
    grader_of,
    gradings,
    needs_bubblewrap,
    run_on_code,
)
from tests.v1.support.code_tasks import (
    ENDLESS,
    HEAD,
    adding,
    answering,
    right,
    statuses,
    written,
    wrong,
)
from tests.v1.support.docker_engine import docker_engine
from tests.v1.support.generative import PROTOCOLS
from tests.v1.support.models import calls_of, scripted
from tests.v1.support.runs import (
    QUIET,
    error_of,
    metrics,
    record,
    records,
    run,
    samples,
    values,
)


@pytest.fixture(autouse=True, scope="module")
def _environments_known() -> Iterator[None]:
    with environments_known():
        yield


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
    log = run_on_code(
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
def test_unread_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_there = gradings(monkeypatch)
    log = run_on_code(
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
    logged = dict(grader_of(task))
    assert len(logged.pop("id")) == 16
    assert len(logged.pop("packages_sha256")) == 64
    assert logged.pop("python") == sys.version.split()[0]
    assert logged.pop("platform").startswith("linux")
    assert logged.pop("packages") >= 0
    assert logged.pop("grader") == GRADER
    assert logged == {"sandbox": "bubblewrap", "nltk_data": [], **limits}
    assert task.sandbox is not None
    assert task.sandbox.config == BubblewrapConfig(
        interpreter=resolve_interpreter(None), memory_mb=500, parallel=1
    )


def test_arc_has_no_grader() -> None:
    task = generative(source="sample")
    assert task.sandbox is None
    assert "grader" not in (task.metadata or {})["parameters"]


IDS = [str(sample.id) for sample in load("bcb_plus", None, None, "sample", 0).dataset]
RESULTS: dict[str, GradeStatus] = {id: "fail" if id == BROKEN else "pass" for id in IDS}
EXCLUDED: dict[str, GradeStatus] = {
    IDS[1]: "fail",
    IDS[4]: "timeout",
    IDS[9]: "error",
}


def asked(eligible: str, **other: Any) -> Task:
    return generative(**SHIPPED | {"sandbox": "bubblewrap"} | other, eligible=eligible)


def data_of(task: Task) -> dict[str, Any]:
    assert task.metadata is not None
    found: dict[str, Any] = task.metadata["data"]
    return found


def ids_of(task: Task) -> list[str]:
    return [str(sample.id) for sample in task.dataset]


CHOSEN_FOR_REUSE = ["bcbs-fill-template", "bcbs-few-at-a-time", BROKEN]
OTHERS: tuple[GenerativeProtocol, ...] = ("dual_debate", "single_consultancy")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[EvalLog, Path]:
    """A run with a folder of grades, and the folder."""
    folder = tmp_path_factory.mktemp("grades")
    return graded_run(folder / "logs", folder), folder


def graded_run(log_dir: Path, grades: Path, **what: Any) -> EvalLog:
    """A run of the chosen tasks, by default of the format without transcript."""
    settings = {"protocol": "dual_no_transcript", "sample_id": CHOSEN_FOR_REUSE} | what
    return run_on_code(log_dir, grades=str(grades), **settings)


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
    again = graded_run(tmp_path, folder, protocol=protocol)
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


@needs_bubblewrap
def test_a_log_serves_other_formats_without_a_folder(
    first: tuple[EvalLog, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, _ = first
    run_there = commands(monkeypatch)
    again = run_on_code(
        tmp_path,
        protocol="single_debate",
        reuse=log.location,
        sample_id=CHOSEN_FOR_REUSE,
    )
    assert not run_there
    wanted = {id: known[:1] for id, known in of_proposers(log).items()}
    assert of_proposers(again) == wanted


UNWRITABLE = f"{HEAD}\n    raise ValueError('\\ud800 \\0 \\x1b[2J')"
"""An answer whose error quotes characters that no log can have."""


def run_on_tasks(
    folder: Path, *programs: str, tasks: int = 1, **settings: Any
) -> EvalLog:
    """A run of some tasks, of which the answer `right(1)` solves the first alone."""
    source = written(folder, *(adding(number + 1) for number in range(tasks)))
    protocol = settings.pop("protocol", "dual_no_transcript")
    task = generative(protocol, "bcb_plus", source, **settings)
    return run(task, folder, scripted(answering(*programs)))


def grades_of(log: EvalLog) -> list[Grade]:
    return [grade for one in records(log) for grade in one.grades]


@needs_bubblewrap
def test_what_does_not_end_is_stopped_and_wrong(tmp_path: Path) -> None:
    log = run_on_tasks(tmp_path, ENDLESS, right(1), config={"grading": {"seconds": 1}})
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
    log = run_on_tasks(tmp_path, UNWRITABLE, right(1))
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
    log = run_on_tasks(tmp_path, right(1), right(2), protocol="dual_debate", tasks=2)
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


def test_nobody_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge endorses everything: right, wrong, and unknown of three tasks."""

    def grade(problem: CodeProblem, answer: str) -> Graded:
        results: tuple[GradeStatus, ...] = ("pass", "timeout", "error")
        return graded(results[int(problem.id.rpartition("-")[2]) - 1])

    gradings(monkeypatch, grade)
    log = run_on_tasks(
        tmp_path, right(1), protocol="single_no_transcript", tasks=3, **UNSAFE
    )
    assert sorted(statuses(records(log))) == [["error"], ["pass"], ["timeout"]]
    assert metrics(log, "verdicts")["accuracy"] == 1 / 2


@sandboxenv(name="elsewhere")
class Elsewhere(LocalSandboxEnvironment):
    """A sandbox of another package: this machine, without a `python3` on its PATH."""

    replies: ExecResult[str] | Exception | None = None

    @classmethod
    async def sample_init(
        cls, task_name: str, config: Any, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        return {"default": cls()}

    async def exec(self, cmd: list[str], *given: Any, **named: Any) -> ExecResult[str]:
        if cmd[0] == "python3":
            raise FileNotFoundError("python3: not found")
        if isinstance(self.replies, Exception):
            raise self.replies
        return self.replies or await super().exec(cmd, *given, **named)


def tried(folder: Path, **settings: Any) -> tuple[Any, int]:
    """A run on one task; its log, and how often the model was asked."""
    model = scripted(answering(right(1), wrong(1)))
    task = generative(
        "dual_no_transcript", "bcb_plus", written(folder, adding(1)), **settings
    )
    log = run(task, folder, model, success=False)
    return log, len(calls_of(model))


def test_another_packages_sandbox_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text("pods: 1\n")
    log, _ = tried(tmp_path, sandbox=f"elsewhere:{file}", interpreter=sys.executable)
    assert log.status == "success", log.error
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["pass", "fail"]
    logged = grader_of(log)
    assert logged["sandbox"] == "elsewhere"
    assert logged["interpreter"] == sys.executable
    assert logged["config_sha256"] == hashlib.sha256(b"pods: 1\n").hexdigest()
    assert "python" not in logged, "nobody looked at it"


DEAD = ExecResult(False, 137, "", "Killed")
TWO = ExecResult(True, 0, "2 7\n", "")
SILENT = ExecResult(True, 0, "3 11\n", "")


@pytest.mark.parametrize(
    ("interpreter", "replies", "logged"),
    [
        (None, None, "interpreter=python3 is no Python 3.8 or later in this sandbox"),
        ("/no/such/python", None, "interpreter=/no/such/python is no Python 3.8"),
        (sys.executable, DEAD, "Killed"),
        (sys.executable, TWO, "it is Python 2.7"),
        (sys.executable, TimeoutError("late"), "TimeoutError: late"),
        (sys.executable, SILENT, "known to be right got 'error'"),
    ],
)
def test_a_sandbox_that_cannot_grade_ends_the_run_before_any_call(
    interpreter: str | None,
    replies: ExecResult[str] | Exception | None,
    logged: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Elsewhere, "replies", replies)
    log, calls = tried(tmp_path, sandbox="elsewhere", interpreter=interpreter)
    assert (log.status, calls) == ("error", 0)
    assert logged in error_of(log)


def test_lenient_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def pass_all(*given: Any, **named: Any) -> Any:
        return graded("pass")

    monkeypatch.setattr(probes, "grade_code", pass_all)
    log, calls = tried(tmp_path, sandbox="elsewhere", interpreter=sys.executable)
    assert (log.status, calls) == ("error", 0)
    assert "known to be wrong got 'pass'" in error_of(log)


def test_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = docker_engine(tmp_path, monkeypatch)
    log, _ = tried(tmp_path, sandbox="docker")
    assert log.status == "success", log.error
    [record] = records(log)
    assert [grade.status for grade in record.grades] == ["pass", "fail"]
    assert "@sha256:" in grader_of(log)["image"]
    files = {words[words.index("-f") + 1] for words in engine.calls if "-f" in words}
    assert [Path(file).read_text() for file in files] == [COMPOSE.read_text()]
    graded = [words for words in engine.executed() if "-I" in words]
    # The version, a right and a wrong program, and the two answers.
    assert len(graded) == 5
    assert all(words[0] == "/usr/bin/timeout" for words in graded)
    verbs = [
        next(w for w in words if w in ("up", "down", "exec"))
        for words in engine.calls
        if {"up", "down", "exec"} & {*words}
    ]
    assert (verbs[0], verbs[-1]) == ("up", "down"), "no container outlives its sample"


def test_docker_without_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker_engine(tmp_path, monkeypatch, python="no-such-python")
    log, calls = tried(tmp_path, sandbox="docker")
    assert (log.status, calls) == ("error", 0)
    assert "interpreter=python3 is no Python 3.8 or later" in error_of(log)


def test_docker_compose_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = docker_engine(tmp_path, monkeypatch)
    file = tmp_path / "mine.yaml"
    file.write_text(COMPOSE.read_text())
    log, _ = tried(tmp_path, sandbox=f"docker:{file}", interpreter=sys.executable)
    assert log.status == "success", log.error
    assert "image" not in grader_of(log)
    assert all("python3" not in words for words in engine.executed())


@pytest.mark.skipif(
    shutil.which("docker-compose") is None, reason="docker-compose is not installed"
)
def test_compose_itself_accepts_the_file() -> None:
    """`config` checks a file against the schema of Compose, and needs no engine."""
    command = ["docker-compose", "-f", str(COMPOSE), "config"]
    subprocess.run(command, check=True, capture_output=True)


DONE, UNDER_WAY, TO_COME = CHOSEN_WHEN_KILLED
ENDS_AT = 4
"""When both answers to the first task are graded, and one to the second."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run was killed: its log, its grades, and what Inspect keeps of it."""
    made = tmp_path_factory.mktemp("killed")
    killed(lambda: study(made / "logs", made / "grades"), ENDS_AT, made / "data")
    shutil.copytree(made / "grades", made / "grades at the end")
    return made


@pytest.mark.slow
@needs_bubblewrap
@pytest.mark.parametrize("with_grades", [True, False])
def test_after_a_kill_only_what_was_under_way_is_graded_again(
    with_grades: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folder / "grades")
    if with_grades:
        shutil.copytree(folder / "grades at the end", folder / "grades")
    # There, Inspect finds what a run has not yet written into its log.
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    run_there = gradings(monkeypatch)
    (path,) = (folder / "logs").glob("*.eval")
    assert read_eval_log(str(path), header_only=True).status == "started"

    (last,) = eval_retry(str(path), log_dir=str(folder / "again"), **QUIET)
    assert last.status == "success", last.error
    again = Counter(task for task, _ in run_there)
    assert again == {UNDER_WAY: 1 if with_grades else 2, TO_COME: 2}

    grades = {str(sample.id): record(sample).grades for sample in samples(last)}
    assert set(grades) == set(CHOSEN_WHEN_KILLED)
    assert all(map(whole, grades.values()))
    reused = {id: [one.reused for one in found] for id, found in grades.items()}
    nothing = [False, False]
    assert reused == {DONE: nothing, UNDER_WAY: [with_grades, False], TO_COME: nothing}


def whole(grades: tuple[Grade, ...]) -> bool:
    """Whether two answers are graded, which is known of both."""
    return len(grades) == 2 and all(
        g.status in ("pass", "fail") and g.parts for g in grades
    )
