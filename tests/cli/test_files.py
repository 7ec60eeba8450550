"""Commands that write or show files, such as export, judge-sheet and import."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import read_eval_log

from inspect_debate.cli.main import main
from inspect_debate.debate.participants import ROLES
from inspect_debate.debate.prompts import load_prompts, prompt_set_names
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.confidence import VERSION
from inspect_debate.evals.generative import CODED
from inspect_debate.solvers.generative import Grading
from tests.reports.judges.sheets import MARY, TOM, fill, six
from tests.reports.made_logs import logged, panel, single
from tests.support.commands import loaded_with
from tests.support.runs import run
from tests.transcripts.made import release, saved, three_rounds

ROOT = Path(__file__).parents[2]


def test_configurations_and_logs_are_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["examples", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    for folder in ("configs", "logs/examples"):
        ours = {
            path.name: path.read_bytes()
            for path in (ROOT / folder).iterdir()
            if path.is_file()
        }
        written = {p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()}
        assert written == ours
    log = read_eval_log(tmp_path / "logs" / "examples" / "colmad.eval")
    assert log.status == "success"


def test_what_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "configs" / "colmad.yaml"
    file.parent.mkdir()
    file.write_text("mine")
    done = CliRunner().invoke(main, ["examples", "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert "colmad.yaml exists already" in done.output
    assert file.read_text() == "mine"
    assert not (tmp_path / "logs").exists()


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


def called(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["judge-sheet", *map(str, arguments)])


def test_there_and_back(tmp_path: Path) -> None:
    log, sheet = six(tmp_path / "logs"), tmp_path / "sheet"
    there = called("write", log, "--out", sheet, "--seed", 7)
    assert there.exit_code == 0, there.output
    assert there.stdout.splitlines() == [
        "6 of 6 debates between two answers are on it.",
        f"For the judges: {sheet}/sheet.html (a page to fill in) or "
        f"{sheet}/sheet.csv (for a spreadsheet).",
        f"For you alone: {sheet}/key.json, which tells what is what.",
    ]
    files = fill(sheet / "key.json", tmp_path, mary=MARY, tom=TOM)
    out = tmp_path / "back"
    back = called(
        *("read", *files, "--key", sheet / "key.json", "--out", out, "--scored-logs")
    )
    assert back.exit_code == 0, back.output
    assert "mary judged 6 of 6 debates." in back.stdout
    # 6 E of 12: agree on 4 of 6; the differing pairs are 4 of 12, by chance 72 of 132.
    assert "Krippendorff's alpha of all people: 0.39." in back.stdout
    assert f"Wrote {out}: the tables, and 3 files of scores." in back.stdout
    assert f"With people's scores: {out / log.name}" in back.stdout
    lines = back.stdout.replace(str(tmp_path), "").splitlines()
    assert max(map(len, lines)) <= 100
    written = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert written == {
        *("verdicts.csv", "judges.csv", "agreement.csv", log.name),
        *(f"scores/{log.stem}/human_{n}.json" for n in ("mary", "tom", "majority")),
    }
    verdicts = pd.read_csv(out / "verdicts.csv")
    assert verdicts["judge"].value_counts().to_dict() == {
        "mary": 6,
        "tom": 6,
        "majority": 4,
        "judging/judge": 6,
    }


def test_a_balanced_part_of_a_run(tmp_path: Path) -> None:
    done = called("write", panel(), "--out", tmp_path, "--limit", 4)
    assert done.exit_code == 0, done.output
    assert "4 of 8 debates between two answers are on it." in done.stdout
    assert len(pd.read_csv(tmp_path / "sheet.csv")) == 4


def test_show_prints_every_prompt_with_its_placeholders() -> None:
    result = CliRunner().invoke(main, ["prompts", "show", "colmad"])
    assert result.exit_code == 0
    prompts = load_prompts("colmad")
    assert result.output.startswith(f"colmad {prompts.used().hash}\n")
    for key, prompt in prompts.prompts.items():
        assert f"--- {key}" in result.output
        assert prompt.text.strip() in result.output
    assert "--- item (task, response)" in result.output


def test_prompts_of_one_format() -> None:
    of_all, own = (
        CliRunner().invoke(main, ["prompts", "show", name]).output
        for name in ("generative", "single_critique")
    )
    last = of_all.splitlines()[-1]
    assert "single_critique also has critique_speaker, critique_judge, " in last
    assert "--- critique_speaker\n" not in of_all
    assert own.startswith("generative ")
    assert "--- critique_speaker\n" in own
    assert "--- rule" in own


def test_one_key() -> None:
    result = CliRunner().invoke(main, ["prompts", "show", "colmad", "--key", "item"])
    assert "--- item" in result.output
    assert "--- answer" not in result.output


def test_a_file_laid_over(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text("position_error: there is something wrong with the response\n")
    shown = CliRunner().invoke(
        main, ["prompts", "show", "colmad", "--prompts", str(overlay)]
    )
    assert "there is something wrong with the response" in shown.output
    diff = CliRunner().invoke(main, ["prompts", "diff", "colmad", str(overlay)])
    changed = [
        line
        for line in diff.output.splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == [
        "-the response contains an error",
        "+there is something wrong with the response",
    ]


def imported(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["import", "llms-overconfidence", *arguments])


def test_a_table_and_the_zeros_are_shown(tmp_path: Path) -> None:
    out = tmp_path / "new" / "logs"
    done = imported(str(release(tmp_path / "theirs")), "--out", str(out))
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
    assert imported(str(tmp_path / "in"), "--out", str(tmp_path)).exit_code == 0
    (path,) = tmp_path.glob("*.eval")
    spec = read_eval_log(str(path), header_only=True).eval
    assert spec.task_version == VERSION
    assert spec.viewer is not None
    assert spec.viewer.task_samples_view is not None


def test_files_that_are_not_read_are_named(tmp_path: Path) -> None:
    folder = saved(tmp_path, "in/good.json", three_rounds()).parent
    saved(folder, "bad.json", "{")
    saved(folder, "type.json", three_rounds("baseline"))
    done = imported(str(folder), "--out", str(tmp_path / "logs"))
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert first.startswith("Not read: bad.json: it is not JSON: ")
    assert second.startswith("Not read: type.json: debate_type 'baseline' is not known")
    assert done.stdout.endswith("logs; 2 files not read.\n")
    assert len([*(tmp_path / "logs").glob("*.eval")]) == 1


def test_nothing_but_files_that_are_not_read(tmp_path: Path) -> None:
    folder = saved(tmp_path, "in/bad.json", "{").parent
    done = imported(str(folder), "--out", str(tmp_path / "logs"))
    assert done.exit_code == 1
    assert done.stdout.endswith("0 logs in " + f"{tmp_path}/logs; 1 files not read.\n")


def test_a_second_time(tmp_path: Path) -> None:
    folder = str(saved(tmp_path, "in/x.json", three_rounds()).parent)
    out = ("--out", str(tmp_path / "logs"))
    assert imported(folder, *out).exit_code == 0
    again = imported(folder, *out)
    assert again.exit_code == 1
    assert (
        "llms-overconfidence-self.eval is there already; give --force" in again.output
    )
    assert imported(folder, *out, "--force").exit_code == 0


def test_commands_load_libraries_only_when_they_run() -> None:
    """Help, of all commands, comes at once."""
    late = {"inspect_ai", "numpy", "pandas", "scipy", "matplotlib", "datasets"}
    late |= {"starlette", "uvicorn"}
    assert loaded_with("inspect_debate.cli.main") & late == set()


@pytest.mark.slow
def test_what_is_printed_needs_no_library_for_figures() -> None:
    late = {"matplotlib", "scipy.stats", "scipy.linalg", "scipy.optimize"}
    assert loaded_with("inspect_debate.reports.compare.report") & late == set()


def test_help_repeats_what_it_does_not_import() -> None:
    def shown(*words: str) -> str:
        return "".join(CliRunner().invoke(main, [*words, "--help"]).output.split())

    assert f"[{'|'.join(prompt_set_names())}|PACK" in shown("prompts", "show")
    assert f"({','.join(ROLES)})" in shown("check")
    eligible = shown("bcb-eligible")
    assert f"[{'|'.join(CODED)}]" in eligible
    assert f"grading.seconds=.[default:{Grading().seconds}]" in eligible
    assert f"grading.memory_mb=.[default:{Grading().memory_mb}]" in eligible
