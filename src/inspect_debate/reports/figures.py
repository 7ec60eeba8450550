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
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter

from inspect_debate.reports.drawing import (
    EMPTY,
    INK,
    Limits,
    annotate,
    blank,
    colour_range,
    draw_intervals,
    draw_missing,
    draw_references,
    drawing,
    ends,
    forest_lines,
    forest_row,
    legend,
    look,
    name_cells,
    outline,
    scaled,
    ticks,
    value_axis,
    wrapped,
)
from inspect_debate.reports.elements import PERCENT, POINTS, Format


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
def lines_over(
    values: pd.DataFrame,
    low: pd.DataFrame | None = None,
    high: pd.DataFrame | None = None,
    *,
    label: str,
    x_label: str,
    format: Format = PERCENT,
    references: Mapping[str, float] = MappingProxyType({}),
    limits: Limits = (None, None),
) -> Figure:
    """Lines with intervals over a number such as the round.

    Args:
        values: a row per place on the x axis (its index, numbers), a column per
            series.
        low: lower ends of the intervals, of the same shape.
        high: upper ends.
        label: of the axis of values, with its unit.
        x_label: of the x axis.
        format: of the values.
        references: dashed lines by name.
        limits: of the axis of values, in their unit; None where the data decide.
    """
    figure, axes = blank(width=5.8, height=3.6)
    places = values.index.to_numpy(dtype=float)
    step = float(np.diff(np.sort(places)).min()) if len(places) > 1 else 1.0
    series = list(values.columns)
    handles: list[Artist] = []
    for position, name in enumerate(series):
        looks = look(position)
        # Side by side, so that no interval hides another.
        shifted = places + (position - (len(series) - 1) / 2) * 0.04 * step
        heights = scaled(values[name], format)
        handles += axes.plot(
            shifted,
            heights,
            color=looks.colour,
            linestyle=looks.line,
            marker=looks.marker,
            markersize=5,
            linewidth=1.6,
        )
        given = ends(low, high, name, format)
        draw_intervals(axes, shifted, heights, given, looks.colour)
    handles += draw_references(axes, references, [], format)
    axes.xaxis.set_major_locator(FixedLocator(list(places)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: f"{place:g}"))
    axes.set_xlabel(x_label)
    value_axis(axes, label, format, limits)
    legend(figure, handles, [*series, *references])
    return figure


@drawing()
def heatmap(
    values: pd.DataFrame,
    *,
    label: str,
    format: Format = PERCENT,
    limits: Limits = (None, None),
    centre: float | None = None,
    diagonal: str = "",
) -> Figure:
    """A matrix in colour, with its numbers.

    Args:
        values: a row and a column per row and column of the picture; their names
            are `values.index.name` and `values.columns.name`.
        label: of the colours, with their unit.
        format: of the values.
        limits: values of the ends of the colours; None where the data decide.
        centre: value of the neutral colour; the colours then part there, as they
            should for differences.
        diagonal: what is particular about the diagonal; its cells are outlined.
    """
    rows, columns = values.shape
    figure, axes = blank(width=3.2 + 0.88 * columns, height=max(2.8, 1.5 + 0.42 * rows))
    shown = np.ma.masked_invalid(values.to_numpy(dtype=float) * format.scale)
    least, most = colour_range(shown.filled(np.nan), limits, centre, format)
    colours = colormaps["Blues" if centre is None else "PuOr"]
    image = axes.imshow(
        shown,
        cmap=colours.with_extremes(bad=EMPTY),
        vmin=least,
        vmax=most,
        aspect="auto",
    )
    behind = image.to_rgba(shown)
    for row, column in np.ndindex(rows, columns):
        number = format(values.iat[row, column])
        annotate(axes, row, column, number, behind[row, column, :3])
    name_cells(axes, values)
    if diagonal:
        for position in range(min(rows, columns)):
            outline(axes, position)
        figure.supxlabel(f"Outlined: {diagonal}", fontsize="medium")
    bar = figure.colorbar(image, ax=axes, pad=0.02)
    bar.set_label(wrapped(label, 24), labelpad=8)
    bar.ax.yaxis.set_major_formatter(ticks(format))
    bar.ax.spines[:].set_visible(False)
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
