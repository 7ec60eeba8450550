"""What a report begins with: the main result, its figure, then warnings."""

import math

import matplotlib.figure
import pandas as pd
import pytest

from inspect_debate.reports.drawing import svg_text
from inspect_debate.reports.elements import (
    PERCENT,
    POINTS,
    Figure,
    Main,
    Notice,
    Report,
    Section,
    Table,
)
from inspect_debate.reports.report import html_page, markdown_report

GAIN = Main(
    *("pairs", "Gain", "n"), "{A} beats {B} by {value}.", POINTS, " points", "debates"
)
SHARE = Main("shares", "Right", "n", "{A} is right in {value}.", PERCENT, " %")


def pairs(gain: float, low: float, high: float, n: int) -> Table:
    row = {"A": "x<b>", "B": "y", "Gain": gain, "n": n}
    frame = pd.DataFrame([row | {"Gain low": low, "Gain high": high}])
    return Table(name="pairs", title="Pairs", frame=frame)


def shares() -> Table:
    row = {"A": "x", "Right": 0.5, "Right low": 0.25, "Right high": 0.75, "n": 1}
    return Table(name="shares", title="Shares", frame=pd.DataFrame([row]))


def report(*tables: Table, main: tuple[Main, ...] = (GAIN, SHARE)) -> Report:
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
        (shares(), "x is right in 50.0 % (95 % interval 25.0 to 75.0; 1 sample)."),
    ],
)
def test_the_main_result_in_a_sentence(table: Table, sentence: str) -> None:
    assert report(table).headline == sentence


def test_the_first_table_that_is_there_has_it() -> None:
    assert report(shares(), pairs(0.1, 0, 0.2, 3)).headline.startswith("x<b> beats y")
    assert report(main=()).headline == report().headline == ""


def test_a_row_that_is_meant_goes_first() -> None:
    frame = pd.concat([pairs(0.1, 0, 0.2, 3).frame, pairs(0.2, 0, 0.3, 3).frame])
    table = Table(name="pairs", title="Pairs", frame=frame.assign(A=["other", "ours"]))
    assert report(table, main=(GAIN._replace(where=("A", "ou")),)).headline == (
        "ours beats y by +20.0 points (95 % interval 0.0 to 30.0; 3 debates)."
    )
    assert report(table, main=(GAIN._replace(where=("A", "no")),)).headline == (
        "other beats y by +10.0 points (95 % interval 0.0 to 20.0; 3 debates)."
    )


def test_a_value_less_a_fixed_baseline() -> None:
    less = GAIN._replace(baseline=0.05)
    assert report(pairs(0.1, 0.02, 0.2, 3), main=(less,)).headline == (
        "x<b> beats y by +5.0 points (95 % interval −3.0 to 15.0; 3 debates)."
    )


def test_without_a_value_the_next_table_has_it() -> None:
    unread = pairs(math.nan, math.nan, math.nan, 0)
    assert report(unread, shares()).headline.startswith("x is right")
    without = Table(name="pairs", title="Pairs", frame=unread.frame[["A", "B", "n"]])
    assert report(without, shares()).headline.startswith("x is right")


def test_a_table_without_intervals_has_a_value() -> None:
    table = Table(name="pairs", title="", frame=pairs(0.1, 0, 0, 3).frame.iloc[:, :4])
    assert report(table).headline.endswith("(too few for an interval; 3 debates).")


def test_an_empty_table_has_no_result() -> None:
    empty = Table(name="pairs", title="Pairs", frame=pairs(0, 0, 0, 1).frame.iloc[:0])
    assert report(empty).headline == ""


def test_the_page_has_it_first_and_the_figure_once() -> None:
    made = report(pairs(0.125, -0.05, 0.3, 12))
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
    lines = markdown_report(report(pairs(0.125, -0.05, 0.3, 12))).splitlines()
    assert lines[4].startswith("**x\\<b\\> beats y by +12.5 points (95 % interval")
