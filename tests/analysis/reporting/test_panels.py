"""Figures of several panels."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from inspect_debate.analysis.reporting.formats import PERCENT
from inspect_debate.analysis.reporting.panels import (
    Series,
    interval_panels,
    line_panels,
)
from inspect_debate.analysis.reporting.scatters import bubbles, reliability
from inspect_debate.analysis.reporting.style import LOOKS, svg_text

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
