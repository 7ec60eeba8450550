"""The whole report on small runs: its numbers are those of the logs."""

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean
from tempfile import mkdtemp
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from inspect_debate.cli.main import main
from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.colmad import colmad
from inspect_debate.reports.colmad import REPORT
from inspect_debate.reports.elements import Figure, Notice, Report, Table
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.provenance import commands
from tests.reports.made_logs import logged
from tests.support.runs import metrics, run

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
        "openings": ran(PAIR, folder, rounds=0),
        "debate": ran(PAIR, folder),
    }


def folder_of(log: EvalLog) -> Path:
    return logged(log).parent


@cache
def report() -> Report:
    return REPORT(folder_of(logs()["debate"]))


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


TITLES = {
    "single": "Single agent",
    "ensemble": "Ensemble",
    "openings": "ColMAD, 0 rounds",
    "debate": "ColMAD",
}


@pytest.mark.parametrize("which", TITLES)
def test_numbers_are_those_of_the_log(which: str) -> None:
    in_log = metrics(logs()[which], "error_detection")
    for name, column in (("errors", "F1"), ("both_labels", "MCC")):
        frame = table(name).frame
        of_both = frame["Responses of"] == "GPT-4 and Llama 2"
        own, _ = frame[of_both & (frame["Protocol"] == TITLES[which])].to_dict(
            "records"
        )
        for end, suffix in (("", ""), (" low", "_low"), (" high", "_high")):
            logged_value = in_log[f"{column.lower()}{suffix}"]
            assert own[column + end] == pytest.approx(logged_value, nan_ok=True)


@pytest.mark.parametrize("which", TITLES)
def test_cells_of_the_papers_tables_are_those_of_the_log(which: str) -> None:
    in_log = metrics(logs()[which], "error_detection")
    for number, author in ((1, "gpt4"), (2, "llama2")):
        frame = table(f"table_{number}_cells").frame
        right = (frame["Protocol"] == TITLES[which]) & (frame["Score"] == "F2")
        own, theirs = frame[right].to_dict("records")
        for row, name in ((own, "f2"), (theirs, "f2_realmistake")):
            for column, part in (("Mathematics", "math"), ("Average", "mean")):
                logged_value = in_log[f"{name}_{author}_{part}"]
                assert row[column] == pytest.approx(logged_value, nan_ok=True)


def test_cost_and_changes_are_those_of_the_log() -> None:
    in_log = metrics(logs()["debate"], "debate_process")
    (row,) = [
        row
        for row in table("cost").frame.to_dict("records")
        if row["Protocol"] == "ColMAD"
    ]
    assert row["Calls"] == pytest.approx(in_log["calls"])
    assert row["Tokens"] == pytest.approx(in_log["tokens"])
    assert row["Calls if debated"] == 7
    (row,) = [
        row
        for row in table("gap").frame.to_dict("records")
        if row["Protocol"] == "ColMAD"
    ]
    for column, metric in (
        ("Oracle", "oracle_accuracy"),
        ("Gap closed", "oracle_gap_closed"),
        ("First answer B", "first_right_debater_b"),
    ):
        assert row[column] == pytest.approx(in_log[metric], nan_ok=True)


def test_the_items_are_those_of_the_runs() -> None:
    """The paper's Table 4, of the sample set: each item once, whatever ran on it."""
    data = realmistake("sample", response_author="both")[:24]
    found = table("table_4").frame
    assert found["Items"].sum() == 24
    members = [
        sample
        for sample in data
        if sample.metadata is not None
        and (sample.metadata["subset"], sample.metadata["response_author"])
        == ("math", "gpt4")
    ]
    words = [
        [len(message.text.split()) for message in sample.input]
        for sample in members
        if not isinstance(sample.input, str)
    ]
    (cell,) = [
        row
        for row in found.to_dict("records")
        if (row["Responses of"], row["Task"]) == ("GPT-4", "Mathematics")
    ]
    assert cell["Errors"] == sum(s.target == "error" for s in members)
    assert cell["Words in"] == pytest.approx(fmean(first for first, _ in words))
    assert cell["Words out"] == pytest.approx(fmean(last for _, last in words))


def test_categories_are_those_of_the_log() -> None:
    in_log = metrics(logs()["single"], "error_detection")
    row = table("categories").frame.iloc[0]
    slugs = [key for key in in_log if key.startswith("recall_category_")]
    recalls = [in_log[key] for key in slugs if not key.endswith(("_low", "_high"))]
    shown = [row[str(column)] for column in table("categories").formats]
    assert recalls
    assert sorted(shown) == pytest.approx(sorted(recalls))


def test_the_debate_is_compared_with_its_baselines() -> None:
    compared = list(table("comparisons_accuracy").frame["Compared"])
    assert compared == [
        "ColMAD − ColMAD, 0 rounds",
        "ColMAD − Single agent (balanced)",
        "ColMAD − Ensemble",
    ]


def test_a_figure_without_data_says_which_runs_it_needs() -> None:
    (section,) = [s for s in report().sections if s.title == "Figures"]
    drawn = [item.name for item in section.items if isinstance(item, Figure)]
    assert drawn == [
        *[
            name
            for author in ("gpt4", "llama2")
            for name in (
                f"figure_2_{author}",
                *[
                    f"figures_7_8_{author}_{subset}"
                    for subset in ("math", "fact", "answerability")
                ],
            )
        ],
        "figure_2_pooled",
        *(f"figure_3_1_{part}" for part in ("gpt4", "llama2", "pooled")),
        *(f"figure_5a_{author}" for author in ("gpt4", "llama2")),
        *(f"figure_6_{f}_{of}" for of in ("gpt4", "llama2") for f in ("f1", "f2")),
    ]
    (missing,) = [item for item in section.items if isinstance(item, Notice)]
    assert "Figure 5b needs" in missing.text
    assert "-T grade=explanation_alignment" in missing.text


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
        "ColMAD, 0 rounds (balanced + coin)",
        "ColMAD (balanced + coin)",
    ]
    assert frame["Status"].eq("success").all()
    assert frame["Samples"].eq(24).all()


@pytest.mark.slow
def test_the_command_writes_it(tmp_path: Path) -> None:
    folder = str(folder_of(logs()["debate"]))
    done = CliRunner().invoke(
        main, ["report", "colmad", folder, "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "As printed in the paper" in page
    with (tmp_path / "out" / "tables" / "errors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    frame = table("errors").frame
    assert [float(row["f1"] or "nan") for row in rows] == pytest.approx(
        list(frame["F1"]), nan_ok=True
    )


def test_a_folder_without_logs_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no log"):
        REPORT(tmp_path)
    done = CliRunner().invoke(
        main, ["report", "colmad", str(tmp_path), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 1
    assert done.output.startswith("Error: There is no log")
    assert not (tmp_path / "out").exists()


def test_settings_are_part_of_the_command() -> None:
    opened = open_logs(logged(logs()["single"]))[0]
    header = opened.header.model_copy(deep=True)
    spec = header.eval
    spec.model, spec.model_args = "p/m", {"accuracy": 0.9}
    spec.model_generate_config = GenerateConfig(max_tokens=100)
    assert spec.model_roles is not None
    role = ModelConfig(model="p/x", config=GenerateConfig(temperature=0.5))
    spec.model_roles = {"judge": [role, ModelConfig(model="p/y")]}
    spec.config.epochs = 2
    (command,) = commands([replace(opened, header=header)] * 2)
    assert command.endswith(
        "--model p/m -M accuracy=0.9 --model-role "
        """'judge=[{"model": "p/x", "temperature": 0.5}, "p/y"]' """
        "--max-tokens 100 --epochs 2 --limit 24"
    )


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


@pytest.mark.slow
def test_calls_that_were_used_again_are_told(tmp_path: Path) -> None:
    first = logs()["debate"]
    ran(PAIR, tmp_path, rounds=1, reuse=str(logged(first)), reuse_until="answers")
    found = REPORT(tmp_path)
    (notice,) = [n for n in found.notices if "were used again" in n.text]
    assert notice.text.endswith(
        f"- `{logged(first).name}`, in ColMAD, 1 round (balanced + coin)"
    )
    (frame,) = [item.frame for item in found.tables() if item.name == "cost"]
    assert frame["Calls reused"].tolist() == [2]
    assert frame["Tokens reused"].item() > 0
    assert f"-T reuse={logged(first).name} " in found.sections[-1].text


def test_a_task_of_a_file_is_repeated_from_it() -> None:
    opened = open_logs(logged(logs()["single"]))[0]
    header = opened.header.model_copy(deep=True)
    header.eval.task, header.eval.task_file = "brief", "mine/others.py"
    (command,) = commands([replace(opened, header=header)])
    assert command.startswith("inspect eval mine/others.py@brief -T ")
