"""A plan that is frozen before a study, and every departure from it."""

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.logs import Log, open_logs
from inspect_debate.reports.plan import (
    Intent,
    Plan,
    PlannedRun,
    departures,
    plan_notices,
    read_intent,
    write_plan,
)
from tests.support.configurations import ROOT

INTENT = Intent(primary="accuracy of debate - consultancy", exclusions=("no verdict",))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    shutil.copy(ROOT / "logs" / "examples" / "colmad.eval", tmp_path / "one.eval")
    (log,) = open_logs(tmp_path)
    return log


def as_it_ran(log: Log) -> PlannedRun:
    spec = log.header.eval
    return PlannedRun(
        arguments=spec.task_args_passed,
        samples=len({summary.id for summary in log.summaries}),
        models={role: of[0].model for role, of in log.roles.items()},
    )


def plan(log: Log, **other: Any) -> Plan:
    given: dict[str, Any] = {
        **INTENT.model_dump(),
        "study": "colmad",
        "frozen": datetime.fromisoformat(log.header.eval.created),
        "seed": log.metadata["seed"],
        "epochs": log.header.eval.config.epochs or 1,
        "runs": {"one.eval": as_it_ran(log)},
    }
    return Plan(**given | other)


def test_a_study_that_ran_as_planned_departs_in_nothing(log: Log) -> None:
    (log.path.parent / "plan.json").write_text(plan(log).model_dump_json())
    (notice,) = plan_notices([log])
    assert notice.level == "info"
    assert "primary measure: accuracy of debate - consultancy" in notice.text
    assert "exclusions: no verdict" in notice.text


@pytest.mark.parametrize(
    ("run", "other", "says"),
    [
        ({"samples": 99}, {}, "one.eval: samples: "),
        ({"arguments": {"protocol": "som"}}, {}, "planned protocol=som"),
        ({"models": {"judge": "m/x"}}, {}, "planned judge=m/x"),
        ({}, {"seed": 5}, "one.eval: seed: 0, planned 5"),
        ({}, {"epochs": 3}, "one.eval: epochs: 1, planned 3"),
    ],
)
def test_every_departure_is_named(
    run: dict[str, Any], other: dict[str, Any], says: str, log: Log
) -> None:
    planned = {"one.eval": as_it_ran(log).model_copy(update=run)}
    (found,) = departures(plan(log, runs=planned, **other), [log])
    assert says in found


def test_runs_that_are_missing_further_or_too_early(log: Log) -> None:
    ran = as_it_ran(log)
    assert [*departures(plan(log, runs={"two": ran}), [log])] == [
        "two: planned, without a log",
        "one.eval: not planned",
    ]
    later = datetime.now(UTC) + timedelta(days=1)
    assert [*departures(plan(log, frozen=later), [log])] == [
        "one.eval: begun before the plan was frozen"
    ]


def test_a_plan_comes_before_logs_and_is_not_written_again(
    log: Log, tmp_path: Path
) -> None:
    for folder in (tmp_path, tmp_path / "empty"):
        if folder != tmp_path:
            write_plan(plan(log), str(folder))
        with pytest.raises(InputError, match="has a plan or logs already"):
            write_plan(plan(log), str(folder))


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("exclusions: []", "primary: Field required"),
        ("primary: f1\nconditions: 3", "conditions: Extra inputs"),
        ("[1]", "Give a YAML file with primary: TEXT"),
    ],
)
def test_what_is_wrong_is_one_sentence(written: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text(written)
    with pytest.raises(InputError) as raised:
        read_intent(str(tmp_path / "intent.yaml"))
    assert says in raised.value.message
