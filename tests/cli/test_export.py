"""`inspect-debate export`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.evals.colmad import colmad
from tests.reports.made_logs import logged, panel, single
from tests.support.commands import loaded_with
from tests.support.runs import run

ITEMS = Path(__file__).parents[2] / "datasets" / "data" / "realmistake_sample.jsonl"


def test_two_files_of_several_logs(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    logs = [str(panel()), str(single().parent)]
    result = CliRunner().invoke(
        main, ["export", *logs, "--out", str(out), "--format", "jsonl"]
    )
    assert result.exit_code == 0, result.output
    assert f"Wrote {out}/debates.jsonl and {out}/turns.jsonl." in result.stdout
    assert result.stderr == ""
    debates = (out / "debates.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(debates) == 4 * 2 + 4


def test_a_warning_where_the_data_may_not_be_published(tmp_path: Path) -> None:
    log = logged(run(colmad(protocol="single", source=str(ITEMS)), tmp_path, limit=2))
    command = ["export", str(log), "--out", str(tmp_path)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0
    assert result.stderr.count("\n") == 1
    assert "Warning: realmistake: its authors ask" in result.stderr
    masked = CliRunner().invoke(main, [*command, "--redact"])
    assert masked.exit_code == 0
    assert masked.stderr == ""


@pytest.mark.slow
def test_the_command_loads_pandas_only_where_it_is_used() -> None:
    assert "pandas" not in loaded_with("inspect_debate.cli.main")
