"""Tables of which a page shows only the first rows."""

from dataclasses import replace

import pandas as pd
import pytest

from inspect_debate.reports.elements import Cell, Report, Section, Table
from inspect_debate.reports.report import html_page, markdown_table
from inspect_debate.reports.tables import csv_text, laid_out

LONG = Table(
    name="long",
    title="Long",
    frame=pd.DataFrame({"Group": list("aabb"), "Value": [1, 2, 3, 4.5]}),
    groups="Group",
    marks={Cell(0): "early", Cell(3): "late"},
    first=3,
)
REST = "The first 3 of 4 rows; tables/long.csv has all."


def test_only_the_first_rows_are_shown() -> None:
    layout = laid_out(LONG)
    shown = [[cell.text for (cell,) in body.rows] for body in layout.bodies]
    assert shown == [["1.00", "2.00"], ["3.00"]]
    assert layout.footnotes == [("a", "early")]
    assert layout.rest == REST
    assert REST in markdown_table(LONG)
    page = html_page(
        Report("Title", "Study", sections=[Section("One", "", [LONG])]), {}
    )
    assert REST in page
    assert "4.50" not in page


def test_the_file_has_all() -> None:
    assert csv_text(LONG).splitlines()[-1] == "b,4.5,late"


def test_a_table_that_is_short_enough_is_whole() -> None:
    for table in (replace(LONG, first=4), replace(LONG, first=None)):
        layout = laid_out(table)
        assert sum(len(body.rows) for body in layout.bodies) == 4
        assert layout.rest == ""
        assert [text for _, text in layout.footnotes] == ["early", "late"]


def test_hidden_columns_are_in_the_file_alone() -> None:
    hidden = LONG.frame.assign(Exact=0.25)
    table = replace(LONG, frame=hidden, hidden=["Exact"])
    assert list(laid_out(table).labels) == ["Value"]
    assert csv_text(table).startswith("group,value,exact,marks\na,1.0,0.25,early\n")
    with pytest.raises(ValueError, match="does not show 'Other'"):
        laid_out(replace(LONG, hidden=["Other"]))


def test_a_folded_table_is_opened_by_its_title() -> None:
    page = html_page(
        Report(
            "Title",
            "Study",
            sections=[Section("One", "", [replace(LONG, folded=True)])],
        ),
        {},
    )
    assert "<summary>Table 1. Long</summary>" in page
