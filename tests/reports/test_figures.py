from collections.abc import Callable, Mapping

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from inspect_debate.reports.drawing import (
    LOOKS,
    colour_range,
    inline_svg,
    look,
    svg_text,
    wrapped,
)
from inspect_debate.reports.elements import COUNT, PERCENT, POINTS
from inspect_debate.reports.figures import forest, grouped_bars, heatmap, lines_over

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


def test_bars_name_series_and_references_in_order() -> None:
    assert legend_of(bars()) == ["a", "_b", "trivial", "chance"]
    ticks = [label.get_text() for label in axes_of(bars()).get_xticklabels()]
    assert ticks == ["math", "fact"]


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


def test_a_matrix_without_a_diagonal_outlines_nothing() -> None:
    figure = heatmap(VALUES, label="F1")
    assert len(axes_of(figure).patches) == 0


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


def test_a_forest_without_groups_has_no_headings() -> None:
    plain = pd.DataFrame({"estimate": [1.0], "low": [0.0], "high": [2.0]}, index=["a"])
    figure = forest(plain, label="x", format=COUNT, zero=1)
    assert [text.get_text() for text in axes_of(figure).get_yticklabels()] == ["a"]
    line = axes_of(figure).lines[-1]
    assert np.asarray(line.get_xdata()) == pytest.approx([1, 1])


@pytest.mark.parametrize("draw", [bars, lines, matrix, rows])
def test_figures_touch_no_global_state(draw: Callable[[], Figure]) -> None:
    before = dict(matplotlib.rcParams)
    svg_text(draw())
    assert dict(matplotlib.rcParams) == before


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


def test_names_break_between_their_parts() -> None:
    assert wrapped(LONG, 18) == "meta-llama/Llama-\n3.1-70B-Instruct-\nTurbo"


def test_dollars_in_names_are_no_formulas() -> None:
    svg = svg_text(grouped_bars(VALUES.rename({"math": "$x_1$"}), label="$y^2$"))
    assert "$x_1$" in svg
    assert "$y^2$" in svg


def test_series_differ_without_colour() -> None:
    first = LOOKS[:8]
    assert len({found.hatch for found in first}) == 8
    assert len({found.marker for found in first}) == 8
    assert len({look(position) for position in range(40)}) == 40


def test_drawings_in_one_page_share_no_identifier() -> None:
    svg = '<svg id="a"><use href="#b"/><g xlink:href="#b" clip-path="url(#c)"/></svg>'
    assert inline_svg(svg, "one") == (
        '<svg aria-hidden="true" id="one-a"><use href="#one-b"/>'
        '<g xlink:href="#one-b" clip-path="url(#one-c)"/></svg>'
    )


def test_axes_tick_in_short_numbers() -> None:
    figure = forest(
        pd.DataFrame({"estimate": [0.0], "low": [-0.1], "high": [0.1]}, index=["a"]),
        label="points",
        format=POINTS,
    )
    text = axes_of(figure).xaxis.get_major_formatter()
    assert [text(value, 0) for value in (-5, 0, 2.5)] == ["−5", "0", "+2.5"]
