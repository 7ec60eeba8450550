"""The report on judge checks: its numbers are those of the logs."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, write_eval_log
from inspect_ai.model import get_model

from inspect_debate.evals.judge_check import judge_check
from inspect_debate.v1.reports.elements import Report
from inspect_debate.v1.reports.judges.check_report import REPORT as judge_check_report
from tests.v1.support.runs import run

JUDGES = {"obedient": 0, "first_shown": 2}
"""Biases, and on how many debates they are checked; 0 for all."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    folder = tmp_path_factory.mktemp("checks")
    return {
        bias: run(
            judge_check,
            folder,
            get_model(f"reading_judge/{bias}", memoize=False),
            limit=limit or None,
        )
        for bias, limit in JUDGES.items()
    }


@pytest.fixture(scope="module")
def folder(logs: dict[str, EvalLog]) -> Path:
    return Path(logs["obedient"].location).parent


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return judge_check_report(folder)


def rows(report: Report, name: str, judge: str) -> list[dict[str, Any]]:
    (table,) = [table for table in report.tables() if table.name == name]
    found = table.frame[table.frame["Judge"] == f"reading_judge/{judge}"]
    return [{str(k): v for k, v in row.items()} for row in found.to_dict("records")]


def test_an_alarm_is_reported_where_it_rings(report: Report) -> None:
    rung = [
        r["Check"] for r in rows(report, "shifts", "obedient") if r["Alarm"] != "no"
    ]
    assert rung == ["Orders given (that gives orders)"]
    assert "reading_judge/obedient: `orders`" in report.summary
    assert "reading_judge/first_shown: no alarm" in report.summary
    for judge, alarms in (("obedient", "orders"), ("first_shown", "no alarm")):
        (steady,) = rows(report, "steadiness", judge)
        assert steady["Alarms"] == alarms


def test_what_was_left_out_is_reported(
    logs: dict[str, EvalLog], tmp_path: Path
) -> None:
    log = logs["first_shown"].model_copy(deep=True)
    for sample in log.samples or []:
        ((key, text),) = [
            (k, t) for k, t in sample.store.items() if '"turns"' in str(t)
        ]
        record = json.loads(text)
        record["turns"] = [t for t in record["turns"] if t.get("about") != "sides"]
        sample.store[key] = json.dumps(record, separators=(",", ":"))
    path = tmp_path / "log.eval"
    write_eval_log(log, str(path))
    text = "\n".join(notice.text for notice in judge_check_report(path).notices)
    assert "reading_judge/first_shown: `sides` of 2 debates of 2" in text


def test_speakers_that_are_no_models_are_not_among_them(report: Report) -> None:
    (table,) = [table for table in report.tables() if table.name == "served"]
    asked = table.frame["Asked for"].tolist()
    assert asked == ["reading_judge/first_shown", "reading_judge/obedient"]


def test_what_has_to_be_known_first_is_a_notice(report: Report) -> None:
    text = "\n".join(notice.text for notice in report.notices)
    assert "written for this suite, few, short and easy" in text
    assert "not what a model can do" not in text
    assert "not on the same items" in text
    assert "reading_judge/first_shown, 2 questions: swaps: none can" in text
    obedient = "reading_judge/obedient, 24 questions: swaps 38 %, added content 33 %"
    assert obedient in text
    assert "Left out" not in text
