"""Figures of several panels with common axes: small multiples.

As in `figures`, values come in natural units and are drawn as `format` shows them, and
a missing value or interval is not drawn.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter

from inspect_debate.analysis.reporting.drawing import (
    Array,
    Limits,
    draw_intervals,
    draw_references,
    ends,
    legend,
    scaled,
    ticks,
    value_axis,
)
from inspect_debate.analysis.reporting.formats import NUMBER, Format
from inspect_debate.analysis.reporting.style import (
    INK,
    LOOKS,
    MUTED,
    RULE,
    drawing,
    look,
    wrapped,
)

_SHADES = ("#fdf1e3", "#f9d9b4")
_AREA = 16.0
"""Square points of a bubble that stands for one."""


class Series(NamedTuple):
    """Values with their intervals: a row per place, a column per series."""

    values: pd.DataFrame
    low: pd.DataFrame
    high: pd.DataFrame


@drawing()
def line_panels(
    panels: Mapping[str, Series],
    *,
    label: str,
    x_label: str,
    format: Format = NUMBER,
    references: Mapping[str, float] = MappingProxyType({}),
    limits: Limits = (None, None),
    columns: int = 4,
) -> Figure:
    """Lines with intervals over a number such as the round, in a panel each.

    A series has the same look in all panels.

    Args:
        panels: By title; the index holds the places on the x axis, whole numbers.
        label: Of the axis of values, with its unit.
        x_label: Of the x axis.
        format: Of the values.
        references: Dashed lines by name, in all panels.
        limits: Of the axis of values; None where the data decide.
        columns: Panels side by side.
    """
    names = list(dict.fromkeys(n for panel in panels.values() for n in panel.values))
    places = sorted({place for panel in panels.values() for place in panel.values.index})
    figure, all_axes = _grid(list(panels), columns, (2.3, 1.9))
    handles: dict[str, Artist] = {}
    for axes, panel in zip(all_axes, panels.values(), strict=True):
        for name in panel.values:
            shift = (names.index(name) - (len(names) - 1) / 2) * 0.07
            handles[name] = _line(axes, panel, name, look(names.index(name)), shift)
        lines = draw_references(axes, references, [], format)
        handles |= dict(zip(references, lines, strict=True))
        axes.set_xlim(min(places) - 0.35, max(places) + 0.35)
        axes.xaxis.set_major_locator(FixedLocator(places))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: f"{place:g}"))
        value_axis(axes, "", format, limits)
    figure.supylabel(label, fontsize="medium")
    figure.supxlabel(x_label, fontsize="medium")
    shown = [*names, *references]
    legend(figure, [handles[name] for name in shown], shown)
    return figure
