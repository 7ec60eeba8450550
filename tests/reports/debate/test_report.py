"""The whole report on short runs: its numbers are those of the logs."""

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from inspect_debate.cli.main import main
from inspect_debate.debate.errors import InputError
from inspect_debate.evals.debate import debate
from inspect_debate.reports.debate import REPORT, read
from inspect_debate.reports.elements import Notice, Report, Section, Table
from inspect_debate.reports.logs import study_logs
from inspect_debate.reports.tables import csv_text, laid_out
from tests.reports.debate.made_runs import (
    LIMIT,
    PAIR,
    A,
    B,
    C,
    D,
    foreign_protocol,
    logs,
    ran,
)
from tests.reports.made_logs import logged
from tests.support.runs import metrics, run

ARMS = {
    "panel": "copmad judge=balanced, hesitant, coin",
    "again": "copmad judge=first_speaker",
    "colmad": "colmad",
    "consultancy": "consultancy",
    "blind": "judge_alone passage=hidden",
    "reader": "judge_alone passage=shown",
}


@cache
def report() -> Report:
    return REPORT(logged(logs()["panel"]).parent)


def table(name: str, found: Report | None = None) -> Table:
    (one,) = [t for t in (found or report()).tables() if t.name == name]
    return one


def rows(name: str, **wanted: Any) -> list[dict[str, Any]]:
    return [
        {str(key): value for key, value in row.items()}
        for row in table(name).frame.to_dict("records")
        if all(row[key] == value for key, value in wanted.items())
    ]


def section(title: str) -> Section:
    (found,) = [found for found in report().sections if found.title == title]
    return found


def notice(said: str) -> Notice:
    (found,) = [found for found in report().notices if said in found.text]
    return found


@pytest.mark.slow
def test_every_table_can_be_shown_and_written() -> None:
    for found in report().tables():
        assert laid_out(found).bodies[0].rows, found.name
        assert csv_text(found).count("\n") > 1, found.name


@pytest.mark.parametrize("which", ARMS)
def test_accuracies_and_costs_are_those_of_the_log(which: str) -> None:
    in_log = metrics(logs()[which], "question_answering")
    (found,) = rows("accuracy", Condition=ARMS[which])
    for column, name in (
        ("Accuracy", "accuracy"),
        ("Accuracy low", "accuracy_low"),
        ("Accuracy high", "accuracy_high"),
        ("No outcome as wrong", "accuracy_all"),
        ("Chance", "chance"),
        ("No outcome", "no_outcome_rate"),
    ):
        assert found[column] == pytest.approx(in_log[name], nan_ok=True), column
    assert found["Samples"] == LIMIT
    process = metrics(logs()[which], "debate_process")
    (spent,) = rows("cost", Condition=ARMS[which])
    assert spent["Calls"] == pytest.approx(process["calls"])
    assert spent["Tokens"] == pytest.approx(process["tokens"])


def test_quotes_are_those_of_the_log() -> None:
    in_log = metrics(logs()["colmad"], "debate_process")
    (found,) = rows("quotes", Condition="colmad")
    assert found["Verified"] == pytest.approx(in_log["verified_share"])
    assert found["Per speech"] == pytest.approx(in_log["quotes_per_speech"])
    assert found["Found in: Passage"] == found["Verified"]


def test_baselines_stand_beside_the_arms() -> None:
    samples = logs()["blind"].samples or []
    first = sum(sample.target == "A" for sample in samples) / LIMIT
    found = {
        row["Condition"]: row["Accuracy"]
        for row in rows("accuracy", Kind="Without reading")
        if "two" in row["Data"]
    }
    assert found == {
        "Guessing": 0.5,
        "Always the first option": first,
        "Always the letter that is right most often": max(first, 1 - first),
    }


def test_one_data_set_taken_in_two_ways_is_two() -> None:
    assert list(dict.fromkeys(table("accuracy").frame["Data"])) == [
        "sample candidates=all",
        "sample candidates=two",
    ]
    (alone,) = rows("accuracy", Condition="single")
    assert alone["Data"] == "sample candidates=all"
    assert alone["Chance"] == 0.25


def test_what_was_compared_and_why() -> None:
    found = {
        (row["Question"].partition("?")[0], row["Compared"]): row
        for row in rows("comparisons")
    }
    data = " (sample candidates=two)"
    assert set(found) == {
        ("What do speeches add", f"consultancy − {ARMS['blind']}{data}"),
        ("What do speeches add", f"colmad − {ARMS['blind']}{data}"),
        (
            "Do they make up for reading",
            f"consultancy − {ARMS['reader']}{data}",
        ),
        ("Do they make up for reading", f"colmad − {ARMS['reader']}{data}"),
        ("Both sides or one", f"colmad − consultancy{data}"),
        (
            "Debates that differ in one thing",
            f"{ARMS['again']} − {ARMS['panel']}{data}",
        ),
        (
            "What is there to gain",
            f"{ARMS['reader']} − {ARMS['blind']}{data}",
        ),
    }
    one = found[("What do speeches add", f"consultancy − {ARMS['blind']}{data}")]
    with_speech = metrics(logs()["consultancy"], "question_answering")["accuracy"]
    alone = metrics(logs()["blind"], "question_answering")["accuracy"]
    assert one["Difference"] == pytest.approx(with_speech - alone)
    tokens = [
        metrics(logs()[which], "debate_process")["tokens"]
        for which in ("consultancy", "blind")
    ]
    assert one["Tokens, times"] == pytest.approx(tokens[0] / tokens[1])


def test_judges_of_one_debate_are_a_panel_across_runs() -> None:
    judged = rows("judges", Panel="copmad (sample candidates=two)")
    assert {row["Judge"] for row in judged} == {A, B, C, D}
    in_log = metrics(logs()["panel"], "question_answering")
    accuracy = {row["Judge"]: row["Accuracy"] for row in judged}
    for number, model in enumerate((A, B, C), start=1):
        assert accuracy[model] == pytest.approx(in_log[f"accuracy_judge_{number}"])
    (shown,) = [row for row in judged if row["Judge"] == D]
    assert shown["For the first"] == 1
    assert len(rows("judge_pairs", Panel="copmad (sample candidates=two)")) == 6
    matrix = table("judge_matrix_1").frame
    assert len(matrix) == LIMIT
    right = [(matrix[judge] == "right").mean() for judge in (A, B, C, D)]
    assert right == pytest.approx([accuracy[judge] for judge in (A, B, C, D)])
    names = [figure.name for figure in report().figures()]
    assert {"judge_map_1", "judges_right_1"} <= set(names)


def test_shards_of_one_run_have_one_panel(tmp_path: Path) -> None:
    roles = PAIR | {"judge": [A, D]}
    task = debate("copmad", rounds=1)
    shards = [(0, 2), (2, 4), (4, 5)]
    held = [run(task, tmp_path, "none", roles, limit=part) for part in shards]
    reused = debate("copmad", rounds=1, reuse=str(logged(held[1])))
    held.append(run(reused, tmp_path, "none", PAIR | {"judge": B}))
    found = read(study_logs([*map(logged, held)], "debate"))
    assert found is not None
    (panel,) = found.panels
    assert {*panel.judges} == {A, B, D}
    assert panel.matrix().notna().sum().to_dict() == {A: 5, B: 2, D: 5}
    assert not any("panel" in title for title in found.judged)


def test_verdicts_for_the_first_are_those_of_the_log() -> None:
    in_log = metrics(logs()["colmad"], "debate_process")
    (found,) = rows("judges", Panel="colmad (sample candidates=two)")
    assert found["Verdicts"] == 2 * LIMIT
    assert found["Right is first"] == 0.5
    assert 0 <= found["Both orders agree"] == 1 - found.get("Orders differ", 0)
    assert found["For the first"] == pytest.approx(in_log["shown_first_rate"])


def test_sections_are_in_order() -> None:
    assert [section.title for section in report().sections] == [
        *("What was run", "Accuracy", "Paired comparisons", "Debates and quotes"),
        *("Judges", "Cost", "Sanity", "Provenance"),
    ]


def test_what_has_to_be_known_is_told_first() -> None:
    assert notice("sample set shipped").level == "warning"
    assert f"- `{logged(logs()['panel']).name}`, in" in notice("used again").text
    own = notice("The judge is a debater's model").text
    assert "- consultancy" in own
    assert "judge_alone" not in own


def test_runs_can_be_repeated_and_data_found() -> None:
    text = section("Provenance").text
    assert "`inspect eval inspect_debate/debate -T protocol=consultancy" in text
    (found,) = rows("runs", Condition="colmad (sample candidates=two)")
    assert (found["Samples"], found["Seed"]) == (LIMIT, 0)
    assert f"judge: {A}" in found["Models"]
    told = {row["Value"] for row in rows("data", Name="Candidates")}
    assert told == {"two", "all"}
    (reader,) = rows("arms", Condition=ARMS["reader"])
    assert (reader["Passage"], reader["Judge"]) == ("shown", A)


def test_a_protocol_of_another_package_has_all_of_it(tmp_path: Path) -> None:
    log = run(foreign_protocol(), tmp_path, "none", {"judge": [A, A, D]}, limit=LIMIT)
    found = REPORT(logged(log))
    (row,) = table("arms", found).frame.to_dict("records")
    assert row["Condition"] == "elsewhere/relay"
    assert row["Kind"] == "Judge without speeches"
    (accuracy, *_) = table("accuracy", found).frame.to_dict("records")
    in_log = metrics(log, "question_answering")
    assert accuracy["Accuracy"] == pytest.approx(in_log["accuracy"])
    judges = list(table("judges", found).frame["Judge"])
    assert sorted(judges) == sorted([A, f"{A} (2)", D])
    assert all(laid_out(one).bodies[0].rows for one in found.tables())


def test_epochs_and_answers_without_a_judge(tmp_path: Path) -> None:
    log = ran(tmp_path, "ensemble", PAIR, epochs=2)
    found = REPORT(logged(log))
    (arm, *_) = table("accuracy", found).frame.to_dict("records")
    in_log = metrics(log, "question_answering")
    assert arm["Accuracy low"] == pytest.approx(in_log["accuracy_low"])
    texts = {section.title: section.text for section in found.sections}
    assert texts["Judges"] == "No condition has verdicts."
    assert texts["Debates and quotes"] == "No condition has speeches."
    assert "protocol=judge_alone" in texts["Paired comparisons"]


def test_without_a_score_there_is_no_report(tmp_path: Path) -> None:
    log = run(
        foreign_protocol(), tmp_path, "none", {"judge": A}, limit=2, token_limit=1
    )
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(logged(log))


def test_the_command_writes_it(tmp_path: Path) -> None:
    log = str(logged(logs()["panel"]))
    done = CliRunner().invoke(
        main, ["report", "debate", log, "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Debates over questions" in page
    matrix = tmp_path / "out" / "tables" / "judge_matrix_1.csv"
    with matrix.open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == LIMIT
