"""Figures of curves."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from inspect_debate.reports.drawing import LOOKS, Curve, curve_panels, svg_text

NAN = float("nan")
WITH_BAND = Curve(
    np.array([0.0, 0.5, 1.0]),
    np.array([0.2, NAN, 0.4]),
    np.array([0.1, NAN, 0.3]),
    np.array([0.3, NAN, 0.5]),
)
POINT = Curve(np.array([0.7]), np.array([0.9]))
NOTHING = Curve(np.array([0.0, 1.0]), np.array([NAN, NAN]))


def drawn(panels: dict[str, dict[str, Curve]]) -> Figure:
    return curve_panels(panels, label="risk (%)", x_label="coverage (%)")


def lines(figure: Figure, panel: int) -> list[list[list[float]]]:
    return [np.asarray(line.get_xydata()).tolist() for line in figure.axes[panel].lines]


def test_curves_are_in_percent_without_what_is_missing() -> None:
    figure = drawn({"one": {"a": WITH_BAND, "b": POINT}, "two": {"b": POINT}})
    assert lines(figure, 0) == [[[0, 20], [100, 40]], [[70, 90]]]
    assert lines(figure, 1) == [[[70, 90]]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b"]


def test_a_name_looks_the_same_in_all_panels_and_a_single_point_is_a_mark() -> None:
    figure = drawn({"one": {"a": WITH_BAND, "b": POINT}, "two": {"b": POINT}})
    (mark,) = figure.axes[1].lines
    assert to_hex(str(mark.get_color())).upper() == LOOKS[1].colour
    assert (mark.get_marker(), mark.get_linestyle()) == (LOOKS[1].marker, "None")
    curve = figure.axes[0].lines[0]
    assert (curve.get_marker(), curve.get_linestyle()) == ("", LOOKS[0].line)


def test_a_band_is_drawn_where_there_is_one() -> None:
    figure = drawn({"one": {"a": WITH_BAND, "b": POINT}})
    (band,) = figure.axes[0].collections
    heights = np.concatenate([path.vertices for path in band.get_paths()])[:, 1]
    assert (heights.min(), heights.max()) == (10, 50)


def test_curves_without_values_are_drawn() -> None:
    assert svg_text(drawn({"one": {"a": NOTHING}})).startswith("<svg")
