import re
from html.parser import HTMLParser
from math import nan
from pathlib import Path

import pandas as pd
import pytest

from inspect_debate.debate.errors import InputError
from inspect_debate.reports import figures
from inspect_debate.reports.report import (
    Figure,
    Heading,
    Headline,
    Item,
    Notice,
    Table,
    write,
)
from inspect_debate.reports.stats import Measured, by, number, p_value

VOID = {"meta", "link", "br", "img", "hr", "input"}
ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=y>{{ 7 * 7 }}$x$"
CELLS = {
    "Condition": ["ColMAD", "Single"],
    "F1": [Measured(74.125, 60.0, 80.5), Measured(nan)],
    "p": [0.0004, 0.25],
    "Samples": [1200, 3],
}


class Page(HTMLParser):
    """Checks that every tag is closed in order, and collects ids, tags and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.ids += [named["id"]] if named.get("id") else []  # type: ignore[list-item]  # HTML allows a bare id
        self.links += [
            named[k] or "" for k in ("href", "src", "xlink:href") if k in named
        ]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page(tmp_path: Path, *items: Item) -> Page:
    return Page(write(items, tmp_path, "Title", "command").read_text("utf-8"))


def dots(name: str = "ColMAD") -> Figure:
    panel = figures.Panel("F1", {name: Measured(1, 0, 2)}, 0.0)
    return Figure("dots", "Dots", lambda: figures.dots([name], [panel]))


def test_a_page_is_whole_and_needs_no_other_file(tmp_path: Path) -> None:
    panel = figures.Panel("F1", {"A": Measured(1, 0, 2)})
    series = {"A": {0.0: Measured(1, 0, 2), 2.0: Measured(2, nan, nan)}}
    found = page(
        tmp_path,
        Headline("The result."),
        Notice(["One", "Two"]),
        "A paragraph",
        Table("cells", "Cells", pd.DataFrame(CELLS), "A note."),
        Heading("More"),
        Table("empty", "Empty", pd.DataFrame({"a": []})),
        dots(),
        Figure("again", "The same", lambda: figures.dots(["A"], [panel, panel], ["A"])),
        Figure("lines", "Lines", lambda: figures.lines(series, "x", "y")),
        Figure("matrix", "M", lambda: figures.matrix(pd.DataFrame([[1.0, nan]]))),
    )
    assert len(found.ids) == len({*found.ids})
    outside = [x for x in found.links if not x.startswith(("#", "data:image/png"))]
    assert {x for x in outside if not re.fullmatch(r"\w+\.(csv|svg)", x)} == set()
    for name in outside:
        assert (tmp_path / name).exists()
    inside = {x.removeprefix("#") for x in found.links if x.startswith("#")}
    assert inside <= {*found.ids}
    assert found.tags.count("svg") == 4
    numbered = re.findall(r"(Table|Figure) (\d)\. ", found.words)
    assert [n for k, n in numbered if k == "Table"] == ["1", "2"]
    assert [n for k, n in numbered if k == "Figure"] == ["1", "2", "3", "4"]


def test_text_from_logs_is_never_markup(tmp_path: Path) -> None:
    table = Table(ATTACK[:1] and "t", ATTACK, pd.DataFrame({ATTACK: [ATTACK]}), ATTACK)
    found = page(
        tmp_path,
        Headline(ATTACK),
        Notice([ATTACK]),
        Heading(ATTACK),
        ATTACK,
        table,
        dots(ATTACK),
    )
    assert not {"script", "img"} & {*found.tags}
    assert found.words.count("<script>") >= 7
    assert "{{ 7 * 7 }}" in found.words


def test_cells_for_people_and_for_programs(tmp_path: Path) -> None:
    found = page(tmp_path, Table("cells", "Cells", pd.DataFrame(CELLS)))
    for text in ("74.1 [60.0, 80.5]", "–", "<\u00a00.001", "0.25", "1,200"):
        assert text in found.words
    csv = pd.read_csv(tmp_path / "cells.csv")
    assert [*csv] == ["Condition", "F1", "F1 low", "F1 high", "p", "Samples"]
    assert csv.loc[0, "F1"] == 74.125
    assert csv.loc[1, ["F1", "F1 low"]].isna().all()


def test_repeated_values_of_a_group_are_shown_once(tmp_path: Path) -> None:
    frame = pd.DataFrame({"Source": ["run", "run", "paper"], "x": [1, 2, 3]})
    found = page(tmp_path, Table("t", "T", frame, group="Source"))
    assert found.words.count("run") == 1
    assert [*pd.read_csv(tmp_path / "t.csv")["Source"]] == ["run", "run", "paper"]


@pytest.mark.parametrize(
    ("value", "digits", "signed", "text"),
    [
        (1234.56, 1, False, "1,234.6"),
        (-0.04, 1, False, "0.0"),
        (-0.04, 1, True, "+0.0"),
        (-2.5, 1, True, "−2.5"),
        (3, 0, True, "+3"),
        (nan, 1, True, "–"),
    ],
)
def test_numbers(value: float, digits: int, signed: bool, text: str) -> None:
    assert number(value, digits, signed) == text


@pytest.mark.parametrize(
    ("p", "text"), [(0.0009, "< 0.001"), (0.0123, "0.012"), (0.5, "0.50"), (nan, "–")]
)
def test_p_values(p: float, text: str) -> None:
    assert p_value(p).replace("\u00a0", " ") == text


def test_groups_keep_their_order_and_missing_keys() -> None:
    rows = pd.DataFrame({"k": ["b", "a", None, "b"], "x": [1, 2, 3, 4]})
    found = by(rows, ["k"], {"Sum": lambda of: int(of["x"].sum())})
    assert [*found["Sum"]] == [5, 2, 3]


def test_figures_are_the_same_bytes_with_text_as_text(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write([dots("A name")], tmp_path / folder, "T")
    one, two = ((tmp_path / f / "dots.svg").read_bytes() for f in ("one", "two"))
    assert one == two
    assert b"A name" in one


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        write([], tmp_path / "file" / "out", "T")
