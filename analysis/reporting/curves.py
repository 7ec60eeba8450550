"""Figures of curves over a number that may have any value, in panels."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from inspect_debate.analysis.reporting.drawing import (
    Array,
    Limits,
    grid,
    labelled,
    ticks,
    value_axis,
)
from inspect_debate.analysis.reporting.formats import PERCENT, Format
from inspect_debate.analysis.reporting.references import draw_upright
from inspect_debate.analysis.reporting.style import Look, drawing, look


class Curve(NamedTuple):
    """Values over a rising number; NaN where there is none.

    Attributes:
        x: Where.
        y: The values.
        low: The lower ends of their intervals, which are drawn as a band.
        high: The upper ends.
    """

    x: Array
    y: Array
    low: Array | None = None
    high: Array | None = None


@drawing()
def curve_panels(
    panels: Mapping[str, Mapping[str, Curve]],
    *,
    label: str,
    x_label: str,
    format: Format = PERCENT,
    x_format: Format = PERCENT,
    references: Mapping[str, float] = MappingProxyType({}),
    limits: Limits = (0, None),
    size: tuple[float, float] = (2.3, 1.9),
    columns: int = 4,
) -> Figure:
    """Curves with bands; a curve of a single point is a mark.

    Args:
        panels: Curves by name, by title of the panel. A name looks the same in all.
        label: Of the axis of values, with its unit.
        x_label: Of the x axis, with its unit.
        format: Of the values.
        x_format: Of the numbers on the x axis.
        references: Upright dashed lines by name, in all panels.
        limits: Of the axis of values; None where the data decide.
        size: Of a panel in inches.
        columns: How many panels stand side by side.
    """
    names = list(dict.fromkeys(name for panel in panels.values() for name in panel))
    shown = [*names, *references]
    figure, all_axes = grid(list(panels), columns, panel=size, names=shown)
    handles: dict[str, Artist] = {}
    for axes, panel in zip(all_axes, panels.values(), strict=True):
        for name, curve in panel.items():
            looks = look(names.index(name))
            handles[name] = _curve(axes, _scaled(curve, format, x_format), looks)
        handles |= draw_upright(axes, references, x_format)
    for axes in all_axes:
        value_axis(axes, "", format, limits)
        axes.xaxis.set_major_formatter(ticks(x_format))
        axes.grid(axis="both")
    ordered = {name: handles[name] for name in shown}
    return labelled(figure, ordered, x_label=x_label, y_label=label)


def _scaled(curve: Curve, format: Format, x_format: Format) -> Curve:
    low, high = (
        None if end is None else end * format.scale for end in (curve.low, curve.high)
    )
    return Curve(curve.x * x_format.scale, curve.y * format.scale, low, high)


def _curve(axes: Axes, curve: Curve, looks: Look) -> Artist:
    if curve.low is not None and curve.high is not None:
        axes.fill_between(
            curve.x, curve.low, curve.high, color=looks.colour, alpha=0.2, linewidth=0
        )
    known = np.isfinite(curve.y)
    single = known.sum() == 1
    (line,) = axes.plot(
        curve.x[known],
        curve.y[known],
        color=looks.colour,
        linestyle="" if single else looks.line,
        marker=looks.marker if single else "",
        markersize=7,
        linewidth=1.6,
    )
    return line
