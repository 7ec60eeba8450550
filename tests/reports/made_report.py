"""Invented reports, and a reader of pages, for the tests of reports."""

from html.parser import HTMLParser
from typing import Any

import pandas as pd

from inspect_debate.reports.figures import forest, grouped_bars, heatmap, lines_over
from inspect_debate.reports.report import (
    PERCENT,
    Figure,
    Notice,
    Report,
    Section,
    Table,
)

HOSTILE = '<script src="https://evil.example/x.js">alert(1)</script>|`*_$x_1$'
VOID = {"meta", "br", "img", "link", "hr", "input"}

SHARES = pd.DataFrame(
    {
        "model": ["one", HOSTILE, "three"],
        "F1": [0.1 + 0.2, 2 / 3, float("nan")],
        "F1 low": [0.25, 0.6, float("nan")],
        "F1 high": [0.35, 1 / 3 + 0.4, float("nan")],
        "items": [1400, 7, 0],
    }
)
TWO_LEVELS = pd.DataFrame(
    [["one", 0.5, 0.4, 0.6, 0.25], [HOSTILE, float("nan"), 0.1, 0.2, 1 / 3]],
    columns=pd.MultiIndex.from_tuples(
        [
            ("model", ""),
            ("math", "F1"),
            ("math", "F1 low"),
            ("math", "F1 high"),
            ("fact", "F1"),
        ]
    ),
)


def shares(**changes: Any) -> Table:
    """A plain table with an interval."""
    given = {"name": "shares", "title": "Shares", "frame": SHARES}
    return Table(**(given | {"formats": {"F1": PERCENT}} | changes))


def two_levels(**changes: Any) -> Table:
    """A table with groups of columns."""
    given = {"name": "two", "title": "Two levels", "frame": TWO_LEVELS}
    return Table(**(given | {"formats": {("math", "F1"): PERCENT}} | changes))


def every_figure() -> list[Figure]:
    """A figure of each kind, with a hostile name and something missing in each."""
    nan = float("nan")
    values = pd.DataFrame({"a": [0.5, nan], HOSTILE: [0.7, 0.8]}, index=[0, 1])
    low, high = values - 0.1, values + 0.1
    matrix = pd.DataFrame([[0.1, nan], [0.9, 0.5]], ["a", HOSTILE], ["a", HOSTILE])
    rows = pd.DataFrame(
        {"estimate": [0.1, nan], "low": [0.0, nan], "high": [0.3, nan]},
        index=pd.MultiIndex.from_tuples([("math", HOSTILE), ("fact", "a")]),
    )
    drawn = {
        "bars": grouped_bars(
            values.set_axis(["math", HOSTILE]),
            low.set_axis(["math", HOSTILE]),
            high.set_axis(["math", HOSTILE]),
            label="F1, %",
            references={"trivial": {"math": 0.6, HOSTILE: 0.5}, "chance": 0.5},
        ),
        "lines": lines_over(values, low, high, label="F1, %", x_label="round"),
        "matrix": heatmap(matrix, label="F1, %", diagonal="the same model"),
        "forest": forest(rows, label="difference", sides=("a", "b")),
    }
    return [
        Figure(name, f"A figure of {name}", figure, alt=f"What {name} {HOSTILE} show")
        for name, figure in drawn.items()
    ]


def example() -> Report:
    """A report with something of everything."""
    return Report(
        f"Report on {HOSTILE}",
        "A study",
        summary=f"First.\n\n- an entry\n- `code {HOSTILE[:20]}`",
        notices=[Notice(f"Careful with {HOSTILE}"), Notice("By the way.", "info")],
        sections=[
            Section("Numbers", "Text.", [shares(), two_levels(), Notice("Mind.")]),
            Section(HOSTILE, HOSTILE, every_figure()),
        ],
    )


class Page(HTMLParser):
    """What a page holds: its tags, its attributes, its text; tags must balance."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, *names: str) -> list[str]:
        """The values of attributes."""
        return [value for name, value in self.attributes if name in names]
