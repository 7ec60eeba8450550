"""The kinds of figures that the reports are made of.

Values come as frames in natural units (shares from 0 to 1) and are drawn as `format`
shows them (in percent). A missing value is drawn as a dash, a missing interval not
at all. Series differ in hatch, marker or line as well as in colour; names wrap and
are never cut.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from inspect_debate.v1.reports.drawing import (
    INK,
    Limits,
    blank,
    draw_intervals,
    draw_missing,
    draw_references,
    drawing,
    ends,
    forest_lines,
    forest_row,
    legend,
    look,
    scaled,
    ticks,
    value_axis,
    wrapped,
)
from inspect_debate.v1.reports.elements import PERCENT, POINTS, Format


@drawing()
def grouped_bars(
    values: pd.DataFrame,
    low: pd.DataFrame | None = None,
    high: pd.DataFrame | None = None,
    *,
    label: str,
    format: Format = PERCENT,
    references: Mapping[str, float | Mapping[str, float]] = MappingProxyType({}),
    limits: Limits = (0, None),
) -> Figure:
    """Bars with intervals, a series beside the other in each group.

    Args:
        values: a row per group (a task), a column per series (a protocol).
        low: lower ends of the intervals, of the same shape.
        high: upper ends.
        label: of the axis of values, with its unit.
        format: of the values.
        references: dashed lines by name, such as a trivial baseline: one value for
            all groups, or a value by group.
        limits: of the axis, in the unit of the values; None where the data decide.
    """
    groups, series = list(values.index), list(values.columns)
    count = len(groups) * len(series)
    figure, axes = blank(width=min(max(5.5, 1.6 + 0.28 * count), 11), height=3.6)
    width = 0.8 / max(len(series), 1)
    middles = np.arange(len(groups))
    handles: list[Artist] = []
    for position, name in enumerate(series):
        looks = look(position)
        places = middles + (position - (len(series) - 1) / 2) * width
        heights = scaled(values[name], format)
        bars = axes.bar(
            places,
            heights,
            width * 0.92,
            color=looks.colour,
            hatch=looks.hatch,
            edgecolor="white",
            linewidth=0,
        )
        handles += bars.patches[:1]
        draw_intervals(axes, places, heights, ends(low, high, name, format))
        draw_missing(axes, places, heights)
    handles += draw_references(axes, references, groups, format)
    axes.set_xticks(middles, [wrapped(str(name), 18) for name in groups])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.5, len(groups) - 0.5)
    value_axis(axes, label, format, limits)
    legend(figure, handles, [*series, *references])
    return figure


@drawing()
def forest(
    estimates: pd.DataFrame,
    *,
    label: str,
    format: Format = POINTS,
    zero: float = 0.0,
    sides: tuple[str, str] | None = None,
) -> Figure:
    """Estimates with intervals, one below the other, about a line of no difference.

    Args:
        estimates: columns `estimate`, `low` and `high`; the index names the rows,
            on two levels where they are in groups.
        label: of the axis, with its unit.
        format: of the values.
        zero: value of the line.
        sides: what lies to the left and to the right of the line.
    """
    lines = list(forest_lines(estimates))
    figure, axes = blank(width=7.4, height=1.1 + 0.3 * len(lines))
    for height, (_, row) in enumerate(lines):
        if row is not None:
            forest_row(axes, height, row, format)
    axes.axvline(zero * format.scale, color=INK, linewidth=0.9, linestyle="--")
    axes.set_yticks(range(len(lines)), [wrapped(name, 38) for name, _ in lines])
    for text, (_, row) in zip(axes.get_yticklabels(), lines, strict=True):
        text.set_fontweight("bold" if row is None else "normal")
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_formatter(ticks(format))
    axes.grid(axis="x")
    axes.set_xlabel(label if sides is None else f"{label}\n← {sides[0]} | {sides[1]} →")
    return figure
