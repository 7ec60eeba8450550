"""The task: every format on both samples, what the log's header says, refusals."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.generative import generative
from inspect_debate.grading.code import Problem
from inspect_debate.grading.grade import Grade
from inspect_debate.solvers.generative import FORMATS
from tests.support import Run, run

SIMULATED: dict[str, Any] = {
    "model": "simulated/balanced",
    "model_args": dict.fromkeys(("unreadable", "refuses", "cut_off"), 0),
    "roles": {},
}
needs_bwrap = pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")


@pytest.fixture(autouse=True)
def _without_grading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program passes; grading itself is tested elsewhere."""

    async def grade(program: str, problem: Problem) -> Grade:
        return Grade("pass", problem.count, problem.count)

    async def check(box: Any) -> None:
        pass

    monkeypatch.setattr("inspect_debate.solvers.generative.grade", grade)
    monkeypatch.setattr("inspect_debate.solvers.generative.check_sandbox", check)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dataset", ["arc", pytest.param("bcb_plus", marks=needs_bwrap)]
)
def test_every_format_on_the_sample(tmp_path: Path, dataset: Any) -> None:
    """In one run, so that all formats have the same answers."""
    logs = inspect_eval(
        [generative(name, dataset=dataset, source="sample") for name in FORMATS],
        model="simulated/balanced",
        model_args=SIMULATED["model_args"],
        log_dir=str(tmp_path),
        display="none",
        limit=4,
    )
    for log in logs:
        protocol = (log.eval.metadata or {})["protocol"]
        done, format = Run(log, []), FORMATS[protocol]
        assert (log.status, {*(log.eval.tags or [])}) == (
            "success",
            {protocol, dataset},
        )
        turns = [turn for debate in done.debates for turn in debate.turns]
        assert {turn.status for turn in turns} == {"ok"}
        assert all(debate.complete for debate in done.debates)
        judged = format.proposers > 0
        for number, debate in enumerate(done.debates):
            assert bool(debate.answer) == judged
            assert len(debate.of("answer")) == (format.proposers or 1)
            values = done.values("verdicts", number)
            assert values["answer_correct"] in (0, 0.5, 1)
            if dataset != "arc":
                assert values["answer_correct"] == 1
        metrics = done.metrics()
        assert metrics["unread"] == 0
        assert ("fpr" in metrics, "fnr" in metrics) == (judged, format.proposers == 1)


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"rounds": 2, "turn_order": "simultaneous"}, {}),
        ({"rounds": 3, "seed": 4}, {"rounds": 3}),
        ({"protocol": "single_consultancy", "best_of": 4}, {"best_of": 4}),
        ({"protocol": "direct_qa"}, {}),
    ],
)
def test_the_header_says_what_ran(tmp_path: Path, given: Any, changed: Any) -> None:
    done = run(tmp_path, generative(source="sample", **given), limit=1, **SIMULATED)
    about = done.log.eval.metadata or {}
    assert (about["study"], about["changed"]) == ("generative", changed)
    assert about["protocol"] == given.get("protocol", "dual_debate")
    assert about["parameters"] == done.debate.parameters  # those of the format
    known = {"dataset": "arc", "source": "sample", "version": "sample"}
    assert about["data"].items() >= known.items()


def test_answers_of_a_log(tmp_path: Path) -> None:
    """The condition is the same, and so are answers and grades."""
    first = run(tmp_path / "1", generative(source="sample"), limit=3, **SIMULATED)
    task = generative("dual_no_transcript", source="sample", answers=first.log.location)
    done = run(tmp_path / "2", task, limit=3, **SIMULATED)
    assert (done.log.eval.metadata or {})["changed"] == {}
    assert [one.grades for one in done.debates] == [one.grades for one in first.debates]
    values = [ran.values("verdicts")["answers_hash"] for ran in (first, done)]
    assert values[0] == values[1]
    with pytest.raises(InputError, match="answers="):  # of other tasks
        generative(
            dataset="bcb_plus",
            source="sample",
            answers=first.log.location,
        )


@pytest.mark.parametrize(
    "given",
    [
        {"protocol": "debate"},
        {"dataset": "gpqa"},
        {"version": 2},
        {"split": "complete"},
        {"dataset": "bcb", "split": "training"},
        {"dataset": "bcb_plus", "version": 2},
        {"protocol": "direct_qa", "rounds": 1},
        {"best_off": 4},
    ],
)
def test_what_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=[*given][-1]):
        generative(**{"source": "sample", **given})


def test_by_name(tmp_path: Path) -> None:
    """As `inspect eval inspect_debate/generative -T protocol=direct_qa`."""
    args = {"protocol": "direct_qa", "source": "sample", "reminders": 0}
    done = run(
        tmp_path, "inspect_debate/generative", task_args=args, limit=2, **SIMULATED
    )
    assert done.log.status == "success"
    assert done.log.eval.task_args["reminders"] == 0
    assert [turn.speaker for turn in done.debate.turns] == ["judge"]
