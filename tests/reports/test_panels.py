"""Figures of several panels."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from inspect_debate.reports.drawing import LOOKS, bubbles, points, reliability, svg_text
from inspect_debate.reports.elements import PERCENT
from inspect_debate.reports.panels import Series, interval_panels, line_panels

NAN = float("nan")
VALUES = pd.DataFrame({"a": [0.5, 0.6], "b": [0.2, NAN]}, index=[1, 2])
FIRST = Series(VALUES, VALUES - 0.1, VALUES + 0.1)
SECOND = Series(*(part[["b"]] for part in FIRST))
ROWS = pd.DataFrame(
    {"estimate": [0.1, 0.9], "low": [0.0, NAN], "high": [0.2, NAN]}, index=["x", "y"]
)


def titles(figure: Figure) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


def marked(axes: Axes, marker: str) -> list[list[list[float]]]:
    """Points of the lines that have a marker."""
    return [
        np.asarray(line.get_xydata()).tolist()
        for line in axes.lines
        if line.get_marker() == marker
    ]


def test_a_series_looks_the_same_in_all_panels() -> None:
    panels = {"one": FIRST, "two": SECOND}
    figure = line_panels(panels, label="%", x_label="round", format=PERCENT)
    assert titles(figure) == ["one", "two"]
    second = LOOKS[1]
    for axes in figure.axes:
        (line,) = (line for line in axes.lines if line.get_marker() == second.marker)
        assert to_hex(str(line.get_color())).upper() == second.colour
        assert np.asarray(line.get_ydata()).tolist() == [20]  # the other is missing
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]


def test_axes_hold_what_is_in_any_panel() -> None:
    wide = Series(*(part * 3 for part in FIRST))
    for order in ({"one": FIRST, "two": wide}, {"one": wide, "two": FIRST}):
        figure = line_panels(order, label="%", x_label="round", format=PERCENT)
        low, high = figure.axes[0].get_ylim()
        assert low < 10
        assert high > 180
        assert figure.axes[1].get_ylim() == (low, high)


def test_rows_are_the_same_in_all_panels() -> None:
    panels = {"one": ROWS, "two": ROWS.iloc[1:]}
    figure = interval_panels(
        panels, label="%", format=PERCENT, references={"none": 0.5}
    )
    assert marked(figure.axes[0], "s") == [[[10, 0], [90, 1]]]
    assert marked(figure.axes[1], "s") == [[[90, 1]]]
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert names == ["x", "y"]
    upright = [line for line in figure.axes[1].lines if line.get_linestyle() == "--"]
    assert np.asarray(upright[0].get_xdata()).tolist() == [50, 50]
    pieces = figure.axes[0].collections[0].get_segments()  # type: ignore[attr-defined]  # of lines
    assert np.asarray(pieces).tolist() == [[[0, 0], [20, 0]]]


def test_published_values_are_hollow_marks_beside_their_series() -> None:
    printed = {"two": pd.DataFrame({"b": [0.3]}, index=[2])}
    figure = line_panels(
        {"one": FIRST, "two": SECOND},
        label="%",
        x_label="round",
        format=PERCENT,
        printed=printed,
        places={2: "last"},
    )
    first, second = ([line for line in a.lines if _hollow(line)] for a in figure.axes)
    assert [np.size(line.get_xdata()) for line in first] == [0]  # of the legend
    (mark,) = second
    line = next(line for line in figure.axes[1].lines if not _hollow(line))
    # Beside the line's point, which is moved aside in the same way.
    assert np.asarray(mark.get_xydata()).tolist() == [[2.04, 30]]
    assert np.asarray(line.get_xydata()).tolist() == [[1.04, 20]]
    assert mark.get_marker() == line.get_marker()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *("a", "b"),
        "published",
    ]
    figure.draw_without_rendering()
    names = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert names == ["1", "last"]


def test_rows_may_have_published_values() -> None:
    panels = {"one": ROWS.assign(printed=[NAN, 0.8]), "two": ROWS}
    figure = interval_panels(panels, label="%", format=PERCENT)
    marks = [line for line in figure.axes[0].lines if _hollow(line)]
    assert np.asarray(marks[-1].get_xydata())[1].tolist() == [80, 1]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["published"]
    assert not [line for line in figure.axes[1].lines if _hollow(line)]


def test_many_names_take_no_room_from_the_panels() -> None:
    heights = []
    for count in (1, 14):
        names = [f"a way to decide with a long name, number {n}" for n in range(count)]
        values = pd.DataFrame({name: [0.5, 0.6] for name in names}, index=[1, 2])
        panel = Series(values, values, values)
        figure = line_panels({"one": panel}, label="%", x_label="round")
        figure.draw_without_rendering()
        share = figure.axes[0].get_position().height
        heights.append(share * figure.get_figheight())
    assert heights[1] == pytest.approx(heights[0], rel=0.15)


def test_rows_with_long_names_stand_further_apart() -> None:
    long = ROWS.rename(index={"x": "a way to decide whose name takes two lines here"})
    plain, wide = (interval_panels({"one": rows}, label="%") for rows in (ROWS, long))
    assert wide.get_figheight() > plain.get_figheight()


def _hollow(line: Line2D) -> bool:
    return line.get_markerfacecolor() == "none"


def test_measurements_of_the_same_are_set_against_each_other_by_group() -> None:
    made = pd.DataFrame({"x": [10, 60, 90], "y": [20, 50, 100], "group": list("aba")})
    figure = points(
        {"one": made}, x_label="one", y_label="other", groups=("a", "b", "c")
    )
    marks = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    assert [np.asarray(line.get_xydata()).tolist() for line in marks] == [
        *([[10, 20], [90, 100]], [[60, 50]]),
        [],
    ]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["a", "b", "c", "equal"]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_panels_fill_rows(count: int) -> None:
    pairs = pd.DataFrame({"x": [50, 90], "y": [50, 80], "n": [1, 3]})
    panels = {f"panel {n}": pairs for n in range(count)}
    figure = bubbles(
        panels, x_label="one", y_label="other", thresholds=(50, 75), columns=4
    )
    assert titles(figure) == list(panels)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["both above 50", "both above 75", "add up to 100"]
    assert svg_text(figure).startswith("<svg")


def test_bins_are_drawn_with_their_intervals() -> None:
    bins = pd.DataFrame(
        {"stated": [55, 95], "share": [50, 20], "low": [20, NAN], "high": [80, NAN]}
    ).assign(n=[4, 8])
    figure = reliability({"one": bins}, x_label="stated", y_label="right")
    drawn = figure.axes[0].collections
    assert np.asarray(drawn[-1].get_offsets()).tolist() == [[55, 50], [95, 20]]
    pieces = drawn[0].get_segments()  # type: ignore[attr-defined]  # of lines
    assert np.asarray(pieces).tolist() == [[[55, 20], [55, 80]]]


def test_a_panel_without_points_is_drawn() -> None:
    empty = pd.DataFrame(columns=["stated", "share", "low", "high", "n"], dtype=float)
    figure = reliability({"none": empty}, x_label="stated", y_label="right")
    assert svg_text(figure).startswith("<svg")
