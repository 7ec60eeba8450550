"""Cells that lead somewhere."""

import pandas as pd

from inspect_debate.reports.report import (
    Link,
    Report,
    Section,
    Table,
    html_page,
    markdown_table,
)
from inspect_debate.reports.tables import csv_text
from tests.reports.made_report import HOSTILE, Page

TARGET = "http://127.0.0.1:7575/#/logs/a.eval/samples/sample/x%3Ay/1"
TABLE = Table(
    "cases",
    "Cases",
    pd.DataFrame({"where": [Link(HOSTILE, TARGET), "nowhere"], "n": [1, 2]}),
)


def test_a_page_has_the_link_and_its_text() -> None:
    page = Page(html_page(Report("R", "S", sections=[Section("T", items=[TABLE])]), {}))
    assert TARGET in page.values("href")
    assert HOSTILE in page.text
    assert "script" not in page.tags


def test_markdown_has_the_link() -> None:
    (line,) = (line for line in markdown_table(TABLE).splitlines() if TARGET in line)
    assert f"](<{TARGET}>)" in line
    assert "<script" not in line.replace("\\<", "")


def test_files_of_data_have_the_text() -> None:
    assert TARGET not in csv_text(TABLE)
    assert "nowhere" in csv_text(TABLE)
