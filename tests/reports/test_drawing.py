"""Figures: what is drawn where, and whether series can be told apart."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from inspect_debate import reports
from inspect_debate.reports.drawing import (
    LOOKS,
    Curve,
    bubbles,
    colour_range,
    curve_panels,
    histogram_panels,
    inline_svg,
    look,
    points,
    reliability,
    svg_text,
    wrapped,
)
from inspect_debate.reports.elements import PERCENT, Series
from inspect_debate.reports.figures import forest, grouped_bars, heatmap, lines_over
from inspect_debate.reports.panels import interval_panels, line_panels

NAN = float("nan")
References = dict[str, float | Mapping[str, float]]
VALUES = pd.DataFrame({"a": [0.5, NAN], "_b": [0.7, 0.8]}, index=["math", "fact"])
LOW, HIGH = VALUES - 0.1, VALUES + 0.05
LONG = "meta-llama/Llama-3.1-70B-Instruct-Turbo"


def axes_of(figure: Figure) -> Axes:
    return figure.axes[0]


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in axes_of(figure).texts]


def legend_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def bars() -> Figure:
    references: References = {"trivial": {"math": 0.6, "fact": 0.55}, "chance": 0.5}
    return grouped_bars(VALUES, LOW, HIGH, label="F1, %", references=references)


def lines() -> Figure:
    over = VALUES.set_axis([0, 2])
    return lines_over(
        over,
        LOW.set_axis([0, 2]),
        HIGH.set_axis([0, 2]),
        label="F1, %",
        x_label="round",
        references={"alone": 0.65},
    )


def matrix() -> Figure:
    values = pd.DataFrame([[0.0, NAN], [0.5, 1.0]], ["a", LONG], ["a", LONG])
    return heatmap(values, label="F1, %", diagonal="the same model")


def rows() -> Figure:
    estimates = pd.DataFrame(
        {
            "estimate": [0.1, -0.02, NAN],
            "low": [0.05, NAN, NAN],
            "high": [0.2, NAN, NAN],
        },
        index=pd.MultiIndex.from_tuples([("math", "a"), ("math", "b"), ("fact", "a")]),
    )
    return forest(estimates, label="points", sides=("alone better", "debate better"))


def test_bars_stand_where_the_values_are() -> None:
    patches = [p for p in axes_of(bars()).patches if isinstance(p, Rectangle)]
    heights = [patch.get_height() for patch in patches]
    assert heights == pytest.approx([50, NAN, 70, 80], nan_ok=True)
    middles = [patch.get_x() + patch.get_width() / 2 for patch in patches]
    assert middles == pytest.approx([-0.2, 0.8, 0.2, 1.2])
    assert texts(bars()) == ["–"]


def segments(axes: Axes) -> list[list[list[float]]]:
    """The pieces of all collections of lines."""
    return [
        [[round(float(x), 6) for x in point] for point in piece]
        for collection in axes.collections
        if isinstance(collection, LineCollection)
        for piece in collection.get_segments()
    ]


def test_bars_have_intervals_and_references_by_group() -> None:
    pieces = segments(axes_of(bars()))
    assert [[-0.2, 40], [-0.2, 55]] in pieces
    assert [[1.2, 70], [1.2, 85]] in pieces
    assert [[-0.46, 60], [0.46, 60]] in pieces
    assert [[0.54, 55], [1.46, 55]] in pieces
    assert len(pieces) == 5  # nothing for the value that is missing


def test_an_estimate_outside_its_interval_by_rounding_is_drawn() -> None:
    figure = grouped_bars(VALUES, VALUES + 1e-12, HIGH, label="F1")
    assert svg_text(figure)


def test_lines_pass_through_the_values_side_by_side() -> None:
    drawn = [line for line in axes_of(lines()).lines if line.get_linestyle() != "None"]
    first, second = drawn[:2]
    assert np.asarray(first.get_ydata()) == pytest.approx([50, NAN], nan_ok=True)
    assert np.asarray(second.get_ydata()) == pytest.approx([70, 80])
    places = [np.asarray(line.get_xdata()) for line in (first, second)]
    assert places[0] == pytest.approx([-0.04, 1.96])
    assert places[1] == pytest.approx([0.04, 2.04])
    assert list(axes_of(lines()).get_xticks()) == [0, 2]
    assert legend_of(lines()) == ["a", "_b", "alone"]


def test_cells_show_numbers_that_can_be_read() -> None:
    shown = axes_of(matrix()).texts
    assert [text.get_text() for text in shown] == ["0.0", "–", "50.0", "100.0"]
    brightness = [sum(to_rgb(text.get_color())) for text in shown]
    assert brightness[0] < 1 < brightness[3]  # dark on light, light on dark
    assert brightness[1] < 1
    assert len(axes_of(matrix()).patches) == 2


@pytest.mark.parametrize(
    ("values", "limits", "centre", "ends"),
    [
        ([1, 3], (None, None), None, (1, 3)),
        ([1, 3], (0, 0.1), None, (0, 10)),
        ([-1, 3], (None, None), 0, (-3, 3)),
        ([-1, 3], (-0.05, None), 0, (-5, 5)),
        ([NAN], (None, None), None, (0, 1)),
        ([0], (None, None), 0, (-1, 1)),
    ],
)
def test_colours_span_the_values(
    values: list[float],
    limits: tuple[float | None, float | None],
    centre: float | None,
    ends: tuple[float, float],
) -> None:
    shown = np.array(values, dtype=float)
    assert colour_range(shown, limits, centre, PERCENT) == pytest.approx(ends)


def test_a_forest_shows_estimates_with_their_numbers() -> None:
    assert texts(rows()) == ["+10.0 [+5.0, +20.0]", "−2.0", "–"]
    names = [label.get_text() for label in axes_of(rows()).get_yticklabels()]
    assert names == ["math", "a", "b", "fact", "a"]
    interval, estimate = axes_of(rows()).lines[:2]
    assert np.asarray(interval.get_xdata()) == pytest.approx([5, 20])
    assert np.asarray(estimate.get_xdata()) == pytest.approx([10])
    assert axes_of(rows()).get_xlabel() == "points\n← alone better | debate better →"


@pytest.mark.parametrize("draw", [bars, lines, matrix, rows])
def test_other_settings_change_no_figure(draw: Callable[[], Figure]) -> None:
    expected = svg_text(draw())
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red"}):
        assert svg_text(draw()) == expected


@pytest.mark.parametrize("name", [LONG, "a" * 90, "one two three", "", "a--b//c", "-x"])
def test_wrapped_names_lose_no_character(name: str) -> None:
    lines = wrapped(name, 12).split("\n")
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert all(len(line) <= 16 for line in lines)


def test_dollars_in_names_are_no_formulas() -> None:
    svg = svg_text(grouped_bars(VALUES.rename({"math": "$x_1$"}), label="$y^2$"))
    assert "$x_1$" in svg
    assert "$y^2$" in svg


def test_drawings_in_one_page_share_no_identifier() -> None:
    svg = '<svg id="a"><use href="#b"/><g xlink:href="#b" clip-path="url(#c)"/></svg>'
    assert inline_svg(svg, "one") == (
        '<svg aria-hidden="true" id="one-a"><use href="#one-b"/>'
        '<g xlink:href="#one-b" clip-path="url(#one-c)"/></svg>'
    )


# Figures of several panels.


TWO = pd.DataFrame({"a": [0.5, 0.6], "b": [0.2, NAN]}, index=[1, 2])
FIRST = Series(TWO, TWO - 0.1, TWO + 0.1)
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


# Figures of curves.


WITH_BAND = Curve(
    np.array([0.0, 0.5, 1.0]),
    np.array([0.2, NAN, 0.4]),
    np.array([0.1, NAN, 0.3]),
    np.array([0.3, NAN, 0.5]),
)
POINT = Curve(np.array([0.7]), np.array([0.9]))
NOTHING = Curve(np.array([0.0, 1.0]), np.array([NAN, NAN]))


def curves(panels: dict[str, dict[str, Curve]]) -> Figure:
    return curve_panels(panels, label="risk (%)", x_label="coverage (%)")


def points_of(figure: Figure, panel: int) -> list[list[list[float]]]:
    return [np.asarray(line.get_xydata()).tolist() for line in figure.axes[panel].lines]


def test_curves_are_in_percent_without_what_is_missing() -> None:
    figure = curves({"one": {"a": WITH_BAND, "b": POINT}, "two": {"b": POINT}})
    assert points_of(figure, 0) == [[[0, 20], [100, 40]], [[70, 90]]]
    assert points_of(figure, 1) == [[[70, 90]]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]


def test_a_band_is_drawn_where_there_is_one() -> None:
    figure = curves({"one": {"a": WITH_BAND, "b": POINT}})
    (band,) = figure.axes[0].collections
    heights = np.concatenate([path.vertices for path in band.get_paths()])[:, 1]
    assert (heights.min(), heights.max()) == (10, 50)


def test_curves_without_values_are_drawn() -> None:
    assert svg_text(curves({"one": {"a": NOTHING}})).startswith("<svg")


# Figures of distributions.


EDGES = (0.0, 0.5, 1.0)


def histogram(panels: dict[str, ArrayLike]) -> Figure:
    return histogram_panels(
        panels,
        EDGES,
        label="items (%)",
        x_label="confidence (%)",
        format=PERCENT,
        references={"tau": 0.9},
        places=(0, 1),
    )


def boxes(axes: Axes) -> list[tuple[float, float, float]]:
    """Left edge, width and height."""
    found = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    return [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in found]


def test_bars_are_shares_of_a_panel() -> None:
    figure = histogram({"one": [0.0, 0.5, 0.7, 1.0, NAN], "two": [0.2]})
    assert boxes(figure.axes[0]) == [(0, 50, 25), (50, 50, 75)]
    assert boxes(figure.axes[1]) == [(0, 50, 100), (50, 50, 0)]
    assert figure.axes[0].get_title(loc="left") == "one"


def test_axes_are_in_the_unit_shown() -> None:
    axes = histogram({"one": [0.2]}).axes[0]
    assert [line.get_xdata()[0] for line in axes.lines] == [pytest.approx(90)]  # type: ignore[index]  # of a line
    assert list(axes.get_xticks()) == [0, 100]


def test_a_panel_without_values_is_drawn() -> None:
    figure = histogram({"none": [NAN]})
    assert boxes(figure.axes[0]) == [(0, 50, 0), (50, 50, 0)]
    assert svg_text(figure).startswith("<svg")


# Whether series can be told apart by those who see fewer colours, or none.


LEAST = 15.0
"""CIELAB distance of any two colours; about 2.3 is just noticed side by side."""

# Machado, Oliveira and Fernandes (2009), Table 1, severity 1, for linear RGB.
SIGHT = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""From linear sRGB, at the white of D65."""


def lab(rgb: ArrayLike, sight: str) -> NDArray[np.float64]:
    """A colour in CIELAB as it is seen; red, green and blue are from 0 to 1."""
    given = np.asarray(rgb, float)
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHT[sight]) @ linear, 0, 1)
    xyz = np.array(XYZ) @ seen / np.sum(XYZ, axis=1)
    x, y, z = np.where(
        xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def rgb(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def closest(colours: Sequence[str], sight: str) -> float:
    seen = [lab(rgb(colour), sight) for colour in colours]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


def test_distances_are_those_of_cielab() -> None:
    assert lab((1, 1, 1), "all colours") == pytest.approx((100, 0, 0), abs=0.01)
    red = (53.24, 80.09, 67.20)
    assert lab((1, 0, 0), "all colours") == pytest.approx(red, abs=0.05)
    # What those who see no green cannot tell: an orange and a green of one lightness.
    assert closest(("#B67500", "#8A9A00"), "deuteranopia") < LEAST
    assert closest(("#B67500", "#8A9A00"), "all colours") > LEAST


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_series_can_be_told_apart(sight: str) -> None:
    assert closest([*(looks.colour for looks in LOOKS), "#ffffff"], sight) >= LEAST


def test_series_differ_in_everything_else_too() -> None:
    for part in ("hatch", "marker"):
        assert len({getattr(looks, part) for looks in LOOKS}) == len(LOOKS)
    first = LOOKS[: len(LOOKS) // 2]
    assert len({looks.line for looks in first}) == len(first)
    # Nor are two of many series alike.
    many = [look(position) for position in range(len(LOOKS) ** 2)]
    assert len({(one.colour, one.marker, one.hatch) for one in many}) == len(many)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("name", "start"), [("Blues", 0), ("PuOr", 0.5)])
def test_scales_grow_darker(name: str, start: float, sight: str) -> None:
    scale = colormaps[name]
    light = [lab(scale(at)[:3], sight)[0] for at in np.linspace(start, 1, 12)]
    assert np.all(np.diff(light) < 0)


def test_no_colour_stands_anywhere_else() -> None:
    named = re.compile(r"""#[0-9a-fA-F]{6}\b|colou?rs?=["'](?!white|none)""")
    folders = [Path(folder) for folder in reports.__path__]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    assert len(files) > 20
    found = {file.name for file in files if named.search(file.read_text("utf-8"))}
    assert found == {"drawing.py"}
