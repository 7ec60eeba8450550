"""The whole report, of small runs of simulated models."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd
import pytest
from inspect_ai.log import EvalLog

from inspect_debate.evals.generative import VERSION as OF_THE_TASK
from inspect_debate.evals.generative import generative
from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.elements import Notice, Report, Section, Table
from inspect_debate.v1.reports.frames import scores_df
from inspect_debate.v1.reports.generative.report import COMMAND, REPORT
from inspect_debate.v1.reports.generative.rows import (
    DEFAULTS,
    VERSIONS,
    conditions,
    items_of,
    read_scores,
)
from inspect_debate.v1.reports.logs import study_logs
from inspect_debate.v1.reports.tables import laid_out
from tests.v1.reports.generative.made import only_row as row
from tests.v1.reports.made_logs import changed, logged
from tests.v1.support.code_runs import UNSAFE, graded, gradings, run_on_code
from tests.v1.support.runs import run

DEBATER, JUDGE = "simulated/balanced", "simulated/first_speaker"
FAMILY = f"{DEBATER} > {JUDGE}"


def ran(folder: Path, protocol: Any, limit: int = 4, **given: Any) -> EvalLog:
    task = generative(protocol, source="sample", **given)
    roles = {"judge": JUDGE}
    return run(task, folder, DEBATER, roles, limit=limit)


@cache
def logs() -> dict[str, EvalLog]:
    folder = Path(mkdtemp())
    first = ran(folder, "dual_debate", judge_answer=True)
    reused: dict[str, Any] = {"reuse": str(logged(first))}
    return {
        "dual_debate": first,
        "single_debate": ran(folder, "single_debate", **reused),
        "dual_consultancy": ran(folder, "dual_consultancy", **reused),
        "best": ran(folder, "dual_consultancy", best_of=2, rounds=1, **reused),
        "silent": ran(folder, "dual_debate", rounds=0, **reused),
        "fresh": ran(folder, "single_consultancy", answers="fresh"),
        "direct_qa": ran(folder, "direct_qa"),
    }


TITLES = {
    "dual_debate": "Dual debate, judge_answer=true",
    "single_debate": "Single debate",
    "dual_consultancy": "Dual consultancy",
    "best": "Dual consultancy, best of 2, rounds=1",
    "silent": "Dual, no transcript, dual_debate rounds=0",
    "fresh": "Single consultancy, answers=fresh",
    "direct_qa": "Direct QA",
}


@cache
def report() -> Report:
    return REPORT(logged(logs()["dual_debate"]).parent)


def table(name: str) -> Table:
    (found,) = [table for table in report().tables() if table.name == name]
    return found


def section(title: str) -> Section:
    (found,) = [found for found in report().sections if found.title == title]
    return found


def notice(said: str) -> Notice:
    (found,) = [found for found in report().notices if said in found.text]
    return found


def test_items_say_what_a_run_was() -> None:
    opened = study_logs(logged(logs()["dual_debate"]).parent)
    items = items_of(conditions(read_scores(opened)))
    assert len(items) == 4 * len(TITLES)
    assert items.columns.is_unique
    by_log = items.drop_duplicates("log").set_index("log")
    for name, title in TITLES.items():
        found = by_log.loc[logged(logs()[name]).name]
        assert (found["title"], found["family"]) == (title, FAMILY)
        assert found["data"].startswith("sample ")
        assert (found["dataset"], found["version"]) == ("arc", "sample")
        assert found["question_id"] == found["id"]
        assert pd.isna(found["answer_id_a"]) == (name == "direct_qa")
    silent = by_log.loc[logged(logs()["silent"]).name]
    assert (silent["protocol"], silent["format"]) == (
        *("dual_debate", "dual_no_transcript"),
    )
    assert (silent["interaction"], silent["best_of"]) == ("none", 1)
    assert by_log["prompts"].nunique() == by_log["data"].nunique() == 1


def test_what_has_to_be_known_comes_first() -> None:
    assert notice("sample set shipped").level == "warning"
    assert FAMILY in notice("Not models of the study").text
    first = logged(logs()["dual_debate"]).name
    said = notice("used again").text
    again = ("single_debate", "dual_consultancy", "best", "silent")
    (line,) = (line for line in said.splitlines() if line.startswith("- "))
    source, _, titles = line.partition("`, in ")
    assert source == f"- `{first}"
    assert sorted(titles.split("; ")) == sorted(TITLES[name] for name in again)
    assert "different answers A" in notice("`answers=fresh`").text


def test_runs_can_be_repeated_and_answers_found() -> None:
    text = section("Provenance").text
    assert "`inspect eval inspect_debate/generative -T protocol=dual_debate" in text
    absent = text.partition("do not have:")[2]
    assert "-T protocol=single_no_transcript -T reuse=LOG --model M" in absent
    assert "protocol=direct_qa" not in absent
    assert "protocol=dual_no_transcript" not in absent
    shared = row(table("answer_sets"), Condition="Dual consultancy")
    assert (shared["Same A"], shared["Same A and B"]) == (4, 4)
    assert shared["Answers of"] == logged(logs()["dual_debate"]).name
    fresh = row(table("answer_sets"), Condition=TITLES["fresh"])
    assert fresh["Same A"] < 4
    found = row(table("runs"), Condition="Single debate")
    assert (found["Samples"], found["Models"], found["Status"]) == (
        4,
        f"{DEBATER}; judge: {JUDGE}",
        "success",
    )
    assert row(table("data"), Name="Source")["Value"] == "sample"


def test_what_names_leave_out_are_the_defaults_of_the_task() -> None:
    assert (DEFAULTS["rounds"], DEFAULTS["word_limit"]) == (2, 250)
    assert DEFAULTS["grading.seconds"] == 240
    assert VERSIONS[-1] == OF_THE_TASK


def test_logs_without_a_score_make_no_report(tmp_path: Path) -> None:
    task = generative("direct_qa", source="sample")
    run(task, tmp_path, DEBATER, limit=1, token_limit=1)
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(tmp_path)
    frame = scores_df(tmp_path)  # who would have taken part
    assert frame[["judge", "debater_a"]].iloc[0].tolist() == [DEBATER, None]


@pytest.mark.parametrize("name", TITLES)
def test_a_condition_alone_has_a_report(name: str) -> None:
    found = REPORT(logged(logs()[name]))
    assert all(laid_out(table).bodies[0].rows for table in found.tables())
    texts = {section.title: section.text for section in found.sections}
    assert f"{COMMAND} -T protocol=dual_" in texts["Debate against consultancy"]
    if name == "direct_qa":
        assert "None of these runs has answers" in texts["Verdicts by condition"]


def test_a_run_that_did_not_finish_is_taken_where_that_is_allowed(
    tmp_path: Path,
) -> None:
    log = changed(logged(logs()["single_debate"]), tmp_path, status="error")
    with pytest.raises(InputError, match="has status 'error'"):
        REPORT(log)
    assert REPORT(log, allow_partial=True).sections


def on_code(folder: Path, **settings: Any) -> EvalLog:
    return run_on_code(folder, limit=2, **UNSAFE, **settings)


def test_grids_beside_programs_have_one_name_for_each_condition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What grades programs names no condition, where all programs are graded alike."""
    gradings(monkeypatch, lambda problem, answer: graded("pass"))
    ran_on = [ran(tmp_path, "dual_debate", limit=2), on_code(tmp_path)]
    grouped = conditions(read_scores(study_logs([*map(logged, ran_on)], "generative")))
    assert len(grouped.overview) == 2
    assert {*grouped.frame["title"]} == {"Dual debate"}

    ran_on.append(on_code(tmp_path, **{"config.grading.seconds": 100}))
    grouped = conditions(read_scores(study_logs([*map(logged, ran_on)], "generative")))
    titles = (
        grouped.frame.drop_duplicates("condition")
        .groupby("dataset")["title"]
        .apply(set)
    )
    assert titles["arc"] == {"Dual debate"}
    assert len(titles["bcb_plus"]) == 2
    assert all("grader=" in title for title in titles["bcb_plus"])
