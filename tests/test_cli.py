"""The `inspect-debate` command, as a person runs it."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from inspect_debate.cli import main
from inspect_debate.debate.prompts import Prompts
from inspect_debate.evals.colmad import PROTOCOLS
from inspect_debate.solvers import questions
from tests.transcripts import made


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def is_one_sentence(result: Result) -> bool:
    """Whether a command ended with an error of one line, and no traceback."""
    lines = [line for line in result.stderr.split("\n") if line.startswith("Error: ")]
    return isinstance(result.exception, SystemExit) and len(lines) == 1


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of two detectors with two prompts each."""
    table = made.table(tmp_path_factory.mktemp("release"), made.rows())
    out = tmp_path_factory.mktemp("logs")
    result = run("import", "realmistake-detectors", table, "--out", out)
    assert result.exit_code == 0, result.output
    return out


def test_help_imports_nothing_of_what_commands_need() -> None:
    code = (
        "import sys; from inspect_debate.cli import main; "
        "main(sys.argv[1:], standalone_mode=False); "
        "heavy = {'inspect_ai', 'pandas', 'pydantic'}; "
        "sys.exit(bool(heavy & {*sys.modules}))"
    )
    for args in (["--help"], ["report", "--help"], ["import", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True)
        assert done.returncode == 0, args


@pytest.mark.parametrize(
    "args",
    [
        ["report"],
        ["page"],
        ["prompts", "show"],
        ["import"],
        ["check"],
        ["compare"],
    ],
)
def test_every_command_has_help_of_its_own(args: list[str]) -> None:
    result = run(*args, "--help")
    assert result.exit_code == 0
    assert f"{' '.join(args)} [" in result.output  # its own usage line


# --- Reports --------------------------------------------------------------------------


@pytest.mark.parametrize("more", [[], ["--full"]])
def test_a_report_is_written_and_named_last(
    logs: Path, tmp_path: Path, more: list[str]
) -> None:
    out = tmp_path / "new" / "report"
    result = run("report", "colmad", logs, "--out", out, *more)
    assert result.exit_code == 0, result.output
    assert result.output.rstrip().endswith(str(out / "report.html"))
    written = {path.name for path in out.iterdir()}
    assert {"report.html", "f1.svg", "runs.csv"} <= written
    assert ("table_4.csv" in written) == bool(more)


def test_files_and_folders_are_logs(logs: Path, tmp_path: Path) -> None:
    one, *_ = sorted(logs.iterdir())
    result = run("report", "colmad", one, "--out", tmp_path)
    assert result.exit_code == 0
    assert (tmp_path / "report.html").is_file()


def test_logs_of_another_study_are_refused_with_the_right_command(
    logs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    result = run("report", "debate", next(logs.iterdir()), "--out", out)
    assert result.exit_code == 1
    assert is_one_sentence(result)
    assert "inspect-debate report colmad" in result.stderr
    assert not out.exists()


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.eval").write_text("no log")
    for given in (tmp_path / "bad.eval", tmp_path / "no.eval", tmp_path / "nowhere"):
        for command in (["report", "colmad"], ["page"]):
            result = run(*command, given, "--out", tmp_path / "out")
            assert result.exit_code == 1
            assert is_one_sentence(result)


# --- Pages ----------------------------------------------------------------------------


def test_a_page_for_each_log(logs: Path, tmp_path: Path) -> None:
    one, two, *_ = sorted(logs.iterdir())
    for given, pages in (([one], 1), ([one, two], 2)):
        out = tmp_path / str(pages)
        result = run("page", *given, "--out", out)
        assert result.exit_code == 0, result.output
        assert len([*out.glob("*.html")]) == pages


def test_a_folder_without_logs_has_no_page(tmp_path: Path) -> None:
    result = run("page", tmp_path, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert is_one_sentence(result)


# --- Prompts --------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_shown_prompts_can_be_edited_and_used(protocol: str, tmp_path: Path) -> None:
    shown = run("prompts", "show", protocol)
    assert shown.exit_code == 0
    path = tmp_path / "prompts.yaml"
    path.write_text(shown.stdout)
    PROTOCOLS[protocol](prompts=str(path))  # raises if a prompt is not the protocol's
    texts = yaml.safe_load(shown.stdout)
    assert texts.items() >= Prompts(questions.PROMPTS).texts.items()
    assert ("speech" in texts) == (protocol in ("colmad", "copmad"))


def test_unknown_protocols_have_no_prompts() -> None:
    result = run("prompts", "show", "colmed")
    assert result.exit_code == 1
    assert is_one_sentence(result)


# --- Imports, and what is still to be ported ------------------------------------------


def test_a_release_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    table = made.table(tmp_path, made.rows()[1:])
    out = tmp_path / "logs"
    result = run("import", "realmistake-detectors", table, "--out", out)
    assert result.exit_code == 1
    assert is_one_sentence(result)
    assert not out.exists()


def test_arguments_reach_commands_that_are_not_ported(tmp_path: Path) -> None:
    for refused in (
        ["check", "--study", "nothing"],
        ["compare", tmp_path / "no.eval", tmp_path / "no.eval"],
        ["import", "llms-overconfidence", tmp_path, "--out", tmp_path],
    ):
        result = run(*refused)
        assert result.exit_code != 0
        assert is_one_sentence(result)
