"""The whole report on short runs: its numbers are those of the logs."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.v1.debate.errors import InputError
from inspect_debate.v1.reports.debate import REPORT
from inspect_debate.v1.reports.elements import Notice, Report, Section, Table
from tests.v1.reports.debate.made_runs import (
    LIMIT,
    A,
    foreign_protocol,
    logs,
)
from tests.v1.reports.made_logs import logged
from tests.v1.support.runs import run

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


def test_without_a_score_there_is_no_report(tmp_path: Path) -> None:
    log = run(
        foreign_protocol(), tmp_path, "none", {"judge": A}, limit=2, token_limit=1
    )
    with pytest.raises(InputError, match="No sample of these logs was scored"):
        REPORT(logged(log))
