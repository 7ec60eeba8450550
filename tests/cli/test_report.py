"""`inspect-debate report` and `compare`."""

import csv
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.evals.generative import generative
from tests.reports.made_logs import changed, foreign, logged, ran, single
from tests.support.runs import run


def solutions(folder: Path) -> Path:
    """The log of answers that are judged."""
    task = generative(protocol="single_no_transcript", source="sample")
    return logged(run(task, folder, limit=2))


# Those of all studies are in the frozen tests.
@pytest.mark.parametrize("study", ["colmad", "generative"])
def test_the_report_of_a_log(study: str, tmp_path: Path) -> None:
    log = single() if study == "colmad" else solutions(tmp_path / "logs")
    out = tmp_path / "new" / "folder"
    result = CliRunner().invoke(main, ["report", study, str(log), "--out", str(out)])
    assert result.exit_code == 0, result.output
    files = [path for path in out.rglob("*") if path.is_file()]
    assert result.output == f"{len(files)} files; open {out}/report.html\n"
    assert result.stderr == ""


def test_pages_beside_a_report_and_by_themselves(tmp_path: Path) -> None:
    log, out, alone = str(single()), tmp_path / "out", tmp_path / "alone"
    command = ["report", "colmad", log, "--out", str(out), "--pages"]
    assert CliRunner().invoke(main, command).exit_code == 0
    result = CliRunner().invoke(main, ["page", log, "--out", str(alone)])
    assert result.exit_code == 0, result.output
    (page,) = alone.glob("*.html")
    assert result.stdout == f"Open {page} in a browser.\n"
    assert [path.name for path in (out / "debates").glob("*.html")] == [page.name]


def test_a_run_that_did_not_finish_is_taken_where_that_is_allowed(
    tmp_path: Path,
) -> None:
    (tmp_path / "changed").mkdir()
    log = changed(single(), tmp_path / "changed", status="error")
    command = ["report", "colmad", str(log), "--out", str(tmp_path / "out")]
    assert "has status 'error'" in CliRunner().invoke(main, command).output
    result = CliRunner().invoke(main, [*command, "--allow-partial"])
    assert result.exit_code == 0, result.output


@pytest.mark.slow
def test_a_log_that_does_not_belong_is_said_once(tmp_path: Path) -> None:
    for log in (single(), foreign()):
        (tmp_path / log.name).write_bytes(log.read_bytes())
    command = ["report", "colmad", str(tmp_path), "--out", str(tmp_path / "out")]
    code = f"from inspect_debate.cli.main import main; main({command})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    output = done.stdout + done.stderr
    assert (
        output.count(f"1 log is not of study 'colmad' and left out: {foreign().name}.")
        == 1
    )
    assert "Warning: DataFrame" not in output


@cache
def protocols() -> list[str]:
    """Logs of two protocols on the same items."""
    folder = Path(mkdtemp())
    return [str(ran(folder, protocol=name)) for name in ("single", "self_consistency")]


def compared(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["compare", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    assert "Traceback" not in result.output
    return result.stdout


def test_first_all_that_differs_then_the_differences_then_the_cost() -> None:
    text = compared(*protocols(), "--metric", "correct")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        *("## Conditions", "## What differs", "## Samples left out"),
        *("## Differences", "## Cost"),
    ]
    assert "Factor: protocol. The protocols differ, and no --factor was named." in text
    assert "None: all conditions have the same 4." in text
    assert "part of a protocol  parameters  n" in text
    assert "B less A" in text
    # Seven answers in place of one.
    assert "A 1.0, B 7.0 (7.0 times)" in text


def test_json_has_every_number() -> None:
    found = json.loads(
        compared(*protocols(), "--metric", "correct", "--margin", "0.2", "--json")
    )
    assert found["factor"] == [
        {
            "kind": "parameters",
            "name": "protocol",
            "values": {"A": "single", "B": "self_consistency"},
        }
    ]
    (pair,) = found["comparisons"]
    means = [condition["mean"] for condition in found["conditions"]]
    assert (pair["a"], pair["b"]) == ("A", "B")
    assert pair["difference"] == means[1] - means[0]
    assert 0 < pair["p"] <= pair["p_holm"] <= 1
    assert pair["equivalence"]["equivalent"] is False
    assert [condition["calls_per_sample"] for condition in found["conditions"]] == [
        1,
        7,
    ]
    # What is not known is null.
    assert [condition["dollars_per_sample"] for condition in found["conditions"]] == [
        None,
        None,
    ]


@pytest.mark.parametrize("as_json", [True, False])
def test_files_for_readers_and_programs(as_json: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    also = ["--json"] if as_json else []
    text = compared(*protocols(), "--metric", "correct", "--out", out, *also)
    assert (out / "report.html").is_file()
    with (out / "tables" / "differences.csv").open(encoding="utf-8") as file:
        first, *_ = csv.DictReader(file)
    assert (first["taken_as"], first["name"]) == ("factor", "protocol")
    assert {path.stem for path in (out / "tables").glob("*.csv")} == {
        *("conditions", "differences", "means", "comparisons", "costs"),
        *("runs", "data", "prompts", "parameters"),
    }
    assert ("open " in text) != as_json
    if as_json:
        json.loads(text)


def test_runs_that_did_not_finish_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "changed").mkdir()
    whole, other = protocols()
    part = changed(Path(other), tmp_path / "changed", status="cancelled")
    text = compared(whole, part, "--metric", "correct", "--allow-partial")
    assert "B less A" in text
