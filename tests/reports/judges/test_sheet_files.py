"""The table and the page: nothing that a debater wrote does anything in them."""

import base64
import csv
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import pytest

from inspect_debate.debate.quotes import Passage
from inspect_debate.reports.judges.sheet import (
    COLUMNS,
    LONGEST_CELL,
    Entry,
    csv_sheet,
    guarded,
    html_sheet,
    too_long,
    unguarded,
)
from inspect_debate.reports.judges.sheet_text import Shown, Speech

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- \n"
    "</textarea></q></div></form><a href='javascript:alert(1)'>x</a>{{ 7 }} &amp;\u2028"
)


def entry(text: str, code: str = "BCDFG", quote: bool = False) -> Entry:
    passage = Passage(text, "verified" if quote else None)
    speeches = (Speech(text, (passage,)),)
    return Entry(code, Shown(text, (text, text), text, speeches))


class Elements(HTMLParser):
    """The elements of a page with their attributes, and all of its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("quote", [True, False])
def test_hostile_text_stays_text(quote: bool) -> None:
    plain = Elements(html_sheet([entry("x", quote=quote)], "s"))
    attacked = Elements(html_sheet([entry(HOSTILE, quote=quote)], "s"))
    assert [tag for tag, _ in attacked.tags] == [tag for tag, _ in plain.tags]
    # Question, two answers, note, heading and speech.
    assert "".join(attacked.words).count(HOSTILE) == 6


def test_the_page_holds_the_table_that_it_gives_back() -> None:
    page = html_sheet([entry(HOSTILE), entry("=1+1", "GFDCB")], "the sheet")
    (data,) = re.findall(
        r'<script type="application/json" id="sheet">(.*)</script>', page
    )
    assert json.loads(data) == {
        "sheet": "the sheet",
        "columns": list(COLUMNS),
        "rows": [entry(HOSTILE).cells(), entry("=1+1", "GFDCB").cells()],
    }


def test_the_page_asks_for_nothing_and_runs_its_own_script_alone() -> None:
    page = html_sheet([entry("x")], "s")
    found = Elements(page)
    for _, attributes in found.tags:
        assert not {"src", "srcset", "action", "onclick", "onerror"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    assert "http:" not in page
    (policy,) = (
        str(a["content"])
        for _, a in found.tags
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy


def test_every_debate_can_be_filled_in() -> None:
    codes = ["BCDFG", "GFDCB"]
    found = Elements(html_sheet([entry("x", code) for code in codes], "s"))
    names = [a["name"] for tag, a in found.tags if tag in ("input", "textarea")]
    verdicts = [
        (a["name"], a["value"]) for _, a in found.tags if a.get("type") == "radio"
    ]
    for code in codes:
        assert f"confidence-{code}" in names
        assert f"comment-{code}" in names
        given = [value for name, value in verdicts if name == f"verdict-{code}"]
        assert given == ["X", "Y", ""]
    assert "judge" in names


def test_the_table_has_a_row_per_debate() -> None:
    text = csv_sheet([entry(HOSTILE), entry('a "b", c\n;d', "GFDCB")])
    assert text.startswith("\ufeffcode,")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["code"] for row in rows] == ["BCDFG", "GFDCB"]
    assert rows[0]["question"] == HOSTILE
    assert rows[1]["answer_X"] == 'a "b", c\n;d'
    assert {row[name] for row in rows for name in COLUMNS[-3:]} == {""}


@pytest.mark.parametrize(
    "cell",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "＝1+1"),
        *("\u00a0=1", "\tx", "-", '=HYPERLINK("http://x";"y")', "=cmd|' /C calc'!A0"),
    ],
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert guarded(cell) == f"'{cell}"
    assert unguarded(guarded(cell)) == cell
    for row in csv.reader(io.StringIO(csv_sheet([entry(cell)]), newline="")):
        assert not any(re.match(r"\s*[=+\-@＝＋－＠]|[\t\r]", text) for text in row)


@pytest.mark.parametrize("cell", ["", "x = 1", "'x", "''", "1-2", "a\n=b"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guarded(cell) == unguarded(cell) == cell


def test_the_script_guards_what_python_guards() -> None:
    page = html_sheet([entry("x")], "s")
    assert r"/^(?:\s*[=+\-@＝＋－＠]|[\t\r])/.test(text)" in page


def test_cells_that_excel_would_cut() -> None:
    fits, cut = entry("x" * LONGEST_CELL), entry("x" * (LONGEST_CELL + 1), "GFDCB")
    small = entry("x")
    assert list(too_long([small, cut])) == ["GFDCB"]
    # The debate's heading and note are in the cell, too.
    assert list(too_long([fits])) == ["BCDFG"]
