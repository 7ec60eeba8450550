"""`inspect-debate report`."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.evals.confidence import confidence
from inspect_debate.evals.generative import generative
from inspect_debate.evals.srdcr import srdcr
from tests.reports.made_logs import changed, foreign, logged, single
from tests.support.runs import run


def bets(folder: Path) -> Path:
    """The log of a debate with bets."""
    return logged(run(confidence(protocol="self"), folder, limit=1))


def clashes(folder: Path) -> Path:
    """The log of questions about passages."""
    task = srdcr(protocol="few_shot", source="sample")
    return logged(run(task, folder, limit=2))


def solutions(folder: Path) -> Path:
    """The log of answers that are judged."""
    task = generative(protocol="single_no_transcript", source="sample")
    return logged(run(task, folder, limit=2))


@pytest.mark.parametrize("study", ["colmad", "confidence", "srdcr", "generative"])
def test_the_report_of_a_log(study: str, tmp_path: Path) -> None:
    make = {"confidence": bets, "srdcr": clashes, "generative": solutions}
    log = make[study](tmp_path / "logs") if study in make else single()
    out = tmp_path / "new" / "folder"
    result = CliRunner().invoke(main, ["report", study, str(log), "--out", str(out)])
    assert result.exit_code == 0, result.output
    files = [path for path in out.rglob("*") if path.is_file()]
    assert result.output == f"{len(files)} files; open {out}/report.html\n"
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["other", "--out", "x"], 1, "is of study 'sr_dcr', and not of 'colmad'"),
        (["failed", "--out", "x"], 1, "has status 'error'"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    arguments: list[str], code: int, says: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    made = {
        "empty": tmp_path / "empty",
        "foreign": foreign(),
        "other": changed(single(), tmp_path, metadata={"study": "sr_dcr"}),
        "failed": changed(single(), tmp_path, status="error"),
    }
    given = [str(made.get(word, word)) for word in arguments]
    result = CliRunner().invoke(main, ["report", "colmad", *given])
    assert result.exit_code == code
    assert says in result.output
    assert result.output.count("Error: ") == 1
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_log_of_another_study_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    result = CliRunner().invoke(
        main, ["report", "confidence", str(single()), "--out", out]
    )
    assert result.exit_code == 1
    assert "is of study 'colmad', and not of 'confidence'" in result.output


def test_a_run_that_did_not_finish_is_taken_where_that_is_allowed(
    tmp_path: Path,
) -> None:
    (tmp_path / "changed").mkdir()
    log = changed(bets(tmp_path / "logs"), tmp_path / "changed", status="error")
    command = ["report", "confidence", str(log), "--out", str(tmp_path / "out")]
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
    said = done.stdout + done.stderr
    assert said.count("it is left out") == 1
    assert "Warning: DataFrame" not in said
