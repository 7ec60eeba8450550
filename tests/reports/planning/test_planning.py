"""Estimates: wall times, and the notices beside the numbers."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from inspect_debate.datasets.realmistake import realmistake
from inspect_debate.evals.colmad import colmad
from inspect_debate.evals.srdcr import srdcr
from inspect_debate.reports.logs import open_logs
from inspect_debate.reports.planning import Pace, Planned, estimate_report, minutes
from inspect_debate.reports.prediction import lengths, predict, spent
from inspect_debate.reports.report import Report
from tests.reports.made_logs import failing, panel, single
from tests.support.models import scripted
from tests.support.runs import run


@pytest.mark.parametrize(
    ("calls", "depth", "connections", "expected"),
    [
        # 600 calls of 2 s on 10 connections: 120 s, and a last sample of 4 calls.
        ([600], 4, 10, (120, 128)),
        # Each model has its own connections; at worst they wait for each other.
        ([600, 300], 4, 10, (120, 188)),
        # One sample alone takes its depth, whatever the connections.
        ([7], 4, 100, (8, 8.14)),
    ],
)
def test_bounds_of_the_wall_time(
    calls: list[float], depth: int, connections: int, expected: tuple[float, float]
) -> None:
    took = minutes(calls, depth, seconds=2, connections=connections)
    assert [60 * took.low, 60 * took.high] == pytest.approx(expected)


# What an estimate says beside its numbers.


SIZES = lengths(list(realmistake("sample", "all", "gpt4", 0)))


def report(rehearsal: Path, actual: Path | None = None, sizes: Any = SIZES) -> Report:
    shown = spent(open_logs(rehearsal))
    prediction = predict(shown, sizes, 1)
    planned = Planned("task", len(sizes), 1)
    ended = open_logs(actual) if actual else ()
    return estimate_report(planned, prediction, shown, Pace(2.0, 10), ended)


def notices(made: Report) -> list[str]:
    return [notice.text for notice in made.notices]


def test_a_whole_rehearsal_has_no_notice() -> None:
    assert notices(report(panel())) == []


def test_samples_that_were_left_out_are_counted() -> None:
    texts = notices(report(failing()))
    assert "2 samples of the rehearsal have no complete debate" in texts[0]
    assert re.search(r"No price is known of \w+/\w+; give --prices FILE", texts[1])


def test_without_a_debate_its_cost_is_not_known(tmp_path: Path) -> None:
    model = scripted(
        lambda messages, description: "The model response contains an error."
    )
    run(colmad(source="sample"), tmp_path, model, limit=2)
    made = report(tmp_path)
    assert any("No item of the rehearsal was debated" in text for text in notices(made))
    tables = {table.name: table.frame for table in made.tables()}
    rows = tables["run"].to_dict("records")
    known = {row["samples debated"] == 0: row["calls"] for row in rows}
    assert known[True] == 42
    assert math.isnan(known[False])


def test_turns_that_differ_for_no_known_reason_give_a_warning(tmp_path: Path) -> None:
    task = srdcr(protocol="naive_debate", source="sample")
    run(task, tmp_path, "simulated/coin", limit=6)
    sizes = lengths(list(task.dataset))
    texts = notices(report(tmp_path, sizes=sizes))
    assert any(re.search(r"took \d+ to \d+ turns each \(debated\)", t) for t in texts)


def test_a_run_of_another_size_has_a_notice() -> None:
    texts = notices(report(single(), actual=single()))
    assert texts == ["The run has 4 complete debates, and not 21 as estimated."]


@pytest.mark.parametrize(("log", "row"), [(single, False), (panel, True)])
def test_the_power_of_what_was_seen(log: Any, row: bool) -> None:
    made = report(log())
    [power] = [table for table in made.tables() if table.name == "power"]
    seen = [text for text in power.frame.get("in the rehearsal", []) if text]
    assert len(seen) == row
    assert power.frame["only one condition right, %"].is_monotonic_increasing
