"""The whole report on stored logs: what it says of them, and how to repeat them."""

from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.colmad.report import REPORT
from inspect_debate.reports.elements import Report, Table
from tests.frozen.comparing import LOGS
from tests.reports.made_logs import changed, copied
from tests.support.runs import run

SINGLE, ENSEMBLE = (LOGS / f"colmad_{name}.eval" for name in ("single", "ensemble"))


@cache
def report() -> Report:
    return REPORT([SINGLE, ENSEMBLE])


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


def test_provenance_says_how_to_repeat_the_runs() -> None:
    section = report().sections[-1]
    assert (
        "`inspect eval inspect_debate/colmad -T protocol=ensemble -T source=sample "
        "--model-role debater_a=simulated/balanced --model-role "
        "debater_b=simulated/hesitant --model-role judge=simulated/credulous --limit 6`"
    ) in section.text
    frame = table("runs").frame
    assert list(frame["Condition"]) == [
        "Single agent (balanced)",
        "Ensemble (balanced + hesitant)",
    ]
    assert frame["Status"].eq("success").all()
    assert frame["Samples"].eq(6).all()


def test_a_folder_without_logs_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no log"):
        REPORT(tmp_path)
    done = CliRunner().invoke(
        main, ["report", "colmad", str(tmp_path), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 1
    assert done.output.startswith("Error: There is no log")
    assert not (tmp_path / "out").exists()


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    task = colmad(protocol="single", source="sample")
    run(task, tmp_path, model="simulated/balanced", limit=2, token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)


def test_a_run_that_a_newer_one_replaces_is_named(tmp_path: Path) -> None:
    folder = copied(tmp_path / "logs", SINGLE)
    ids = dict.fromkeys(("run_id", "eval_id", "task_id"), "newer")
    new = changed(SINGLE, folder, created="2099-01-01T00:00:00+00:00", **ids)
    found = REPORT(folder)
    (frame,) = [item.frame for item in found.tables() if item.name == "runs"]
    assert dict(zip(frame["Log"], frame["Status"], strict=True)) == {
        SINGLE.name: "superseded",
        new.name: "success",
    }
    assert frame["Samples"].tolist() == [0, 6]
    assert any(
        notice.text.startswith("Single agent (balanced): 6 rows of older logs")
        and notice.text.endswith(f"nothing remains of {SINGLE.name}.")
        for notice in found.notices
    )
