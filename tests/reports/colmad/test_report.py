"""The whole report on small runs: what it says of logs, and how to repeat them."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalLog

from inspect_debate.cli.main import main
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.colmad import REPORT
from inspect_debate.reports.elements import Report, Table
from tests.reports.made_logs import logged
from tests.support.runs import run

A, B = "simulated/balanced", "simulated/coin"
PAIR = {"debater_a": A, "debater_b": B}


def ran(
    roles: dict[str, str], folder: Path, token_limit: int | None = None, **given: Any
) -> EvalLog:
    task = colmad(source="sample", response_author="both", **given)
    settings: dict[str, Any] = {"limit": 24, "token_limit": token_limit}
    return run(task, folder, model="none", roles=roles, **settings)


@cache
def logs() -> dict[str, EvalLog]:
    folder = Path(mkdtemp())
    return {
        "single": ran({"debater_a": A}, folder, protocol="single"),
        "ensemble": ran(PAIR, folder, protocol="ensemble"),
    }


def folder_of(log: EvalLog) -> Path:
    return logged(log).parent


@cache
def report() -> Report:
    return REPORT(folder_of(logs()["single"]))


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


def test_provenance_says_how_to_repeat_the_runs() -> None:
    section = report().sections[-1]
    assert (
        "`inspect eval inspect_debate/colmad -T protocol=ensemble -T source=sample "
        "-T response_author=both --model-role debater_a=simulated/balanced "
        "--model-role debater_b=simulated/coin --limit 24`"
    ) in section.text
    frame = table("runs").frame
    assert list(frame["Condition"]) == [
        "Single agent (balanced)",
        "Ensemble (balanced + coin)",
    ]
    assert frame["Status"].eq("success").all()
    assert frame["Samples"].eq(24).all()


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
    ran(PAIR, tmp_path, token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)


def test_a_run_that_a_newer_one_replaces_is_told(tmp_path: Path) -> None:
    old, new = (ran({"debater_a": A}, tmp_path, protocol="single") for _ in range(2))
    found = REPORT(tmp_path)
    (frame,) = [item.frame for item in found.tables() if item.name == "runs"]
    assert dict(zip(frame["Log"], frame["Status"], strict=True)) == {
        logged(old).name: "superseded",
        logged(new).name: "success",
    }
    assert frame["Samples"].tolist() == [0, 24]
    assert any(
        notice.text.startswith("Single agent (balanced): 24 rows of older logs")
        and notice.text.endswith(f"nothing remains of {logged(old).name}.")
        for notice in found.notices
    )
