"""Reports as plain text."""

from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.reports.compare.comparison import compare
from inspect_debate.reports.compare.report import comparison_report
from inspect_debate.reports.elements import PERCENT, Notice, Report, Section, Table
from inspect_debate.reports.tables import csv_text
from inspect_debate.reports.terminal import WIDTH, fitted, terminal_text
from tests.reports.compare.made import log, samples, two


def test_a_report_by_hand() -> None:
    frame = pd.DataFrame({"Condition": ["A", "B"], "Mean": [0.5, 0.25]})
    ends = {"Mean low": [0.4, 0.2], "Mean high": [0.6, 0.3]}
    table = Table(
        "t",
        "Means",
        frame.assign(**ends),
        note="In `percent`.",
        formats={"Mean": PERCENT},
    )
    report = Report(
        title="Two conditions",
        study="A study.",
        notices=[Notice("Take care."), Notice("By the way.", level="info")],
        sections=[Section("Results", "- one\n- two", [table])],
    )
    assert (
        terminal_text(report)
        == """\
Two conditions

A study.

Warning: Take care.

Note: By the way.

## Results

- one
- two

Means:

Condition                 Mean
-----------  -----------------
A            50.0 [40.0, 60.0]
B            25.0 [20.0, 30.0]

  In percent.
"""
    )


def test_groups_are_below_their_headings() -> None:
    frame = pd.DataFrame(
        {"Model": ["m", "m", "n"], "Field": ["a " * 60, "b", "c"], "Read": [1, 2, 3]}
    )
    report = Report(
        "R", "", sections=[Section("S", items=[Table("t", "T", frame, groups="Model")])]
    )
    lines = terminal_text(report).splitlines()
    rows = lines[lines.index("m") :]
    assert [line.split()[-1] for line in rows if line[-1:].isdigit()] == ["1", "2", "3"]
    assert rows[rows.index("n") - 2].startswith("b")
    assert rows[rows.index("n") + 1].startswith("c")


@pytest.mark.parametrize(
    ("longest", "widths"),
    [
        ((3, 5), [3, 5]),
        ((10, 88), [10, 88]),
        ((10, 200), [10, 88]),
        ((90, 200), [49, 49]),
        ((10, 60, 70), [10, 43, 43]),
    ],
)
def test_the_widest_columns_are_narrowed(
    longest: tuple[int, ...], widths: list[int]
) -> None:
    found = fitted([["x" * size for size in longest], ["y"] * len(longest)])
    assert found == widths
    assert sum(found) + 2 * (len(found) - 1) <= WIDTH


def test_no_line_is_too_long(tmp_path: Path) -> None:
    paths = [
        log(
            tmp_path,
            samples([float(n % (k + 2) > 0) for n in range(40)], tokens=10 * k + 1),
            model=f"provider/a-model-with-a-rather-long-name-{k}",
            name=f"2026-01-01T00-00-00-00-00_a-task-of-a-long-name_{k}" + "x" * 40,
            task_args={"template": "Answer at once and say nothing else. " * k},
        )
        for k in range(5)
    ]
    text = terminal_text(comparison_report(compare(paths, "match", margin=0.1)))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "E less D" in text
    assert "Confounds of each comparison" in text


def test_values_beyond_0_to_1_are_in_their_own_unit(tmp_path: Path) -> None:
    of = two(tmp_path, [100.0, 250.0, 130.0] * 10, [120.0, 300.0, 140.0] * 10)
    text = terminal_text(comparison_report(of))
    assert "B less A (m/two less m/one): +26.7 (95 % interval " in text
    assert "160.0 [" in text
    assert "+26.7 [" in text
    assert "percent" not in text
    assert "points" not in text


def test_files_of_data_hold_the_numbers_in_full(tmp_path: Path) -> None:
    of = two(tmp_path, [0.0, 1.0, 1.0] * 11, [1.0, 1.0, 1.0] * 11)
    tables = {table.name: table for table in comparison_report(of).tables()}
    header, line = csv_text(tables["comparisons"]).splitlines()
    assert header == (
        "compared,samples,difference,difference_low,difference_high,only_one_right,"
        "p,p_holm,test"
    )
    assert line.startswith("B less A (m/two less m/one),33,0.33333333333333")
    assert "11 : 0" in line
