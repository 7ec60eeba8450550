"""Reports as pages, Markdown and CSV."""

import csv
import math
import re
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib.figure
import numpy as np
import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports.drawing import svg_text
from inspect_debate.reports.elements import (
    COUNT,
    NUMBER,
    P_VALUE,
    PERCENT,
    POINTS,
    Cell,
    Figure,
    Format,
    Link,
    Main,
    Notice,
    Report,
    Section,
    Table,
    interval_text,
)
from inspect_debate.reports.report import (
    escaped,
    html_page,
    markdown_report,
    markdown_table,
    write_report,
)
from inspect_debate.reports.tables import csv_text, laid_out
from tests.reports.made_report import (
    HOSTILE,
    SHARES,
    TWO_LEVELS,
    Page,
    example,
    shares,
    two_levels,
)

NAN = float("nan")


@pytest.fixture(scope="module")
def report() -> Report:
    return example()


@pytest.fixture(scope="module")
def written(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("written") / "new" / "report"
    write_report(report, out)
    return out


def rows(table: Table) -> list[list[str]]:
    """The lines of a table in Markdown, cut into cells."""
    lines = [line for line in markdown_table(table).splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]


def page(*items: Table) -> str:
    return html_page(Report("R", "S", sections=[Section("T", items=items)]), {})


@pytest.mark.parametrize(
    ("format", "value", "shown"),
    [
        (PERCENT, 0.7123, "71.2"),
        (PERCENT, 1, "100.0"),
        (POINTS, 0.0312, "+3.1"),
        (POINTS, -0.0312, "−3.1"),
        (POINTS, -0.00001, "0.0"),
        (COUNT, 12345, "12,345"),
        (COUNT, np.int64(7), "7"),
        (NUMBER, np.float32(0.5), "0.50"),
        (P_VALUE, 0.0004, "<0.001"),
        (P_VALUE, 0.0, "<0.001"),
        (P_VALUE, 0.001, "0.001"),
        (P_VALUE, 0.25, "0.250"),
        (P_VALUE, NAN, "–"),
        (NUMBER, NAN, "–"),
        (NUMBER, np.float64("nan"), "–"),
        (NUMBER, None, "–"),
        (NUMBER, pd.NA, "–"),
        (NUMBER, pd.NaT, "–"),
        (NUMBER, "nan", "nan"),
        (NUMBER, float("-inf"), "−∞"),
        (NUMBER, True, "yes"),
        (NUMBER, np.False_, "no"),
        (NUMBER, "a name", "a name"),
    ],
)
def test_values_are_shown_as_readers_expect(
    format: Format, value: object, shown: str
) -> None:
    assert format(value) == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(0.65, 0.769, "[65.0, 76.9]"), (NAN, 0.769, "[–, 76.9]"), (NAN, NAN, "")],
)
def test_intervals_invent_no_end(low: float, high: float, shown: str) -> None:
    assert interval_text(PERCENT, low, high) == shown


def test_every_file_is_written(written: Path) -> None:
    there = {file for file in written.rglob("*") if file.is_file()}
    figures = ["bars", "lines", "matrix", "forest"]
    assert {str(file.relative_to(written)) for file in there} == {
        "report.html",
        "report.md",
        *(
            f"tables/{name}.{end}"
            for name in ("shares", "two")
            for end in ("csv", "md", "tex")
        ),
        *(f"figures/{name}.{end}" for name in figures for end in ("svg", "pdf")),
    }
    assert all(file.stat().st_size for file in there)


def test_only_its_own_files_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    (tmp_path / "report.md").write_text("old")
    write_report(Report("New", "A study"), tmp_path)
    assert (tmp_path / "tables" / "mine.csv").read_text() == "mine"
    assert (tmp_path / "report.md").read_text() == "# New\n\nA study\n"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError, match="is a file; give a folder"):
        write_report(Report("R", "S"), tmp_path / "out")


def test_a_faulty_table_leaves_nothing(tmp_path: Path) -> None:
    faulty = Report("R", "S", sections=[Section("T", items=[shares(groups="no")])])
    with pytest.raises(ValueError, match="does not show 'no'"):
        write_report(faulty, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_same_report_gives_the_same_files(
    report: Report, written: Path, tmp_path: Path
) -> None:
    files = write_report(report, tmp_path)
    assert files[0] == tmp_path / "report.html"
    assert set(files) == {file for file in tmp_path.rglob("*") if file.is_file()}
    for file in files:
        same = written / file.relative_to(str(tmp_path))
        assert file.read_bytes() == same.read_bytes(), file.name


@pytest.mark.slow
def test_another_process_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from tests.reports.made_report import example;"
        "from inspect_debate.reports.report import write_report;"
        "write_report(example(), Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        env={"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "0"},
        check=True,
    )
    for file in written.rglob("*.*"):
        same = tmp_path / file.relative_to(written)
        assert file.read_bytes() == same.read_bytes(), file.name


def test_the_page_fetches_nothing(written: Path) -> None:
    source = (written / "report.html").read_text()
    shown = Page(source)
    assert not {"script", "link", "img", "iframe", "object"} & set(shown.tags)
    links = shown.values("href", "xlink:href", "src", "srcset", "data", "action")
    assert any(link.startswith("#section-") for link in links)
    allowed = r"#|tables/|figures/|data:image/png;"
    assert [link for link in links if not re.match(allowed, link)] == []
    assert "@import" not in source
    assert re.findall(r"url\((?!#)", source) == []


def test_the_links_of_a_page_lead_somewhere(written: Path) -> None:
    source = (written / "report.html").read_text()
    shown = Page(source)
    names = shown.values("id")
    assert len(names) == len(set(names))
    links = [*shown.values("href", "xlink:href"), *re.findall(r"url\((#[^)]+)", source)]
    within = {link[1:] for link in links if link.startswith("#")}
    assert within <= set(names)
    assert {"section-1", "section-2", "shares", "two", "bars", "forest"} <= within
    files = [link for link in links if link.startswith(("tables/", "figures/"))]
    assert len(files) == 8
    assert all((written / file).is_file() for file in files)


@pytest.mark.parametrize("name", ["bars", "lines", "matrix", "forest"])
def test_a_drawing_has_no_date_and_no_host(written: Path, name: str) -> None:
    svg = (written / "figures" / f"{name}.svg").read_text()
    elements = ElementTree.fromstring(svg).iter()
    assert not [
        value
        for element in elements
        for value in element.attrib.values()
        if "//" in value
    ]
    assert "<metadata" not in svg
    assert b"CreationDate" not in (written / "figures" / f"{name}.pdf").read_bytes()


def test_hostile_names_are_text(written: Path) -> None:
    shown = Page((written / "report.html").read_text())
    assert "script" not in shown.tags
    # Title, heading, notice, two tables, two mentions of the section and its text.
    assert shown.text.count(HOSTILE) >= 8
    assert any(HOSTILE in value for value in shown.values("aria-label"))


@pytest.mark.parametrize("name", ["report.md", "tables/shares.md", "tables/two.md"])
def test_markdown_holds_no_markup_of_others(written: Path, name: str) -> None:
    text = re.sub(r"`[^`\n]*(?<!\\)`", "", (written / name).read_text())
    assert re.findall(r"(?<!\\)<", text) == []
    assert r"\<script" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gpt_4o_mini 87.1 +1.5 -3", "gpt_4o_mini 87.1 +1.5 -3"),
        ("_a_ *b* `c`", r"\_a\_ \*b\* \`c\`"),
        ("[a](b) | c", r"\[a\](b) \| c"),
        ("<b>&lt;", r"\<b\>\&lt;"),
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("12. a", r"12\. a"),
        ("---", r"--\-"),
        ("a\n# b", "a # b"),
    ],
)
def test_text_is_escaped_for_markdown(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_csv_gives_every_number_back() -> None:
    lines = list(csv.DictReader(StringIO(csv_text(shares()))))
    assert list(lines[0]) == ["model", "f1", "f1_low", "f1_high", "items"]
    assert [line["model"] for line in lines] == SHARES["model"].tolist()
    assert [line["items"] for line in lines] == ["1400", "7", "0"]
    for name, column in [("f1", "F1"), ("f1_low", "F1 low"), ("f1_high", "F1 high")]:
        numbers = [float(line[name]) for line in lines[:2]]
        assert numbers == SHARES[column].tolist()[:2]
        assert lines[2][name] == ""


def test_csv_has_the_marks() -> None:
    marks = {Cell(0): "odd", Cell(0, "F1"): "impossible", Cell(2, "items"): "few"}
    back = pd.read_csv(StringIO(csv_text(shares(marks=marks))))
    assert back["marks"].fillna("").tolist() == [
        "odd; F1: impossible",
        "",
        "items: few",
    ]


@pytest.mark.parametrize("names", [["F1", "f1"], ["F 1", "F-1"], ["a", "a"]])
def test_columns_of_one_name_in_a_file_are_refused(names: list[str]) -> None:
    table = shares(frame=pd.DataFrame([[1, 2]], columns=names), formats={})
    with pytest.raises(ValueError, match="must differ"):
        csv_text(table)


def test_a_table_in_markdown() -> None:
    header, _, one, two, three = rows(shares())
    assert header == ["model", "F1", "items"]
    assert one == ["one", "30.0 [25.0, 35.0]", "1,400"]
    assert two[-2:] == ["66.7 [60.0, 73.3]", "7"]
    assert three == ["three", "–", "0"]


def test_a_table_on_the_page() -> None:
    source = page(shares())
    body = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        for row in re.findall(r"<tr>(.*?)</tr>", source, re.DOTALL)
    ]
    plain = [[re.sub(r"<[^>]+>|\n", "", cell) for cell in row] for row in body]
    assert plain[0] == ["model", "F1", "items"]
    assert plain[1] == ["one", "30.0 [25.0, 35.0]", "1,400"]
    assert plain[3] == ["three", "–", "0"]


def test_two_levels_in_markdown_and_csv() -> None:
    header, _, one, two = rows(two_levels())
    assert header == ["model", "math F1", "fact F1"]
    assert one == ["one", "50.0 [40.0, 60.0]", "0.25"]
    assert two[1:] == ["– [10.0, 20.0]", "0.33"]
    names = csv_text(two_levels()).splitlines()[0]
    assert names == "model,math_f1,math_f1_low,math_f1_high,fact_f1"


def test_two_levels_on_the_page() -> None:
    columns = [("model", ""), ("math", "F1"), ("math", "F2"), ("fact", "F1")]
    frame = pd.DataFrame([["a", 1, 2, 3]], columns=pd.MultiIndex.from_tuples(columns))
    first, second = laid_out(shares(frame=frame, formats={})).headings
    assert [(head.text, head.columns, head.rows) for head in first] == [
        ("model", 1, 2),
        ("math", 2, 1),
        ("fact", 1, 1),
    ]
    assert [head.text for head in second] == ["F1", "F2", "F1"]
    source = page(shares(frame=frame, formats={}))
    assert re.search(r'<th [^>]*colspan="2"[^>]*>math</th>', source)
    assert re.search(r'<th [^>]*rowspan="2"[^>]*>model</th>', source)


def test_named_levels_of_the_index_are_columns() -> None:
    table = shares(frame=SHARES.set_index("model"))
    assert rows(table) == rows(shares())
    assert csv_text(table) == csv_text(shares())
    wide = two_levels(frame=TWO_LEVELS.set_index(("model", "")).rename_axis("model"))
    assert csv_text(wide) == csv_text(two_levels())


def test_groups_head_their_rows() -> None:
    frame = pd.DataFrame({"task": ["math", "math", "fact"], "F1": [0.1, 0.2, 0.3]})
    table = shares(frame=frame, groups="task")
    assert [
        (body.heading, [row[0].text for row in body.rows])
        for body in laid_out(table).bodies
    ] == [("math", ["10.0", "20.0"]), ("fact", ["30.0"])]
    assert page(table).count('scope="rowgroup"') == 2
    assert rows(table)[0] == ["task", "F1"]
    assert rows(table)[3:] == [["math", "20.0"], ["fact", "30.0"]]


def test_marks_are_footnotes_in_the_order_of_rows() -> None:
    marks = {Cell(2): "late", Cell(0, "F1"): "odd", Cell(1, "items"): "late"}
    table = shares(marks=marks)
    text = markdown_table(table)
    assert [row[1:] for row in rows(table)[2:]] == [
        ["30.0 [25.0, 35.0] (a)", "1,400"],
        ["66.7 [60.0, 73.3]", "7 (b)"],
        ["–", "0"],
    ]
    assert rows(table)[4][0] == "three (b)"
    assert text.endswith("(a) odd\n\n(b) late\n")
    source = page(table)
    assert len(re.findall(r'class="[^"]*\bmarked"', source)) == 5
    assert "<sup>b</sup> late" in source


def test_emphasis_is_bold() -> None:
    table = shares(emphasis={Cell(0, "F1"), Cell(2)})
    assert rows(table)[2] == ["one", "**30.0** [25.0, 35.0]", "1,400"]
    assert rows(table)[4] == ["**three**", "**–**", "**0**"]
    assert len(re.findall(r'class="[^"]*\bstrong', page(table))) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"formats": {"F3": PERCENT}},
        {"groups": "F3"},
        {"marks": {Cell(3): "x"}},
        {"marks": {Cell(-1): "x"}},
        {"marks": {Cell(0, "F1 low"): "x"}},
        {"emphasis": [Cell(0, "F3")]},
    ],
)
def test_places_that_a_table_does_not_have_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="does not show"):
        laid_out(shares(**change))


def test_an_empty_table_keeps_its_header() -> None:
    table = shares(frame=SHARES.iloc[:0])
    assert rows(table)[0] == ["model", "F1", "items"]
    assert "<th" in page(table)


@pytest.mark.parametrize(
    "of",
    [
        {"formats": {"F1": PERCENT}, "groups": "model"},
        {"formats": {("math", "F1"): PERCENT}, "groups": ("model", "")},
        {},
    ],
)
def test_a_table_without_rows_or_columns_breaks_no_report(
    of: dict[str, Any], tmp_path: Path
) -> None:
    table = Table("none", "Nothing", pd.DataFrame([]), **of)
    write_report(Report("R", "S", sections=[Section("A", items=[table])]), tmp_path)
    for file in ("report.html", "report.md", "tables/none.md", "tables/none.tex"):
        assert "these logs hold nothing" in (tmp_path / file).read_text()
    header = (tmp_path / "tables/none.csv").read_text().strip()
    expected = [
        " ".join(c).strip() if isinstance(c, tuple) else c for c in table.formats
    ]
    assert all(name.lower().replace(" ", "_") in header for name in expected)


@pytest.mark.parametrize("name", ["", "F1", "a b", "../a", "a.b", "é", "a\n"])
def test_names_that_are_no_file_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name of a file"):
        shares(name=name)


def test_names_are_given_once() -> None:
    sections = [Section("A", items=[shares()]), Section("B", items=[shares()])]
    with pytest.raises(ValueError, match=r"twice: \['shares'\]"):
        Report("R", "S", sections=sections)


def test_what_must_be_read_first_stands_first() -> None:
    report = Report("R", "S", "The summary.", [Notice("Mind this.")])
    for text in (html_page(report, {}), markdown_report(report)):
        assert 0 < text.index("Mind this.") < text.index("The summary.")
    assert "> **Warning.**\n>\n> Mind this." in markdown_report(report)
    assert 'class="notice warning"' in html_page(report, {})


def test_texts_have_paragraphs_lists_and_code() -> None:
    text = "One `a<b`\nline.\n\n- first\n  goes on\n- *second*\n\nA lone ` mark."
    report = Report("R", "S", text)
    source = html_page(report, {})
    for part in (
        "<p>One <code><span>a&lt;b</span></code> line.</p>",
        "<li>first goes on</li>",
        "<li>*second*</li>",
        "<p>A lone ` mark.</p>",
    ):
        assert part in source
    assert markdown_report(report).endswith(
        "\n\nOne `a<b` line.\n\n- first goes on\n- \\*second\\*\n\nA lone \\` mark.\n"
    )


def test_tables_and_figures_are_numbered_alike_in_both_forms(written: Path) -> None:
    source, text = (
        (written / name).read_text() for name in ("report.html", "report.md")
    )
    for number, title in [
        ("Table 2", "Two levels"),
        ("Figure 4", "A figure of forest"),
    ]:
        assert f"{number}.</b> {title}" in source
        assert f"**{number}. {title}.**" in text
    assert "](figures/forest.svg)" in text


def test_only_wide_tables_have_smaller_letters_on_paper() -> None:
    columns = {f"Share of column {n}": [0.123456] for n in range(30)}
    wide = Table("wide", "Wide", pd.DataFrame({"name": ["a name"], **columns}))
    prose = Table("prose", "Prose", pd.DataFrame({"says": ["a word " * 40], "n": [1]}))
    shown = page(wide, prose)
    assert '<figure id="wide" class="table wide">' in shown
    assert '<figure id="prose" class="table">' in shown


# Tables of which a page shows only the first rows.


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


# Cells that lead somewhere.


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


# What a report begins with: the main result, its figure, then warnings.


GAIN = Main(
    *("pairs", "Gain", "n"), "{A} beats {B} by {value}.", POINTS, " points", "debates"
)
SHARE = Main("shares", "Right", "n", "{A} is right in {value}.", PERCENT, " %")


def pairs(gain: float, low: float, high: float, n: int) -> Table:
    row = {"A": "x<b>", "B": "y", "Gain": gain, "n": n}
    frame = pd.DataFrame([row | {"Gain low": low, "Gain high": high}])
    return Table(name="pairs", title="Pairs", frame=frame)


def right_shares() -> Table:
    row = {"A": "x", "Right": 0.5, "Right low": 0.25, "Right high": 0.75, "n": 1}
    return Table(name="shares", title="Shares", frame=pd.DataFrame([row]))


def about(*tables: Table, main: tuple[Main, ...] = (GAIN, SHARE)) -> Report:
    drawn = matplotlib.figure.Figure()
    figures = [
        Figure(name=name, title=name, figure=drawn, alt=name)
        for name in ("first", "second")
    ]
    return Report(
        title="A study",
        study="of something",
        summary="What was run.",
        notices=[Notice("Beware."), Notice("By the way.", "info")],
        sections=[Section("Numbers", "", [*tables, *figures])],
        main=main,
        figure=("none", "second"),
    )


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            pairs(0.125, -0.05, 0.3, 1200),
            "x<b> beats y by +12.5 points (95 % interval −5.0 to 30.0; 1,200 debates).",
        ),
        (
            pairs(-0.5, -math.inf, math.inf, 1),
            "x<b> beats y by −50.0 points (too few for an interval; 1 debate).",
        ),
        (
            pairs(0, math.nan, math.nan, 2),
            "x<b> beats y by 0.0 points (too few for an interval; 2 debates).",
        ),
        (
            right_shares(),
            "x is right in 50.0 % (95 % interval 25.0 to 75.0; 1 sample).",
        ),
    ],
)
def test_the_main_result_in_a_sentence(table: Table, sentence: str) -> None:
    assert about(table).headline == sentence


def test_the_first_table_that_is_there_has_it() -> None:
    assert about(right_shares(), pairs(0.1, 0, 0.2, 3)).headline.startswith(
        "x<b> beats y"
    )
    assert about(main=()).headline == about().headline == ""


def test_a_row_that_is_meant_goes_first() -> None:
    frame = pd.concat([pairs(0.1, 0, 0.2, 3).frame, pairs(0.2, 0, 0.3, 3).frame])
    table = Table(name="pairs", title="Pairs", frame=frame.assign(A=["other", "ours"]))
    assert about(table, main=(GAIN._replace(where=("A", "ou")),)).headline == (
        "ours beats y by +20.0 points (95 % interval 0.0 to 30.0; 3 debates)."
    )
    assert about(table, main=(GAIN._replace(where=("A", "no")),)).headline == (
        "other beats y by +10.0 points (95 % interval 0.0 to 20.0; 3 debates)."
    )


def test_a_value_less_a_fixed_baseline() -> None:
    less = GAIN._replace(baseline=0.05)
    assert about(pairs(0.1, 0.02, 0.2, 3), main=(less,)).headline == (
        "x<b> beats y by +5.0 points (95 % interval −3.0 to 15.0; 3 debates)."
    )


def test_without_a_value_the_next_table_has_it() -> None:
    unread = pairs(math.nan, math.nan, math.nan, 0)
    assert about(unread, right_shares()).headline.startswith("x is right")
    without = Table(name="pairs", title="Pairs", frame=unread.frame[["A", "B", "n"]])
    assert about(without, right_shares()).headline.startswith("x is right")


def test_a_table_without_intervals_has_a_value() -> None:
    table = Table(name="pairs", title="", frame=pairs(0.1, 0, 0, 3).frame.iloc[:, :4])
    assert about(table).headline.endswith("(too few for an interval; 3 debates).")


def test_an_empty_table_has_no_result() -> None:
    empty = Table(name="pairs", title="Pairs", frame=pairs(0, 0, 0, 1).frame.iloc[:0])
    assert about(empty).headline == ""


def test_the_page_has_it_first_and_the_figure_once() -> None:
    made = about(pairs(0.125, -0.05, 0.3, 12))
    svgs = {part.name: svg_text(part.figure) for part in made.figures()}
    page = html_page(made, svgs)
    places = [
        page.index(text)
        for text in (
            "x&lt;b&gt; beats y by +12.5 points",
            'id="second"',
            "Beware.",
            "What was run.",
            "1 note on these runs",
            "By the way.",
            "<summary>Contents",
            'id="section-1"',
            'id="first"',
            '<a href="#second">Figure 2</a> is at the top',
        )
    ]
    assert places == sorted(places)
    assert page.count('id="second"') == page.count('id="first"') == 1


def test_markdown_has_it_first() -> None:
    lines = markdown_report(about(pairs(0.125, -0.05, 0.3, 12))).splitlines()
    assert lines[4].startswith("**x\\<b\\> beats y by +12.5 points (95 % interval")
