"""Figures of distributions."""

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from inspect_debate.reports.drawing import histogram_panels, svg_text
from inspect_debate.reports.elements import PERCENT

NAN = float("nan")
EDGES = (0.0, 0.5, 1.0)


def drawn(panels: dict[str, ArrayLike]) -> Figure:
    return histogram_panels(
        panels,
        EDGES,
        label="items (%)",
        x_label="confidence (%)",
        format=PERCENT,
        references={"tau": 0.9},
        places=(0, 1),
    )


def bars(axes: Axes) -> list[tuple[float, float, float]]:
    """Left edge, width and height."""
    found = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    return [(bar.get_x(), bar.get_width(), bar.get_height()) for bar in found]


def test_bars_are_shares_of_a_panel() -> None:
    figure = drawn({"one": [0.0, 0.5, 0.7, 1.0, NAN], "two": [0.2]})
    assert bars(figure.axes[0]) == [(0, 50, 25), (50, 50, 75)]
    assert bars(figure.axes[1]) == [(0, 50, 100), (50, 50, 0)]
    assert figure.axes[0].get_title(loc="left") == "one"


def test_axes_are_in_the_unit_shown() -> None:
    axes = drawn({"one": [0.2]}).axes[0]
    assert [line.get_xdata()[0] for line in axes.lines] == [pytest.approx(90)]  # type: ignore[index]  # of a line
    assert list(axes.get_xticks()) == [0, 100]


def test_a_panel_without_values_is_drawn() -> None:
    figure = drawn({"none": [NAN]})
    assert bars(figure.axes[0]) == [(0, 50, 0), (50, 50, 0)]
    assert svg_text(figure).startswith("<svg")
