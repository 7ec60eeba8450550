"""`inspect-debate import`."""

from pathlib import Path

from click.testing import CliRunner, Result
from inspect_ai.log import read_eval_log

from inspect_debate.cli.main import main
from inspect_debate.evals.confidence import VERSION
from tests.support.commands import loaded_with
from tests.transcripts.made import release, saved, three_rounds


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["import", "llms-overconfidence", *arguments])


def test_a_table_and_the_zeros_are_shown(tmp_path: Path) -> None:
    out = tmp_path / "new" / "logs"
    done = run(str(release(tmp_path / "theirs")), "--out", str(out))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    head = next(number for number, line in enumerate(lines) if "cross_model" in line)
    table = {tuple(line.split()) for line in lines[head:]}
    conditions = ("cross_model", "self", "informed_self", "public", "redteam")
    assert (*conditions, "four_round") in table
    assert ("debates", "2", "2", "1", "1", "1", "1") in table
    assert ("zeros", "missing", "0", "1", "0", "0", "0", "0") in table
    assert ("verdicts", "6", "0", "0", "0", "0", "0") in table
    zero = "proposition rebuttal of beta:free_vs_self_20250503_150000"
    assert f"self: the 0 of {zero} is missing." in lines
    assert lines[-1] == f"6 logs in {out}; 0 files not read."
    assert done.stderr == ""


def test_the_logs_count_as_those_of_the_task(tmp_path: Path) -> None:
    saved(tmp_path / "in", "x.json", three_rounds())
    assert run(str(tmp_path / "in"), "--out", str(tmp_path)).exit_code == 0
    (path,) = tmp_path.glob("*.eval")
    spec = read_eval_log(str(path), header_only=True).eval
    assert spec.task_version == VERSION
    assert spec.viewer is not None
    assert spec.viewer.task_samples_view is not None


def test_files_that_are_not_read_are_named(tmp_path: Path) -> None:
    folder = saved(tmp_path, "in/good.json", three_rounds()).parent
    saved(folder, "bad.json", "{")
    saved(folder, "type.json", three_rounds("baseline"))
    done = run(str(folder), "--out", str(tmp_path / "logs"))
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("Not read: bad.json: it is not JSON: ")
    assert second.startswith("Not read: type.json: debate_type 'baseline' is not known")
    assert done.stdout.endswith("logs; 2 files not read.\n")
    assert len([*(tmp_path / "logs").glob("*.eval")]) == 1


def test_nothing_but_files_that_are_not_read(tmp_path: Path) -> None:
    folder = saved(tmp_path, "in/bad.json", "{").parent
    done = run(str(folder), "--out", str(tmp_path / "logs"))
    assert done.exit_code == 1
    assert done.stdout.endswith("0 logs in " + f"{tmp_path}/logs; 1 files not read.\n")


def test_a_second_time(tmp_path: Path) -> None:
    folder = str(saved(tmp_path, "in/x.json", three_rounds()).parent)
    out = ("--out", str(tmp_path / "logs"))
    assert run(folder, *out).exit_code == 0
    again = run(folder, *out)
    assert again.exit_code == 1
    assert (
        "llms-overconfidence-self.eval is there already; give --force" in again.output
    )
    assert run(folder, *out, "--force").exit_code == 0


def test_the_command_loads_imports_only_where_they_are_used() -> None:
    late = {"inspect_debate.transcripts.release", "scipy"}
    assert loaded_with("inspect_debate.cli.main") & late == set()
