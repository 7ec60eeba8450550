"""The whole report on short runs: its numbers are those of the logs."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.evals.debate import debate
from inspect_debate.reports.debate import REPORT, read
from inspect_debate.reports.elements import Notice, Report, Section, Table
from inspect_debate.reports.logs import study_logs
from inspect_debate.reports.tables import laid_out
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

CONDITIONS = {
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


def test_one_data_set_taken_in_two_ways_is_two() -> None:
    assert list(dict.fromkeys(table("accuracy").frame["Data"])) == [
        "sample candidates=all",
        "sample candidates=two",
    ]
    (alone,) = rows("accuracy", Condition="single")
    assert alone["Data"] == "sample candidates=all"
    assert alone["Chance"] == 0.25


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
    (reader,) = rows("conditions", Condition=CONDITIONS["reader"])
    assert (reader["Passage"], reader["Judge"]) == ("shown", A)


def test_a_protocol_of_another_package_has_all_of_it(tmp_path: Path) -> None:
    log = run(foreign_protocol(), tmp_path, "none", {"judge": [A, A, D]}, limit=LIMIT)
    found = REPORT(logged(log))
    (row,) = table("conditions", found).frame.to_dict("records")
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
    (condition, *_) = table("accuracy", found).frame.to_dict("records")
    in_log = metrics(log, "question_answering")
    assert condition["Accuracy low"] == pytest.approx(in_log["accuracy_low"])
    texts = {section.title: section.text for section in found.sections}
    assert texts["Judges"] == "No condition has verdicts."
    assert texts["Debates and quotes"] == "No condition has speeches."
    assert "protocol=judge_alone" in texts["Comparisons"]


def test_without_a_score_there_is_no_report(tmp_path: Path) -> None:
    log = run(
        foreign_protocol(), tmp_path, "none", {"judge": A}, limit=2, token_limit=1
    )
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(logged(log))
