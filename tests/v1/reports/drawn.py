"""What a figure shows, as numbers and texts."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from inspect_debate.v1.reports.elements import Figure, Item

Points = list[tuple[float, float]]


def panels(item: Item) -> dict[str, Axes]:
    """The panels by title."""
    assert isinstance(item, Figure), item
    return {_one_line(axes.get_title(loc="left")): axes for axes in item.figure.axes}


def legend(item: Item) -> list[str]:
    """The names in the legend, if there is one."""
    assert isinstance(item, Figure), item
    texts = [text for legend in item.figure.legends for text in legend.get_texts()]
    return [_one_line(text.get_text()) for text in texts]


def marked(axes: Axes, marker: str, *, hollow: bool = False) -> Points:
    """Points of all lines with a marker, places rounded: lines stand side by side."""
    return [
        (round(float(x)), round(float(y), 1))
        for line in axes.lines
        if line.get_marker() == marker
        and (line.get_markerfacecolor() == "none") == hollow
        for x, y in np.asarray(line.get_xydata())
        if np.isfinite([x, y]).all()
    ]


def heights(axes: Axes) -> list[float]:
    """Of the bars of a distribution."""
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    return [round(bar.get_height(), 1) for bar in bars]


def _one_line(text: str) -> str:
    """A name as it was before it was wrapped."""
    return text.replace("_\n", "_").replace("\n", " ")
